"""What can be predicted of a reading is the same in a lesson, in the player and in a class."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from components.class_room.questions import HOW_IT_ENDS, Watched, asked_steps, question
from components.lessons import recorded
from components.lessons.lesson import LessonPart, LessonQuestion
from components.player import stops
from components.session.samples import recordings
from readers.engine.teaching.stops import Stop

Predicted = Mapping[int, list[tuple[str, str, bool]]]  # by step: the name and the text of each option, and whether it is right
NAMES = [recording.path.stem for recording in recordings()]


def in_lessons(name: str) -> Predicted:
    parts = (LessonPart("", name, number, ()) for number in range(1, len(recorded.frames(name)["steps"]) + 1))
    offered = {part.step - 1: recorded.options(part, LessonQuestion("What?")) for part in parts}
    return {at: [(one.words, one.text, one.right) for one in options] for at, options in offered.items() if options}


def in_player(name: str) -> Predicted:
    steps = len(recorded.frames(name)["steps"])
    made = stops.of([Stop(at, predicts=True) for at in range(steps)], steps, stops.predictions(recorded.reading(name)))
    return {one["at"]: [(o["name"], o["text"], o["picked"]) for o in one["options"]] for one in made if "options" in one}


def in_class(name: str) -> Predicted:
    watched = Watched(recorded.reading(name), recorded.frames(name), stops.predictions(recorded.reading(name)), right=True)
    asked = {at: found for at in asked_steps(watched) if (found := question(watched, at)) and found.words != HOW_IT_ENDS}
    return {
        at: [(option.name, option.text, number in found.chosen) for number, option in enumerate(found.options)]
        for at, found in asked.items()
    }


@pytest.mark.parametrize("name", NAMES)
def test_lessons_the_player_and_classes_predict_the_same_at_every_step(name: str) -> None:
    assert in_lessons(name) == in_player(name) == in_class(name) != {}


def test_a_rewritten_memory_is_predicted_by_its_sentences() -> None:
    made = in_player("memagent-sarn-orders")[4]
    assert [name for name, _, right in made if right] == ["sentence 28 of chunk 5", "sentence 32 of chunk 5"]
    assert made[3] == (
        "sentence 27 of chunk 5",
        "His father was among those shut out for good in 1907, and Mouat went to Leith to earn for the family.",
        False,
    )
    assert 0 not in in_player("memagent-sarn-orders")  # nothing can be seen before the first step
