"""Chain-of-Agents against algorithms 1 and 2 of its paper: a message from worker to worker, and a manager that sees no more."""

from __future__ import annotations

import json
from typing import Any

import pytest

from readers import get
from readers.chain_of_agents import PRESETS
from readers.engine.analysis.narrate import narrate
from readers.engine.errors import BadOptions
from readers.engine.models.call import Call
from readers.engine.prompts.options import read_options
from readers.engine.record.events import Answered, Cut
from readers.engine.record.narrative import StepRecord
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text import split, tokens
from readers.engine.text.document import Document
from tests.support.models.scripted_models import Scripted
from tests.support.readings.rememr1_readings import chunks_of, model, number, snapshots, updates

READER = get("chain_of_agents")
QUESTION = "Where is the ledger?"
LONG = "This sentence is one of very many that say the same thing over again. " * 60


def run(document: Document, scripted: Any, *, choices: tuple[str, ...] = (), **options: Any) -> Trace:
    spec = RunSpec(READER.id, 1, QUESTION, choices, {"chunk_tokens": 64, "message_tokens": 48, **options})
    return rehearse(document, READER, spec, scripted)


def chain(memory: Any, answer: str = "on the shelf") -> Scripted:
    return model(memory, answer=answer)


def handed(call: Call) -> str:
    return f"Part {number(call)} was read."


def told(trace: Trace) -> tuple[str, ...]:
    return narrate(trace, READER)


def test_from_the_end_the_last_chunk_is_read_first_and_everything_is_named_by_its_chunk() -> None:
    scripted = chain(handed)
    trace = run(chunks_of(3), scripted, direction="backward")
    assert [number(call) for call in updates(scripted)] == [3, 2, 1]
    assert scripted.calls[-1].part("memory") == ("Part 1 was read.",)
    rows = snapshots(READER.id, trace)
    assert [row["memory"] for row in rows] == [f"Part {n} was read." for n in (3, 2, 1)]
    assert [trace.document.text[row["start"] : row["end"]].split()[1] for row in rows] == ["3", "2", "1"]
    assert [name for name in READER.names(trace).values() if name.startswith("message")] == [
        "message after chunk 1", "message after chunk 2", "message after chunk 3",
    ]  # fmt: skip
    assert "Worker 1 read chunk 3 and wrote its first message." in told(trace)[0]
    assert READER.pseudo_code is not None
    lines = [READER.pseudo_code.at(StepRecord(trace, step, READER.names(trace))) for step in trace.steps]
    assert [words for _, words in lines[1]] == ["for worker i = 2 (of 3), with chunk 2:", "m₂ ← worker(question, m₁, chunk)"]
    assert lines[-1] == [(6, "answer ← manager(question, m₃)")]


def test_a_chunk_is_what_the_window_leaves_and_no_prompt_and_reply_go_beyond_it() -> None:
    document = Document.of("\n\n".join(f"Part {n} begins. " + "It goes on and on, so it does. " * 40 for n in range(1, 9)))
    scripted = chain(lambda call: LONG)
    trace = run(document, scripted, chunk_tokens=None, worker_tokens=1000, message_tokens=200)
    spans = next(event.spans for event in trace.events if isinstance(event, Cut))
    workers = [call for call in updates(scripted) if call.attempt == 0]
    sent = [tokens.count(call.messages[0]["content"]) for call in workers]
    assert 900 < max(sent) + max(call.prompt.max_tokens for call in workers) <= 1000
    smaller = run(document, chain(lambda call: LONG), chunk_tokens=100, worker_tokens=1000, message_tokens=200)
    assert next(event.spans for event in smaller.events if isinstance(event, Cut)) == tuple(split.segments(document.text, 100))
    assert "".join(document.text[start:end] for start, end in spans) == document.text


def test_a_window_without_room_for_a_chunk_is_refused_with_what_would_do() -> None:
    with pytest.raises(BadOptions, match=r"no room for a chunk: make it ([\d,]+) or more") as refused:
        run(chunks_of(2), chain(handed), worker_tokens=200)
    enough = int(str(refused.value).partition("make it ")[2].partition(" ")[0].replace(",", ""))
    assert run(chunks_of(2), chain(lambda call: "so"), worker_tokens=enough).end
    with pytest.raises(BadOptions):
        run(chunks_of(2), chain(handed), worker_tokens=enough - 1)


def test_no_word_of_a_reading_calls_the_message_a_memory() -> None:
    """In what is told of it, what its texts are called, and what its pseudo-code says."""
    replies = {2: " ", 3: LONG, 4: "Nothing to add; it stays the same."}
    trace = run(chunks_of(5), chain(lambda call: replies.get(number(call), handed(call))))
    assert READER.pseudo_code is not None
    lines = READER.pseudo_code.as_data()["lines"]
    said = [*told(trace), *READER.names(trace).values(), *(line["words"] for line in lines)]
    assert "message" in " ".join(said)
    assert [words for words in said if "memor" in words.lower()] == []


def test_a_question_with_choices_is_answered_by_one_of_them() -> None:
    scripted = chain(handed, answer=json.dumps({"answer": "B"}))
    trace = run(chunks_of(2), scripted, choices=("in the boat", "on the shelf"))
    assert scripted.calls[-1].prompt.id == "chain_of_agents.manager_choice"
    assert isinstance(trace.end, Answered)
    assert trace.end.text == "(B) on the shelf"


def test_the_presets_are_options_it_takes_with_the_papers_window_and_temperature() -> None:
    for preset in PRESETS.values():
        options = read_options(READER.Options, preset.options)
        assert (options.worker_tokens, options.message_tokens, preset.temperature) == (8192, 1024, 0.0)
    assert [read_options(READER.Options, preset.options).direction for preset in PRESETS.values()] == ["forward", "backward"]
