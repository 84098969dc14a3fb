"""The terms of the field that Palimpsest uses, and how they are marked in text. Pure.

One list, `TERMS`, read from `assets/terms`. `explained` makes HTML of words that *we* wrote, in which the first occurrence of
each term is a button with a dotted underline; pressed with mouse, finger or key, it opens the term's explanation next to it. The
browser does that by itself (`popover`): Escape and a press elsewhere close it. The explanations are on every page once (`cards`);
the player's scripts also refer to them (`assets/js/player/terms.js`). What a text, a model, a file or a person supplies is never
marked: it does not go through here, and a sentence's quotations of it are excluded by `protected`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

FOLDER = Path(__file__).parents[2] / "assets" / "terms"


class Term(NamedTuple):
    """A term: its name, the forms in which it occurs (a pattern), its meaning in a sentence or two, and where it can be seen.

    That is a `step` (from 1) of a recorded reading, by the name of its file, or, if there is none, a `page` with its `title`;
    `shows` says what can be seen there.
    """

    name: str
    forms: str
    meaning: str
    shows: str
    recording: str = ""
    step: int = 0
    page: str = ""
    title: str = ""

    @property
    def id(self) -> str:
        return self.name.lower().replace(" ", "-")


TERMS = tuple(Term(**row) for row in json.loads((FOLDER / "terms.json").read_text(encoding="utf-8")))
BY_ID = {term.id: term for term in TERMS}
_QUOTATION_MARK = re.compile("[“”]")


@cache
def _forms() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{_group(term.id)}>\\b(?:{term.forms})\\b)" for term in TERMS), re.IGNORECASE)


def _group(term_id: str) -> str:
    return term_id.replace("-", "_")


def marks(words: str, *, protected: Iterable[str] = ()) -> list[tuple[int, int, str]]:
    """The first occurrence of each term in words of ours, in order: where it begins and ends, and the term's id. There is no term
    in a quotation, nor in any of the `protected` words."""
    ours = _without(words, protected)
    found: dict[str, tuple[int, int, str]] = {}
    for match in _forms().finditer(ours):
        term_id = str(match.lastgroup).replace("_", "-")
        found.setdefault(term_id, (*match.span(), term_id))
    return list(found.values())


def _without(words: str, protected: Iterable[str]) -> str:
    """The same words, with quoted and protected ones replaced by blanks of the same length."""
    words = _without_quotations(words)
    for each in sorted({part for part in protected if part.strip()}, key=len, reverse=True):
        words = words.replace(each, "\0" * len(each))
    return words


def _without_quotations(words: str) -> str:
    """The same words with blanks for each quotation; a quotation may contain quotations, and one without an end reaches to the
    end of the text."""
    parts: list[str] = []
    depth = at = 0
    for mark in _QUOTATION_MARK.finditer(words):
        opens = mark[0] == "“"
        if opens and not depth:
            parts.append(words[at : mark.start()])
            at = mark.start()
        depth = depth + 1 if opens else max(0, depth - 1)
        if not opens and not depth:
            parts.append("\0" * (mark.end() - at) if words[at : at + 1] == "“" else words[at : mark.end()])
            at = mark.end()
    rest = words[at:]
    return "".join([*parts, "\0" * len(rest) if depth else rest])


def explained(words: str, *, protected: Iterable[str] = (), seen: set[str] | None = None) -> Markup:
    """HTML of words that we wrote, in which terms are marked, except those `seen` in the same block; adds its own to them.

    Not for the inside of a link, a button or a `summary`.
    """
    parts: list[str] = []
    at = 0
    seen = set() if seen is None else seen
    for start, end, term_id in marks(words, protected=protected):
        if term_id in seen:
            continue
        seen.add(term_id)
        parts += [words[at:start], _button(words[start:end], f"term-{term_id}", BY_ID[term_id].meaning)]
        at = end
    return Markup("").join([*parts, words[at:]])


def with_meaning(words: str, meaning: str) -> Markup:
    """HTML of words with a meaning of their own, which opens in the same way as that of a term."""
    card = f"meaning-{blake2b(f'{words}: {meaning}'.encode(), digest_size=6).hexdigest()}"
    return _button(words, card, meaning) + _card(card, meaning)


def _button(words: str, card: str, meaning: str) -> Markup:
    return Markup('<button type="button" class="term" popovertarget="{}" title="{}">{}</button>').format(card, meaning, words)


def _card(card: str, inside: str) -> Markup:
    return Markup('<span class="term-card" id="{}" popover>{}</span>').format(card, inside)


def cards() -> Markup:
    """The explanations of all terms, hidden until opened. Every page has them once."""
    return Markup("").join(_card(f"term-{term.id}", Markup("<b>{}:</b> {}").format(term.name, term.meaning)) for term in TERMS)


def with_terms(help_words: str, *others: str) -> str:
    """Help for a field of a form, as Markdown: the words, then what the terms in them and in the `others` (its label) mean."""
    return "\n\n".join([help_words, *_meanings(help_words, *others)])


def _meanings(*words: str) -> Iterator[str]:
    found = dict.fromkeys(term_id for each in words for *_, term_id in marks(each))
    yield from (f"**{BY_ID[term_id].name}**: {BY_ID[term_id].meaning}" for term_id in found)
