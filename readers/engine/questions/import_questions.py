"""Import question files: one question set, and a list of everything that is wrong, each with its file, line and field.

A page can show both before anything is stored; `complete_set` returns the set or raises BadFile. The files of published
benchmarks are recognised by their shape (`benchmarks/`). The text of a question is in its row, in a file beside it, or in the
library. Not here: the syntax of files (`files.py`), one question (`question_importer.py`), storage (`store/question_sets.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from readers.engine.errors import BadFile
from readers.engine.ingest import MAX_BYTES
from readers.engine.questions.benchmarks.recognise import QuestionFile, is_of_benchmark, recognised
from readers.engine.questions.files import is_questions, rows
from readers.engine.questions.import_benchmarks import BenchmarkImport, Recognised, Selection
from readers.engine.questions.question_importer import OWN_FILES, Problem, QuestionImporter, TextSources
from readers.engine.questions.question_set import QuestionSet, set_name

MOST_FILES, MOST_PATHS = 200, 25_000  # in memory; on the disk
PROBLEMS_IN_A_MESSAGE = 5
ALL = Selection()


class Imported(NamedTuple):
    """The contents of question files: the usable questions, the problems, notes for the user, and the benchmarks among them."""

    set: QuestionSet
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
    recognised: tuple[Recognised, ...] = ()


@dataclass(frozen=True)
class _Gathered:
    """What was read of all the files."""

    importer: QuestionImporter
    notes: tuple[str, ...]
    recognised: tuple[Recognised, ...]


def read_questions(
    files: Sequence[tuple[str, bytes | Path]], sources: TextSources, *, name: str = "", selection: Selection = ALL
) -> Imported:
    """One set made from all these files, in order, and up to 50 problems. A file given as a path is read from there. Never
    raises."""
    given = [QuestionFile(file, contents) for file, contents in files[:MOST_PATHS]]
    gathered = _gathered(given, sources, selection)
    importer = gathered.importer
    if not importer.questions and not importer.problems:
        importer.problems.append(Problem(given[0].shown if given else "", "", "question", "it has no questions"))
    known = ", ".join(one.name for one in gathered.recognised) if len(given) > 1 else ""
    of_one_text = importer.title if len(importer.documents) == 1 else ""
    first = given[0].shown if given else ""
    titles = [name, known, of_one_text, first.rpartition(".")[0] if is_questions(first) else first]
    title = next(filter(None, map(set_name, titles)), "Questions")
    asked_of = {one.document for one in importer.questions}
    documents = tuple(one for one in importer.documents.values() if one.id in asked_of)
    question_set = QuestionSet(title, tuple(importer.questions), documents)
    return Imported(question_set, tuple(importer.problems), gathered.notes, gathered.recognised)


def holds_questions(name: str, contents: bytes | Path) -> bool:
    """Whether a file has questions, by the ending of its name or as a benchmark's, rather than a text."""
    return is_questions(name) or is_of_benchmark(QuestionFile(name, contents))


def of_benchmarks(paths: Sequence[Path]) -> list[Path]:
    """Those of these files that are a benchmark's own, or accompany one."""
    return [path for path in paths if is_of_benchmark(QuestionFile(path.name, path))]


def _gathered(files: Sequence[QuestionFile], sources: TextSources, selection: Selection) -> _Gathered:
    importer = QuestionImporter(sources)
    try:
        published, own = recognised(files, sources.beside)
    except BadFile as error:
        importer.problems.append(Problem("", "", "", str(error)))
        return _Gathered(importer, (), ())
    benchmarks = BenchmarkImport(importer, published, selection)
    benchmarks.run()
    for file in own:
        _import_own(importer, file, selection)
    if own and len(importer.questions) > importer.limits.questions:
        why = f"a set has up to {importer.limits.questions:,} questions: split the file, and import the parts one by one"
        importer.problems.append(Problem(own[-1].shown, "", "question", why))
    return _Gathered(importer, (*benchmarks.notes(), *importer.notes()), benchmarks.recognised())


def _import_own(importer: QuestionImporter, file: QuestionFile, selection: Selection) -> None:
    """Add the rows of a question file of one's own."""
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


def complete_set(imported: Imported) -> QuestionSet:
    """The set, if it has no problems. Raises BadFile with the first few."""
    if imported.problems:
        more = len(imported.problems) - PROBLEMS_IN_A_MESSAGE
        shown = [describe_problem(problem) for problem in imported.problems[:PROBLEMS_IN_A_MESSAGE]]
        raise BadFile("\n".join([*shown, *([f"and {more} more"] if more > 0 else []), "Nothing was imported."]))
    return imported.set


def describe_problem(problem: Problem) -> str:
    """A problem in words. One that concerns a whole file names the file itself."""
    return str(problem) if problem.file else problem.why
