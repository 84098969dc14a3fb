"""What a class voted: counts by round, how many moved between rounds, and what one learner may see of it. Pure.

No function here gets a vote of a round that is still open: the store gives out only votes of closed rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from readers.engine.teaching.classes import ClassQuestion, ClassSession, Phase, VoteOption


class Ballot(NamedTuple):
    """A learner's vote: its step (from 0), round (from 1) and option (from 0)."""

    step: int
    round: int
    option: int


class Vote(NamedTuple):
    """One learner's vote in a closed round. Learners are marks, options are numbers from 0."""

    step: int
    round: int
    learner: str
    option: int


class Moved(NamedTuple):
    """Of those who voted in both rounds: how many there are, how many changed their vote, and how many of these changed to, and
    from, what the model chose."""

    both: int
    moved: int
    to_chosen: int
    from_chosen: int


@dataclass(frozen=True)
class Result:
    """What a class voted on one question: the counts of each closed round, in the order of the options."""

    question: ClassQuestion
    rounds: tuple[tuple[int, ...], ...]
    moved: Moved | None

    def voters(self, number: int) -> int:
        """How many voted in a round, from 1."""
        return sum(self.rounds[number - 1])

    def with_model(self, number: int) -> int:
        """How many voted in a round, from 1, for the model's choice."""
        return sum(self.rounds[number - 1][option] for option in self.question.chosen)


def result(question: ClassQuestion, votes: Iterable[Vote], rounds: int) -> Result:
    """The result of a question after this many closed rounds."""
    own = [vote for vote in votes if vote.step == question.step and 0 <= vote.option < len(question.options)]
    counted = [Counter(vote.option for vote in own if vote.round == number) for number in range(1, rounds + 1)]
    counts = tuple(tuple(round_[option] for option in range(len(question.options))) for round_ in counted)
    return Result(question, counts, _moved(question, own) if rounds > 1 else None)


def _moved(question: ClassQuestion, votes: Sequence[Vote]) -> Moved:
    first = {vote.learner: vote.option for vote in votes if vote.round == 1}
    second = {vote.learner: vote.option for vote in votes if vote.round == 2}
    pairs = [(first[learner], second[learner]) for learner in first.keys() & second.keys()]
    chosen = set(question.chosen)
    return Moved(
        len(pairs),
        sum(before != after for before, after in pairs),
        sum(before not in chosen and after in chosen for before, after in pairs),
        sum(before in chosen and after not in chosen for before, after in pairs),
    )


@dataclass(frozen=True)
class DeviceView:
    """All that a device of the class is given. `counts` are those of closed rounds, and none while a vote is open or before one;
    `reveal` is None until the teacher shows it. `mine` is the learner's own vote of this round."""

    phase: Phase
    at: int
    steps: int
    says: str
    round: int
    loose: bool
    joining: bool
    words: str
    options: tuple[VoteOption, ...]
    mine: int | None
    counts: tuple[tuple[int, ...], ...]
    moved: Moved | None
    verb: str
    reveal: ClassQuestion | None


def shown(session: ClassSession, found: Result | None, mine: int | None) -> DeviceView:
    """What a device gets of a class that asks a question (`found`) or none."""
    state = session.state
    question = found.question if found and state.asked is not None else None
    reveal = question if state.phase == "revealed" else None
    is_closed = found is not None and state.phase in ("closed", "talk", "revealed")
    return DeviceView(
        state.phase, state.at, session.steps, state.says if state.phase == "reading" else "", state.round, state.loose,
        state.joining, question.words if question else "", question.options if question else (), mine,
        found.rounds if found and is_closed else (), found.moved if found and reveal else None,
        question.verb if question else "", reveal,
    )  # fmt: skip
