"""What was found, counted: every cell with its interval and the readings behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers.engine.labels import counts
from readers.engine.labels.check_label import checked
from readers.engine.labels.counts import (
    ALL,
    BEGINNING,
    UNKNOWN,
    CodesByStep,
    LabelledRun,
    Rule,
    TimeSpent,
    phase_of,
    step_kind,
    times,
)
from readers.engine.labels.label import Label
from readers.engine.record.trace import Step
from readers.engine.report.values import Cell, Figure, Table
from readers.engine.statistics.intervals import wilson

WALK = ("build: segments", "build: level", "walk", "walk", "walk")
CHUNKS = ("chunk", "chunk", "answer")


def coded(run: str, annotator: str, step: int, code: str, **more: Any) -> Label:
    coded.made += 1  # type: ignore[attr-defined]
    label_id = f"{coded.made:032x}"  # type: ignore[attr-defined]
    return checked(Label(label_id, "p", run, annotator, "step", {"step": step}, {"code": code, "severity": 1}, 1, **more))


coded.made = 0  # type: ignore[attr-defined]

ABOUT = [
    LabelledRun("r1", "memwalker", "small", WALK),
    LabelledRun("r2", "memwalker", "large", WALK),
    LabelledRun("r3", "memagent", "small", CHUNKS),
    LabelledRun("r4", "memagent", "small", CHUNKS),
    LabelledRun("r5", "memagent", "large", CHUNKS),
]
DONE = {("r1", "ada"), ("r1", "bo"), ("r2", "ada"), ("r3", "ada"), ("r4", "bo")}
LABELS = [
    coded("r1", "ada", 2, "B2"), coded("r1", "ada", 4, "N1"), coded("r1", "bo", 4, "N1"), coded("r1", "bo", 5, "R1"),
    coded("r2", "ada", 4, "N1"), coded("r2", "ada", 4, "N3"), coded("r3", "ada", 1, "M1"),
    coded("r5", "ada", 1, "X2"), coded("r2", "bo", 1, "X2"), coded("r4", "bo", 1, "X2", removed=True),
    coded("r9", "ada", 1, "X2"),
]  # fmt: skip


def found(rule: Rule = "any", **more: Any) -> CodesByStep:
    return CodesByStep(LABELS, ABOUT, done=DONE, rule=rule, **more)


def test_wilsons_interval_equals_published_figures() -> None:
    """Newcombe (1998), table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    for count, of, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert wilson(count, of) == pytest.approx((low, high), abs=0.00005)
    assert wilson(0, 0) is None


@given(st.integers(1, 400).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_it_holds_the_share_and_mirrors(pair: tuple[int, int]) -> None:
    count, of = pair
    low, high = wilson(count, of) or (9, 9)
    assert 0 <= low <= count / of <= high <= 1
    assert wilson(of - count, of) == pytest.approx((1 - high, 1 - low))


NAMES = (str, str)


def by(group: Callable[[LabelledRun], str]) -> Table:
    return counts.by_group(found(), group, NAMES, key="k", title="Codes")


def by_kind(codes: CodesByStep) -> Table:
    return counts.by_kind(codes, NAMES, key="k", title="Codes")


def test_codes_count_once_a_reading_over_those_that_somebody_is_done_with() -> None:
    table = by(lambda one: one.reader)
    assert [row.key for row in table.rows] == ["N1", "B2", "M1", "N3", "R1"]  # X2: not done, removed, or of no reading here
    cell = table.at("N1", ALL)
    assert (str(cell.content), cell.small, cell.runs) == ("2 of 4", ["50% (15% to 85%)"], ("r1", "r2"))
    assert cell.data == {
        "table": "Codes", "key": "N1", "value": "N1", "by": "", "reader": "", "model": "", "part": "", "count": 2, "of": 4,
        "unit": "reading", "share": 0.5, "interval": "Wilson",
        **dict(zip(("low", "high"), wilson(2, 4) or (), strict=True)),
    }  # fmt: skip


def test_by_reader_and_by_model() -> None:
    readers = by(lambda one: one.reader)
    assert [(one.name, one.note) for one in readers.columns] == [
        ("All", "4 readings"), ("memwalker", "2 readings"), ("memagent", "2 readings"),
    ]  # fmt: skip
    assert str(readers.at("N1", "memwalker").content) == "2 of 2"
    assert readers.at("N1", "memagent") == readers.at("M1", "nobody") == Cell()
    assert readers.at("M1", "memagent").runs == ("r3",)
    models = by(lambda one: one.model)
    assert [str(models.at("N1", model).content) for model in ("small", "large")] == ["1 of 3", "1 of 1"]


def test_by_kind_of_step() -> None:
    table = by_kind(found())
    assert {one.key: one.note for one in table.columns} == {
        "build: segments": "2 steps", "build: level": "2 steps", "walk": "6 steps", "chunk": "4 steps", "answer": "2 steps",
    }  # fmt: skip
    cell = table.at("N1", "walk")
    assert (str(cell.content), cell.runs) == ("2 of 6", ("r1", "r2"))
    twice = CodesByStep([coded("r1", "ada", 3, "N1"), coded("r1", "ada", 4, "N1")], ABOUT, done=DONE)
    assert (str(by_kind(twice).at("N1", "walk").content), by_kind(twice).at("N1", "walk").runs) == ("2 of 6", ("r1",))


def test_a_step_that_the_reading_does_not_have_is_no_error() -> None:
    table = by_kind(CodesByStep([coded("r1", "ada", 99, "N1")], ABOUT, done=DONE))
    assert str(table.at("N1", UNKNOWN).content) == "1 of 1"


@pytest.mark.parametrize(("rule", "codes"), [("any", {"B2", "N1", "R1"}), ("most", {"N1"}), ("all", {"N1"})])
def test_whose_codes_count(rule: Rule, codes: set[str]) -> None:
    assert set(found(rule).by_run()["r1"]) == codes
    assert set(found(rule).by_run()["r2"]) == {"N1", "N3"}


def test_most_is_more_than_half() -> None:
    done = {("r1", who) for who in ("ada", "bo", "cy")}
    labels = [coded("r1", "ada", 1, "A1"), coded("r1", "bo", 1, "A1"), coded("r1", "cy", 1, "A2")]
    assert set(CodesByStep(labels, ABOUT, done=done, rule="most").by_run()["r1"]) == {"A1"}
    assert set(CodesByStep(labels, ABOUT, done=done, rule="all").by_run()["r1"]) == set()


def test_what_was_decided_stands_in_the_place_of_what_was_given() -> None:
    decided = {("r1", 4): ["N2"], ("r1", 5): [], ("r1", 3): ["R2"], ("r8", 1): ["X1"]}
    assert found(decided=decided).codes == {
        ("r1", 2): ("B2",), ("r1", 3): ("R2",), ("r1", 4): ("N2",), ("r2", 4): ("N1", "N3"), ("r3", 1): ("M1",),
    }  # fmt: skip


def test_the_matrix_from_the_last_good_step_to_the_first_bad_one() -> None:
    table = counts.turning_points(found(), key="turning", kind_title=str.upper)
    assert table.at("build: segments", "build: level").runs == ("r1",)
    assert table.at("walk", "walk").runs == ("r2",)
    assert table.at(BEGINNING, "chunk").runs == ("r3",)
    assert {row.key: row.name for row in table.rows} == {
        BEGINNING: "The beginning", "walk": "WALK", "build: segments": "BUILD: SEGMENTS",
    }  # fmt: skip
    assert sum(len(cell.runs) for row in table.rows for cell in row.cells) == 3  # r4 has no code
    assert {one.key: one.note for one in table.columns} == dict.fromkeys(("build: level", "walk", "chunk"), "1 reading")


def test_which_codes_go_together() -> None:
    found_pairs = counts.together(found())
    pairs = {(pair.one, pair.other): pair for pair in found_pairs}
    assert set(pairs) == {("B2", "N1"), ("B2", "R1"), ("N1", "R1"), ("N1", "N3")}
    assert all(set(one.runs) <= set(one.either) for one in found_pairs)
    pair = pairs["B2", "N1"]
    assert (pair.runs, pair.either, pair.lift) == (("r1",), ("r1", "r2"), 2.0)  # 1/4 together; 1/4 and 2/4 apart
    assert len(found_pairs[0].runs) == max(len(pair.runs) for pair in found_pairs)
    table = counts.pairs_table(found_pairs, key="together", code_title=str)
    first = found_pairs[0]
    assert table.rows[0].name == f"{first.one} and {first.other}"
    assert [table.at("0", column).runs for column in ("both", "either", "lift")] == [first.runs, first.either, ()]
    many = counts.pairs_table(found_pairs * 20, key="together", code_title=str)
    assert (len(many.rows), many.title) == (30, "Which codes occur together: the 30 most frequent of 80 pairs")


def test_the_time_of_a_reading() -> None:
    spent = [TimeSpent(f"r{n}", "ada", 61_000 * n) for n in range(1, 6)] + [TimeSpent("r1", "bo", 4000), TimeSpent("r2", "bo", 0)]
    table = times(spent, lambda turn: turn.annotator, key="annotators", head="Annotator", unit="Readings")
    assert {row.name: [str(cell.content) for cell in row.cells] for row in table.rows} == {
        "ada": ["5", "3 min 03 s", "2 min 02 s to 4 min 04 s", "15 min 15 s"], "bo": ["1", "4 s", "4 s to 4 s", "4 s"],
    }  # fmt: skip
    assert {cell.runs for cell in table.rows[0].cells} == {("r5", "r4", "r3", "r2", "r1")}
    assert times([], lambda turn: turn.run, key="", head="Reader", unit="").rows == []
    assert str(Figure(7_320, unit="duration")) == "2 h 02 min"


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (("build", "level 12"), "build: level"), (("walk", "2.1"), "walk"), (("walk", "root"), "walk: root"),
        (("chunk 7",), "chunk"), (("look-up", "request 3"), "look-up: request"), (("B2B", "v2x 4"), "B2B: v2x"),
        (("build", "pages and gists", "page 0"), "build: page"), (("3",), UNKNOWN), ((), UNKNOWN), (("answer",), "answer"),
    ],
)  # fmt: skip
def test_the_kind_of_a_step(names: tuple[str, ...], kind: str) -> None:
    assert step_kind(Step(0, names, 0, 1)) == kind


def test_the_phase_of_a_step() -> None:
    phase = phase_of(ABOUT)
    assert [phase("r1", step) for step in (0, 1, 2, 3, 5, 6)] == [None, "build", "build", "walk", "walk", None]
    assert [phase("r3", step) for step in (1, 2, 3)] == ["chunk", "chunk", "answer"]
    assert phase("elsewhere", 1) is None


def test_nothing_yet_is_no_error() -> None:
    nothing = CodesByStep([], ABOUT, done=())
    made = (
        counts.by_group(nothing, lambda one: one.reader, NAMES, key="", title=""),
        by_kind(nothing),
        counts.turning_points(nothing, key="", kind_title=str),
        counts.pairs_table(counts.together(nothing), key="", code_title=str),
    )
    assert all(table.rows == [] for table in made)


def test_kinds_of_steps_that_are_called_the_same_are_told_apart() -> None:
    about = [
        LabelledRun("r1", "a", "m", ("walk", "recursion", "answer")),
        LabelledRun("r2", "a", "m", ("recursion", "walk", "x")),
    ]
    labels = [coded("r1", "ada", 2, "N1"), coded("r2", "ada", 2, "N1")]
    found = CodesByStep(labels, about, done={("r1", "ada"), ("r2", "ada")})
    title = {"walk": "Looking", "recursion": "Looking"}
    table = counts.turning_points(found, key="t", kind_title=lambda kind: title.get(kind, kind))
    assert [row.name for row in table.rows] == ["Looking (recursion)", "Looking (walk)"]
    assert [column.name for column in table.columns] == ["Looking (recursion)", "Looking (walk)"]
