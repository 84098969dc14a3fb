"""Normalise an answer to comparable words: NFC, without capitals, punctuation and English articles.

A number is one word, compared by value: `-5`, `12,500`, `12 500`, `10.5`, `3.5 million` (3500000). A number in words becomes
figures (`thirty-two` is 32, `fifth` 5th), except a `one` that counts nothing (`no one`, `one of them`). Old money is written out:
`14s. 6d.` is 14 shillings 6 pence, and so is `fourteen shillings and sixpence`. Not here: grading by these words (`grading/`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

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
_PLAIN = re.compile(r"\d+(?:\.\d+)?|\.\d+")
_OF_NUMBERS = frozenset({"st", "nd", "rd", "th"})  # suffixes of a number that are not words of their own

_LONGEST_CACHED = 1_000  # characters of a text whose words are cached: a grade needs them several times
_LONGEST_NUMBER = 100  # characters of a number that may be joined with the next word
_SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_UNDER_TWENTY = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_VALUES = {name: n for n, name in enumerate(_UNDER_TWENTY)} | _TENS
_IN_WORDS = _VALUES.keys() | _SCALES.keys()
_DIGITS = frozenset("123456789")
_NOT_A_NUMBER = "\0"
_ORDINALS = (
    {"first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th", "seventh": "7th"}
    | {"eighth": "8th", "ninth": "9th", "tenth": "10th", "eleventh": "11th", "twelfth": "12th", "hundredth": "100th"}
    | {f"{name}th": f"{n}th" for n, name in enumerate(_UNDER_TWENTY[13:], 13)}
    | {f"{name.removesuffix('y')}ieth": f"{n}th" for name, n in _TENS.items()}
)
# A "one" next to one of these counts nothing.
_BEFORE_ONE = frozenset(["no", "any", "some", "every", "each", "this", "that", "which", "the", "another"])
_AFTER_ONE = frozenset(["of", "another", "who", "whose", "by"])
_PENCE = {"twopence": "2", "tuppence": "2", "threepence": "3", "fourpence": "4", "sixpence": "6", "ninepence": "9"}
_MONEY = frozenset(["pounds", "shillings", "pence"])
_ONE_COIN = {"pound": "pounds", "shilling": "shillings", "penny": "pence"}
_SHILLINGS_AND_PENCE = re.compile(r"(?:£ ?(\d{1,4})[ ,.]{1,2})?\b(\d{1,2})s\b\.?,? ?(?:and )?(\d{1,2})d\b\.?")
_POUNDS_AND_SHILLINGS = re.compile(r"£ ?(\d{1,4})[ ,.]{1,2}(\d{1,2})s\b\.?")


def nfc(text: str) -> str:
    """The text in NFC: an accent is part of its letter, however it was typed."""
    return unicodedata.normalize("NFC", text)


def comparable_words(text: str) -> list[str]:
    """The words of an answer, in order; articles only if there is nothing else."""
    return list(_cached(text)) if len(text) <= _LONGEST_CACHED else _comparable(text)


@lru_cache(maxsize=1 << 12)
def _cached(text: str) -> tuple[str, ...]:
    return tuple(_comparable(text))


def _comparable(text: str) -> list[str]:
    tokens = [token for match in _TOKEN.finditer(_money_written_out(nfc(text))) for token in _tokens(match)]
    every = _coins_joined([figure for word in _numbers_joined(tokens) for figure in _in_figures(word)])
    return [word for word in every if word not in ARTICLES] or every


def is_figure(word: str) -> bool:
    """Whether a word of `compared` is a number in figures, such as `-5` or `5th`."""
    return word.removeprefix("-")[:1].isdigit()


def is_number_word(word: str) -> bool:
    """Whether a word of `compared` is a number in words: a `one` that counts nothing."""
    return word in _IN_WORDS


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
    """A number in one canonical notation; figures that are not a known number ("1.2.3") are unchanged."""
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
        elif (token in _IN_WORDS or _ORDINALS.get(token, "")[:-2] in _DIGITS) and _continues(before, token):
            joined[-1] = f"{before} {token}"
        elif token == "one" and _counts_nothing(tokens, n):
            joined.append(_NOT_A_NUMBER + token)
        elif token == "and" and before.rpartition(" ")[2] in _SCALES and tokens[n + 1 : n + 2] and tokens[n + 1] in _IN_WORDS:
            continue  # "two hundred and five"
        else:
            joined.append(token)
    return joined


def _counts_nothing(tokens: Sequence[str], n: int) -> bool:
    return (n > 0 and tokens[n - 1] in _BEFORE_ONE) or (n + 1 < len(tokens) and tokens[n + 1] in _AFTER_ONE)


def _continues(before: str, token: str) -> bool:
    """Whether a number in words continues with this word: "twenty five" does; "five six" are two numbers."""
    last = before.rpartition(" ")[2]
    if last in _TENS and (token in _UNDER_TWENTY[1:10] or token in _ORDINALS):
        return True
    return last in _IN_WORDS and token not in _ORDINALS and (token in _SCALES or last in _SCALES)


def _in_figures(word: str) -> list[str]:
    """A number in words as figures; other words unchanged."""
    if word.startswith(_NOT_A_NUMBER):
        return [word.removeprefix(_NOT_A_NUMBER)]
    if word in _PENCE:
        return [_PENCE[word], "pence"]
    *parts, last = word.split(" ")
    if last in _ORDINALS:
        ending = _ORDINALS[last]
        return [f"{_value_of(parts) + int(ending[:-2])}{ending[-2:]}"] if parts else [ending]
    return [str(_value_of([*parts, last]))] if last in _IN_WORDS else [_ONE_COIN.get(word, word)]


def _value_of(words: Sequence[str]) -> int:
    """The value of number words in order: `two hundred five thousand` is 205,000."""
    total = 0
    group = 0
    for word in words:
        if word == "hundred":
            group = max(1, group) * 100
        elif word in _SCALES:
            total, group = total + max(1, group) * 10 ** _SCALES[word], 0
        else:
            group += _VALUES[word]
    return total + group


def _money_written_out(text: str) -> str:
    """Pounds, shillings and pence in their old signs (`£2 14s. 6d.`) as words."""
    if "s" not in text:
        return text
    text = _SHILLINGS_AND_PENCE.sub(
        lambda found: (f"{found[1]} pounds " if found[1] else "") + f"{found[2]} shillings {found[3]} pence", text
    )
    return _POUNDS_AND_SHILLINGS.sub(r"\1 pounds \2 shillings", text)


def _coins_joined(words: Sequence[str]) -> list[str]:
    """The words without the "and" between two coins and their numbers: "fourteen shillings and sixpence"."""
    ands = {
        n for n, word in enumerate(words) if word == "and" and words[n - 1 : n] and words[n - 1] in _MONEY and _coins(words, n)
    }
    return [word for n, word in enumerate(words) if n not in ands]


def _coins(words: Sequence[str], n: int) -> bool:
    """Whether a number of coins follows the word at `n`."""
    return len(words) > n + 2 and is_figure(words[n + 1]) and words[n + 2] in _MONEY
