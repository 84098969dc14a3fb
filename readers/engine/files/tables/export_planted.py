"""What became of a planted fact at every depth, size and setting, as CSV or JSON: a line for each reading."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from readers.engine.analysis.facts.many.planted import PlantedCell
from readers.engine.report.cells import escaped_cell

HEADS = (
    "setting", "tokens", "depth", "sample", "seed", "found", "lost_at", "step", "grade", "answer", "expected", "reading", "text",
)  # fmt: skip


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
    out = io.StringIO()
    lines = csv.DictWriter(out, HEADS, lineterminator="\n")
    lines.writeheader()
    for row in planted_rows(cells, names):
        lines.writerow({name: escaped_cell(value) if isinstance(value, str) else value for name, value in row.items()})
    return out.getvalue()


def planted_json(cells: Sequence[PlantedCell], names: Sequence[str]) -> str:
    """The rows as JSON."""
    return json.dumps(planted_rows(cells, names), ensure_ascii=False, indent=1) + "\n"
