"""The tables of classes: who steps, who votes, and the votes.

A class belongs to the browser that began it: every act of the teacher needs its token. A learner is a mark made from their
browser's token. A vote is a row for each class, step, round and learner: another vote replaces it while the round is open, and is
refused afterwards. Votes are given out only for closed rounds; for an open round, only their number. A device holds a place while
it sends signals, and as long as its vote of the present round counts: a device that leaves and joins again gets no second vote.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from readers.engine.canonical import canonical
from readers.engine.errors import BadOptions, LimitReached, NotFound
from readers.engine.store.database import Connection, now
from readers.engine.teaching import classes as rules
from readers.engine.teaching.classes import Before, ClassQuestion, ClassSession, State
from readers.engine.teaching.codes import ClassLimits, mark, new_code, new_word, read_code, same_word
from readers.engine.teaching.tally import Ballot, Result, Vote, result

_CLASS = "id, code, run, title, steps, teacher, created, expires, ended, since, version, state"
_OPEN = "ended IS NULL AND expires > ?"
# A class that is over has no open round.
_CLOSED = "(rounds.closed IS NOT NULL OR (SELECT expires FROM classes WHERE id = rounds.class) <= :now)"
_VOTES = f"""SELECT votes.step, votes.round, learner, option FROM class_votes AS votes JOIN class_rounds AS rounds
    ON rounds.class = votes.class AND rounds.step = votes.step AND rounds.round = votes.round
    WHERE votes.class = :id AND {_CLOSED}"""

NOTED_EVERY = 15  # seconds after which a device is noted again as heard of
_LAST_NOTED = "coalesce(heard, joined)"
_HOLDS_PLACE = f"""({_LAST_NOTED} >= :gone OR EXISTS (SELECT 1 FROM class_votes AS votes
    WHERE votes.class = :id AND step = :step AND round = :round AND votes.learner = class_learners.learner))"""


class Classes:
    """The tables of classes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.learners = Learners(connection)

    # Beginning and finding

    def begin(self, run: str, title: str, *, steps: int, token: str, limits: ClassLimits, lesson: str = "") -> ClassSession:
        """Begin a class on a reading, or on a lesson that begins with it, for the browser with this token. Raises LimitReached if
        too many classes are open."""
        at = now()
        expires = (datetime.fromisoformat(at) + timedelta(hours=limits.hours)).isoformat(timespec="milliseconds")
        with self._connection.writing():
            self._check_limits(token, limits, at)
            found = uuid4().hex[:12]
            code = next(code for code in iter(new_code, "") if self.find(code) is None)
            state = canonical(asdict(State(lesson=lesson)))
            row = (found, code, run, title, steps, mark(found, token), at, expires, None, at, 1, state)
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
        """The class with this code, even if it is over; None if there is none."""
        row = self._connection.execute(f"SELECT {_CLASS} FROM classes WHERE code = ?", (read_code(code),)).fetchone()
        return self._as_class(row) if row else None

    def get(self, code: str) -> ClassSession:
        """Raises NotFound."""
        found = self.find(code)
        if found is None:
            raise NotFound(f"there is no class {code[:20]!r}; look at the code again, it has six letters")
        return found

    def of_reading(self, run: str, token: str, *, lesson: str = "") -> list[ClassSession]:
        """The classes on a reading, or on a lesson, that the browser with this token began, oldest first."""
        rows = self._connection.execute(f"SELECT {_CLASS} FROM classes WHERE run = ? ORDER BY created, rowid", (run,)).fetchall()
        found = [one for one in map(self._as_class, rows) if one.state.lesson == lesson]
        return [one for one in found if one.teacher == mark(one.id, token)]

    # The teacher

    def step(self, code: str, token: str, at: int, says: str) -> ClassSession:
        return self._change(code, token, lambda _, state: rules.stepped(state, at, says))

    def ask(self, code: str, token: str, question: ClassQuestion) -> ClassSession:
        """Ask about a decision. The first question asked there is kept."""

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

    def turn(self, code: str, token: str, page: int) -> ClassSession:
        return self._change(code, token, lambda _, state: rules.turned(state, page))

    def reveal(self, code: str, token: str) -> ClassSession:
        def change(found: ClassSession, state: State) -> State:
            sql = "UPDATE class_questions SET revealed = ? WHERE class = ? AND step = ?"
            self._connection.execute(sql, (now(), found.id, state.asked))
            return rules.revealed(state)

        return self._change(code, token, change)

    def switch(self, code: str, token: str, name: rules.Switch, *, on: bool) -> ClassSession:
        return self._change(code, token, lambda _, state: rules.switched(state, name, on=on))

    def ask_word(self, code: str, token: str, *, on: bool) -> ClassSession:
        """Let devices join with a word only, a new one each time; or without any."""
        return self._change(code, token, lambda _, state: replace(state, word=new_word() if on else ""))

    def remove(self, code: str, token: str, *, minutes: int) -> ClassSession:
        """Remove the devices that joined in the last `minutes` (0 for all) with their votes, and close the door."""

        def change(found: ClassSession, state: State) -> State:
            after = rules.removed(state, minutes)
            self.learners.remove(found, minutes)
            return after

        return self._change(code, token, change)

    def end(self, code: str, token: str) -> None:
        """End a class for everybody; its votes stay. A vote that is open is closed. A class that is over is unchanged."""
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
        """Delete the classes that were over at a given time: in a demo nobody returns to them."""
        self._connection.execute("DELETE FROM classes WHERE coalesce(ended, expires) <= ?", (at,))

    # Learners

    def join(self, code: str, token: str, limits: ClassLimits, *, word: str = "") -> ClassSession:
        """Let a browser into a class, once. Raises LimitReached if it is full, BadOptions if it may not, NotFound if over."""
        with self._connection.writing():
            found = self._open(code)
            learner = mark(found.id, token)
            if learner == found.teacher or self.learners.has_joined(found, learner):
                return found
            if found.state.closed:
                raise BadOptions("the teacher has closed the door of this class: no more devices can join")
            if found.state.word and not same_word(word, found.state.word):
                raise BadOptions("this is not the word of this class; ask your teacher for it")
            self.learners.enter(found, learner, limits)
        return found

    def hear(self, found: ClassSession, token: str, limits: ClassLimits) -> None:
        """Note that a browser in a class is still there; written down now and then only. A device that was gone takes a place
        again: raises LimitReached if there is none, and NotFound for a browser that is not in the class, or was removed."""
        learner = mark(found.id, token)
        if self.learners.is_noted(found, learner):
            return
        with self._connection.writing():
            found = self._open(found.code)
            self._check_joined(found, learner)
            if self.learners.holds_place(found, learner):
                self.learners.note(found, learner)
            else:
                self.learners.enter(found, learner, limits)

    def vote(self, code: str, token: str, ballot: Ballot) -> None:
        """Raises BadOptions unless just the round of the ballot is open, and NotFound for a browser that has not joined."""
        step, round_, option = ballot
        with self._connection.writing():
            found = self._open(code)
            learner, state = mark(found.id, token), found.state
            self._check_joined(found, learner)
            if state.phase != "voting" or (state.asked, state.round) != (step, round_):
                raise BadOptions("this vote was closed before yours came")
            if not self.learners.holds_place(found, learner):
                raise LimitReached("this device was gone for a while; wait until its page has a place again")
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

    def own_votes(self, found: ClassSession, token: str) -> list[Vote]:
        """What this browser voted in closed rounds."""
        learner = mark(found.id, token)
        return [vote for vote in self._votes(found.id) if vote.learner == learner]

    # What is counted

    def voted(self, found: ClassSession) -> int:
        """How many have voted in the present round, open or closed."""
        sql = "SELECT count(*) FROM class_votes WHERE class = ? AND step = ? AND round = ?"
        return int(self._connection.execute(sql, (found.id, found.state.asked, found.state.round)).fetchone()[0])

    def result(self, found: ClassSession) -> Result | None:
        """What was voted on the present question, in closed rounds; None if none is asked."""
        if (step := found.state.asked) is None:
            return None
        return result(self._question(found.id, step), self._votes(found.id, step), self._before(found.id, step).rounds)

    def results(self, found: ClassSession) -> list[Result]:
        """What was voted on every question that was asked, in closed rounds, in the order of the steps."""
        rows = self._connection.execute("SELECT asked FROM class_questions WHERE class = ? ORDER BY step", (found.id,)).fetchall()
        votes = self._votes(found.id)
        with self._connection.decoding():
            questions = [rules.as_question(json.loads(asked)) for (asked,) in rows]
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
            same = _moment(after) == _moment(found.state)
            after, since = (after, found.since) if same else (replace(after, page=0), now())
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

    def _check_joined(self, found: ClassSession, learner: str) -> None:
        if not self.learners.has_joined(found, learner):
            raise NotFound("this browser is not in the class; open the class again by its code")

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

    def _question(self, class_id: str, step: int) -> ClassQuestion:
        sql = "SELECT asked FROM class_questions WHERE class = ? AND step = ?"
        row = self._connection.execute(sql, (class_id, step)).fetchone()
        if row is None:
            raise NotFound("this is not asked in this class")
        with self._connection.decoding():
            return rules.as_question(json.loads(row[0]))

    def _votes(self, class_id: str, step: int | None = None) -> list[Vote]:
        """The votes of closed rounds; only of one step, if given."""
        sql = _VOTES if step is None else f"{_VOTES} AND votes.step = :step"
        return [Vote(*row) for row in self._connection.execute(sql, {"id": class_id, "step": step, "now": now()})]

    def _as_class(self, row: tuple[Any, ...]) -> ClassSession:
        values = dict(zip(ClassSession.__dataclass_fields__, row, strict=True))
        with self._connection.decoding():
            return ClassSession(**{**values, "state": State(**json.loads(values["state"]))})


def _moment(state: State) -> tuple[object, ...]:
    """What the teacher's clock measures the time of."""
    return state.phase, state.asked, state.round


class Learners:
    """The table of devices, which are marks. What changes it is called within a transaction."""

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
        """How many devices joined in the last so many minutes, and in total (under 0 minutes): what `remove` would remove."""
        return [(minutes, self._count(found, "joined >= :since", since=_since(minutes))) for minutes in (*rules.LATE, 0)]

    def is_noted(self, found: ClassSession, learner: str) -> bool:
        """Whether a device that holds a place was recorded recently, so that nothing needs to be written."""
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
        """Remove the devices that joined in the last so many minutes (0 for all) with all their votes."""
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
    """The time this many seconds ago."""
    return (datetime.fromisoformat(now()) - timedelta(seconds=seconds)).isoformat(timespec="milliseconds")
