"""What became of a planted fact at every depth, size and setting, as CSV or JSON: a line for each reading."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from readers.engine.analysis.facts.flow import PlantedCell
from readers.engine.report.files import csv_text


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
    return csv_text(planted_rows(cells, names))


def planted_json(cells: Sequence[PlantedCell], names: Sequence[str]) -> str:
    """The rows as JSON."""
    return json.dumps(planted_rows(cells, names), ensure_ascii=False, indent=1) + "\n"
