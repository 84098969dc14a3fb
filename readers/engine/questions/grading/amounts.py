"""Dates and numbers in an answer: `4 March 1919` is `March 4th, 1919` and `1919-03-04`, and `1919` is part of it; `6 h 12 min` is
372 minutes, and nine months are not nine weeks. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from readers.engine.questions.grading.case import Case, Grade, finding, plain, tokens
from readers.engine.questions.grading.names import is_name
from readers.engine.questions.grading.word_lists import AFTER_NUMBERS, DIMENSIONS, FRACTIONS, OF_TIME, ORDINALS, UNITS, VAGUE
from readers.engine.questions.normalise_answer import comparable_words, is_figure, is_number_word
from readers.engine.text.words import term

# Dates

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
    """A date; the parts that it does not give are None."""

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


def graded_period(case: Case) -> Grade | None:
    """For a known century or decade: right with the same century or decade, partly with a year of it, wrong with another time."""
    known_text = " ".join(comparable_words(plain(case.known)))
    known = next(_periods(known_text), None) if len(known_text.split()) <= _LONGEST_PERIOD else None
    if known is None:
        return None
    text = " ".join(case.words)
    there = list(_periods(text))
    if known in there:
        return finding("correct", f"It names the known time, {case.shown}.", certainty="certain" if case.short else "likely")
    years = [date.year for date in dates(text) if date.year is not None]
    if any(year in known for year in years):
        return finding("partly", f"It gives a year of the known time, {case.shown}.")
    if there or years:
        return finding("wrong", f"It names another time than the known one, {case.shown}.")
    return finding("not_judgeable", f"The known answer, {case.shown}, is a time, and the answer has none that a rule can read.")


def graded_date(case: Case) -> Grade | None:
    """For a known date: right with the whole date, partly with some of it, wrong with another one."""
    known = date_of(plain(case.known), case.question)
    if known is None:
        return None
    there = list(dict.fromkeys([*dates(case.text), *dates(" ".join(case.words))]))
    there = [one for one in there if not any(other != one and other.says(one) for other in there)]
    if any(date.says(known) for date in there):
        exact = len(there) == 1
        return finding(
            "correct", f"It gives the known date, {case.shown}.", certainty="certain" if exact and case.short else "likely"
        )
    if any(date.agrees(known) for date in there):
        return finding("partly", f"It gives a part of the known date, {case.shown}.")
    if known.year is not None and (spans := list(_periods(case.text))):
        if any(known.year in span for span in spans):
            return finding("partly", f"It names the time of the known date, {case.shown}, less precisely.")
        return finding("wrong", f"It names another time than the known date, {case.shown}.")
    if there:
        certain = len(there) == 1 and case.short
        return finding(
            "wrong", f"It gives another date than the known one, {case.shown}.", certainty="certain" if certain else "likely"
        )
    if any(token.folded in OF_TIME for token in tokens(case.text)):
        return finding(
            "not_judgeable", f"The known answer, {case.shown}, is a date, and the answer tells the time in other words."
        )
    return finding("wrong", f"The known answer, {case.shown}, is a date, and the answer has none.")


def _periods(text: str) -> Iterator[range]:
    """The decades and centuries that a text names."""
    for match in _DECADE.finditer(text):
        yield range(int(match[1]) * 10, int(match[1]) * 10 + 10)
    for match in _CENTURY.finditer(text):
        yield range(int(match[1]) * 100 - 99, int(match[1]) * 100 + 1)


# Numbers

_NUMBER = re.compile(r"(-?(?:\d+(?:\.\d+)?))([a-z]{0,2})")
_HOW_MANY = re.compile(r"(?i)\b(?:how many|in how many|what number of) ([a-z]+)")
_LIMITS = re.compile(
    r"(?i)\b(?:more|less|fewer|greater|later|earlier) than"
    r"|\b(?:between|over|under|at least|at most|below|above|nearly|almost)\b(?= \W?\w*\d)"
)
_REST = re.compile(r"(?i)\ball (?:but|except)\b")
_QUARTERS = {"1/4": ".25", "1/2": ".5", "2/4": ".5", "3/4": ".75"}
_PARTS = {"half": "5", "quarter": "25"}
_SCALES = ("100", "1000", "1000000", "1000000000")
_DENYING = ("not", "nor", "never")
_LARGEST = 30  # digits of a number that is reckoned with


class Quantity(NamedTuple):
    """A number and its unit by its stem; the unit is empty if none follows, `th` for an ordinal."""

    value: Decimal
    unit: str

    @property
    def measure(self) -> tuple[str, Decimal]:
        """The kind of the quantity and how much of it, in the smallest unit."""
        kind, size = UNITS.get(self.unit, (self.unit, 1))
        return kind, self.value * size


def spelled_out(text: str) -> str:
    """The text with signs and turns of phrase in words that numbers are read from."""
    text = re.sub(r"(?<=\d) ?%|\bper cent\b", " percent", text)
    text = re.sub(r"(?<=\d) ([13])/([24])\b", lambda found: _QUARTERS.get(found[0].strip(), found[0]), text)
    text = re.sub(r"\b(\d{1,2}):(\d\d)\b(?!:)", r"\1.\2", text)
    text = re.sub(r"\b(\d{1,2})/(\d{1,2}|-)(?![\d/])", r"\1 shillings \2 pence", text)
    text = re.sub(r"(?i)(\d[\d.,]{0,30}) ?(?:°|degrees?) ?([CF]?)\w* below zero", r"-\1 degrees \2", text)
    return re.sub(r"°", " degrees ", text)


def quantities(words: Sequence[str]) -> list[Quantity]:
    """The quantities among comparable words, in order; hours and minutes that follow each other are one."""
    words = _fractions_joined(words)
    found: list[Quantity] = []
    last = -9
    for at, word in enumerate(words):
        number = _NUMBER.fullmatch(word) if len(word) <= _LARGEST else None
        if number is None or (at and words[at - 1] in _DENYING):
            continue
        quantity = Quantity(Decimal(number[1]), "th" if number[2] in ORDINALS else number[2] or _unit_after(words, at))
        if found and at - last <= 3 and _adds(found[-1], quantity):
            amount = found[-1].measure[1] + quantity.measure[1]
            found[-1] = Quantity(amount / UNITS[quantity.unit][1], quantity.unit)
        else:
            found.append(quantity)
        last = at
    return found


def _fractions_joined(words: Sequence[str]) -> list[str]:
    """The words with "three and half million" as one number."""
    joined: list[str] = []
    for word in words:
        part = _PARTS.get(word)
        if part and joined[-1:] == ["and"] and len(joined) > 1 and joined[-2].isdigit() and len(joined[-2]) <= _LARGEST:
            joined[-2:] = [f"{joined[-2]}.{part}"]
        elif word in _SCALES and joined and "." in joined[-1] and _NUMBER.fullmatch(joined[-1]):
            joined[-1] = str(int(Decimal(joined[-1]) * int(word)))
        else:
            joined.append(word)
    return joined


def _unit_after(words: Sequence[str], at: int) -> str:
    after = words[at + 1] if at + 1 < len(words) else ""
    return "" if after in AFTER_NUMBERS or _NUMBER.fullmatch(after) else term(after)


def _adds(before: Quantity, quantity: Quantity) -> bool:
    """Whether a quantity continues the one before: minutes after hours."""
    first, second = UNITS.get(before.unit), UNITS.get(quantity.unit)
    return bool(first and second and first[0] == second[0] and first[1] > second[1])


def is_quantity(words: Sequence[str]) -> bool:
    """Whether a known answer is a number, with its unit or a few words about it."""
    numbers = [word for word in words if _NUMBER.fullmatch(word)]
    return bool(numbers) and len(words) <= len(numbers) * 3 + 2 and bool(_NUMBER.fullmatch(words[0]) or len(words) <= 4)


def graded_quantity(case: Case) -> Grade | None:
    """For a known number, which is not in a name ("The Ninth Gate"): right with every number of the known answer in its unit;
    wrong with only other numbers."""
    known_words, words = comparable_words(spelled_out(plain(case.bare))), comparable_words(spelled_out(case.text))
    named = is_name(case.bare) and len(known_words) > 1 and not any(map(str.isdigit, case.known))
    if named or not is_quantity(known_words):
        return None
    known, there = quantities(known_words), quantities(words)
    asked = _HOW_MANY.search(case.question)
    if len(known) == 1 and not known[0].unit and asked:
        known = [known[0]._replace(unit=term(asked[1]))]
    if not known and not any(is_figure(word) for word in set(words) & set(known_words)):
        return finding("wrong", f"It does not have the number of the known answer, {case.shown}.")
    if not known:
        return finding("not_judgeable", f"The known answer, {case.shown}, has a number that no rule can read.")
    if not there and (_may_count(case, words, VAGUE) or any(map(is_number_word, words))):
        return finding("not_judgeable", f"The known answer, {case.shown}, is a number, and no rule reads one from the answer.")
    if not there:
        return finding("wrong", f"The known answer, {case.shown}, is a number, and the answer has none.")
    missing = [one for one in known if not any(_same(one, other) for other in there)]
    if missing:
        return _without(case, known, there, words)
    if (FRACTIONS & set(_fractions_joined(words))) - set(known_words):
        return finding("not_judgeable", f"It gives the known number, {case.shown}, and a fraction with it.")
    if _LIMITS.search(case.text) and not _LIMITS.search(case.known):
        return finding("not_judgeable", f"It gives the known number, {case.shown}, only as a limit.")
    firsts = [next(n for n, other in enumerate(there) if _same(one, other)) for one in known]
    if firsts != sorted(firsts):
        return finding("not_judgeable", f"It has the numbers of the known answer, {case.shown}, in another order.")
    exact = len(there) == len(known) and case.short
    return finding("correct", f"It gives the known number, {case.shown}.", certainty="certain" if exact else "likely")


def _without(case: Case, known: Sequence[Quantity], there: Sequence[Quantity], words: Sequence[str]) -> Grade:
    """The finding where a number of the known answer is missing."""
    doubts = (
        _REST.search(case.text)
        or _adds_up(known, there)
        or _may_count(case, _fractions_joined(words), FRACTIONS)
        or _rate(case)
        or _other_units(known, there)
    )
    kinds = {one.measure[0] for one in known}
    span = len(there) > 1 and not any(other.unit for other in there)  # "from 1844 to 1870"
    if doubts or (span and kinds & {"years", "time"}) or _LIMITS.search(case.text):
        return finding("not_judgeable", f"Its numbers cannot be compared with the known answer, {case.shown}, by rule.")
    if any(other.unit == "th" for other in there) != any(one.unit == "th" for one in known) and "centuri" in map(term, words):
        return finding("not_judgeable", f"It names a century, and the known answer is {case.shown}.")
    some = any(_same(one, other) for one in known for other in there) and len(there) < len(known)
    if some or any(_rounded(one, other) for one in known for other in there):
        return finding("partly", f"It gives a part of the known number, {case.shown}.")
    certain = len(there) == len(known) == 1 and there[0].measure[0] in kinds | {""}
    return finding(
        "wrong", f"It has another number than the known answer, {case.shown}.", certainty="certain" if certain else "likely"
    )


def _may_count(case: Case, words: Sequence[str], telling: frozenset[str]) -> bool:
    """Whether the answer may express such a number in other words: "a quarter of a century", for years."""
    if any(is_figure(word) and not _NUMBER.fullmatch(word) for word in words):
        return False
    kinds, others = ({UNITS[term(word)][0] for word in these if term(word) in UNITS} for these in (case.known_words, words))
    return bool(telling & set(words)) and (not kinds or not others or bool(kinds & others))


def _other_units(known: Sequence[Quantity], there: Sequence[Quantity]) -> bool:
    """Whether the answer gives the amount in a unit of another system: miles for kilometres."""
    pairs = [(one, other) for one in known for other in there if one.measure[0] != other.measure[0] and one.value != other.value]
    return any({one.measure[0], other.measure[0]} <= kinds for one, other in pairs for kinds in DIMENSIONS)


def _adds_up(known: Sequence[Quantity], there: Sequence[Quantity]) -> bool:
    """Whether several numbers of the answer make the known one together."""
    return len(there) > len(known) and sum(one.value for one in there) == sum(one.value for one in known)


def _rate(case: Case) -> bool:
    """Whether the answer gives an amount for another period than the known answer ("50 crowns a month")."""
    rates = re.compile(r"(?i)\b(?:a|an|per) (year|month|week|day|hour)\b")
    mine, its = rates.search(case.text), rates.search(case.known)
    return bool(mine and (not its or mine[1].lower() != its[1].lower()))


def _same(known: Quantity, other: Quantity) -> bool:
    """Whether two quantities are equal; a missing unit may be any, and so may one that no table knows."""
    if "th" in (known.unit, other.unit):
        return known == other
    if known.measure == other.measure:
        return True
    both = known.unit in UNITS and other.unit in UNITS
    return known.value == other.value and not both and not (_counts(known, other) or _counts(other, known))


def _rounded(known: Quantity, other: Quantity) -> bool:
    """Whether the other is the known quantity in whole larger units: 6 hours for 6 hours and 12 minutes."""
    (kind, size), (its_kind, its_size) = UNITS.get(known.unit, ("", 1)), UNITS.get(other.unit, ("", 1))
    larger = bool(kind) and kind == its_kind and its_size > size and known.measure[1] // its_size == other.value
    return larger or (known.unit == other.unit and known.value % 1 != 0 and known.value // 1 == other.value)


def _counts(measured: Quantity, other: Quantity) -> bool:
    """Whether one amount has a known unit and the other counts things of another kind ("62 percent", "62 votes")."""
    return measured.unit in UNITS and bool(other.unit) and other.unit not in UNITS and len(measured.unit) > 1
