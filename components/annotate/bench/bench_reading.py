"""The reading on the bench, and what the session remembers of its label panel."""

from __future__ import annotations

from typing import Any, NamedTuple

from components.annotate import keys
from components.session import state
from readers.engine.labels.project import Project
from readers.engine.store.reading import Reading


class BenchReading(NamedTuple):
    """A reading that an annotator labels; `panel` is the key of their label panel."""

    project: Project
    annotator: str
    reading: Reading
    panel: str


def remembered(panel: str) -> dict[str, Any]:
    """What the session remembers of a label panel: its last message, the answers to it, and the corrections last drawn."""
    found: dict[str, Any] = state.remembered(state.key(keys.PANEL, panel), dict)
    return found
