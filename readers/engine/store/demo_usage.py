"""What visitors of a public demo began and spent, counted by day: it outlasts what they delete, and their visits.

A counter is a name that the caller chooses: for a visitor, an address, or all of them together. Days are in UTC, and so that
nobody is remembered for long, a day is forgotten after a week. Not here: the limits (`components/session/demo/demo_limits.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from readers.engine.store.database.connection import Connection

DAYS_REMEMBERED = 7

_ADD = """INSERT INTO demo_usage (day, counter, readings, calls, usd) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (day, counter) DO UPDATE SET
    readings = readings + excluded.readings, calls = calls + excluded.calls, usd = usd + excluded.usd"""


class Usage(NamedTuple):
    """Readings that were begun, calls to models that cost something, and what these cost in US dollars."""

    readings: int = 0
    calls: int = 0
    usd: float = 0.0


class DemoUsage:
    """The table of what was used."""

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
        two at once cannot both take what is left for one."""
        with self._connection.writing():
            check()
            oldest = (_today() - timedelta(days=DAYS_REMEMBERED)).isoformat()
            self._connection.execute("DELETE FROM demo_usage WHERE day < ?", (oldest,))
            self._connection.execute_many(_ADD, [(_today().isoformat(), counter, *used) for counter in counters])


def _today() -> date:
    return datetime.now(UTC).date()
