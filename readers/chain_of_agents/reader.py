"""Chain-of-Agents: workers hand a message on, and a manager answers from the last (Zhang et al., 2024, arXiv 2406.02818).

Algorithm 1: the text is cut into chunks shorter than an agent's window. Worker i is asked with its instructions, the message of
worker i − 1 (the paper's *communication unit*; the first is empty), chunk i and the question, and writes message i. The manager
is asked with its instructions, the last message and the question, and answers; it sees no part of the text. So there is one call
for each chunk and one more, one after another, and every prompt contains the question: a second question is a second reading.

Chunks (algorithm 2) take up whole sentences as long as there is room: the window without the question and the worker's
instructions. The paper's windows have 8k tokens, its messages at most 1,024 (2,048 with Gemini Ultra), its temperature is 0.
Workers read from left to right; an ablation lets them read from right to left (`direction`).

Where the paper is silent, this reader
  - also leaves room in the window for the incoming and the outgoing message (algorithm 2 leaves none), and ends chunks at
    paragraphs where it can; `chunk_tokens` makes chunks smaller, so that even a short text makes a chain;
  - enforces `message_tokens` in code: a message that is too long is requested once more, with the reason, and then cut
    at a sentence end, on record;
  - passes the message on unchanged if no reply of a worker could be read (a recorded fallback) or if it says that there is
    nothing to add;
  - lowers the limit of the message if a prompt does not fit into the model's own window, on record;
  - counts its own instructions to the worker; those of a prompt set may be longer, and then only the model's own window holds;
  - has one model for workers and manager, and ends without an answer where no reply of the manager could be read.
The message is the reading's `memory`, so it is followed, measured and drawn like that of any reader that keeps one. Not here:
tasks without a question (summaries, completing code), and several chains whose answers go to a vote or a judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from readers.chain_of_agents.narrative import ChainCode, ChainNarrative
from readers.chain_of_agents.prompts import MANAGER, MANAGER_CHOICE, WORKER, with_limit
from readers.engine.analysis.memory_snapshots import CHUNK, MemoryState
from readers.engine.errors import BadOptions
from readers.engine.prompts.options import PartSize, Preset, option
from readers.engine.run.bounded_memory import BoundedMemory, room_for_reply
from readers.engine.run.desk import Desk, PromptParts, Unread
from readers.engine.run.reader import Reader
from readers.engine.text import split, tokens
from readers.engine.text.document import Document, Question, Text

LEAST = 32  # tokens of a chunk
FIRST = ""  # the first worker's text in place of a message


@dataclass(frozen=True)
class ChainOfAgentsOptions:
    worker_tokens: int = option(
        8192,
        "A worker's window, in tokens: instructions, question, chunk and two messages fit into it.",
        lowest=128,
        title="A worker’s window, in tokens",
    )
    message_tokens: int = option(
        1024, "The longest message from one worker to the next, in tokens.", lowest=32, title="Longest message, in tokens"
    )
    chunk_tokens: int | None = option(
        None,
        "The longest chunk, in tokens; auto, and the most, is what a worker's window leaves.",
        lowest=32,
        title="Longest chunk, in tokens",
    )
    direction: Literal["forward", "backward"] = option(
        "forward",
        "Which chunk the first worker reads: the first of the text (forward) or the last (backward).",
        title="Chunks are read",
        names={"forward": "From the beginning", "backward": "From the end"},
    )


_PAPER = {"worker_tokens": 8192, "message_tokens": 1024, "chunk_tokens": None}

# Windows of 8k and messages of 1k were used with every model but Gemini Ultra; the second is an ablation.
PRESETS: dict[str, Preset] = {
    "8k": Preset({**_PAPER, "direction": "forward"}, temperature=0.0),
    "8k_right_to_left": Preset({**_PAPER, "direction": "backward"}, temperature=0.0),
}


class ChainState(MemoryState):
    """The message of each worker."""

    first = FIRST
    carried = ChainNarrative.carried


class ChainOfAgents(Reader):
    """Workers read chunk after chunk and hand a message on; a manager answers from the last message alone."""

    id, title, version = "chain_of_agents", "Chain-of-Agents", 1
    prompts = (WORKER, MANAGER, MANAGER_CHOICE)
    Options = ChainOfAgentsOptions
    presets = PRESETS
    part_size = PartSize("chunk_tokens", "chunk", room="worker_tokens", memory="message_tokens")
    narrative = ChainNarrative()
    pseudo_code = ChainCode()
    State = ChainState

    def read(self, document: Document, question: Question, desk: Desk, options: ChainOfAgentsOptions) -> Text:
        asked: PromptParts = {"question": question.asked, "choices": question.offered}
        message = WorkerMessage(desk, Text(FIRST), options.message_tokens, room=0)
        chunks = desk.cut(document, split.segments(document.text, _room(question, options)), join_blank_end=True)
        for number, chunk in _in_order(chunks, options):
            with desk.step(f"{CHUNK} {number}"):
                desk.look(chunk)
                message.update(WORKER, {**asked, "section": chunk})
        with desk.step("answer"):
            got = message.ask(MANAGER_CHOICE if question.choices else MANAGER, asked)
            if isinstance(got, Unread):
                raise got.no_answer
            return got


class WorkerMessage(BoundedMemory):
    """The message that goes from worker to worker."""

    called = ChainNarrative.carried


def _room(question: Question, options: ChainOfAgentsOptions) -> int:
    """The tokens of the longest chunk. Raises BadOptions where the window has no room for one."""
    prompt = with_limit(options.message_tokens)
    nothing: PromptParts = {"memory": Text(""), "section": Text("")}
    asked = prompt.render(prompt.parts({"question": question.asked, "choices": question.offered, **nothing}))
    needed = tokens.count(asked) + options.message_tokens + room_for_reply(options.message_tokens)
    left = options.worker_tokens - needed
    if left < LEAST:
        raise BadOptions(
            f"worker_tokens is {options.worker_tokens:,}; the question, the instructions and two messages of "
            f"{options.message_tokens:,} tokens leave no room for a chunk: make it {needed + LEAST:,} or more"
        )
    return min(left, options.chunk_tokens or left)


def _in_order(chunks: Sequence[Text], options: ChainOfAgentsOptions) -> list[tuple[int, Text]]:
    """The chunks with their numbers in the text, as the workers read them."""
    numbered = list(enumerate(chunks, 1))
    return numbered if options.direction == "forward" else numbered[::-1]
