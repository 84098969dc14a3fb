"""The counts of a flow of the evidence as CSV: a line for each band, with its share and interval."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from readers.engine.analysis.facts.many.flow import Flow
from readers.engine.report.cells import escaped_cell
from readers.engine.statistics.intervals import wilson

HEADS = ("readers", "from", "to", "readings", "of", "share", "low", "high", "interval")
INTERVAL = "Wilson, readings taken as independent; too narrow where several are of one text"


def flow_csv(flows: Iterable[tuple[str, Flow]]) -> str:
    """A line for each band of each named flow: how many of its readings, the share, and its 95 % interval."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(HEADS)
    for name, flow in flows:
        for band, runs in flow.bands.items():
            low, high = wilson(len(runs), flow.total) or (0.0, 0.0)
            figures = [f"{share:.4f}" for share in (len(runs) / flow.total, low, high)]
            lines.writerow([escaped_cell(name), band.source, band.target, len(runs), flow.total, *figures, INTERVAL])
    return out.getvalue()
