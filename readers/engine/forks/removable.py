"""What a call's prompt contained and can be left out, for any reader: stretches of the document, and texts the reader wrote.
Pure.

A stretch of the document is left out from that call on; a written text as if it had never existed, from where it was written on.
Each is offered as a whole, and by paragraphs or sentences. Not here: leaving it out (`fork.py`, `experiments.py`).
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
LONG_SPAN = 400  # a stretch of the document this long (in characters) is also offered by paragraphs
MAX_EXCERPT = 110


class Removable(NamedTuple):
    """One thing that can be left out: its label, its text (`words`, not shortened), and whether it is a `whole` text or
    stretch."""

    edit: LeaveOutEdit | WrittenEdit
    label: str
    words: str
    whole: bool = True

    @property
    def excerpt(self) -> str:
        """The first words, on one line."""
        return shorten(self.words[: 4 * MAX_EXCERPT], MAX_EXCERPT)


def removable_at(
    trace: Trace, seq: int, names: Mapping[str, str], *, find: str = "", limit: int = MAX_LISTED
) -> tuple[list[Removable], int]:
    """What call `seq` contained and can be left out, in prompt order, and how many more items there are; with `find`, only items
    that contain these words, in any case.

    If there are more than `limit`, whole items take precedence over parts. `names` are the reader's names for its texts, by ref.
    """
    asked = trace.asked.get(seq)
    pieces = [piece for _, texts in asked.parts for text in texts for piece in text] if asked else []
    sought = " ".join(find.casefold().split())
    offered = [
        item
        for item in _removables(trace, seq, pieces, names)
        if sought in " ".join(f"{item.label} {item.words}".casefold().split())
    ]
    listed = sorted(range(len(offered)), key=lambda n: (not offered[n].whole, n))[:limit]
    return [offered[n] for n in sorted(listed)], len(offered) - len(listed)


def _removables(trace: Trace, seq: int, pieces: Sequence[Piece], names: Mapping[str, str]) -> Iterator[Removable]:
    span_names = _SpanNames(trace, names)
    spans = [Span(piece.begin, piece.stop) for piece in pieces if piece.origin == DOCUMENT]
    named = dict.fromkeys(span for span in spans if span in span_names.names)
    covered = merge_spans(named)
    unnamed = [span for span in merge_spans(spans) if not any(start <= span.start and span.end <= end for start, end in covered)]
    for span in [*named, *unnamed]:
        for part in (span, *span_names.inside(span)):
            words = trace.document.text[part.start : part.end]
            if words.strip():
                yield Removable(LeaveOutEdit(seq, *part), span_names.name(part), words, part == span)
    for n in dict.fromkeys(refs.written(piece.origin) for piece in pieces):
        if n in trace.wrote:
            yield from _removable_text(trace.wrote[n], names)


class _SpanNames:
    """Names for stretches of the document."""

    def __init__(self, trace: Trace, names: Mapping[str, str]) -> None:
        self._document, self._text = trace.document, trace.document.text
        self.names: dict[Span, str] = {}
        for ref, name in names.items():
            if span := refs.span(ref):
                self.names.setdefault(Span(*span), name)
        self._paragraphs_of: dict[Span, list[Span]] = {}

    def inside(self, span: Span) -> list[Span]:
        """The paragraphs of a long stretch, if there are several."""
        paragraphs = self._paragraphs(span) if span.end - span.start > LONG_SPAN else []
        return paragraphs if len(paragraphs) > 1 else []

    def name(self, span: Span) -> str:
        """The name of a stretch: its own, as a paragraph of a named stretch, or by its characters."""
        if span in self.names:
            return self.names[span]
        for whole, name in self.names.items():
            if whole.start <= span.start and span.end <= whole.end and span in self._paragraphs(whole):
                return f"paragraph {self._paragraphs(whole).index(span) + 1} of {name}"
        if pages := self._document.pages_of(span):
            return f"characters {span.start:,} to {span.end:,} of the text, {pages}"
        return f"characters {span.start:,} to {span.end:,} of the text"

    def _paragraphs(self, span: Span) -> list[Span]:
        if span not in self._paragraphs_of:
            paragraphs = split.paragraphs(self._text[span.start : span.end])
            self._paragraphs_of[span] = [Span(span.start + start, span.start + end) for start, end in paragraphs]
        return self._paragraphs_of[span]


def _removable_text(wrote: Wrote, names: Mapping[str, str]) -> Iterator[Removable]:
    if wrote.text == LEFT_OUT or not wrote.text.strip():
        return
    called = _text_name(wrote, names)
    yield Removable(WrittenEdit(wrote.n, wrote.role, wrote.text, ""), called, wrote.text)
    inside = _sentences(wrote.text) if wrote.role != "entity" else []  # the lines of an entity are its names
    for number, (words, rest) in enumerate(inside, 1):
        yield Removable(WrittenEdit(wrote.n, wrote.role, wrote.text, rest), f"sentence {number} of {called}", words, whole=False)


def _sentences(text: str) -> list[tuple[str, str]]:
    """Each sentence of a text with the rest of the text; empty if there is only one."""
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


def leaves_out(edit: Edit) -> bool:
    """Whether an edit only leaves something out: a stretch of the document, or a written text or sentences of it."""
    if not isinstance(edit, WrittenEdit):
        return isinstance(edit, LeaveOutEdit)
    texts = (edit.before, edit.text)
    was, new = ({text[start:end].strip() for start, end in split.sentences(text)} - {""} for text in texts)
    return edit.text == LEFT_OUT or new <= was


def describe_removed(trace: Trace, names: Mapping[str, str], edit: Edit) -> tuple[str, str]:
    """What an edit left out, in words, and its text: for an edit that `removable_at` offers, the item's label."""
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
