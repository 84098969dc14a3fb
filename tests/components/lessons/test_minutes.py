"""The minutes that lessons give are what they take, by a clock that assumes how fast people read, write, choose and vote."""

from __future__ import annotations

import pytest

from components.lessons import recorded
from components.lessons.lesson import Lesson, LessonPart, LessonSection
from components.lessons.lesson_file import lessons

READS = 200  # words a minute
# Minutes, assumed: to look at a drawing; to predict; to write some sixty words; to try a recorded change; to answer a question;
# to search a text, as the class's lesson asks for.
LOOKS, PREDICTS, WRITES, TRIES, ANSWERS, SEARCHES = 0.5, 0.5, 2, 0.5, 0.25, 2
VOTE, VOTE_AND_TALK = 1, 2.5  # minutes of a class, assumed: to vote once; to vote, talk and vote again
SHORT = [lesson for lesson in lessons() if lesson.method]


def words(*texts: str) -> int:
    return sum(len(text.split()) for text in texts)


def told(part: LessonPart) -> int:
    """How many words a part shows, with the longest thing there is to say of a choice, and the sentence of its step."""
    found = words(*part.words, *(quoted[0] for quoted in recorded.quotes(part)))
    if part.prediction:
        options = recorded.options(part, part.prediction)
        found += words(part.prediction.ask, *(option.words for option in options), *(option.text for option in options))
        found += max(words(option.feedback) for option in options)
    if part.write:
        found += words(part.write, recorded.written_by_model(part))
    return found + words(str(recorded.frames(part.recording)["steps"][part.step - 1]["say"]))


def reading(section: LessonSection) -> float:
    """Minutes to read what a section shows."""
    asked = sum(words(check.ask, *(choice.words for choice in check.choices)) for check in section.checks)
    feedback = sum(max(words(choice.feedback) for choice in check.choices) for check in section.checks)
    return (words(*section.words) + sum(map(told, section.parts)) + asked + feedback) / READS


def alone(section: LessonSection) -> float:
    """Minutes that one learner needs for a section: who writes in the model's place reads first what it had."""
    found = reading(section) + ANSWERS * len(section.checks) + LOOKS * len(section.drawings)
    for part in section.parts:
        found += (TRIES * len(part.repairs) or PREDICTS) if part.prediction else 0
        found += WRITES + words(*recorded.before_the_model(part)) / READS if part.write else 0
    return found


@pytest.mark.parametrize("lesson", SHORT, ids=lambda lesson: lesson.id)
def test_a_lesson_for_one_takes_as_long_as_it_says(lesson: Lesson) -> None:
    assert {section.title: section.minutes for section in lesson.sections} == {
        section.title: max(1, round(alone(section))) for section in lesson.sections
    }


def test_who_takes_the_lesson_for_a_class_alone_needs_what_it_says() -> None:
    (lesson,) = [lesson for lesson in lessons() if not lesson.method]
    assert abs(sum(map(alone, lesson.sections)) + SEARCHES - lesson.alone) <= 2


def test_a_class_has_time_to_read_and_to_vote_in_every_section() -> None:
    (lesson,) = [lesson for lesson in lessons() if not lesson.method]
    for section in lesson.sections:
        asked = [part.prediction for part in section.parts if part.prediction]
        votes = sum(VOTE if prediction.once else VOTE_AND_TALK for prediction in asked)
        assert reading(section) + votes <= section.minutes, section.title
