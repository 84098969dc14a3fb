"""What every table of the store works on: the open database, the visitor it was opened for, and the processes that work in it.

In a public demo, visitors share one database and must not see each other's items (documents, runs, projects, question sets,
batches). A visitor owns what they add; an item without an owner belongs to the host, and everybody sees it, unless it is a
project: projects are only for their owners. An owner is recorded with the process that serves them, so that a dead process shows
which visits are over, and with their name for the item: two visitors who add the same text share its document, and must not learn
of each other. Not here: when a visit ends, and who the visitor is (`components/session/demos.py`).

A process is named by its id and by when it started, because ids are reused. When it started must not follow the clock, which may
be set while it works. Linux counts it in ticks since the machine was booted, which the id of the boot makes unique. On macOS and
Windows it is the start time that the system recorded, with which psutil distinguishes processes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from copy import copy
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from sqlite3 import Cursor
from typing import Any

import psutil

from readers.engine.faults import decoding
from readers.engine.store.migrations import open_database, writing

MOST_IDS = 500  # in one statement
CLOCK_DRIFT = 2.0  # seconds; for processes that an earlier version named by the clock
AT_WORK = ("queued", "running", "waiting")

_PROC = Path("/proc")
_STARTED = 19  # the place of the start in `/proc/PID/stat`, after the name of the program

_SEEN = """(NOT EXISTS (SELECT 1 FROM visits WHERE item = {table}.id)
    OR EXISTS (SELECT 1 FROM visits WHERE item = {table}.id AND visitor = ?))"""
_OWNED = "EXISTS (SELECT 1 FROM visits WHERE item = {table}.id AND visitor = ?)"
# Anyone who opens a project can label in it, under any name, even the lead's, because names are not verified: so visitors cannot
# open the host's projects.
_FOR_OWNERS_ALONE = ("projects",)
# The join of a table with the visitor's names for its items; it takes the visitor before the values of WHERE.
OWN_TITLES = "LEFT JOIN visits AS mine ON mine.item = {table}.id AND mine.visitor = ?"
# The owner's title for a run's document, joined to the tables `runs` and `documents`.
TITLE_OF_RUN = """coalesce((SELECT mine.title FROM visits AS theirs JOIN visits AS mine
    ON mine.visitor = theirs.visitor AND mine.item = runs.document WHERE theirs.item = runs.id LIMIT 1), documents.title)"""
_MAY_SEE = """SELECT NOT EXISTS (SELECT 1 FROM visits WHERE item = :item)
    OR EXISTS (SELECT 1 FROM visits WHERE item = :item AND visitor = :visitor)"""


class Connection:
    """Belongs to the thread that opened it. Without a visitor, everything is visible and added items belong to the host."""

    def __init__(self, path: Path, *, visitor: str | None = None) -> None:
        self.path = path
        self.db = open_database(path)
        self.visitor = visitor

    def seen_by(self, visitor: str | None) -> Connection:
        """The same open database as seen by another visitor, or without a visitor."""
        other = copy(self)
        other.visitor = visitor
        return other

    def execute(self, sql: str, values: Any = ()) -> Cursor:
        return self.db.execute(sql, values)

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        self.db.executemany(sql, rows)

    def select_in(self, sql: str, ids: Collection[str]) -> list[Any]:
        """The rows of a statement that holds `IN ({})` for any number of ids."""
        every = list(ids)
        portions = (every[start : start + MOST_IDS] for start in range(0, len(every), MOST_IDS))
        return [row for some in portions for row in self.execute(sql.format(placeholders(some)), some)]

    def writing(self) -> AbstractContextManager[None]:
        """One transaction that holds the write lock from its start; rolled back on any error."""
        return writing(self.db)

    def decoding(self) -> AbstractContextManager[None]:
        """Within this, values that the store has written are decoded. Raises StoreError for those that are damaged."""
        return decoding(self.path)

    def close(self) -> None:
        self.db.close()

    # Ownership

    def visible(self, table: str, *terms: str) -> tuple[str, tuple[str, ...]]:
        """The WHERE clause of these terms and of the visitor's rights; its values go after those of the terms."""
        seen = _OWNED if table in _FOR_OWNERS_ALONE else _SEEN
        every = [*terms, *([seen.format(table=table)] if self.visitor else [])]
        return f"WHERE {' AND '.join(every)}" if every else "", (self.visitor,) if self.visitor else ()

    def may_see(self, item: str) -> bool:
        """Whether the visitor owns an item, or it has no owner."""
        if not self.visitor:
            return True
        return bool(self.execute(_MAY_SEE, {"item": item, "visitor": self.visitor}).fetchone()[0])

    def own(self, item: str, *, title: str | None = None, note: str | None = None) -> None:
        """Make the visitor, if there is one, an owner of an item. An item may have several, each with a title and note of their
        own: the same text is one document."""
        if self.visitor:
            row = (item, self.visitor, this_worker(), title, note, now())
            sql = "INSERT OR IGNORE INTO visits (item, visitor, worker, title, note, added) VALUES (?, ?, ?, ?, ?, ?)"
            self.execute(sql, row)

    def belongs_to_others(self, item: str) -> bool:
        """Whether the item has owners, and the viewer is the host, who is not one of them."""
        return not self.visitor and self.is_owned(item)

    def disown(self, item: str, visitor: str) -> None:
        self.execute("DELETE FROM visits WHERE item = ? AND visitor = ?", (item, visitor))

    def disown_all(self, item: str) -> None:
        """Forget all owners of an item, because it was deleted."""
        self.execute("DELETE FROM visits WHERE item = ?", (item,))

    def is_owned(self, item: str) -> bool:
        return self.execute("SELECT 1 FROM visits WHERE item = ? LIMIT 1", (item,)).fetchone() is not None

    def items_of(self, visitor: str) -> set[str]:
        return {item for (item,) in self.execute("SELECT item FROM visits WHERE visitor = ?", (visitor,))}


def now(timespec: str = "milliseconds") -> str:
    """The current time in UTC, ISO 8601. Labels, turns and decisions are ordered by it, so theirs has microseconds."""
    return datetime.now(UTC).isoformat(timespec=timespec)


def placeholders(values: Collection[Any]) -> str:
    return ", ".join("?" for _ in values)


# Processes that work on runs


def this_worker() -> str:
    """This process, by its id and by when it started."""
    return f"{os.getpid()}:{_cached_start(os.getpid())}"


def is_alive(worker: str) -> bool:
    """Whether the process with this name still runs."""
    if worker == this_worker():
        return True
    pid, _, started = worker.partition(":")
    try:
        process = psutil.Process(int(pid))
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        return _is_near(process.create_time(), started) if _is_by_clock(started) else _start(int(pid)) == started
    except (psutil.Error, OSError, ValueError, IndexError):
        return False


def under_way(status: str, worker: str | None) -> bool:
    """Whether a live process works on the run, or has it in its queue."""
    return status in AT_WORK and is_alive(worker or "")


def is_interrupted(status: str, worker: str | None) -> bool:
    """Whether the process that worked on the run has died."""
    return status in AT_WORK and not is_alive(worker or "")


@cache
def _cached_start(pid: int) -> str:
    return _start(pid)


def _start(pid: int) -> str:
    """When a process started, by a clock that cannot be set. Raises OSError or psutil.Error if there is none."""
    if sys.platform == "linux":
        ticks = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[_STARTED]
        return f"{_boot()}+{ticks}"
    return f"noted+{psutil.Process(pid)._ident[1]}"  # `create_time` is corrected when the clock is set


@cache
def _boot() -> str:
    """The id of the machine's current boot; empty in a sandbox that hides it."""
    try:
        return (_PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _is_by_clock(started: str) -> bool:
    return "+" not in started


def _is_near(time: float, started: str) -> bool:
    return abs(time - float(started)) < CLOCK_DRIFT
