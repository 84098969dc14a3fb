"""A class on a lesson: it goes through every section and part, is asked what the lesson asks, and nothing is told too soon."""

from __future__ import annotations

import pytest

from components.class_room import lesson_class, wording
from components.lessons import minutes, recorded
from components.lessons.lesson import Lesson
from components.lessons.lesson_file import lessons

each = pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)


@each
def test_every_prediction_of_a_lesson_and_the_end_of_each_repair_is_voted_on(lesson: Lesson) -> None:
    steps = lesson_class.steps(lesson.id)
    asked = [steps[number].part for number in lesson_class.usual(lesson.id)]
    assert [part for part in asked if part and part.prediction] == list(lesson.predictions())
    assert {part for part in lesson.parts() if recorded.outcomes(part)} <= set(asked)
    assert {step.part for step in steps if step.part} == set(lesson.parts())
    on_paper = [section for section in lesson.sections if section.plan and section.checks]
    assert [step.check for step in steps if step.check] == [check for check in lesson.checks if not on_paper]
    for number in lesson_class.asked_steps(lesson.id):
        question = lesson_class.question(lesson.id, number)
        assert question
        assert question.step == number
        assert 0 < len(question.chosen) < len(question.options)


@each
def test_nothing_of_a_part_is_told_while_it_is_open(lesson: Lesson) -> None:
    steps = lesson_class.steps(lesson.id)
    for number in lesson_class.asked_steps(lesson.id):
        if (part := steps[number].part) is None:
            continue
        before, after = (lesson_class.panel(lesson.id, number, is_open=is_open) for is_open in (True, False))
        assert (before["words"], before["quotes"], before["at"], before["held"]) == ([], [], part.step - 2, True)
        assert part.name not in before["name"]
        assert (after["words"][0], after["at"], after["held"]) == (part.words[0], part.step - 1, False)
    for number, (_, part, writes, _) in enumerate(steps):
        said = lesson_class.panel(lesson.id, number, is_open=False)
        assert said["held"] == (part is None or writes)
        assert not (part and writes and part.words[0] in str(said))


@each
def test_the_teachers_notes_have_the_minutes_of_the_plan_to_its_end(lesson: Lesson) -> None:
    notes = [stop.note for stop in lesson_class.notes(lesson.id)]
    assert len(notes) == len(lesson_class.steps(lesson.id))
    ends = minutes.of_class(lesson)[-1][1]
    assert notes[0].startswith("Minutes 0 to ")
    assert (lesson_class.RECKONED in notes[0]) == bool(lesson.method)
    assert f"to {ends} of {ends}." in notes[-1]
    assert (ends == lesson.minutes) == bool(not lesson.method)
    for number in lesson_class.usual(lesson.id):
        part = lesson_class.steps(lesson.id)[number].part
        assert not part or not part.prediction or part.prediction.votes in notes[number]


def test_a_step_that_a_person_changed_is_no_question_and_a_memory_is_asked_about_at_every_step_on_request() -> None:
    memwalker, memagent = "memwalker", "memagent"
    changed = [n for n, (_, part, *_) in enumerate(lesson_class.steps(memwalker)) if part and "by hand" in part.name]
    assert not {*changed} & {*lesson_class.asked_steps(memwalker)}
    asks = [lesson_class.question(memagent, number) for number in lesson_class.asked_steps(memagent)]
    assert "At chunk 2: what will the new memory keep?" in [one.words for one in asks if one]


def test_the_marks_of_the_picture_are_named_and_a_quotation_has_its_own() -> None:
    number = next(n for n, (_, part, *_) in enumerate(lesson_class.steps("boiler")) if part and part.name == "The gist of page 3")
    said = lesson_class.panel("boiler", number, is_open=False)
    assert [quote["mark"] for quote in said["quotes"]] == [said["marks"]["page 3"]] * 2
    assert [quote["byModel"] for quote in said["quotes"]] == [False, True]


def test_a_class_that_writes_in_the_models_place_sees_the_text_that_the_model_had() -> None:
    number = next(n for n, step in enumerate(lesson_class.steps("rememr1")) if step.writes)
    part = lesson_class.steps("rememr1")[number].part
    said = lesson_class.panel("rememr1", number, is_open=False)
    assert part
    assert said["place"] == said["marks"]["chunk 4"][0]
    assert recorded.before_the_model(part)[1].startswith(recorded.reading(part.recording).document.text[said["place"] :][:200])
    ask, memory, chunk = lesson_class.to_write("rememr1", number)
    assert (ask, [memory, chunk]) == (part.write, recorded.before_the_model(part))
    assert lesson_class.to_write("rememr1", number + 1) == []
    assert lesson_class.read_for("rememr1", number)[1].startswith("(A) Nine tons · (B) Twelve tons")
    assert lesson_class.read_for("memwalker", 0)[1] == ""


def test_a_question_of_a_lesson_is_voted_on_once_and_what_is_said_of_its_choices_comes_after() -> None:
    number = len(lesson_class.steps("memwalker")) - 1
    asked = lesson_class.question("memwalker", number)
    check = lesson_class.steps("memwalker")[number].check
    assert asked
    assert check
    assert (asked.verb, asked.words, [asked.options[n].name for n in asked.chosen]) == (
        "right", check.ask, [choice.words for choice in check.choices if choice.right],
    )  # fmt: skip
    assert lesson_class.read_for("memwalker", number) == ("", "")
    before, after = (lesson_class.panel("memwalker", number, is_open=is_open) for is_open in (True, False))
    assert (before["words"], before["once"], before["alone"]) == ([], True, True)
    assert [check.choices[n].feedback in words for n, words in enumerate(after["words"])] == [True] * 3


def test_how_a_repair_ends_is_asked_as_such_and_no_option_is_said_to_be_a_place_that_is_none() -> None:
    there = lesson_class.steps("memwalker")
    number = next(n for n, step in enumerate(there) if step.part and step.part.name == "And it answers")
    found = lesson_class.question("memwalker", number)
    assert found
    assert [found.options[n].name for n in found.chosen] == ["It gives the right answer"]
    trial = next(n for n, step in enumerate(lesson_class.steps("qrmem")) if step.part and step.part.name == "The first trial")
    declines = lesson_class.question("qrmem", trial)
    assert declines
    assert (wording.known(declines), wording.known(found)) == ("", "")
