"""Deleting runs and documents, what is deleted with them, and what prevents it. Also: cleaning up after a demo visitor.

A run is deleted with the samples of its experiments, which mean nothing without it. Its forks stay; but a fork under way still
copies replies from it, so the run cannot be deleted before that fork has ended.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from readers.engine.errors import Busy, InProject, NotFound, StoreError
from readers.engine.store.database.connection import Connection
from readers.engine.store.database.workers import AT_WORK, is_alive, under_way
from readers.engine.store.labels.projects import refuse_kept
from readers.engine.store.runs.run import cancel_run, select_runs

LEAST_FREE_BYTES = 8_000_000  # inside the file, before it is worth rewriting the whole of it

_WITH_SAMPLES = """WITH RECURSIVE going(id) AS (
    SELECT id FROM runs WHERE id = ?
    UNION SELECT runs.id FROM runs JOIN going ON runs.parent = going.id WHERE runs.experiment IS NOT NULL)
    SELECT id FROM going"""
_AROUND = """SELECT id, parent, experiment IS NOT NULL, status, worker FROM runs
    WHERE id = ? OR (parent = ? AND experiment IS NULL)"""

_OWN_PROJECTS = "SELECT id FROM projects WHERE id IN (SELECT item FROM visits WHERE visitor = ?)"


class Deleted(NamedTuple):
    """What happened to each of several runs. `along` are samples that were deleted with their run and were not named."""

    gone: tuple[str, ...]
    busy: tuple[str, ...]
    missing: tuple[str, ...]
    along: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


# Runs


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
    """Delete a run with its samples, inside the caller's transaction; the ids of what was deleted, the run's first.

    Raises NotFound, Busy, and InProject if one of them belongs to a project; then nothing is deleted."""
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


def delete_runs(connection: Connection, ids: Iterable[str]) -> Deleted:
    """Delete several runs in one transaction, each with its samples. A run that is held or belongs to a project stays whole;
    documents stay, and so do forks of what is deleted."""
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


# Documents


def delete_document(connection: Connection, document_id: str) -> None:
    """Delete a document with its runs. Raises NotFound, Busy while one of them is under way, and InProject if one belongs to a
    project; then nothing is deleted."""
    with connection.writing():
        runs = [run_id for (run_id,) in connection.execute("SELECT id FROM runs WHERE document = ?", (document_id,))]
        _delete_each(connection, runs)
        if not connection.execute("DELETE FROM documents WHERE id = ?", (document_id,)).rowcount:
            raise NotFound(f"there is no document {document_id!r}; it may have been deleted already")
        connection.disown_all(document_id)
    shrink_file(connection)


def _delete_each(connection: Connection, ids: Iterable[str]) -> None:
    for run_id in ids:
        with suppress(NotFound):  # a sample, deleted with its run
            delete_run(connection, run_id)


# Visitors of a public demo


def leave(connection: Connection, document_id: str) -> None:
    """Delete the visitor's runs of a document, and the document itself if nobody else uses it. Raises InProject, and deletes
    nothing, if one of them belongs to a project."""
    visitor = connection.visitor or ""
    owned = connection.items_of(visitor)
    runs = [run.id for run in select_runs(connection, "WHERE document = ?", (document_id,)) if run.id in owned]
    with connection.writing():
        _delete_each(connection, runs)
        _leave(connection, document_id, visitor)
    shrink_file(connection)


def _leave(connection: Connection, document_id: str, visitor: str) -> None:
    connection.disown(document_id, visitor)
    connection.execute("DELETE FROM planted WHERE document = ? AND visitor = ?", (document_id, visitor))
    used = connection.execute("SELECT 1 FROM runs WHERE document = ? LIMIT 1", (document_id,)).fetchone()
    if not used and not connection.is_owned(document_id):
        connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))


def end_visit(connection: Connection, visitor: str) -> bool:
    """Delete what a visitor made; whether all of it is gone. Runs under way are asked to stop, and stay until they have.

    A document that another visitor added too, or that the host's runs use, stays for them. The visitor's projects are deleted
    with their labels: nobody else could see them, and nobody comes back to a visit that has ended.
    """
    _delete_question_sets(connection, visitor)  # first, so that no batch begins another run
    _delete_projects(connection, visitor)
    runs = select_runs(connection, "WHERE id IN (SELECT item FROM visits WHERE visitor = ?)", (visitor,))
    busy = [run.id for run in runs]
    for run in runs:
        with suppress(NotFound), connection.writing():  # a sample, deleted with its run
            cancel_run(connection, run.id)
        with suppress(Busy):
            with suppress(NotFound), connection.writing():
                delete_run(connection, run.id)
            busy.remove(run.id)
    if busy:
        return False
    for item in connection.items_of(visitor):
        with connection.writing():
            _leave(connection, item, visitor)
    with connection.writing():  # in the host's texts, too
        connection.execute("DELETE FROM planted WHERE visitor = ?", (visitor,))
    shrink_file(connection)
    return True


def _delete_question_sets(connection: Connection, visitor: str) -> None:
    """Delete the batches and question sets of a visitor. A set that another visitor added too stays theirs."""
    owned = connection.items_of(visitor)
    with connection.writing():
        for (batch,) in connection.execute("SELECT id FROM batches").fetchall() if owned else []:
            if batch in owned:
                connection.execute("DELETE FROM batches WHERE id = ?", (batch,))
                connection.disown_all(batch)
        for (made,) in connection.execute("SELECT id FROM question_sets").fetchall() if owned else []:
            if made in owned:
                connection.disown(made, visitor)
                if not connection.is_owned(made):
                    connection.execute("DELETE FROM question_sets WHERE id = ?", (made,))


def _delete_projects(connection: Connection, visitor: str) -> None:
    """Delete the projects of a visitor, and take their runs out of any other, so that these can be deleted."""
    with connection.writing():
        for (project,) in connection.execute(_OWN_PROJECTS, (visitor,)).fetchall():
            connection.execute("DELETE FROM projects WHERE id = ?", (project,))
            connection.disown_all(project)
        sql = "DELETE FROM project_runs WHERE run IN (SELECT item FROM visits WHERE visitor = ?)"
        connection.execute(sql, (visitor,))


def sweep_visits(connection: Connection) -> None:
    """End the visits of processes that have died."""
    for visitor, worker in dict(connection.execute("SELECT DISTINCT visitor, worker FROM visits")).items():
        if not is_alive(worker):
            end_visit(connection, visitor)


# The file


def shrink_file(connection: Connection) -> None:
    """Shrink the database file if much of it is free and nobody works: this rewrites the whole of it."""
    sizes = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size"))
    pages, free, size = sizes
    if free * size < max(LEAST_FREE_BYTES, pages * size // 4):
        return
    if any(run.status in AT_WORK for run in select_runs(connection, "WHERE status IN (?, ?, ?)", AT_WORK)):
        return
    with suppress(StoreError):  # another process is writing, or there is no room for a copy: the free pages will be reused
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
