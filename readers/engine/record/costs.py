"""The cost of a run, split into building and asking, and the number of questions from which one way of reading is cheaper. Pure.

*Building* is every call with a shared prompt: made once for each text, its replies also serve other questions. *Asking* is all
the rest, made for each question. A reply reused from another run counts at its full price, so the order in which runs were made
does not matter. Sums are exact. Not here: what a run actually cost (`analysis/measures.py`), and estimates (`run/estimate.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor, isfinite
from typing import Literal, NamedTuple

from readers.engine.record.journal import Record

CostUnit = Literal["dollars", "tokens"]


class Tally(NamedTuple):
    """The number of calls that a model answered, and their tokens and dollars including paid comparisons; None where one is
    unknown."""

    calls: int
    tokens_in: int | None
    tokens_out: int | None
    dollars: Fraction | None

    def amount(self, unit: CostUnit) -> Fraction | None:
        """Dollars, or tokens sent and received together."""
        if unit == "dollars":
            return self.dollars
        return None if self.tokens_in is None or self.tokens_out is None else Fraction(self.tokens_in + self.tokens_out)


class Costs(NamedTuple):
    """The cost of a run as if none of its replies had been reused."""

    building: Tally
    asking: Tally

    def total(self, questions: int, unit: CostUnit) -> Fraction | None:
        """The cost of this many questions to the same text, if each takes as much asking as this one."""
        building, asking = self.building.amount(unit), self.asking.amount(unit)
        return None if building is None or asking is None else building + questions * asking


class CostComparison(NamedTuple):
    """Which of two runs is cheaper (-1 the first, 1 the second, 0 neither): `first` for one question, `last` from `break_even`
    questions on. `break_even` is None if the result is the same for any number."""

    unit: CostUnit
    first: int
    last: int
    break_even: int | None


class CheapestFrom(NamedTuple):
    """From this many questions on, these runs (by index) are the cheapest; more than one if they cost the same for any number."""

    unit: CostUnit
    questions: int
    best: tuple[int, ...]


def costs(records: Iterable[Record]) -> Costs:
    """The two parts of a run's cost. Calls without a reply cost nothing, and neither do replies that a person wrote instead of
    the model."""
    answered = [record for record in records if record.reply is not None and record.origin != "edited"]
    return Costs(_tally([r for r in answered if r.shared]), _tally([r for r in answered if not r.shared]))


def _tally(records: Sequence[Record]) -> Tally:
    sent, received = [r.tokens_in for r in records], [r.tokens_out for r in records]
    paid = [r.cost_usd if r.cost_usd is not None and isfinite(r.cost_usd) else None for r in records]
    return Tally(
        sum(record.task != "score" for record in records),
        None if None in sent else sum(n or 0 for n in sent),
        None if None in received else sum(n or 0 for n in received),
        None if None in paid else sum((Fraction(str(usd or 0)) for usd in paid), Fraction(0)),
    )


def unit_for(both: Sequence[Costs]) -> CostUnit | None:
    """Dollars if every price is known and something is paid, else tokens; None if not even those are known."""
    for unit in ("dollars", "tokens"):
        amounts = [run.total(1, unit) for run in both]
        if None not in amounts and any(amounts):
            return unit
    return None


def compare_costs(first_run: Costs, second_run: Costs) -> CostComparison | None:
    """Which run is cheaper, and from which number of questions; None if neither prices nor tokens are known, or there are
    none."""
    unit = unit_for([first_run, second_run])
    if unit is None:
        return None
    at_one, at_two = (_gap(first_run, second_run, n, unit) for n in (1, 2))
    slope = at_two - at_one
    first, last = _sign(at_one), _sign(slope) or _sign(at_one)
    if first == last:
        return CostComparison(unit, first, last, None)
    # The gap at n questions is the gap at one plus n - 1 slopes; the first whole n beyond zero.
    return CostComparison(unit, first, last, 1 + floor(-at_one / slope) + 1)


def cheapest(runs: Sequence[Costs]) -> list[CheapestFrom]:
    """Which of several runs is cheapest by the number of questions, from 1; empty if neither prices nor tokens are known, or
    there are none."""
    unit = unit_for(runs)
    if unit is None:
        return []
    lines = [_line(run, unit) for run in runs]
    stages: list[CheapestFrom] = []
    questions: int | None = 1
    while questions:
        at = {n: base + questions * each for n, (base, each) in enumerate(lines)}
        least = min(at.values())
        flattest = min(lines[n][1] for n in at if at[n] == least)  # of equal costs at first, the one that stays cheapest
        best = tuple(n for n in at if at[n] == least and lines[n][1] == flattest)
        stages.append(CheapestFrom(unit, questions, best))
        base, each = lines[best[0]]
        turns = [floor((other - base) / (each - slope)) + 1 for other, slope in lines if slope < each]
        questions = min(turns, default=None)
    return stages


def _line(run: Costs, unit: CostUnit) -> tuple[Fraction, Fraction]:
    """What is paid once, and for each question."""
    building, asking = run.building.amount(unit), run.asking.amount(unit)
    assert building is not None
    assert asking is not None
    return building, asking


def _gap(first_run: Costs, second_run: Costs, questions: int, unit: CostUnit) -> Fraction:
    a, b = first_run.total(questions, unit), second_run.total(questions, unit)
    assert a is not None
    assert b is not None
    return a - b


def _sign(amount: Fraction) -> int:
    return (amount > 0) - (amount < 0)
