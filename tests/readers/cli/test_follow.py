"""`follow` on the command line: the fate of a place in the text, and of a question's evidence."""

from __future__ import annotations

import json
import re

import pytest

from readers import get
from readers.__main__ import main
from readers.engine.forks import judge, nearness, stands_on
from readers.engine.forks.experiments import Sampling
from readers.engine.models import catalogue
from readers.engine.models.call import Call
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store, open_reading
from readers.engine.text.document import Document, Span
from readers.engine.text.plant import Planted
from readers.engine.work import Price, Range
from tests.readers.every_reader.test_fates import DOCUMENT, MEMORIES
from tests.readers.every_reader.test_fates import FACT as BELL
from tests.readers.every_reader.test_fates import OPTIONS as SMALL
from tests.support.models.scripted_models import Scripted

TEXT = "The ferry was sold to a Greek. " * 30 + "The parrot was called Admiral Benbow. " + "It rained on the pier. " * 30
FACT = TEXT.index("The parrot")


@pytest.fixture
def run_id(store: Store) -> str:
    reader = get("whole")
    spec = RunSpec(reader.id, reader.version, "What was the parrot called?")
    return execute(store, create_run(store, Document.of(TEXT), reader, spec).id, reader, Execution(Offline())).id


def test_a_place_is_followed_to_the_answer(run_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["follow", run_id, "--span", str(FACT), str(FACT + 37)]) == 0
    said = capsys.readouterr().out
    assert "“The parrot was called Admiral Benbow.”" in said
    assert "used: The answering call contained it, raw, and the answer repeats its words: Admiral and Benbow." in said
    assert main(["follow", run_id, "--span", str(FACT), str(FACT + 37), "--json"]) == 0
    (fact,) = json.loads(capsys.readouterr().out)
    assert (fact["fate"], fact["step"], [moment["state"] for moment in fact["moments"]]) == ("used", 1, ["answering"])


def test_a_planted_sentence_is_followed_without_naming_its_place(
    run_id: str, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["follow", run_id, "--planted"]) == 2
    assert "no sentence was planted in this text" in capsys.readouterr().err
    store.planted.add(Planted(Document.of(TEXT), Span(FACT, FACT + 37)))
    assert main(["follow", run_id, "--planted"]) == 0
    assert "“The parrot was called Admiral Benbow.”\n  used:" in capsys.readouterr().out


def test_each_sentence_of_the_answer_has_the_nearest_of_the_text(run_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["follow", run_id, "--answer"]) == 0
    said = capsys.readouterr().out
    assert f"Supports it, by its words: characters {FACT} to {FACT + 38}: “The parrot was called Admiral Benbow.”" in said
    assert main(["follow", run_id, "--answer", "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)
    assert (one["supports"], one["words"]) == (True, "The parrot was called Admiral Benbow. ")


def test_what_the_question_asks_about_and_the_nearest_sentence_lacks_is_named(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    reader = get("whole")
    spec = RunSpec(reader.id, reader.version, "Where was the parrot hatched?")
    answering = Execution(Scripted(lambda call: "The parrot was called Admiral Benbow."))
    run = execute(store, create_run(store, Document.of(TEXT), reader, spec).id, reader, answering)
    assert main(["follow", run.id, "--answer"]) == 0
    said = capsys.readouterr().out
    assert "Nearest to it by its words, which need not mean that it is stated there (“hatched” not there)" in said
    assert "Supports it" not in said


def test_an_embedding_model_changes_what_is_nearest_is_priced_and_compares_once(
    store: Store, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = get("whole")
    spec = RunSpec(reader.id, reader.version, "What was the parrot called?")
    answering = Execution(Scripted(lambda call: "Somebody in Greece."))
    run = execute(store, create_run(store, Document.of(TEXT), reader, spec).id, reader, answering)
    asked = ["follow", run.id, "--answer", "--embedding", "some/embedder"]
    monkeypatch.setattr(Offline, "embeds_by", "word_recall", raising=False)
    monkeypatch.setattr(nearness, "cost_of", lambda *_: Range(0.1, 0.2))
    assert main(asked) == 0
    out, err = capsys.readouterr()
    assert "62 sentences to some/embedder: 1 call, cost at most $0.20" in err
    assert "Nearest to it by its words and the embeddings of some/embedder, which need not mean that it is stated there" in out
    assert "“The parrot was called Admiral Benbow.”" in out
    monkeypatch.setattr(Offline, "embeds_by", "no scorer: a second comparison would fail")
    assert main([*asked, "--json"]) == 0
    out, err = capsys.readouterr()
    assert [one["embedding_model"] for one in json.loads(out)] == ["some/embedder"]
    assert err == ""
    assert main([*asked, "--try"]) == 2
    assert "--embedding ranks what the answer is nearest to" in capsys.readouterr().err


def test_a_place_outside_the_text_and_evidence_nobody_gave_are_refused(run_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["follow", run_id, "--span", "5", "999999"]) == 2
    assert f"--span 5 999999 is not a place in a text of {len(TEXT):,} characters" in capsys.readouterr().err
    assert main(["follow", run_id, "--evidence"]) == 2
    assert "it is not known where the text answers this question" in capsys.readouterr().err


def test_an_answer_is_tried_without_sentences_of_its_prompt(
    run_id: str, store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["follow", run_id, "--answer", "--try"]) == 0
    out, err = capsys.readouterr()
    assert "3 to 60 calls, cost free; about 16 if the answer stands on one of the 61 sentences" in err
    assert out.startswith(
        "Asked unchanged, the answer changed in 0 of 3.\nLeaving out one sentence changed the answer in 3 of 3:\n"
    )
    assert f"  characters {FACT:,} to {FACT + 37:,} of the text, raw: “The parrot was called Admiral Benbow.”" in out
    assert "Leaving out all the rest together did not change it. " in out
    assert " calls were made, of at most 60.\n" in out
    assert main(["follow", run_id, "--answer", "--try", "--json", "--budget", "4"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["end"], found["calls"], found["unchanged"], found["groups"]) == (
        "out of calls", 4, {"changed": 0, "of": 3}, []
    )  # fmt: skip
    with monkeypatch.context() as earlier:
        earlier.setattr(stands_on.Tries, "version", 1)
        begun = stands_on.try_answer(store, open_reading(store, run_id), get("whole"), Sampling(3))
        store.runs.settle(begun.id, "interrupted")
    assert main(["follow", run_id, "--answer", "--try"]) == 0
    assert "Resuming" not in capsys.readouterr().err
    assert main(["follow", run_id, "--span", "1", "5", "--try"]) == 2
    assert "give it with --answer" in capsys.readouterr().err


def test_what_would_mend_it_is_offered_with_its_price_and_tried(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    reader = get("memagent")
    spec = RunSpec(reader.id, reader.version, "What did the dealer pay?", options=SMALL["memagent"])
    overwritten = Execution(MEMORIES[3].part.model())
    lost = execute(store, create_run(store, DOCUMENT, reader, spec).id, reader, overwritten).id
    start = DOCUMENT.text.index(BELL)
    asked = ["follow", lost, "--span", str(start), str(start + len(BELL)), "--mend"]
    assert main(asked) == 0
    assert re.search(
        r"overwritten: .*\n  1\. Put the sentence into the memory after chunk 8: 12 readings, 24 calls, cost free\n",
        capsys.readouterr().out,
    )
    assert main([*asked, "--run", "--repeats", "1"]) == 0
    assert re.search(r"\nThe answer changed in [01] of 1; unchanged [01] of 1\.\n\Z", capsys.readouterr().out)
    assert main([*asked, "--run", "--offer", "2"]) == 2
    assert "there is no offer 2; this reading has 1, counted from 1" in capsys.readouterr().err
    assert main(["follow", lost, "--answer", "--mend"]) == 2
    assert main(["follow", lost, "--evidence", "--run"]) == 2


def test_a_judge_is_asked_of_every_text_and_its_verdict_stands_beside_that_of_the_words(
    store: Store, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = get("memagent")
    spec = RunSpec(reader.id, reader.version, "What was the parrot called?", options={"chunk_tokens": 256})
    run = execute(store, create_run(store, Document.of(TEXT), reader, spec).id, reader, Execution(Offline()))
    place = ["--span", str(FACT), str(FACT + 37)]
    assert main(["follow", run.id, *place, "--judge", "offline/extractive"]) == 2
    assert "a judge is a language model" in capsys.readouterr().err
    asked: list[Call] = []

    def reply(call: Call) -> str:
        asked.append(call)
        return "MISSING"

    monkeypatch.setattr(catalogue, "open_model", lambda model, **_: Scripted(reply))
    monkeypatch.setattr(judge, "price", lambda pairs, model: Price(Range(len(pairs), len(pairs)), Range(0, 0)))
    assert main(["follow", run.id, *place, "--judge", "local/judge"]) == 0
    out, err = capsys.readouterr()
    assert f"{len(asked)} call" in err
    assert out.count("; the judge judge (local) says: no longer said") == len(asked) > 0
    assert "The memory after chunk 2: still said, by its words; the judge judge (local) says: no longer said" in out
    assert "used: The answering call contained it" in out
    assert main(["follow", run.id, *place, "--judge", "local/judge", "--json"]) == 0
    (fact,) = json.loads(capsys.readouterr().out)
    assert {(one["judge"], one["model"]) for one in fact["judged"]} == {("does not say it", "local/judge")}
    assert main(["follow", run.id, "--answer", "--judge", "local/judge"]) == 2
