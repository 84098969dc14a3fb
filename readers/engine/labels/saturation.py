"""Saturation: whether new readings still bring new codes. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from readers.engine.labels.label import CODES, Label, Turn
from readers.engine.text.phrases import counted

LAST = 20  # readings that the counter looks back on


class Saturation(NamedTuple):
    """Of the last `of` readings, `new` brought a code (or group) that no earlier one had (`which`). `codes` counts all so far."""

    new: int
    of: int
    codes: int
    which: tuple[str, ...]

    def sentence(self, thing: str = "code") -> str:
        if not self.of:
            return "No reading has been finished yet."
        if self.of == 1:
            return f"The one reading so far brought {counted(len(self.which), f'new {thing}')}; there are {self.codes} in all."
        return f"{self.new} of the last {self.of} readings brought a new {thing}; there are {self.codes} in all."


def codes_by_reading(labels: Iterable[Label], turns: Iterable[Turn]) -> list[tuple[str, ...]]:
    """The codes of each reading, for the saturation counter.

    A reading counts once an annotator has finished it in stage 3; readings are in the order in which that first happened. Its
    codes are those that annotators who finished it gave to steps and spans, each once, in the order in which they were given. So
    a code does not count while its annotator is still at work, or after it was removed. Decisions and agreement do not matter: a
    new code is new no matter who gave it.
    """
    closed: dict[str, str] = {}
    done: set[tuple[str, str]] = set()
    for turn in turns:
        if turn.stage == CODES and turn.standing == "done":
            done.add((turn.run, turn.annotator))
            closed[turn.run] = min(closed.get(turn.run, turn.closed), turn.closed)
    given: dict[str, dict[str, None]] = {run: {} for run in sorted(closed, key=lambda run: (closed[run], run))}
    for label in sorted(labels, key=lambda label: (label.at, label.id)):
        if (label.run, label.annotator) in done and label.code is not None and not label.removed:
            given[label.run][label.code] = None
    return [tuple(codes) for codes in given.values()]


def saturation(readings: Iterable[Collection[str]], *, last: int = LAST) -> Saturation:
    """How many of the last readings brought something new. `readings` holds the codes of each reading (or the groups of an
    annotator's notes), in the order in which they were labelled."""
    seen: dict[str, None] = {}
    news: list[tuple[str, ...]] = []
    for given in readings:
        fresh = tuple(code for code in dict.fromkeys(given) if code not in seen)
        seen.update(dict.fromkeys(fresh))
        news.append(fresh)
    recent = news[-last:]
    return Saturation(sum(map(bool, recent)), len(recent), len(seen), tuple(code for fresh in recent for code in fresh))


def curve(readings: Iterable[Collection[str]]) -> list[int]:
    """How many different codes (or groups) there are after each reading; where it stays level, nothing new came."""
    seen: set[str] = set()
    found = []
    for given in readings:
        seen.update(given)
        found.append(len(seen))
    return found
