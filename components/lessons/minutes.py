"""How long a class needs for a section of a lesson: what one learner needs, and its votes. Pure.

A lesson's own minutes are those of one learner, unless it has a plan (`tests/components/lessons/test_minutes.py` reckons both).
"""

from __future__ import annotations

from components.lessons import recorded
from components.lessons.lesson import Lesson, LessonSection

PREDICTS, ANSWERS = 0.5, 0.25  # minutes that one learner needs to predict, and to answer a question: a class votes instead
ONE_VOTE, TWO_VOTES = 1, 2.5  # minutes of a class: to vote once; to vote, talk and vote again


def of_class(lesson: Lesson) -> list[tuple[int, int]]:
    """When a class begins with each section and when it ends, in whole minutes from the start."""
    begins, found = 0.0, list[tuple[int, int]]()
    for section in lesson.sections:
        ends = begins + section.minutes + (0 if section.plan else _votes(section))
        found.append((round(begins), round(ends)))
        begins = ends
    return found


def _votes(section: LessonSection) -> float:
    """The minutes that the votes of a section add."""
    more = len(section.checks) * (ONE_VOTE - ANSWERS)
    for part in section.parts:
        vote = ONE_VOTE if part.prediction and part.prediction.once else TWO_VOTES
        if part.prediction and not part.repairs:
            more += vote - PREDICTS
        elif part.prediction or recorded.outcomes(part):
            more += vote
    return more
