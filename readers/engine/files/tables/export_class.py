"""What classes voted, as CSV: a row for each class, question, round and option. Pure.

Nobody is in it: counts alone, of closed rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from readers.engine.report.files import csv_text
from readers.engine.teaching.classes import ClassSession
from readers.engine.teaching.tally import Result


class ClassResults(NamedTuple):
    """A class, and what it voted on each of its questions."""

    session: ClassSession
    results: tuple[Result, ...]


def class_csv(classes: Iterable[ClassResults]) -> str:
    """`step` counts from 1, `text` is the option's own text, whole. `chosen` and `known` say whether the model chose an option
    and whether it is made from the place of the known answer, empty where nothing is known; `moved` how many of those who voted
    in both rounds (`of`) changed their vote."""
    return csv_text((row for one in classes for found in one.results for row in _rows(one.session, found)), line_end="\r\n")


def _rows(session: ClassSession, found: Result) -> Iterator[dict[str, object]]:
    question = found.question
    for number, counts in enumerate(found.rounds, 1):
        for option, votes in enumerate(counts):
            known = "" if question.known is None else int(option in question.known)
            moved = found.moved if number > 1 else None
            yield {
                "class": session.code,
                "began": session.created,
                "reading": session.run,
                "question": session.title,
                "step": question.step + 1,
                "asked": question.words,
                "round": number,
                "option": question.options[option].mark,
                "name": question.options[option].name,
                "text": question.options[option].text,
                "votes": votes,
                "voters": found.voters(number),
                "chosen": int(option in question.chosen),
                "known": known,
                "moved": moved.moved if moved else "",
                "of": moved.both if moved else "",
            }
