"""Readings through the real litellm by a server that behaves as a reasoning model: it thinks, and sometimes says nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from readers import get
from readers.engine.models.call import Call, ModelSettings, Reply
from readers.engine.models.model import LiteLLM
from readers.engine.models.received import take_thoughts
from readers.engine.prompts.formats.memory import MemoryBlocks
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.text.document import Document, Text
from tests.support.servers.model_server import (
    Answer,
    ModelServer,
    Request,
    Script,
    completion,
    memory_reply,
    memwalker_reply,
    qrmem_reply,
    readagent_reply,
    replying,
)

pytestmark = pytest.mark.slow  # loads litellm

ANY = Prompt(id="test.any", task="answer", template="Say something about $what.")
BLOCKS = Prompt("test.blocks", "update_memory", "Rewrite $what.\n$format", reply=MemoryBlocks(64))


def replied(body: dict[str, Any], prompt: Prompt = ANY) -> Reply:
    """What a call gets from a server that sends this body, without thoughts in its text."""
    with ModelServer(lambda request: Answer(body)) as server:
        call = Call(0, 0, prompt, (Part("what", (Text("lamps"),)),), ModelSettings("openai/test", server.base_url))
        return take_thoughts(call, LiteLLM("sk-of-this-test-0123456789").complete(call))


@pytest.mark.parametrize(
    ("body", "thoughts", "text", "finish"),
    [
        pytest.param(completion("At four."), "", "At four.", "stop", id="none"),
        pytest.param(completion("At four.", reasoning_content="Hm."), "Hm.", "At four.", "stop", id="in a field"),
        pytest.param(completion("At four.", reasoning="Hm."), "Hm.", "At four.", "stop", id="in OpenRouter's field"),
        pytest.param(completion("<think>Hm.</think>\n\nAt four."), "Hm.", "At four.", "stop", id="in the text"),
        pytest.param(completion("<thinking>Hm.</thinking>\nAt four."), "Hm.", "At four.", "stop", id="in Claude's tags"),
        pytest.param(completion("Hm.\n</think>\n\nAt four."), "Hm.", "At four.", "stop", id="opened by the template"),
        pytest.param(completion("<think>Hm, and", finish="length"), "Hm, and", "", "length", id="without an end"),
        pytest.param(completion("", reasoning_content="Hm", finish="length"), "Hm", "", "length", id="and then nothing"),
        pytest.param(completion(None, reasoning_content="Hm", finish="length"), "Hm", "", "length", id="and then null"),
        pytest.param(completion(None, finish="length"), "", "", "length", id="hidden, and then null"),
        pytest.param(completion("At fo", finish="max_tokens"), "", "At fo", "length", id="cut, in Claude's word"),
        pytest.param(completion("At four.", finish="sensitive"), "", "At four.", "sensitive", id="another reason"),
    ],
)
def test_thoughts_and_the_finish_reason_come_with_a_reply(body: dict[str, Any], thoughts: str, text: str, finish: str) -> None:
    reply = replied(body)
    assert (reply.thoughts, reply.text, reply.finish) == (thoughts, text, finish)


@pytest.mark.parametrize("before", ["", "<think>What do they want?</think>\n"])
def test_the_thinking_of_a_method_stays_in_the_reply_as_the_model_gave_it(before: str) -> None:
    own = "<thinking>It adds a lamp.</thinking>\n<update>There is a lamp.</update>"
    reply = replied(completion(before + own), BLOCKS)
    assert reply.text == own
    assert reply.thoughts == ("What do they want?" if before else "")


# Whole readings

SAYS: dict[str, Callable[[str], str]] = {
    "memwalker": memwalker_reply,
    "readagent": readagent_reply,
    "qrmem": qrmem_reply,
    "memagent": memory_reply,
    "rememr1": memory_reply,
}
OPTIONS = {
    "memwalker": {"segment_tokens": 32},
    "qrmem": {"segment_tokens": 64},
    "memagent": {"chunk_tokens": 32},
    "rememr1": {"chunk_tokens": 32},
}
SECRET = "what only thoughts say"
TEXT = "\n\n".join(
    f"In the part with sign {n} the keeper Anna Reed climbed the stairs, lit the lamp with Tom Gale and wrote it into her book."
    for n in range(4)
)


def thinking(reader: str, manner: str) -> Script:
    """A script that thinks before each reply, in one of several manners; by the last, only thinks the first time it is asked."""
    heard: set[str] = set()

    def script(request: Request) -> Answer:
        text = SAYS[reader](request.content)
        if manner == "in a field":
            return Answer(completion(text, reasoning_content=SECRET))
        if manner == "in tags":
            return Answer(completion(f"<think>{SECRET}</think>\n\n{text}"))
        if manner == "opened by the template":
            return Answer(completion(f"{SECRET}\n</think>\n\n{text}"))
        asked = request.content.partition("Your last reply to this")[0].strip()
        if asked in heard:
            return Answer(completion(text, reasoning_content=SECRET))
        heard.add(asked)
        return Answer(completion("", reasoning_content=SECRET, finish="length"))

    return script


def read(store: Store, reader: str, server: ModelServer) -> Run:
    how = get(reader)
    given: dict[str, Any] = {
        "model": "openai/test",
        "api_base": server.base_url,
        "options": OPTIONS.get(reader, {}),
        "reuse": False,
    }
    run = create_run(store, Document.of(TEXT), how, RunSpec(how.id, how.version, "Who lit the lamp?", **given))
    return execute(store, run.id, how, Execution(LiteLLM("sk-of-this-test-0123456789", 20.0), concurrency=2))


@pytest.fixture(scope="module", params=SAYS)
def before(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[Reading]:
    """A reading, of each reader, by a model that does not think: the same for every manner of thinking."""
    path = Path(shutil.copy(empty_database, tmp_path_factory.mktemp("before")))
    with Store(path) as store, ModelServer(replying(SAYS[request.param])) as server:
        yield open_reading(store, read(store, request.param, server).id)


@pytest.mark.parametrize("manner", ["in a field", "in tags", "opened by the template", "at first nothing else"])
def test_a_reading_goes_as_if_the_model_had_not_thought_aloud(store: Store, before: Reading, manner: str) -> None:
    reader = before.run.reader
    with ModelServer(thinking(reader, manner)) as server:
        after = open_reading(store, read(store, reader, server).id)
    assert before.run.outcome == "answered"
    assert (after.run.outcome, after.run.answer) == ("answered", before.run.answer)
    replies = [record for record in after.records if record.task != "score"]
    assert {record.thoughts for record in replies} == {SECRET}
    assert not any(SECRET in (record.reply or "") for record in replies)
    assert not any(SECRET in event for event in store.runs.tape(after.run.id).events())
    if manner == "at first nothing else":
        tries = [record for record in replies if record.finish == "length"]
        assert {record.reply for record in tries} == {""}
        assert all("was used up by thinking" in event.problem for event in after.trace.misreads)
        second = next(request for request in server.requests if "was used up by thinking" in request.content)
        first = next(request for request in server.requests if second.content.startswith(request.content))
        assert second.body["max_tokens"] == 8 * first.body["max_tokens"]
    else:
        assert after.trace.events == before.trace.events
