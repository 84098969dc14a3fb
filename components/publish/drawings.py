"""Drawings on the pages of a site: the method of a reader, and where in its text a reading looked. Pure."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from readers import get
from readers.engine.analysis import coverage
from readers.engine.analysis.coverage import NOT_COVERED, RAW
from readers.engine.record.trace import Trace

_METHODS = Path(__file__).parents[2] / "assets" / "methods"
_WIDE, _HIGH = 1000, 24
TOLD = "Where in the text it looked: dark where the model saw the text itself, light where it saw a summary"


def method(reader_id: str) -> Markup:
    """The drawing of a reader's method, as SVG of our own; empty if there is none."""
    path = _METHODS / f"{get(reader_id).id}.svg"
    return Markup(path.read_text(encoding="utf-8") if path.exists() else "")


def seen(trace: Trace) -> list[tuple[bool, int, int]]:
    """The parts of the text that stood before the model for the answer, in order: whether the text itself did, or else a summary,
    gist or memory, and from where to where. Neighbours that were seen alike are one."""
    found: list[tuple[bool, int, int]] = []
    for start, end, changes in coverage.cells(trace):
        state = changes[-1][1] if changes else NOT_COVERED
        if state == NOT_COVERED:
            continue
        if found and found[-1][0] == (state == RAW) and found[-1][2] == start:
            start = found.pop()[1]
        found.append((state == RAW, start, end))
    return found


def looked(trace: Trace) -> Markup:
    """A strip of the text with what was seen of it: solid where that was the text itself, light where it was a summary."""
    length = max(1, len(trace.document.text))
    cells = "".join(
        f'<rect class="{"gallery-raw" if raw else "gallery-stood-for"}" x="{_WIDE * start / length:.1f}" y="1" '
        f'width="{max(1.5, _WIDE * (end - start) / length):.1f}" height="{_HIGH - 2}"/>'
        for raw, start, end in seen(trace)
    )
    return Markup(
        f'<svg class="gallery-map" viewBox="0 0 {_WIDE} {_HIGH}" preserveAspectRatio="none" role="img" aria-label="{TOLD}">'
        f"{cells}</svg>"
    )
