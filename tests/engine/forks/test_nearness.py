"""The text compared with an answer by an embedding model: each sentence once, on record, resumed without being sent again."""

from __future__ import annotations

import json

import pytest

from readers import get, offered
from readers.engine.errors import BadOptions, ModelFailed, NotFound
from readers.engine.forks import nearness
from readers.engine.forks.experiments import experiments_of
from readers.engine.forks.nearness import compare, compared, comparisons, model_of, price
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.text.document import Document
from readers.engine.work import Range

SENTENCES = [f"On day {n} it rained on the pier." for n in range(6)]
PARROT = "The parrot was called Admiral Benbow."
TEXT = " ".join([*SENTENCES, PARROT, "…"])
TERMS = {"model": "offline/extractive", "api_base": None}


class Embedder:
    """An embedding model by a script: a text is as similar as it has the word `parrot`. It fails at call `fails`."""

    has_scores = True

    def __init__(self, *, fails: int | None = None) -> None:
        self.calls: list[Call] = []
        self.fails = fails

    def complete(self, call: Call) -> Reply:
        if len(self.calls) == self.fails:
            raise ModelFailed("the server is gone")
        self.calls.append(call)
        return Reply(json.dumps([float("parrot" in text) for text in call.part("texts")]), 7, 0, 0.001)


@pytest.fixture
def reading(store: Store) -> Reading:
    reader = get("whole")
    spec = RunSpec(reader.id, reader.version, "What was the parrot called?")
    run = execute(store, create_run(store, Document.of(TEXT), reader, spec).id, reader, Execution(Offline()))
    return open_reading(store, run.id)


def compare_by(store: Store, run: Run, embedder: Embedder) -> Run:
    return execute(store, run.id, get(run.reader), Execution(embedder, concurrency=1))


def test_every_sentence_is_compared_and_the_scores_are_on_record(
    store: Store, reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearness, "AT_ONCE", 4)
    monkeypatch.setattr(nearness, "cost_of", lambda model, sent, received: Range(sent.low, sent.high))
    embedder = Embedder()
    run = compare(store, reading, "some/embedder", TERMS)
    assert comparisons(store, reading.run.id) == []
    done = compare_by(store, run, embedder)
    assert (done.status, model_of(done)) == ("finished", "some/embedder")
    assert {call.settings.model for call in embedder.calls} == {"embedding/some/embedder"}
    assert [len(call.part("texts")) for call in embedder.calls] == [4, 3]
    assert embedder.calls[0].part("query") == (f"What was the parrot called? {reading.run.answer}",)
    (scores,) = compared(open_reading(store, done.id)).values()
    assert [TEXT[slice(*place)].strip() for place, score in scores.items() if score] == [PARROT]
    assert len(scores) == 7
    told = price(reading, "some/embedder")
    assert (told.of, told.calls) == (8, (2, 2))
    assert told.cost == told.tokens_in
    assert 40 < told.tokens_in.low < told.tokens_in.high < 150
    assert comparisons(store, reading.run.id) == [done]
    assert [made.reader for made in experiments_of(store, reading.run.id)] == ["nearness"]
    assert store.runs.listed() == [reading.run]
    assert (store.runs.tape(done.id).spent().tokens, store.runs.tape(done.id).spent().usd) == (14, pytest.approx(0.002))


def test_an_interrupted_comparison_is_resumed_and_pays_for_no_sentence_twice(
    store: Store, reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearness, "AT_ONCE", 4)
    run = compare(store, reading, "some/embedder", TERMS)
    assert compare_by(store, run, Embedder(fails=1)).status == "failed"
    assert comparisons(store, reading.run.id) == []
    again = Embedder()
    assert compare_by(store, run, again).status == "finished"
    assert [call.seq for call in again.calls] == [1]


def test_what_cannot_be_compared_is_refused_and_nobody_can_choose_the_reader(store: Store, reading: Reading) -> None:
    for model in ("", "offline/extractive", "local/smollm2"):
        with pytest.raises(BadOptions, match="is not an embedding model"):
            compare(store, reading, model, TERMS)
    unanswered = reading._replace(run=Run("r1", reading.document.id, "whole", "Who?", {}, "failed"))
    with pytest.raises(BadOptions, match="has no answer to compare"):
        price(unanswered, "some/embedder")
    with pytest.raises(NotFound):
        offered(nearness.ID)
