"""Export recorded readings for training: every prompt and the reply to it, with its reward and advantage. JSON lines.

Two shapes of the same. *training*: a line for each prompt and reply. *trajectories*: a line for each reading, under the names
that the authors' trainer (Yu et al., 2025; Shi et al., 2025) has for a rollout: `conversations`, `sample_index` and `final_mask`
in the order of the calls, the group as `uid`, the known answers in `reward_model`.

A group is the readings of one question by one variant of a batch; a reading outside a batch is a group by itself, whose advantage
is 0. `reward` is the reading's outcome (equations 6 and 7), `advantage` that of equation 4, `state` the reward of the state and
`level_advantage` the mix of both levels; the last two are null where a reading keeps no memory. `analysis/trajectory.py` says how
they are computed. `origin` is *live* where a model gave the reply for this reading; a trainer may leave out any other.

Token ids and log-probabilities are given if the server was asked for them and sent them (`batch --log-probs`); otherwise they are
null, and `missing` names them. They are of all that the model wrote, its thoughts among it. Readings without a reward are left
out: those that have not ended or ran out of budget, and those whose right answer is unknown. Who may not see a known answer must
not be given its rewards: the caller leaves these results out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Literal, NamedTuple

from readers.engine.analysis.trajectory import ALPHA, OVER_BUDGET, Advantage, Conversation, Trajectory, advantages, trajectory
from readers.engine.models.call import Sampled
from readers.engine.prompts.prompt import Prompt
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.journal import recorded_messages
from readers.engine.run.batches import CellResult
from readers.engine.store import Run, Store, open_reading
from readers.engine.text.document import Document
from readers.engine.text.phrases import counted

Shape = Literal["training", "trajectories"]
SHAPES: tuple[Shape, ...] = ("training", "trajectories")


class TrainingGroup(NamedTuple):
    """Readings of one question by one variant, each with the number of its sample, and the known answer."""

    id: str
    runs: tuple[tuple[int, Run], ...]
    known: KnownAnswer


class LeftOut(NamedTuple):
    """How many readings have no reward, and why."""

    unfinished: int
    unknown: int

    def __str__(self) -> str:
        why = ((self.unfinished, "did not come to an end"), (self.unknown, "have no known answer in their text"))
        told = [f"{count:,} {words}" for count, words in why if count]
        return f"{counted(sum(self), 'reading')} left out: {', '.join(told)}" if told else ""


class _OpenedSample(NamedTuple):
    """A reading of a group, opened."""

    number: int
    run: Run
    document: Document
    prompts: dict[str, Prompt]
    found: Trajectory


def groups_of(batch: str, results: Iterable[CellResult]) -> list[TrainingGroup]:
    """The groups among the results of a batch, in order, without readings that have no reward."""
    groups = []
    for (number, variant), cells in groupby(results, lambda one: (one.cell.number, one.cell.variant)):
        every = list(cells)
        known = KnownAnswer.of(every[0].question)
        runs = tuple((one.cell.sample, one.run) for one in every if one.run and _has_ended(one.run))
        if runs and known and _is_known(known):
            groups.append(TrainingGroup(f"{batch}-{number}-{variant}", runs, known))
    return groups


def group_of(run: Run, known: KnownAnswer | None) -> list[TrainingGroup]:
    """The group of one reading; None if it has no reward."""
    return [TrainingGroup(run.id, ((0, run),), known)] if known and _is_known(known) and _has_ended(run) else []


def left_out(results: Iterable[CellResult]) -> LeftOut:
    """How many results of a batch have no reward."""
    unfinished = unknown = 0
    for one in results:
        known = KnownAnswer.of(one.question)
        if not (known and _is_known(known)):
            unknown += 1
        elif not (one.run and _has_ended(one.run)):
            unfinished += 1
    return LeftOut(unfinished, unknown)


def lines(store: Store, groups: Iterable[TrainingGroup], *, shape: Shape) -> Iterator[str]:
    """The lines of the file, each with its line break; opens the readings of one group at a time. Raises NotFound."""
    for group in groups:
        samples = [_opened(store, number, run, group.known) for number, run in group.runs]
        for index, (sample, found) in enumerate(zip(samples, advantages([one.found for one in samples]), strict=True)):
            rows = _conversations(sample, found) if shape == "training" else [_trajectory(sample, found, index)]
            for row in rows:
                yield json.dumps(_about(group, sample, shape) | row, ensure_ascii=False) + "\n"


def _has_ended(run: Run) -> bool:
    return run.status == "finished" and run.outcome != OVER_BUDGET


def _is_known(known: KnownAnswer) -> bool:
    return known.answerable and bool(known.answers)


def _opened(store: Store, number: int, run: Run, known: KnownAnswer) -> _OpenedSample:
    reading, prompts = open_reading(store, run.id), store.runs.tape(run.id).prompts()
    return _OpenedSample(number, run, reading.document, prompts, trajectory(reading, prompts, known))


def _about(group: TrainingGroup, sample: _OpenedSample, shape: Shape) -> dict[str, Any]:
    """What the lines of a reading have in common."""
    spec, outcome = sample.run.spec, sample.found.outcome
    assert outcome
    truth = {"ground_truth": list(group.known.answers), "all_required": group.known.all_required}
    return {
        ("group" if shape == "training" else "uid"): group.id, "sample": sample.number, "run": sample.run.id,
        "reader": sample.run.reader, "model": spec["model"], "temperature": spec["temperature"],
        "question": sample.run.question, **({"reward_model": truth} if shape == "trajectories" else truth),
        "reward": outcome.reward, "rule": outcome.rule, "unboxed": outcome.unboxed, "alpha": ALPHA,
    }  # fmt: skip


def _conversations(sample: _OpenedSample, found: Sequence[Advantage]) -> Iterator[dict[str, Any]]:
    for number, (one, advantage) in enumerate(zip(sample.found.conversations, found, strict=True)):
        yield {
            "conversation": number, "step": one.name, "final": one.final, "read": one.read, "origin": one.record.origin,
            "messages": _messages(sample, one), "reply": one.record.reply,
            **({"thoughts": one.record.thoughts} if one.record.thoughts else {}),
            "state": _state(one), "advantage": advantage.outcome, "level_advantage": advantage.levels,
            **_tokens(one), "missing": _missing([one]),
        }  # fmt: skip


def _trajectory(sample: _OpenedSample, found: Sequence[Advantage], index: int) -> dict[str, Any]:
    every = sample.found.conversations
    return {
        "conversations": [[*_messages(sample, one), {"role": "assistant", "content": one.record.reply}] for one in every],
        "sample_index": [index] * len(every), "final_mask": [one.final for one in every],
        "steps": [one.name for one in every], "origins": [one.record.origin for one in every],
        "states": [_state(one) for one in every], "advantages": [one.outcome for one in found],
        "level_advantages": [one.levels for one in found], "missing": _missing(every),
        **{name: [_tokens(one)[name] for one in every] for name in Sampled._fields},
    }  # fmt: skip


def _messages(sample: _OpenedSample, one: Conversation) -> list[dict[str, str]]:
    return recorded_messages(one.record, sample.prompts[one.record.prompt], sample.document)


def _tokens(one: Conversation) -> dict[str, tuple[float, ...] | None]:
    return Sampled.of(one.record.sampled)._asdict()


def _missing(every: Iterable[Conversation]) -> list[str]:
    """What some of these replies lack."""
    lacking = {name for one in every for name in Sampled.of(one.record.sampled).missing}
    return [name for name in Sampled._fields if name in lacking]


def _state(one: Conversation) -> dict[str, float] | None:
    return {**one.state._asdict(), "total": one.state.total} if one.state else None
