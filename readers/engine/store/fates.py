"""What became of the evidence in readings, saved once it was computed: derived, so that every row can be deleted at any time.

A row holds for one end of a run (a resumed run ends again), one known answer and one version of the rules; others are ignored.
It is deleted with its run. Not here: what a fate is, and how it is computed (`readers/engine/analysis/facts/`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from readers.engine.canonical import canonical
from readers.engine.store.connection import Connection


class SavedFate(NamedTuple):
    """What became of the evidence in a run that ended at `ended`. `known` stands for the known answer; `value` is JSON data."""

    run: str
    ended: str
    known: str
    value: Any


class Fates:
    """The table of saved fates."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of_runs(self, runs: Collection[str], version: int) -> list[SavedFate]:
        """The saved fates of these runs by one version of the rules, in no order."""
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
