"""Which benchmark a file is, by the shape of its first row; and the questions in the files of benchmarks, one at a time.

A file of any other shape is read as a user's own question file. Tables and collections that only accompany a benchmark's
questions are also recognised by their shape. Not here: the checks of a question, and what was skipped.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from readers.engine.errors import BadFile
from readers.engine.ingest import Ingested
from readers.engine.questions.benchmarks.long_contexts import INFINITEBENCH, LONGBENCH, LONGBENCH_V2, LONGMEMEVAL
from readers.engine.questions.benchmarks.paragraphs import HOTPOTQA, MUSIQUE, RULER_HQA, TWO_WIKI, paragraphs_of
from readers.engine.questions.benchmarks.rows import Row, csv_rows, json_rows
from readers.engine.questions.benchmarks.shape import Benchmark, Context, Fields, Place, RowQuestion, skipped
from readers.engine.questions.benchmarks.stories import NARRATIVE_QA, QUALITY, companion
from readers.engine.questions.benchmarks.summaries import GOV_REPORT, QMSUM, SQUALITY, SUMM_SCREEN
from readers.engine.questions.benchmarks.synthetic import BABILONG, NEEDLES, RULER, SWEEP
from readers.engine.questions.files import shown_name

BENCHMARKS: tuple[Benchmark, ...] = (
    QUALITY, SQUALITY, QMSUM, NARRATIVE_QA, TWO_WIKI, HOTPOTQA, MUSIQUE, RULER_HQA, SUMM_SCREEN, GOV_REPORT,
    LONGBENCH, LONGBENCH_V2, RULER, BABILONG, INFINITEBENCH, LONGMEMEVAL,
    SWEEP, NEEDLES,
)  # fmt: skip
MOST_PARAGRAPHS, MOST_DOCUMENTS = 300_000, 20_000  # of a collection, and of a table


@dataclass(frozen=True)
class QuestionFile:
    """A file by name: its bytes, or where it lies. A file on the disk is read piece by piece and may be of any size."""

    name: str
    contents: bytes | Path

    @property
    def shown(self) -> str:
        return shown_name(self.name)

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """Raises BadFile if it cannot be read."""
        if isinstance(self.contents, bytes):
            yield io.BytesIO(self.contents)
            return
        try:
            with self.contents.open("rb") as stream:
                yield stream
        except OSError as error:
            raise BadFile(f"{self.shown!r} cannot be read: {error.strerror}") from error

    def place(self, where: str) -> Place:
        folder = self.contents.absolute().parent.name if isinstance(self.contents, Path) else ""
        return Place(where, self.shown.rpartition(".")[0] or self.shown, folder)

    def rows(self) -> Iterator[Row]:
        """Its rows: of a table if its name ends in `.csv`, otherwise of JSON. Raises BadFile."""
        read = csv_rows if self.name.lower().endswith(".csv") else json_rows
        with self.opened() as stream:
            yield from read(stream, self.shown)


Known = Sequence[tuple[QuestionFile, Benchmark]]  # files of benchmarks, each with its benchmark


def recognised(
    files: Sequence[QuestionFile], beside: Callable[[str], Ingested | None]
) -> tuple[Known, Context, list[QuestionFile]]:
    """The files of benchmarks, what accompanies them, and all other files. Raises BadFile for a companion that cannot be read."""
    known, companions, others = [], [], []
    for file in files:
        first = _first_row(file) or {}
        if benchmark := _benchmark_of(first):
            known.append((file, benchmark))
        elif companion(first):
            companions.append(file)
        else:
            others.append(file)
    if companions and not any(benchmark is NARRATIVE_QA for _, benchmark in known):
        raise BadFile(f"{companions[0].shown!r} accompanies the questions of NarrativeQA: give qaps.csv as well")
    context = Context(beside, tables=_tables(companions))
    if any(benchmark is RULER_HQA and _counts_paragraphs(file) for file, benchmark in known):
        collections = [file for file, benchmark in known if benchmark is HOTPOTQA]
        context = replace(context, paragraphs=_sorted_paragraphs(collections))
        known = [(file, benchmark) for file, benchmark in known if benchmark is not HOTPOTQA]
    return known, context, others


def is_of_benchmark(file: QuestionFile) -> bool:
    """Whether a file is a benchmark's, or accompanies one; False for a file that cannot be read."""
    first = _first_row(file) or {}
    return _benchmark_of(first) is not None or companion(first) is not None


def _benchmark_of(first: Fields) -> Benchmark | None:
    """The benchmark whose shape the first row of a file has."""
    return next((one for one in BENCHMARKS if one.fits(first)), None)


def questions(known: Known, context: Context) -> Iterator[tuple[Benchmark, QuestionFile, str, RowQuestion]]:
    """All questions in the files, in order, each with the place of its row. A row of another shape than its file is skipped.
    Raises BadFile."""
    for file, benchmark in known:
        for where, row in file.rows():
            if not benchmark.fits(row):
                yield benchmark, file, where, skipped(f"the row does not have the shape of {benchmark.name}")
                continue
            for asked in benchmark.questions(row, file.place(where), context):
                yield benchmark, file, where, asked


def _first_row(file: QuestionFile) -> Fields | None:
    try:
        return next((fields for _, fields in file.rows()), None)
    except BadFile:
        return None


def _counts_paragraphs(file: QuestionFile) -> bool:
    return isinstance((_first_row(file) or {}).get("context"), list)


def _tables(files: Sequence[QuestionFile]) -> dict[str, dict[str, Fields]]:
    """The rows of companion tables by the name of the table and the id of the document."""
    tables: dict[str, dict[str, Fields]] = {}
    for file in files:
        for _, row in file.rows():
            named = companion(row)
            if named and len(tables.setdefault(named, {})) < MOST_DOCUMENTS:
                tables[named][row["document_id"]] = row
    return tables


def _sorted_paragraphs(files: Sequence[QuestionFile]) -> tuple[str, ...]:
    """The different paragraphs of HotpotQA in the order in which RULER counts them: sorted, a title and a line with its text."""
    found: set[str] = set()
    for file in files:
        for _, row in file.rows():
            if HOTPOTQA.fits(row):
                found.update(f"{title}\n{''.join(sentences)}" for title, sentences in paragraphs_of(row))
            if len(found) > MOST_PARAGRAPHS:
                raise BadFile(f"{file.shown!r} has over {MOST_PARAGRAPHS:,} paragraphs, more than HotpotQA's development set")
    return tuple(sorted(found))
