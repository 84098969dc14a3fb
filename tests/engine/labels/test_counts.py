"""What was found, counted: every cell with its interval and the readings behind it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers.engine.labels import counts
from readers.engine.labels.check_label import checked
from readers.engine.labels.counts import (
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


def test_codes_count_once_a_reading_over_those_that_somebody_is_done_with() -> None:
    table = counts.by_code(found())
    assert table.rows == ("N1", "B2", "M1", "N3", "R1")
    cell = table.at("N1", "all readings")
    assert (cell.count, cell.of, cell.share, cell.runs) == (2, 4, 0.5, ("r1", "r2"))
    assert (cell.low, cell.high) == pytest.approx(wilson(2, 4))
    assert table.at("X2", "all readings").count == 0  # not done, removed, or no reading of the project


def test_by_reader_and_by_model() -> None:
    readers = counts.by_reader(found())
    assert readers.columns == ("memwalker", "memagent")
    assert readers.totals == {"memwalker": 2, "memagent": 2}
    assert (readers.at("N1", "memwalker").share, readers.at("N1", "memagent").share) == (1.0, 0.0)
    assert readers.at("N1", "memagent").high == pytest.approx(wilson(0, 2)[1])  # type: ignore[index]
    assert readers.at("M1", "memagent").runs == ("r3",)
    assert readers.at("M1", "nobody").share is None
    models = counts.by_model(found())
    assert (models.at("N1", "small").count, models.at("N1", "small").of) == (1, 3)
    assert (models.at("N1", "large").count, models.at("N1", "large").of) == (1, 1)


def test_by_kind_of_step() -> None:
    table = counts.by_kind(found())
    assert table.totals == {"build: segments": 2, "build: level": 2, "walk": 6, "chunk": 4, "answer": 2}
    cell = table.at("N1", "walk")
    assert (cell.count, cell.of, cell.runs) == (2, 6, ("r1", "r2"))
    assert table.at("M1", "chunk").count == 1
    twice = CodesByStep([coded("r1", "ada", 3, "N1"), coded("r1", "ada", 4, "N1")], ABOUT, done=DONE)
    assert (counts.by_kind(twice).at("N1", "walk").count, counts.by_kind(twice).at("N1", "walk").runs) == (2, ("r1",))


def test_a_step_that_the_reading_does_not_have_is_no_error() -> None:
    table = counts.by_kind(CodesByStep([coded("r1", "ada", 99, "N1")], ABOUT, done=DONE))
    assert (table.at("N1", UNKNOWN).count, table.at("N1", UNKNOWN).of) == (1, 1)


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
    table = counts.turning_points(found())
    assert table.at("build: segments", "build: level").runs == ("r1",)
    assert table.at("walk", "walk").runs == ("r2",)
    assert table.at(BEGINNING, "chunk").runs == ("r3",)
    assert sum(cell.count for cell in table.cells.values()) == 3  # r4 has no code
    assert table.totals == {"build: level": 1, "walk": 1, "chunk": 1}


def test_which_codes_go_together() -> None:
    pairs = {(pair.one, pair.other): pair for pair in counts.together(found())}
    assert set(pairs) == {("B2", "N1"), ("B2", "R1"), ("N1", "R1"), ("N1", "N3")}
    pair = pairs["B2", "N1"]
    assert pair.either_runs == ("r1", "r2")
    assert all(len(one.either_runs) == one.either and set(one.runs) <= set(one.either_runs) for one in pairs.values())
    assert (pair.both, pair.either, pair.lift, pair.runs) == (1, 2, 2.0, ("r1",))  # 1/4 together; 1/4 and 2/4 apart
    assert counts.together(found())[0].both == max(pair.both for pair in pairs.values())


def test_the_time_of_a_reading() -> None:
    spent = [TimeSpent(f"r{n}", "ada", 1000 * n) for n in range(1, 6)] + [TimeSpent("r1", "bo", 4000), TimeSpent("r2", "bo", 0)]
    found = times(spent, lambda turn: turn.annotator)
    ada = found["ada"]
    assert (ada.count, ada.median, ada.low, ada.high, ada.total) == (5, 3.0, 2.0, 4.0, 15.0)
    assert ada.runs == ("r5", "r4", "r3", "r2", "r1")
    assert (found["bo"].count, found["bo"].median, found["bo"].low, found["bo"].high) == (1, 4.0, 4.0, 4.0)
    assert times([], lambda turn: turn.run) == {}


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
    for make in (counts.by_code, counts.by_reader, counts.by_model, counts.by_kind, counts.turning_points):
        assert make(nothing).rows == ()
    assert counts.together(nothing) == []
