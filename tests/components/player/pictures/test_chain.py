"""The picture of a chain of agents: whose message it is and for whom, and what every hop added and lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from components.html.words import wording
from components.player.pictures import kind, picture
from readers import get
from readers.engine.models.call import Call
from readers.engine.models.model import Scripted
from readers.engine.run.execute import RunSpec, rehearse
from tests.support.readings.rememr1_readings import chunks_of

MESSAGES = (
    "The survey was made in May. A chest with two locks stood open.",
    "The survey was made in May. A debt of forty pounds is owed to Hale.",
    "The survey was made in May. A debt of forty pounds is owed to Hale. A chest with two locks stood open.",
    "Nobody knows anything of it.",
)


def drawn(messages: Sequence[str], **options: Any) -> dict[str, Any]:
    """The picture of a reading whose workers write these messages, one after another."""
    left = list(messages)
    reader = get("chain_of_agents")
    given = {"chunk_tokens": 64, "message_tokens": 100, **options}

    def reply(call: Call) -> str:
        return left.pop(0) if call.prompt.task == "update_memory" else "so"

    spec = RunSpec(reader.id, reader.version, "Where?", options=given)
    trace = rehearse(chunks_of(len(messages)), reader, spec, Scripted(reply))
    found = picture(reader.id, trace, options=given)
    assert found is not None
    return found


def test_every_message_has_its_writer_and_the_one_it_is_for() -> None:
    found = drawn(MESSAGES)
    assert (kind("chain_of_agents"), found["kind"], found["called"], found["limit"]) == ("memory", "memory", "message", 100)
    assert found["captions"] == [
        "The message of worker 1, for worker 2", "The message of worker 2, for worker 3", "The message of worker 3, for worker 4",
        "The message of worker 4, for the manager",
    ]  # fmt: skip


def test_a_hop_counts_the_sentences_that_came_and_those_that_are_gone() -> None:
    assert drawn(MESSAGES)["hops"] == [(2, 0), (1, 1), (1, 0), (1, 3)]


def test_from_the_end_workers_are_counted_as_they_read() -> None:
    found = drawn(MESSAGES, direction="backward")
    starts = [snapshot["span"][0] for snapshot in found["snapshots"]]
    assert starts == sorted(starts, reverse=True)
    assert found["captions"][0] == "The message of worker 1, for worker 2"


def test_an_answer_from_it_is_said_to_be_from_the_last_message() -> None:
    assert wording.from_memory([], own_words=False, called="message") == "From the last message alone."
    assert "no later message" in wording.lost(2, called="message")[0].meaning
