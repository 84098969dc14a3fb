"""Calls that wait for a person's reply: at most one of each reading, in the table `waiting`.

Whoever executes the reading asks and polls; whoever shows the page looks and replies. Of two replies to the same call the first
one counts, and the second is told so. A reply stays here until the next call is asked, so that it is not lost where the program
ends between the sending and the recording of it. Not here: what can be read as a reply (`human.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlite_utils import Database

from readers.engine.store.schema import writing

_SINCE = "since"


@dataclass(frozen=True)
class Waited:
    """Attempt `attempt` at call `seq` of a reading, as it waits. `call` is JSON data, with what `human.py` needs to show it."""

    run: str
    seq: int
    attempt: int
    call: Mapping[str, Any]


class Taken(NamedTuple):
    """A reply that was sent, and the milliseconds it took the person."""

    text: str
    ms: int


class Waiting:
    """Belongs to the thread of its database, like all of the store. `worker` is this process."""

    def __init__(self, db: Database, worker: str) -> None:
        self._db = db
        self._worker = worker

    def ask(self, waited: Waited) -> None:
        """Put a call before a person; the reading's status is `waiting` from now on.

        The same call (by its `identity`) asked again keeps the reply that was sent to it already.
        """
        with writing(self._db):
            old = self._row(waited.run)
            if not (old and old[:2] == (waited.seq, waited.attempt) and old[3] is not None and self._same(old[2], waited)):
                call = json.dumps({**waited.call, _SINCE: datetime.now(UTC).isoformat()}, ensure_ascii=False)
                self._db.conn.execute(
                    "INSERT OR REPLACE INTO waiting (run, seq, attempt, call, reply, ms) VALUES (?, ?, ?, ?, NULL, NULL)",
                    (waited.run, waited.seq, waited.attempt, call),
                )
            self._status(waited.run, "running", "waiting")

    def pending(self, run: str) -> Waited | None:
        """The call of a reading that waits for a reply; None for none."""
        row = self._row(run)
        return Waited(run, row[0], row[1], json.loads(row[2])) if row and row[3] is None else None

    def reply(self, run: str, seq: int, attempt: int, text: str) -> bool:
        """Reply to a call. False, and nothing changed, where somebody has replied already or the call waits no more."""
        with writing(self._db):
            row = self._row(run)
            if row is None or row[:2] != (seq, attempt) or row[3] is not None:
                return False
            since = datetime.fromisoformat(json.loads(row[2])[_SINCE])
            ms = max(0, round(1000 * (datetime.now(UTC) - since).total_seconds()))
            self._db.conn.execute("UPDATE waiting SET reply = ?, ms = ? WHERE run = ?", (text, ms, run))
        return True

    def taken(self, run: str, seq: int, attempt: int) -> Taken | None:
        """The reply to a call, once there is one."""
        row = self._row(run)
        return Taken(row[3], row[4] or 0) if row and row[:2] == (seq, attempt) and row[3] is not None else None

    def put_back(self, run: str) -> None:
        """Drop the reply to the call that waits; it waits on."""
        with writing(self._db):
            self._db.conn.execute("UPDATE waiting SET reply = NULL, ms = NULL WHERE run = ?", (run,))

    def wanted(self, run: str) -> bool:
        """Whether this process still works on a reading, and nobody asked it to stop."""
        sql = "SELECT 1 FROM runs WHERE id = ? AND cancel = 0 AND status IN ('running', 'waiting') AND worker = ?"
        return self._db.conn.execute(sql, (run, self._worker)).fetchone() is not None

    def go_on(self, run: str) -> None:
        """The reading waits no more: its status is `running` again, unless it has ended meanwhile."""
        with writing(self._db):
            self._status(run, "waiting", "running")

    def withdraw(self, run: str) -> None:
        """Take back a call that nobody has replied to; the reading waits no more."""
        with writing(self._db):
            self._db.conn.execute("DELETE FROM waiting WHERE run = ? AND reply IS NULL", (run,))
            self._status(run, "waiting", "running")

    def _status(self, run: str, before: str, after: str) -> None:
        sql = "UPDATE runs SET status = ? WHERE id = ? AND status = ? AND worker = ?"
        self._db.conn.execute(sql, (after, run, before, self._worker))

    def _row(self, run: str) -> tuple[int, int, str, str | None, int | None] | None:
        sql = "SELECT seq, attempt, call, reply, ms FROM waiting WHERE run = ?"
        found: tuple[int, int, str, str | None, int | None] | None = self._db.conn.execute(sql, (run,)).fetchone()
        return found

    @staticmethod
    def _same(stored: str, waited: Waited) -> bool:
        identity = waited.call.get("identity")
        return identity is not None and json.loads(stored).get("identity") == identity
