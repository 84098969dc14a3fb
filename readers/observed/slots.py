"""What the slots of a program's prompts are filled from.

A slot is known by the program's own words before it. Where the document and a reply, or several replies, have the same wording,
what the slot held elsewhere says which is meant; so it is counted wherever there is no doubt. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from readers.observed.normal import Normal

WIDTH = 24  # characters before a stretch
NEWEST, OLDER, SEEN = "newest", "older", "seen"
_DIGITS = re.compile(r"[0-9]+")


class Slot(NamedTuple):
    """A slot by the program's own words before it, and by the kind of call and the sign before it."""

    words: str
    shape: str


def numberless(own: str, width: int = WIDTH) -> str:
    """The end of a program's words; which number an item has does not matter."""
    return _DIGITS.sub("#", own[-width:])


def slot_after(kind: str, message: Normal, own: tuple[int, int], held: Slot) -> Slot:
    """The slot after the program's own words in a call of a kind. With next to no words, it is still the one `held` before."""
    low, start = own
    words = message.text[low:start].strip()
    before = words[-1:] or "."
    shape = f"{kind} {'w' if before.isalnum() else before}{'/' if len(message.lines(start - 1, start)) > 1 else ''}"
    return Slot(numberless(words) if len(words) > 3 else held.words, shape)


@dataclass
class Slots:
    """How often each kind of source filled each slot."""

    _filled: dict[str, Counter[str]] = field(default_factory=dict)

    def count(self, slot: str, what: str) -> None:
        self._filled.setdefault(slot, Counter())[what] += 1

    def held(self, slot: str, what: str) -> int:
        return self._filled.get(slot, _NOTHING)[what]


_NOTHING: Counter[str] = Counter()
