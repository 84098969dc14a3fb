"""The prompt sets a visitor uploaded in this session, by reader and file name. They are stored nowhere else."""

from __future__ import annotations

from collections.abc import Mapping

from components.read import keys
from components.session.page import state

MOST_FILES = 8


def of_reader(reader_id: str) -> dict[str, Mapping[str, str]]:
    """The uploaded prompt sets of a reader, by file name."""
    every: dict[str, dict[str, Mapping[str, str]]] = state.remembered(keys.UPLOADED_PROMPTS, dict)
    return every.setdefault(reader_id, {})


def add(reader_id: str, name: str, templates: Mapping[str, str]) -> None:
    """Add one. Of more than `MOST_FILES` the one uploaded first goes."""
    kept = of_reader(reader_id)
    kept.pop(name, None)
    kept[name] = templates
    while len(kept) > MOST_FILES:
        kept.pop(next(iter(kept)))
