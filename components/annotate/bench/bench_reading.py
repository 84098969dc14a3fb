"""The reading on the bench, and what the session remembers of its label panel and of the bench."""

from __future__ import annotations

from typing import Any, NamedTuple

from components.annotate import keys
from components.session import state
from readers.engine.labels.project import Project
from readers.engine.store import Reading


class BenchReading(NamedTuple):
    """A reading that an annotator labels; `panel` is the key of their label panel."""

    project: Project
    annotator: str
    reading: Reading
    panel: str


def kept(project: str, annotator: str) -> dict[str, Any]:
    """What stays from reading to reading at an annotator's bench: whether the hints and the known answer are shown."""
    found: dict[str, Any] = state.remembered(state.key(keys.KEPT, project, state.short_hash(annotator)), dict)
    return found


def remembered(panel: str) -> dict[str, Any]:
    """What the session remembers of a label panel: its last message, the answers to it, and the corrections last drawn."""
    found: dict[str, Any] = state.remembered(state.key(keys.PANEL, panel), dict)
    return found
