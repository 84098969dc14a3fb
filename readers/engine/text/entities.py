"""Names, dates and quantities in a text, found by rules. They replace the recogniser of CoreNLP (Wang et al., 2024, appendix C).

A name is a run of capitalised words (`Hester Tarrel`, `Captain Andrew Rennick`, `the Bank of England` without its article, `Form
218`), or the text between Chinese book marks. A date is a year, a month, a weekday or a combination of them; a quantity is a
number, in figures or English words, with a unit or a currency. The first word of a sentence is always capitalised: it counts if
the text capitalises it elsewhere, if a capitalised word follows, or if the vocabulary has it with a capital or not at all. Names
in lower case or in scripts without capitals are not found. Not here: what kind of thing a name means.

Spans are in order, do not overlap and are not empty. The time is linear in the length of the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import regex

from readers.engine.on_first_use import unicode_pattern
from readers.engine.text.words import is_usually_capitalised, rarity, term

Kind = Literal["name", "date", "quantity"]


class NamedEntity(NamedTuple):
    """`text[start:end]` is a name, a date or a quantity."""

    start: int
    end: int
    kind: Kind


# A name of more words is a heading or a line of capitals.
_LONGEST = 8
# From this rarity on, the first word of a sentence may belong to the name that follows it, or be a name by itself.
_NOT_COMMON, _UNKNOWN = 0.3, 0.95
_WRAPPED_LINE = 40

_TITLES = frozenset(
    [
        "mr", "mrs", "ms", "miss", "mx", "dr", "st", "sir", "dame", "lord", "lady", "captain", "capt", "colonel", "col",
        "general", "gen", "major", "sergeant", "sgt", "lieutenant", "lt", "admiral", "professor", "prof", "reverend", "rev",
        "father", "sister", "brother", "mother", "uncle", "aunt", "king", "queen", "prince", "princess", "president", "judge",
        "justice", "inspector", "constable", "provost", "master", "mistress", "madame", "monsieur",
    ]
)  # fmt: skip
# Titles that end with a full stop.
_SHORTENED = frozenset(["mr", "mrs", "ms", "dr", "st", "capt", "col", "gen", "sgt", "lt", "prof", "rev"])
_ARTICLES = frozenset(["the", "a", "an"])
_NEVER = frozenset(["i", "i'm", "i've", "i'd", "i'll", "o", "oh", "ah", "yes", "no", "ok", "okay"])
_INSIDE = frozenset(
    ["of", "the", "de", "da", "di", "du", "del", "della", "der", "den", "van", "von", "la", "le", "bin", "ibn", "al", "y", "zu"]
)
_SMALL = _ARTICLES | _INSIDE | {"with"}
_FIRM = frozenset(["son", "sons", "co", "company", "brothers", "daughters", "partners"])
_BODY = frozenset(
    [
        "company", "corporation", "club", "society", "cup", "league", "association", "school", "college", "university",
        "hospital", "museum", "bank", "council", "committee", "court", "office", "department", "ministry", "institute",
        "party", "union",
    ]
)  # fmt: skip

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Jan\.|Feb\.|Aug\.|Sept?\.|Oct\.|Nov\.|Dec\.)"
)
_WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_YEAR = r"(?:1[0-9]|20)\d\d(?:[-–/]\d{2,4})?(?:s\b)?+"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?+"
_ONES = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|"
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty|half|hundred|thousand|million|dozen)"
)
_NUMBER = (
    rf"(?:\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?+|\d{{1,15}}(?:\.\d{{1,9}})?+|(?:an?\s)?+{_ONES}(?:(?:\sand)?[-\s]{_ONES}){{0,6}})"
)
_UNIT = (
    r"(?:feet|foot|inch(?:es)?|yards?|miles?|fathoms?|acres?|square\smiles?|leagues?|knots|tons?|tonnes?|pounds?|ounces?|stone|"
    r"shillings?|pence|pennies|guineas?|dollars?|euros?|francs?|years?|months?|weeks?|days?|hours?|minutes?|seconds?|centur(?:y|ies)|"
    r"degrees?|per\scent|percent|gallons?|pints?|lit(?:er|re)s?|(?:kilo|centi|milli)?met(?:er|re)s?|(?:kilo)?grams?|km|cm|mm|kg|"
    r"o['’]clock|[ap]\.?m\.?)"
)
_FIXED = unicode_pattern(
    rf"(?P<date>\b{_WEEKDAY},?+\s{_DAY}\s{_MONTH}(?:,?\s{_YEAR})?+\b|\b(?:{_WEEKDAY},?+\s)?+{_MONTH}\s{_DAY}\b(?!\d)(?:,?\s{_YEAR})?+|"
    rf"\b{_DAY}\s{_MONTH}(?:,?\s{_YEAR})?+\b|\b{_MONTH}\s{_YEAR}\b|\b{_WEEKDAY}s?+\b|(?<!^){_MONTH}\b|"
    rf"\b(?<![.,:/–-]){_YEAR}\b(?!,\d|\s?{_UNIT}\b)|\d{{4}}年(?:\d{{1,2}}月(?:\d{{1,2}}日)?+)?+)|"
    rf"(?P<quantity>[£$€¥]\s?{_NUMBER}|\b{_NUMBER}(?:\s|-|(?<=\d)){_UNIT}\b|\b{_NUMBER}\s?%|\b\d{{1,2}}[.:]\d\d\b(?![.:]?\d))",
    regex.V0,
)

# A word with its hyphens and apostrophes, or a text between Chinese book marks.
_WORD = unicode_pattern(
    r"《[^《》\n]{1,40}》|[\p{L}\p{M}\p{N}--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]]++(?:['’\-‐‑][\p{L}\p{N}]++)*+", regex.V1
)
_POSSESSIVE = unicode_pattern(r"['’][sS]$|(?<=[sS])['’]$")
# What precedes the first word of a sentence, a speech, a note or a line.
_HEAD = unicode_pattern(r"[.!?…。！？:;()\[\]{}*#>—–|]|,[\"“‘'«]|\n\s*\n|\A\W*\Z|[\"“‘«]\s*$")


class _Word(NamedTuple):
    start: int
    end: int
    text: str
    folded: str
    capital: bool
    head: bool
    joined: bool
    """Only white space (or the full stop of a title or an initial) separates it from the word before."""


def find_entities(text: str) -> list[NamedEntity]:
    """The names, dates and quantities in a text, in order."""
    numbers = [NamedEntity(*match.span(), "date" if match["date"] else "quantity") for match in _FIXED.finditer(text)]
    found = [NamedEntity(start, end, "name") for start, end in _names(text, numbers)]
    return sorted([*numbers, *found])


def _names(text: str, numbers: Sequence[NamedEntity]) -> Iterator[tuple[int, int]]:
    words = list(_words(text, numbers))
    inside = Counter(word.folded for word in words if word.capital and not word.head)
    small = Counter(word.folded for word in words if not word.capital)
    n = 0
    while n < len(words):
        if words[n].text[0] == "《":
            yield words[n].start + 1, words[n].end - 1
        if not words[n].capital:
            n += 1
            continue
        run = _run(words, n)
        n += max(1, len(run))
        run = _trimmed(run, inside, small)
        if 0 < len(run) <= _LONGEST:
            yield run[0].start, run[-1].end - _possessive_length(run[-1].text)


def _words(text: str, numbers: Sequence[NamedEntity]) -> Iterator[_Word]:
    """The words outside dates and quantities. Two words with one of these between them are not joined."""
    at, number = 0, 0
    before = ""
    for match in _WORD.finditer(text):
        start, end = match.span()
        while number < len(numbers) and numbers[number].end <= start:
            at, before = max(at, numbers[number].end), ""
            number += 1
        if number < len(numbers) and numbers[number].start < end:
            continue
        gap, word = text[max(at, start - 200) : start], match[0]
        stop = before in _SHORTENED or (len(before) == 1 and before.isalpha())
        joined = bool(before) and (gap.isspace() or (stop and gap in (". ", "."))) and "\n\n" not in gap
        line = "\n" in gap and not (joined and start - text.rfind("\n", max(0, at - _WRAPPED_LINE), at) > _WRAPPED_LINE)
        head = line or (not joined and (not gap or bool(_HEAD.search(gap)) or (not before and start == len(gap))))
        folded = word.casefold().replace("’", "'").removesuffix("'s")
        yield _Word(start, end, word, folded, word[0].isupper() and folded not in _NEVER, head, joined and not line)
        at, before = end, folded


def _run(words: Sequence[_Word], start: int) -> list[_Word]:
    """The run of capitalised words from `start` on, with the small words inside it and figures at its end."""
    end = start + 1
    while end < len(words) and words[end].joined and end - start <= _LONGEST:
        if words[end].capital:
            end += 1
        elif words[end].text.isdigit():
            end += 1
            break
        else:
            after = _after_small_words(words, end)
            if after == end:
                break
            end = after
    while end < len(words) and end - start > _LONGEST and words[end].joined and words[end].capital:
        end += 1
    return list(words[start:end])


def _after_small_words(words: Sequence[_Word], at: int) -> int:
    """The position after one or two small words inside a name and the capitalised word that follows; `at` if there are none."""
    end = at
    while end < len(words) and end - at < 2 and words[end].joined and words[end].folded in _INSIDE and not words[end].capital:
        end += 1
    if end == at and words[at].folded in ("and", "&") and at + 1 < len(words) and words[at + 1].joined and words[at + 1].capital:
        follows = [word.folded for word in _capitalised_run(words, at + 1)]
        return at + 2 if follows[0] in _FIRM or follows[-1] in _BODY else at
    if end == at or end >= len(words) or not (words[end].capital and words[end].joined):
        return at
    return end + 1 if words[end - 1].folded != "the" or end - at == 2 else at


def _capitalised_run(words: Sequence[_Word], at: int) -> list[_Word]:
    end = at + 1
    while end < len(words) and end - at < _LONGEST and words[end].capital and words[end].joined:
        end += 1
    return list(words[at:end])


def _trimmed(run: list[_Word], inside: Counter[str], small: Counter[str]) -> list[_Word]:
    """The run without first words that are capitalised only because a sentence begins there, and without an article."""
    if len(run) > 2 * _LONGEST:
        return []
    while run and (run[0].folded in _ARTICLES or (run[0].head and not _is_part_of_name(run, inside, small))):
        run = run[1:]
        while run and not run[0].capital:
            run = run[1:]
    if len(run) == 1 and (run[0].folded in _SHORTENED or len(run[0].folded) == 1 or rarity(run[0].folded) == 0):
        return []
    return run


def _is_part_of_name(run: Sequence[_Word], inside: Counter[str], small: Counter[str]) -> bool:
    """Whether the first word of a sentence is part of the name."""
    word = run[0].folded
    if inside[word]:
        return inside[word] > small[word]
    if small[word]:
        return False
    if len(run) > 1:
        return word in _TITLES or len(word) == 1 or rarity(word) >= _NOT_COMMON
    unknown = rarity(word) >= _UNKNOWN and len(word) > 2 and not word.endswith(("s", "ing", "ed", "ly"))
    return unknown or is_usually_capitalised(word)


def _possessive_length(word: str) -> int:
    found = _POSSESSIVE.search(word)
    return len(found[0]) if found else 0


def may_be_same_name(a: str, b: str) -> bool:
    """Whether two names may mean the same: the words of one, without title, article and possessive, are all in the other.

    A guess to be checked: it is true of `Brough` and `Magnus Brough`, and of `Brough` and `Dirk Brough`. A name that is only a
    title or figures equals only itself.
    """
    if a.casefold() == b.casefold():
        return True
    first, second = name_words(a), name_words(b)
    shorter, longer = sorted((first, second), key=len)
    return bool(shorter) and not all(word.isdigit() for word in shorter) and set(shorter) <= set(longer)


@lru_cache(maxsize=1 << 14)
def name_words(name: str) -> tuple[str, ...]:
    """The words by which a name is compared: no article, no title (unless there is nothing else), no small words inside."""
    found = [match[0].casefold() for match in _WORD.finditer(name)]
    plain = [word for word in found if word not in _SMALL]
    kept = [word for word in plain if word.removesuffix("'s").removesuffix("’s") not in _TITLES]
    return tuple(term(word) for word in kept or plain or found)
