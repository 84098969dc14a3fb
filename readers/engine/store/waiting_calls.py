"""Calls that wait for a person's reply: at most one for each run, in the table `waiting`.

The process that executes the run asks and polls; the page shows the call and replies. Of two replies to one call, the first
counts, and the second sender learns that it was too late. A reply stays here until the next call is asked, so that it is not lost
if the program ends between sending and recording it. Until a reply is sent, a draft of it is saved with the call. Not here: which
replies can be parsed (`run/human_model.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from readers.engine.store.database import Connection, now

_SINCE, _DRAFT = "since", "draft"
# A process that no longer works on a run, because another one has resumed it, changes nothing of what that one asks.
_OURS = "EXISTS (SELECT 1 FROM runs WHERE runs.id = ? AND (worker IS NULL OR worker = ?))"


@dataclass(frozen=True)
class WaitingCall:
    """Attempt `attempt` at call `seq` of a run, waiting for a reply. `call` is JSON data that `run/human_model.py` can show."""

    run: str
    seq: int
    attempt: int
    call: Mapping[str, Any]


class WaitingCalls:
    """The table of waiting calls. `worker` is this process."""

    def __init__(self, connection: Connection, worker: str) -> None:
        self._connection = connection
        self._worker = worker

    def ask(self, waited: WaitingCall) -> None:
        """Ask a person; the status of the run becomes `waiting`.

        The same call (by its `identity`), asked again, keeps the reply that was already sent, or else its draft.
        """
        with self._connection.writing():
            old = self._row(waited.run)
            again = old if old and old[:2] == (waited.seq, waited.attempt) and self._same(old[2], waited) else None
            if again is None or again[3] is None:
                draft = {_DRAFT: found} if again and (found := json.loads(again[2]).get(_DRAFT)) else {}
                call = json.dumps({**waited.call, **draft, _SINCE: now("microseconds")}, ensure_ascii=False)
                sql = f"INSERT OR REPLACE INTO waiting (run, seq, attempt, call) SELECT ?, ?, ?, ? WHERE {_OURS}"
                self._connection.execute(sql, (waited.run, waited.seq, waited.attempt, call, waited.run, self._worker))
            self._status(waited.run, "running", "waiting")

    def pending(self, run: str) -> WaitingCall | None:
        """The call of a run that waits for a reply, if there is one."""
        row = self._row(run)
        if row is None or row[3] is not None:
            return None
        call = {name: value for name, value in json.loads(row[2]).items() if name != _DRAFT}
        return WaitingCall(run, row[0], row[1], call)

    def save_draft(self, waited: WaitingCall, draft: Mapping[str, Any]) -> None:
        """Save what has been filled in for a reply so far, as JSON data; nothing happens if the call no longer waits."""
        sql = "UPDATE waiting SET call = json_set(call, ?, json(?)) WHERE run = ? AND seq = ? AND attempt = ? AND reply IS NULL"
        with self._connection.writing():
            self._connection.execute(sql, (f"$.{_DRAFT}", json.dumps(draft), waited.run, waited.seq, waited.attempt))

    def draft(self, waited: WaitingCall) -> dict[str, Any]:
        """The saved draft of a reply to this call; empty if there is none."""
        row = self._row(waited.run)
        if row is None or row[:2] != (waited.seq, waited.attempt) or row[3] is not None:
            return {}
        found: dict[str, Any] = json.loads(row[2]).get(_DRAFT) or {}
        return found

    def reply(self, run: str, seq: int, attempt: int, text: str) -> bool:
        """Reply to a call; its draft is dropped. False, and nothing changes, if there is a reply already or the call no longer
        waits."""
        with self._connection.writing():
            row = self._row(run)
            if row is None or row[:2] != (seq, attempt) or row[3] is not None:
                return False
            since = datetime.fromisoformat(json.loads(row[2])[_SINCE])
            ms = max(0, round(1000 * (datetime.now(UTC) - since).total_seconds()))
            sql = "UPDATE waiting SET reply = ?, ms = ?, call = json_remove(call, ?) WHERE run = ?"
            self._connection.execute(sql, (text, ms, f"$.{_DRAFT}", run))
        return True

    def find_reply(self, run: str, seq: int, attempt: int) -> tuple[str, int] | None:
        """The reply to a call, once it was sent, and the milliseconds that the person took."""
        row = self._row(run)
        return (row[3], row[4] or 0) if row and row[:2] == (seq, attempt) and row[3] is not None else None

    def discard_reply(self, run: str) -> None:
        """Drop the reply to the waiting call, which keeps waiting."""
        with self._connection.writing():
            sql = f"UPDATE waiting SET reply = NULL, ms = NULL WHERE run = ? AND {_OURS}"
            self._connection.execute(sql, (run, run, self._worker))

    def is_working(self, run: str) -> bool:
        """Whether this process still works on a run. It does until it has settled the run, even after it was asked to stop."""
        sql = "SELECT 1 FROM runs WHERE id = ? AND status IN ('running', 'waiting') AND worker = ?"
        return self._connection.execute(sql, (run, self._worker)).fetchone() is not None

    def end_wait(self, run: str) -> None:
        """End the waiting: the status of the run becomes `running` again, unless the run has ended meanwhile."""
        with self._connection.writing():
            self._status(run, "waiting", "running")

    def withdraw(self, run: str) -> None:
        """Withdraw a call without a reply, and end the waiting."""
        with self._connection.writing():
            sql = f"DELETE FROM waiting WHERE run = ? AND reply IS NULL AND {_OURS}"
            self._connection.execute(sql, (run, run, self._worker))
            self._status(run, "waiting", "running")

    def _status(self, run: str, before: str, after: str) -> None:
        sql = "UPDATE runs SET status = ? WHERE id = ? AND status = ? AND worker = ?"
        self._connection.execute(sql, (after, run, before, self._worker))

    def _row(self, run: str) -> tuple[int, int, str, str | None, int | None] | None:
        sql = "SELECT seq, attempt, call, reply, ms FROM waiting WHERE run = ?"
        found: tuple[int, int, str, str | None, int | None] | None = self._connection.execute(sql, (run,)).fetchone()
        return found

    @staticmethod
    def _same(stored: str, waited: WaitingCall) -> bool:
        identity = waited.call.get("identity")
        return identity is not None and json.loads(stored).get("identity") == identity
