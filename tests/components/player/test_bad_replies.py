"""A reply that cannot be used is told in plain words by every reader, beside the rule that it broke and what may help."""

from __future__ import annotations

import re

import pytest

from components.html.words import wording
from components.player import data
from readers import READERS, get
from readers.engine.analysis.hints import hints
from readers.engine.analysis.narrate import narrate
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.record.events import Chose, Misread
from readers.engine.record.narrative import WHAT_HELPS
from readers.engine.record.options import REFUSED
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Store, open_reading
from readers.engine.text.document import Document
from tests.support.paths import LAMP
from tests.support.readings.every_reading import SMALL
from tests.support.readings.shipped_readings import every_shipped, shipped_reading

TEXT = Document.of(LAMP.read_text(encoding="utf-8")[13_500:14_700], title="Lamp")
BAD = ("Action: 99", "I cannot help with that request.")  # not in its form, and no text that was asked for
OF_A_FORM = re.compile(r"\\boxed|<\w+>|JSON|'\w+:'|not a number from|-[12]\b")


def read(store: Store, reader_id: str, reply: str, *, always: bool) -> Reading:
    """A reading whose model gives this reply to each call at first, or always."""

    class Model:
        def complete(self, call: Call) -> Reply:
            bad = call.prompt.id != "score" and (always or call.attempt == 0)
            return Reply(reply, 1, 1) if bad else Offline().complete(call)

    reader = get(reader_id)
    asked = RunSpec(reader_id, reader.version, "What had the assessor noticed?", ("red", "green"), options=SMALL[reader_id])
    made = create_run(store, TEXT, reader, asked)
    execute(store, made.id, reader, Execution(Model()))
    return open_reading(store, made.id)


@pytest.mark.parametrize("reply", BAD, ids=["form", "declines"])
@pytest.mark.parametrize("always", [False, True], ids=["once", "always"])
@pytest.mark.parametrize("reader_id", [reader.id for reader in READERS])
def test_a_bad_reply_is_told_in_plain_words_with_the_reply_and_what_may_help(
    reader_id: str, always: bool, reply: str, store: Store
) -> None:
    reading = read(store, reader_id, reply, always=always)
    reader = get(reader_id)
    assert reading.trace.misreads
    hinted = [hint.sentence for hint in hints(reading, reader)]
    sentences = [*narrate(reading.trace, reader), *hinted, *wording.ending(reading.run)]
    assert [words for words in sentences if OF_A_FORM.search(words)] == []
    steps = data.of(reading)["steps"]
    notes = [note for step in steps for note in (step.get("decision") or {"notes": []})["notes"] if note["head"] == "Misread"]
    assert len(notes) == len(reading.trace.misreads)
    assert {note.get("reply") for note in notes} == {reply}
    helped = [note["help"] for note in notes if "help" in note]
    assert helped == [WHAT_HELPS] * sum(
        any(isinstance(event, Misread) for event in reading.trace.of(step)) for step in reading.trace.steps
    )
    assert [note["text"] for note in notes if OF_A_FORM.search(note["text"])] == []
    if reading.run.outcome == "no_answer" and "could not be read" in str(reading.run.error):
        assert wording.ending(reading.run)[-1] == WHAT_HELPS


@every_shipped
def test_where_a_choice_was_refused_all_that_was_offered_stands_with_it(name: str) -> None:
    shipped = shipped_reading(name)
    narrative = get(shipped.run.reader).narrative
    for step, shown in zip(shipped.trace.steps, data.of(shipped)["steps"], strict=True):
        made = [event for event in shipped.trace.of(step) if isinstance(event, Chose) and event.among]
        refused = [event for event in made if narrative.decision(event.action).note == REFUSED]
        if refused and refused == made:
            options = shown["decision"]["options"]
            assert len(options) == len(refused[-1].among)
            assert {option["note"] for option in options if "chosen" in option["note"]} == {"chosen, and refused"}


def test_a_reply_that_left_the_memory_as_it_was_stands_whole_beside_the_rule() -> None:
    _, note = data.of(shipped_reading("rememr1-bridge-boiler-mended.json"))["steps"][2]["decision"]["notes"]
    assert 'was taken over the bridge in daylight without incident."</update>' in note["reply"]


def test_of_many_calls_a_note_says_to_which_the_reply_was_that_could_not_be_used() -> None:
    shipped = shipped_reading("qrmem-sarn-three-bars.json")
    notes = data.of(shipped)["steps"][1]["decision"]["notes"]
    misread = [event for event in shipped.trace.of(shipped.trace.steps[1]) if isinstance(event, Misread)]
    assert len(notes) == 14
    assert [note["text"].split(" could not")[0] for note in notes] == [
        f"Reply {event.attempt + 1} to call {event.seq + 1}" for event in misread
    ]
