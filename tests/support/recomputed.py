"""Every figure of Agreement and Results, computed again from exported labels by other code: krippendorff, numpy and counting.

It knows the JSON lines of an export, the kinds of the readings' steps, and the published formulas. Of the app it uses nothing.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import krippendorff
import numpy as np

Units = Mapping[tuple[str, str], Mapping[str, Any]]  # by reading and unit: each annotator's value
Statistic = Callable[[Units], float]
Interval = tuple[float, float] | None
Found = dict[tuple[str, str, str], tuple[float, Interval, int]]
FIELDS = ("outcome", "support", "path", "fate")
SHARE, CORRECTED = (0.0, 1.0), (-1.0, 1.0)
Z = 1.959963984540054


@dataclass
class Exported:
    """The lines of an export, and the kinds of each reading's steps."""

    lines: Sequence[Mapping[str, Any]]
    kinds: Mapping[str, Sequence[str]]
    by_rule: Mapping[str, Mapping[str, str | None]] = field(default_factory=dict)  # the rules' outcomes and fates, by reading
    done: set[tuple[str, str]] = field(init=False)
    readings: dict[str, Mapping[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        turns = [one for one in self.lines if one.get("what") == "turn" and one["stage"] == 3 and one["standing"] == "done"]
        self.done = {(one["run"], one["annotator"]) for one in turns}
        self.readings = {one["id"]: one for one in self.lines if one.get("what") == "reading"}

    def labels(self, kind: str) -> list[Mapping[str, Any]]:
        return [
            one
            for one in self.lines
            if one.get("what") == "label"
            and one["kind"] == kind
            and not one["removed"]
            and (one["run"], one["annotator"]) in self.done
        ]

    def given(self, name: str) -> dict[tuple[str, str], dict[str, Any]]:
        """The values of a field, by reading."""
        found: dict[tuple[str, str], dict[str, Any]] = defaultdict(dict)
        for one in self.labels("reading"):
            if one["target"]["field"] == name:
                value = one["value"]["value"]
                found[one["run"], ""][one["annotator"]] = value["step"] if name == "decisive" else value
        return found

    def codes(self, *, within: bool) -> dict[tuple[str, str], dict[str, frozenset[str]]]:
        """The codes of each step that anybody coded, or of each reading."""
        found: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for one in self.labels("step"):
            found[one["run"], str(one["target"]["step"]) if within else ""][one["annotator"]].add(one["value"]["code"])
        units = found if within else {(run, "") for run, _ in self.done}
        return {
            (run, unit): {name: frozenset(found[run, unit][name]) for at, name in sorted(self.done) if at == run}
            for run, unit in sorted(units)
        }

    def phase(self, run: str, step: Any) -> str:
        """Of a decisive step."""
        return "build" if step == "building" else "none" if step == "none" else self.kinds[run][step - 1].partition(":")[0]


# Agreement


def agreement(exported: Exported) -> Found:
    """Each figure by question, figure and code; only what has a value."""
    found: Found = {}

    def add(
        question: str, name: str, units: Units, statistic: Statistic, *, bounds: Sequence[float] = SHARE, code: str = ""
    ) -> None:
        found.update(_figure((question, name, code), units, statistic, bounds))

    for name in FIELDS:
        units = exported.given(name)
        add(name, "percent agreement", units, equal)
        add(name, "Cohen's kappa", units, kappa, bounds=CORRECTED)
        add(name, "Krippendorff's alpha", units, alpha(nominal), bounds=CORRECTED)
    steps = exported.given("decisive")
    numbers = {at: {who: one for who, one in given.items() if isinstance(one, int)} for at, given in steps.items()}
    phases = {(run, ""): {who: exported.phase(run, one) for who, one in given.items()} for (run, _), given in steps.items()}
    add("decisive", "decisive step, exact", steps, equal)
    add("decisive", "decisive step, within one", steps, near)
    add("decisive", "decisive step in the same phase", phases, equal)
    add("decisive", "Krippendorff's alpha of the step", steps, alpha(nominal), bounds=CORRECTED)
    add("decisive", "Krippendorff's alpha of the step, with distances", numbers, alpha(squared), bounds=CORRECTED)
    for question, within in (("step", True), ("reading", False)):
        sets = exported.codes(within=within)
        add(question, "the same codes", sets, equal)
        add(question, "Krippendorff's alpha with MASI distance", sets, alpha(masi), bounds=CORRECTED)
        for code in sorted({one for given in sets.values() for codes in given.values() for one in codes}):
            held = {at: {who: code in codes for who, codes in given.items()} for at, given in sets.items()}
            add(question, f"alpha of {code}", held, alpha(nominal), bounds=CORRECTED, code=code)
    return found


def rounds(exported: Exported) -> Found:
    """The alpha of each ten readings, as a second annotator finished them."""
    closed: dict[str, list[str]] = defaultdict(list)
    for one in exported.lines:
        if one.get("what") == "turn" and (one["run"], one["annotator"]) in exported.done and one["stage"] == 3:
            closed[one["run"]].append(one["closed"])
    ordered = sorted((run for run, times in closed.items() if len(times) > 1), key=lambda run: (sorted(closed[run])[1], run))
    given = {name: exported.given(name) for name in (*FIELDS, "decisive")} | {"codes": exported.codes(within=False)}
    found: Found = {}
    for first in range(0, len(ordered), 10):
        some = ordered[first : first + 10]
        for name, units in given.items():
            part = {at: values for at, values in units.items() if at[0] in some}
            distance = masi if name == "codes" else nominal
            at = (name, f"alpha of {name}", f"Readings {first + 1} to {first + len(some)}")
            found |= _figure(at, part, alpha(distance), CORRECTED)
    return found


def _figure(at: tuple[str, str, str], units: Units, statistic: Statistic, bounds: Sequence[float]) -> Found:
    """The value, the interval and the number of units, where two annotators labelled at least two units."""
    both = {place: given for place, given in units.items() if len(given) > 1}
    value = statistic(both) if len(both) > 1 else math.nan
    if math.isnan(value):
        return {}
    runs = sorted({run for run, _ in both})
    without = [statistic({place: given for place, given in both.items() if place[0] != run}) for run in runs]
    return {at: (value, clustered(value, without, bounds), len(both))}


def equal(units: Units) -> float:
    pairs = [a == b for given in units.values() for a, b in combinations(given.values(), 2)]
    return float(np.mean(pairs)) if pairs else math.nan


def near(units: Units) -> float:
    pairs = [
        a == b or (isinstance(a, int) and isinstance(b, int) and abs(a - b) <= 1)
        for given in units.values()
        for a, b in combinations(given.values(), 2)
    ]
    return float(np.mean(pairs)) if pairs else math.nan


def kappa(units: Units) -> float:
    """Cohen's, or the mean over pairs of annotators."""
    by_pair: dict[tuple[str, str], list[tuple[Any, Any]]] = defaultdict(list)
    for given in units.values():
        for one, other in combinations(sorted(given), 2):
            by_pair[one, other].append((given[one], given[other]))
    found = []
    for pairs in by_pair.values():
        first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
        observed = sum(a == b for a, b in pairs) / len(pairs)
        chance = sum(first[value] * second[value] for value in first) / len(pairs) ** 2
        found += [] if chance == 1 else [(observed - chance) / (1 - chance)]
    return float(np.mean(found)) if found else math.nan


def nominal(one: Any, other: Any) -> float:
    return float(one != other)


def squared(one: int, other: int) -> float:
    return float((one - other) ** 2)


def masi(one: frozenset[str], other: frozenset[str]) -> float:
    if one == other:
        return 0.0
    jaccard = len(one & other) / len(one | other)
    monotone = 2 / 3 if one & other and (one < other or other < one) else 1 / 3
    return 1 - jaccard * monotone


def alpha(distance: Callable[[Any, Any], float]) -> Statistic:
    def statistic(units: Units) -> float:
        values = sorted({value for given in units.values() for value in given.values()}, key=repr)
        if len(values) < 2:
            return math.nan
        counts = [[list(given.values()).count(value) for value in values] for given in units.values()]

        def apart(v1: Any, v2: Any, i1: Any, i2: Any, n_v: Any, dtype: Any = np.float64) -> Any:
            return np.array([[distance(a, b) for b in values] for a in values], dtype=dtype)

        return float(krippendorff.alpha(value_counts=counts, level_of_measurement=apart))

    return statistic


# Intervals


def wilson(count: float, of: float, quantile: float = Z) -> tuple[float, float]:
    share = count / of
    middle = (share + quantile**2 / (2 * of)) / (1 + quantile**2 / of)
    half = quantile / (1 + quantile**2 / of) * math.sqrt(share * (1 - share) / of + quantile**2 / (4 * of**2))
    return (0.0 if count == 0 else middle - half), (1.0 if count == of else middle + half)


def student(freedom: int) -> float:
    """The 97.5 % quantile, from the distribution's density by the rule of trapezia."""
    x = np.linspace(0, 60, 2_000_001)
    constant = math.gamma((freedom + 1) / 2) / (math.sqrt(freedom * math.pi) * math.gamma(freedom / 2))
    density = constant * (1 + x**2 / freedom) ** (-(freedom + 1) / 2)
    areas = np.concatenate([[0], np.cumsum((density[1:] + density[:-1]) / 2) * (x[1] - x[0])])
    return float(np.interp(0.475, areas, x))


def clustered(value: float, without: Sequence[float], bounds: Sequence[float]) -> Interval:
    """By the jackknife over readings: Wilson's for as many independent items as would vary as much."""
    units, (low, high) = len(without), bounds
    if units < 5 or any(math.isnan(one) for one in without):
        return None
    wide = high - low
    variance = (units - 1) / units * float(np.sum((np.array(without) - np.mean(without)) ** 2)) / wide**2
    share = min(1.0, max(0.0, (value - low) / wide))
    if math.isclose(share * (1 - share), variance * (units - 1), abs_tol=1e-9):
        ends = wilson(share * units, units)
    elif variance < 1e-18:
        return None
    else:
        size = share * (1 - share) / variance
        ends = wilson(share * size, size, student(units - 1))
    return low + wide * ends[0], low + wide * ends[1]


# Results: by table, row and part, how many of how many


Counts = dict[tuple[str, str, str], tuple[int, int]]


def results(exported: Exported) -> Counts:
    """The counts of whole readings and of codes, of those that any annotator gave; a part is `reader=…`, `model=…`, `kind=…`, or
    empty for all."""
    found: Counts = {}
    for name in FIELDS:
        _count(found, name, {run: {value} for run, value in _settled(exported, name).items()}, exported)
    phases = {run: {exported.phase(run, step)} for run, step in _settled(exported, "decisive").items()}
    _count(found, "decisive", phases, exported)
    worst: dict[str, int] = {}
    for one in exported.labels("step"):
        worst[one["run"]] = max(worst.get(one["run"], 0), one["value"]["severity"])
    _count(found, "severity", {run: {str(value)} for run, value in worst.items()}, exported)
    codes = {run: set().union(*given.values()) for (run, _), given in exported.codes(within=False).items()}
    _count(found, "codes", codes, exported)
    by_step = {(run, int(step)): set().union(*given.values()) for (run, step), given in exported.codes(within=True).items()}
    totals = Counter(kind for run in codes for kind in exported.kinds[run])
    for (run, step), given in by_step.items():
        for code in given:
            at = ("codes", code, f"kind={exported.kinds[run][step - 1]}")
            found[at] = (found.get(at, (0, 0))[0] + 1, totals[exported.kinds[run][step - 1]])
    first_bad = {run: min(step for at, step in by_step if at == run) for run, _ in by_step}
    turns = {
        run: (exported.kinds[run][step - 2] if step > 1 else "the beginning", exported.kinds[run][step - 1])
        for run, step in first_bad.items()
    }
    for (good, bad), count in Counter(turns.values()).items():
        found["turning", good, f"turning={bad}"] = (count, sum(to == bad for _, to in turns.values()))
    for name, rules in exported.by_rule.items():
        judged = [(value, rules[run]) for run, value in _settled(exported, name).items() if rules.get(run)]
        found |= {(f"{name} by rule", people, str(rule)): (count, 0) for (people, rule), count in Counter(judged).items()}
    for one, other in combinations(sorted(set().union(*codes.values())), 2):
        both, either = (sum(test({one, other} & given) for given in codes.values()) for test in (lambda x: len(x) == 2, bool))
        if both:
            found["together", one, other] = (both, either)
    return found


def _settled(exported: Exported, name: str) -> dict[str, Any]:
    """What all annotators of a reading gave; without those on which they differ."""
    return {run: next(iter(given.values())) for (run, _), given in exported.given(name).items() if len(set(given.values())) == 1}


def _count(found: Counts, table: str, having: Mapping[str, Iterable[str]], exported: Exported) -> None:
    about = {run: ["", *(f"{name}={exported.readings[run][name]}" for name in ("reader", "model"))] for run in having}
    totals = Counter(part for parts in about.values() for part in parts)
    counts = Counter((value, part) for run, values in having.items() for value in values for part in about[run])
    found.update({(table, value, part): (count, totals[part]) for (value, part), count in counts.items()})


def times(exported: Exported) -> dict[str, tuple[float, float, float, float]]:
    """By annotator: the median, the quartiles and the sum of the seconds on a reading, all stages together."""
    spent: dict[tuple[str, str], int] = defaultdict(int)
    for one in exported.lines:
        if one.get("what") == "turn":
            spent[one["run"], one["annotator"]] += one["ms"]
    found = {}
    for name in {name for _, name in exported.done}:
        seconds = [ms / 1000 for (run, who), ms in spent.items() if who == name and (run, who) in exported.done and ms]
        if seconds:
            found[name] = (*(float(np.percentile(seconds, part)) for part in (50, 25, 75)), float(np.sum(seconds)))
    return found


# Against the files that the app wrote

_TABLES = {
    "Outcome": "outcome", "Support": "support", "Path": "path", "Fate of the fact": "fate", "Decisive step": "decisive",
    "Severity": "severity", "Codes by reader": "codes", "Codes by model": "codes", "Codes by kind of step": "codes",
    "From the last good step to the first bad one": "turning",
}  # fmt: skip


def assert_agreement(rows: Iterable[Mapping[str, str]], exported: Exported) -> int:
    """Each figure of the CSV file is the recomputed one, and none is missing. Returns how many there are."""
    told = {(row["question"], row["figure"], row["code"] or row["round"]): row for row in rows if row["value"]}
    found = agreement(exported) | rounds(exported)
    assert told.keys() == found.keys()
    for at, (value, interval, units) in found.items():
        row = told[at]
        assert math.isclose(float(row["value"]), value, rel_tol=1e-5, abs_tol=1e-6), (at, value)
        assert int(row["units"] or row["readings"]) == units, at
        assert (row["low"] != "") == (interval is not None), at
        for end, name in zip(interval or (), ("low", "high"), strict=False):
            assert math.isclose(float(row[name]), end, abs_tol=2e-3), (at, name, end)
    return len(found)


def assert_results(rows: Iterable[Mapping[str, str]], exported: Exported, kind_title: Callable[[str], str]) -> int:
    """Each count of the CSV file is the recomputed one, with Wilson's interval, and none is missing. Returns how many there
    are."""
    titles = {kind_title(kind): kind for kinds in exported.kinds.values() for kind in kinds}
    expected, told, spent, timed = results(exported), {}, times(exported), set()
    for row in rows:
        if row["table"] in _TABLES:
            by = row["by"]
            part = "" if not by else f"{by}={row['reader'] or row['model'] or titles[row['part']]}"
            at = (_TABLES[row["table"]], row["key"], part)
            told[at] = (int(row["count"]), int(row["of"]))
            assert [float(row[name]) for name in ("share", "low", "high")] == [
                _six(one) for one in (told[at][0] / told[at][1], *wilson(*told[at]))
            ], at
        elif (name := row["table"].partition(": people’s (rows)")[0]) in _TABLES and name != row["table"]:
            told[f"{_TABLES[name]} by rule", row["people"], row["rule"]] = (int(row["count"]), 0)
        elif row["table"] == "Which codes occur together":
            told["together", row["key"], row["other"]] = (int(row["count"]), int(row["of"]))
        elif row["table"] == "Time per reading" and row["by"] == "annotator":
            names = ("median", "quarter", "three_quarters", "total")
            assert [float(row[f"{name}_seconds"]) for name in names] == [_six(one) for one in spent[row["part"]]]
            timed.add(row["part"])
    assert told == expected
    assert timed == set(spent)
    return len(told)


def _six(number: float) -> float:
    return float(f"{number:.6g}")
