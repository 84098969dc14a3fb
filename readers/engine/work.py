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
    come about, `problems` are sentences on what will make it fail, `advice` is one on what would take much less.
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
    advice: str = ""

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


@dataclass(frozen=True)
class Work:
    """The progress of work: `done` of `of` parts such as readings or calls (None: the total is unknown), with those that are
    `going`, `failed`, `stopped` midway, `refused` a start, or `left`; the present work (`stage`), and `notes` such as the time
    left. `stopping`: it was cancelled, and ends with the replies in flight."""

    done: int = 0
    of: float | None = None
    going: int = 0
    failed: int = 0
    stopped: int = 0
    refused: int = 0
    left: int = 0
    stage: str = ""
    notes: tuple[str, ...] = ()
    stopping: bool = False

    @property
    def share(self) -> float | None:
        """The share that is done, below 1 while work continues; None if that is unknown."""
        return min(0.99, self.done / max(1, self.of)) if self.of is not None else None

    @property
    def resumable(self) -> int:
        """The parts that resuming it resumes or starts."""
        return self.failed + self.stopped + self.refused + self.left

    def counts(self, done: str) -> list[str]:
        """`4 of 8 read`, and how many parts run or have failed; `done` is the word for finished parts."""
        failed = self.failed + self.refused
        said = [f"{self.done:,} of {self.of or 0:,} {done}", f"{self.going:,} running" if self.going else ""]
        return [*filter(None, said), *([f"{failed:,} failed"] if failed else [])]
