"""Advantages of repeated readings of one question, on the level of readings and of states. Pure.

Yu et al. (2025), equation 4: the advantage of a reading is its reward less the mean reward of its group, and every conversation
of the reading has it. There is no division by the standard deviation (after DrGRPO).

Shi et al. (2025) normalise each kind of reward at its own level: outcome rewards over the readings of a group, state rewards over
the states at the same step of them. A state's advantage is alpha times the first and 1 - alpha times the second; alpha is 0.8
there. Their code divides by no standard deviation either. A reading or state that is alone is its own mean, so its advantage is
0, as the equation has it (the authors' code takes 0 for the mean of one).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from readers.engine.analysis.rewards.trajectory import Trajectory

ALPHA = 0.8


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
    """The mean reward of the states of a group at each step, from (step, reward) of all of them."""
    found: dict[Hashable, list[float]] = defaultdict(list)
    for step, reward in states:
        found[step].append(reward)
    return {step: sum(rewards) / len(rewards) for step, rewards in found.items()}
