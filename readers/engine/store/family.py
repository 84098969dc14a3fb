"""Readings and the forks made of them, of one family: all that come from the same first reading."""

from __future__ import annotations

from sqlite_utils import Database

_FAMILY = """
    WITH RECURSIVE up(id, parent) AS (
        SELECT id, parent FROM runs WHERE id = ?
        UNION SELECT runs.id, runs.parent FROM runs JOIN up ON runs.id = up.parent),
    down(id) AS (
        SELECT id FROM up WHERE parent IS NULL OR parent NOT IN (SELECT id FROM runs)
        UNION SELECT runs.id FROM runs JOIN down ON runs.parent = down.id)
    SELECT id FROM down"""


def family(db: Database, run: str) -> list[str]:
    """The ids of a reading's family, the first one's too. A fork whose parent was deleted begins a family of its own."""
    return [id for (id,) in db.conn.execute(_FAMILY, (run,))]
