"""A text that a site may not show: everything is left out of its data but the passages that are cited. Pure.

Cited are the places of the known answer, where the answer's own words stand, and the sentences that it rests on. Of the text, and
of every run of more than eleven words in a reading that stands in the text outside these passages, dots are left, as many as
there were characters: so lengths can be seen, and places stay what they are. It does not matter who wrote such a run: a model's
summary may repeat what it summarises.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from components.html import document as prose
from components.player import ending
from readers import get
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Reading
from readers.engine.text.document import Span

LONGEST = 11  # words, one after the other, that are no passage of the text yet
WHAT = "Dots stand for words of the text that are not published."
LONGEST_PASSAGE = 600  # characters of evidence; what is longer is a whole part of the text
FILLER = "·"
# Words; letters of scripts without blanks between words count as one each.
_WORD = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_SEEN = re.compile(r"\S")


def cited(reading: Reading, known: KnownAnswer | None) -> list[Span]:
    """The passages of the text that a reading cites."""
    run, document, trace, _ = reading
    rests = ending.basis(run, document, get(run.reader).names(trace)).places if run.gives_answer else ()
    quotes = [Span(*one[:2]) for one in prose.quotes(document.text, run.answer or "", run.evidence)]
    places = [*known.evidence, *known.distractors] if known else []
    return [*quotes, *places, *(one for one in rests if one.end - one.start <= LONGEST_PASSAGE)]


def dotted(text: str, passages: Iterable[Span]) -> str:
    """The text with a dot for each character outside of the passages."""
    out = []
    at = 0
    for shown, end in _stretches(_shown(text, passages)):
        stretch = text[at:end]
        out.append(stretch if shown else _SEEN.sub(FILLER, stretch))
        at = end
    return "".join(out)


def _shown(text: str, passages: Iterable[Span]) -> bytearray:
    """For each character of a text whether it is in a passage."""
    shown = bytearray(len(text))
    for start, end in passages:
        shown[max(0, start) : end] = b"\1" * max(0, min(end, len(text)) - max(0, start))
    return shown


class Withheld:
    """What may not be said of texts, each with the passages that may be."""

    def __init__(self, texts: Iterable[tuple[str, Iterable[Span]]]) -> None:
        self._runs = frozenset(run for text in texts for run in _hidden_runs(*text))

    def words(self, said: str) -> str:
        """Other words, without what stands in the texts."""
        found = [(match[0].casefold(), match.span()) for match in _WORD.finditer(said)]
        if len(found) <= LONGEST:
            return said
        out: list[str] = []
        at = 0
        words = [word for word, _ in found]
        stand = (n for n in range(len(words) - LONGEST) if hash(tuple(words[n : n + LONGEST + 1])) in self._runs)
        for first, last in _merged((n, n + LONGEST) for n in stand):
            start, end = found[first][1][0], found[last][1][1]
            out += [said[at:start], _SEEN.sub(FILLER, said[start:end])]
            at = end
        return "".join([*out, said[at:]])

    def value(self, value: Any) -> Any:
        """JSON data, with all words in it treated so; those in a list are read in a row, as the sentences of a memory are."""
        if isinstance(value, str):
            return self.words(value)
        if isinstance(value, Mapping):
            return {name: self.value(one) for name, one in value.items()}
        return self._filled(value, self._pieces([*_in_a_row(value)])) if isinstance(value, list | tuple) else value

    def _pieces(self, said: Sequence[str]) -> Iterator[str]:
        """Words that are read in a row, piece by piece."""
        left, at = self.words("\n".join(said)), 0
        for one in said:
            yield left[at : at + len(one)]
            at += len(one) + 1

    def _filled(self, value: Any, pieces: Iterator[str]) -> Any:
        """A list with these words in the place of its own."""
        if isinstance(value, list | tuple):
            return [self._filled(one, pieces) for one in value]
        return next(pieces) if isinstance(value, str) else self.value(value)


def _in_a_row(value: Any) -> Iterator[str]:
    """The words of a list and of the lists in it, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _in_a_row(one)


def _hidden_runs(text: str, passages: Iterable[Span]) -> Iterator[int]:
    """The hash of each run of words of a text that is not wholly in a passage; the words would take ten times the room."""
    shown = _shown(text, passages)
    words = [(found[0].casefold(), all(shown[found.start() : found.end()])) for found in _WORD.finditer(text)]
    for at in range(len(words) - LONGEST):
        run = words[at : at + LONGEST + 1]
        if not all(said for _, said in run):
            yield hash(tuple(word for word, _ in run))


def _stretches(shown: bytearray) -> Iterator[tuple[bool, int]]:
    """The stretches that are shown and that are not: which, and where each ends."""
    at = 0
    while at < len(shown):
        end = shown.find(0 if shown[at] else 1, at)
        end = len(shown) if end < 0 else end
        yield bool(shown[at]), end
        at = end


def _merged(spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Spans of words, both ends included, in order; overlapping ones and neighbours are one."""
    open_: tuple[int, int] | None = None
    for first, last in spans:
        if open_ and first <= open_[1] + 1:
            open_ = (open_[0], last)
            continue
        if open_:
            yield open_
        open_ = (first, last)
    if open_:
        yield open_
