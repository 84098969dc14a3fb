"""Export a batch: one row per reading, with its question, the known answer, the verdict by rule, and its measures.

As data for programs, and as CSV for spreadsheets. The fields that the question file gave each question have columns of their own.
What the caller may not see is left out by the caller: rows are made from results that it passes in. Not here: how answers are
graded (`questions/grading/`), and what the measures mean (`analysis/measures.py`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from readers.engine.analysis import measures
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.report.files import FIELD, cell_text, escaped_cell
from readers.engine.run.batches import CellResult, Readers
from readers.engine.store import Run, Store, open_reading
from readers.engine.store.batches import Batch

COLUMNS = (
    "batch", "key", "question", "document", "title", "choices", "known", "all_required", "answerable",
    "variant", "sample", "reader", "model", "options", "run", "status", "outcome", "answer", "verdict", "certainty", "reason",
    "f1", "error",
    *(name for name in measures.NAMES if name != "outcome"),
)  # fmt: skip


def batch_rows(store: Store, batch: Batch, results: Sequence[CellResult], *, readers: Readers) -> Iterator[dict[str, Any]]:
    """One row per cell of a batch, in order; opens the readings one by one. `measures` is None where no reading has come to an
    end."""
    titles = store.question_sets.documents(batch.question_set)
    for one in results:
        run, asked = one.run, one.question
        yield {
            "batch": batch.id, "key": asked.key, "question": asked.question,
            "document": asked.document, "title": titles.get(asked.document, ""),
            "choices": list(asked.choices), "known": list(asked.answers), "all_required": asked.all_required,
            "answerable": asked.answerable, "fields": dict(asked.fields),
            "variant": one.cell.variant, "sample": one.cell.sample, **_run_columns(run),
            "verdict": one.grade.outcome if one.grade else None, "certainty": one.grade.certainty if one.grade else None,
            "reason": one.grade.reason if one.grade else None,
            "f1": one.grade.f1 if one.grade else None,
            "error": one.problem or None,
            "measures": _measures(store, run, KnownAnswer.of(asked), readers) if run else None,
        }  # fmt: skip


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows as CSV with a header. Lists are joined with " | "; an apostrophe escapes a formula."""
    names = sorted({name for row in rows for name in row["fields"]})
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\n")  # a terminal would show the other line end
    table.writerow([*COLUMNS, *(escaped_cell(f"{FIELD}{name}") for name in names)])
    for row in rows:
        flat = {**row, **{k: v for k, v in (row["measures"] or {}).items() if k != "outcome"}}
        table.writerow(
            [*(cell_text(flat.get(name)) for name in COLUMNS), *(cell_text(row["fields"].get(name)) for name in names)]
        )
    return out.getvalue()


def _run_columns(run: Run | None) -> dict[str, Any]:
    if run is None:
        return dict.fromkeys(("reader", "model", "options", "run", "status", "outcome", "answer"))
    return {
        "reader": run.reader, "model": run.spec.get("model"), "options": run.spec.get("options"), "run": run.id,
        "status": run.status, "outcome": run.shown_outcome, "answer": run.answer,
    }  # fmt: skip


def _measures(store: Store, run: Run, known: KnownAnswer | None, readers: Readers) -> dict[str, Any] | None:
    if run.status != "finished":
        return None
    return measures.measures_of(open_reading(store, run.id), readers(run.reader), known=known)
