"""One question from the fields of a row: checked, and its evidence found in the text.

A field that cannot be used raises `BadField`; nothing is corrected or guessed. docs/questions.md documents the format. Not here:
files and rows (`files.py`), and the text of a row (`import_questions.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from readers.engine.canonical import encodable
from readers.engine.questions.answers import folded
from readers.engine.questions.files import CellParts
from readers.engine.questions.question_set import QuestionField, SetQuestion
from readers.engine.text.document import Document, Span
from readers.engine.text.search import find_quote

LONGEST_QUESTION, LONGEST_CHOICE, LONGEST_ANSWER, LONGEST_NOTE, LONGEST_KEY = 2_000, 2_000, 50_000, 4_000, 200
MOST_CHOICES, MOST_ANSWERS, MOST_EVIDENCE, LONGEST_QUOTE = 26, 50, 100, 20_000
MOST_FIELDS, LONGEST_FIELD_NAME, LONGEST_FIELD = 24, 40, 200

# Other names for a field, as used by well-known question collections.
QUESTION, CHOICES, KEY = ("question", "query", "instruction"), ("choices", "options"), ("id",)
ANSWERS = ("answer", "answers", "references", "gold")
KNOWN = frozenset({*QUESTION, *CHOICES, *KEY, *ANSWERS, "answerable", "all_required", "evidence", "counter_evidence", "note"})


class BadField(Exception):
    """A field that cannot be used, and why."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field = field


def question_of(fields: Mapping[str, Any], document: Document, marked: Sequence[Any], *, number: int) -> SetQuestion:
    """The question in these fields. `marked` is the evidence that its paragraphs mark, used if the fields give none; `number` is
    its key if it has no id. Raises BadField."""
    asked = checked_words(first_of(fields, QUESTION), "question", LONGEST_QUESTION)
    choices = _strings(first_of(fields, CHOICES), "choices", MOST_CHOICES, LONGEST_CHOICE)
    if len(choices) == 1:
        raise BadField("choices", f"a question has 2 to {MOST_CHOICES} choices, or none; here is one")
    answers = _answers(fields, choices)
    answerable = fields.get("answerable")
    if answerable is not None and not isinstance(answerable, bool):
        raise BadField("answerable", "it is true or false")
    if answerable is False and answers:
        raise BadField("answerable", "it says that the text does not answer this, and an answer is given")
    all_required = fields.get("all_required", False)
    if not isinstance(all_required, bool):
        raise BadField("all_required", "it is true or false")
    if all_required and choices:
        raise BadField("all_required", "only one choice is picked; leave this out, or leave out the choices")
    key = fields.get("id", number)
    key = str(key) if isinstance(key, int) else key
    note = fields.get("note")
    return SetQuestion(
        checked_words(key, "id", LONGEST_KEY),
        document.id,
        asked,
        choices,
        answers,
        answerable=True if answers else answerable,
        evidence=_places(fields, "evidence", document, otherwise=marked),
        note=checked_words(note, "note", LONGEST_NOTE) if note not in (None, "") else "",
        all_required=all_required and len(answers) > 1,
        distractors=_places(fields, "counter_evidence", document),
    )


def other_fields(fields: Mapping[str, Any], known: Collection[str]) -> tuple[QuestionField, ...]:
    """The fields that this program gives no meaning, in order: up to 24, each a single short value. A list, an object, a longer
    value and null are left out."""
    found = []
    for name, value in fields.items():
        words = (
            str(value).lower() if isinstance(value, bool) else str(value).strip() if isinstance(value, str | int | float) else ""
        )
        is_plain = encodable(name + words) == name + words and (name + words).isprintable()
        if name not in known and 0 < len(words) <= LONGEST_FIELD and 0 < len(name) <= LONGEST_FIELD_NAME and is_plain:
            found.append(QuestionField(name, words))
    return tuple(found[:MOST_FIELDS])


def first_of(fields: Mapping[str, Any], names: Sequence[str]) -> Any:
    """The value of the first of these fields that has one, or None."""
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def checked_words(value: Any, field: str, most: int) -> str:
    """A string without white space at its ends. Raises BadField for anything else, and over `most` characters."""
    if value is None or value == "":
        raise BadField(field, "it is missing")
    if not isinstance(value, str):
        raise BadField(field, "it is not words; put them in quotation marks")
    words = value.strip()
    if not words:
        raise BadField(field, "it contains only blanks")
    if len(words) > most:
        raise BadField(field, f"it has {len(words):,} characters; the maximum is {most:,}")
    if encodable(words) != words or "\0" in words:
        raise BadField(field, "it contains a character that no text has (half of one, or NUL)")
    return words


def _strings(value: Any, field: str, most: int, longest: int) -> tuple[str, ...]:
    if value is None:
        return ()
    given = value if isinstance(value, list) else [value]
    if len(given) > most:
        raise BadField(field, f"there are {len(given):,} of them; the maximum is {most}")
    found = tuple(checked_words(one, field, longest) for one in given)
    if field == "choices" and len({folded(one) for one in found}) < len(found):
        raise BadField(field, "two of them are the same")
    return found


def _answers(fields: Mapping[str, Any], choices: Sequence[str]) -> tuple[str, ...]:
    """The correct answers. If several fields give answers, one must contain all of the others', and it is used."""
    source, best = "", tuple[str, ...]()
    for name in (name for name in ANSWERS if fields.get(name) is not None):
        answers = _answers_of(name, fields[name], choices)
        fewer, more = sorted(({folded(one) for one in answers}, {folded(one) for one in best}), key=len)
        if source and not fewer <= more:
            one, other = best[0][:60], answers[0][:60]
            raise BadField(name, f"it says {other!r}, and the field {source!r} says {one!r}: leave out the wrong one")
        if not source or len(answers) > len(best):
            source, best = name, answers
    return best


def _answers_of(name: str, value: Any, choices: Sequence[str]) -> tuple[str, ...]:
    """The answers in one field. For a multiple-choice question each is one of the choices, or the number of one, from 0; without
    choices, a number is the answer itself."""
    if choices and isinstance(value, int) and not isinstance(value, bool):
        if not 0 <= value < len(choices):
            raise BadField(name, f"{value} is not the number of a choice; they are counted from 0, and there are {len(choices)}")
        return (choices[value],)
    if not choices:
        given = value if isinstance(value, list) else [value]
        given = [str(one) if isinstance(one, int | float) and not isinstance(one, bool) else one for one in given]
        return _strings(given, name, MOST_ANSWERS, LONGEST_ANSWER)
    answers = _strings(value, name, MOST_ANSWERS, LONGEST_ANSWER)
    by_words = {folded(choice): choice for choice in choices}
    missing = next((answer for answer in answers if folded(answer) not in by_words), None)
    if missing is not None:
        raise BadField(name, f"{missing[:60]!r} is not one of the choices")
    return tuple(dict.fromkeys(by_words[folded(answer)] for answer in answers))


def _places(fields: Mapping[str, Any], field: str, document: Document, *, otherwise: Sequence[Any] = ()) -> tuple[Span, ...]:
    """The places in the text that a field gives, in order, each once."""
    given = fields.get(field)
    given = _quotations(given, document) if isinstance(given, CellParts) else given if given is not None else list(otherwise)
    if not isinstance(given, list) or len(given) > MOST_EVIDENCE:
        raise BadField(field, f"it is a list of up to {MOST_EVIDENCE} places")
    return tuple(sorted({_place(one, document, field) for one in given}))


def _quotations(given: CellParts, document: Document) -> list[str]:
    """A cell with | is one quotation if the text contains it in full, otherwise several."""
    is_one = len(given) > 1 and len(given.whole) <= LONGEST_QUOTE and find_quote(given.whole, document.text)
    return [given.whole] if is_one else given


def _place(given: Any, document: Document, field: str) -> Span:
    """The span of a place in the text, given as a quotation, a position, or both."""
    text = document.text
    if isinstance(given, str):
        return _quoted(given, text, field)
    if not isinstance(given, dict):
        raise BadField(field, "each place is words quoted from the text, or an object with start and end")
    start, end, words = given.get("start"), given.get("end"), given.get("text")
    if start is None and end is None and isinstance(words, str):
        return _quoted(words, text, field)
    if not all(isinstance(at, int) and not isinstance(at, bool) for at in (start, end)):
        raise BadField(field, "start and end are whole numbers of characters")
    assert isinstance(start, int)
    assert isinstance(end, int)
    if isinstance(words, str) and words.strip() and text[max(0, start) : max(0, end)] != words:
        return _quoted(words, text, field, near=start)
    if not 0 <= start < end <= len(text):
        raise BadField(field, f"characters {start:,} to {end:,} are outside a text of {len(text):,} characters")
    return Span(start, end)


def _quoted(given: str, text: str, field: str, *, near: int = 0) -> Span:
    """The occurrence of these words nearest to a position; white space may differ."""
    words = checked_words(given, field, LONGEST_QUOTE)
    found = find_quote(words, text, near=near)
    if found is None:
        raise BadField(field, f"the text does not say “{words[:60]}{'…' if len(words) > 60 else ''}”")
    return found
