"""Notes, pauses and predictions at the steps of readings (`teaching/stops.py`). They are deleted with their reading."""

from __future__ import annotations

from collections.abc import Sequence

from readers.engine.errors import NotFound
from readers.engine.store.database.connection import Connection
from readers.engine.teaching.stops import Stop


def insert_stops(connection: Connection, run_id: str, stops: Sequence[Stop]) -> None:
    """Add stops of a reading that has none, inside the caller's transaction."""
    rows = [(run_id, one.at, one.note, one.pauses, one.predicts) for one in stops]
    connection.execute_many("INSERT INTO stops (run, at, note, pauses, predicts) VALUES (?, ?, ?, ?, ?)", rows)


class Stops:
    """The table of stops. What it is given was checked (`teaching/stops.py`)."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of(self, run_id: str) -> tuple[Stop, ...]:
        """The stops of a reading, in the order of its steps."""
        sql = "SELECT at, note, pauses, predicts FROM stops WHERE run = ? ORDER BY at"
        rows = self._connection.execute(sql, (run_id,))
        return tuple(Stop(int(at), str(note), bool(pauses), bool(predicts)) for at, note, pauses, predicts in rows)

    def put(self, run_id: str, stop: Stop) -> None:
        """Write the stop at its step in place of the one there; an empty one removes it. Raises NotFound."""
        with self._connection.writing():
            self._refuse_missing(run_id)
            self._connection.execute("DELETE FROM stops WHERE run = ? AND at = ?", (run_id, stop.at))
            if not stop.is_empty:
                insert_stops(self._connection, run_id, [stop])

    def replace(self, run_id: str, stops: Sequence[Stop]) -> None:
        """Write these in place of all stops of a reading. Raises NotFound."""
        with self._connection.writing():
            self._refuse_missing(run_id)
            self._connection.execute("DELETE FROM stops WHERE run = ?", (run_id,))
            insert_stops(self._connection, run_id, stops)

    def _refuse_missing(self, run_id: str) -> None:
        if self._connection.execute("SELECT 1 FROM runs WHERE id = ?", (run_id,)).fetchone() is None:
            raise NotFound(f"there is no reading {run_id!r}; it may have been deleted")
