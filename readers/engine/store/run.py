"""One run as the store knows it: read from the database as a value; added, cancelled and deleted inside a transaction.

A plain value, except that a run in progress is read as `interrupted` if its process has died, and a run with a damaged record as
`unreadable`, so that a list still shows the others.

A run is deleted with the samples of its experiments, which mean nothing without it. Its forks stay; but a fork under way still
copies replies from it, so the run cannot be deleted before that fork has ended.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from readers.engine.errors import Busy, InProject, NotFound, StoreError
from readers.engine.faults import UNREADABLE, damaged
from readers.engine.prompts.options import up_to_date
from readers.engine.questions.grading import Grade, grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.no_answer_given import shown_outcome
from readers.engine.store.database import AT_WORK, Connection, is_interrupted, now, this_worker, under_way
from readers.engine.text.document import Span
from readers.engine.text.phrases import capitalised

Status = Literal["queued", "running", "waiting", "finished", "failed", "cancelled", "interrupted"]
UNREADABLE_RUN: Literal["unreadable"] = "unreadable"
LEAST_FREE_BYTES = 8_000_000  # inside the file, before it is worth rewriting the whole of it

_WITH_SAMPLES = """WITH RECURSIVE going(id) AS (
    SELECT id FROM runs WHERE id = ?
    UNION SELECT runs.id FROM runs JOIN going ON runs.parent = going.id WHERE runs.experiment IS NOT NULL)
    SELECT id FROM going"""
_AROUND = """SELECT id, parent, experiment IS NOT NULL, status, worker FROM runs
    WHERE id = ? OR (parent = ? AND experiment IS NULL)"""


@dataclass(frozen=True)
class Run:
    """One reading as the store knows it. `spec` is JSON data, `created` ISO 8601 in UTC.

    A fork has its `parent`, the number of the first call at which it may differ, and the `edit` that made it (`edits.py`). The
    samples of one experiment share an `experiment`. `name` and `note` are written by a person. `taken_in` marks a run that was
    imported from a run file, `unchecked` one that was not replayed then, because an earlier version of its reader made it.
    `content` is the content id of a finished run, once it was asked for (`files/runs/content.py`).
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
    content: str | None = None
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
        """The notice for a run that was imported without a replay, shown wherever it is; empty for others."""
        return f"made by {self.version_in_words}: shown as recorded, not checked by replaying" if self.unchecked else ""

    def as_recorded_in_words(self, title: str, version: int) -> str:
        """The notice, a sentence, for a run by another version of its reader than this one; empty for others."""
        if self.is_of_version(version):
            return ""
        if self.unchecked:
            return f"{capitalised(self.unchecked_in_words)}."
        now_at = f"{title}, which is now at version {version}"
        return f"Made by {self.version_in_words} of {now_at}: shown as recorded, and neither resumed nor forked."

    @property
    def shown_outcome(self) -> str | None:
        """The outcome as shown and measured: an answer that says there is none is `none_given`."""
        return shown_outcome(self.outcome, self.answer, choices=self.spec.get("choices") or ())

    @property
    def gives_answer(self) -> bool:
        """Whether there is an answer, and it does not say that there is none."""
        return self.shown_outcome == "answered"

    def graded(self, known: KnownAnswer | None) -> Grade | None:
        """How the rule grades its answer against the known answer; None while there is no outcome."""
        return grade(self.outcome, self.answer, self.spec.get("choices") or (), known)


_RUN = ", ".join(Run.__dataclass_fields__)


def select_runs(connection: Connection, where: str, values: Sequence[Any], *, unreadable: bool = False) -> list[Run]:
    """Raises StoreError if the record of a run is damaged, unless such runs are listed as `unreadable`."""
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
        raise NotFound(f"nothing was started: its text {run.document!r} was deleted; add it again, then start a new reading")
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
    """Ask the process that works on a run to stop; a run that no process works on is cancelled at once. Inside the caller's
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
    return {"spec": up_to_date(spec), "edit": json.loads(values["edit"]) if values["edit"] else None, "evidence": evidence}


# Deleting


class Deleted(NamedTuple):
    """What happened to each of several runs. `along` are samples that were deleted with their run and were not named."""

    gone: tuple[str, ...]
    busy: tuple[str, ...]
    missing: tuple[str, ...]
    along: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def with_samples(connection: Connection, run_id: str) -> list[str]:
    """A run and the samples of its experiments, and of theirs; the run first. Empty if there is no such run."""
    return sorted((one for (one,) in connection.execute(_WITH_SAMPLES, (run_id,))), key=lambda one: one != run_id)


def held_by(connection: Connection, run_id: str) -> str:
    """Why a run cannot be deleted now, in words; empty if it can."""
    for one in with_samples(connection, run_id):
        for other, parent, sample, status, worker in connection.execute(_AROUND, (one, one)).fetchall():
            if not under_way(status, worker):
                continue
            if other == run_id:
                return f"reading {run_id!r} is under way; cancel it first, and delete it when it has stopped"
            if other == one and sample:
                what = f"a sample of an experiment with reading {run_id!r}"
                return f"{what} is under way; cancel it first, and delete it when it has stopped"
            parent_is = "it" if parent == run_id else "a sample of it"
            return (
                f"reading {run_id!r} cannot be deleted yet: the fork {other!r} of {parent_is} is under way and copies replies "
                f"from {parent_is}; wait until it has ended, or cancel it first"
            )
    return ""


def delete_run(connection: Connection, run_id: str) -> list[str]:
    """Delete a run with its samples, inside the caller's transaction; returns the deleted ids, the run's first.

    Raises NotFound, Busy, and InProject if one of the runs belongs to a project; then nothing is deleted."""
    ids = with_samples(connection, run_id)
    if not ids:
        raise NotFound(f"there is no reading {run_id!r}; it may have been deleted already")
    if why := held_by(connection, run_id):
        raise Busy(why)
    refuse_kept(connection, ids)
    for one in ids:
        connection.execute("DELETE FROM runs WHERE id = ?", (one,))
        connection.disown_all(one)
    return ids


def delete_each(connection: Connection, ids: Iterable[str]) -> None:
    """Delete runs inside the caller's transaction. Raises like `delete_run`, but not for one that is gone."""
    for run_id in ids:
        with suppress(NotFound):  # a sample, deleted with its run
            delete_run(connection, run_id)


def delete_runs(connection: Connection, ids: Iterable[str]) -> Deleted:
    """Delete several runs in one transaction, each with its samples. A run that is held or belongs to a project is not deleted;
    neither are documents and forks of deleted runs."""
    named = list(dict.fromkeys(ids))
    gone: dict[str, None] = {}
    busy: list[str] = []
    missing: list[str] = []
    kept: list[str] = []
    with connection.writing():
        for run_id in named:
            if run_id in gone:  # a sample, deleted with its run
                continue
            try:
                gone.update(dict.fromkeys(delete_run(connection, run_id)))
            except Busy:
                busy.append(run_id)
            except InProject:
                kept.append(run_id)
            except NotFound:
                missing.append(run_id)
    if gone:
        shrink_file(connection)
    along = tuple(run_id for run_id in gone if run_id not in named)
    return Deleted(tuple(run_id for run_id in named if run_id in gone), tuple(busy), tuple(missing), along, tuple(kept))


def refuse_kept(connection: Connection, runs: Collection[str]) -> None:
    """Raises InProject if one of these runs belongs to a project, and names it."""
    sql = """SELECT run, projects.id, name FROM project_runs JOIN projects ON projects.id = project
        WHERE run = ? ORDER BY created LIMIT 1"""
    for run in runs:
        if row := connection.execute(sql, (run,)).fetchone():
            raise InProject(
                f"reading {row[0]!r} belongs to the project {row[2]!r}, and its labels would mean nothing without it; export and "
                "delete the project first, or keep the reading"
            )


def shrink_file(connection: Connection) -> None:
    """Shrink the database file if much of it is free and no process works: this rewrites the whole file."""
    sizes = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size"))
    pages, free, size = sizes
    if free * size < max(LEAST_FREE_BYTES, pages * size // 4):
        return
    if any(run.status in AT_WORK for run in select_runs(connection, "WHERE status IN (?, ?, ?)", AT_WORK)):
        return
    with suppress(StoreError):  # another process is writing, or there is no room for a copy: the free pages will be reused
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
