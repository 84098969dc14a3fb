"""The tables of classes: who steps, who votes, and what was voted.

A class belongs to the browser that began it: every act of the teacher needs its token. A learner is a mark made of their
browser's token. A vote is a row for each class, step, round and learner: another one replaces it while the round is open, and is
refused after. Votes come out of here for closed rounds alone; of an open one, only how many there are.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from readers.engine.canonical import canonical
from readers.engine.errors import BadOptions, LimitReached, NotFound
from readers.engine.store.database.connection import Connection, now
from readers.engine.teaching import classes as rules
from readers.engine.teaching.classes import Before, ClassSession, Option, Question, State
from readers.engine.teaching.codes import ClassLimits, mark, new_code, read_code
from readers.engine.teaching.tally import Ballot, Result, Vote, result

_CLASS = "id, code, run, title, steps, teacher, created, expires, ended, since, version, state"
NOTED_EVERY = 30  # seconds after which a device is noted again as heard of
_OPEN = "ended IS NULL AND expires > ?"
# A class that is over has no open round.
_CLOSED = "(rounds.closed IS NOT NULL OR (SELECT expires FROM classes WHERE id = rounds.class) <= :now)"
_VOTES = f"""SELECT votes.step, votes.round, learner, option FROM class_votes AS votes JOIN class_rounds AS rounds
    ON rounds.class = votes.class AND rounds.step = votes.step AND rounds.round = votes.round
    WHERE votes.class = :id AND {_CLOSED}"""


class Classes:
    """The tables of classes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    # Beginning and finding

    def begin(self, run: str, title: str, *, steps: int, token: str, limits: ClassLimits) -> ClassSession:
        """Begin a class on a reading, for the browser with this token. Raises LimitReached if too many are open."""
        at = now()
        expires = (datetime.fromisoformat(at) + timedelta(hours=limits.hours)).isoformat(timespec="milliseconds")
        with self._connection.writing():
            self._check_limits(token, limits, at)
            found = uuid4().hex[:12]
            code = next(code for code in iter(new_code, "") if self.find(code) is None)
            row = (found, code, run, title, steps, mark(found, token), at, expires, None, at, 1, canonical(asdict(State())))
            self._connection.execute(f"INSERT INTO classes ({_CLASS}) VALUES ({', '.join('?' * len(row))})", row)
        return self.get(code)

    def _check_limits(self, token: str, limits: ClassLimits, at: str) -> None:
        rows = self._connection.execute(f"SELECT id, teacher FROM classes WHERE {_OPEN}", (at,)).fetchall()
        own = sum(teacher == mark(found, token) for found, teacher in rows)
        if own >= limits.own:
            raise LimitReached(f"you have {own} open classes, and {limits.own} is the most; end one of them first")
        if len(rows) >= limits.classes:
            raise LimitReached(f"{len(rows)} classes are open here, and {limits.classes} is the most; wait until one has ended")

    def find(self, code: str) -> ClassSession | None:
        """The class with this code, also one that is over; None if there is none."""
        row = self._connection.execute(f"SELECT {_CLASS} FROM classes WHERE code = ?", (read_code(code),)).fetchone()
        return self._as_class(row) if row else None

    def get(self, code: str) -> ClassSession:
        """Raises NotFound."""
        found = self.find(code)
        if found is None:
            raise NotFound(f"there is no class {code[:20]!r}; look at the code again, it has six letters")
        return found

    def of_reading(self, run: str, token: str) -> list[ClassSession]:
        """The classes on a reading that the browser with this token began, oldest first."""
        rows = self._connection.execute(f"SELECT {_CLASS} FROM classes WHERE run = ? ORDER BY created, rowid", (run,)).fetchall()
        return [found for found in map(self._as_class, rows) if found.teacher == mark(found.id, token)]

    # The teacher

    def step(self, code: str, token: str, at: int, says: str) -> ClassSession:
        return self._change(code, token, lambda _, state: rules.stepped(state, at, says))

    def ask(self, code: str, token: str, question: Question) -> ClassSession:
        """Ask about a decision. What was asked there first stays what was asked."""

        def change(found: ClassSession, state: State) -> State:
            sql = "INSERT OR IGNORE INTO class_questions (class, step, asked, revealed) VALUES (?, ?, ?, NULL)"
            self._connection.execute(sql, (found.id, question.step, canonical(asdict(question))))
            return rules.asked(state, question.step, self._before(found.id, question.step))

        return self._change(code, token, change)

    def open_vote(self, code: str, token: str) -> ClassSession:
        def change(found: ClassSession, state: State) -> State:
            after = rules.vote_opened(state)
            row = (found.id, after.asked, after.round, now())
            self._connection.execute("INSERT INTO class_rounds (class, step, round, opened) VALUES (?, ?, ?, ?)", row)
            return after

        return self._change(code, token, change)

    def close_vote(self, code: str, token: str) -> ClassSession:
        def change(found: ClassSession, state: State) -> State:
            self._close_rounds(found.id)
            return rules.vote_closed(state)

        return self._change(code, token, change)

    def talk(self, code: str, token: str) -> ClassSession:
        return self._change(code, token, lambda _, state: rules.talking(state))

    def reveal(self, code: str, token: str) -> ClassSession:
        def change(found: ClassSession, state: State) -> State:
            sql = "UPDATE class_questions SET revealed = ? WHERE class = ? AND step = ?"
            self._connection.execute(sql, (now(), found.id, state.asked))
            return rules.revealed(state)

        return self._change(code, token, change)

    def switch(self, code: str, token: str, name: rules.Switch, *, on: bool) -> ClassSession:
        return self._change(code, token, lambda _, state: rules.switched(state, name, on=on))

    def end(self, code: str, token: str) -> None:
        """End a class for everybody; its votes stay. A vote that is open is closed. One that is over stays as it is."""
        with self._connection.writing():
            found = self._own(code, token)
            self._close_rounds(found.id)
            sql = "UPDATE classes SET ended = coalesce(ended, ?), version = version + 1 WHERE id = ?"
            self._connection.execute(sql, (now(), found.id))

    def delete(self, code: str, token: str) -> None:
        """Delete a class with its votes."""
        with self._connection.writing():
            self._connection.execute("DELETE FROM classes WHERE id = ?", (self._own(code, token).id,))

    def forget(self, at: str) -> None:
        """Delete the classes that were over at a time: in a demo nobody comes back to them."""
        self._connection.execute("DELETE FROM classes WHERE coalesce(ended, expires) <= ?", (at,))

    # Learners

    def join(self, code: str, token: str, limits: ClassLimits) -> ClassSession:
        """Let a browser into a class, once. Raises LimitReached if the class is full, and NotFound if it is not open."""
        found = self._open(code)
        learner = mark(found.id, token)
        if learner == found.teacher or self._has_joined(found.id, learner):
            return found
        with self._connection.writing():
            if self.joined(found.id) >= limits.learners:
                raise LimitReached(f"this class is full: it takes {limits.learners:,} devices; share one with somebody")
            row = (found.id, learner, now())
            self._connection.execute("INSERT OR IGNORE INTO class_learners (class, learner, joined) VALUES (?, ?, ?)", row)
        return found

    def hear(self, found: ClassSession, token: str) -> None:
        """Note that a browser in a class is still there; written down now and then only."""
        given = {"id": found.id, "learner": mark(found.id, token), "now": now(), "lately": _ago(NOTED_EVERY)}
        where = "class = :id AND learner = :learner AND coalesce(heard, joined) < :lately"
        if self._connection.execute(f"SELECT 1 FROM class_learners WHERE {where}", given).fetchone():
            with self._connection.writing():
                self._connection.execute(f"UPDATE class_learners SET heard = :now WHERE {where}", given)

    def vote(self, code: str, token: str, ballot: Ballot) -> None:
        """Raises BadOptions unless just the round of the ballot is open, and NotFound for a browser that has not joined."""
        step, round_, option = ballot
        with self._connection.writing():
            found = self._open(code)
            learner, state = mark(found.id, token), found.state
            if not self._has_joined(found.id, learner):
                raise NotFound("this browser is not in the class; open the class again by its code")
            if state.phase != "voting" or (state.asked, state.round) != (step, round_):
                raise BadOptions("this vote was closed before yours came")
            if not 0 <= option < len(self._question(found.id, step).options):
                raise BadOptions("there is no such option; choose one of those shown")
            sql = """INSERT INTO class_votes (class, step, round, learner, option, at) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (class, step, round, learner) DO UPDATE SET option = excluded.option, at = excluded.at"""
            self._connection.execute(sql, (found.id, step, round_, learner, option, now()))

    def own_vote(self, found: ClassSession, token: str) -> int | None:
        """What this browser voted in the present round; None for nothing."""
        sql = "SELECT option FROM class_votes WHERE class = ? AND step = ? AND round = ? AND learner = ?"
        asked = (found.id, found.state.asked, found.state.round, mark(found.id, token))
        row = self._connection.execute(sql, asked).fetchone()
        return row[0] if row else None

    # What is counted

    def joined(self, class_id: str) -> int:
        """How many browsers have joined a class."""
        return int(self._connection.execute("SELECT count(*) FROM class_learners WHERE class = ?", (class_id,)).fetchone()[0])

    def here(self, found: ClassSession) -> int:
        """How many browsers are in a class now: those heard of lately, and those that voted in the present round."""
        sql = """SELECT count(*) FROM class_learners AS one WHERE class = :id AND (coalesce(heard, joined) >= :lately OR EXISTS (
            SELECT 1 FROM class_votes WHERE class = :id AND step = :step AND round = :round AND learner = one.learner))"""
        asked = {"id": found.id, "step": found.state.asked, "round": found.state.round, "lately": _ago(rules.GONE_AFTER)}
        return int(self._connection.execute(sql, asked).fetchone()[0])

    def voted(self, found: ClassSession) -> int:
        """How many have voted in the present round, open or closed."""
        sql = "SELECT count(*) FROM class_votes WHERE class = ? AND step = ? AND round = ?"
        return int(self._connection.execute(sql, (found.id, found.state.asked, found.state.round)).fetchone()[0])

    def result(self, found: ClassSession) -> Result | None:
        """What was voted on the present question, in closed rounds; None if none is asked."""
        step = found.state.asked
        if step is None:
            return None
        return result(self._question(found.id, step), self._votes(found.id, step), self._before(found.id, step).rounds)

    def results(self, found: ClassSession) -> list[Result]:
        """What was voted on every question that was asked, in closed rounds, in the order of the steps."""
        rows = self._connection.execute("SELECT asked FROM class_questions WHERE class = ? ORDER BY step", (found.id,)).fetchall()
        votes = self._votes(found.id)
        with self._connection.decoding():
            questions = [_as_question(asked) for (asked,) in rows]
        return [result(one, votes, self._before(found.id, one.step).rounds) for one in questions]

    def revealed(self, found: ClassSession) -> set[int]:
        """The steps of the questions whose answer was shown."""
        sql = "SELECT step FROM class_questions WHERE class = ? AND revealed IS NOT NULL"
        return {step for (step,) in self._connection.execute(sql, (found.id,))}

    # Inside

    def _change(self, code: str, token: str, change: Callable[[ClassSession, State], State]) -> ClassSession:
        """Change the state of an open class of this browser."""
        with self._connection.writing():
            found = self._own(code, token)
            self._open(code)
            after = change(found, found.state)
            since = found.since if after.phase == found.state.phase == "reading" else now()
            sql = "UPDATE classes SET state = ?, since = ?, version = version + 1 WHERE id = ?"
            self._connection.execute(sql, (canonical(asdict(after)), since, found.id))
        return self.get(code)

    def _own(self, code: str, token: str) -> ClassSession:
        found = self.get(code)
        if mark(found.id, token) != found.teacher:
            raise NotFound("this class was begun in another browser, and only that one leads it")
        return found

    def _open(self, code: str) -> ClassSession:
        found = self.get(code)
        if found.is_over(now()):
            raise NotFound("this class has ended")
        return found

    def _has_joined(self, class_id: str, learner: str) -> bool:
        sql = "SELECT 1 FROM class_learners WHERE class = ? AND learner = ?"
        return self._connection.execute(sql, (class_id, learner)).fetchone() is not None

    def _close_rounds(self, class_id: str) -> None:
        sql = "UPDATE class_rounds SET closed = ? WHERE class = ? AND closed IS NULL"
        self._connection.execute(sql, (now(), class_id))

    def _before(self, class_id: str, step: int) -> Before:
        given = {"id": class_id, "step": step, "now": now()}
        sql = f"SELECT count(*) FROM class_rounds AS rounds WHERE class = :id AND step = :step AND {_CLOSED}"
        rounds = self._connection.execute(sql, given).fetchone()[0]
        sql = "SELECT revealed IS NOT NULL FROM class_questions WHERE class = :id AND step = :step"
        row = self._connection.execute(sql, given).fetchone()
        return Before(int(rounds), bool(row and row[0]))

    def _question(self, class_id: str, step: int) -> Question:
        row = self._connection.execute(
            "SELECT asked FROM class_questions WHERE class = ? AND step = ?", (class_id, step)
        ).fetchone()
        if row is None:
            raise NotFound("this is not asked in this class")
        with self._connection.decoding():
            return _as_question(row[0])

    def _votes(self, class_id: str, step: int | None = None) -> list[Vote]:
        """The votes of closed rounds; of one step, if given."""
        sql = _VOTES if step is None else f"{_VOTES} AND votes.step = :step"
        return [Vote(*row) for row in self._connection.execute(sql, {"id": class_id, "step": step, "now": now()})]

    def _as_class(self, row: tuple[Any, ...]) -> ClassSession:
        values = dict(zip(ClassSession.__dataclass_fields__, row, strict=True))
        with self._connection.decoding():
            return ClassSession(**{**values, "state": State(**json.loads(values["state"]))})


def _ago(seconds: float) -> str:
    """The time so many seconds ago."""
    return (datetime.fromisoformat(now()) - timedelta(seconds=seconds)).isoformat(timespec="milliseconds")


def _as_question(asked: str) -> Question:
    found = json.loads(asked)
    known = found["known"]
    return Question(
        found["step"], found["words"], tuple(Option(**option) for option in found["options"]), tuple(found["chosen"]),
        found["reason"], found["by"], None if known is None else tuple(known), tuple(found.get("keeps", ())),
    )  # fmt: skip
