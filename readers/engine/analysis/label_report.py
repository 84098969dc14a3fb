"""The agreement of a project's annotators as a report. Only labels that the viewer may see are compared (`visible_labels.py`).
Pure."""

from __future__ import annotations

from collections.abc import Sequence

from readers.engine.analysis.label_results import parents, row_title
from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.labels import agreement, agreement_tables, counts
from readers.engine.labels.counts import LabelledRun
from readers.engine.report.values import Table
from readers.engine.statistics.agreement import Coefficient


def figures(visible: VisibleLabels, about: Sequence[LabelledRun]) -> dict[str, tuple[Coefficient, ...]]:
    """Every figure of agreement, by question."""
    return agreement.figures(visible.labels, done=visible.done, phase_of=counts.phase_of(about), parents=parents(visible))


def codes_table(visible: VisibleLabels) -> Table:
    """The agreement on each code, within a step and within a reading."""
    above = parents(visible)
    steps, readings = (
        agreement.by_code(items_of(visible.labels, visible.done), above)
        for items_of in (agreement.of_steps, agreement.of_readings)
    )
    return agreement_tables.codes_table(steps, readings, row_title(visible))
