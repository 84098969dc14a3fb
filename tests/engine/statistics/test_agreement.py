"""How far annotators agree: against published examples and two libraries, to six digits; undefined cases in words; intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import masi_distance

from readers.engine.labels.agreement import by_code, decisive, figures, of_readings, of_spans, of_steps
from readers.engine.labels.check_label import checked
from readers.engine.labels.label import Label
from readers.engine.statistics.agreement import Coefficient, Item, Marked, alpha, character_f1, kappa, masi, percent

SIX_DIGITS = pytest.approx


def rows(*annotators: Sequence[Any]) -> list[Item]:
    """One sequence an annotator, one place a reading; "." or None is a label that is missing."""
    return [
        Item(f"r{number:03}", f"a{who}", value)
        for who, values in enumerate(annotators)
        for number, value in enumerate(values)
        if value not in (".", None)
    ]


def crossed(table: Sequence[Sequence[int]]) -> list[Item]:
    """Two annotators' labels from a table of how often one gave this and the other that."""
    pairs = [(a, b) for a, row in enumerate(table) for b, count in enumerate(row) for _ in range(count)]
    return rows([a for a, _ in pairs], [b for _, b in pairs])


def value_of(figure: Coefficient) -> float:
    assert figure.value is not None, figure.why
    return figure.value


# Published examples


def test_krippendorffs_own_nominal_examples() -> None:
    """Computing Krippendorff's Alpha-Reliability (2011), sections A to C: binary, nominal, and four observers with labels
    missing; printed with three digits, here also as the fractions they are."""
    binary = rows("0100000010", "1110010000")
    assert value_of(alpha(binary)) == SIX_DIGITS(1 - 19 * 4 / (14 * 6), abs=1e-12)
    assert f"{value_of(alpha(binary)):.3f}" == "0.095"
    nominal = rows("aabbdcccedda", "babbbccceddd")
    assert f"{value_of(alpha(nominal)):.3f}" == "0.692"
    missing = rows("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
    assert f"{value_of(alpha(missing)):.3f}" == "0.743"
    assert (alpha(missing).readings, alpha(missing).units) == (11, 11)  # what one observer alone saw does not count


def test_the_example_of_three_coders_that_encyclopedias_print_to_six_digits() -> None:
    coders = rows(".....34121133.3", "1.213343.......", "..21344.21133.4")
    assert f"{value_of(alpha(coders)):.6f}" == "0.691358"


def test_cohens_psychiatric_diagnoses() -> None:
    """Cohen 1968, table 1: 200 cases, three diagnoses; .70 observed, .41 by chance, kappa (of 1960) .492."""
    judges = crossed([[88, 10, 2], [14, 40, 6], [18, 10, 12]])
    assert value_of(percent(judges)) == SIX_DIGITS(0.70)
    assert value_of(kappa(judges)) == SIX_DIGITS(0.29 / 0.59)
    assert f"{value_of(kappa(judges)):.3f}" == "0.492"


@pytest.mark.parametrize(("table", "printed"), [([[45, 15], [25, 15]], "0.1304"), ([[25, 35], [5, 35]], "0.2593")])
def test_two_by_two_tables_with_equal_agreement(table: list[list[int]], printed: str) -> None:
    """A pair of tables that textbooks print: 60 % agreement both, and two kappas."""
    assert value_of(percent(crossed(table))) == SIX_DIGITS(0.6)
    assert f"{value_of(kappa(crossed(table))):.4f}" == printed


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ({1, 2}, {1, 2}, 0), ({1, 2}, {1, 2, 3, 4}, 2 / 3), ({"a", "b"}, {"a", "b", "c"}, 1 - 2 / 3 * 2 / 3),
        ({"a", "b"}, {"b", "c"}, 1 - 1 / 3 * 1 / 3), ({"a"}, {"b"}, 1), (set(), {"a"}, 1), (set(), set(), 0),
    ],
)  # fmt: skip
def test_masi_by_its_definition(one: set[Any], other: set[Any], distance: float) -> None:
    """Passonneau 2006, section on the metric: equal 1, one inside the other 2/3, overlapping 1/3, apart 0, times Jaccard."""
    assert masi(one, other) == masi(other, one) == SIX_DIGITS(distance)


# Independent implementations


def task_of(items: Iterable[Item], distance: Callable[[Any, Any], float] | None = None) -> AnnotationTask:
    data = [(item.annotator, f"{item.reading}/{item.unit}", item.value) for item in items]
    return AnnotationTask(data, distance) if distance else AnnotationTask(data)


def library_alpha(items: Sequence[Item], distance: Callable[[Any, Any], float]) -> float:
    """By the library krippendorff, from counts of values, with a distance of our own choosing."""
    values = list(dict.fromkeys(item.value for item in items))
    units: dict[tuple[str, str], list[int]] = {}
    for item in items:
        units.setdefault((item.reading, item.unit), [0] * len(values))[values.index(item.value)] += 1

    def apart(v1: Any, v2: Any, i1: Any, i2: Any, n_v: Any, dtype: Any = np.float64) -> Any:
        return np.array([[distance(a, b) for b in values] for a in values], dtype=dtype)

    return float(krippendorff.alpha(value_counts=list(units.values()), level_of_measurement=apart))


def either_way(one: frozenset[str], other: frozenset[str]) -> float:
    """nltk's distance, which does not know two empty sets."""
    return float(masi_distance(one, other)) if one or other else 0.0


labels = st.sampled_from("abcd")
tables = st.integers(2, 4).flatmap(
    lambda who: st.lists(st.lists(labels, min_size=who, max_size=who), min_size=2, max_size=25).map(
        lambda r: list(zip(*r, strict=True))
    )
)
gapped = (
    st.integers(2, 4)
    .flatmap(lambda who: st.lists(st.lists(labels | st.none(), min_size=who, max_size=who), min_size=2, max_size=25))
    .map(lambda r: list(zip(*r, strict=True)))
)
sets = st.frozensets(st.sampled_from("ABCDE"), max_size=4)
coded = st.lists(st.lists(sets, min_size=3, max_size=3), min_size=2, max_size=15).map(lambda r: list(zip(*r, strict=True)))


@given(tables)
def test_percent_and_kappa_equal_nltks(table: list[tuple[str, ...]]) -> None:
    items = rows(*table)
    task = task_of(items)
    assert value_of(percent(items)) == SIX_DIGITS(task.avg_Ao(), abs=1e-6)
    constant = [a for a, b in combinations(table, 2) if len({*a, *b}) == 1]
    if not constant:  # nltk calls such a pair 1, which says more than it shows
        assert value_of(kappa(items)) == SIX_DIGITS(task.kappa(), abs=1e-6)
    elif len(table) == 2:
        assert "no variation" in kappa(items).why
    else:
        assert kappa(items).value is None or f"for {len(constant)} more it is undefined" in kappa(items).note


@given(gapped)
def test_alpha_equals_two_libraries_with_labels_missing(table: list[tuple[str | None, ...]]) -> None:
    items = rows(*table)
    figure = alpha(items)
    both = [unit for unit in zip(*table, strict=True) if len([v for v in unit if v]) > 1]
    if len(both) < 2 or len({v for unit in both for v in unit if v}) == 1:
        assert figure.value is None
        assert figure.why
    else:
        assert value_of(figure) == SIX_DIGITS(task_of(items).alpha(), abs=1e-6)
        assert value_of(figure) == SIX_DIGITS(library_alpha(items, lambda a, b: a != b), abs=1e-6)


@given(coded)
def test_alpha_with_masi_equals_two_libraries(table: list[tuple[frozenset[str], ...]]) -> None:
    items = rows(*table)
    figure = alpha(items, masi)
    if len({item.value for item in items}) == 1:
        assert "no variation" in figure.why
    else:
        assert value_of(figure) == SIX_DIGITS(task_of(items, either_way).alpha(), abs=1e-6)
        assert value_of(figure) == SIX_DIGITS(library_alpha(items, either_way), abs=1e-6)


span = st.tuples(st.integers(0, 30), st.integers(1, 10)).map(lambda p: Marked("text", p[0], p[0] + p[1]))
spans = st.lists(span, max_size=5)


@given(st.lists(st.tuples(spans, spans), min_size=2, max_size=8))
def test_character_f1_equals_counting_characters(table: list[tuple[list[Marked], list[Marked]]]) -> None:
    items = [Item(f"r{n}", f"a{who}", marks[who]) for n, marks in enumerate(table) for who in (0, 1)]
    chosen = [[{c for m in marks for c in range(m.start, m.end)} for marks in pair] for pair in table]
    both, marked = sum(len(a & b) for a, b in chosen), sum(len(a) + len(b) for a, b in chosen)
    figure = character_f1(items)
    if marked:
        assert value_of(figure) == SIX_DIGITS(2 * both / marked, abs=1e-9)
    else:
        assert figure.why == "nobody marked a span in what two annotators worked on"


# Undefined, in words


def test_why_a_figure_is_undefined() -> None:
    every = (percent, kappa, alpha, character_f1)
    assert {figure([]).why for figure in every} == {"nobody has given such a label yet"}
    alone = rows("abc")
    assert {figure(alone).why for figure in every[:3]} == {"only one annotator has given such labels, and agreement needs two"}
    apart = rows("ab..", "..ba")
    assert {figure(apart).why for figure in every[:3]} == {"no reading was labelled by two annotators"}
    once = rows("ab.", ".ba")
    assert {figure(once).why for figure in every[:3]} == {
        "only one reading was labelled by two annotators, and one says nothing about the others"
    }
    same = rows("aaa", "aaa")
    assert percent(same).value == 1
    assert kappa(same).value is None
    assert "no variation" in kappa(same).why
    apart = kappa([*rows("aa", "aa"), *[Item(f"s{n}", who, "b") for n in range(2) for who in ("x", "y")]])
    assert apart.why == kappa(same).why
    assert "in each pair" in apart.why
    assert "no variation" in alpha(same).why
    assert (kappa(same).readings, kappa(same).pairs) == (3, 3)
    for figure in (kappa(same), alpha(alone)):
        assert figure.low is figure.high is None


def test_one_annotator_who_never_varies_leaves_kappa_defined() -> None:
    assert kappa(rows("aaaa", "abab")).value == 0
    assert kappa(rows("aaaa", "bbbb")).value == 0


def test_kappa_over_several_pairs_says_so() -> None:
    figure = kappa(rows("abab", "abab", "abba"))
    assert figure.note.startswith("the mean over 3 pairs of annotators")
    assert value_of(figure) == SIX_DIGITS((1 + 0 + 0) / 3)
    without = kappa(rows("aaab..", "aaab..", "aa..ab", "....ab"))
    assert "pairs of annotators; for 2 more it is undefined" in without.note


def test_what_comes_twice_from_one_annotator_counts_once() -> None:
    twice = [*rows("ab", "ab"), Item("r001", "a1", "a")]
    assert percent(twice).value == 0.5


# Intervals


def test_intervals_hold_the_figure_and_are_the_same_each_time() -> None:
    items = rows(*["abcab" * 12, "abcaa" * 12, "abbab" * 12])
    for figure in (percent, kappa, alpha):
        found = figure(items)
        assert found == figure(list(reversed(items)))  # the order of labels does not count
        assert found.low is not None
        assert found.high is not None
        assert found.low < value_of(found) < found.high
        assert (found.interval, found.note.count("interval")) == ("Wilson, clustered by 60 readings", 0)


def test_an_interval_is_one_of_proportions_where_they_are_known() -> None:
    """Of 400 readings with 70 % agreement: about 1.96 standard errors to each side."""
    figure = percent(rows("a" * 400, "a" * 280 + "b" * 120))
    error = 1.96 * (0.7 * 0.3 / 400) ** 0.5
    assert figure.low == SIX_DIGITS(0.7 - error, abs=0.008)
    assert figure.high == SIX_DIGITS(0.7 + error, abs=0.008)


def test_steps_of_one_reading_count_together() -> None:
    """Fifty steps in five readings are no fifty readings: where readings differ as a whole, the interval is far wider."""
    steps = [Item(f"r{n // 10}", who, "a" if who == "x" or n < 30 else "b", str(n)) for n in range(50) for who in "xy"]
    each = [item._replace(reading=f"{item.reading}.{item.unit}") for item in steps]
    inside, apart = percent(steps), percent(each)
    assert inside.value == apart.value == 0.6
    assert inside.high - inside.low > 2 * (apart.high - apart.low)  # type: ignore[operator]
    assert (inside.readings, inside.units) == (5, 50)


def test_no_interval_where_there_is_one_reading_or_one_alone_makes_the_figure() -> None:
    one = alpha(
        [Item("r", who, value, str(n)) for who, values in (("x", "abab"), ("y", "abaa")) for n, value in enumerate(values)]
    )
    assert one.value is not None
    assert (one.low, one.note) == (None, "no interval: there are fewer than 5 readings")
    rare = alpha(rows("aaaab", "aaaab"))
    assert rare.value == 1
    assert rare.low is None
    assert rare.note == "no interval: without one of these readings the figure is undefined"


# The decisive step


def test_the_decisive_step_exact_near_and_in_phase() -> None:
    phases = {1: "build", 2: "build", 3: "walk", 4: "walk", 5: "walk"}
    items = rows([3, 4, "building", "none", "none", 2], [3, 5, 1, "none", 4, 3])
    exact, near, phase, *_ = decisive(items, phase_of=lambda _, step: phases.get(step))
    assert value_of(exact) == SIX_DIGITS(2 / 6)
    assert value_of(near) == SIX_DIGITS(4 / 6)
    assert value_of(phase) == SIX_DIGITS(4 / 6)  # 3 and 3, 4 and 5, building and 1, none and none
    assert [figure.name for figure in (exact, near, phase)] == [
        "decisive step, exact", "decisive step, within one", "decisive step in the same phase",
    ]  # fmt: skip


def test_the_decisive_step_beyond_chance_as_a_name_and_as_a_number() -> None:
    """Against Krippendorff's library: all answers as names; then the numbers alone, on an interval scale."""
    steps: list[Sequence[int | str | None]] = [
        [3, 4, "building", "none", 9, 2, 7, None, 5, 1], [3, 5, 1, "none", 4, 3, 7, 8, 5, 2],
        [4, 5, 1, 6, 9, None, 7, 8, "none", 2],
    ]  # fmt: skip
    *_, names, distances = decisive(rows(*steps))
    number = {"building": 100.0, "none": 200.0}
    every = [[np.nan if one is None else number.get(str(one), one) for one in who] for who in steps]
    assert value_of(names) == SIX_DIGITS(krippendorff.alpha(every, level_of_measurement="nominal"), abs=1e-6)
    numbers = [[np.nan if isinstance(one, str) or one is None else float(one) for one in who] for who in steps]
    assert value_of(distances) == SIX_DIGITS(krippendorff.alpha(numbers, level_of_measurement="interval"), abs=1e-6)
    assert (names.units, distances.units, distances.readings) == (10, 9, 9)
    assert None not in (names.low, names.high, distances.low, distances.high)


def test_phases_that_are_not_known_are_said() -> None:
    items = rows([3, 4], [4, 4])
    assert decisive(items)[2].why == "the phases of the steps are not known here"
    assert decisive([])[2].why == "nobody has given such a label yet"
    unknown = decisive(rows([3, 4], [4, 5]), phase_of=lambda *_: None)[2]
    assert unknown.why == "no pair of labels can be compared this way"


# From labels


def label(run: str, annotator: str, kind: str, target: Mapping[str, Any], value: Mapping[str, Any], **more: Any) -> Label:
    label.made += 1  # type: ignore[attr-defined]
    label_id = "" if kind == "reading" else f"{label.made:032x}"  # type: ignore[attr-defined]
    return checked(Label(label_id, "p", run, annotator, kind, dict(target), dict(value), **more))


label.made = 0  # type: ignore[attr-defined]


def code(run: str, annotator: str, step: int, code: str, **more: Any) -> Label:
    return label(run, annotator, "step", {"step": step}, {"code": code, "severity": 2}, **more)


def test_labels_become_figures() -> None:
    made = []
    for n, (ada, bo) in enumerate([("correct", "correct"), ("wrong", "wrong"), ("wrong", "partly"), ("correct", "correct")]):
        for who, outcome in (("ada", ada), ("bo", bo)):
            made.append(label(f"r{n}", who, "reading", {"field": "outcome"}, {"value": outcome}))
            step = {"step": n + 1, "confidence": 2} if who == "ada" or n else {"step": "none", "confidence": 1}
            made.append(label(f"r{n}", who, "reading", {"field": "decisive"}, {"value": step}))
            made.append(label(f"r{n}", who, "span", {"on": "text", "start": 10 * n, "end": 10 * n + 10}, {"code": "R1"}))
        made += [code(f"r{n}", "ada", 2, "B2"), code(f"r{n}", "ada", 2, "N1"), code(f"r{n}", "bo", 2, "B2")]
        made.append(code(f"r{n}", "bo", 3, "R1"))
    made.append(label("r0", "cy", "reading", {"field": "outcome"}, {"value": "wrong"}))  # who is not done does not count
    made.append(code("r1", "ada", 9, "X2", removed=True))
    done = {(f"r{n}", who) for n in range(4) for who in ("ada", "bo")}
    groups = figures(made, done=done, phase_of=lambda *_: "walk")
    assert list(groups) == ["outcome", "support", "path", "fate", "decisive", "step", "reading", "span"]
    assert [f.value for f in groups["outcome"]] == [0.75, SIX_DIGITS(0.6), SIX_DIGITS(1 - 7 * 2 / 38)]
    assert groups["outcome"][0].readings == 4
    assert groups["support"][0].why == "nobody has given such a label yet"
    assert [f.value for f in groups["decisive"][:3]] == [0.75, 0.75, 0.75]
    same, over_sets = groups["step"]
    assert (same.value, same.units, same.readings) == (0, 8, 4)
    steps = of_steps(made, done)
    assert {item.unit for item in steps} == {"2", "3"}
    assert frozenset() in {item.value for item in steps if item.annotator == "ada"}
    assert over_sets.value == SIX_DIGITS(task_of(steps, either_way).alpha(), abs=1e-6)
    assert [f.value for f in groups["span"]] == [1.0, 1.0]
    per_code = by_code(steps)
    assert list(per_code) == ["B2", "N1", "R1"]
    assert per_code["B2"][0].value == 1
    assert per_code["B2"][1] == 0.5
    assert value_of(per_code["N1"][0]) < 0


def test_codes_are_compared_within_steps_and_readings_and_by_broader_code() -> None:
    """Both find the same two kinds of fault in three readings, at neighbouring steps and under other narrow codes."""
    found = [("N1", 2, "N2", 3), ("N1", 2, "N1", 3), ("B2", 4, "B3", 4), ("N2", 5, "N2", 5), (None, 0, None, 0)]
    made = []
    for n, (one, at, other, there) in enumerate(found):
        made += [code(f"r{n}", "ada", at, one)] if one else []
        made += [code(f"r{n}", "bo", there, other)] if other else []
    done = {(f"r{n}", who) for n in range(5) for who in ("ada", "bo")}
    parents = {"N1": "N", "N2": "N", "B2": "B", "B3": "B"}
    groups = figures(made, done=done, parents=parents)
    assert [figure.value for figure in groups["step"][::2]] == [1 / 6, 2 / 6]  # of six steps, narrow and broader codes
    assert [figure.value for figure in groups["reading"][::2]] == [3 / 5, 1.0]
    assert [figure.readings for figure in groups["reading"]] == [5] * 4
    for question, items_of in (("step", of_steps), ("reading", of_readings)):
        items = items_of(made, done)
        broader = [item._replace(value=frozenset(map(parents.__getitem__, item.value))) for item in items]
        for at, level in ((1, items), (3, broader)):
            assert groups[question][at].value == SIX_DIGITS(task_of(level, either_way).alpha(), abs=1e-6)
    assert len(figures(made, done=done)["reading"]) == 2
    held = by_code(of_readings(made, done), parents)
    assert (held["N"][0].value, held["N"][1]) == (1, 0.6)
    assert held["N2"][0].value == SIX_DIGITS(
        krippendorff.alpha([[0, 0, 0, 1, 0], [1, 0, 0, 1, 0]], level_of_measurement="nominal")
    )


def test_whoever_is_done_and_marked_nothing_has_said_so() -> None:
    made = [label(f"r{n}", "ada", "span", {"on": "reply", "number": 2, "start": 0, "end": 8}, {"code": "A2"}) for n in range(3)]
    done = [(f"r{n}", who) for n in range(3) for who in ("ada", "bo")]
    assert character_f1(of_spans(made, done)).value == 0
    assert "only one annotator" in figures(made)["span"][0].why
    other = [label(f"r{n}", "bo", "span", {"on": "reply", "number": 2, "start": 0, "end": 8}, {"code": "A3"}) for n in range(3)]
    assert character_f1(of_spans(made + other, done)).value == 1
    assert character_f1(of_spans(made + other, done, coded=True)).value == 0
    elsewhere = [label(f"r{n}", "bo", "span", {"on": "prompt", "number": 2, "start": 0, "end": 8}, {}) for n in range(3)]
    assert character_f1(of_spans(made + elsewhere, done)).value == 0
