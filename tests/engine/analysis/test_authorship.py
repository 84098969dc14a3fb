"""Whose words a reading shows: of a fork a person's where a person wrote them, call by call, and the model's everywhere else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from components.html import prompt_stretches
from components.player import data
from readers import get
from readers.engine.analysis import authorship
from readers.engine.analysis.authorship import BOTH, MODEL, PERSON, RULE
from readers.engine.forks.fork import fork
from readers.engine.models import catalogue
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.record.edits import Edit, ModelEdit, ReplyEdit, WrittenEdit
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Store, open_reading
from readers.engine.text.document import Document
from tests.support.paths import LAMP
from tests.support.readings.every_reading import reading
from tests.support.readings.shipped_readings import shipped_reading

QUESTION = "What had the naval assessor noticed on the crane post when he strolled about the harbour?"
SMALL: dict[str, dict[str, Any]] = {
    "memwalker": {"segment_tokens": 100, "max_children": 4},
    "readagent": {"min_words": 100, "max_words": 250},
    "memagent": {"chunk_tokens": 100, "memory_tokens": 64},
    "qrmem": {"segment_tokens": 200, "window_tokens": 600},
}


class Somebody:
    """A person who replies as the offline model would."""

    def complete(self, call: Call) -> Reply:
        return replace(Offline().complete(replace(call, settings=replace(call.settings, model="offline/extractive"))))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(tmp_path_factory.mktemp("hands") / "palimpsest.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def text() -> Document:
    return Document.of(LAMP.read_text(encoding="utf-8")[12_000:16_000], title="Some of the lamp")


def read(store: Store, text: Document, reader: str, *, model: str = "offline/extractive") -> Reading:
    spec = RunSpec(reader, get(reader).version, QUESTION, options=SMALL[reader], model=model, reuse=model != catalogue.HUMAN)
    by = Execution(Somebody() if model == catalogue.HUMAN else Offline())
    return open_reading(store, execute(store, create_run(store, text, get(reader), spec).id, get(reader), by).id)


def changed(store: Store, parent: Reading, edit: Edit) -> Reading:
    reader = get(parent.run.reader)
    return open_reading(store, execute(store, fork(store, parent, reader, edit).id, reader, Execution(Offline())).id)


def authorship_of(reading: Reading) -> authorship.Authorship:
    return authorship.of(reading.trace, reading.run, reading.records)


def cards(frames: dict[str, Any]) -> list[tuple[int, str]]:
    """The steps with a stated reason, and who gave it."""
    made = [(number, step.get("decision", {})) for number, step in enumerate(frames["steps"])]
    return [(number, card["by"]) for number, card in made if card.get("by_model")]


def test_an_edited_reply_is_a_persons_at_its_step_and_nowhere_else(kept: Store, text: Document) -> None:
    parent = read(kept, text, "memwalker")
    assert {by for _, by in cards(data.of(parent))} == {MODEL}
    assert set(data.of(parent)["by"].values()) == {RULE}
    triage = next(record for record in parent.records if record.task == "choose")
    done = changed(kept, parent, ReplyEdit(triage.seq, triage.attempt, f"{triage.reply} "))
    (first, by), *later = cards(data.of(done))
    asked = done.trace.steps[first]
    assert any(getattr(event, "seq", None) == triage.seq for event in done.trace.of(asked))
    assert by == PERSON
    assert later
    assert {by for _, by in later} == {MODEL}
    assert set(data.of(done)["by"].values()) == {RULE}


@pytest.mark.parametrize("reader", SMALL)
def test_what_a_person_replied_to_a_whole_reading_is_theirs_in_every_picture(kept: Store, text: Document, reader: str) -> None:
    done = read(kept, text, reader, model=catalogue.HUMAN)
    frames = data.of(done)
    assert set(frames["by"]) == {f"wrote:{n}" for n in done.trace.wrote}
    assert set(frames["by"].values()) <= {PERSON, RULE}
    assert {by for _, by in cards(frames)} <= {PERSON}
    refs = {
        "memwalker": [f"wrote:{node['id']}" for node in frames["picture"].get("nodes", ()) if reader == "memwalker"],
        "readagent": [page["ref"] for page in frames["picture"].get("pages", ())],
        "memagent": [snapshot["ref"] for snapshot in frames["picture"].get("snapshots", ())],
        "qrmem": [
            ref for card in frames["picture"].get("cards", {}).values() for r in card["relations"] for _, ref, *_ in r["said"]
        ],
    }[reader]
    assert refs
    assert {frames["by"].get(ref) for ref in refs if frames["by"].get(ref) != RULE} == {PERSON}


def test_a_changed_text_is_a_persons_and_what_is_put_together_of_it_is_both_theirs(kept: Store, text: Document) -> None:
    parent = read(kept, text, "memwalker")
    leaf = parent.trace.wrote[0]
    done = changed(kept, parent, WrittenEdit(leaf.n, leaf.role, leaf.text, "All of it is about kettles."))
    assert not any(record.origin == "edited" for record in done.records)
    above = next(n for n, wrote in done.trace.wrote.items() if 0 in done.trace.parent_texts(wrote.pieces))
    assert (authorship_of(done).wrote[0], authorship_of(done).wrote[1], authorship_of(done).wrote[above]) == (PERSON, MODEL, BOTH)
    asked = next(record for record in done.records if record.task == "answer_or_decline" or record.task == "choose")
    sources = prompt_stretches.of_record(asked, kept.runs.tape(done.run.id).prompts()[asked.prompt], done)
    assert "model" in {source for _, source, _ in sources}


def test_what_a_person_wrote_stands_in_a_prompt_as_theirs(kept: Store, text: Document) -> None:
    parent = read(kept, text, "memagent")
    first = parent.trace.wrote[0]
    done = changed(kept, parent, WrittenEdit(first.n, first.role, first.text, "It is all about kettles."))
    prompts = kept.runs.tape(done.run.id).prompts()
    second, third = (record for record in done.records if record.seq in (1, 2))
    told = {words: source for words, source, _ in prompt_stretches.of_record(second, prompts[second.prompt], done)}
    assert told["It is all about kettles."] == "person"
    assert "person" not in {source for _, source, _ in prompt_stretches.of_record(third, prompts[third.prompt], done)}


def test_a_reading_that_goes_on_knows_its_changed_reply(kept: Store, text: Document) -> None:
    parent = read(kept, text, "memwalker")
    triage = next(record for record in parent.records if record.task == "choose")
    done = changed(kept, parent, ReplyEdit(triage.seq, triage.attempt, f"{triage.reply} "))
    assert cards(data.so_far(done.run, text, done.trace.events)) == cards(data.of(done))


def test_a_switch_to_a_person_makes_the_calls_from_there_on_theirs(kept: Store, text: Document) -> None:
    parent = read(kept, text, "memwalker")
    last = max(record.seq for record in parent.records)
    made = fork(kept, parent, get("memwalker"), ModelEdit(last, catalogue.HUMAN))
    execute(kept, made.id, get("memwalker"), Execution(Somebody()))
    done = open_reading(kept, made.id)
    assert authorship_of(done).calls == {last}
    assert [by for _, by in cards(data.of(done))][-2:] == [MODEL, PERSON]


def test_a_text_that_a_rule_took_from_the_document_or_joined_from_others_is_not_said_to_be_the_models() -> None:
    """Of the summaries of parts, the first was joined from cut ones; a memory that was kept unchanged stays the model's."""
    trace = shipped_reading("memwalker-bridge-boiler.json").trace
    assert authorship.Authorship(trace).not_the_model_alone() == {"wrote:11": RULE}
    net = shipped_reading("qrmem-sarn-three-bars.json").trace
    named = [f"wrote:{n}" for n, wrote in net.wrote.items() if wrote.role == "entity"]
    assert {RULE} == {authorship.Authorship(net).not_the_model_alone()[ref] for ref in named}
    kept = authorship.Authorship(reading("memagent")).not_the_model_alone()
    assert kept == {}
