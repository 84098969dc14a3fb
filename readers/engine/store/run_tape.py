"""The record of one run in the database: its calls, events and prompts; saved results computed from it; and a person's marks at
its steps (`teaching/stops.py`). All of it is deleted with the run."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple

from readers.engine.canonical import canonical
from readers.engine.errors import NotFound
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.journal import Record, Spending, Wait
from readers.engine.record.provisional import Answer
from readers.engine.store.database import Connection
from readers.engine.teaching.stops import Stop

_values = attrgetter(*(f.name for f in fields(Record)))
_COLUMNS = ", ".join(f.name for f in fields(Record))
_PLACES = ", ".join("?" for _ in fields(Record))
_NEW = ", ".join(f"{f.name} = excluded.{f.name}" for f in fields(Record))

# An answered call is never overwritten. If another process has resumed a stopped run meanwhile, a late reply to the first one is
# dropped: the other process requests its own reply.
_SAVE = f"""INSERT INTO calls (run, {_COLUMNS}) SELECT ?, {_PLACES}
    WHERE EXISTS (SELECT 1 FROM runs WHERE id = ? AND (worker IS NULL OR worker = ?))
    ON CONFLICT (run, seq, attempt) DO UPDATE SET {_NEW} WHERE calls.reply IS NULL"""
_FIND = f"SELECT {_COLUMNS} FROM calls WHERE run = ? AND seq = ? AND attempt = ?"
# Replies from an imported run file are never shared: it is not verified that a model gave them. In a public demo, replies are
# shared from the host's runs and from those of the visitor who owns this run: a cached reply shows that somebody has asked
# before.
_SHARED = f"""SELECT {_COLUMNS} FROM calls WHERE identity = ? AND shared AND reply IS NOT NULL AND origin IN ('live', 'cached')
    AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = calls.run AND taken_in)
    AND (NOT EXISTS (SELECT 1 FROM visits WHERE item = calls.run) OR EXISTS (SELECT 1 FROM visits WHERE item = calls.run
        AND (visitor = ? OR visitor IN (SELECT visitor FROM visits WHERE item = ?)))) LIMIT 1"""
_ALL = f"SELECT {_COLUMNS} FROM calls WHERE run = ? ORDER BY seq, attempt"


# A reply edited by a person stays `edited` in every copy: no model gave it, and nothing was paid for it.
_COPIED = "CASE origin WHEN 'edited' THEN origin ELSE 'replayed' END"
_COPY = f"""INSERT INTO calls (run, {_COLUMNS})
    SELECT ?, {", ".join(_COPIED if f.name == "origin" else f.name for f in fields(Record))}
    FROM calls WHERE run = ? AND seq < ? AND reply IS NOT NULL"""


class Copied(NamedTuple):
    """What a fork begins with: its parent's answered calls numbered under `below`, and the `rows` of the edited call."""

    below: int
    rows: tuple[Record, ...] = ()


def copy(connection: Connection, run: str, parent: str, copied: Copied) -> None:
    """Copy calls into the record of a new fork, inside the transaction that adds it."""
    connection.execute(_COPY, (run, parent, copied.below))
    insert = f"INSERT INTO calls (run, {_COLUMNS}) VALUES (?, {_PLACES})"
    connection.execute_many(insert, [(run, *_values(record)) for record in copied.rows])


def wait_since(seq: int, since: str) -> Wait:
    """A stored wait, with the seconds that it has lasted by now."""
    return Wait(seq, (datetime.now(UTC) - datetime.fromisoformat(since)).total_seconds())


class RunTape:
    """A `Tape` over the store's tables. A fork inherits from its `parent`, unless that was deleted."""

    def __init__(self, connection: Connection, run: str, worker: str, *, parent: str = "") -> None:
        self._connection = connection
        self._run = run
        self._parent = parent
        self._worker = worker
        self._prompts: set[str] = set()

    def keys(self) -> set[tuple[int, int]]:
        return set(self._connection.execute("SELECT seq, attempt FROM calls WHERE run = ?", (self._run,)))

    def find(self, seq: int, attempt: int) -> Record | None:
        return self._find(self._run, seq, attempt)

    def _find(self, run: str, seq: int, attempt: int) -> Record | None:
        row = self._connection.execute(_FIND, (run, seq, attempt)).fetchone()
        return Record(*row) if row else None

    def find_inherited(self, identity: str) -> Record | None:
        key = self._inherited.get(identity)
        return self._find(self._parent, *key) if key else None

    @cached_property
    def _inherited(self) -> dict[str, tuple[int, int]]:
        """The keys of the parent's answered calls, by identity; of several with one identity, the first."""
        sql = "SELECT identity, seq, attempt FROM calls WHERE run = ? AND reply IS NOT NULL ORDER BY seq DESC, attempt DESC"
        return {identity: (seq, attempt) for identity, seq, attempt in self._connection.execute(sql, (self._parent,))}

    def find_shared(self, identity: str) -> Record | None:
        row = self._connection.execute(_SHARED, (identity, self._connection.visitor, self._run)).fetchone()
        return Record(*row) if row else None

    def save(self, record: Record | None, prompt: Prompt | None, start: int, new_events: list[str]) -> None:
        self.save_all([(record, prompt)] if record and prompt else [], start, new_events)

    def save_all(self, calls: Sequence[tuple[Record, Prompt]], start: int, new_events: list[str]) -> None:
        """Save calls and events together."""
        with self._connection.writing():
            self._insert(calls, start, new_events)
        self._prompts.update(
            prompt.hash for _, prompt in calls
        )  # only now that they are really there: what failed was rolled back

    def _insert(self, calls: Sequence[tuple[Record, Prompt]], start: int, new_events: list[str]) -> None:
        connection = self._connection
        for record, prompt in calls:
            if prompt.hash not in self._prompts:
                row = (prompt.hash, prompt.id, prompt.task, canonical(prompt.wording))
                connection.execute("INSERT OR IGNORE INTO prompts (hash, id, task, wording) VALUES (?, ?, ?, ?)", row)
            connection.execute(_SAVE, (self._run, *_values(record), self._run, self._worker))
        if new_events:
            rows = [(self._run, n, body) for n, body in enumerate(new_events, start)]
            connection.execute_many("INSERT INTO events (run, n, body) VALUES (?, ?, ?)", rows)

    def rewrite(self, spec: Mapping[str, Any], calls: Sequence[tuple[Record, Prompt]], told: list[str]) -> None:
        """Write another spec, other calls and events in place of all that the run has, together."""
        with self._connection.writing():
            for table in ("calls", "events"):
                self._connection.execute(f"DELETE FROM {table} WHERE run = ?", (self._run,))
            self._connection.execute("UPDATE runs SET spec = ? WHERE id = ?", (json.dumps(spec), self._run))
            self._insert(calls, 0, told)

    def events(self) -> list[str]:
        return self.events_after(-1)

    def parent_events(self) -> list[str]:
        return self.events_after(-1, run=self._parent) if self._parent else []

    def events_after(self, n: int, *, run: str = "") -> list[str]:
        """The events numbered above `n`, as JSON: of this run, or of another."""
        rows = self._connection.execute("SELECT body FROM events WHERE run = ? AND n > ? ORDER BY n", (run or self._run, n))
        return [body for (body,) in rows]

    def records(self) -> list[Record]:
        return [Record(*row) for row in self._connection.execute(_ALL, (self._run,))]

    def answers_from(self, seq: int) -> list[Answer]:
        """The answered calls numbered from `seq` on, in order: they may have no events yet, because those are written when a
        batch of calls ends."""
        sql = """SELECT seq, attempt, prompts.id, parts, reply, parsed FROM calls JOIN prompts ON hash = prompt
            WHERE run = ? AND seq >= ? AND reply IS NOT NULL ORDER BY seq, attempt"""
        return [Answer(*row) for row in self._connection.execute(sql, (self._run, seq))]

    def answered(self) -> int:
        """How many replies of a model are recorded, reused ones included; comparisons of texts are not calls to a model."""
        sql = "SELECT count(*) FROM calls WHERE run = ? AND reply IS NOT NULL AND task <> 'score'"
        return int(self._connection.execute(sql, (self._run,)).fetchone()[0])

    def answered_below(self, seq: int) -> int:
        """How many of the calls numbered below `seq` have a reply."""
        sql = "SELECT count(DISTINCT seq) FROM calls WHERE run = ? AND seq < ? AND reply IS NOT NULL"
        return int(self._connection.execute(sql, (self._run, seq)).fetchone()[0])

    def prompts(self) -> dict[str, Prompt]:
        """The prompts of this run's calls as they were worded then, by their hash."""
        rows = self._connection.execute(
            "SELECT hash, task, wording FROM prompts WHERE hash IN (SELECT prompt FROM calls WHERE run = ?)", (self._run,)
        )
        with self._connection.decoding():
            return {prompt: Prompt.of_wording(json.loads(wording), task) for prompt, task, wording in rows}

    def note_wait(self, wait: Wait | None) -> None:
        with self._connection.writing():
            if wait is None:
                self._connection.execute("DELETE FROM waits WHERE run = ?", (self._run,))
                return
            since = (datetime.now(UTC) - timedelta(seconds=wait.seconds)).isoformat()
            sql = "INSERT OR REPLACE INTO waits (run, seq, since) SELECT id, ?, ? FROM runs WHERE id = ? AND worker = ?"
            self._connection.execute(sql, (wait.seq, since, self._run, self._worker))

    def wait(self) -> Wait | None:
        """The call that the run has been waiting for longest; None if it has waited for none for long."""
        row = self._connection.execute("SELECT seq, since FROM waits WHERE run = ?", (self._run,)).fetchone()
        return wait_since(*row) if row else None

    def spent(self) -> Spending:
        row = self._connection.execute(
            """SELECT coalesce(sum(task != 'score'), 0), coalesce(sum(coalesce(tokens_in, 0) + coalesce(tokens_out, 0)), 0),
                coalesce(sum(coalesce(cost_usd, 0)), 0.0),
                coalesce(sum(ms / 1000.0 / coalesce(at_once, 1.0)), 0.0)
                FROM calls WHERE run = ? AND origin = 'live' AND reply IS NOT NULL""",
            (self._run,),
        ).fetchone()
        return Spending(*row)


class SavedFate(NamedTuple):
    """What became of the evidence in a run that ended at `ended`. `known` identifies the known answer; `value` is JSON data.

    It holds for one end of a run (a resumed run ends again), one known answer and one version of the rules, and is deleted with
    its run. It can be deleted at any time: it is computed again (`analysis/facts/evidence.py`).
    """

    run: str
    ended: str
    known: str
    value: Any


class Fates:
    """The table of saved fates."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of_runs(self, runs: Collection[str], version: int) -> list[SavedFate]:
        """The saved fates of these runs by one version of the rules, unordered."""
        sql = f"SELECT run, ended, known, value FROM fates WHERE version = {int(version)} AND run IN ({{}})"
        rows = self._connection.select_in(sql, runs)
        with self._connection.decoding():
            return [SavedFate(run, ended, known, json.loads(value)) for run, ended, known, value in rows]

    def save(self, fates: Sequence[SavedFate], version: int) -> None:
        """Save fates in one transaction, replacing older ones of their runs and deleting those of other versions. What belongs to
        a run that is gone, or has ended again since, is not saved."""
        with self._connection.writing():
            self._connection.execute("DELETE FROM fates WHERE version <> ?", (version,))
            for one in fates:
                self._connection.execute("DELETE FROM fates WHERE run = ? AND ended <> ?", (one.run, one.ended))
                sql = """INSERT OR REPLACE INTO fates (run, known, ended, version, value)
                    SELECT id, ?, ended, ?, ? FROM runs WHERE id = ? AND ended = ?"""
                self._connection.execute(sql, (one.known, version, canonical(one.value), one.run, one.ended))


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
        """Write the stop at its step, replacing an existing one; an empty stop removes it. Raises NotFound."""
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
