"""How far annotators agree: figures over who gave which value to which reading, each with its n and an interval or, if it is
undefined, the reason in words. Pure.

  - percent: the share of equal pairs, of all pairs of labels that two annotators gave to the same thing;
  - Cohen's kappa (1960); for more than two annotators, the mean over their pairs (Light 1971);
  - Krippendorff's alpha, nominal, or with the MASI distance (Passonneau 2006) if a label is a set of codes;
  - spans: the F1 of the characters that two annotators marked. It is not gamma (Mathet et al. 2015), which also aligns whole
    spans and corrects for chance: its library needs a solver and a dozen packages, which is too much for one figure. F1 is not
    corrected for chance, and long spans weigh more in it.

Intervals are clustered by reading (`intervals.py`), because the steps of one reading are not independent. The figures without
each reading are computed here, all at once, because the library for alpha takes about 0.2 s for each, at 2,500 steps with 60 sets
of codes. The tests compare the figures with two libraries and with published examples. Not here: what an acceptable figure is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from readers.engine import on_first_use
from readers.engine.record.trace import merge_spans
from readers.engine.statistics.intervals import SHARE, Array, Bounds, Statistic, clustered, divided, without_each
from readers.engine.text.document import Span

if TYPE_CHECKING:
    import numpy as np
else:
    np = on_first_use.module("numpy")

CORRECTED: Bounds = (-1.0, 1.0)  # of measures corrected for chance

Distance = Callable[[Any, Any], float]
Same = Callable[[str, Any, Any], bool | None]


class Item(NamedTuple):
    """One label. `unit` is the part of the reading that was labelled, such as a step; empty for the whole reading. If one
    annotator labels the same thing twice, the later label counts."""

    reading: str
    annotator: str
    value: Any
    unit: str = ""


class Marked(NamedTuple):
    """Characters `start` to `end` (half-open) of a text of the reading; `place` says which text (and code, if that counts)."""

    place: str
    start: int
    end: int


@dataclass(frozen=True)
class Coefficient:
    """One figure. If it is undefined, `value` is None and `why` gives the reason; `low` and `high` are its 95 % interval, and
    `interval` is its kind.

    `readings` and `units` count what two or more annotators labelled, `pairs` the pairs of labels behind the figure. `note` says
    what else a reader of it must know.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    readings: int = 0
    units: int = 0
    pairs: int = 0
    why: str = ""
    interval: str = ""
    note: str = ""


# What is compared


@dataclass(frozen=True)
class _LabelsByUnit:
    """Labels by their target, without targets that only one annotator labelled. Readings and annotators are sorted."""

    units: Mapping[tuple[str, str], Mapping[str, Any]]
    readings: Sequence[str]
    annotators: Sequence[str]
    why: str

    @property
    def pairs(self) -> int:
        return sum(len(labels) * (len(labels) - 1) // 2 for labels in self.units.values())

    @property
    def row(self) -> dict[str, int]:
        return {reading: number for number, reading in enumerate(self.readings)}

    def figure(self, name: str, statistic: Statistic, *, undefined: str, bounds: Bounds = SHARE, note: str = "") -> Coefficient:
        """The figure over all readings, and its interval. `undefined` is the reason to give if the statistic has no value."""
        empty = Coefficient(name, None, readings=len(self.readings), units=len(self.units), pairs=self.pairs, why=self.why)
        if self.why:
            return empty
        value = float(statistic(np.ones((1, len(self.readings))))[0])
        if np.isnan(value):
            return replace(empty, why=undefined)
        found = clustered(value, without_each(len(self.readings), statistic), "readings", bounds=bounds)
        told = "; ".join(filter(None, (note, found.why)))
        return replace(empty, value=value, low=found.low, high=found.high, interval=found.kind, note=told)


def _labelled(items: Iterable[Item]) -> _LabelsByUnit:
    found: dict[tuple[str, str], dict[str, Any]] = defaultdict(dict)
    for reading, annotator, value, unit in items:
        found[reading, unit][annotator] = value
    both = {key: dict(sorted(found[key].items())) for key in sorted(found) if len(found[key]) > 1}
    readings = sorted({reading for reading, _ in both})
    annotators = sorted({annotator for labels in both.values() for annotator in labels})
    return _LabelsByUnit(both, readings, annotators, _too_few(found, len(both)))


def _too_few(found: Mapping[tuple[str, str], Mapping[str, Any]], both: int) -> str:
    """Why there is nothing to compare; empty if there is something."""
    if not found:
        return "nobody has given such a label yet"
    if len({annotator for labels in found.values() for annotator in labels}) == 1:
        return "only one annotator has given such labels, and agreement needs two"
    what = "step" if any(unit for _, unit in found) else "reading"
    if both == 0:
        return f"no {what} was labelled by two annotators"
    if both == 1:
        return f"only one {what} was labelled by two annotators, and one says nothing about the others"
    return ""


# The figures


def percent(items: Iterable[Item], *, name: str = "percent agreement") -> Coefficient:
    """The share of equal pairs, of all pairs of labels for the same thing; 0 to 1."""
    return share(items, lambda _, a, b: bool(a == b), name=name)


def share(items: Iterable[Item], same: Same, *, name: str) -> Coefficient:
    """The share of pairs for which `same(reading, one, other)` is true; pairs for which it is None are left out."""
    table = _labelled(items)
    hits, pairs = np.zeros(len(table.readings)), np.zeros(len(table.readings))
    row = table.row
    for (reading, _), labels in table.units.items():
        for a, b in combinations(labels.values(), 2):
            if (held := same(reading, a, b)) is not None:
                hits[row[reading]] += held
                pairs[row[reading]] += 1
    undefined = "no pair of labels can be compared this way"
    return table.figure(name, lambda weights: divided(weights @ hits, weights @ pairs), undefined=undefined)


def kappa(items: Iterable[Item], *, name: str = "Cohen's kappa") -> Coefficient:
    """Cohen's kappa, -1 to 1; for more than two annotators, the mean over those of their pairs for which it is defined."""
    table = _labelled(items)
    of_pairs = _kappas(table)

    def mean(weights: Array) -> Array:
        found = of_pairs(weights)
        return divided(np.nansum(found, axis=1), (~np.isnan(found)).sum(axis=1).astype(np.float64))

    one_by_one = of_pairs(np.ones((1, len(table.readings))))[0]
    without = int(np.isnan(one_by_one).sum())
    note = f"the mean over {len(one_by_one) - without} pairs of annotators" if len(one_by_one) > 1 else ""
    note += f"; for {without} more it is undefined, because both gave everything the same value" if note and without else ""
    return table.figure(name, mean, undefined=_NO_VARIATION_IN_PAIRS, bounds=CORRECTED, note=note)


def _kappas(table: _LabelsByUnit) -> Statistic:
    """The kappa of every pair of annotators who labelled something in common, one column each; NaN if undefined."""
    values, row = _numbered(table), table.row
    found = [(row[reading], pair) for (reading, _), labels in table.units.items() for pair in combinations(labels.items(), 2)]
    number = {names: n for n, names in enumerate(dict.fromkeys((a, b) for _, ((a, _), (b, _)) in found))}
    # For each reading and pair: how often the first gave each value, how often the second did, how often both agreed.
    counts = np.zeros((len(row), len(number), 2 * len(values) + 1))
    for at, ((a, one), (b, other)) in found:
        cell = counts[at, number[a, b]]
        cell[values[one]] += 1
        cell[len(values) + values[other]] += 1
        cell[-1] += one == other
    flat = counts.reshape(len(row), counts.shape[1] * counts.shape[2])

    def statistic(weights: Array) -> Array:
        drawn = (weights @ flat).reshape(len(weights), *counts.shape[1:])
        one, other = drawn[..., : len(values)], drawn[..., len(values) : -1]
        n = one.sum(axis=2)
        observed = divided(drawn[..., -1], n)
        expected = divided((one * other).sum(axis=2), n * n)
        return divided(observed - expected, 1 - expected)

    return statistic


_LEFT = "so agreement by chance is complete as well, and there is nothing to measure"
_NO_VARIATION = f"there is no variation: everybody gave everything the same value, {_LEFT}"
_NO_VARIATION_IN_PAIRS = f"there is no variation: in each pair, both gave everything they share the same value, {_LEFT}"


def _numbered(table: _LabelsByUnit) -> dict[Any, int]:
    """A number for each value, in the order in which they occur."""
    found = dict.fromkeys(value for labels in table.units.values() for value in labels.values())
    return {value: number for number, value in enumerate(found)}


def differs(a: Any, b: Any) -> float:
    """The nominal distance: 0 for the same value, else 1."""
    return float(a != b)


def masi(a: Collection[Any], b: Collection[Any]) -> float:
    """The distance of two sets, 0 to 1: one minus the Jaccard index times 1 for equal sets, 2/3 if one contains the other, 1/3 if
    they overlap, 0 if they are disjoint (Passonneau 2006). Two empty sets are equal."""
    one, other = set(a), set(b)
    if one == other:
        return 0.0
    shared = len(one & other)
    monotone = 2 / 3 if shared and shared in (len(one), len(other)) else 1 / 3
    return 1 - shared / len(one | other) * monotone


def alpha(items: Iterable[Item], distance: Distance = differs, *, name: str = "Krippendorff's alpha") -> Coefficient:
    """Krippendorff's alpha for any number of annotators, some labels missing: 1 for full agreement, 0 for agreement by chance.

    `distance` is symmetric, and 0 for equal values. For `masi`, values are frozensets of codes.
    """
    table = _labelled(items)
    values = _numbered(table)
    apart = np.array([[distance(a, b) for b in values] for a in values], dtype=np.float64).reshape(len(values), len(values))
    counts, observed = np.zeros((len(table.readings), len(values))), np.zeros(len(table.readings))
    row = table.row
    for (reading, _), labels in table.units.items():
        numbers = [values[value] for value in labels.values()]
        for number in numbers:
            counts[row[reading], number] += 1
        observed[row[reading]] += apart[numbers][:, numbers].sum() / (len(numbers) - 1)

    def statistic(weights: Array) -> Array:
        given = weights @ counts
        expected = ((given @ apart) * given).sum(axis=1)
        return 1 - divided((weights @ observed) * (given.sum(axis=1) - 1), expected)

    return table.figure(name, statistic, undefined=_NO_VARIATION, bounds=CORRECTED)


# Spans


def character_f1(items: Iterable[Item], *, name: str = "character-level F1 of spans") -> Coefficient:
    """Twice the characters that both annotators of a pair marked, divided by those that each marked; 0 to 1, over all pairs and
    readings together.

    A value is a collection of `Marked`, empty for an annotator who worked on the reading and marked nothing. Characters in
    different places never match. Undefined if there are no marks.
    """
    table = _labelled(Item(reading, annotator, _covered(value), unit) for reading, annotator, value, unit in items)
    both, marked = np.zeros(len(table.readings)), np.zeros(len(table.readings))
    row = table.row
    for (reading, _), labels in table.units.items():
        for a, b in combinations(labels.values(), 2):
            both[row[reading]] += 2 * sum(_overlap(spans, b.get(place, ())) for place, spans in a.items())
            marked[row[reading]] += sum(end - start for one in (a, b) for spans in one.values() for start, end in spans)
    undefined = "nobody marked a span in what two annotators worked on"
    return table.figure(name, lambda weights: divided(weights @ both, weights @ marked), undefined=undefined)


def _covered(marks: Iterable[Marked]) -> dict[str, tuple[Span, ...]]:
    places: dict[str, list[Span]] = defaultdict(list)
    for place, start, end in marks:
        places[place].append(Span(start, end))
    return {place: merge_spans(spans) for place, spans in places.items()}


def _overlap(a: Sequence[Span], b: Sequence[Span]) -> int:
    """How many characters are in both; the spans of each are sorted and do not overlap."""
    total = i = j = 0
    while i < len(a) and j < len(b):
        total += max(0, min(a[i].end, b[j].end) - max(a[i].start, b[j].start))
        i, j = (i + 1, j) if a[i].end <= b[j].end else (i, j + 1)
    return total
