"""The table of a class's devices: which have joined, which hold a place, and which are removed with their votes.

A device holds a place while it is heard of, and for as long as its vote of the present round counts: whoever leaves and joins
again gets no second vote out of one place. Devices are marks. Not here: who may join (`classes.py`).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from readers.engine.errors import LimitReached
from readers.engine.store.database.connection import Connection, now
from readers.engine.teaching import classes as rules
from readers.engine.teaching.classes import ClassSession
from readers.engine.teaching.codes import ClassLimits

NOTED_EVERY = 15  # seconds after which a device is noted again as heard of
_LAST_NOTED = "coalesce(heard, joined)"
_HOLDS_PLACE = f"""({_LAST_NOTED} >= :gone OR EXISTS (SELECT 1 FROM class_votes AS votes
    WHERE votes.class = :id AND step = :step AND round = :round AND votes.learner = class_learners.learner))"""


class Learners:
    """The table of devices. What changes it is called within a transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def has_joined(self, found: ClassSession, learner: str) -> bool:
        return self._count(found, "learner = :learner", learner=learner) > 0

    def holds_place(self, found: ClassSession, learner: str) -> bool:
        return self._count(found, f"learner = :learner AND {_HOLDS_PLACE}", learner=learner) > 0

    def joined(self, found: ClassSession) -> int:
        """How many devices have joined a class and were not removed."""
        return self._count(found, "TRUE")

    def here(self, found: ClassSession) -> int:
        """How many devices hold a place now."""
        return self._count(found, _HOLDS_PLACE)

    def late(self, found: ClassSession) -> list[tuple[int, int]]:
        """How many devices joined in the last so many minutes, and over all (as 0 minutes): what `remove` would remove."""
        return [(minutes, self._count(found, "joined >= :since", since=_since(minutes))) for minutes in (*rules.LATE, 0)]

    def is_noted(self, found: ClassSession, learner: str) -> bool:
        """Whether a device that holds a place was noted lately, so that there is nothing to write."""
        lately = _ago(NOTED_EVERY)
        return self._count(found, f"learner = :learner AND {_LAST_NOTED} >= :lately", learner=learner, lately=lately) > 0

    def enter(self, found: ClassSession, learner: str, limits: ClassLimits) -> None:
        """Give a device a place. Raises LimitReached if all are taken."""
        if self.here(found) >= limits.learners:
            raise LimitReached(f"this class is full: it takes {limits.learners:,} devices; share one with somebody")
        sql = """INSERT INTO class_learners (class, learner, joined) VALUES (:id, :learner, :now)
            ON CONFLICT (class, learner) DO UPDATE SET heard = :now"""
        self._connection.execute(sql, {"id": found.id, "learner": learner, "now": now()})

    def note(self, found: ClassSession, learner: str) -> None:
        """Note that a device is still there."""
        sql = "UPDATE class_learners SET heard = ? WHERE class = ? AND learner = ?"
        self._connection.execute(sql, (now(), found.id, learner))

    def remove(self, found: ClassSession, minutes: int) -> None:
        """Remove the devices that joined in the last so many minutes (0 for all) with every vote of theirs."""
        given = {"id": found.id, "since": _since(minutes)}
        removed = "SELECT learner FROM class_learners WHERE class = :id AND joined >= :since"
        self._connection.execute(f"DELETE FROM class_votes WHERE class = :id AND learner IN ({removed})", given)
        self._connection.execute("DELETE FROM class_learners WHERE class = :id AND joined >= :since", given)

    def _count(self, found: ClassSession, where: str, **given: Any) -> int:
        given |= {"id": found.id, "step": found.state.asked, "round": found.state.round, "gone": _ago(rules.GONE_AFTER)}
        sql = f"SELECT count(*) FROM class_learners WHERE class = :id AND {where}"
        return int(self._connection.execute(sql, given).fetchone()[0])


def _since(minutes: int) -> str:
    return _ago(60 * minutes) if minutes else ""


def _ago(seconds: float) -> str:
    """The time so many seconds ago."""
    return (datetime.fromisoformat(now()) - timedelta(seconds=seconds)).isoformat(timespec="milliseconds")
