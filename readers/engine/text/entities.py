"""Names, dates and quantities in a text, by rules: what stands in for CoreNLP's entity recogniser, which QRMeM uses (appendix C).

A name is a run of capitalised words (`Hester Tarrel`, `Captain Andrew Rennick`, `the Bank of England` without its article, `Form
218`), or what Chinese book marks enclose. A date is a year, a month, a weekday or what is put together of them; a quantity is a
number, in figures or English words, with a unit or a currency. A word at the head of a sentence is capital anyway: it counts if
the text has it capitalised elsewhere, if a capitalised word follows, or if no vocabulary knows it. Not found: names in scripts
without capitals, and names written small. What sort of thing a name means is not told.

If spaCy and a small English model are installed, `named` asks them instead. `named_by_rules` never does, and is the same on every
machine. Spans are in order, do not overlap and are not empty; time grows linearly with the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

import regex

from readers.engine.text import split
from readers.engine.text.document import Text
from readers.engine.text.words import rarity, term

Kind = Literal["name", "date", "quantity"]


class Entity(NamedTuple):
    """`text[start:end]` is a name, a date or a quantity."""

    start: int
    end: int
    kind: Kind


# A name of more words is a heading or a line of capitals.
_LONGEST = 8
# From here on a word at the head of a sentence may belong to the name that follows it, or be one by itself.
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
# Those that end with a stop.
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
_FIXED = regex.compile(
    rf"(?P<date>\b{_WEEKDAY},?+\s{_DAY}\s{_MONTH}(?:,?\s{_YEAR})?+\b|\b(?:{_WEEKDAY},?+\s)?+{_MONTH}\s{_DAY}\b(?!\d)(?:,?\s{_YEAR})?+|"
    rf"\b{_DAY}\s{_MONTH}(?:,?\s{_YEAR})?+\b|\b{_MONTH}\s{_YEAR}\b|\b{_WEEKDAY}s?+\b|(?<!^){_MONTH}\b|"
    rf"\b(?<![.,:/–-]){_YEAR}\b(?!,\d|\s?{_UNIT}\b)|\d{{4}}年(?:\d{{1,2}}月(?:\d{{1,2}}日)?+)?+)|"
    rf"(?P<quantity>[£$€¥]\s?{_NUMBER}|\b{_NUMBER}(?:\s|-|(?<=\d)){_UNIT}\b|\b{_NUMBER}\s?%|\b\d{{1,2}}[.:]\d\d\b(?![.:]?\d))",
    regex.V0,
)

# A word with its hyphens and apostrophes; an opening Chinese book mark with what it encloses.
_WORD = regex.compile(
    r"《[^《》\n]{1,40}》|[\p{L}\p{M}\p{N}--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]]++(?:['’\-‐‑][\p{L}\p{N}]++)*+", regex.V1
)
_POSSESSIVE = regex.compile(r"['’][sS]$|(?<=[sS])['’]$")
# What stands before a word that begins a sentence, a speech, a note or a line.
_HEAD = regex.compile(r"[.!?…。！？:;()\[\]{}*#>—–|]|,[\"“‘'«]|\n\s*\n|\A\W*\Z|[\"“‘«]\s*$")


class _Word(NamedTuple):
    start: int
    end: int
    text: str
    folded: str
    capital: bool
    head: bool
    joined: bool
    """Only white space (or the stop of a title or an initial) lies between it and the word before."""


def named(text: Text | str) -> list[Entity]:
    """Names, dates and quantities, by spaCy if a model is installed, else by rules."""
    plain = text if isinstance(text, str) else text.text
    tagger = _tagger()
    return named_by_rules(plain) if tagger is None else _tagged(plain, tagger)


def named_by_rules(text: str) -> list[Entity]:
    """The same, by the rules of this module alone."""
    fixed = [Entity(*match.span(), "date" if match["date"] else "quantity") for match in _FIXED.finditer(text)]
    found = [Entity(start, end, "name") for start, end in _names(text, fixed)]
    return sorted([*fixed, *found])


def _names(text: str, fixed: Sequence[Entity]) -> Iterator[tuple[int, int]]:
    words = list(_words(text, fixed))
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
            yield run[0].start, run[-1].end - _possessive(run[-1].text)


def _words(text: str, fixed: Sequence[Entity]) -> Iterator[_Word]:
    """The words that are in no date or quantity. Where one of these lies between two words, they are not joined."""
    at, number = 0, 0
    before = ""
    for match in _WORD.finditer(text):
        start, end = match.span()
        while number < len(fixed) and fixed[number].end <= start:
            at, before = max(at, fixed[number].end), ""
            number += 1
        if number < len(fixed) and fixed[number].start < end:
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
    """The capitalised words from `start` on, with the small words and the figures between and after them."""
    end = start + 1
    while end < len(words) and words[end].joined and end - start <= _LONGEST:
        if words[end].capital:
            end += 1
        elif words[end].text.isdigit():
            end += 1
            break
        else:
            after = _bridge(words, end)
            if after == end:
                break
            end = after
    while end < len(words) and end - start > _LONGEST and words[end].joined and words[end].capital:
        end += 1
    return list(words[start:end])


def _bridge(words: Sequence[_Word], at: int) -> int:
    """Past one or two small words that lie inside a name, and the capital after them; `at` itself where there are none."""
    end = at
    while end < len(words) and end - at < 2 and words[end].joined and words[end].folded in _INSIDE and not words[end].capital:
        end += 1
    if end == at and words[at].folded in ("and", "&") and at + 1 < len(words) and words[at + 1].joined and words[at + 1].capital:
        follows = [word.folded for word in _straight(words, at + 1)]
        return at + 2 if follows[0] in _FIRM or follows[-1] in _BODY else at
    if end == at or end >= len(words) or not (words[end].capital and words[end].joined):
        return at
    return end + 1 if words[end - 1].folded != "the" or end - at == 2 else at


def _straight(words: Sequence[_Word], at: int) -> list[_Word]:
    end = at + 1
    while end < len(words) and end - at < _LONGEST and words[end].capital and words[end].joined:
        end += 1
    return list(words[at:end])


def _trimmed(run: list[_Word], inside: Counter[str], small: Counter[str]) -> list[_Word]:
    """Without the words at its head that are capital only because a sentence begins there, and without an article."""
    if len(run) > 2 * _LONGEST:
        return []
    while run and (run[0].folded in _ARTICLES or (run[0].head and not _counts(run, inside, small))):
        run = run[1:]
        while run and not run[0].capital:
            run = run[1:]
    if len(run) == 1 and (run[0].folded in _SHORTENED or len(run[0].folded) == 1 or rarity(run[0].folded) == 0):
        return []
    return run


def _counts(run: Sequence[_Word], inside: Counter[str], small: Counter[str]) -> bool:
    """Whether the word at the head of a sentence is of the name."""
    word = run[0].folded
    if inside[word]:
        return inside[word] > small[word]
    if small[word]:
        return False
    if len(run) > 1:
        return word in _TITLES or len(word) == 1 or rarity(word) >= _NOT_COMMON
    return rarity(word) >= _UNKNOWN and len(word) > 2 and not word.endswith(("s", "ing", "ed", "ly"))


def _possessive(word: str) -> int:
    found = _POSSESSIVE.search(word)
    return len(found[0]) if found else 0


def same_name(a: str, b: str) -> bool:
    """Whether two names may mean the same: the words of one, without title, article and possessive, are among the other's.

    A guess to be checked: it says yes for `Brough` and `Magnus Brough`, and for `Brough` and `Dirk Brough`. A name of nothing
    but a title or figures is the same only as itself.
    """
    if a.casefold() == b.casefold():
        return True
    first, second = bare(a), bare(b)
    shorter, longer = sorted((first, second), key=len)
    return bool(shorter) and not all(word.isdigit() for word in shorter) and set(shorter) <= set(longer)


@lru_cache(maxsize=1 << 14)
def bare(name: str) -> tuple[str, ...]:
    """A name's words as they are compared: no article, no title (unless there is nothing else), no small words inside."""
    found = [match[0].casefold() for match in _WORD.finditer(name)]
    plain = [word for word in found if word not in _SMALL]
    kept = [word for word in plain if word.removesuffix("'s").removesuffix("’s") not in _TITLES]
    return tuple(term(word) for word in kept or plain or found)


Tagger = Callable[[str], Any]

_KINDS: dict[str, Kind] = {
    **dict.fromkeys(["PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "LANGUAGE"], "name"),
    **dict.fromkeys(["DATE", "TIME"], "date"),
    **dict.fromkeys(["PERCENT", "MONEY", "QUANTITY"], "quantity"),
}
_BLOCK = 100_000


def recogniser() -> str:
    """Who answers `named` on this machine: `rules`, or the smallest English model of spaCy that is installed."""
    models = ("en_core_web_sm", "en_core_web_md", "en_core_web_lg") if find_spec("spacy") else ()
    return next((name for name in models if find_spec(name)), "rules")


@lru_cache(maxsize=1)
def _tagger() -> Tagger | None:
    """SpaCy's tagger, loaded when it is first needed; None where rules do its work."""
    name = recogniser()
    if name == "rules":
        return None
    loaded: Tagger = import_module("spacy").load(name, exclude=["lemmatizer", "attribute_ruler"])
    return loaded


def _tagged(text: str, tagger: Tagger) -> list[Entity]:
    """What the tagger finds, a stretch of the text at a time: its memory grows with the stretch."""
    found: list[Entity] = []
    for start, end in _stretches(text):
        for entity in tagger(text[start:end]).ents:
            low, high = start + entity.start_char, start + entity.end_char
            if entity.label_ in _KINDS and text[low:high].strip():
                found.append(Entity(low, high, _KINDS[entity.label_]))
    return found


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    open_at = 0
    for _, end in split.paragraphs(text):
        while end - open_at > _BLOCK:
            yield open_at, open_at + _BLOCK
            open_at += _BLOCK
        if end - open_at > _BLOCK // 2:
            yield open_at, end
            open_at = end
    if open_at < len(text):
        yield open_at, len(text)
