"""A recorded reading as a trajectory: its conversations, each a prompt and the reply to it, with their rewards. Pure.

Every reply of a model is a conversation of its own (Yu et al., 2025, section 3.2), a misread one and a reused one, too, because
the reading went on from it; comparisons of texts are none. The last conversation whose reply was read gave the answer.
A state reward has each conversation of a reading that rewrites one memory chunk by chunk: `update` and `look_back` where the
memory was rewritten from its reply, and the form everywhere. A misread reply rewrites nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from readers.engine.analysis.memory_snapshots import CHUNK, snapshots
from readers.engine.analysis.rewards.outcome import Outcome, outcome_reward
from readers.engine.analysis.rewards.states import MemoryState, StateReward, in_form, state_reward
from readers.engine.prompts.prompt import Prompt
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Answered, Asked, Event, Looked, Wrote
from readers.engine.record.journal import Record, decode_parts
from readers.engine.record.trace import SCORE_PROMPT, Step, Trace
from readers.engine.run.bounded_memory import MEMORY
from readers.engine.store import Reading
from readers.engine.text import refs

OVER_BUDGET = "over_budget"
Prompts = Mapping[str, Prompt]  # the prompts of a reading's calls as they were worded then, by their hash


class Conversation(NamedTuple):
    """One prompt and the reply to it. `step` is its step (from 0), `name` that step's innermost name; `read`: the reading went on
    from this reply; `final`: it gave the answer. `state` is None if the reading keeps no memory to reward."""

    record: Record
    step: int
    name: str
    read: bool
    final: bool
    state: StateReward | None


class Trajectory(NamedTuple):
    """A reading's conversations in order, and the reward of its outcome: None where it is not known what is right, and for a
    reading that has not come to an end or ran out of budget."""

    conversations: tuple[Conversation, ...]
    outcome: Outcome | None


@dataclass(frozen=True)
class _MemoryChange:
    """What a call did to the memory."""

    before: str
    after: str
    looked_back: str = ""


def trajectory(reading: Reading, prompts: Prompts, known: KnownAnswer | None) -> Trajectory:
    """The trajectory of a reading, given its prompts and what is known of the answer."""
    trace = reading.trace
    steps = {event.seq: step for step in trace.steps for event in _asked(trace.events[step.start : step.end])}
    memories = _memories(trace)
    final = max((seq for seq, event in trace.asked.items() if event.prompt != SCORE_PROMPT), default=-1)
    answered = isinstance(trace.end, Answered)
    conversations = []
    for record in reading.records:
        if record.reply is None or record.task == "score" or record.seq not in steps:
            continue
        step, read = steps[record.seq], trace.asked[record.seq].attempt == record.attempt
        state = _state(reading, record, prompts[record.prompt], memories.get(record.seq) if read else None)
        reward = _rewarded(state, known) if memories else None
        name = step.names[-1] if step.names else ""
        conversations.append(Conversation(record, step.number, name, read, answered and read and record.seq == final, reward))
    return Trajectory(tuple(conversations), _outcome(reading, conversations, known))


def _outcome(reading: Reading, conversations: Sequence[Conversation], known: KnownAnswer | None) -> Outcome | None:
    end = reading.trace.end
    if end is None or reading.trace.outcome == OVER_BUDGET:
        return None
    unboxed = _outside_its_box(conversations)
    answer = end.text if isinstance(end, Answered) and not unboxed else None
    found = outcome_reward(answer, known, choices=tuple(reading.run.spec.get("choices", ())))
    return found._replace(unboxed=unboxed) if found else None


def _outside_its_box(conversations: Sequence[Conversation]) -> bool:
    """Whether the answer was to stand in a box, and was taken from outside of it."""
    last = next((one.record for one in reversed(conversations) if one.final), None)
    return bool(last and last.parsed and "format_error" in json.loads(last.parsed))


def _rewarded(state: MemoryState, known: KnownAnswer | None) -> StateReward | None:
    return state_reward(state, known) if known and known.answerable and known.answers else None


def _state(reading: Reading, record: Record, prompt: Prompt, memory: _MemoryChange | None) -> MemoryState:
    """The state of a call; without a memory that it rewrote, only its form counts."""
    form = in_form(record.reply or "", prompt.reply, read=reading.trace.asked[record.seq].attempt == record.attempt)
    if memory is None:
        return MemoryState("", "", "", "", form)
    shown = _shown(reading, record) if memory.looked_back else ""  # only then it is asked for, and it is as long as a chunk
    return MemoryState(memory.before, memory.after, shown, memory.looked_back, form)


def _shown(reading: Reading, record: Record) -> str:
    """What the parts of a call's prompt showed; if a person wrote the prompt, all of it."""
    if record.messages is not None:
        return "\n".join(str(message["content"]) for message in json.loads(record.messages))
    return "\n".join(text.text for part in decode_parts(record.parts, reading.document) for text in part.texts)


def _memories(trace: Trace) -> dict[int, _MemoryChange]:
    """For each call at a chunk what it did to the memory, which is empty at first; nothing for a reading without one."""
    found: dict[int, _MemoryChange] = {}
    text = ""
    for step in filter(_is_chunk, trace.steps):
        call: int | None = None
        for event in trace.events[step.start : step.end]:
            if isinstance(event, Asked) and event.prompt != SCORE_PROMPT:
                call = event.seq
                found[call] = _MemoryChange(text, text)
            elif call is not None and isinstance(event, Wrote) and event.role == MEMORY:
                found[call] = replace(found[call], after=event.text)
                text = event.text
            elif call is not None and isinstance(event, Looked) and (number := refs.written(event.ref)) in trace.wrote:
                found[call] = replace(found[call], looked_back=trace.wrote[number].text)
    return found if snapshots(trace) else {}  # also of a memory that stayed as it was throughout


def _is_chunk(step: Step) -> bool:
    return bool(step.names) and step.names[-1].partition(" ")[0] == CHUNK


def _asked(events: Sequence[Event]) -> Iterator[Asked]:
    return (event for event in events if isinstance(event, Asked))
