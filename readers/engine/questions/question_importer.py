"""Adding rows to a question set one by one: the text of each, its question, and all faults, with their places.

Not here: files (`files.py`, `benchmarks/`), the fields of one question (`question_fields.py`), notes for the user about a whole
import (`import_questions.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import starmap
from typing import Any, NamedTuple

from readers.engine.canonical import digest, encodable
from readers.engine.errors import BadFile
from readers.engine.ingest import Ingested, from_paste
from readers.engine.questions import question_fields
from readers.engine.questions.files import FileRow
from readers.engine.questions.question_fields import BadField, checked_words, first_of, other_fields
from readers.engine.questions.question_set import QuestionField, SetQuestion
from readers.engine.text.document import Document
from readers.engine.text.phrases import listed
from readers.engine.text.shorten import shorten_at_word

MOST_PROBLEMS, MOST_PARAGRAPHS = 50, 5_000
LONGEST_TITLE, LONGEST_GIVEN_TITLE = 200, 5_000
MOST_NAMED = 12  # fields in a note

QUESTIONS = ("questions", "queries")  # the two names of a list of questions about one text
TEXTS = ("text", "file", "document", "paragraphs")
KNOWN = question_fields.KNOWN | {*QUESTIONS, *TEXTS, "title"}


@dataclass(frozen=True)
class SetLimits:
    """The most that a set takes: questions, texts, and characters of all texts. `advice` says what to do about it."""

    questions: int
    texts: int
    characters: int
    advice: str


OWN_FILES = SetLimits(5_000, 1_000, 600_000_000, "split the file")


class Problem(NamedTuple):
    """Something wrong in a file, and where. What concerns a whole file has no place: its words name the file."""

    file: str
    where: str
    field: str
    why: str

    def __str__(self) -> str:
        if not self.file:
            return self.why
        at = f"{self.file!r}, {self.where}" if self.where else f"{self.file!r}"
        return f"{at}, field {self.field!r}: {self.why}" if self.field else f"{at}: {self.why}"


@dataclass(frozen=True)
class TextSources:
    """Where to find texts that a row only names: `beside` returns an accompanying text file by name; `library` returns all texts
    with this id or title. `check` raises BadFile for a text that may not be imported."""

    beside: Callable[[str], Ingested | None] = lambda name: None
    library: Callable[[str], Sequence[Document]] = lambda named: ()
    check: Callable[[Document], None] = lambda document: None


@dataclass
class QuestionImporter:
    """Adds rows one by one. `documents` holds the texts that came with the files, by id; `by_words` and `named` find a text that
    was met before, so that it is not parsed again. `ids` says where each id of a file was met, so that none
    occurs twice; None where ids may repeat. `has_no_room` is true once a text was refused because the set is full."""

    sources: TextSources
    limits: SetLimits = field(default_factory=lambda: OWN_FILES)
    questions: list[SetQuestion] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    documents: dict[str, Document] = field(default_factory=dict)
    by_words: dict[str, Document] = field(default_factory=dict)
    named: dict[tuple[str, str], Document] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    kept: dict[str, None] = field(default_factory=dict)
    ignored: dict[str, None] = field(default_factory=dict)
    ids: dict[str, str] | None = None
    shortened: int = 0
    title: str = ""
    characters: int = 0
    has_no_room: bool = False

    @property
    def is_full(self) -> bool:
        """Whether there are more questions than a set may have, or as many problems as are listed."""
        return len(self.problems) >= MOST_PROBLEMS or len(self.questions) > self.limits.questions

    def add(self, row: FileRow) -> None:
        """Add one question, or a text with several. Problems are noted; the next row is not affected."""
        try:
            several = first_of(row.fields, QUESTIONS)
            document, marked = self._text(row)
        except BadField as error:
            self.problems.append(Problem(row.file, row.where, error.field, str(error)))
            return
        others = self._others(row.fields)
        if several is None:
            self._question(row, document, marked, others)
            return
        if not isinstance(several, list) or not several:
            self.problems.append(Problem(row.file, row.where, "questions", "it is a list of questions, with at least one"))
            return
        for number, one in enumerate(several[: self.limits.questions + 1], start=1):
            where = f"{row.where}, question {number:,}" if row.where != "the file" else f"question {number:,}"
            inner = FileRow(row.file, where, one if isinstance(one, dict) else {})
            self._question(inner, document, marked, {**others, **self._others(inner.fields)})

    def notes(self) -> tuple[str, ...]:
        """What the user should know about the import."""
        notes = []
        if self.changed:
            notes.append(
                f"In {len(self.changed):,} of the texts, line ends or characters were normalised, as for every text; quoted "
                "evidence was found again."
            )
        if self.shortened:
            were = "title was" if self.shortened == 1 else "titles were"
            notes.append(f"{self.shortened:,} {were} shortened to {LONGEST_TITLE} characters.")
        if self.kept:
            notes.append(f"Other fields are kept, to filter and count by: {', '.join(list(self.kept)[:MOST_NAMED])}.")
        if self.ignored:
            names = ", ".join(list(self.ignored)[:MOST_NAMED])
            notes.append(f"Fields that are not a single short value were ignored: {names}.")
        return tuple(notes)

    def _others(self, fields: Mapping[str, Any]) -> dict[str, str]:
        """The fields of a row that this program gives no meaning."""
        others = dict(other_fields(fields, KNOWN))
        self.kept |= dict.fromkeys(others)
        self.ignored |= dict.fromkeys(encodable(name)[:40] for name in fields if name not in KNOWN and name not in others)
        return others

    def _question(self, row: FileRow, document: Document, marked: Sequence[Any], others: Mapping[str, str]) -> None:
        if len(self.problems) >= MOST_PROBLEMS:
            return
        try:
            question = question_fields.question_of(row.fields, document, marked, number=len(self.questions) + 1)
            self._note_id(row)
            self.questions.append(replace(question, fields=tuple(starmap(QuestionField, others.items()))))
        except BadField as error:
            self.problems.append(Problem(row.file, row.where, error.field, str(error)))

    def _note_id(self, row: FileRow) -> None:
        """Raise BadField for an id that another question of the same file has."""
        given = row.fields.get("id")
        if given is not None and self.ids is not None and (before := self.ids.setdefault(str(given), row.where)) != row.where:
            raise BadField("id", f"{str(given)[:60]!r} is also the id of another question in this file ({before})")

    def _text(self, row: FileRow) -> tuple[Document, Sequence[Any]]:
        """The text of a row, and the evidence marked in its paragraphs."""
        given = [name for name in TEXTS if row.fields.get(name) is not None]
        title = row.fields.get("title")
        title = checked_words(title, "title", LONGEST_GIVEN_TITLE) if title is not None else ""
        if len(title) > LONGEST_TITLE:
            title = shorten_at_word(title, LONGEST_TITLE - 2)
            self.shortened += 1
        self.title = self.title or title
        if len(given) > 1:
            raise BadField(given[1], f"the text is given twice: take one of {' and '.join(given)}")
        if not given:
            if not title:
                raise BadField("text", "there is no text: give text, file, document, or the title of a text in the library")
            return self._named("title", title), ()
        what = given[0]
        if what == "paragraphs":
            words, marked = _paragraphs(row.fields[what])
            return self._inline(words, title or _gathered_title(row.fields), row), marked
        if what == "text":
            return self._inline(row.fields[what], title, row), ()
        name = checked_words(row.fields[what], what, 1_000)
        return (self._beside(name, title) if what == "file" else self._named("document", name)), ()

    def _inline(self, words: Any, title: str, row: FileRow) -> Document:
        if not isinstance(words, str):
            raise BadField("text", "it is not words")
        key = digest(encodable(words))
        if key not in self.by_words:
            title = title or f"{row.file.rpartition('.')[0]}, {row.where}"
            try:
                document = from_paste(words, title=title).document
            except BadFile as error:
                raise BadField("text", str(error)) from None
            self.by_words[key] = self._added(document)
            if document.text != words:
                self.changed.add(document.id)
        return self.by_words[key]

    def _beside(self, name: str, title: str) -> Document:
        if re.search(r"[/\\]", name) or name in (".", ".."):
            raise BadField("file", f"{name[:60]!r} is a path; write the name of a file next to this one")
        if ("file", name) not in self.named:
            try:
                found = self.sources.beside(name)
            except BadFile as error:
                raise BadField("file", str(error)) from None
            if found is None:
                raise BadField("file", f"there is no file {name[:60]!r} next to this one; add it, or write the text itself")
            document = found.document
            self.named["file", name] = self._added(document.titled(title or document.title))
        return self.named["file", name]

    def _named(self, field: str, name: str) -> Document:
        """A text by id or title, from these files or from the library."""
        if (field, name) not in self.named:
            found = {one.id: one for one in self.documents.values() if name == one.id or (field == "title" and name == one.title)}
            found = found or {one.id: one for one in self.sources.library(name)}
            if len(found) != 1:
                there = (
                    f"{len(found)} texts of the library are called"
                    if found
                    else "there is no text in these files or the library called"
                )
                what = "; give the id of one as document" if found else "; add it first, or give the text itself"
                raise BadField(field, f"{there} {name[:60]!r}{what}")
            self.named[field, name] = next(iter(found.values()))
        return self.named[field, name]

    def _added(self, document: Document) -> Document:
        if document.id not in self.documents:
            self._check_room(document)
            try:
                self.sources.check(document)
            except BadFile as error:
                raise BadField("text", str(error)) from None
            self.documents[document.id] = document
            self.characters += len(document.text)
        return self.documents[document.id]

    def _check_room(self, document: Document) -> None:
        limits = self.limits
        self.has_no_room = True
        if len(self.documents) >= limits.texts:
            raise BadField("text", f"a set has up to {limits.texts:,} texts: {limits.advice}")
        if self.characters + len(document.text) > limits.characters:
            most = f"{limits.characters // 1_000_000:,} million characters"
            raise BadField("text", f"the texts of a set have up to {most} in all: {limits.advice}")
        self.has_no_room = False


def _gathered_title(fields: Mapping[str, Any]) -> str:
    """The title of paragraphs gathered for a question: that of the first ones, and how many more there are; without any, the
    question's id."""
    titles = (one.get("title") for one in fields["paragraphs"])
    named = dict.fromkeys(encodable(title) for title in titles if isinstance(title, str) and title.strip())
    return shorten_at_word(listed(named, most=2), LONGEST_TITLE - 2) or str(fields.get("id") or "")[:LONGEST_TITLE]


def _paragraphs(given: Any) -> tuple[str, list[dict[str, Any]]]:
    """Titled paragraphs joined into one text, and the evidence: those that are marked as supporting the answer."""
    if not isinstance(given, list) or not 0 < len(given) <= MOST_PARAGRAPHS:
        raise BadField("paragraphs", f"it is a list of 1 to {MOST_PARAGRAPHS:,} objects with title and text")
    text, evidence = "", []
    for paragraph in given:
        words = paragraph.get("text") if isinstance(paragraph, dict) else None
        if not isinstance(words, str):
            raise BadField("paragraphs", "each of them is an object with title and text")
        title = paragraph.get("title")
        text += ("\n\n" if text else "") + (f"{title}\n\n" if isinstance(title, str) and title.strip() else "")
        if paragraph.get("is_supporting") is True:
            listed = paragraph.get("supporting_sentences")
            sentences = [one for one in listed if isinstance(one, str) and one in words] if isinstance(listed, list) else []
            for sentence in sentences or [words]:
                start = len(text) + words.find(sentence)
                evidence.append({"start": start, "end": start + len(sentence), "text": sentence})
        text += words
    return text, evidence
