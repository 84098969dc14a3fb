"""What the islands of a class (the teacher's page, the room's screen, a learner's device) get and say.

Their scripts in `assets/js/class_room/` read and write the same. Nothing in it is markup: the browser puts every string on the
page as text. Messages from browsers are checked against this (`components/session/islands.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypedDict

from pydantic import Field

from components.session.islands import IslandMessage

Whole = Annotated[int, Field(ge=0, lt=10**9)]


class LessonQuote(TypedDict):
    """Words that a lesson discusses: where they are from, whether a model wrote them, their place in the text, and the mark that
    the picture has for it."""

    words: str
    where: str
    byModel: bool
    at: int | None
    mark: Sequence[int] | None


class LessonPanel(TypedDict):
    """What is said beside the picture in a class on a lesson: the step's name, its section and its words; the recording's `run`
    and the step (from 0) to show, whether it is `held` there, and the `place` of its text if that is to be seen. `marks` are
    places of the picture by name; `alone`: no picture is shown; `once`: the plan has one vote on it."""

    name: str
    section: str
    run: str
    at: int
    held: bool
    place: int | None
    words: list[str]
    quotes: list[LessonQuote]
    marks: Mapping[str, Sequence[int]]
    alone: bool
    once: bool


class SeenData(TypedDict):
    """What everybody in a class sees: its step, the question, the votes that may be seen, and what the model did. `answers` were
    offered with the question of the reading (`title`). `problem` is only for its recipient; `beat` changes each second, so that
    the page hears something, and knows that it is connected."""

    code: str
    title: str
    answers: str
    unit: str
    phase: str
    at: int
    steps: int
    says: str
    round: int
    loose: bool
    joining: bool
    words: str
    verb: str
    options: list[dict[str, str]]
    mine: int | None
    counts: list[list[int]]
    after: list[str]
    reveal: dict[str, Any] | None
    problem: str
    beat: int


class ScreenData(SeenData):
    """What the room's screen gets: no note and nothing to press."""

    run: str
    lesson: LessonPanel | None
    page: int
    here: int
    voted: int
    closed: bool
    asksWord: bool
    address: str
    qr: dict[str, Any] | None


class RoomData(ScreenData):
    """What the teacher's page gets in addition: its class, who may join, the questions and their steps, and the last action
    done."""

    asked: int | None
    seconds: int
    since: str
    decisions: list[int]
    every: bool
    usual: int
    all: int
    stops: list[dict[str, Any]]
    done: list[int]
    word: str
    late: list[dict[str, int]]
    fits: str
    n: int
    message: str
    token: str


class DeviceData(SeenData):
    """What a learner's page gets in addition. `write`: what is to be written in the model's place, and the texts that it had."""

    asked: int | None
    write: list[str]
    token: str
    alone: bool


class TeacherAct(IslandMessage):
    """What the teacher did: to `step` `at` (from 0), to `ask` about the decision there, to `turn` the options to page `at`, to
    switch something `on`, or to `remove` the devices that joined in the last `at` minutes (0 for all). Numbers grow."""

    n: Annotated[Whole, Field(ge=1)]
    do: Literal[
        "step", "ask", "turn", "open", "close", "talk", "reveal", "loose", "joining", "every", "closed", "word", "remove", "end"
    ]
    at: Whole = 0
    on: bool = False
