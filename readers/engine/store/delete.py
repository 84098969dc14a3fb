"""What goes with a reading that is deleted, and what keeps it from being deleted now.

The samples of its experiments go with it, for they tell about nothing else. Forks stay, but one that is under way still takes
replies over from it, so the reading stays until that has ended. Writing stands inside its caller's transaction.
"""

from __future__ import annotations

from sqlite_utils import Database

from readers.engine.errors import Busy, NotFound
from readers.engine.store.projects import refuse_kept
from readers.engine.store.visits import Visits
from readers.engine.store.workers import under_way

_GOING = """WITH RECURSIVE going(id) AS (
    SELECT id FROM runs WHERE id = ?
    UNION SELECT runs.id FROM runs JOIN going ON runs.parent = going.id WHERE runs.experiment IS NOT NULL)
    SELECT id FROM going"""
_AROUND = """SELECT id, parent, experiment IS NOT NULL, status, worker FROM runs
    WHERE id = ? OR (parent = ? AND experiment IS NULL)"""


def going(db: Database, id: str) -> list[str]:
    """A reading with the samples of its experiments, and of theirs; the reading first; none where it is not there."""
    return sorted((one for (one,) in db.conn.execute(_GOING, (id,))), key=lambda one: one != id)


def held_by(db: Database, id: str) -> str:
    """Why a reading cannot be deleted now, in words; empty where it can."""
    for one in going(db, id):
        for other, parent, sample, status, worker in db.conn.execute(_AROUND, (one, one)).fetchall():
            if not under_way(status, worker):
                continue
            if other == id:
                return f"reading {id!r} is under way; cancel it first, and delete it when it has stopped"
            if other == one and sample:
                what = f"a sample of an experiment with reading {id!r}"
                return f"{what} is under way; cancel it first, and delete it when it has stopped"
            whose = "it" if parent == id else "a sample of it"
            return (
                f"reading {id!r} stays for now: the fork {other!r} of {whose} is under way and takes replies over from {whose}; "
                "wait for its end, or cancel it, and delete the reading then"
            )
    return ""


def delete(db: Database, id: str) -> list[str]:
    """Delete a reading with its samples, and with all that hangs on these rows; their ids, the reading's first. Raises NotFound,
    Busy, and Kept where one of them belongs to a project; then nothing of it is deleted."""
    ids = going(db, id)
    if not ids:
        raise NotFound(f"there is no reading {id!r}; it may have been deleted already")
    if why := held_by(db, id):
        raise Busy(why)
    refuse_kept(db, ids)
    for one in ids:
        db.conn.execute("DELETE FROM runs WHERE id = ?", (one,))
        Visits(db).forget(one)
    return ids
