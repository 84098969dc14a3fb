"""The lessons there are: read once from `assets/lessons`, those on a method in the order of the readers, then the others."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from components.learn.lesson import Lesson
from components.learn.lesson_file import parse
from readers import READERS
from readers.engine.errors import NotFound

FOLDER = Path(__file__).parents[2] / "assets" / "lessons"


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons. Raises BadFile for one that cannot be read."""
    order = [reader.id for reader in READERS]
    found = [parse(path.read_text(encoding="utf-8"), path.name) for path in sorted(FOLDER.glob("*.md"))]
    return tuple(sorted(found, key=lambda lesson: order.index(lesson.method) if lesson.method else len(order)))


def lesson_of(lesson_id: str) -> Lesson:
    """The lesson with this id. Raises NotFound."""
    found = next((lesson for lesson in lessons() if lesson.id == lesson_id), None)
    if found is None:
        raise NotFound(f"There is no lesson {lesson_id[:40]!r}. The lessons are {', '.join(each.id for each in lessons())}.")
    return found
