"""What stood in front of the model at a call and can be left out, for any reader: stretches of the document, and what the reader
had written. Pure.

A stretch of the document is left out from that call on; what was written, as if it had never been: from where it was written on.
Each is offered whole, and by its paragraphs or sentences. Not here: doing it (`fork.py`, `experiments.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from readers.engine.record.edits import LEFT_OUT, Edit, LeaveOutEdit, WrittenEdit
from readers.engine.record.events import Wrote
from readers.engine.record.trace import Trace, merge_spans
from readers.engine.text import refs, split
from readers.engine.text.document import DOCUMENT, Piece, Span
from readers.engine.text.shorten import shorten

MAX_LISTED = 300
LONG_SPAN = 400  # characters from which a stretch of the document is offered by paragraphs, too
MAX_EXCERPT = 110


class Removable(NamedTuple):
    """One thing that can be left out: what it is in words, how it reads (`words`, not shortened), and whether it is the `whole`
    of what was written or shown there."""

    edit: LeaveOutEdit | WrittenEdit
    label: str
    words: str
    whole: bool = True

    @property
    def excerpt(self) -> str:
        """Its first words, on one line."""
        return shorten(self.words[: 4 * MAX_EXCERPT], MAX_EXCERPT)


class RemovableList(NamedTuple):
    """What can be left out at a call, in the order of its prompt, and how much more there is than is listed."""

    items: tuple[Removable, ...]
    more: int = 0


def removable_at(trace: Trace, seq: int, names: Mapping[str, str], *, find: str = "", most: int = MAX_LISTED) -> RemovableList:
    """What stood before the model at call `seq`; with `find`, only what has these words in it, in any case. Where there is more
    than `most`, what is whole comes before its parts. `names` is what the reader calls its texts, by their ref."""
    asked = trace.asked.get(seq)
    pieces = [piece for _, texts in asked.parts for text in texts for piece in text] if asked else []
    wanted = " ".join(find.casefold().split())
    found = [
        item
        for item in _removables(trace, seq, pieces, names)
        if wanted in " ".join(f"{item.label} {item.words}".casefold().split())
    ]
    kept = sorted(range(len(found)), key=lambda n: (not found[n].whole, n))[:most]
    return RemovableList(tuple(found[n] for n in sorted(kept)), len(found) - len(kept))


def _removables(trace: Trace, seq: int, pieces: Sequence[Piece], names: Mapping[str, str]) -> Iterator[Removable]:
    places = _SpanNames(trace, names)
    shown = [Span(piece.begin, piece.stop) for piece in pieces if piece.origin == DOCUMENT]
    known = dict.fromkeys(span for span in shown if span in places.names)
    covered = merge_spans(known)
    beside = [span for span in merge_spans(shown) if not any(start <= span.start and span.end <= end for start, end in covered)]
    for span in [*known, *beside]:
        for part in (span, *places.inside(span)):
            words = trace.document.text[part.start : part.end]
            if words.strip():
                yield Removable(LeaveOutEdit(seq, *part), places.name(part), words, part == span)
    for n in dict.fromkeys(refs.written(piece.origin) for piece in pieces):
        if n in trace.wrote:
            yield from _removable_text(trace.wrote[n], names)


class _SpanNames:
    """What stretches of the document are called."""

    def __init__(self, trace: Trace, names: Mapping[str, str]) -> None:
        self._text = trace.document.text
        self.names: dict[Span, str] = {}
        for ref, name in names.items():
            if span := refs.span(ref):
                self.names.setdefault(Span(*span), name)
        self._cut: dict[Span, list[Span]] = {}

    def inside(self, span: Span) -> list[Span]:
        """The paragraphs of a long stretch, if there are several."""
        found = self._paragraphs(span) if span.end - span.start > LONG_SPAN else []
        return found if len(found) > 1 else []

    def name(self, span: Span) -> str:
        """A stretch by its name, as a paragraph of the named stretch it lies in, or by its characters."""
        if span in self.names:
            return self.names[span]
        for whole, name in self.names.items():
            if whole.start <= span.start and span.end <= whole.end and span in self._paragraphs(whole):
                return f"paragraph {self._paragraphs(whole).index(span) + 1} of {name}"
        return f"characters {span.start:,} to {span.end:,} of the text"

    def _paragraphs(self, span: Span) -> list[Span]:
        if span not in self._cut:
            found = split.paragraphs(self._text[span.start : span.end])
            self._cut[span] = [Span(span.start + start, span.start + end) for start, end in found]
        return self._cut[span]


def _removable_text(wrote: Wrote, names: Mapping[str, str]) -> Iterator[Removable]:
    if wrote.text == LEFT_OUT or not wrote.text.strip():
        return
    called = _text_name(wrote, names)
    yield Removable(WrittenEdit(wrote.n, wrote.role, wrote.text, ""), called, wrote.text)
    inside = _sentences(wrote.text) if wrote.role != "entity" else []  # whose lines are its names
    for number, (words, rest) in enumerate(inside, 1):
        yield Removable(WrittenEdit(wrote.n, wrote.role, wrote.text, rest), f"sentence {number} of {called}", words, whole=False)


def _sentences(text: str) -> list[tuple[str, str]]:
    """Each sentence of a text with what is left without it; none where there is but one."""
    spans = [(start, end) for start, end in split.sentences(text) if text[start:end].strip()]
    if len(spans) < 2:
        return []
    return [(text[start:end].strip(), f"{text[:start]}{text[end:]}".strip()) for start, end in spans]


def _text_name(wrote: Wrote, names: Mapping[str, str]) -> str:
    """`the gist of page 3`, `the memory after chunk 2`, `the relation Hale – Campion`."""
    role, name = wrote.role.replace("_", " "), names.get(refs.wrote(wrote.n), "")
    if role.casefold() in name.casefold():
        return name if name.startswith(("the ", "a ")) else f"the {name}"
    joined = " of " if name.startswith(("part ", "page ", "chunk ", "segment ", "the whole", "piece ")) else " "
    return f"the {role}{joined}{name}" if name else f"the {role} written as number {wrote.n + 1:,}"


def describe_removed(trace: Trace, names: Mapping[str, str], edit: Edit) -> tuple[str, str]:
    """What an edit changed, in words, and how what it left out read: the label of `droppable` for those it offers."""
    if isinstance(edit, LeaveOutEdit):
        return _SpanNames(trace, names).name(Span(edit.start, edit.end)), trace.document.text[edit.start : edit.end]
    if isinstance(edit, WrittenEdit) and edit.n in trace.wrote:
        called = _text_name(trace.wrote[edit.n], names)
        if edit.text in ("", LEFT_OUT):
            return called, edit.before
        for number, (words, rest) in enumerate(_sentences(edit.before), 1):
            if rest == edit.text:
                return f"sentence {number} of {called}", words
        return f"{called}, rewritten", edit.before
    return f"another {edit.kind.replace('_', ' ')}", ""
