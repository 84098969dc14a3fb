"""What the slots of a program's prompts are filled from.

A slot is known by the program's own words before it. Where the document and a reply, or several replies, have the same wording,
what the slot held elsewhere says which is meant; so it is counted wherever there is no doubt. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

WIDTH = 24  # characters before a stretch
NEWEST, OLDER = "newest", "older"
_DIGITS = re.compile(r"[0-9]+")


def slot(own: str, width: int = WIDTH) -> str:
    """The slot after these own words; which number an item has does not matter."""
    return _DIGITS.sub("#", own[-width:])


@dataclass
class Slots:
    """How often each kind of source filled each slot."""

    _filled: dict[str, Counter[str]] = field(default_factory=dict)

    def count(self, slot: str, what: str) -> None:
        self._filled.setdefault(slot, Counter())[what] += 1

    def held(self, slot: str, what: str) -> int:
        return self._filled.get(slot, _NOTHING)[what]


_NOTHING: Counter[str] = Counter()
