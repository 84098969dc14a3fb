"""Post-mortem of the readings of a batch: did a reader find the evidence, did it answer rightly, and what did that take?
Counted from the record, without a model, for every reading whose evidence is known.

*Found* means that all evidence stood in one call that looked for the answer (`facts/sufficiency.py`). It may be lost again before
the answer; how far it came, and whether it was *used*, is for the flow to tell (`facts/flow.py`). So a low share of found
readings says that the method fails to find, and few right answers among them that it fails to keep or to use what it found. What
the rules cannot tell is counted apart, and never as found or not found. Prices are those of calls as if none had been reused
(`record/costs.py`). Pure.
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
from readers.engine.analysis.facts.sufficiency import Spent, Standing, Sufficiency
from readers.engine.analysis.measures import figures
from readers.engine.record.costs import Costs, Tally, compare_costs, unit_for
from readers.engine.report.values import NOTHING, Cell, Column, Figure, Row, Table, Unit, columns, percents
from readers.engine.text.phrases import counted

SUFFICIENT, RIGHT_WITH, RIGHT_WITHOUT = FOUND = ("evidence_sufficient", "right_if_sufficient", "right_if_not")
ABOUT = (
    "Found: all of the evidence stood in one call that looked for the answer, word for word or in a text that still states it; "
    "it may be lost again before the answer, as the flow of the evidence shows. Right: by rule; a right answer need not rest on "
    "the evidence, and only a fork can show that it does."
)
_TOKENS = "Tokens are those of prompts and replies."
ABOUT_PRICE = (
    "What the calls took up to and including the first that had all of the evidence: the median, and below it the "
    f"quartiles, of the readings that had one. {_TOKENS} Reused replies count at their full price, and calls made at once add up."
)
ABOUT_BREAK_EVEN = (
    "What several questions on one text would take, from what these readings took: building once, and asking for each question. "
    f"Means over the readings, so it holds for texts and questions like these. {_TOKENS}"
)


# The kinds of readings in a post-mortem, by id: what each is called, and what that means.
GROUPS: Mapping[str, tuple[str, str]] = {
    "found_right": ("Found, right", "one call had all of the evidence, and the answer is right"),
    "found_wrong": ("Found, not right", "one call had all of the evidence, and the answer is not right"),
    "missed_right": ("Not found, right", "no call had all of the evidence, and the answer is right"),
    "missed_wrong": ("Not found, not right", "no call had all of the evidence, and the answer is not right"),
    "open": ("Cannot be told", "the words do not settle whether one call had all of the evidence"),
    "ungraded": ("Not graded", "no rule can tell whether the answer is right"),
}


def group_of(standing: Standing, *, right: bool | None) -> str:
    """The kind of a reading, of `GROUPS`, by how its evidence stood and whether its answer is right (None: not graded)."""
    if standing == "cannot be told":
        return "open"
    if right is None:
        return "ungraded"
    found = standing == "stated"
    return f"{'found' if found else 'missed'}_{'right' if right else 'wrong'}"


class Examined(NamedTuple):
    """A reading whose evidence was followed, and how that stood in its calls. `row` has the figures of `FOUND` that apply."""

    row: Evaluated
    fate: EvidenceFate
    stood: Sufficiency

    @property
    def group(self) -> str:
        """Its kind, of `GROUPS`."""
        return group_of(self.stood.standing, right=self.fate.right)

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


# Finding and answering


def found_and_right(examined: Sequence[Examined]) -> Table:
    """Readers by the three figures with their intervals, and by how many of their readings are of each group."""
    scored = scores_of(one.row for one in examined)
    rows = []
    for reader, some in by_reader(examined).items():
        cells = [report.own_figure(scored.cell(reader, name), *_with_open(some, name)) for name in FOUND]
        rows.append(Row(reader, [*cells, *(_count(reader, group, some) for group in GROUPS)]))
    heads = [*(Column(report.title(name)) for name in FOUND), *columns(*(name for name, _ in GROUPS.values()))]
    return Table("Found and right", heads, rows, [ABOUT, *report.no_intervals(scored)])


def _count(reader: str, group: str, some: Sequence[Examined]) -> Cell:
    runs = tuple(one.row.run for one in some if one.group == group)
    return Cell(
        Figure(len(runs), unit="count"), data={"reader": reader, "score": f"readings_{group}", "readings": len(runs)}, runs=runs
    )


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
    """Which reader finds more, or is right more often with it, beyond chance; what is left open is not said."""
    said = {SUFFICIENT: "finds all evidence more often than", RIGHT_WITH: "is right more often, once it is found, than"}
    found = []
    for one in pairs:
        if one.ahead != "open" and one.score in said:
            more, less = (one.first, one.second) if one.ahead == "first" else (one.second, one.first)
            found.append(f"{more} {said[one.score]} {less}.")
    return found


def of_readings(readings: Sequence[tuple[str, EvidenceFate]]) -> Table:
    """A few readings, each by its name: what became of it, when one call had all of the evidence, and what that took."""
    rows = []
    for name, fate in readings:
        if stood := fate.sufficiency:
            group, _ = GROUPS[group_of(stood.standing, right=fate.right)]
            tokens = stood.until.tokens if stood.until and stood.standing == "stated" else None
            at = f"step {stood.step + 1}" if stood.standing == "stated" and stood.step is not None else NOTHING
            rows.append(Row(name, [Cell(group), Cell(at), Cell(Figure(tokens, unit="tokens"))]))
    heads = columns("What became of it", "One call had all of the evidence", "Tokens until then")
    return Table("Did they find it, and answer rightly?", heads, rows, [ABOUT])


def tables(examined: Sequence[Examined]) -> list[Table]:
    """Everything that a file or the terminal has of a post-mortem; nothing if no evidence was followed."""
    if not examined:
        return []
    return [one for one in (found_and_right(examined), price(examined), break_even(examined)) if one]


# The price


AMOUNTS: Mapping[str, tuple[str, Unit, Callable[[Spent], float | None]]] = {
    "calls": ("Calls", "count", lambda spent: spent.calls),
    "tokens": ("Tokens", "tokens", lambda spent: spent.tokens),
    "usd": ("Cost ($)", "usd", lambda spent: spent.usd),
    "seconds": ("Time of calls", "duration", lambda spent: spent.seconds),
}


def price(examined: Sequence[Examined]) -> Table:
    """What readers took until the evidence was found, and which share of all tokens came after that."""
    rows = []
    for reader, some in by_reader(examined).items():
        reached = [(one.until, one.tokens) for one in some if one.until]
        took = {name: _median([amount(until) for until, _ in reached], unit) for name, (_, unit, amount) in AMOUNTS.items()}
        after = [1 - until.tokens / all_of_them if until.tokens and all_of_them else None for until, all_of_them in reached]
        took["tokens_after"] = _median(after, "share")
        cells = [replace(one, data={"reader": reader, "score": f"{name}_to_find", **one.data}) for name, one in took.items()]
        rows.append(Row(reader, cells, f"{len(reached):,} of {counted(len(some), 'reading')}"))
    heads = columns(*(name for name, *_ in AMOUNTS.values()), "Of all tokens, after that (%)")
    return Table("The price of finding", heads, rows, [ABOUT_PRICE])


def _median(amounts: Sequence[float | None], unit: Unit) -> Cell:
    """The median and the quartiles of what is known."""
    known = sorted(one for one in amounts if one is not None)
    if not known:
        return Cell()
    low, middle, high = quantiles(known, n=4, method="inclusive") if len(known) > 1 else known * 3
    unknown = len(amounts) - len(known)
    notes = [
        f"{Figure(low, unit=unit)} to {Figure(high, unit=unit)}" if low < high else "",
        f"unknown of {unknown:,}" if unknown else "",
    ]
    return Cell(
        Figure(middle, unit=unit),
        notes,
        data={"median": middle, "low": low, "high": high, "interval": "quartiles", "readings": len(known)},
    )


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
    """What building and each question take by reader, and from how many questions on one is cheaper than another; None where
    neither prices nor tokens are known, or there are none."""
    by = mean_costs(examined)
    unit = unit_for([*by.values()])
    if unit is None:
        return None
    written: Unit = "usd" if unit == "dollars" else "tokens"
    rows = []
    for reader, costs in by.items():
        amounts = {"building": costs.building.amount(unit), "asking": costs.asking.amount(unit)}
        means = {name: float(one) if one is not None else None for name, one in amounts.items()}
        figures_of = [
            Cell(Figure(mean, unit=written), data={"reader": reader, "score": f"{name}_{unit}", "mean": mean})
            for name, mean in means.items()
        ]
        cheaper = [words for other in by if other != reader and (words := _cheaper(by[reader], by[other], other))]
        rows.append(Row(reader, [*figures_of, Cell(cheaper[0], cheaper[1:]) if cheaper else Cell()]))
    units = "$" if unit == "dollars" else "tokens"
    heads = columns(f"Building ({units})", f"Each question ({units})", "Cheaper than")
    return Table("Building once, asking often", heads, rows, [ABOUT_BREAK_EVEN])


def _cheaper(one: Costs, other: Costs, name: str) -> str:
    """From how many questions on a reader is cheaper than another; empty if it never is."""
    found = compare_costs(one, other)
    if found is None or found.last != -1:
        return ""
    return f"{name}, {'always' if found.first == -1 else f'from {found.break_even:,} questions on'}"
