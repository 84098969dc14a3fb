"""Import the files of published benchmarks: their questions, and by number what was skipped and what is missing.

A question that cannot be asked is skipped and counted with its reason and its first places. A file that is damaged, or over the
limits, is a problem, and nothing is imported. Not here: any one benchmark (`benchmarks/`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from readers.engine.errors import BadFile
from readers.engine.questions.benchmarks.recognise import Published, Read, questions
from readers.engine.questions.benchmarks.shape import Asked, SkippedQuestion
from readers.engine.questions.files import FileRow
from readers.engine.questions.question_fields import other_fields
from readers.engine.questions.question_importer import KNOWN, Problem, QuestionImporter, SetLimits
from readers.engine.questions.question_set import SetQuestion

ADVICE = "import only the first ones (a number on the page, --first N in the shell), or some (--only NAME=VALUE)"
LIMITS = SetLimits(20_000, 20_000, 600_000_000, ADVICE)
MOST_READ = 1_000_000  # questions of a file, most of them passed over
BENCHMARK, SCORES = "benchmark", "scores"  # fields of every question of a benchmark
_PLACES = 5  # that a note lists


class Recognised(NamedTuple):
    """A benchmark in the imported files: its name, the scores it is published with, and how much of it was imported."""

    name: str
    scores: tuple[str, ...]
    questions: int
    texts: int


@dataclass(frozen=True)
class Selection:
    """Which questions to import: the first ones, of those whose fields have these values. By default all."""

    first: int | None = None
    only: tuple[tuple[str, str], ...] = ()

    def is_complete(self, imported: int) -> bool:
        """Whether no more questions are wanted."""
        return self.first is not None and imported >= self.first

    def takes(self, fields: Mapping[str, Any]) -> bool:
        """Whether the fields of a question have the wanted values, upper and lower case alike."""
        if not self.only:
            return True
        known = {(one.name.casefold(), one.value.casefold()) for one in other_fields(fields, KNOWN)}
        return all((name.casefold(), value.casefold()) in known for name, value in self.only)


@dataclass
class _Reason:
    """Why questions were skipped, or what they lack: how many, and the first of them."""

    what: str
    count: int = 0
    places: list[str] = field(default_factory=list)

    def add(self, where: str) -> None:
        self.count += 1
        if len(self.places) < _PLACES:
            self.places.append(where)

    @property
    def shown_places(self) -> str:
        return "; ".join([*self.places, *(["…"] if self.count > len(self.places) else [])])


@dataclass
class _BenchmarkTally:
    """What became of the questions of one benchmark."""

    name: str
    read: int = 0
    imported: list[SetQuestion] = field(default_factory=list)
    skipped: dict[str, _Reason] = field(default_factory=dict)
    lacking: dict[str, _Reason] = field(default_factory=dict)

    def skip(self, kind: str, why: str, where: str) -> None:
        """Count a question as skipped. `kind` says which reasons are the same."""
        self.skipped.setdefault(kind, _Reason(why)).add(where)

    def lack(self, what: str, where: str) -> None:
        self.lacking.setdefault(what, _Reason(what)).add(where)

    def notes(self) -> Iterator[str]:
        for one in self.skipped.values():
            yield f"{self.name}: {one.count:,} of {self.read:,} questions skipped: {one.what} ({one.shown_places})."
        for one in self.lacking.values():
            yield f"{self.name}: {one.count:,} of {self.read:,} questions {one.what} ({one.shown_places})."

    def recognised(self) -> Recognised:
        scores = [one.value.split(", ") for asked in self.imported for one in asked.fields if one.name == SCORES]
        names = dict.fromkeys(name for several in scores for name in several)
        return Recognised(self.name, tuple(names), len(self.imported), len({one.document for one in self.imported}))


class BenchmarkImport:
    """Adds the questions of files of benchmarks to a set."""

    def __init__(self, importer: QuestionImporter, published: Published, selection: Selection) -> None:
        self._importer, self._published, self._selection = importer, published, selection
        self._tallies = {benchmark.name: _BenchmarkTally(benchmark.name) for _, benchmark in published.files}
        self._seen: set[tuple[str, str]] = set()  # a benchmark and an id
        self._asked: set[tuple[str, str, str]] = set()  # an id, a text, a question

    def run(self) -> None:
        """Add all questions that are wanted. Whatever prevents the import is among the importer's problems."""
        if self._published.files:
            self._importer.limits = LIMITS
        try:
            for read in questions(self._published):
                if self._selection.is_complete(len(self._importer.questions)):
                    return
                if not self._add(read):
                    return
        except BadFile as error:
            self._importer.problems.append(Problem("", "", "", str(error)))
        if self._published.files and not self._importer.questions and not self._importer.problems:
            self._importer.problems.append(self._none())

    def notes(self) -> tuple[str, ...]:
        """What was skipped and what is missing, by number."""
        return tuple(note for tally in self._tallies.values() for note in tally.notes())

    def recognised(self) -> tuple[Recognised, ...]:
        return tuple(tally.recognised() for tally in self._tallies.values())

    def _add(self, read: Read) -> bool:
        """Whether to go on."""
        tally, found = self._tallies[read.benchmark.name], read.found
        where = f"{read.where}, {found.where}" if found.where else read.where
        if len(self._published.files) > 1:
            where = f"{read.file}, {where}"
        tally.read += 1
        if tally.read > MOST_READ or len(self._importer.questions) >= LIMITS.questions:
            most = f"has over {MOST_READ:,}" if tally.read > MOST_READ else f"is over the {LIMITS.questions:,} of a set with its"
            self._importer.problems.append(Problem(read.file, read.where, "", f"it {most} questions: {ADVICE}"))
            return False
        if isinstance(found, SkippedQuestion):
            tally.skip(found.why, found.why, where)
            return True
        fields = {BENCHMARK: read.benchmark.name, SCORES: ", ".join(read.benchmark.scores), **found.fields}
        if self._selection.takes(fields):
            self._importer.add(FileRow(read.file, where, fields))
            self._settle(tally, found, where)
        return not self._importer.problems

    def _settle(self, tally: _BenchmarkTally, found: Asked, where: str) -> None:
        """Count a row that was added, or was refused."""
        importer = self._importer
        if importer.has_no_room:
            return
        if importer.problems:
            problem = importer.problems.pop()
            tally.skip(problem.field, f"field {problem.field!r}: {problem.why}", where)
            return
        asked = importer.questions[-1]
        entry = (asked.key, asked.document, asked.question)
        if entry in self._asked:
            importer.questions.pop()
            tally.skip("duplicate", "the same question with the same id came before", where)
            return
        tally.imported.append(asked)
        lacks = [*found.lacks, *(["have no known answer"] if asked.answerable is None else [])]
        if (tally.name, asked.key) in self._seen:
            lacks.append("have the id of an earlier question")
        for lack in lacks:
            tally.lack(lack, where)
        self._asked.add(entry)
        self._seen.add((tally.name, asked.key))

    def _none(self) -> Problem:
        tally = next(iter(self._tallies.values()))
        reasons = [f"{one.what} ({one.shown_places})" for one in tally.skipped.values()]
        why = "; ".join(reasons) or ("none has the wanted values" if tally.read else "it has none")
        return Problem(
            self._published.files[0][0].shown, "", "question", f"none of its {tally.read:,} questions is usable: {why}"
        )
