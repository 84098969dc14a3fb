"""What the store hands out: runs and documents as lists show them. Plain values; `run_of` turns a database row into one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from readers.engine.store.workers import AT_WORK, is_alive
from readers.engine.text.document import Span

Status = Literal["queued", "running", "waiting", "finished", "failed", "cancelled", "interrupted"]


@dataclass(frozen=True)
class Run:
    """One reading as the store knows it. `spec` is JSON data, `created` ISO 8601 in UTC.

    A fork has its `parent`, the number of the call it begins to differ at, and the `edit` it was made by (`edits.py`); samples
    made for one figure share an `experiment`. `name` and `note` are a person's. One that was `taken_in` comes from a run file.
    """

    id: str
    document: str
    reader: str
    question: str
    spec: dict[str, Any]
    status: Status
    outcome: str | None = None
    answer: str | None = None
    evidence: tuple[Span, ...] = ()
    error: str | None = None
    parent: str | None = None
    fork_at: int | None = None
    edit: dict[str, Any] | None = None
    experiment: str | None = None
    name: str | None = None
    note: str | None = None
    taken_in: bool = False
    worker: str | None = None
    cancel: bool = False
    created: str = ""
    started: str | None = None
    ended: str | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Shelved:
    """A document as a list shows it: without its text. `tokens` as counted when it was added."""

    id: str
    title: str
    chars: int
    tokens: int
    created: str


def run_of(row: tuple[Any, ...]) -> Run:
    values = dict(zip(Run.__dataclass_fields__, row, strict=True))
    values["spec"] = json.loads(values["spec"])
    values["edit"] = json.loads(values["edit"]) if values["edit"] else None
    values["evidence"] = tuple(Span(*span) for span in json.loads(values["evidence"] or "[]"))
    values["cancel"], values["taken_in"] = bool(values["cancel"]), bool(values["taken_in"])
    if values["status"] in AT_WORK and not is_alive(values["worker"] or ""):
        values["status"] = "interrupted"
    return Run(**values)
