"""The wordings that a prompt may be made of, and where in them a stretch of a prompt stands.

Each text is indexed by the runs of characters at its words; a prompt's run is looked up, and what stands around it compared. Time
grows with the texts, whatever they repeat. Pure; which of several places is meant is decided in `sources.py`.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import NamedTuple

from readers.observed.normal import Normal, normal

RUN = 16  # characters that are looked up
MOST_PLACES = 48  # that are compared of one run: the nearest of the document, and the newest
_BITS = 40


@dataclass(frozen=True)
class Wording:
    """A text that prompts may hold: its origin as a ref, its kind, and the call that it is the reply to (-1: none)."""

    origin: str
    kind: str
    seq: int
    text: Normal
    shift: int = 0
    """Where the text begins in what the origin names."""

    @property
    def is_reply(self) -> bool:
        return self.seq >= 0


class SameWords(NamedTuple):
    """So many characters of a prompt, from `start`, are those of a wording from `begin`."""

    length: int
    start: int
    wording: int
    begin: int

    @property
    def end(self) -> int:
        return self.start + self.length

    @property
    def stop(self) -> int:
        return self.begin + self.length


@dataclass
class Wordings:
    """All wordings known so far, in the order in which they came to be."""

    known: list[Wording] = field(default_factory=list)
    _runs: dict[int, list[int]] = field(default_factory=dict)

    def add(self, origin: str, kind: str, text: str, *, seq: int = -1, shift: int = 0) -> Wording:
        """Make a text known."""
        number = len(self.known)
        wording = Wording(origin, kind, seq, normal(text), shift)
        self.known.append(wording)
        words, first = wording.text.text, number << _BITS
        for at in wording.text.words:
            self._runs.setdefault(hash(words[at : at + RUN]), []).append(first + at)
        return wording

    def matches(self, text: str, at: int, low: int, cursor: int) -> list[SameWords]:
        """What the wordings have in common with a text around this word, from `low` on; the longest first. `cursor`: the place in
        the first wording that is likeliest, if very many are alike."""
        found: dict[tuple[int, int], SameWords] = {}
        for place in self._places(hash(text[at : at + RUN]), cursor):
            number, begin = place >> _BITS, place & ((1 << _BITS) - 1)
            other = self.known[number].text.text
            after = alike_after(text, at, other, begin)
            if after >= min(RUN, len(text) - at):
                before = alike_before(text, at, other, begin, most=at - low)
                before -= before > 0 and text[at - before] == " "  # blanks at the ends say nothing
                after -= text[at + after - 1] == " "
                match = SameWords(before + after, at - before, number, begin - before)
                found[number, match.begin] = match
        return sorted(found.values(), key=lambda one: (-one.length, one.wording, one.begin))

    def _places(self, run: int, cursor: int) -> list[int]:
        places = self._runs.get(run, [])
        if len(places) <= MOST_PLACES:
            return places
        near, half = bisect_left(places, cursor), MOST_PLACES // 2
        nearest = places[max(0, near - half // 2) : near + half]
        return [*nearest, *(one for one in places[-half:] if not nearest or one > nearest[-1])]


def alike_after(a: str, i: int, b: str, j: int, *, most: int = 1 << _BITS) -> int:
    """How many characters from `i` of one text and from `j` of another are the same, `most` at most."""
    most = min(most, len(a) - i, len(b) - j)
    length, step, growing = 0, 32, True
    while length < most and step:
        end = min(length + step, most)
        same = a[i + length : i + end] == b[j + length : j + end]
        length = end if same else length
        growing = growing and same
        step = step * 2 if growing else step // 2
    return length


def alike_before(a: str, i: int, b: str, j: int, *, most: int = 1 << _BITS) -> int:
    """How many characters before `i` of one text and before `j` of another are the same, `most` at most."""
    most = min(most, i, j)
    length, step, growing = 0, 32, True
    while length < most and step:
        end = min(length + step, most)
        same = a[i - end : i - length] == b[j - end : j - length]
        length = end if same else length
        growing = growing and same
        step = step * 2 if growing else step // 2
    return length
