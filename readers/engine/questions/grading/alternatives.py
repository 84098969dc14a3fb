"""Which of the question's own alternatives ("X or Y?", "which of X and Y") an answer picks.

An answer may mention both. It picks one by naming only it, by naming it first and stopping there, by rejecting the other ("rather
than Y"), by a comparison in the direction of the question, or by a conclusion ("so X"). Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from readers.engine.questions.grading.case import (
    Case,
    Certainty,
    Grade,
    Mention,
    Token,
    denies,
    finding,
    folded,
    mentions,
    plain,
    tokens,
)
from readers.engine.questions.grading.word_lists import ARTICLES, FUNCTION, GENERIC, POLES, TITLES

_OFFERED = re.compile(r"(?i)\bor\b|\bbetween\b|\bwhich (?:of|one)\b|\bout of\b|\bwhich\b[^?]*, [^?]+ and ")
_OR, _AND = re.compile(r"(?i)(?:,|(?<![\s,]))\s+or\s+"), re.compile(r"(?:,|(?<![\s,]))\s+and\s+")
_BOUNDARY = re.compile(r"[,:;]\s+|\b(?:between|out of|which of|one of|either)\s+(?=[A-Z\"“'])", re.IGNORECASE)
_REMARK = re.compile(r"(?<!\s)\s+(?:by|directed by)\s+(?:[A-Z]\S*\s?)+$|(?<!\s)\s*+\([^()]*\)$")  # "The Ferry by Ada Orr"
_THAN = re.compile(r"(?i)\b(?:than|before|after|compared (?:to|with)|precede[ds]?|predate[ds]?)\b")
_RANKED = re.compile(r"(?i)\b(?:second|third|next)\b")
_COMPARED_TO = re.compile(r"(?i)compared (?:to|with)")
_ASIDE = re.compile(r"(?i)\b(?:rather than|instead of|not|unlike|compared (?:to|with)|as opposed to)\b")
_CONCLUSION = re.compile(r"(?i)\b(?:so|therefore|thus|hence|which means|the answer is|answer:)\W")
_TOGETHER = re.compile(r"(?i)\bboth\b|\bneither\b|\bthe same (?:time|year|age|date|day|height|length|size)\b")
_CLAUSE = re.compile(r"[.;]\s|\b(?:while|whereas|but)\b|,\s+and\b")
_STOPS = re.compile(r"\s*(?:[,.;:!?–—]|$)(?!\s*(?:and|or)\b)")
_IN_PASSING = 8  # words: in a longer answer, an alternative may be named for another reason
_ASIDE_WITHIN = 25  # characters before a name


class Named(NamedTuple):
    """A mention of the alternative with this number, and where it is in the answer."""

    number: int
    mention: Mention
    start: int
    end: int


@lru_cache(maxsize=1 << 10)
def alternatives(question: str) -> tuple[str, ...]:
    """The two or three alternatives that a question names; none if it names none."""
    text = plain(question).strip()
    if not _OFFERED.search(text):
        return ()
    pieces = _OR.split(text)
    if len(pieces) == 1:
        pieces = _AND.split(text)
    if len(pieces) < 2:
        return ()
    right = re.split(r"(?<!\s)\s*+(?:[?,]|$)", pieces[-1], maxsplit=1)[0].strip()
    left = " or ".join(pieces[:-1])
    cuts = [found.end() for found in _BOUNDARY.finditer(left)]
    found = [left[cuts[-1] :] if cuts else " ".join(left.split()[-len(right.split()) :]), right]
    if len(cuts) > 1 and re.search(r",\s*or\s", text):  # "A, B, or C"
        found.insert(0, left[cuts[-2] : cuts[-1]].rstrip(" ,"))
    return tuple(one.strip(" \"'“”‘’") for one in found if one.strip())


def _offered(case: Case) -> tuple[tuple[str, ...], int] | None:
    """The alternatives of the question and the number of the known one; None if the known answer is not among them."""
    found = alternatives(case.question)
    known = set(case.value)
    if len(found) < 2 or not known:
        return None
    parts = [set(folded(_REMARK.sub("", one))) for one in found]
    alike = [len(known & part) / len(known | part) if part else 0.0 for part in parts]
    best = max(alike)
    sure = best >= 0.5 or sum(known <= part for part in parts) == 1
    return (found, alike.index(best)) if sure and best > 0 and alike.count(best) == 1 else None


def graded(case: Case) -> Grade | None:
    """Right if the answer picks the known alternative and wrong if it picks another; open if it does not pick. None if it names
    none of them, or the question offers none that include the known answer."""
    offered = _offered(case)
    if offered is None:
        return None
    among, right = offered
    named = _named(case.text, among)
    several = len({one.number for one in named}) > 1
    if (several or not named) and _TOGETHER.search(case.text[:200]):
        return finding("wrong", f"It names the alternatives of the question together, not only {case.shown}.")
    if not named:
        return None
    picked = _picked(case, named)
    if picked is None:
        return finding(
            "not_judgeable",
            f"It does not say clearly which of the alternatives in the question it means, {case.shown} or another.",
        )
    certainty: Certainty = "likely" if several or not case.short else "certain"
    if picked == right:
        return finding("correct", f"It picks {case.shown} of the alternatives in the question.", certainty=certainty)
    return finding("wrong", f"It picks “{among[picked]}”, and the known answer is {case.shown}.", certainty=certainty)


# Where the alternatives are named


def _named(text: str, among: Sequence[str]) -> list[Named]:
    """The mentions of the alternatives in order: of their whole names, or else of the words that distinguish them."""
    values = [folded(_REMARK.sub("", one)) for one in among]
    found: list[Named] = []
    for number in sorted(range(len(among)), key=lambda n: -len(values[n])):
        _add(found, text, number, values[number])
    for number, value in enumerate(values):
        if not any(one.number == number for one in found):
            others = {word for n, other in enumerate(values) if n != number for word in other}
            telling = [word for word in value if word not in others | GENERIC | TITLES | ARTICLES | FUNCTION and len(word) > 2]
            for word in reversed(telling):
                if _add(found, text, number, (word,)):
                    break
    return sorted(found, key=lambda one: one.start)


def _add(found: list[Named], text: str, number: int, value: Sequence[str]) -> bool:
    """Add the mentions of these words that are not within another alternative's; whether there are any."""
    there = tokens(text)
    before = len(found)
    for mention in mentions(text, value):
        start, end = there[mention.first].start, there[mention.last - 1].end
        if not any(start < other.end and other.start < end for other in found):
            found.append(Named(number, mention, start, end))
    return len(found) > before


# Which one it picks


def _picked(case: Case, named: Sequence[Named]) -> int | None:
    """The number of the alternative that the answer picks; None if it picks none, or no rule can decide."""
    text, there = case.text, tokens(case.text)
    if len({one.number for one in named}) == 1:
        return _of_one(case, named)
    if concluded := _concluded(text, named):
        return concluded.number
    kept = {one.number for one in named if not _set_aside(text, there, one)}
    first = named[0]
    second = next(one for one in named if one.number != first.number)
    between = text[first.end : second.start]
    if than := _THAN.search(between):
        return _compared(case, between[: than.end()], first, second)
    if len(kept) == 1:
        return kept.pop()
    if first.start <= 4 and _STOPS.match(between) and first.number in kept:
        return first.number
    if _says_what_was_asked(case.question, _CLAUSE.split(between)[0]):
        return first.number
    return _by_clause(case, named)


def _of_one(case: Case, named: Sequence[Named]) -> int | None:
    """The only alternative named, unless it is denied, or a comparison after it goes the other way."""
    only = named[0]
    if all(one.mention.how in ("denied", "hedged") for one in named):
        return None
    after = re.split(r"[.;]", case.text[only.end :])[0]
    direction = _direction(case.question, after)
    if len(case.words) > _IN_PASSING and direction is not True:
        return None
    return None if direction is False else only.number


def _concluded(text: str, named: Sequence[Named]) -> Named | None:
    """The alternative named first after "so" or "therefore"."""
    ends = [found.end() for found in _CONCLUSION.finditer(text)]
    return next((one for one in named if ends and one.start >= ends[-1] and one.mention.how != "denied"), None)


def _set_aside(text: str, there: Sequence[Token], one: Named) -> bool:
    """Whether an alternative is named to be denied: "not X", "rather than X", "unlike X"."""
    if one.mention.how == "denied" or (one.mention.first and denies(there[one.mention.first - 1].folded)):
        return True
    before = text[max(0, one.start - _ASIDE_WITHIN) : one.start]
    found = list(_ASIDE.finditer(before))
    return bool(found) and len(before[found[-1].end() :].split()) <= 1


def _by_clause(case: Case, named: Sequence[Named]) -> int | None:
    """The only alternative whose clause has the other names and figures of the question ("and Lena Orr in Callow")."""
    own = {token.folded for one in named for token in tokens(case.text)[one.mention.first : one.mention.last]}
    asked = {token.folded for token in tokens(plain(case.question))[1:] if token.capital} - own
    having = set()
    for clause in _CLAUSE.split(case.text):
        if asked & {token.folded for token in tokens(clause)}:
            having |= {one.number for one in named if case.text[one.start : one.end] in clause}
    return having.pop() if len(having) == 1 else None


def _compared(case: Case, comparison: str, first: Named, second: Named) -> int | None:
    """The alternative that "X is longer than Y" picks for this question."""
    direction = _direction(case.question, comparison)
    if (
        direction is None
        or _RANKED.search(comparison)
        or any(denies(token.folded) and token.folded != "than" for token in tokens(comparison))
    ):
        return None
    return first.number if direction else second.number


def _direction(question: str, comparison: str) -> bool | None:
    """Whether a comparison goes in the direction of the question (True) or the opposite (False); None if that is unclear."""
    asked, said = ({token.folded for token in tokens(plain(text))} for text in (question, comparison))
    for one, other in POLES:
        for these, those in ((one, other), (other, one)):
            if asked & these and said & (these | those):
                return None if said & these and said & those else bool(said & these)
    if _COMPARED_TO.search(comparison):
        return True
    names = {token.folded for token in tokens(plain(question)) if token.capital}
    return True if (asked & said) - FUNCTION - GENERIC - names - {"than"} else None


def _says_what_was_asked(question: str, clause: str) -> bool:
    """Whether the clause after an alternative states what was asked for ("came out first")."""
    words = {token.folded for token in tokens(clause)}
    return any(words & (one | other) for one, other in POLES) and _direction(question, clause) is True
