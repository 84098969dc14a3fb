"""The stretches of one message that have the wording of a source, from left to right.

At each word the longest match is taken; among equal ones, what the slot was filled from elsewhere, a whole reply before a part of
a longer one, and what continues the last stretch. Pure; `wordings.py` finds matches, `continuation.py` follows a stretch over
what a program put in.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from readers.engine.text.document import DOCUMENT, QUESTION
from readers.observed.continuation import continued
from readers.observed.normal import Normal
from readers.observed.slots import NEWEST, OLDER, Slots, slot
from readers.observed.wordings import RUN, SameWords, Wording, Wordings

SHORTEST, FEWEST_WORDS = 24, 4  # of a stretch that is found by itself
CERTAIN = 40  # characters of a wording that is in one place only, from which on chance is ruled out
NEARLY = 0.9  # of the longest match
WHOLE = 60  # characters of a reply that is taken whole, though a longer match begins with it
AHEAD = 400  # characters that a program may leave out and still be reading on


class Located(NamedTuple):
    """A stretch of a message, where its wording stands, and the other places where it stands."""

    start: int
    end: int
    wording: int
    begin: int
    certain: bool
    others: tuple[SameWords, ...] = ()


@dataclass
class Finder:
    """Finds in one message after the other, and remembers what helps with the next."""

    wordings: Wordings
    slots: Slots
    learns: bool = True
    newest: dict[str, int] = field(default_factory=dict)  # the call of the newest reply of each kind
    cursor: int = 0  # where in the document the last stretch of it ended
    _own: dict[int, int] = field(default_factory=dict)  # when each run of own words was first seen

    def find(self, seq: int, message: Normal, *, own: bool = True) -> list[Located]:
        """The stretches of a message of call `seq`, in order. `own`: its other words are the program's."""
        found: list[Located] = []
        low, held, last = 0, "", None
        for at in message.words:
            if at < low:
                continue
            matches = self.wordings.matches(message.text, at, low, self.cursor)
            if not matches or not self._enough(message, matches[0]):
                continue
            if len(lead := message.text[low : matches[0].start].strip()) > 3:
                held = slot(lead)
            match, alike = self._chosen(matches, held, last)
            if self.learns:
                self._learn(held, match, matches)
            certain = not alike and (match.length >= CERTAIN or self._kind(match) == QUESTION)
            for start, end, begin in continued(message.text, match, self._wording(match).text.text, low):
                found.append(Located(start, end, match.wording, begin, certain, alike if start == match.start else ()))
            low = found[-1].end
            last = SameWords(0, low, match.wording, found[-1].begin + low - found[-1].start)
            if match.wording == 0:
                self.cursor = last.begin
        if own:
            self._note_own(seq, message, found)
        return found

    def _enough(self, message: Normal, match: SameWords) -> bool:
        wording = self._wording(match)
        if wording.is_reply and self._is_own(message, match, wording.seq):
            return False  # the reply repeats the program's words
        if wording.kind != DOCUMENT and match.length >= NEARLY * len(wording.text.text.strip()):
            return True
        words = bisect_left(message.words, match.end) - bisect_left(message.words, match.start)
        return (
            match.length >= SHORTEST
            and words >= FEWEST_WORDS
            and (wording.is_reply or not self._is_own(message, match, seq=1 << 40))
        )

    def _is_own(self, message: Normal, match: SameWords, seq: int) -> bool:
        """Whether nearly all of a match was seen as the program's own words before call `seq` was answered."""
        words = message.words[bisect_left(message.words, match.start) : bisect_left(message.words, match.end - RUN + 1)]
        runs = [hash(message.text[at : at + RUN]) for at in words]
        return bool(runs) and sum(self._own.get(run, seq + 1) <= seq for run in runs) > 0.8 * len(runs)

    def _note_own(self, seq: int, message: Normal, found: Sequence[Located]) -> None:
        low = 0
        for start, end in [*((one.start, one.end) for one in found), (len(message.text), 0)]:
            for at in message.words[bisect_left(message.words, low) : bisect_left(message.words, start - RUN + 1)]:
                self._own.setdefault(hash(message.text[at : at + RUN]), seq)
            low = end

    def _wording(self, match: SameWords) -> Wording:
        return self.wordings.known[match.wording]

    def _kind(self, match: SameWords) -> str:
        return self._wording(match).kind

    def _whole(self, match: SameWords) -> bool:
        wording = self._wording(match)
        return wording.is_reply and match.length >= 0.95 * len(wording.text.text.strip())

    def _chosen(self, matches: Sequence[SameWords], held: str, last: SameWords | None) -> tuple[SameWords, tuple[SameWords, ...]]:
        """The match that is meant, and the others that have all of its wording."""
        longest = matches[0].length
        near = [
            one
            for one in matches
            if one.length >= NEARLY * longest or (self._whole(one) and (one.length >= WHOLE or one.length > longest / 2))
        ]
        kinds = sorted({self._kind(one) for one in near})
        habits = {kind: self.slots.held(held, kind) for kind in kinds}
        if len(kinds) > 1 and any(habits.values()):
            most = max(habits.values())
            near = [one for one in near if habits[self._kind(one)] == most]
        else:
            near = [one for one in near if one.length >= longest - 2 or self._whole(one)]
            near = [one for one in near if self._kind(one) != DOCUMENT] or near
        near = [one for one in near if self._whole(one)] or near
        top = max(one.length for one in near)
        ties = [one for one in near if one.length >= top - 2]
        match = max(ties, key=lambda one: self._rank(one, held, last))
        alike = tuple(one for one in matches if one is not match and one.start <= match.start and one.end >= match.end)
        return match, alike

    def _rank(self, match: SameWords, held: str, last: SameWords | None) -> tuple[float, ...]:
        """Which of equal matches is meant: the greatest."""
        wording = self._wording(match)
        follows = last is not None and last.wording == match.wording and 0 <= match.begin - last.begin <= AHEAD
        if not wording.is_reply:
            ahead = match.begin - self.cursor
            return (follows, 0 <= ahead <= AHEAD, ahead >= 0, -abs(ahead))
        before = self._wording(last).seq if last is not None else -1
        next_in_list = before >= 0 and wording.seq > before
        oldest = self.slots.held(held, OLDER) > self.slots.held(held, NEWEST)
        return (follows, next_in_list, -wording.seq if next_in_list or oldest else wording.seq, -match.begin)

    def _learn(self, held: str, match: SameWords, matches: Sequence[SameWords]) -> None:
        """Count what filled a slot, where there is no doubt."""
        alike = [one for one in matches if one.length >= NEARLY * match.length]
        if len({self._kind(one) for one in alike}) > 1:
            return
        kind = self._kind(match)
        self.slots.count(held, kind)
        if len(alike) == 1 and kind in self.newest:
            self.slots.count(held, NEWEST if self._wording(match).seq == self.newest[kind] else OLDER)
