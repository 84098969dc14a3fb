"""Short texts that stand on a line of their own, such as the names in a list: too short to be found by themselves.

A line is one that the document has in a passage that the same message shows, or a line or value of a reply. Which place is meant
can only be guessed. Lines that calls of a kind always have are the program's own. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from readers.observed.located import Located, gaps
from readers.observed.normal import Normal
from readers.observed.slots import Slots
from readers.observed.wordings import SameWords, Wordings

SHORTEST, LONGEST = 3, 80  # characters
MOST_PLACES = 8  # of a line in replies
MOST_LOOKED_AT = 200  # places of a line's first word in the passages that are shown
FEWEST_CALLS, ALWAYS = 3, 0.8  # of a kind, and how many of them a line of their form is in
_AROUND = " \"'*-•,;:.[]()"
_MARKS = frozenset("<>{}#=|")  # signs of a form, not of a name
_VALUE = re.compile(r'"([^"\n]{1,80})"')
_WORD = re.compile(r"\w+")


@dataclass
class Lines:
    """Finds lines in what was not found otherwise."""

    wordings: Wordings
    slots: Slots
    learns: bool
    _replies: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    _own: dict[str, int] = field(default_factory=dict)  # when each line without a source was first seen

    def add(self, number: int) -> None:
        """Make the lines and values of a reply known."""
        text = self.wordings.known[number].text
        values = (found.span(1) for found in _VALUE.finditer(text.text))
        for start, end in dict.fromkeys([*_alone(text, text.lines(0, len(text.text))), *values]):
            if SHORTEST <= end - start <= LONGEST:
                self._replies.setdefault(text.text[start:end], []).append((number, start))

    def find(self, seq: int, kind: str, message: Normal, found: Sequence[Located]) -> Iterator[Located]:
        """The lines in a message of call `seq` that were not found otherwise."""
        lines = [line for gap in gaps(message, found) for line in self._in(message, *gap)]
        shown = sorted((one.begin, one.stop) for one in found if one.wording == 0)
        if self.learns:
            self.slots.count(kind, _CALLS)
            for line in dict.fromkeys(message.text[start:end] for start, end in lines):
                self.slots.count(kind, _LINE + line)
        places = _places(self.wordings.known[0].text, shown) if lines else {}
        for start, end in lines:
            line = message.text[start:end]
            known = [(0, place) for place in self._shown(line, places)]
            if self.learns:
                self.slots.count(line, _SHOWN if known else _OWN)
            if self._is_own(kind, line):
                continue
            replies = self._replies.get(line, [])[-MOST_PLACES:]
            known += [one for one in reversed(replies) if self.wordings.known[one[0]].seq < self._own.get(line, _NEVER)]
            if not known:
                self._own.setdefault(line, seq)
            if known:
                (wording, begin), *others = known
                alike = tuple(SameWords(end - start, start, *other) for other in others)
                yield Located(start, end, wording, begin, False, alike)

    def _is_own(self, kind: str, line: str) -> bool:
        """Whether a line is one of the program's form: seen more often without a passage that has it, or in nearly all calls of
        a kind."""
        calls = self.slots.held(kind, _CALLS)
        always = calls >= FEWEST_CALLS and self.slots.held(kind, _LINE + line) >= ALWAYS * calls
        return always or self.slots.held(line, _OWN) > self.slots.held(line, _SHOWN)

    def _in(self, message: Normal, start: int, end: int) -> Iterator[tuple[int, int]]:
        """What stands alone on a line in a gap; a line that begins or ends with what was found does not stand alone."""
        lines = message.lines(start, end)
        for first, last in _alone(message, lines[start > 0 : len(lines) - (end < len(message.text))]):
            if SHORTEST <= last - first <= LONGEST:
                yield first, last

    def _shown(self, line: str, places: dict[str, list[int]]) -> list[int]:
        """Where a line stands in the passages that are shown, in order."""
        document = self.wordings.known[0].text.text
        first = _WORD.match(line)
        return [
            at
            for at in places.get(first[0] if first else "", [])[:MOST_LOOKED_AT]
            if document.startswith(line, at) and not document[at + len(line) : at + len(line) + 1].isalnum()
        ]


_CALLS, _LINE, _OWN, _SHOWN = "calls", "line: ", "own", "shown"
_NEVER = 1 << 40


def _places(document: Normal, shown: Sequence[tuple[int, int]]) -> dict[str, list[int]]:
    """Where each word stands in the passages that are shown."""
    places: dict[str, list[int]] = {}
    for begin, stop in shown:
        for found in _WORD.finditer(document.text, begin, stop):
            places.setdefault(found[0], []).append(found.start())
    return places


def _alone(text: Normal, lines: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What stands on each line, without the signs around it."""
    for first, last in lines:
        line = text.text[first:last]
        if (inner := line.strip(_AROUND)) and _MARKS.isdisjoint(inner):
            begins = first + len(line) - len(line.lstrip(_AROUND))
            yield begins, begins + len(inner)
