"""Sets of questions with what is known of their answers: right answers, choices, and where the text gives them away.

`read` takes files apart (`question_files.py`) into one set and a list of what is wrong, each thing with its file, line and field,
so that a page can show both before anything is kept; `whole` is the set, or BadFile. A question's text stands in its row, beside
the file, or in the library; evidence is spans of the text as it is kept, and a quoted place must say what stands there. The
format is documented in the README. Not here: keeping sets (`store/questions.py`), and judging answers (`judged.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from readers.engine.canonical import canonical, digest, encodable
from readers.engine.errors import BadFile
from readers.engine.ingest.ingest import Ingested, from_paste
from readers.engine.questions.files import Parts, Row, rows, shown_name
from readers.engine.text import find_quote
from readers.engine.text.document import Document, Span

MOST_QUESTIONS, MOST_TEXTS, MOST_PROBLEMS, MOST_FILES = 5_000, 1_000, 50, 200
LONGEST_QUESTION, LONGEST_CHOICE, LONGEST_ANSWER, LONGEST_NOTE, LONGEST_KEY, LONGEST_TITLE = 2_000, 2_000, 10_000, 4_000, 200, 200
MOST_CHOICES, MOST_ANSWERS, MOST_EVIDENCE, MOST_PARAGRAPHS, LONGEST_QUOTE = 26, 50, 100, 5_000, 20_000
LONGEST_NAME = 120
TOLD_AT_ONCE = 5

# What a field may be called as well: the names that well-known collections of questions have for it.
NAMES = {
    "question": ("question", "query"),
    "choices": ("choices", "options"),
    "key": ("id",),
    "questions": ("questions", "queries"),
}
ANSWERS = ("answer", "answers", "references", "gold")
TEXTS = ("text", "file", "document", "paragraphs")
KNOWN = frozenset(
    {*(name for names in NAMES.values() for name in names), *ANSWERS, *TEXTS, "title", "answerable", "evidence", "note"}
)


@dataclass(frozen=True)
class SetQuestion:
    """A question of a set. `document` is the id of its text; `answers` are the right ones, each by itself.

    `answerable` is False where the text does not give the answer, None where nothing is known about it. `key` is what its file
    calls it, and need not be the only one of its kind.
    """

    key: str
    document: str
    question: str
    choices: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    answerable: bool | None = None
    evidence: tuple[Span, ...] = ()
    note: str = ""

    def known(self) -> dict[str, Any]:
        """All but the question, its key and its text, as JSON data."""
        return {
            "choices": list(self.choices), "answers": list(self.answers), "answerable": self.answerable,
            "evidence": [list(span) for span in self.evidence], "note": self.note,
        }  # fmt: skip

    @classmethod
    def of(cls, key: str, document: str, question: str, known: Mapping[str, Any]) -> SetQuestion:
        """One as `known` has written it."""
        return cls(
            key, document, question, tuple(known["choices"]), tuple(known["answers"]), known["answerable"],
            tuple(Span(*span) for span in known["evidence"]), known["note"],
        )  # fmt: skip


@dataclass(frozen=True)
class QuestionSet:
    """Questions in order, and the texts that came with them; other texts are in the library. The same questions are the same
    set."""

    name: str
    questions: tuple[SetQuestion, ...]
    documents: tuple[Document, ...] = ()
    note: str = ""

    @property
    def id(self) -> str:
        """The first 10 hex digits of the hash of all that is in it, but for its name."""
        return digest(canonical([[one.key, one.document, one.question, one.known()] for one in self.questions]))[:10]


class Problem(NamedTuple):
    """What is wrong in a file, and where."""

    file: str
    where: str
    field: str
    why: str

    def __str__(self) -> str:
        at = f"{self.file!r}, {self.where}" if self.where else f"{self.file!r}"
        return f"{at}, field {self.field!r}: {self.why}" if self.field else f"{at}: {self.why}"


class Found(NamedTuple):
    """What files hold: the questions that can be used, what is wrong, and what a person should know."""

    set: QuestionSet
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Around:
    """Where texts are that rows only name: `beside` has the text files that came along, by name; `library` finds texts by id or
    title, all of them. `check` raises BadFile for a text that may not be taken."""

    beside: Callable[[str], Ingested | None] = lambda name: None
    library: Callable[[str], Sequence[Document]] = lambda named: ()
    check: Callable[[Document], None] = lambda document: None


def read(files: Sequence[tuple[str, bytes]], around: Around, *, name: str = "") -> Found:
    """One set of all these files, in order, and what is wrong in them; at most 50 things are told. Raises nothing."""
    reading = _Reading(around)
    for file, data in files[:MOST_FILES]:
        try:
            for row in rows(data, file):
                if len(reading.problems) >= MOST_PROBLEMS or len(reading.questions) > MOST_QUESTIONS:
                    break
                reading.take(row)
        except BadFile as error:
            reading.problems.append(Problem("", "", "", str(error)))
    if len(reading.questions) > MOST_QUESTIONS:
        why = f"a set has up to {MOST_QUESTIONS:,} questions: split the file, and take in the parts one by one"
        reading.problems.append(Problem(shown_name(files[-1][0]), "", "question", why))
    if not reading.questions and not reading.problems:
        reading.problems.append(Problem(shown_name(files[0][0]) if files else "", "", "question", "there is no question in it"))
    first = shown_name(files[0][0]).rpartition(".")[0] if files else ""
    named = set_name(name) or set_name(reading.title if len(reading.made) == 1 else "") or set_name(first) or "Questions"
    made = QuestionSet(named, tuple(reading.questions), tuple(reading.made.values()))
    return Found(made, tuple(reading.problems), reading.notes())


def whole(found: Found) -> QuestionSet:
    """The set, where nothing is wrong in it. Raises BadFile, which tells the first few things that are."""
    if found.problems:
        more = len(found.problems) - TOLD_AT_ONCE
        told = [told_problem(problem) for problem in found.problems[:TOLD_AT_ONCE]]
        raise BadFile("\n".join([*told, *([f"and {more} more"] if more > 0 else []), "Nothing was taken in."]))
    return found.set


def told_problem(problem: Problem) -> str:
    """A problem in words; one of a file as a whole says where by itself."""
    return str(problem) if problem.file else problem.why


def set_name(name: str) -> str:
    """A name as it is kept: one line, 120 characters at most."""
    return "".join(c for c in " ".join(encodable(name).split()) if c.isprintable())[:LONGEST_NAME].strip()


class _Wrong(Exception):
    """A field that cannot be used."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field = field


@dataclass
class _Reading:
    """Rows taken one after the other. `made` are texts that came along, by id; `by_words` finds one met before without taking it
    in again."""

    around: Around
    questions: list[SetQuestion] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    made: dict[str, Document] = field(default_factory=dict)
    by_words: dict[str, Document] = field(default_factory=dict)
    named: dict[tuple[str, str], Document] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    passed_over: dict[str, None] = field(default_factory=dict)
    title: str = ""

    def take(self, row: Row) -> None:
        """One question, or a text with several; what is wrong is noted, and the next row goes on."""
        try:
            self.passed_over |= dict.fromkeys(encodable(name)[:40] for name in row.fields if name not in KNOWN)
            several = _first(row.fields, NAMES["questions"])
            document, places = self._text(row)
        except _Wrong as wrong:
            self.problems.append(Problem(row.file, row.where, wrong.field, str(wrong)))
            return
        if several is None:
            self._question(row, row.fields, document, places)
            return
        if not isinstance(several, list) or not several:
            self.problems.append(Problem(row.file, row.where, "questions", "it is a list of questions, with at least one"))
            return
        for number, one in enumerate(several[: MOST_QUESTIONS + 1], start=1):
            where = f"{row.where}, question {number:,}" if row.where != "the file" else f"question {number:,}"
            inner = Row(row.file, where, one if isinstance(one, dict) else {})
            self._question(inner, inner.fields, document, places)

    def notes(self) -> tuple[str, ...]:
        told = []
        if self.changed:
            told.append(
                f"In {len(self.changed):,} of the texts, line ends or signs were changed as they are for every text; evidence "
                "that is quoted was found there again."
            )
        if self.passed_over:
            told.append(f"Fields that are not known here were not looked at: {', '.join(list(self.passed_over)[:12])}.")
        return tuple(told)

    def _question(self, row: Row, fields: Mapping[str, Any], document: Document, places: Sequence[Any]) -> None:
        if len(self.problems) >= MOST_PROBLEMS:
            return
        try:
            self.questions.append(_question(fields, document, places, number=len(self.questions) + 1))
        except _Wrong as wrong:
            self.problems.append(Problem(row.file, row.where, wrong.field, str(wrong)))

    # The text of a row

    def _text(self, row: Row) -> tuple[Document, Sequence[Any]]:
        """The row's text, and the evidence that its paragraphs mark."""
        given = [name for name in TEXTS if row.fields.get(name) is not None]
        title = row.fields.get("title")
        title = _words(title, "title", LONGEST_TITLE) if title is not None else ""
        self.title = self.title or title
        if len(given) > 1:
            raise _Wrong(given[1], f"the text is given twice: take one of {' and '.join(given)}")
        if not given:
            if not title:
                raise _Wrong("text", "there is no text: give text, file, document, or the title of a text of the library")
            return self._named("title", title), ()
        what = given[0]
        if what == "paragraphs":
            words, places = _paragraphs(row.fields[what])
            return self._inline(words, title or str(row.fields.get("id") or "")[:LONGEST_TITLE], row), places
        if what == "text":
            return self._inline(row.fields[what], title, row), ()
        name = _words(row.fields[what], what, 1_000)
        return (self._beside(name, title) if what == "file" else self._named("document", name)), ()

    def _inline(self, words: Any, title: str, row: Row) -> Document:
        if not isinstance(words, str):
            raise _Wrong("text", "it is not words")
        key = digest(encodable(words))
        if key not in self.by_words:
            title = title or f"{row.file.rpartition('.')[0]}, {row.where}"
            try:
                document = from_paste(words, title=title).document
            except BadFile as error:
                raise _Wrong("text", str(error)) from None
            self.by_words[key] = self._kept(document)
            if document.text != words:
                self.changed.add(document.id)
        return self.by_words[key]

    def _beside(self, name: str, title: str) -> Document:
        if re.search(r"[/\\]", name) or name in (".", ".."):
            raise _Wrong("file", f"{name[:60]!r} is a path; write the name of a file that lies beside this one")
        if ("file", name) not in self.named:
            try:
                found = self.around.beside(name)
            except BadFile as error:
                raise _Wrong("file", str(error)) from None
            if found is None:
                raise _Wrong("file", f"there is no file {name[:60]!r} beside this one; give it along, or write the text itself")
            document = found.document
            self.named["file", name] = self._kept(Document(title or document.title, document.text))
        return self.named["file", name]

    def _named(self, field: str, name: str) -> Document:
        """A text by its id or title: one that came with these files, or one of the library."""
        if (field, name) not in self.named:
            found = {one.id: one for one in self.made.values() if name == one.id or (field == "title" and name == one.title)}
            found = found or {one.id: one for one in self.around.library(name)}
            if len(found) != 1:
                there = f"{len(found)} texts of the library are called" if found else "no text came along or is in the library as"
                what = "; give the id of one as document" if found else "; add it first, or give the text itself"
                raise _Wrong(field, f"{there} {name[:60]!r}{what}")
            self.named[field, name] = next(iter(found.values()))
        return self.named[field, name]

    def _kept(self, document: Document) -> Document:
        if document.id not in self.made:
            if len(self.made) >= MOST_TEXTS:
                raise _Wrong("text", f"a set has up to {MOST_TEXTS:,} texts: split the file")
            try:
                self.around.check(document)
            except BadFile as error:
                raise _Wrong("text", str(error)) from None
            self.made[document.id] = document
        return self.made[document.id]


def _paragraphs(given: Any) -> tuple[str, list[dict[str, Any]]]:
    """Paragraphs with titles as one text, and the places of those that are marked as supporting the answer."""
    if not isinstance(given, list) or not 0 < len(given) <= MOST_PARAGRAPHS:
        raise _Wrong("paragraphs", f"it is a list of 1 to {MOST_PARAGRAPHS:,} objects with title and text")
    text, places = "", []
    for one in given:
        words = one.get("text") if isinstance(one, dict) else None
        if not isinstance(words, str):
            raise _Wrong("paragraphs", "each of them is an object with title and text")
        title = one.get("title")
        text += ("\n\n" if text else "") + (f"{title}\n\n" if isinstance(title, str) and title.strip() else "")
        if one.get("is_supporting") is True:
            told = one.get("supporting_sentences")
            sentences = [said for said in told if isinstance(said, str) and said in words] if isinstance(told, list) else []
            for said in sentences or [words]:
                start = len(text) + words.find(said)
                places.append({"start": start, "end": start + len(said), "text": said})
        text += words
    return text, places


# --- one question -------------------------------------------------------------------------------------------------------------


def _question(fields: Mapping[str, Any], document: Document, places: Sequence[Any], *, number: int) -> SetQuestion:
    asked = _words(_first(fields, NAMES["question"]), "question", LONGEST_QUESTION)
    choices = _several(_first(fields, NAMES["choices"]), "choices", MOST_CHOICES, LONGEST_CHOICE)
    if len(choices) == 1:
        raise _Wrong("choices", f"a question has 2 to {MOST_CHOICES} choices, or none; here is one")
    answers = _answers(fields, choices)
    answerable = fields.get("answerable")
    if answerable is not None and not isinstance(answerable, bool):
        raise _Wrong("answerable", "it is true or false")
    if answerable is False and answers:
        raise _Wrong("answerable", "it says that the text does not answer this, and an answer is given")
    given = fields.get("evidence")
    given = _one_or_several(given, document) if isinstance(given, Parts) else given if given is not None else list(places)
    if not isinstance(given, list) or len(given) > MOST_EVIDENCE:
        raise _Wrong("evidence", f"it is a list of up to {MOST_EVIDENCE} places")
    key = fields.get("id", number)
    key = str(key) if isinstance(key, int) else key
    note = fields.get("note")
    return SetQuestion(
        _words(key, "id", LONGEST_KEY),
        document.id,
        asked,
        choices,
        answers,
        answerable=True if answers else answerable,
        evidence=tuple(sorted({_place(one, document) for one in given})),
        note=_words(note, "note", LONGEST_NOTE) if note not in (None, "") else "",
    )


def _first(fields: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def _words(value: Any, field: str, most: int) -> str:
    if value is None or value == "":
        raise _Wrong(field, "it is missing")
    if not isinstance(value, str):
        raise _Wrong(field, "it is not words; put them in quotation marks")
    words = value.strip()
    if not words:
        raise _Wrong(field, "it holds nothing but blanks")
    if len(words) > most:
        raise _Wrong(field, f"it has {len(words):,} characters, and {most:,} are the most")
    if encodable(words) != words or "\0" in words:
        raise _Wrong(field, "it holds a character that no text has (half of one, or NUL)")
    return words


def _several(value: Any, field: str, most: int, longest: int) -> tuple[str, ...]:
    if value is None:
        return ()
    given = value if isinstance(value, list) else [value]
    if len(given) > most:
        raise _Wrong(field, f"there are {len(given):,} of them, and {most} are the most")
    found = tuple(_words(one, field, longest) for one in given)
    if field == "choices" and len({_folded(one) for one in found}) < len(found):
        raise _Wrong(field, "two of them are the same")
    return found


def _answers(fields: Mapping[str, Any], choices: Sequence[str]) -> tuple[str, ...]:
    """The right answers. Where several fields give them, one must have all that the other has, and then it counts."""
    taken, of = "", tuple[str, ...]()
    for name in (name for name in ANSWERS if fields.get(name) is not None):
        answers = _answers_of(name, fields[name], choices)
        fewer, more = sorted(({_folded(one) for one in answers}, {_folded(one) for one in of}), key=len)
        if taken and not fewer <= more:
            one, other = of[0][:60], answers[0][:60]
            raise _Wrong(name, f"it says {other!r}, and the field {taken!r} says {one!r}: leave out the one that is wrong")
        if not taken or len(answers) > len(of):
            taken, of = name, answers
    return of


def _answers_of(name: str, value: Any, choices: Sequence[str]) -> tuple[str, ...]:
    """The answers of a field; of a multiple-choice question they are among its choices, or the number of one, from 0. Without
    choices, a number is what the answer says."""
    if choices and isinstance(value, int) and not isinstance(value, bool):
        if not 0 <= value < len(choices):
            raise _Wrong(name, f"{value} is the number of no choice; they are counted from 0, and there are {len(choices)}")
        return (choices[value],)
    if not choices:
        given = value if isinstance(value, list) else [value]
        said = [str(one) if isinstance(one, int | float) and not isinstance(one, bool) else one for one in given]
        return _several(said, name, MOST_ANSWERS, LONGEST_ANSWER)
    answers = _several(value, name, MOST_ANSWERS, LONGEST_ANSWER)
    by_words = {_folded(choice): choice for choice in choices}
    missing = next((answer for answer in answers if _folded(answer) not in by_words), None)
    if missing is not None:
        raise _Wrong(name, f"{missing[:60]!r} is none of the choices")
    return tuple(dict.fromkeys(by_words[_folded(answer)] for answer in answers))


def _folded(words: str) -> str:
    return " ".join(words.casefold().split())


def _one_or_several(given: Parts, document: Document) -> list[str]:
    """A cell with | in it is one quotation where the text has it so, and several where it has not."""
    whole = len(given) > 1 and len(given.whole) <= LONGEST_QUOTE and find_quote.find(given.whole, document.text)
    return [given.whole] if whole else given


def _place(given: Any, document: Document) -> Span:
    """A piece of evidence: words quoted from the text, or where they stand, or both."""
    text = document.text
    if isinstance(given, str):
        return _quoted(_words(given, "evidence", LONGEST_QUOTE), text, 0)
    if not isinstance(given, dict):
        raise _Wrong("evidence", "each place is words quoted from the text, or an object with start and end")
    start, end, words = given.get("start"), given.get("end"), given.get("text")
    if start is None and end is None and isinstance(words, str):
        return _quoted(_words(words, "evidence", LONGEST_QUOTE), text, 0)
    if not all(isinstance(at, int) and not isinstance(at, bool) for at in (start, end)):
        raise _Wrong("evidence", "start and end are whole numbers of characters")
    assert isinstance(start, int)
    assert isinstance(end, int)
    if isinstance(words, str) and words.strip() and text[max(0, start) : max(0, end)] != words:
        return _quoted(_words(words, "evidence", LONGEST_QUOTE), text, start)
    if not 0 <= start < end <= len(text):
        raise _Wrong("evidence", f"characters {start:,} to {end:,} are no place in a text of {len(text):,} characters")
    return Span(start, end)


def _quoted(words: str, text: str, near: int) -> Span:
    """Where words stand in a text, nearest to a place; white space may differ."""
    found = find_quote.find(words, text, near=near)
    if found is None:
        raise _Wrong("evidence", f"the text does not say “{words[:60]}{'…' if len(words) > 60 else ''}”")
    return found
