"""Ratings of many answers: what is left to rate, what is resumed, and the columns that they are in a table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from readers import get
from readers.engine.analysis.evaluate.evaluated import evaluate
from readers.engine.analysis.evaluate.rated import raters, with_ratings
from readers.engine.analysis.evaluate.table import scores_of
from readers.engine.errors import ModelFailed
from readers.engine.forks import rate_many
from readers.engine.models.call import Call
from readers.engine.questions.question_set import SetQuestion
from readers.engine.run.batches import CellResult
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Run, Store
from readers.engine.store.batches import BatchCell
from readers.engine.text.document import Document
from tests.support.models.scripted_models import Scripted

DOCUMENT = Document.of("Hale kept the lamp. " * 9)
TERMS = {"model": "local/one", "api_base": None, "temperature": 0.0}


def result(store: Store, number: int, answer: str) -> CellResult:
    asked = SetQuestion(f"q{number}", DOCUMENT.id, "Who kept it?", answers=("Ada Hale",), answerable=True)
    reader = get("whole")
    made = create_run(store, DOCUMENT, reader, RunSpec(reader.id, reader.version, asked.question))
    run = execute(store, made.id, reader, Execution(Scripted(lambda call: "Hale.")))
    return CellResult(
        BatchCell(number, 0, DOCUMENT.id, run.id, None, run.status, "answered"), asked, replace(run, answer=answer), None
    )


def rate(store: Store, run: Run, *replies: str) -> None:
    left = list(replies)

    def reply(call: Call) -> str:
        if not left:
            raise ModelFailed("the server is away")
        return left.pop(0)

    execute(store, run.id, get(run.reader), Execution(Scripted(reply), concurrency=1))


def test_what_was_rated_is_not_asked_again_and_what_failed_is_resumed(store: Store) -> None:
    results = [result(store, n, answer) for n, answer in enumerate(("Hale.", "Ben.", " "))]
    answers = rate_many.answers(results, "lr")
    assert [one.run.id for one in answers] == [one.run.id for one in results[:2] if one.run]  # an empty answer is not rated
    first = rate_many.plan(store, answers, "lr", "local/one")
    assert (first.done, first.work.resumable, first.price.calls) == (0, 2, (4, 4))
    before = rate_many.stands(store, [one.run.id for one in answers])
    runs = rate_many.ask(store, first, TERMS)
    rate(store, runs[0], "DIFFERENT", "PARTLY")
    rate(store, runs[1], "DIFFERENT")
    assert rate_many.stands(store, [one.run.id for one in answers]) != before
    again = rate_many.plan(store, answers, "lr", "local/one")
    assert (again.done, [one.id for one in again.stopped], again.new, again.price.calls) == (1, [runs[1].id], (), (0, 0))
    assert rate_many.ask(store, again, TERMS)[0].id == runs[1].id
    other = [answers[0], replace(answers[1], asked=answers[1].asked._replace(answer="Another."))]
    assert len(rate_many.plan(store, other, "lr", "local/one").new) == 1
    assert rate_many.plan(store, answers, "lr", "local/other").work.left == 2
    assert rate_many.plan(store, rate_many.answers(results, "helmet"), "helmet", "local/one").work.left == 2


def test_ratings_are_columns_in_which_an_empty_answer_counts_nothing(store: Store) -> None:
    results = [result(store, n, answer) for n, answer in enumerate(("Hale.", "", "Ben."))]
    found = evaluate(store, results, names=["Whole"])
    (lr,) = rate_many.ask(store, rate_many.plan(store, rate_many.answers(results[:1], "lr"), "lr", "local/one"), TERMS)
    rate(store, lr, "DIFFERENT", "PARTLY")
    judged = rate_many.plan(store, rate_many.answers(results[:1], "helmet"), "helmet", "local/one")
    (helmet,) = rate_many.ask(store, judged, TERMS)
    rate(store, helmet, "FLUENT", "MIXED")
    said = rate_many.said_of(store, [one.run.id for one in results if one.run])
    rated = scores_of(with_ratings(found, said).rows)
    cells = {name: cell for name in ("lr_1", "lr_2", "helmet") if (cell := rated.cell("Whole", name))}
    assert {name: cell.asked.value for name, cell in cells.items()} == {"lr_1": 0.0, "lr_2": 0.5, "helmet": pytest.approx(1 / 3)}
    assert [cell.unscored for cell in cells.values()] == [1, 1, 1]  # the third answer has no rating yet
    assert [(one.kind, one.models, one.answers, one.agreement) for one in raters(said)] == [
        ("lr", ("local/one",), 1, ()), ("helmet", ("local/one",), 1, ()),
    ]  # fmt: skip
    assert with_ratings(found, {}).rows == found.rows
