"""Readings of the same question, asked of the same text: the ones worth comparing.

A question is its words, ignoring white space and choices: readings of one question may differ in their choices, as in any other
setting (`differences.settings`).
"""

from __future__ import annotations

from collections.abc import Iterable

from readers.engine.store import Run


def groups(runs: Iterable[Run], *, near: Run | None = None) -> list[list[Run]]:
    """Readings grouped by text and question, newest first: first the question of `near`, then its text, then questions with
    several readings, then the newest. Samples for an experiment are left out."""
    found: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        if run.experiment is None:
            found.setdefault(_asked(run), []).append(run)

    def rank(group: list[Run]) -> tuple[bool, bool, bool]:
        here = near is not None and _asked(group[0]) == _asked(near)
        return not here, near is None or group[0].document != near.document, len(group) < 2

    return sorted(found.values(), key=rank)


def _asked(run: Run) -> tuple[str, str]:
    return run.document, asked_words(run.question)


def asked_words(question: str) -> str:
    """The words of a question, by which it is the same as another."""
    return " ".join(question.split())


def of_same_question(run: Run, runs: Iterable[Run]) -> list[Run]:
    """The other readings of the same text and question, in their order; samples are left out."""
    return [other for other in runs if other.id != run.id and other.experiment is None and _asked(other) == _asked(run)]
