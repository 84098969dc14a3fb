"""HTML of the Compare page. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from components.compare.wording import ComparedRow
from components.html import markup
from components.html.terms import explained
from components.html.words.wording import Chip


def group_to_compare(question: str, facts: Sequence[str]) -> str:
    """A question with readings to choose from."""
    told = " · ".join(fact for fact in facts if fact)
    return f'<div class="to-compare"><h2>{escape(question)}</h2><p class="facts-line">{escape(told)}</p></div>'


def compared(number: int, by: str, chip: Chip, about: Sequence[str]) -> str:
    """One of the readings that are compared: its number, its reader and model, and its status."""
    facts = f'<p class="about">{escape(" · ".join(about))}</p>' if about else ""
    title = f'<h3><span class="visually-hidden">Reading {number}: </span>{escape(by)}</h3>'
    head = f'<span class="number" aria-hidden="true">{number}</span>{title}'
    return f'<div class="compared">{head}<p class="chips">{markup.draw_chip(chip)}</p>{facts}</div>'


def answered(words: str, by: str) -> str:
    """An answer in a list of answers: two lines of it, marked as written by a model."""
    author = f'<span class="visually-hidden">{escape(by)} wrote: </span>'
    return f'<p class="words written" title="{escape(words)}">{author}{escape(words)}</p>'


def unanswered(words: str) -> str:
    """Why there is no answer in a list of answers."""
    return f'<p class="words" title="{escape(words)}">{escape(words)}</p>'


def told_apart(about: Sequence[str]) -> str:
    """Under an answer in a list of answers: what else tells its reading from the others."""
    return f'<p class="about">{escape(" · ".join(about))}</p>' if about else ""


def reading_line(number: int, name: str, chips: Iterable[Chip], inside: str, *, facts: Sequence[str] = ()) -> str:
    """One of several readings in a line: its number and name, chips, and `inside`, HTML of this module or of `markup`."""
    pills = "".join(map(markup.draw_chip, chips))
    told = f'<p class="facts">{escape(" · ".join(facts))}</p>' if facts else ""
    title = f'<h3><span class="visually-hidden">Reading {number}: </span>{escape(name)}</h3>'
    head = f'<div class="who"><span class="number" aria-hidden="true">{number}</span><div>{title}{told}</div></div>'
    return f'<div class="reading-line">{head}<p class="chips">{pills}</p><div class="said">{inside}</div></div>'


def player_head(number: int, by: str) -> str:
    """Over one of two players."""
    return f'<div class="compared"><span class="number" aria-hidden="true">{number}</span><h3>{escape(by)}</h3></div>'


def balance(words: str, note: str) -> str:
    """After how many questions which reading is cheaper."""
    more = f'<p class="aside">{escape(note)}</p>' if note else ""
    return f'<div class="parting"><p class="lead-sentence">{escape(words)}</p>{more}</div>'


def versus(names: Sequence[str], rows: Iterable[ComparedRow], *, about: str) -> str:
    """A table with a column for each of several readings; a row of values that differ has a mark and a word."""
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    body = ""
    seen: set[str] = set()
    for name, values, differs in rows:
        mark = '<span aria-hidden="true">≠</span><span class="visually-hidden">differs</span>' if differs else ""
        cells = "".join(f"<td>{escape(value)}</td>" for value in values)
        kind = ' class="differs"' if differs else ""
        body += f'<tr{kind}><td class="mark">{mark}</td><th scope="row">{explained(name, seen=seen)}</th>{cells}</tr>'
    head = f'<tr><td class="mark"></td><th class="about" scope="col">{escape(about)}</th>{heads}</tr>'
    box = f'<div class="wide" tabindex="0" role="region" aria-label="{escape(about)}">'
    wide = f"min-width:{14 + 8 * len(names)}rem"
    return f'{box}<table class="versus" style="{wide}"><thead>{head}</thead><tbody>{body}</tbody></table></div>'


class SideText(NamedTuple):
    """One of two readings where they part: its name and step, what happened there, and what it wrote."""

    name: str
    sentence: str
    words: str


def parting(lead: str, sides: Iterable[SideText], note: str) -> str:
    """Where two readings part: in a sentence, then each of them."""
    told = ""
    for name, sentence, words in sides:
        wrote = f"<blockquote>{escape(words)}</blockquote>" if words else ""
        told += f"<div><h3>{escape(name)}</h3><p>{escape(sentence)}</p>{wrote}</div>"
    said = f'<div class="sides">{told}</div>' if told else ""
    more = f'<p class="aside">{escape(note)}</p>' if note else ""
    return f'<div class="parting"><p class="lead-sentence">{escape(lead)}</p>{said}{more}</div>'
