"""The stretches of one message that have the wording of a source, from left to right.

At each word the longest match is taken; among equal ones, what the slot was filled from elsewhere, a whole reply before a part of
a longer one, and what continues the last stretch. Pure; `wordings.py` finds matches, `continuation.py` follows a stretch over
what a program put in.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from readers.engine.text.document import DOCUMENT, QUESTION
from readers.observed.continuation import continued
from readers.observed.lines import Lines
from readers.observed.located import Located, gaps
from readers.observed.normal import Normal
from readers.observed.slots import NEWEST, OLDER, SEEN, Slot, Slots, slot_after
from readers.observed.wordings import RUN, SameWords, Wording, Wordings

SHORTEST, FEWEST_WORDS = 24, 4  # of a stretch that is found by itself
CERTAIN = 40  # characters of a wording that is in one place only, from which on chance is ruled out
NEARLY = 0.9  # of the longest match
SAMPLED = 32  # words of a match, at least, by which it is told from the program's own
RECURS = 2  # times that a slot is seen, from which on it is one of the program's form
LATER = 3  # words that are looked at ahead
WHOLE = 60  # characters of a reply that is taken whole, though a longer match begins with it
AHEAD = 400  # characters that a program may leave out and still be reading on


@dataclass
class Finder:
    """Finds in one message after the other, and remembers what helps with the next."""

    wordings: Wordings
    slots: Slots
    lines: Lines
    learns: bool = True
    newest: dict[str, int] = field(default_factory=dict)  # the call of the newest reply of each kind
    cursor: int = 0  # where in the document the last stretch of it ended
    _own: dict[int, int] = field(default_factory=dict)  # when each run of own words was first seen

    def find(self, seq: int, kind: str, message: Normal, *, own: bool = True) -> list[Located]:
        """The stretches of a message of call `seq`, in order. `own`: its other words are the program's."""
        found: list[Located] = []
        low, held, last = 0, Slot("", ""), None
        for number, at in enumerate(message.words):
            if at < low or not (matches := self._matches(message, number, low)):
                continue
            leads = {one.start: slot_after(kind, message, (low, one.start), held) for one in matches}
            match = self._chosen(matches, leads, last)
            held = leads[match.start]
            alike = tuple(one for one in matches if one is not match and _shared(one, match) >= NEARLY * match.length)
            if self.learns:
                self._learn(held, match, alike)
            goes_on = continued(message.text, match, self._wording(match).text.text, low)
            length = sum(end - start for start, end, _ in goes_on)
            certain = not alike and (length >= CERTAIN or self._kind(match) == QUESTION)
            for start, end, begin in goes_on:
                others = alike if start <= match.start < end else ()
                found.append(Located(start, end, match.wording, begin, certain, others))
            low = found[-1].end
            last = SameWords(0, low, match.wording, found[-1].begin + low - found[-1].start)
            if match.wording == 0:
                self.cursor = last.begin
        found = sorted([*found, *self.lines.find(seq, kind, message, found)])
        if own:
            self._note_own(seq, message, found)
        return found

    def _matches(self, message: Normal, number: int, low: int) -> list[SameWords]:
        """What may be meant at a word, and what begins a little later and goes on as far: a reply that repeats a prompt begins
        with words of the program before those of the document."""
        at = message.words[number]
        matches = [one for one in self.wordings.matches(message.text, at, low, self.cursor) if self._enough(message, one)]
        if not matches:
            return []
        first, end = matches[0].start, matches[0].end
        known = {(one.wording, one.begin - one.start) for one in matches}
        for later in message.words[number + 1 : number + 1 + LATER]:
            for one in self.wordings.matches(message.text, later, low, self.cursor) if later - first <= SHORTEST else ():
                if one.end >= end - 2 and (one.wording, one.begin - one.start) not in known and self._enough(message, one):
                    known.add((one.wording, one.begin - one.start))
                    matches.append(one)
        return sorted(matches, key=lambda one: (-one.length, one.wording, one.begin))

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
        first, last = bisect_left(message.words, match.start), bisect_left(message.words, match.end - RUN + 1)
        words = message.words[first : max(last, first + 1)]
        words = words[:: 1 + len(words) // SAMPLED]
        runs = [hash(message.text[at : min(at + RUN, match.end)]) for at in words]
        return sum(self._own.get(run, seq + 1) <= seq for run in runs) > 0.8 * len(runs)

    def _note_own(self, seq: int, message: Normal, found: Sequence[Located]) -> None:
        for low, end in gaps(message, found):
            for at in message.words[bisect_left(message.words, low) : bisect_left(message.words, end)]:
                self._own.setdefault(hash(message.text[at : min(at + RUN, end)]), seq)

    def _wording(self, match: SameWords) -> Wording:
        return self.wordings.known[match.wording]

    def _kind(self, match: SameWords) -> str:
        return self._wording(match).kind

    def _whole(self, match: SameWords, of: int = 0) -> bool:
        """Whether a match is all of a reply, and not much less than another match `of` so many characters."""
        wording = self._wording(match)
        enough = match.length >= WHOLE or match.length > of / 2
        return enough and wording.is_reply and match.length >= 0.95 * len(wording.text.text.strip())

    def _chosen(self, matches: Sequence[SameWords], leads: Mapping[int, Slot], last: SameWords | None) -> SameWords:
        """The match that is meant; `leads` are the slots by where a match begins. What a slot held elsewhere decides between
        kinds of source; for a slot of this one place, such as below a name, what calls of this kind held after such a sign."""
        longest = matches[0].length
        near = [one for one in matches if one.length >= NEARLY * longest or self._whole(one, of=longest)]
        kinds = {self._kind(one) for one in near}
        habits = [self.slots.held(leads[one.start].words, self._kind(one)) for one in near]
        if not any(habits) and self.slots.held(leads[near[0].start].words, SEEN) < RECURS:
            habits = [self.slots.held(leads[one.start].shape, self._kind(one)) for one in near]
        if len(kinds) > 1 and any(habits):
            near = [one for one, habit in zip(near, habits, strict=True) if habit == max(habits)]
        else:
            near = [one for one in near if one.length >= longest - 2 or self._whole(one, of=longest)]
            near = [one for one in near if self._kind(one) != DOCUMENT] or near
        near = [one for one in near if self._whole(one)] or near
        top = max(one.length for one in near)
        return max((one for one in near if one.length >= top - 2), key=lambda one: self._rank(one, leads[one.start].words, last))

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

    def _learn(self, held: Slot, match: SameWords, alike: Sequence[SameWords]) -> None:
        """Count what filled a slot, where there is no doubt."""
        kind = self._kind(match)
        self.slots.count(held.words, SEEN)
        if any(self._kind(one) != kind for one in alike):
            return
        self.slots.count(held.words, kind)
        self.slots.count(held.shape, kind)
        if not alike and kind in self.newest:
            self.slots.count(held.words, NEWEST if self._wording(match).seq == self.newest[kind] else OLDER)


def _shared(one: SameWords, other: SameWords) -> int:
    """How many characters of a message two matches have in common."""
    return min(one.end, other.end) - max(one.start, other.start)
