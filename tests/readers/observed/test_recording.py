"""A program's calls become a reading like any other: it opens, replays, is exported and imported, and can be forked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from readers import get, importable
from readers.cli.watch.recording import WatchedReading, spec_for
from readers.cli.watch.retelling import READER
from readers.engine.errors import BadOptions
from readers.engine.files.runs.import_run import import_run
from readers.engine.files.runs.run_file import run_file
from readers.engine.forks import fork
from readers.engine.models.offline import Offline
from readers.engine.record.edits import ReplyEdit
from readers.engine.record.events import Asked
from readers.engine.record.journal import recorded_messages
from readers.engine.run.execute import Execution, execute, spec_to_execute
from readers.engine.store import Run, Store, open_reading
from readers.engine.text.document import Document, Span
from readers.observed.calls import ObservedCall, Said
from readers.observed.reader import OTHER_REPLY
from readers.observed.script import read_script

TEXT = (
    "The lamp stood on the point, and nobody had lit it for a year.\n\nThen Amos Garbutt climbed the stairs and lit the lamp.\n"
)
QUESTION = "Who lit the lamp?"
DOCUMENT = Document.of(TEXT, title="The lamp")
FIRST, SECOND = TEXT.split("\n\n")
NOTE = "A man called Garbutt, the keeper, climbed the stairs."


def call(number: int, *said: Said, reply: str, error: str = "") -> ObservedCall:
    return ObservedCall(float(number), number + 0.5, said, reply, model="openai/small", error=error, tokens_in=10, tokens_out=5)


CALLS = (
    call(0, Said("user", f"Note what matters.\nCost: $5 {{x}}\n{FIRST}"), reply="Nothing yet of any keeper or of any lamp lit."),
    call(1, Said("user", f"Note what matters.\nCost: $5 {{x}}\n{SECOND}"), reply="", error="the server replied 429"),
    call(2, Said("user", f"Note what matters.\nCost: $5 {{x}}\n{SECOND}"), reply=NOTE),
    call(
        3,
        Said("system", "You answer."),
        Said("user", f"{QUESTION}\nNotes: {NOTE}\x1e"),
        Said("tool", "a result"),
        reply="Amos Garbutt",
    ),
)


@pytest.fixture
def store(tmp_path: object) -> Iterator[Store]:
    with Store() as opened:
        yield opened


def recorded(store: Store, calls: tuple[ObservedCall, ...] = CALLS, **how: str) -> Run:
    recording = WatchedReading(store, DOCUMENT, spec_for(QUESTION))
    for one in calls:
        recording.add([one])
    return recording.finish(**{"answer": "Amos Garbutt", **how})


def test_each_character_of_a_prompt_says_where_it_is_from(store: Store) -> None:
    run = recorded(store)
    assert (run.status, run.outcome, run.answer, run.spec["model"]) == ("finished", "answered", "Amos Garbutt", "openai/small")
    reading = open_reading(store, run.id)
    asked = {event.seq: event for event in reading.trace.events if isinstance(event, Asked)}
    assert reading.trace.spans_shown(0) == (Span(0, len(FIRST)),)
    kinds = {piece.origin for _, texts in asked[3].parts for pieces in texts for piece in pieces}
    assert kinds == {"question", "wrote:1"}
    last = next(record for record in reading.records if record.seq == 3)
    messages = recorded_messages(last, store.runs.tape(run.id).prompts()[last.prompt], DOCUMENT)
    assert [one["content"] for one in messages] == ["You answer.", f"{QUESTION}\nNotes: {NOTE} ", "a result"]
    assert (
        "$5 {x}"
        in recorded_messages(reading.records[0], store.runs.tape(run.id).prompts()[reading.records[0].prompt], DOCUMENT)[0][
            "content"
        ]
    )
    assert [record.error for record in reading.records if record.error] == ["the server replied 429"]


def test_a_run_file_of_it_is_imported_by_replaying_it(store: Store) -> None:
    run = recorded(store)
    data = json.dumps(run_file(store, run.id, READER)).encode()
    again = import_run(store, data, "one.json", readers=importable)
    assert (again.answer, again.unchecked) == ("Amos Garbutt", False)
    assert store.runs.tape(again.id).events() == store.runs.tape(run.id).events()


def test_what_was_recorded_of_a_stopped_program_stays_and_is_imported(store: Store) -> None:
    recording = WatchedReading(store, DOCUMENT, spec_for(QUESTION))
    recording.add(CALLS[:3])
    live = json.loads(json.dumps(run_file(store, recording.run.id, READER)))
    assert len(live["calls"]) == 3  # while it reads, and if this process is killed now
    assert import_run(store, json.dumps(live).encode(), "one.json", readers=importable).status == "interrupted"
    run = recording.finish(cancelled=True)
    assert (run.status, run.outcome) == ("cancelled", None)
    stopped = json.dumps(run_file(store, run.id, READER)).encode()
    assert len(open_reading(store, import_run(store, stopped, "one.json", readers=importable).id).records) == 3


def test_nobody_resumes_it_and_a_fork_ends_where_only_the_program_knows_on(store: Store) -> None:
    run = recorded(store)
    with pytest.raises(BadOptions, match="run that again"):
        spec_to_execute(replace(run, status="cancelled"), get(run.reader))
    changed = fork.fork(store, open_reading(store, run.id), READER, ReplyEdit(2, 0, "Nobody lit it."))
    done = execute(store, changed.id, READER, Execution(Offline()))
    assert (done.outcome, done.error) == ("no_answer", OTHER_REPLY)
    same = fork.fork(store, open_reading(store, run.id), READER, ReplyEdit(2, 0, NOTE))
    assert execute(store, same.id, READER, Execution(Offline())).answer == "Amos Garbutt"


@pytest.mark.parametrize("reason", ["the program ended with exit status 3"])
def test_a_program_without_an_answer_ends_for_its_reason(store: Store, reason: str) -> None:
    run = recorded(store, answer="", reason=reason)
    assert (run.status, run.outcome, run.error) == ("finished", "no_answer", reason)


@pytest.mark.parametrize("said", ["reply", "model", "finish", "thoughts"])
def test_half_a_character_anywhere_loses_nothing(store: Store, said: str) -> None:
    first = replace(CALLS[0], before=("compared \ud800",), **{said: "half \ud800 of it"})
    assert recorded(store, (first, *CALLS[1:])).status == "finished"


def test_a_program_that_asks_nothing_leaves_a_reading_that_says_so(store: Store) -> None:
    assert recorded(store, ()).error == "the program asked no model"


@pytest.mark.parametrize(
    "script",
    ["[]", "{", '{"templates": [], "calls": [[0, [], "", 1, 0, []]], "end": null}',
     '{"templates": [[[], "${a}", ["a"]]], "calls": [[0, [["document", 0, 60000000]], "", 1, 0, []]], "end": null}',
     '{"templates": [[[], "", []]], "calls": [[0, [["document", 3, 1]], "", 1, 0, []]], "end": null}'],
)  # fmt: skip
def test_a_script_that_was_made_up_is_refused(script: str) -> None:
    with pytest.raises(BadOptions):
        read_script(script)
