"""A class on one reading or one lesson: its step, its question, and the order of the teacher's actions. Pure.

The class steps through the reading; at a decision it is asked what the reader will do. The steps of a class on a lesson are the
lesson's parts, whichever recording they show. A round of votes is opened and closed,
the class talks, votes again, and then sees what the model chose. Not here: votes and their counts (`tally.py`), and who the
teacher is (`store/classes.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from readers.engine.errors import BadOptions

Switch = Literal["loose", "joining", "every", "closed"]
Phase = Literal["reading", "asked", "voting", "closed", "talk", "revealed"]
# What an option says about the known answer if it is made from the place that gives it: it *is* that place, word for word; or its
# words say it (*carried*), with another figure (*altered*), no longer (*lost*), or no rule can decide.
Keeps = Literal["place", "carried", "altered", "unclear", "lost"]
MOST_ROUNDS = 2  # a vote, and another after talking
GONE_AFTER = 75  # seconds since a device was last seen: it has sent nothing for a minute, and its place is free
LATE = (1, 10)  # minutes: the devices that joined in the last this many can be removed together


@dataclass(frozen=True)
class VoteOption:
    """What can be voted for: its mark and name as the reader offered it, and its text, which may be empty."""

    mark: str
    name: str
    text: str = ""


@dataclass(frozen=True)
class ClassQuestion:
    """A decision that a class is asked about: at step `step` (from 0), with the options whole.

    `chosen` are the numbers of the options that the model chose, from 0; `reason` is its reason, `by` who chose. `known` are the
    options made from the place that gives the known answer, None if that is unknown; `keeps` says for each of these what it keeps
    of the answer, and is empty in questions that were asked before this was recorded. `verb`: what the model did with the chosen
    options; "did" where they say what happened, and "right" where they answer a question of a lesson.
    """

    step: int
    words: str
    options: tuple[VoteOption, ...]
    chosen: tuple[int, ...]
    reason: str = ""
    by: str = ""
    known: tuple[int, ...] | None = None
    keeps: tuple[Keeps, ...] = ()
    verb: str = "chose"


def as_question(found: Mapping[str, Any]) -> ClassQuestion:
    """A question as it was stored."""
    known = found["known"]
    return ClassQuestion(
        found["step"], found["words"], tuple(VoteOption(**option) for option in found["options"]), tuple(found["chosen"]),
        found["reason"], found["by"], None if known is None else tuple(known), tuple(found.get("keeps", ())),
        found.get("verb", "chose"),
    )  # fmt: skip


@dataclass(frozen=True)
class State:
    """Where a class is: the step shown (from 0) with its sentence, the phase, the step it is asked about, and the round, from 1.

    `lesson`: the id of the lesson whose parts are the steps; empty for a reading. `page`: which page of the options the room is
    shown, from 0. `loose`: learners may step by themselves. `joining`: the room is shown how to join. `every`: all decisions are
    voted on, though some are marked. `closed`: no more devices can join, no matter what is shown. `word`: what a device must give
    to join; empty if none is needed.
    """

    at: int = 0
    says: str = ""
    phase: Phase = "reading"
    asked: int | None = None
    round: int = 0
    loose: bool = False
    joining: bool = True
    every: bool = False
    closed: bool = False
    word: str = ""
    lesson: str = ""
    page: int = 0

    @property
    def reached(self) -> int:
        """The last step that may be shown: a step that the class is asked about comes after its answer."""
        return max(0, self.at - (self.asked is not None and self.phase != "revealed"))


@dataclass(frozen=True)
class Before:
    """What has happened to a question already: its closed rounds, and whether the model's choice was shown."""

    rounds: int = 0
    revealed: bool = False


def stepped(state: State, at: int, says: str) -> State:
    """Raises BadOptions while a vote is open."""
    if state.phase == "voting":
        raise BadOptions("a vote is open; close it before you go to another step")
    return replace(state, at=at, says=says, phase="reading", asked=None, round=0, joining=False)


def asked(state: State, step: int, before: Before) -> State:
    """Ask about the decision at a step. A question that was left is taken up where it was."""
    if state.phase == "voting":
        raise BadOptions("a vote is open; close it before you ask something else")
    phase: Phase = "revealed" if before.revealed else "closed" if before.rounds else "asked"
    return replace(state, at=step, phase=phase, asked=step, round=before.rounds, joining=False)


def vote_opened(state: State) -> State:
    _must_be(state, ("asked", "closed", "talk"), "a vote opens on a question whose answer was not shown yet")
    if state.round >= MOST_ROUNDS:
        raise BadOptions(f"there are {MOST_ROUNDS} rounds of votes; show what the model chose")
    return replace(state, phase="voting", round=state.round + 1)


def vote_closed(state: State) -> State:
    _must_be(state, ("voting",), "there is no open vote to close")
    return replace(state, phase="closed")


def talking(state: State) -> State:
    _must_be(state, ("closed",), "the class can talk after a vote is closed")
    if state.round >= MOST_ROUNDS:
        raise BadOptions("the class has voted again already; show what the model chose")
    return replace(state, phase="talk")


def revealed(state: State) -> State:
    _must_be(state, ("asked", "closed", "talk"), "close the vote before you show what the model chose")
    return replace(state, phase="revealed")


def switched(state: State, name: Switch, *, on: bool) -> State:
    """Raises BadOptions for the code while a question is shown."""
    if name == "joining" and on and state.phase != "reading":
        raise BadOptions("a question is shown; continue the reading before you show the code")
    changed: dict[str, Any] = {name: on}
    return replace(state, **changed)


def turned(state: State, page: int) -> State:
    """Show another page of the options, or of what a lesson says."""
    if not state.lesson:
        _must_be(state, ("asked", "voting", "closed", "talk", "revealed"), "there are no options to turn to")
    return replace(state, page=page)


def removed(state: State, minutes: int) -> State:
    """Devices were removed: the door is closed, or they would be back at once. Raises BadOptions for times not in `LATE`."""
    if minutes not in (*LATE, 0):
        raise BadOptions(f"devices are removed that joined in the last {' or '.join(map(str, LATE))} minutes, or all of them")
    return replace(state, closed=True)


def _must_be(state: State, phases: tuple[Phase, ...], otherwise: str) -> None:
    if state.phase not in phases:
        raise BadOptions(otherwise)


@dataclass(frozen=True)
class ClassSession:
    """A class. Times are ISO 8601 in UTC; `since` is when its phase began; `version` grows with every act of its teacher.

    `title` is the question of the reading, which has `steps` steps; `teacher` is the mark of the browser that began the class.
    """

    id: str
    code: str
    run: str
    title: str
    steps: int
    teacher: str
    created: str
    expires: str
    ended: str | None
    since: str
    version: int
    state: State

    @property
    def unit(self) -> str:
        """What its steps are."""
        return "part" if self.state.lesson else "step"

    def is_over(self, now: str) -> bool:
        return self.ended is not None or now >= self.expires
