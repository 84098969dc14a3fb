"""Readings of the same question, asked of the same text: the ones worth comparing.

A question is its words, whatever white space is between them, and whether or not choices were given with it: readings of one
question may differ in their choices, as in any other setting (`differences.settings`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from readers.engine.store import Run


class QuestionGroup(NamedTuple):
    """Readings of one question to one text, newest first."""

    document: str
    question: str
    runs: tuple[Run, ...]


def groups(runs: Iterable[Run], *, near: Run | None = None) -> list[QuestionGroup]:
    """Readings grouped by text and question: first the question of `near`, then its text, then questions with several readings,
    then the newest. Samples for an experiment are left out."""
    found: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        if run.experiment is None:
            found.setdefault(_asked(run), []).append(run)
    all_of_them = [QuestionGroup(some[0].document, some[0].question, tuple(some)) for some in found.values()]
    return sorted(all_of_them, key=lambda group: _rank(group, near))


def _asked(run: Run) -> tuple[str, str]:
    return run.document, asked_words(run.question)


def asked_words(question: str) -> str:
    """The words of a question, by which it is the same as another."""
    return " ".join(question.split())


def _rank(group: QuestionGroup, near: Run | None) -> tuple[bool, bool, bool]:
    here = near is not None and _asked(group.runs[0]) == _asked(near)
    return not here, near is None or group.document != near.document, len(group.runs) < 2


def of_same_question(run: Run, runs: Iterable[Run]) -> list[Run]:
    """The other readings of the same text and question, in their order; samples are left out."""
    return [other for other in runs if other.id != run.id and other.experiment is None and _asked(other) == _asked(run)]
