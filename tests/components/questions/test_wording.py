"""The words of the Questions page: states, progress, estimates, known answers, variants and grades."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from components.html.words import wording, work_words
from components.questions import batch as batch_page
from readers.engine.questions.grading import Grade
from readers.engine.questions.question_set import SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan, CellResult
from readers.engine.store import Run
from readers.engine.store.batches import Batch, BatchCell
from readers.engine.text.document import Span
from readers.engine.work import Price, Range, Work
from tests.support.specs import current_spec


def result(**columns: Any) -> CellResult:
    cell = BatchCell(0, 0, "d", columns.pop("run", None), columns.pop("error", None), None, None)
    made = (
        Run("r", "d", "whole", "?", {}, columns.pop("status"), outcome=columns.pop("outcome", None))
        if "status" in columns
        else None
    )
    return CellResult(cell, SetQuestion("q", "d", "?"), made, columns.pop("grade", None))


def test_the_states_of_a_batch_and_its_readings() -> None:
    batch = Batch("b", "B", "s", "2026-01-01T00:00:00+00:00", {"variants": [1]})
    none = Work(0, 10)
    assert work_words.batch_state(batch, replace(none, left=4), going=True).word == "reading"
    assert work_words.batch_state(Batch(**{**batch.__dict__, "cancelled": True}), none, going=True).word == "stopping"
    assert (
        work_words.batch_state(Batch(**{**batch.__dict__, "cancelled": True}), replace(none, left=4), going=False).word
        == "stopped"
    )
    assert work_words.batch_state(batch, replace(none, left=4), going=False).word == "interrupted"
    assert work_words.batch_state(batch, replace(none, failed=2, refused=1), going=False).word == "3 failed"
    assert work_words.batch_state(batch, replace(none, done=10), going=False).word == "all read"
    assert batch_page.result_chip(result()).word == "not read yet"
    assert batch_page.result_chip(result(error="x")).word == "could not start"
    assert batch_page.result_chip(result(status="failed")).word == "failed"
    graded = Grade("partly", "Why.", certainty="likely")
    assert batch_page.result_chip(result(status="finished", grade=graded)) == wording.verdict_chip(graded)
    assert batch_page.matches_filter(result(error="x"), batch_page.FAILED)
    assert batch_page.matches_filter(result(), batch_page.OPEN)
    assert not batch_page.matches_filter(result(status="failed"), batch_page.OPEN)
    assert batch_page.matches_filter(result(status="finished", grade=Grade("wrong", "")), "wrong")


def test_progress_shows_the_time_left_only_once_it_can_be_estimated() -> None:
    progress = Work(5, 10, going=1, failed=1, refused=1, left=2)
    assert work_words.progress_facts(progress, 1.0, 3) == ["5 of 10 read", "1 running", "2 failed"]
    assert work_words.progress_facts(progress, 30.0, 5)[-1] == "about 18 seconds left"


def test_an_estimate_in_words() -> None:
    found = Price(Range(1_234, 5_678), Range(5, 5), cost=None, of=40, whole=False, open_end=True, note="3 of 35 texts sampled")
    rows = work_words.price_rows(found, of="Readings")
    assert rows[1] == ("Calls to the model", "at least 1,200 to 5,700", "3 of 35 texts sampled")
    assert rows[4] == ("Cost", "unknown", "no price is known for this model")
    assert work_words.price_rows(replace(found, cost=Range(0.1, 2.0), open_end=False), of="Readings")[4][:2] == (
        "Cost",
        "$0.10 to $2.00",
    )


def test_the_known_answer_in_words() -> None:
    asked = SetQuestion("q", "d", "?", answers=("five", "5"), answerable=True, evidence=(Span(0, 1),))
    assert work_words.known_answer(asked) == "five (and 1 more); 1 known place in the text"
    asked = replace(asked, distractors=(Span(0, 1), Span(2, 3)))
    assert work_words.known_answer(asked) == "five (and 1 more); 1 known place in the text; 2 distractors"
    assert work_words.known_answer(SetQuestion("q", "d", "?", answerable=False)) == "The text does not answer it."
    assert work_words.known_answer(SetQuestion("q", "d", "?")) == ""
    assert work_words.known_answer(SetQuestion("q", "d", "?", choices=("one", "two"), answers=("two",))) == "(B) is right"
    chosen = SetQuestion("q", "d", "?", choices=("a", "b"), answers=("b",), answerable=True)
    assert (batch_page.right_answer(chosen), work_words.marked_choices(chosen)) == (
        "(B) b",
        [("a", False), ("b", True)],
    )
    assert batch_page.right_answer(SetQuestion("q", "d", "?", answerable=False)) == "The text does not answer it"


def test_variants_with_equal_names_show_their_options() -> None:
    plan = BatchPlan((current_spec("whole", "", options={"keep": "left"}), current_spec("whole", "", options={"keep": "right"})))
    offline = "offline model (no neural network)"
    assert batches.variant_names(plan, {"whole": "Whole text"}.__getitem__) == [
        f"Whole text · {offline} (keep left)",
        f"Whole text · {offline} (keep right)",
    ]
    assert batches.variant_names(BatchPlan(plan.variants[:1]), str) == [f"whole · {offline}"]


def test_the_table_of_grades_has_only_grades_that_occur_and_adds_up() -> None:
    results = [
        result(status="finished", grade=Grade(outcome, "")) for outcome in ("correct", "correct", "wrong", "not_judgeable")
    ]
    table = batch_page.outcome_table(results, ["A"])
    assert [column.name for column in table.columns] == ["Right", "Wrong", "Cannot be told by rule", "Total"]
    assert [(row.name, *(cell.content for cell in row.cells)) for row in table.rows] == [
        ("A", "2 (50%)", "1 (25%)", "1 (25%)", "4")
    ]
