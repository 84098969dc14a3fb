"""Work that takes time or money: its price before it starts, and how far it is after. Pure; the same for readings, batches,
experiments and ratings, and for pages and commands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple, Self


class Range(NamedTuple):
    """From low to high; both are equal if the number is known."""

    low: float
    high: float

    def plus(self, other: Range) -> Range:
        return Range(self.low + other.low, self.high + other.high)

    def times(self, by: float, *, spread: tuple[float, float] = (1.0, 1.0)) -> Range:
        return Range(self.low * by * spread[0], self.high * by * spread[1])


NOTHING = Range(0, 0)


@dataclass(frozen=True)
class Price:
    """What work takes: model calls without those `reused` from the record, tokens, US dollars and seconds (None: unknown), for
    `of` parts such as readings or sentences.

    `whole`: all of it was tried, otherwise some is extrapolated. `open_end`: it takes more than this. `note` says how the calls
    come about, `problems` are sentences on what will make it fail.
    """

    calls: Range
    tokens_in: Range
    tokens_out: Range = NOTHING
    cost: Range | None = NOTHING
    seconds: Range | None = None
    of: int = 1
    reused: int = 0
    whole: bool = True
    open_end: bool = False
    note: str = ""
    problems: tuple[str, ...] = ()

    @property
    def asks_nothing(self) -> bool:
        """Whether the record has every reply, so that no model is needed."""
        return self.whole and not self.calls.high

    def times(self, n: int) -> Self:
        """The price of `n` times this work."""
        return replace(
            self, calls=self.calls.times(n), tokens_in=self.tokens_in.times(n), tokens_out=self.tokens_out.times(n),
            cost=self.cost and self.cost.times(n), of=self.of * n,
        )  # fmt: skip
