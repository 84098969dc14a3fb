"""Dates in an answer: `4 March 1919` is `March 4th, 1919` and `1919-03-04`, and `1919` is part of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from readers.engine.questions.grading.case import Case, Finding
from readers.engine.questions.grading.mentions import tokens
from readers.engine.questions.grading.word_lists import OF_TIME
from readers.engine.questions.normalise_answer import comparable_words

_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTHS = {name: n for n, name in enumerate(_NAMES, 1)} | {name[:3]: n for n, name in enumerate(_NAMES, 1)} | {"sept": 9}
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\b\.?"
_YEAR = r"(?P<year>1\d{3}|20\d{2}|[5-9]\d{2})(?![\d,]\d|s\b|\d| ?(?:%|percent))\b"
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?\b"
_OF = r"(?: of|,| of the year)?,? ?"
_DATE = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<year>\d{4})-(?P<number>\d{1,2})-(?P<day>\d{1,2})\b",
        r"\b(?P<day>\d{1,2})\. ?(?P<number>\d{1,2})\. ?(?P<year>\d{4})\b",
        rf"\b{_DAY}(?: of)? {_MONTH}(?:{_OF}{_YEAR})?",
        rf"\b{_MONTH} (?:the )?{_DAY}(?!\d)(?:{_OF}{_YEAR})?",
        rf"\b{_MONTH}{_OF}{_YEAR}",
        rf"\b{_YEAR}",
    )
]
_ABOUT = re.compile(r"(?i)^\W*(?:(?:it was|in|on|about|around|circa|c\.|ca\.|approximately|the|year|of|sometime)\W+)*")
_DECADE = re.compile(r"\b(\d{3})0'?s\b")
_CENTURY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)[ -]century\b", re.IGNORECASE)
_LONGEST_PERIOD = 4  # words: "the early 14th century"
_ASKS_WHEN = re.compile(r"(?i)\b(?:when|years?|date|day|since|until|how early|how late)\b")


class Date(NamedTuple):
    """A date; what it does not say is None."""

    year: int | None
    month: int | None
    day: int | None

    def agrees(self, other: Date) -> bool:
        """Whether nothing in one contradicts the other, and they have something in common."""
        pairs = [(a, b) for a, b in zip(self, other, strict=True) if a is not None and b is not None]
        return bool(pairs) and all(a == b for a, b in pairs)

    def says(self, other: Date) -> bool:
        """Whether this date says all that the other says."""
        return all(b is None or a == b for a, b in zip(self, other, strict=True))


def dates(text: str) -> list[Date]:
    """The dates of a text in order, the fullest reading of each."""
    found: list[tuple[int, int, Date]] = []
    for pattern in _DATE:
        for match in pattern.finditer(text):
            if not any(match.start() < end and start < match.end() for start, end, _ in found):
                found.append((match.start(), match.end(), _date(match)))
    return [date for _, _, date in sorted(found, key=lambda one: one[0])]


def _date(match: re.Match[str]) -> Date:
    parts = match.groupdict()
    month = _MONTHS[parts["month"].lower()] if parts.get("month") else int(parts["number"]) if parts.get("number") else None
    return Date(int(parts["year"]) if parts.get("year") else None, month, int(parts["day"]) if parts.get("day") else None)


def date_of(known: str, question: str) -> Date | None:
    """The date that a known answer is; None if it is something else."""
    rest = _ABOUT.sub("", known).strip().rstrip(".")
    for pattern in _DATE:
        if match := pattern.fullmatch(rest) or pattern.fullmatch(" ".join(comparable_words(rest))):
            date = _date(match)
            return date if date.month or _ASKS_WHEN.search(question) else None
    return None


def period_of(known: str) -> range | None:
    """The century or decade that a known answer is; None if it is something else."""
    text = " ".join(comparable_words(known))
    return next(_periods(text), None) if len(text.split()) <= _LONGEST_PERIOD else None


def graded_period(case: Case, known: range) -> Finding:
    """Right with the same century or decade, partly with a year of it, wrong with another time."""
    text = " ".join(case.words)
    there = list(_periods(text))
    if known in there:
        return Finding("correct", f"It names the known time, {case.shown}.", "certain" if case.short else "likely")
    years = [date.year for date in dates(text) if date.year is not None]
    if any(year in known for year in years):
        return Finding("partly", f"It gives a year of the known time, {case.shown}.")
    if there or years:
        return Finding("wrong", f"It names another time than the known one, {case.shown}.")
    return Finding("not_judgeable", f"The known answer, {case.shown}, is a time, and the answer has none that a rule can read.")


def graded(case: Case, known: Date) -> Finding:
    """Right with the whole date, partly with some of it, wrong with another one."""
    there = list(dict.fromkeys([*dates(case.text), *dates(" ".join(case.words))]))
    there = [one for one in there if not any(other != one and other.says(one) for other in there)]
    if any(date.says(known) for date in there):
        exact = len(there) == 1
        return Finding("correct", f"It gives the known date, {case.shown}.", "certain" if exact and case.short else "likely")
    if any(date.agrees(known) for date in there):
        return Finding("partly", f"It gives a part of the known date, {case.shown}.")
    if known.year is not None and (spans := list(_periods(case.text))):
        if any(known.year in span for span in spans):
            return Finding("partly", f"It names the time of the known date, {case.shown}, less precisely.")
        return Finding("wrong", f"It names another time than the known date, {case.shown}.")
    if there:
        certain = len(there) == 1 and case.short
        return Finding("wrong", f"It gives another date than the known one, {case.shown}.", "certain" if certain else "likely")
    if any(token.folded in OF_TIME for token in tokens(case.text)):
        return Finding(
            "not_judgeable", f"The known answer, {case.shown}, is a date, and the answer tells the time in other words."
        )
    return Finding("wrong", f"The known answer, {case.shown}, is a date, and the answer has none.")


def _periods(text: str) -> Iterator[range]:
    """The decades and centuries that a text names."""
    for match in _DECADE.finditer(text):
        yield range(int(match[1]) * 10, int(match[1]) * 10 + 10)
    for match in _CENTURY.finditer(text):
        yield range(int(match[1]) * 100 - 99, int(match[1]) * 100 + 1)
