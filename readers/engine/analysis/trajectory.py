"""A recorded reading as a trajectory: its conversations, each a prompt and the reply to it, with their rewards, and
the advantages of repeated readings of one question. Pure.

Every reply of a model is a separate conversation (Yu et al., 2025, section 3.2), including misread and reused replies, because
the reading went on from it; comparisons of texts are not. The last conversation whose reply was read gave the answer. A state
reward has each conversation of a reading that rewrites one memory chunk by chunk: `update` and `look_back` where the memory was
rewritten from its reply, and the form everywhere. A misread reply rewrites nothing.

Advantages are on the level of readings and of states. Yu et al. (2025), equation 4: the advantage of a reading is its reward less
the mean reward of its group, and every conversation of the reading has it. There is no division by the standard deviation (after
DrGRPO). Shi et al. (2025) normalise each kind of reward at its own level: outcome rewards over the readings of a group, state
rewards over the states at the same step of them. A state's advantage is alpha times the first and 1 - alpha times the second;
alpha is 0.8 there. Their code divides by no standard deviation either. A reading or state without others in its group is its own
mean, so its advantage is 0, as the equation has it (the authors' code takes 0 for the mean of a single value).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from readers.engine.analysis.memory_snapshots import CHUNK, snapshots
from readers.engine.analysis.rewards import MemoryChange, Outcome, StateReward, in_form, outcome_reward, state_reward
from readers.engine.prompts.prompt import Prompt
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Answered, Asked, Event, Looked, Wrote
from readers.engine.record.journal import Record, decode_parts
from readers.engine.record.trace import SCORE_PROMPT, Step, Trace
from readers.engine.run.bounded_memory import MEMORY
from readers.engine.store import Reading
from readers.engine.text import refs

OVER_BUDGET = "over_budget"
ALPHA = 0.8
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
    """A reading's conversations in order, and the reward of its outcome: None if the right answer is unknown, and for a reading
    that has not ended or ran out of budget."""

    conversations: tuple[Conversation, ...]
    outcome: Outcome | None


def trajectory(reading: Reading, prompts: Prompts, known: KnownAnswer | None) -> Trajectory:
    """The trajectory of a reading, given its prompts and the known answer."""
    trace = reading.trace
    steps = {event.seq: step for step in trace.steps for event in _asked(trace.of(step))}
    memories = _memories(trace)
    final = max((seq for seq, event in trace.asked.items() if event.prompt != SCORE_PROMPT), default=-1)
    answered = isinstance(trace.end, Answered)
    conversations = []
    for record in reading.records:
        if record.reply is None or record.task == "score" or record.seq not in steps:
            continue
        step, read = steps[record.seq], trace.asked[record.seq].attempt == record.attempt
        memory = memories.get(record.seq, MemoryChange()) if read else MemoryChange()  # without it, only the form counts
        reward = None
        if memories and known and known.answerable and known.answers:
            good = in_form(record.reply, prompts[record.prompt].reply, read=read)
            shown = _shown(reading, record) if memory.looked_back else ""  # as long as a chunk
            reward = state_reward(memory, known, shown=shown, in_form=good)
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
    """Whether the answer should be in a box and was taken from outside it."""
    last = next((one.record for one in reversed(conversations) if one.final), None)
    return bool(last and last.parsed and "format_error" in json.loads(last.parsed))


def _shown(reading: Reading, record: Record) -> str:
    """What the parts of a call's prompt showed; if a person wrote the prompt, all of it."""
    if record.messages is not None:
        return "\n".join(str(message["content"]) for message in json.loads(record.messages))
    return "\n".join(text.text for part in decode_parts(record.parts, reading.document) for text in part.texts)


def _memories(trace: Trace) -> dict[int, MemoryChange]:
    """For each call at a chunk, what it did to the memory, which is empty at first; nothing for a reading without a memory."""
    found: dict[int, MemoryChange] = {}
    text = ""
    for step in filter(_is_chunk, trace.steps):
        call: int | None = None
        for event in trace.of(step):
            if isinstance(event, Asked) and event.prompt != SCORE_PROMPT:
                call = event.seq
                found[call] = MemoryChange(text, text)
            elif call is not None and isinstance(event, Wrote) and event.role == MEMORY:
                found[call] = found[call]._replace(after=event.text)
                text = event.text
            elif call is not None and isinstance(event, Looked) and (number := refs.written(event.ref)) in trace.wrote:
                found[call] = found[call]._replace(looked_back=trace.wrote[number].text)
    return found if snapshots(trace) else {}  # also of a memory that stayed as it was throughout


def _is_chunk(step: Step) -> bool:
    return bool(step.names) and step.names[-1].partition(" ")[0] == CHUNK


def _asked(events: Sequence[Event]) -> Iterator[Asked]:
    return (event for event in events if isinstance(event, Asked))


# Advantages


class Advantage(NamedTuple):
    """The advantages of a conversation: of its reading's `outcome`, of its own `state`, and of both `levels` together. The last
    two are None where the conversation has no state reward."""

    outcome: float
    state: float | None = None
    levels: float | None = None


def advantages(group: Sequence[Trajectory], *, alpha: float = ALPHA) -> list[tuple[Advantage, ...]]:
    """The advantages of each conversation of each reading of a group; none for a reading that has no outcome reward, which counts
    in no mean either."""
    rewarded = [one for one in group if one.outcome]
    outcomes = iter(group_advantages([one.outcome.reward for one in rewarded if one.outcome]))
    means = step_means((c.name, c.state.total) for one in rewarded for c in one.conversations if c.state)
    return [tuple(_of_reading(one, next(outcomes), means, alpha=alpha)) if one.outcome else () for one in group]


def _of_reading(one: Trajectory, outcome: float, means: Mapping[Hashable, float], *, alpha: float) -> Iterable[Advantage]:
    for conversation in one.conversations:
        if conversation.state is None:
            yield Advantage(outcome)
        else:
            state = conversation.state.total - means[conversation.name]
            yield Advantage(outcome, state, alpha * outcome + (1 - alpha) * state)


def group_advantages(rewards: Sequence[float]) -> list[float]:
    """The advantage of each reading of a group (equation 4)."""
    mean = sum(rewards) / len(rewards) if rewards else 0.0
    return [reward - mean for reward in rewards]


def step_means(states: Iterable[tuple[Hashable, float]]) -> Mapping[Hashable, float]:
    """The mean reward of the states of a group at each step, from the (step, reward) pairs of all of them."""
    found: dict[Hashable, list[float]] = defaultdict(list)
    for step, reward in states:
        found[step].append(reward)
    return {step: sum(rewards) / len(rewards) for step, rewards in found.items()}
