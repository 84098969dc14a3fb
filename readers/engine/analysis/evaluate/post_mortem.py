"""Post-mortem of the readings of a batch: did a reader find the evidence, did the model use it, and what did that take? Counted
from the record, without a model, for every reading whose evidence is known.

*Found* means that all evidence stood in one call that looked for the answer (`facts/sufficiency.py`); *used*, that the answer is
right by rule. So a low share of found readings says that the method fails to find, and few right answers among them that the
model fails to use. What the rules cannot tell is counted apart, and never as found or not found. Prices are those of calls as if
none had been reused (`record/costs.py`). Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from statistics import fmean, quantiles
from typing import NamedTuple

from readers.engine.analysis.evaluate import report
from readers.engine.analysis.evaluate.evaluated import Evaluated
from readers.engine.analysis.evaluate.scores import Comparison, compare_all, scores_of, with_figures
from readers.engine.analysis.facts.evidence import EvidenceFate
from readers.engine.analysis.facts.sufficiency import Spent, Sufficiency
from readers.engine.analysis.measures import figures
from readers.engine.record.costs import Costs, CostUnit, Tally, cheapest, unit_for
from readers.engine.report.values import NOTHING, Cell, Column, Figure, Row, Table, Unit, columns, percents
from readers.engine.text.phrases import counted, listed

SUFFICIENT, RIGHT_WITH, RIGHT_WITHOUT = FOUND = ("evidence_sufficient", "right_if_sufficient", "right_if_not")
ABOUT = (
    "Found: all of the evidence stood in one call that looked for the answer, word for word or in a text that still states it. "
    "Used: the answer is right by rule; a right answer need not rest on the evidence, and only a fork can show that it does."
)
ABOUT_PRICE = (
    "What the calls took up to and including the first that had all of the evidence: the median, and below it the "
    "quartiles, of the readings that had one. Reused replies count at their full price, and calls made at once add up."
)
ABOUT_BREAK_EVEN = (
    "What several questions on one text would take, from what these readings took: building once, and asking for each question. "
    "Means over the readings, so it holds for texts and questions like these."
)


class Group(NamedTuple):
    """A kind of reading in a post-mortem: its name, what it means, and its colour in the palette."""

    name: str
    meaning: str
    colour: str


GROUPS: Mapping[str, Group] = {
    "used": Group("Found and used", "one call had all of the evidence, and the answer is right", "evidence"),
    "unused": Group("Found, not used", "one call had all of the evidence, and the answer is wrong", "lost"),
    "lucky": Group("Lucky", "right, although no call had all of the evidence", "warn"),
    "never": Group("Never found", "wrong, and no call had all of the evidence", "not-covered"),
    "open": Group("Cannot be told", "the words do not settle what a call had, or no rule can grade the answer", "soft"),
}


class Examined(NamedTuple):
    """A reading whose evidence was followed, and how that stood in its calls. `row` has the figures of `FOUND` that apply."""

    row: Evaluated
    fate: EvidenceFate
    stood: Sufficiency

    @property
    def group(self) -> str:
        """Its kind, of `GROUPS`."""
        found = self.row.value(SUFFICIENT)
        if found is None or self.fate.right is None:
            return "open"
        return ("used" if self.fate.right else "unused") if found else ("lucky" if self.fate.right else "never")

    @property
    def until(self) -> Spent | None:
        """What the calls took until one certainly had all of the evidence; None where none had."""
        return self.stood.until if self.row.value(SUFFICIENT) else None

    @property
    def tokens(self) -> int | None:
        """The tokens of all its calls."""
        parts = [part.tokens for part in (self.stood.building, self.stood.asking)]
        return None if None in parts else sum(filter(None, parts))


def examine(readings: Iterable[Evaluated], fates: Mapping[str, EvidenceFate | None]) -> list[Examined]:
    """The readings whose evidence was followed; `fates` are by run."""
    found = ((one, fates.get(one.run)) for one in readings)
    return [Examined(_scored(one, fate), fate, fate.sufficiency) for one, fate in found if fate and fate.sufficiency]


def _scored(one: Evaluated, fate: EvidenceFate) -> Evaluated:
    return with_figures(replace(one, scores={}), {name: value for name, value in figures({}, fate).items() if name in FOUND})


def by_reader(examined: Iterable[Examined]) -> dict[str, list[Examined]]:
    """The readings by what the table calls their reader."""
    found: dict[str, list[Examined]] = {}
    for one in examined:
        found.setdefault(one.row.reader, []).append(one)
    return found


# Finding and using


def found_and_used(examined: Sequence[Examined]) -> Table:
    """Readers by the three figures with their intervals, and by how many of their readings are of each group."""
    scored = scores_of(one.row for one in examined)
    rows = []
    for reader, some in by_reader(examined).items():
        cells = [report.own_figure(scored.cell(reader, name), *_with_open(some, name)) for name in FOUND]
        counts = [tuple(one.row.run for one in some if one.group == group) for group in GROUPS]
        rows.append(Row(reader, [*cells, *(Cell(Figure(len(runs), unit="count"), runs=runs) for runs in counts)]))
    heads = [*(Column(report.title(name)) for name in FOUND), *columns(*(one.name for one in GROUPS.values()))]
    return Table("Found and used", heads, rows, [ABOUT, *scored.notes])


def _with_open(some: Sequence[Examined], name: str) -> list[str]:
    """What the share of found readings would be with those that cannot be told, counted as not found and as found."""
    values = [one.row.value(name) for one in some]
    unknown, found = values.count(None), sum(map(bool, values))
    if name != SUFFICIENT or not unknown:
        return []
    return [f"{percents(found / len(some), (found + unknown) / len(some))} with the {unknown:,} that cannot be told"]


def compared(examined: Sequence[Examined]) -> list[Comparison]:
    """Every pair of readers by each of the three figures, on the questions where both have it."""
    return [one for name in FOUND for one in compare_all((each.row for each in examined), name)]


def sentences(pairs: Sequence[Comparison]) -> list[str]:
    """Which reader finds more, or uses more, beyond chance; what is left open is not said."""
    said = {SUFFICIENT: "finds all evidence more often than", RIGHT_WITH: "is right more often, once it is found, than"}
    found = []
    for one in pairs:
        if one.ahead != "open" and one.score in said:
            more, less = (one.first, one.second) if one.ahead == "first" else (one.second, one.first)
            found.append(f"{more} {said[one.score]} {less}.")
    return found


# The price


AMOUNTS: Mapping[str, tuple[str, Unit, Callable[[Spent], float | None]]] = {
    "calls": ("Calls", "count", lambda spent: spent.calls),
    "tokens": ("Tokens", "tokens", lambda spent: spent.tokens),
    "usd": ("Cost ($)", "usd", lambda spent: spent.usd),
    "seconds": ("Time", "duration", lambda spent: spent.seconds),
}


def price(examined: Sequence[Examined]) -> Table:
    """What readers took until the evidence was found, and which share of all tokens came after that."""
    rows = []
    for reader, some in by_reader(examined).items():
        reached = [(one.until, one.tokens) for one in some if one.until]
        cells = [_median([amount(until) for until, _ in reached], unit) for _, unit, amount in AMOUNTS.values()]
        after = [1 - until.tokens / all_of_them if until.tokens and all_of_them else None for until, all_of_them in reached]
        rows.append(Row(reader, [*cells, _median(after, "share")], f"{len(reached):,} of {counted(len(some), 'reading')}"))
    heads = columns(*(name for name, *_ in AMOUNTS.values()), "Of all tokens, after that (%)")
    return Table("The price of finding", heads, rows, [ABOUT_PRICE])


def _median(amounts: Sequence[float | None], unit: Unit) -> Cell:
    """The median and the quartiles of what is known."""
    known = sorted(one for one in amounts if one is not None)
    if not known:
        return Cell()
    low, middle, high = quantiles(known, n=4, method="inclusive") if len(known) > 1 else known * 3
    ends = f"{Figure(low, unit=unit)} to {Figure(high, unit=unit)}"
    unknown = len(amounts) - len(known)
    notes = [ends, *([f"unknown of {unknown:,}"] if unknown else [])]
    return Cell(Figure(middle, unit=unit), notes, data={"median": middle, "first quartile": low, "third quartile": high})


def mean_costs(examined: Sequence[Examined]) -> dict[str, Costs]:
    """By reader: what building and asking took in the mean, as the cost of one reading."""
    return {
        reader: Costs(_mean([one.stood.building for one in some]), _mean([one.stood.asking for one in some]))
        for reader, some in by_reader(examined).items()
    }


def _mean(every: Sequence[Spent]) -> Tally:
    """The mean of these, whole calls and tokens; all tokens count as sent."""
    tokens, dollars = [one.tokens for one in every if one.tokens is not None], [one.usd for one in every if one.usd is not None]
    return Tally(
        round(fmean(one.calls for one in every)),
        round(fmean(tokens)) if len(tokens) == len(every) else None, 0,
        Fraction(str(fmean(dollars))) if len(dollars) == len(every) else None,
    )  # fmt: skip


def break_even(examined: Sequence[Examined]) -> Table | None:
    """What building and each question take by reader, and from how many questions on which reader is the cheapest; None where
    nothing is known of that."""
    by = mean_costs(examined)
    unit = unit_for([*by.values()])
    if unit is None:
        return None
    written: Unit = "usd" if unit == "dollars" else "tokens"
    stages = cheapest([*by.values()])
    names = [*by]
    rows = []
    for number, (reader, costs) in enumerate(by.items()):
        amounts = (costs.building.amount(unit), costs.asking.amount(unit))
        first = [stage.questions for stage in stages if number in stage.best]
        cells = [Cell(Figure(float(one), unit=written)) for one in amounts if one is not None]
        rows.append(Row(reader, [*cells, Cell(f"from {counted(first[0], 'question')} on" if first else NOTHING)]))
    heads = columns(f"Building ({_units(unit)})", f"Each question ({_units(unit)})", "Cheapest")
    best = [f"{listed(names[n] for n in stage.best)} from {stage.questions:,}" for stage in stages]
    said = f"By the number of questions on one text, the cheapest is {', then '.join(best)}."
    return Table("Building once, asking often", heads, rows, [said, ABOUT_BREAK_EVEN])


def _units(unit: CostUnit) -> str:
    return "$" if unit == "dollars" else "tokens"
