"""A class on a lesson: it goes through every section and part, is asked what the lesson asks, and nothing is told too soon."""

from __future__ import annotations

import pytest

from components.class_room import lesson_class
from components.lessons import recorded
from components.lessons.lesson import Lesson
from components.lessons.lesson_file import lessons

each = pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)


@each
def test_every_prediction_of_a_lesson_and_the_end_of_each_repair_is_voted_on(lesson: Lesson) -> None:
    steps = lesson_class.steps(lesson.id)
    asked = [steps[number][1] for number in lesson_class.usual(lesson.id)]
    assert [part for part in asked if part and part.prediction] == list(lesson.predictions())
    assert {part for part in lesson.parts() if recorded.outcomes(part)} <= set(asked)
    assert {part for _, part, _ in steps if part} == set(lesson.parts())
    for number in lesson_class.asked_steps(lesson.id):
        question = lesson_class.question(lesson.id, number)
        assert question
        assert question.step == number
        assert 0 < len(question.chosen) < len(question.options)


@each
def test_nothing_of_a_part_is_told_while_it_is_open(lesson: Lesson) -> None:
    steps = lesson_class.steps(lesson.id)
    for number in lesson_class.asked_steps(lesson.id):
        _, part, _ = steps[number]
        assert part
        before, after = (lesson_class.panel(lesson.id, number, is_open=is_open) for is_open in (True, False))
        assert (before["words"], before["quotes"], before["at"], before["held"]) == ([], [], part.step - 2, True)
        assert part.name not in before["name"]
        assert (after["words"][0], after["at"], after["held"]) == (part.words[0], part.step - 1, False)
    for number, (_, part, writes) in enumerate(steps):
        said = lesson_class.panel(lesson.id, number, is_open=False)
        assert said["held"] == (part is None or writes)
        assert not (part and writes and part.words[0] in str(said))


@each
def test_the_teachers_notes_have_the_minutes_of_the_plan_to_its_end(lesson: Lesson) -> None:
    notes = [stop.note for stop in lesson_class.notes(lesson.id)]
    assert len(notes) == len(lesson_class.steps(lesson.id))
    assert notes[0].startswith("Minutes 0 to ")
    assert (lesson_class.ALONE in notes[0]) == bool(lesson.method)
    assert f"to {lesson.minutes} of {lesson.minutes}." in notes[-1]
    for number in lesson_class.usual(lesson.id):
        part = lesson_class.steps(lesson.id)[number][1]
        assert part
        assert not part.prediction or part.prediction.votes in notes[number]


def test_a_step_that_a_person_changed_is_no_question_and_a_memory_is_asked_about_at_every_step_on_request() -> None:
    memwalker, memagent = "memwalker", "memagent"
    changed = [n for n, (_, part, _) in enumerate(lesson_class.steps(memwalker)) if part and "by hand" in part.name]
    assert not {*changed} & {*lesson_class.asked_steps(memwalker)}
    asks = [lesson_class.question(memagent, number) for number in lesson_class.asked_steps(memagent)]
    assert "At chunk 2: what will the new memory keep?" in [one.words for one in asks if one]


def test_the_marks_of_the_picture_are_named_and_a_quotation_has_its_own() -> None:
    number = next(n for n, (_, part, _) in enumerate(lesson_class.steps("boiler")) if part and part.name == "The gist of page 3")
    said = lesson_class.panel("boiler", number, is_open=False)
    assert [quote["mark"] for quote in said["quotes"]] == [said["marks"]["page 3"]] * 2
    assert [quote["byModel"] for quote in said["quotes"]] == [False, True]


def test_a_class_that_writes_in_the_models_place_sees_the_text_that_the_model_had() -> None:
    number = next(n for n, (_, _, writes) in enumerate(lesson_class.steps("rememr1")) if writes)
    part = lesson_class.steps("rememr1")[number][1]
    said = lesson_class.panel("rememr1", number, is_open=False)
    assert part
    assert said["place"] == said["marks"]["chunk 4"][0]
    assert recorded.before_the_model(part)[1].startswith(recorded.reading(part.recording).document.text[said["place"] :][:200])
