"""What visitors of a public demo own and use: their items, which are deleted with their visit, and counts, which outlast it.

An item's owner is recorded where the item is added (`database.py`). Readings and spending are counted by day. A counter is a name
that the caller chooses: for a visitor, an address, or all visitors together. Days are in UTC; a day is deleted after a week, so
that no visitor is remembered for long. Not here: the limits (`components/session/demos.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from readers.engine.errors import Busy, NotFound
from readers.engine.store.database import Connection, is_alive
from readers.engine.store.run import cancel_run, delete_each, delete_run, select_runs, shrink_file

DAYS_REMEMBERED = 7

_ADD = """INSERT INTO demo_usage (day, counter, readings, calls, usd) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (day, counter) DO UPDATE SET
    readings = readings + excluded.readings, calls = calls + excluded.calls, usd = usd + excluded.usd"""


_OWN_PROJECTS = "SELECT id FROM projects WHERE id IN (SELECT item FROM visits WHERE visitor = ?)"


class Visits:
    """The table of what visitors own."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def may_see(self, item: str) -> bool:
        """Whether the visitor owns a document or run, or it has no owner. Without a visitor, everything is visible."""
        return self._connection.may_see(item)

    def owned(self) -> set[str]:
        """The ids of the visitor's items."""
        return self._connection.items_of(self._connection.visitor) if self._connection.visitor else set()

    def leave(self, document_id: str) -> None:
        """Delete the visitor's runs of a document, and the document itself if it is not used otherwise. Raises InProject, and
        deletes nothing, if one of the runs belongs to a project."""
        visitor = self._connection.visitor or ""
        owned = self._connection.items_of(visitor)
        runs = [run.id for run in select_runs(self._connection, "WHERE document = ?", (document_id,)) if run.id in owned]
        with self._connection.writing():
            delete_each(self._connection, runs)
            self._leave(document_id, visitor)
        shrink_file(self._connection)

    def _leave(self, document_id: str, visitor: str) -> None:
        self._connection.disown(document_id, visitor)
        self._connection.execute("DELETE FROM planted WHERE document = ? AND visitor = ?", (document_id, visitor))
        used = self._connection.execute("SELECT 1 FROM runs WHERE document = ? LIMIT 1", (document_id,)).fetchone()
        if not used and not self._connection.is_owned(document_id):
            self._connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))

    def end(self, visitor: str) -> bool:
        """Delete a visitor's items; returns whether all are gone. Runs under way are asked to stop, and stay until they have.

        A document that another visitor also added, or that the host's runs use, stays for them. The visitor's projects are
        deleted with their labels: no one else could see them, and a visit that has ended cannot be resumed.
        """
        connection = self._connection
        self._delete_question_sets(visitor)  # first, so that no batch begins another run
        self._delete_projects(visitor)
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
                self._leave(item, visitor)
        with connection.writing():  # also in the host's texts
            connection.execute("DELETE FROM planted WHERE visitor = ?", (visitor,))
        shrink_file(connection)
        return True

    def _delete_question_sets(self, visitor: str) -> None:
        """Delete the batches and question sets of a visitor. A set that another visitor also added stays theirs."""
        connection = self._connection
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

    def _delete_projects(self, visitor: str) -> None:
        """Delete the projects of a visitor, and remove their runs from other projects, so that the runs can be deleted."""
        connection = self._connection
        with connection.writing():
            for (project,) in connection.execute(_OWN_PROJECTS, (visitor,)).fetchall():
                connection.execute("DELETE FROM projects WHERE id = ?", (project,))
                connection.disown_all(project)
            sql = "DELETE FROM project_runs WHERE run IN (SELECT item FROM visits WHERE visitor = ?)"
            connection.execute(sql, (visitor,))

    def sweep(self) -> None:
        """End the visits of processes that have died."""
        for visitor, worker in dict(self._connection.execute("SELECT DISTINCT visitor, worker FROM visits")).items():
            if not is_alive(worker):
                self.end(visitor)


class Usage(NamedTuple):
    """Readings that were started, paid model calls, and their cost in US dollars."""

    readings: int = 0
    calls: int = 0
    usd: float = 0.0


class DemoUsage:
    """The table of usage."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def today(self, counter: str) -> Usage:
        return self._sum("counter = ? AND day = ?", counter, _today().isoformat())

    def in_all(self, counter: str) -> Usage:
        """On all days that are remembered."""
        return self._sum("counter = ?", counter)

    def _sum(self, where: str, *values: str) -> Usage:
        sql = f"SELECT coalesce(sum(readings), 0), coalesce(sum(calls), 0), coalesce(sum(usd), 0.0) FROM demo_usage WHERE {where}"
        return Usage(*self._connection.execute(sql, values).fetchone())

    def add(self, counters: Iterable[str], used: Usage, *, check: Callable[[], None] = lambda: None) -> None:
        """Add to each counter of today. `check` is called inside the same transaction; if it raises, nothing is added, so that
        two at once cannot both take the last place."""
        with self._connection.writing():
            check()
            oldest = (_today() - timedelta(days=DAYS_REMEMBERED)).isoformat()
            self._connection.execute("DELETE FROM demo_usage WHERE day < ?", (oldest,))
            self._connection.execute_many(_ADD, [(_today().isoformat(), counter, *used) for counter in counters])


def _today() -> date:
    return datetime.now(UTC).date()
