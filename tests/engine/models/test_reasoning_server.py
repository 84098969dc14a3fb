"""Readings through the real litellm by a server that behaves as a reasoning model: it thinks, and sometimes says nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from readers.engine.models.call import Call, ModelSettings, Reply
from readers.engine.models.model import LiteLLM
from readers.engine.models.thoughts import take_thoughts
from readers.engine.prompts.memory_formats import MemoryBlocks
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.text.document import Text
from tests.support.model_server import Answer, ModelServer, completion

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
