"""A visitor's progress in a lesson, with the right predictions and answers.

It is in the session, and in the address, so that it outlasts a reload.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from components.lessons import recorded
from components.lessons.lesson import Lesson, LessonPart, LessonQuestion
from components.session import address, state

Place = tuple[int, int]  # the numbers of a section and of a part or question in it, from 0
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"  # of what was chosen, in the address
_NONE = "-"


@dataclass
class LessonProgress:
    """Where a visitor is: the section, the part of each section, and what was chosen first at each prediction and question. Not
    in the address: what was written in the model's place, and which repairs were looked at, the last one last."""

    section: int = 0
    at: dict[int, int] = field(default_factory=dict)
    predicted: dict[Place, int] = field(default_factory=dict)
    answered: dict[Place, int] = field(default_factory=dict)
    written: dict[Place, str] = field(default_factory=dict)
    tried: dict[Place, list[int]] = field(default_factory=dict)

    def waits(self, part: LessonPart, place: Place) -> bool:
        """Whether a part is still to be predicted, written or repaired in every way."""
        if part.repairs and len(set(self.tried_of(place))) < len(part.repairs):
            return True
        return (part.prediction is not None and place not in self.predicted) or (bool(part.write) and place not in self.written)

    def tried_of(self, place: Place) -> list[int]:
        """Which repairs of a part were looked at, the last one last; after a reload, the first."""
        return self.tried.get(place) or ([self.predicted[place]] if place in self.predicted else [])

    def try_repair(self, place: Place, number: int) -> None:
        """Look at a repair; which one was the first is kept."""
        self.tried[place] = [*self.tried_of(place), number]
        self.predicted.setdefault(place, number)


def progress_of(lesson: Lesson) -> LessonProgress:
    """How far this visitor is in a lesson; the first time in this session, as far as the address says."""
    return state.remembered(state.key("_lesson", lesson.id), lambda: _in_address(lesson))


def go_to(done: LessonProgress, section: int) -> None:
    """Go to a section of a lesson, from 0."""
    done.section = section


def start_again(lesson: Lesson) -> None:
    """Forget how far this visitor is in a lesson."""
    state.set_value(state.key("_lesson", lesson.id), LessonProgress())


def keep(lesson: Lesson) -> None:
    """Put this visitor's place in the lesson that is shown, and what they chose, into the address."""
    done = progress_of(lesson)
    predicted = _written([place for place, _, _ in _predictions(lesson)], done.predicted)
    chosen = f"{predicted}.{_written([place for place, _ in _checks(lesson)], done.answered)}"
    address.set_lesson(done.section, done.at.get(done.section, 0), chosen if chosen.strip(f"{_NONE}.") else "")


def _written(places: Sequence[Place], chosen: Mapping[Place, int]) -> str:
    return "".join(DIGITS[chosen[place]] if place in chosen else _NONE for place in places)


def _in_address(lesson: Lesson) -> LessonProgress:
    """What the address says; anybody can write one, so what does not fit the lesson is left out."""
    section, part = address.lesson_place()
    section = min(section, len(lesson.sections) - 1)
    done = LessonProgress(section, {section: min(part, max(0, len(lesson.sections[section].parts) - 1))})
    predicted, _, answered = address.lesson_choices().partition(".")
    for (place, about, prediction), chosen in zip(_predictions(lesson), map(DIGITS.find, predicted), strict=False):
        if 0 <= chosen < len(recorded.options(about, prediction)):
            done.predicted[place] = chosen
    for (place, check), chosen in zip(_checks(lesson), map(DIGITS.find, answered), strict=False):
        if 0 <= chosen < len(check.choices):
            done.answered[place] = chosen
    return done


def _predictions(lesson: Lesson) -> Iterator[tuple[Place, LessonPart, LessonQuestion]]:
    for s, section in enumerate(lesson.sections):
        for n, part in enumerate(section.parts):
            if part.prediction:
                yield (s, n), part, part.prediction


def _checks(lesson: Lesson) -> Iterator[tuple[Place, LessonQuestion]]:
    for s, section in enumerate(lesson.sections):
        yield from (((s, n), check) for n, check in enumerate(section.checks))


def predictions(lesson: Lesson) -> tuple[int, int, int]:
    """How this visitor predicted what the model would do: how often rightly, how often at all, and of how many."""
    done = progress_of(lesson).predicted
    places = list(_predictions(lesson))
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
