"""One run as the store knows it: read from the database as a value, added and cancelled.

A plain value, except that a run in progress is read as `interrupted` if its process has died, and one whose record is damaged as
`unreadable`, so that a list still has the others.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from readers.engine.errors import NotFound
from readers.engine.faults import UNREADABLE, damaged
from readers.engine.questions.grading import Grade, grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.no_answer_given import shown_outcome
from readers.engine.store.database.connection import Connection, now
from readers.engine.store.database.workers import is_interrupted, this_worker
from readers.engine.text.document import Span

Status = Literal["queued", "running", "waiting", "finished", "failed", "cancelled", "interrupted"]
UNREADABLE_RUN: Literal["unreadable"] = "unreadable"


@dataclass(frozen=True)
class Run:
    """One reading as the store knows it. `spec` is JSON data, `created` ISO 8601 in UTC.

    A fork has its `parent`, the number of the first call at which it may differ, and the `edit` that made it (`edits.py`). The
    samples of one experiment share an `experiment`. `name` and `note` are written by a person. `taken_in` marks a run that was
    imported from a run file, `unchecked` one that was not replayed then, because an earlier version of its reader made it.
    """

    id: str
    document: str
    reader: str
    question: str
    spec: dict[str, Any]
    status: Status | Literal["unreadable"]
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
    unchecked: bool = False
    worker: str | None = None
    cancel: bool = False
    created: str = ""
    started: str | None = None
    ended: str | None = None
    seconds: float | None = None

    def is_of_version(self, version: int) -> bool:
        """Whether this version of its reader made it. A run that does not say its version was made by none that is known."""
        return self.spec.get("version") == version

    @property
    def version_in_words(self) -> str:
        """The version of its reader that made it, for a sentence: `version 3`, or `an unknown version`."""
        return f"version {self.spec['version']}" if "version" in self.spec else "an unknown version"

    @property
    def unchecked_in_words(self) -> str:
        """What has to be said wherever a run is shown that was imported without replaying it; empty for others."""
        return f"made by {self.version_in_words}: shown as recorded, not checked by replaying" if self.unchecked else ""

    @property
    def shown_outcome(self) -> str | None:
        """The outcome as it is shown and measured: an answer that says there is none is `none_given`."""
        return shown_outcome(self.outcome, self.answer, choices=self.spec.get("choices") or ())

    @property
    def gives_answer(self) -> bool:
        """Whether there is an answer, and it does not say that there is none."""
        return self.shown_outcome == "answered"

    def graded(self, known: KnownAnswer | None) -> Grade | None:
        """How the rule grades its answer against what is known; None while it has no outcome."""
        return grade(self.outcome, self.answer, self.spec.get("choices") or (), known)


_RUN = ", ".join(Run.__dataclass_fields__)


def select_runs(connection: Connection, where: str, values: Sequence[Any], *, unreadable: bool = False) -> list[Run]:
    """Raises StoreError if the record of one is damaged, unless they are listed as `unreadable`."""
    return _as_runs(connection, connection.execute(f"SELECT {_RUN} FROM runs {where}", values), unreadable)


def runs_by_id(connection: Connection, ids: Collection[str], *, unreadable: bool = False) -> list[Run]:
    """The runs with these ids, in no order; unknown ids are ignored. Raises like `select_runs`."""
    return _as_runs(connection, connection.select_in(f"SELECT {_RUN} FROM runs WHERE id IN ({{}})", ids), unreadable)


def _as_runs(connection: Connection, rows: Iterable[tuple[Any, ...]], unreadable: bool) -> list[Run]:
    runs = [_as_run(row) for row in rows]
    if not unreadable and (broken := next((run for run in runs if run.status == UNREADABLE_RUN), None)):
        raise damaged(connection.path, f"reading {broken.id!r}: {broken.error}")
    return runs


def insert_run(connection: Connection, run: Run) -> Run:
    """Add a run under a new id, inside the caller's transaction. Raises NotFound if its document was deleted."""
    if not connection.execute("SELECT 1 FROM documents WHERE id = ?", (run.document,)).fetchone():
        raise NotFound(f"nothing was begun: its text {run.document!r} was deleted; add it again, then begin a new reading")
    run = replace(run, id=secrets.token_hex(5), created=now())
    connection.execute(
        """INSERT INTO runs (id, document, reader, question, spec, status, parent, fork_at, edit, experiment, name,
        worker, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (run.id, run.document, run.reader, run.question, json.dumps(run.spec), run.status, run.parent, run.fork_at,
         json.dumps(run.edit) if run.edit else None, run.experiment, run.name, this_worker(), run.created),
    )  # fmt: skip
    connection.own(run.id)
    return run


def cancel_run(connection: Connection, run_id: str) -> None:
    """Ask the process that works on a run to stop; a run that nobody works on is cancelled at once. Inside the caller's
    transaction. Raises NotFound."""
    connection.execute("UPDATE runs SET cancel = 1 WHERE id = ?", (run_id,))
    found = select_runs(connection, "WHERE id = ?", (run_id,))
    if not found:
        raise NotFound(f"there is no reading {run_id!r}; it may have been deleted already")
    if found[0].status in ("queued", "interrupted"):  # a worker does not begin a run that was cancelled
        sql = "UPDATE runs SET status = 'cancelled', worker = NULL, ended = ? WHERE id = ?"
        connection.execute(sql, (now(), run_id))


def _as_run(row: tuple[Any, ...]) -> Run:
    values = dict(zip(Run.__dataclass_fields__, row, strict=True))
    try:
        values |= _decoded(values)
    except UNREADABLE as error:
        values |= {"spec": {}, "edit": None, "evidence": (), "outcome": None, "answer": None, "status": UNREADABLE_RUN}
        values["error"] = f"its record is damaged: {type(error).__name__}: {error}"
    for flag in ("cancel", "taken_in", "unchecked"):
        values[flag] = bool(values[flag])
    if is_interrupted(values["status"], values["worker"]):
        values["status"] = "interrupted"
    return Run(**values)


def _decoded(values: dict[str, Any]) -> dict[str, Any]:
    spec = json.loads(values["spec"])
    if not isinstance(spec, dict):
        raise TypeError("its settings are not an object")
    evidence = tuple(Span(*span) for span in json.loads(values["evidence"] or "[]"))
    return {"spec": spec, "edit": json.loads(values["edit"]) if values["edit"] else None, "evidence": evidence}
