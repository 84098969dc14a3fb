"""What was found in a message: stretches of it, each with the place where its wording stands. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from readers.observed.normal import Normal
from readers.observed.wordings import SameWords


class Located(NamedTuple):
    """A stretch of a normal message, where its wording stands, and the other places where it stands."""

    start: int
    end: int
    wording: int
    begin: int
    certain: bool
    others: tuple[SameWords, ...] = ()

    @property
    def stop(self) -> int:
        return self.begin + self.end - self.start


def gaps(message: Normal, found: Sequence[Located]) -> list[tuple[int, int]]:
    """What is between the stretches of a message."""
    ends = [0, *(one.end for one in found)]
    starts = [*(one.start for one in found), len(message.text)]
    return [gap for gap in zip(ends, starts, strict=True) if gap[0] < gap[1]]
