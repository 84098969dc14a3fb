"""HTML of what classes voted. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from components.class_room import wording
from readers.engine.files.tables.export_class import ClassResults
from readers.engine.teaching.classes import ClassQuestion
from readers.engine.teaching.tally import Result
from readers.engine.text.shorten import shorten_at_word

ROUNDS = ("first", "second")
SHORT = 140  # characters of an option's text in the table; the CSV has it whole


def results(classes: Sequence[ClassResults], own: str) -> str:
    """A table for each question that any of these classes on one reading voted on, a column for each class and round. The class
    `own` (its id) is the one whose page this is."""
    steps = {found.question.step: found.question for one in classes for found in one.results if found.rounds}
    return "".join(_question(steps[step], classes, own) for step in sorted(steps))


def _question(question: ClassQuestion, classes: Sequence[ClassResults], own: str) -> str:
    columns = [(one, found) for one in classes for found in one.results if found.rounds and _same(found.question, question)]
    heads = "".join(
        f'<th scope="colgroup" colspan="{len(found.rounds)}">{escape(_whose(one, own))}</th>' for one, found in columns
    )
    rounds = "".join(f'<th scope="col">{name} vote</th>' for _, found in columns for name in ROUNDS[: len(found.rounds)])
    body = "".join(_option(question, number, [found for _, found in columns]) for number in range(len(question.options)))
    told = "".join(_told(found, _whose(one, own) if len(columns) > 1 else "") for one, found in columns)
    return (
        f'<section class="class-results"><h2>Step {question.step + 1}. {escape(question.words)}</h2><div class="class-scroll">'
        f'<table><thead><tr><th rowspan="2" scope="col">Option</th>{heads}</tr><tr>{rounds}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>{told}</section>"
    )


def _same(one: ClassQuestion, other: ClassQuestion) -> bool:
    return (one.step, one.options) == (other.step, other.options)


def _whose(one: ClassResults, own: str) -> str:
    return "This class" if one.session.id == own else f"Class of {wording.began(one.session)}"


def _told(found: Result, whose: str) -> str:
    """How a class did: with the model, and how many moved."""
    sentences = [f"{whose}." if whose else "", wording.with_model(found), wording.moved(found.moved, found.question.verb)]
    return f"<p>{escape(' '.join(filter(None, sentences)))}</p>"


def _option(question: ClassQuestion, number: int, found: Sequence[Result]) -> str:
    option, keeps = question.options[number], wording.keeps(question)
    marks = ([f"● The model {question.verb} this."] if number in question.chosen else []) + (
        [f"◆ {keeps[number]}"] if number in keeps else []
    )
    cells = "".join(
        _cell(one.rounds[round_][number], one.voters(round_ + 1)) for one in found for round_ in range(len(one.rounds))
    )
    words = f'<span class="class-words">{escape(shorten_at_word(option.text, SHORT))}</span>' if option.text else ""
    notes = "".join(f"<small>{escape(mark)}</small>" for mark in marks)
    chosen = ' class="class-chosen"' if number in question.chosen else ""
    return f'<tr{chosen}><th scope="row"><b>{escape(option.mark)}</b> {escape(option.name)}{words}{notes}</th>{cells}</tr>'


def _cell(votes: int, voters: int) -> str:
    share = 100 * votes / voters if voters else 0.0
    return f'<td><span class="class-share" style="--share:{share:.1f}%"></span>{votes:,}<small>{share:.0f} %</small></td>'
