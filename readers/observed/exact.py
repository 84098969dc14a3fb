"""Which characters of a text are copied, exactly, from the document, the question or an earlier reply. One pass, in the order of
the calls: for a reading that is still going on. Not here: copies that were altered, and what is likely (`sources.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, QUESTION, Document, Piece
from readers.observed.calls import ObservedCall

SEED = 24  # characters that a copy has at least, except of a whole question
STRIDE = 8  # a seed of a source begins at every eighth character


class ExactSources:
    """The texts that a program's words may be copied from; the latest reply goes before earlier ones and the document."""

    def __init__(self, document: Document, question: str) -> None:
        self.texts: dict[str, str] = {}
        self._seeds: dict[str, tuple[str, int]] = {}
        self._question = question
        self.texts[QUESTION] = question
        self._add(DOCUMENT, document.text)

    def add_reply(self, number: int, call: ObservedCall) -> None:
        if call.reply:
            self._add(refs.reply(number), call.reply)

    def find(self, text: str) -> Iterator[Piece]:
        """The copied pieces of a text, in order."""
        at = done = 0
        asked_at = text.find(self._question) if self._question else -1
        while at < len(text):
            if at == asked_at:
                done = at + len(self._question)
                yield Piece(at, done, QUESTION, 0, len(self._question))
                at, asked_at = done, text.find(self._question, done)
                continue
            stop = asked_at if asked_at > at else len(text)
            found = self._seeds.get(text[at : at + SEED]) if at + SEED <= stop else None
            if found is None:
                at += 1
                continue
            piece = self._extended(text, at, found, done, stop)
            yield piece
            at = done = piece.end

    def _extended(self, text: str, at: int, found: tuple[str, int], done: int, stop: int) -> Piece:
        origin, begin = found
        source, end, last = self.texts[origin], at + SEED, begin + SEED
        while at > done and begin > 0 and text[at - 1] == source[begin - 1]:
            at, begin = at - 1, begin - 1
        step = 4096
        while step:  # by leaps, then by shorter ones
            while end + step <= stop and text[end : end + step] == source[last : last + step]:
                end, last = end + step, last + step
            step //= 2
        return Piece(at, end, origin, begin, last)

    def _add(self, origin: str, text: str) -> None:
        self.texts[origin] = text
        for start in range(0, len(text) - SEED + 1, STRIDE):
            self._seeds[text[start : start + SEED]] = (origin, start)
