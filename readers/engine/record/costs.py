"""What a reading costs, split into building and asking, and after how many questions one way of reading is cheaper. Pure.

*Building* are the calls whose prompts are shared: they are made once a text, and other questions use their replies. *Asking* is
all the rest, made for each question. A reply that was taken over from another reading counts as what it would cost made anew, so
the order in which readings were made does not matter. Sums are exact. Not here: what a reading has cost (`measures.py`), and
estimates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor, isfinite
from typing import Literal, NamedTuple

from readers.engine.record.journal import Record

CostUnit = Literal["dollars", "tokens"]


class Tally(NamedTuple):
    """Calls that a model answered, with the tokens and the dollars of these and of paid comparisons; None where one is not
    known."""

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
    """What one reading costs, or would if nothing of it were taken over."""

    building: Tally
    asking: Tally

    def total(self, questions: int, unit: CostUnit) -> Fraction | None:
        """The cost of so many questions to the same text, if each takes as much asking as this one did."""
        building, asking = self.building.amount(unit), self.asking.amount(unit)
        return None if building is None or asking is None else building + questions * asking


class CostComparison(NamedTuple):
    """Which of two readings is cheaper: `first` for one question (-1 the one, 1 the other, 0 neither), `last` for `turns` of them
    and more. `turns` is None where it is the same for any number."""

    unit: CostUnit
    first: int
    last: int
    break_even: int | None


class CheapestFrom(NamedTuple):
    """From so many questions on these readings, by their places among those given, are the cheapest; more than one where they
    cost the same for any number."""

    unit: CostUnit
    questions: int
    best: tuple[int, ...]


def costs(records: Iterable[Record]) -> Costs:
    """The two parts of what a reading costs. Calls that got no reply cost nothing, nor do those that a person replied to in the
    model's place."""
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
    """Dollars where every price is known and something is paid, else tokens; None where not even those are known."""
    for unit in ("dollars", "tokens"):
        amounts = [found.total(1, unit) for found in both]
        if None not in amounts and any(amounts):
            return unit
    return None


def compare_costs(one: Costs, other: Costs) -> CostComparison | None:
    """From how many questions on which is cheaper; None where neither prices nor tokens are known, or there are none."""
    unit = unit_for([one, other])
    if unit is None:
        return None
    at_one, at_two = (_gap(one, other, n, unit) for n in (1, 2))
    slope = at_two - at_one
    first, last = _sign(at_one), _sign(slope) or _sign(at_one)
    if first == last:
        return CostComparison(unit, first, last, None)
    # The gap at n questions is that at one and n - 1 slopes more; the first whole n at which it is past nothing.
    return CostComparison(unit, first, last, 1 + floor(-at_one / slope) + 1)


def cheapest(found: Sequence[Costs]) -> list[CheapestFrom]:
    """Which of several readings is the cheapest by the number of questions, from one on; nothing where neither prices nor tokens
    are known, or there are none."""
    unit = unit_for(found)
    if unit is None:
        return []
    lines = [_line(one, unit) for one in found]
    stages: list[CheapestFrom] = []
    questions: int | None = 1
    while questions:
        at = {n: base + questions * each for n, (base, each) in enumerate(lines)}
        least = min(at.values())
        flattest = min(lines[n][1] for n in at if at[n] == least)  # of those that cost the same now, who stays cheapest
        best = tuple(n for n in at if at[n] == least and lines[n][1] == flattest)
        stages.append(CheapestFrom(unit, questions, best))
        base, each = lines[best[0]]
        turns = [floor((other - base) / (each - slope)) + 1 for other, slope in lines if slope < each]
        questions = min(turns, default=None)
    return stages


def _line(one: Costs, unit: CostUnit) -> tuple[Fraction, Fraction]:
    """What is paid once, and for each question."""
    building, asking = one.building.amount(unit), one.asking.amount(unit)
    assert building is not None
    assert asking is not None
    return building, asking


def _gap(one: Costs, other: Costs, questions: int, unit: CostUnit) -> Fraction:
    a, b = one.total(questions, unit), other.total(questions, unit)
    assert a is not None
    assert b is not None
    return a - b


def _sign(amount: Fraction) -> int:
    return (amount > 0) - (amount < 0)
