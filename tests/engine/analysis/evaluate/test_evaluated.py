"""Which readings of a batch are evaluated, by which scores, and by what they can be sliced."""

from __future__ import annotations

from dataclasses import replace

import pytest

from readers import get
from readers.engine.analysis.evaluate.evaluated import (
    LENGTH,
    Evaluated,
    Evaluation,
    applying,
    evaluate,
    scores_for,
    sliced,
)
from readers.engine.analysis.evaluate.scores import scores_of
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionField, SetQuestion
from readers.engine.questions.scores import Scored
from readers.engine.questions.scores.score import ONLY_AFTER_ITS_WORDS
from readers.engine.run.batches import CellResult
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Run, Store
from readers.engine.store.batches import BatchCell
from readers.engine.text.document import Document, Span

SHORT, LONG = Document.of("Ann lit it. " * 5, title="Short"), Document.of("Ben rowed out. " * 800, title="Long")
ASKED = (
    SetQuestion("a", SHORT.id, "Who lit it?", answers=("Ann",), answerable=True, fields=(QuestionField("hops", "1"),)),
    SetQuestion(
        "b", LONG.id, "Who rowed?", answers=("Ben",), answerable=True, evidence=(Span(6000, 6010),),
        fields=(QuestionField("hops", "2"),),
    ),
    SetQuestion("c", LONG.id, "Why?"),
)  # fmt: skip


def cell(number: int, variant: int, answer: str | None, status: str = "finished") -> CellResult:
    asked, outcome = ASKED[number], "answered" if answer else None
    run = Run(f"r{number}{variant}", asked.document, "whole", asked.question, {"model": "m"}, "queued")
    run = replace(run, status=status, outcome=outcome, answer=answer)
    return CellResult(BatchCell(number, variant, asked.document, run.id, None, status, outcome), asked, run, None)


@pytest.fixture
def found(store: Store) -> Evaluation:
    for document in (SHORT, LONG):
        store.documents.add(document)
    results = [
        cell(0, 0, "Ann"), cell(1, 0, None, "failed"), cell(2, 0, "Because."),
        cell(0, 1, "Ann"), cell(1, 1, "Ben"), cell(2, 1, None, "running"),
        CellResult(BatchCell(1, 2, LONG.id, None, "no key", None, None), ASKED[1], None, None),
    ]  # fmt: skip
    return evaluate(store, results, names=["Tree", "Pages", "Net"])


def test_a_failure_counts_as_no_answer_and_what_has_not_ended_or_nobody_knows_is_left_out(found: Evaluation) -> None:
    assert (found.unfinished, found.unknown, found.hidden) == (1, 1, 0)
    assert [one.name for one in found.scores] == ["exact_match", "f1", "substring", "rouge_1", "rouge_2", "rouge_l"]
    means = {
        reader: cell.asked.value for reader in ("Tree", "Pages", "Net") if (cell := scores_of(found.readings).cell(reader, "f1"))
    }
    assert means == {"Tree": 0.5, "Pages": 1.0, "Net": 0.0}
    assert [(one.run, one.question, one.reader) for one in found.readings][-1] == ("", "1", "Net")


def test_readings_are_sliced_by_length_and_by_the_fields_of_their_questions(found: Evaluation) -> None:
    assert found.fields == ("hops",)
    assert {value: len(some) for value, some in sliced(found.readings, "hops").items()} == {"1": 2, "2": 3}
    assert {value: len(some) for value, some in sliced(found.readings, LENGTH).items()} == {"up to 1K": 2, "up to 8K": 3}
    assert [one.depth for one in found.readings if one.question == "0"] == [None, None]
    assert found.readings[-1].depth == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("status", ["queued", "running", "waiting", "cancelled", "interrupted"])
def test_a_reading_that_was_stopped_midway_scores_nothing_also_where_no_answer_is_right(store: Store, status: str) -> None:
    store.documents.add(SHORT)
    nowhere = SetQuestion("d", SHORT.id, "Who put it out?", answerable=False)
    found = evaluate(store, [cell(0, 0, "Ann"), cell(0, 1, None, status)._replace(question=nowhere)], names=["Tree", "Pages"])
    assert found.unfinished == 1
    assert found.readers == ["Tree"]


def test_a_score_that_reads_whole_replies_is_given_the_one_that_the_answer_was_taken_from(store: Store) -> None:
    text, reader = Document.of("On Monday the keeper Ann lit the lamp. " * 5), get("memagent")
    run = create_run(store, text, reader, RunSpec("memagent", reader.version, "Who lit the lamp?"))
    execute(store, run.id, reader, Execution(Offline()))
    read, asked = store.runs.get(run.id), replace(ASKED[0], document=text.id)
    result = CellResult(BatchCell(0, 0, text.id, run.id, None, read.status, read.outcome), asked, read, None)
    (reading,) = evaluate(store, [result], names=["Memory"], scores=["sub_em", "sub_em_boxed"]).readings
    assert "box" not in (read.answer or "")
    assert reading.scores == {"sub_em": Scored(1, 0, (ONLY_AFTER_ITS_WORDS,)), "sub_em_boxed": Scored(1, 1)}


def test_slices_by_a_number_are_in_its_order(found: Evaluation) -> None:
    def placed(one: Evaluated, places: str) -> Evaluated:
        return replace(one, asked=replace(one.asked, fields=(QuestionField("places", places),)))

    one = found.readings[0]
    assert list(sliced([placed(one, places) for places in ("1", "10", "3", "2")], "places")) == ["1", "2", "3", "10"]
    assert list(sliced([placed(one, places) for places in ("two", "10", "3")], "places")) == ["two", "10", "3"]


def test_questions_whose_answers_are_hidden_are_left_out_whole(store: Store) -> None:
    store.documents.add(SHORT)
    found = evaluate(store, [cell(0, 0, "Ann")], names=["Tree"], hides=lambda asked: True)
    assert (found.readings, found.scores, found.hidden) == ((), (), 1)


def test_the_scores_are_those_the_benchmark_is_published_with_else_those_that_fit() -> None:
    published = replace(ASKED[0], fields=(QuestionField("scores", "rouge, sub_em, of no name"),))
    assert [one.name for one in scores_for([ASKED[1], published])] == ["rouge_1", "rouge_2", "rouge_l", "sub_em"]
    assert [one.name for one in scores_for([replace(ASKED[0], choices=("Ann", "Ben"))])] == ["accuracy"]
    assert scores_for([replace(ASKED[0], fields=(QuestionField("scores", "of no name"),))])


def test_scores_are_chosen_by_name_and_a_recipes_only_where_they_apply(store: Store) -> None:
    found = evaluate(store, [cell(0, 0, "Ann")], names=["Tree"], scores=["substring", "rouge"])
    assert [one.name for one in found.scores] == ["substring", "rouge_1", "rouge_2", "rouge_l"]
    hotpot = replace(ASKED[0], fields=(QuestionField("benchmark", "HotpotQA"),))
    assert [one.name for one in scores_for([hotpot], names=["f1"])] == ["hotpotqa_f1"]
    choices = replace(ASKED[0], choices=("Ann", "Ben"))
    assert applying(["accuracy", "lr_1", "lookups"], [choices]) == ["accuracy"]
    assert applying(["accuracy"], ASKED) == []
