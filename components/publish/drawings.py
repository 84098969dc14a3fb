"""Drawings on the pages of a site: the method of a reader, and where in its text a reading looked. Pure."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from readers import get
from readers.engine.analysis import coverage
from readers.engine.analysis.coverage import RAW
from readers.engine.record.trace import Trace

_METHODS = Path(__file__).parents[2] / "assets" / "methods"
_WIDE, _HIGH = 1000, 24
TOLD = "Where in the text it looked: dark where the model saw the text itself, light where it saw a summary"


def method(reader_id: str) -> Markup:
    """The drawing of a reader's method, as SVG of our own; empty if there is none."""
    path = _METHODS / f"{get(reader_id).id}.svg"
    return Markup(path.read_text(encoding="utf-8") if path.exists() else "")


def looked(trace: Trace) -> Markup:
    """A strip of the text: solid where the model saw the text itself, light where it saw a summary, gist or memory. Neighbouring
    parts that were seen alike are one."""
    length = max(1, len(trace.document.text))
    runs: list[tuple[bool, int, int]] = []
    for start, end, changes in coverage.cells(trace):
        if not changes:
            continue
        raw = changes[-1][1] == RAW
        if runs and runs[-1][0] == raw and runs[-1][2] == start:
            runs[-1] = (raw, runs[-1][1], end)
        else:
            runs.append((raw, start, end))
    cells = "".join(
        f'<rect class="{"gallery-raw" if raw else "gallery-stood-for"}" x="{_WIDE * start / length:.1f}" y="1" '
        f'width="{max(1.5, _WIDE * (end - start) / length):.1f}" height="{_HIGH - 2}"/>'
        for raw, start, end in runs
    )
    return Markup(
        f'<svg class="gallery-map" viewBox="0 0 {_WIDE} {_HIGH}" preserveAspectRatio="none" role="img" aria-label="{TOLD}">'
        f"{cells}</svg>"
    )
