"""What the matcher compares in addition to words: the figures of a sentence, and whom it names. Pure.

A figure counts the word after it. A year and a day of a month count nothing: their place is identified by the nearest informative
words on either side. Two names are different if each has a word that the other lacks: `Anders Hallbing` is not `Kjell Hallbing`,
and `Hallbing` may be. A sentence that opens with a pronoun is about somebody who is named before it. Not here: whether figures
are equal, which is decided by `normalise_answer`, and what a sentence says (`matcher.py`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import regex

from readers.engine.questions.grading.word_lists import MONTHS, TITLES
from readers.engine.questions.normalise_answer import comparable_words, is_figure
from readers.engine.text.entities import find_entities
from readers.engine.text.words import rarity, term

_NO_FIGURE = frozenset({"1"})  # "one" mostly counts nothing
_YEAR = regex.compile(r"1[0-9]\d\d|20\d\d")
_A_YEAR, _A_DAY = "a year", "a day"
_TELLING = 0.2  # from this rarity on, a word next to a date shows what happened then
_BRACKETS = regex.compile(r"\([^()]{1,80}\)")
_OF_LIVES = MONTHS | {"born", "died", "b", "d", "c", "circa", "and", "in", "on"}


class TextFigure(NamedTuple):
    """A figure, the term of what it counts (`a year` of a year, nothing of some), and the terms by which its place is known."""

    value: str
    counts: str
    beside: frozenset[str]


def figures_in(words: Sequence[str]) -> frozenset[TextFigure]:
    """The figures among the words of a sentence."""
    return frozenset(_figure(words, n) for n, word in enumerate(words) if is_figure(word) and word not in _NO_FIGURE)


def replaced(missing: Iterable[TextFigure], others: Iterable[TextFigure]) -> bool:
    """Whether another figure is in the place of a missing one."""
    there = list(others)
    return any(one.counts and one.counts == other.counts and one.beside & other.beside for one in missing for other in there)


def is_same(one: TextFigure, other: TextFigure) -> bool:
    """Whether two figures are the same, of the same things as far as is known: nine tons are not nine days."""
    return one.value == other.value and (one.counts == other.counts or not one.counts or not other.counts)


def without_dates(sentence: str) -> str:
    """A sentence without its brackets that have only dates, as after a name: `(1 May 1890 – 3 June 1960)`."""
    return str(_BRACKETS.sub(lambda found: " " if _is_dates(found[0]) else found[0], sentence))


def _is_dates(words: str) -> bool:
    inside = comparable_words(words)
    return any(map(_YEAR.fullmatch, inside)) and all(is_figure(word) or word in _OF_LIVES for word in inside)


def _figure(words: Sequence[str], n: int) -> TextFigure:
    before, after = words[n - 1] if n else "", words[n + 1] if n + 1 < len(words) else ""
    if _YEAR.fullmatch(words[n]):
        return TextFigure(words[n], _A_YEAR, _beside(words, n))
    if before in MONTHS or after in MONTHS:
        return TextFigure(words[n], _A_DAY, _beside(words, n))
    counts = term(after) if after and rarity(after) and not is_figure(after) else ""
    return TextFigure(words[n], counts, frozenset({counts}))


def _beside(words: Sequence[str], n: int) -> frozenset[str]:
    """The nearest telling word before and after a date."""
    sides = (reversed(words[:n]), iter(words[n + 1 :]))
    found = (next((word for word in side if _tells(word)), "") for side in sides)
    return frozenset(term(word) for word in found if word)


def _tells(word: str) -> bool:
    return word not in MONTHS and not is_figure(word) and rarity(word) >= _TELLING


Name = frozenset[str]  # the terms of its words

_PRONOUNS = frozenset({"he", "she", "it", "they", "his", "her", "its", "their"})
_BEFORE = 1_000  # characters before a fact in which its subject is named


@lru_cache(maxsize=1 << 14)
def names_in(sentence: str) -> tuple[Name, ...]:
    """The names in a sentence, in order."""
    return tuple(dict.fromkeys(terms_of(spoken) for spoken in spoken_names(sentence)))


def spoken_names(sentence: str) -> list[str]:
    """The names in a sentence as they are written there."""
    return [sentence[entity.start : entity.end] for entity in find_entities(sentence) if entity.kind == "name"]


def terms_of(name: str) -> Name:
    """The terms of a name, without its titles unless it has nothing else."""
    words = comparable_words(_without_accents(name))
    return frozenset(map(term, [word for word in words if word not in TITLES] or words))


def _without_accents(name: str) -> str:
    """A name as those write it who leave the accents out: `Ortiz` for `Ortíz`."""
    return "".join(letter for letter in unicodedata.normalize("NFD", name) if not unicodedata.combining(letter))


def is_said(name: Name, names: Iterable[Name], terms: frozenset[str]) -> bool:
    """Whether a text with these names and terms has a name, in full, shorter or fuller; a word of another name does not count."""
    alike = [other for other in names if other & name]
    return any(same_name(name, other) for other in alike) if alike else bool(name & terms)


def same_name(one: Name, other: Name) -> bool:
    """Whether two names may be one's: all words of the shorter, or their initials, are in the longer."""
    shorter, longer = sorted((one, other), key=len)
    return all(any(_alike(word, of) for of in longer) for word in shorter)


def _alike(word: str, other: str) -> bool:
    return word == other or (min(len(word), len(other)) == 1 and word[0] == other[0])


def opens_with_pronoun(sentence: str) -> bool:
    return not _PRONOUNS.isdisjoint(comparable_words(sentence)[:1])


def named_before(sentence: str, document: str) -> tuple[Name, ...]:
    """Those whom a sentence of a document may be about: nobody unless it opens with a pronoun."""
    at = document.find(sentence) if opens_with_pronoun(sentence) else -1
    return (*names_in(document[max(0, at - _BEFORE) : at]), *names_in(sentence)) if at >= 0 else ()


def is_about(one_of: Sequence[Name], sentences: Sequence[str], at: int) -> bool:
    """Whether a sentence, the one numbered `at`, may be about one of these. It is about the first one it names, or, if it opens
    with a pronoun, about somebody in the nearest sentence before that names any."""
    if not opens_with_pronoun(sentences[at]):
        named = names_in(sentences[at])[:1]
    else:
        named = next(filter(None, (names_in(sentence) for sentence in reversed(sentences[:at]))), ())
    return not named or any(same_name(name, other) for name in named for other in one_of if name & other)
