"""Normalise an answer to comparable words: NFC, without capitals, punctuation and English articles.

A number is one word, compared by value: `-5`, `12,500`, `12 500`, `10.5`, `3.5 million` (3500000). A number in words is also one
word (`twenty five`); it is not converted to figures. Not here: grading by these words (`grading.py`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import regex

from readers.engine.text.words import WORD

ARTICLES = frozenset({"a", "an", "the"})
_LETTER = r"[\p{L}\p{M}\p{N}--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]]"
# A sign comes directly before its figures and not after a word: in "pages 3-5" and "B-12" it is a hyphen.
_SIGN = r"(?:(?<![\p{L}\p{M}\p{N})\]%])(?P<minus>[-−–])(?=[£$€¥]?\.?\d))?[£$€¥]?"
_FIGURES = r"(?P<figures>[1-9]\d{0,2}(?:[ \u00a0\u2009\u202f]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:[.,]\d+)*|\.\d+)"
_TOKEN = regex.compile(rf"{_SIGN}{_FIGURES}(?P<unit>(?:['’]?(?=\p{{L}}){_LETTER}+)?)|{WORD.pattern}", regex.V1)
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:(?:,\d{2,3})*,\d{3}|(?:[ \u00a0\u2009\u202f]\d{3})+)(?:\.\d+)?")
_DOTTED = re.compile(r"[1-9]\d{0,2}(?:\.\d{3}){2,}")
_PLAIN = re.compile(r"\d*\.?\d+")
_OF_NUMBERS = frozenset({"st", "nd", "rd", "th"})  # suffixes of a number that are not words of their own

_LONGEST_NUMBER = 100  # characters of a number that may be joined with the next word
_SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_TENS = frozenset(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"])
_ONES = frozenset(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
_TEENS = "zero ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_IN_WORDS = _TENS | _ONES | frozenset(_TEENS.split()) | frozenset(_SCALES)


def nfc(text: str) -> str:
    """The text in NFC: an accent is part of its letter, however it was typed."""
    return unicodedata.normalize("NFC", text)


def comparable_words(text: str) -> list[str]:
    """The words of an answer, in order; articles only if there is nothing else."""
    every = _numbers_joined([token for match in _TOKEN.finditer(nfc(text)) for token in _tokens(match)])
    return [word for word in every if word not in ARTICLES] or every


def is_figure(word: str) -> bool:
    """Whether a word of `compared` is a number in figures, such as `-5` or `5th`."""
    return word.removeprefix("-")[:1].isdigit()


def is_number_word(word: str) -> bool:
    """Whether a word of `compared` is a number in words."""
    return word.partition(" ")[0] in _IN_WORDS


def positions(text: Sequence[str], part: Sequence[str]) -> list[int]:
    """The positions at which these words occur in a text, in sequence."""
    size = len(part)
    return [at for at in range(len(text) - size + 1) if text[at : at + size] == part] if part else []


def _tokens(match: regex.Match[str]) -> list[str]:
    figures = match["figures"]
    if figures is None:
        return [match[0].casefold().replace("’", "'")]
    unit = match["unit"].casefold().lstrip("'’")
    number = _value(figures)
    number = f"-{number}" if match["minus"] and number.strip("0.") else number
    # Two letters are a word of their own ("10km", "5pm"), one may belong to the number ("12B", "1980s").
    return [number, unit] if len(unit) > 1 and unit not in _OF_NUMBERS else [number + unit]


def _value(figures: str) -> str:
    """A number in one canonical notation; figures that are no known number ("1.2.3") are unchanged."""
    if _GROUPED.fullmatch(figures):
        figures = re.sub(r"[^\d.]", "", figures)
    elif _DOTTED.fullmatch(figures):
        figures = figures.replace(".", "")
    elif not _PLAIN.fullmatch(figures):
        return figures
    return _plain(*figures.partition(".")[::2])


def _plain(whole: str, fraction: str, *, zeros: int = 0) -> str:
    """The number times ten to the power of `zeros`. Digits are moved as text: there may be thousands."""
    fraction = fraction.ljust(zeros, "0")
    whole, fraction = (whole + fraction[:zeros]).lstrip("0") or "0", fraction[zeros:].rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole


def _numbers_joined(tokens: Sequence[str]) -> list[str]:
    """Join `3.5`, `million` and `minus`, `5` and `twenty`, `five` into one number each."""
    joined: list[str] = []
    for n, token in enumerate(tokens):
        before = joined[-1] if joined and len(joined[-1]) <= _LONGEST_NUMBER else ""
        if token in _SCALES and _PLAIN.fullmatch(before.removeprefix("-")):
            sign = "-" * before.startswith("-")
            joined[-1] = sign + _plain(*before.removeprefix("-").partition(".")[::2], zeros=_SCALES[token])
        elif before == "minus" and _PLAIN.fullmatch(token):
            joined[-1] = f"-{token}"
        elif token in _IN_WORDS and _continues(before, token):
            joined[-1] = f"{before} {token}"
        elif token == "and" and before.rpartition(" ")[2] in _SCALES and tokens[n + 1 : n + 2] and tokens[n + 1] in _IN_WORDS:
            continue  # "two hundred and five"
        else:
            joined.append(token)
    return joined


def _continues(before: str, token: str) -> bool:
    """Whether a number in words continues with this word: "twenty five" does; "five six" are two numbers."""
    last = before.rpartition(" ")[2]
    return last in _IN_WORDS and (token in _SCALES or last in _SCALES or (last in _TENS and token in _ONES))
