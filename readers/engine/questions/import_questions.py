"""Import question files: one question set, and a list of all faults, each with its file, line and field.

A page can show both before anything is stored; `complete_set` returns the set or raises BadFile. The text of a question is in its
row, in a file next to it, or in the library. The files of published benchmarks are recognised by their shape (`benchmarks/`). A
question of theirs that cannot be asked is skipped and counted with its reason and its first places; a file that is damaged, or
over the limits, is a problem, and nothing is imported. Not here: the syntax of files (`files.py`), one question
(`question_importer.py`), any one benchmark, storage (`store/question_sets.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from readers.engine.errors import BadFile
from readers.engine.ingest import MAX_BYTES
from readers.engine.questions.benchmarks.recognise import Known, QuestionFile, is_of_benchmark, questions, recognised
from readers.engine.questions.benchmarks.shape import Benchmark, Context, RowQuestion
from readers.engine.questions.files import FileRow, is_questions, rows
from readers.engine.questions.question_fields import other_fields
from readers.engine.questions.question_importer import KNOWN, OWN_FILES, Problem, QuestionImporter, SetLimits, TextSources
from readers.engine.questions.question_set import BENCHMARK, SCORES, QuestionSet, SetQuestion, set_name

MOST_FILES, MOST_PATHS = 200, 25_000  # in memory; on the disk
MOST_READ = 1_000_000  # questions of a benchmark's file, most of which are skipped
ADVICE = "import only the first ones (a number on the page, --first N in the shell), or some (--only NAME=VALUE)"
LIMITS = SetLimits(20_000, 20_000, 600_000_000, ADVICE)  # of benchmarks
_PROBLEMS_IN_A_MESSAGE = 5
_PLACES = 5  # that a note lists


class Recognised(NamedTuple):
    """A benchmark in the imported files: its name, the scores it is published with, and how much of it was imported."""

    name: str
    scores: tuple[str, ...]
    questions: int
    texts: int


class Imported(NamedTuple):
    """The contents of question files: the usable questions, the problems, notes for the user, and the benchmarks among them."""

    set: QuestionSet
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
    recognised: tuple[Recognised, ...] = ()


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


ALL = Selection()


def read_questions(
    files: Sequence[tuple[str, bytes | Path]], sources: TextSources, *, name: str = "", selection: Selection = ALL
) -> Imported:
    """One set made from all these files, in order, and up to 50 problems. A file given as a path is read from there. Never
    raises."""
    given = [QuestionFile(file, contents) for file, contents in files[:MOST_PATHS]]
    importer = QuestionImporter(sources)
    benchmarks = _gather(importer, given, selection)
    recognised = tuple(benchmarks.recognised()) if benchmarks else ()
    if not importer.questions and not importer.problems:
        importer.problems.append(Problem(given[0].shown if given else "", "", "question", "it has no questions"))
    known = ", ".join(one.name for one in recognised) if len(given) > 1 else ""
    of_one_text = importer.title if len(importer.documents) == 1 else ""
    first = given[0].shown if given else ""
    titles = [name, known, of_one_text, first.rpartition(".")[0] if is_questions(first) else first]
    title = next(filter(None, map(set_name, titles)), "Questions")
    asked_of = {one.document for one in importer.questions}
    documents = tuple(one for one in importer.documents.values() if one.id in asked_of)
    question_set = QuestionSet(title, tuple(importer.questions), documents)
    notes = (*benchmarks.notes(), *importer.notes()) if benchmarks else ()
    return Imported(question_set, tuple(importer.problems), notes, recognised)


def holds_questions(name: str, contents: bytes | Path) -> bool:
    """Whether a file has questions, by the ending of its name or as a benchmark's, rather than a text."""
    return is_questions(name) or is_of_benchmark(QuestionFile(name, contents))


def of_benchmarks(paths: Sequence[Path]) -> list[Path]:
    """Those of these files that are a benchmark's own, or accompany one."""
    return [path for path in paths if is_of_benchmark(QuestionFile(path.name, path))]


def complete_set(imported: Imported) -> QuestionSet:
    """The set, if it has no problems. Raises BadFile with the first few."""
    if imported.problems:
        more = len(imported.problems) - _PROBLEMS_IN_A_MESSAGE
        shown = [str(problem) for problem in imported.problems[:_PROBLEMS_IN_A_MESSAGE]]
        raise BadFile("\n".join([*shown, *([f"and {more} more"] if more > 0 else []), "Nothing was imported."]))
    return imported.set


def _gather(importer: QuestionImporter, files: Sequence[QuestionFile], selection: Selection) -> _BenchmarkImport | None:
    """Add the questions of all files: those of benchmarks first, then the user's own. None where nothing could be recognised."""
    try:
        known, context, own = recognised(files, importer.sources.beside)
    except BadFile as error:
        importer.problems.append(Problem("", "", "", str(error)))
        return None
    benchmarks = _BenchmarkImport(importer, known, selection)
    benchmarks.run(context)
    for file in own:
        _import_own(importer, file, selection)
    if own and len(importer.questions) > importer.limits.questions:
        why = f"a set has up to {importer.limits.questions:,} questions: split the file, and import the parts one by one"
        importer.problems.append(Problem(own[-1].shown, "", "question", why))
    return benchmarks


def _import_own(importer: QuestionImporter, file: QuestionFile, selection: Selection) -> None:
    """Add the rows of the user's own question file."""
    importer.limits = OWN_FILES if not importer.questions else importer.limits
    importer.ids = {}
    try:
        with file.opened() as stream:
            data = stream.read(MAX_BYTES + 1)
        for row in rows(data, file.name):
            if importer.is_full or selection.is_complete(len(importer.questions)):
                break
            importer.add(row)
    except BadFile as error:
        importer.problems.append(Problem("", "", "", str(error)))


# Benchmarks


@dataclass
class _Reason:
    """Why questions were skipped, or what is missing: how many, and the first of them."""

    what: str
    count: int = 0
    places: list[str] = field(default_factory=list)

    def add(self, where: str) -> None:
        self.count += 1
        if len(self.places) < _PLACES:
            self.places.append(where)

    def __str__(self) -> str:
        return f"{self.what} ({'; '.join([*self.places, *(['…'] if self.count > len(self.places) else [])])})"


class _BenchmarkImport:
    """Adds the questions of files of benchmarks to a set."""

    def __init__(self, importer: QuestionImporter, known: Known, selection: Selection) -> None:
        self._importer, self._known, self._selection = importer, known, selection
        self._imported: dict[str, list[SetQuestion]] = {benchmark.name: [] for _, benchmark in known}
        self._read = Counter[str]()
        # By benchmark, and by what reasons have in common.
        self._skipped: dict[tuple[str, str], _Reason] = {}
        self._lacking: dict[tuple[str, str], _Reason] = {}
        self._seen: set[tuple[str, str]] = set()  # a benchmark and an id
        self._asked: set[tuple[str, str, str]] = set()  # an id, a text, a question

    def run(self, context: Context) -> None:
        """Add all questions that are wanted. Whatever prevents the import is among the importer's problems."""
        if not self._known:
            return
        self._importer.limits = LIMITS
        try:
            for benchmark, file, where, asked in questions(self._known, context):
                if self._selection.is_complete(len(self._importer.questions)):
                    return
                if not self._add(benchmark, file, where, asked):
                    return
        except BadFile as error:
            self._importer.problems.append(Problem("", "", "", str(error)))
        if not self._importer.questions and not self._importer.problems:
            self._importer.problems.append(self._none())

    def notes(self) -> Iterator[str]:
        """What was skipped and what is missing, with numbers."""
        for name in self._imported:
            for reasons, what in ((self._skipped, "skipped: "), (self._lacking, "")):
                for reason in (reason for (of, _), reason in reasons.items() if of == name):
                    yield f"{name}: {reason.count:,} of {self._read[name]:,} questions {what}{reason}."

    def recognised(self) -> Iterator[Recognised]:
        for name, imported in self._imported.items():
            scores = [one.value.split(", ") for asked in imported for one in asked.fields if one.name == SCORES]
            names = dict.fromkeys(score for several in scores for score in several)
            yield Recognised(name, tuple(names), len(imported), len({one.document for one in imported}))

    def _add(self, benchmark: Benchmark, file: QuestionFile, row: str, asked: RowQuestion) -> bool:
        """Whether to continue."""
        where = f"{row}, {asked.where}" if asked.where else row
        if len(self._known) > 1:
            where = f"{file.shown}, {where}"
        self._read[benchmark.name] += 1
        over = self._read[benchmark.name] > MOST_READ
        if over or len(self._importer.questions) >= LIMITS.questions:
            most = f"has over {MOST_READ:,}" if over else f"is over the {LIMITS.questions:,} of a set with its"
            self._importer.problems.append(Problem(file.shown, row, "", f"it {most} questions: {ADVICE}"))
            return False
        if asked.skipped:
            self._skip(benchmark.name, asked.skipped, asked.skipped, where=where)
            return True
        fields = {BENCHMARK: benchmark.name, SCORES: ", ".join(benchmark.scores), **asked.fields}
        if self._selection.takes(fields):
            self._importer.add(FileRow(file.shown, where, fields))
            self._settle(benchmark.name, asked.lacks, where)
        return not self._importer.problems

    def _skip(self, benchmark: str, kind: str, why: str, *, where: str) -> None:
        self._skipped.setdefault((benchmark, kind), _Reason(why)).add(where)

    def _settle(self, benchmark: str, lacks: Sequence[str], where: str) -> None:
        """Count a row that was added, or was refused."""
        importer = self._importer
        if importer.has_no_room:
            return
        if importer.problems:
            problem = importer.problems.pop()
            self._skip(benchmark, problem.field, f"field {problem.field!r}: {problem.why}", where=where)
            return
        asked = importer.questions[-1]
        entry = (asked.key, asked.document, asked.question)
        if entry in self._asked:
            importer.questions.pop()
            self._skip(benchmark, "duplicate", "the same question with the same id came before", where=where)
            return
        self._imported[benchmark].append(asked)
        lacks = [*lacks, *(["have no known answer"] if asked.answerable is None else [])]
        if (benchmark, asked.key) in self._seen:
            lacks.append("have the id of an earlier question")
        for lack in lacks:
            self._lacking.setdefault((benchmark, lack), _Reason(lack)).add(where)
        self._asked.add(entry)
        self._seen.add((benchmark, asked.key))

    def _none(self) -> Problem:
        file, benchmark = self._known[0]
        read = self._read[benchmark.name]
        reasons = "; ".join(str(reason) for (of, _), reason in self._skipped.items() if of == benchmark.name)
        why = reasons or ("none has the wanted values" if read else "it has none")
        return Problem(file.shown, "", "question", f"none of its {read:,} questions is usable: {why}")
