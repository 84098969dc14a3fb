"""Figures and counts as tables for programs and spreadsheets: batches, flows of the evidence, planted facts, and the votes of
classes. Export only.

A batch has one row per reading, with its question, the known answer, the verdict by rule, and its measures. The caller leaves out
what the viewer may not see: rows are made from the results passed in. Not here: how answers are graded (`questions/grading/`),
what the measures mean (`analysis/measures.py`), and how a table is written (`report/files.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from readers.engine.analysis import measures
from readers.engine.analysis.facts.flow import Flow, PlantedCell
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.report.files import FIELD, csv_text
from readers.engine.run.batches import CellResult, Readers
from readers.engine.statistics.intervals import wilson
from readers.engine.store import Run, Store, open_reading
from readers.engine.store.batches import Batch
from readers.engine.teaching.classes import ClassSession
from readers.engine.teaching.tally import Result

COLUMNS = (
    "batch", "key", "question", "document", "title", "choices", "known", "all_required", "answerable",
    "variant", "sample", "reader", "model", "options", "run", "status", "outcome", "answer", "verdict", "certainty", "reason",
    "f1", "error",
    *(name for name in measures.NAMES if name != "outcome"),
)  # fmt: skip


def batch_rows(store: Store, batch: Batch, results: Sequence[CellResult], *, readers: Readers) -> Iterator[dict[str, Any]]:
    """One row per cell of a batch, in order; opens the readings one by one. `measures` is None if no reading has ended."""
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


def batch_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows of a batch as CSV. Each measure and each field has its own column."""
    fields = sorted({name for row in rows for name in row["fields"]})
    flat = [
        {
            **row,
            **{name: value for name, value in (row["measures"] or {}).items() if name != "outcome"},
            **{f"{FIELD}{name}": value for name, value in row["fields"].items()},
        }
        for row in rows
    ]
    return csv_text(flat, [*COLUMNS, *(f"{FIELD}{name}" for name in fields)])


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


FLOW_HEADS = ("readers", "from", "to", "readings", "of", "share", "low", "high", "interval")
INTERVAL = "Wilson, readings taken as independent; too narrow where several are of one text"


def flow_csv(flows: Iterable[tuple[str, Flow]]) -> str:
    """A line for each band of each named flow: how many of its readings, the share, and its 95 % interval."""
    lines = []
    for name, flow in flows:
        for band, runs in flow.bands.items():
            figures = (len(runs) / flow.total, *(wilson(len(runs), flow.total) or (0.0, 0.0)))
            shares = (f"{share:.4f}" for share in figures)
            lines.append(dict(zip(FLOW_HEADS, (name, *band, len(runs), flow.total, *shares, INTERVAL), strict=True)))
    return csv_text(lines, FLOW_HEADS)


def planted_rows(cells: Sequence[PlantedCell], names: Sequence[str]) -> list[dict[str, Any]]:
    """A row for each reading; `names` are those of the settings. Steps count from 1; `text` is the id of the changed text."""
    return [
        {
            "setting": names[cell.variant],
            "tokens": cell.tokens,
            "depth": cell.depth,
            "sample": cell.result.cell.sample + 1,
            "seed": next((one.value for one in cell.result.question.fields if one.name == "seed"), ""),
            "found": cell.found,
            "lost_at": cell.lost_at,
            "step": cell.fate.step + 1 if cell.fate else "",
            "evidence": cell.fate.sufficiency.standing if cell.fate and cell.fate.sufficiency else "",
            "grade": cell.result.grade.outcome if cell.result.grade else "",
            "answer": (cell.result.run.answer or "") if cell.result.run else "",
            "expected": " / ".join(cell.result.question.answers),
            "reading": cell.run or "",
            "text": cell.result.question.document,
        }
        for cell in cells
    ]


def planted_csv(cells: Sequence[PlantedCell], names: Sequence[str]) -> str:
    """The rows as CSV."""
    return csv_text(planted_rows(cells, names))


def planted_json(cells: Sequence[PlantedCell], names: Sequence[str]) -> str:
    """The rows as JSON."""
    return json.dumps(planted_rows(cells, names), ensure_ascii=False, indent=1) + "\n"


def class_csv(classes: Iterable[tuple[ClassSession, Sequence[Result]]]) -> str:
    """What classes voted: a row for each class, question, round and option. Without people: only counts of closed rounds.

    `step` counts from 1, `text` is the option's own text, whole. `chosen` and `known` say whether the model chose an option and
    whether it is made from the place of the known answer, empty if that is unknown; `moved` how many of those who voted in both
    rounds (`of`) changed their vote."""
    return csv_text(
        (row for session, results in classes for found in results for row in _class_rows(session, found)), line_end="\r\n"
    )


def _class_rows(session: ClassSession, found: Result) -> Iterator[dict[str, object]]:
    question = found.question
    for number, counts in enumerate(found.rounds, 1):
        for option, votes in enumerate(counts):
            known = "" if question.known is None else int(option in question.known)
            moved = found.moved if number > 1 else None
            yield {
                "class": session.code,
                "began": session.created,
                "reading": session.run,
                "question": session.title,
                "step": question.step + 1,
                "asked": question.words,
                "round": number,
                "option": question.options[option].mark,
                "name": question.options[option].name,
                "text": question.options[option].text,
                "votes": votes,
                "voters": found.voters(number),
                "chosen": int(option in question.chosen),
                "known": known,
                "moved": moved.moved if moved else "",
                "of": moved.both if moved else "",
            }
