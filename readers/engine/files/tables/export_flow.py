"""The counts of a flow of the evidence as CSV: a line for each band, with its share and interval."""

from __future__ import annotations

from collections.abc import Iterable

from readers.engine.analysis.facts.flow import Flow
from readers.engine.report.files import csv_text
from readers.engine.statistics.intervals import wilson

HEADS = ("readers", "from", "to", "readings", "of", "share", "low", "high", "interval")
INTERVAL = "Wilson, readings taken as independent; too narrow where several are of one text"


def flow_csv(flows: Iterable[tuple[str, Flow]]) -> str:
    """A line for each band of each named flow: how many of its readings, the share, and its 95 % interval."""
    lines = []
    for name, flow in flows:
        for band, runs in flow.bands.items():
            figures = (len(runs) / flow.total, *(wilson(len(runs), flow.total) or (0.0, 0.0)))
            shares = (f"{share:.4f}" for share in figures)
            lines.append(dict(zip(HEADS, (name, *band, len(runs), flow.total, *shares, INTERVAL), strict=True)))
    return csv_text(lines, HEADS)
