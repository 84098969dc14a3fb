"""A visitor's progress in a lesson, with the right predictions and answers. It is only in the session, and ends with it."""

from __future__ import annotations

from dataclasses import dataclass, field

from components.learn import recorded
from components.learn.lesson import Lesson
from components.session import address, state

Place = tuple[int, int]  # the numbers of a section and of a part or question in it, from 0


@dataclass
class LessonProgress:
    """Where a visitor is: the section, the part of each section, and what was chosen at each prediction and question."""

    section: int = 0
    at: dict[int, int] = field(default_factory=dict)
    predicted: dict[Place, int] = field(default_factory=dict)
    answered: dict[Place, int] = field(default_factory=dict)


def progress_of(lesson: Lesson) -> LessonProgress:
    """How far this visitor is in a lesson."""
    return state.remembered(state.key("_lesson", lesson.id), LessonProgress)


def go_to(done: LessonProgress, section: int) -> None:
    """Go to a section of a lesson, from 0."""
    done.section = section
    address.set_lesson_part(section)


def start_again(lesson: Lesson) -> None:
    """Forget how far this visitor is in a lesson."""
    state.set_value(state.key("_lesson", lesson.id), LessonProgress())


def predictions(lesson: Lesson) -> tuple[int, int, int]:
    """How this visitor predicted what the model would do: how often rightly, how often at all, and of how many."""
    done = progress_of(lesson).predicted
    places = [
        (place, part, part.prediction)
        for s, section in enumerate(lesson.sections)
        for place, part in (((s, n), part) for n, part in enumerate(section.parts))
        if part.prediction
    ]
    made = [(done[place], part, prediction) for place, part, prediction in places if place in done]
    right = sum(recorded.options(part, prediction)[chosen].right for chosen, part, prediction in made)
    return right, len(made), len(places)


def answers(lesson: Lesson) -> tuple[int, int, int]:
    """How this visitor answered the questions: how often rightly, how often at all, and of how many."""
    done = progress_of(lesson).answered
    right = sum(lesson.sections[s].checks[n].choices[chosen].right for (s, n), chosen in done.items())
    return right, len(done), len(lesson.checks)


def is_begun(lesson: Lesson) -> bool:
    """Whether this visitor has opened a lesson in this session."""
    return state.value(state.key("_lesson", lesson.id)) is not None
