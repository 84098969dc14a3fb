"""A class as data for the browsers of its teacher and its learners, what these send back, and the address by which a room reaches
it. Pure, except for the clock in its `beat` and for looking up this machine's own addresses.

Nothing here is markup: the browser puts every string on the page as text. Messages from browsers are read like any upload.
Palimpsest listens only on this machine unless it is started otherwise. Then no other device reaches it at any address: the
teacher is shown how to start it for a room, instead of a code that does not work.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_address
from typing import Any
from urllib.parse import quote, urlsplit

import psutil
import segno

from components.class_room import lesson_class, wording
from components.class_room.contract import DeviceData, LessonPanel, RoomData, ScreenData, SeenData, TeacherAct, Whole
from components.session.islands import checked, each_checked
from readers.engine.teaching.classes import ClassSession
from readers.engine.teaching.codes import spaced
from readers.engine.teaching.stops import Stop
from readers.engine.teaching.tally import Ballot, DeviceView

MOST_ACTS = 50
ASKS_EVERY = 1.0  # seconds, after which the teacher, the screen and each learner get the state of the class again


@dataclass(frozen=True)
class RoomProgress:
    """How many devices are here, and how many have voted in the present round; the steps that can be asked about (from 0), those
    asked about unless the teacher wants all, and those whose answer was shown; the marks at the steps; how many joined in the
    last so many minutes (0 for all), and how many fit, in words; what a lesson says beside the picture."""

    here: int
    voted: int
    decisions: Sequence[int] = ()
    usual: Sequence[int] = ()
    done: Collection[int] = ()
    stops: Sequence[Stop] = ()
    late: Sequence[tuple[int, int]] = ()
    fits: str = ""
    lesson: LessonPanel | None = None


def room(
    session: ClassSession,
    shown: DeviceView,
    progress: RoomProgress,
    *,
    now: str,
    where: tuple[str, str] = ("", ""),
    done: tuple[int, str] = (0, ""),
    token: str = "",
) -> RoomData:
    """What the teacher's page is sent. `where`: the address for the room, or what to do if there is none; `done`: the number of
    the last action done, and the message about it."""
    return {
        **screen(session, shown, progress, where=where),
        "problem": where[1],
        "asked": session.state.asked,
        "seconds": _seconds(session.since, now),
        "since": session.since,
        "decisions": list(progress.decisions if session.state.every else progress.usual),
        "every": session.state.every,
        "usual": len(progress.usual),
        "all": len(progress.decisions),
        "stops": [{"at": stop.at, "note": stop.note, "pauses": stop.pauses} for stop in progress.stops],
        "done": sorted(progress.done),
        "word": session.state.word,
        "late": [{"minutes": minutes, "devices": devices} for minutes, devices in progress.late],
        "fits": progress.fits,
        "n": done[0],
        "message": done[1],
        "token": token,
    }


def screen(session: ClassSession, shown: DeviceView, progress: RoomProgress, *, where: tuple[str, str]) -> ScreenData:
    """What the room's screen is sent: no note, nothing to press, and no word of a problem with the address."""
    address, problem = where
    code = None if problem or not address else qr_code(address)
    return {
        **_seen(session, shown),
        "run": progress.lesson["run"] if progress.lesson else session.run,
        "lesson": progress.lesson,
        "page": session.state.page,
        "here": progress.here,
        "voted": progress.voted,
        "closed": session.state.closed,
        "asksWord": bool(session.state.word),
        "address": address if code else "",
        "qr": code,
    }


def device(session: ClassSession, shown: DeviceView, *, token: str = "", problem: str = "", alone: bool = False) -> DeviceData:
    """What a learner's page is sent. `alone`: it steps through the reading independently."""
    lesson = session.state.lesson
    return {
        **_seen(session, shown),
        "problem": problem,
        "asked": session.state.asked,
        "write": lesson_class.to_write(lesson, session.state.at) if lesson and session.state.phase == "reading" else [],
        "token": token,
        "alone": alone,
    }


def _seen(session: ClassSession, shown: DeviceView) -> SeenData:
    reveal, lesson = shown.reveal, session.state.lesson
    title, answers = lesson_class.read_for(lesson, session.state.at) if lesson else (session.title, "")
    return {
        "code": spaced(session.code),
        "title": title,
        "answers": answers,
        "unit": session.unit,
        "phase": shown.phase,
        "at": shown.at,
        "steps": shown.steps,
        "says": shown.says,
        "round": shown.round,
        "loose": shown.loose,
        "joining": shown.joining,
        "words": shown.words,
        "verb": shown.verb,
        "options": [{"mark": one.mark, "name": one.name, "text": one.text} for one in shown.options],
        "mine": shown.mine,
        "counts": [list(counts) for counts in shown.counts],
        "after": [words for words in (wording.moved(shown.moved, shown.verb), wording.known(reveal)) if words],
        "reveal": None if reveal is None else {
            "chosen": list(reveal.chosen), "reason": reveal.reason, "by": reveal.by,
            "known": {str(number): words for number, words in wording.keeps(reveal).items()},
        },
        "problem": "", "beat": int(time.time()),
    }  # fmt: skip


def _seconds(since: str, now: str) -> int:
    return max(0, int((datetime.fromisoformat(now) - datetime.fromisoformat(since)).total_seconds()))


def acts(given: object, after: int) -> list[TeacherAct]:
    """The acts that the teacher's page says, with a number above `after`, in order; acts of invalid form are left out."""
    return sorted((act for act in each_checked(TeacherAct, given, MOST_ACTS) if act.n > after), key=lambda act: act.n)


def ballot(given: object) -> Ballot | None:
    """The vote that a learner's page says; None if there is none, or it has no valid shape."""
    vote = {name: given.get(name) for name in Ballot._fields} if isinstance(given, Mapping) else {}
    whole = checked(dict[str, Whole], vote)
    return Ballot(**whole) if whole else None


START = "streamlit run app.py --server.address 0.0.0.0"
ONLY_HERE = (
    "Palimpsest answers only on this machine, so no other device can open the class. Stop it, start it with “{start}”, and open "
    "this page again{at}. Everybody in the same network can then open it, so do it in one you trust."
)
NO_NETWORK = "No other device can reach this machine over a network. Join the room’s network and reload this page."


def room_address(page: str, code: str, *, listens: str, own: Sequence[str]) -> tuple[str, str]:
    """The address of a class for its devices; and where they cannot reach it, what to do about it.

    `page` is the address under which the teacher has opened the page, `listens` the address the server listens on (empty for
    all), `own` are this machine's addresses in its networks.
    """
    parts = urlsplit(page)
    query = f"?code={quote(code)}"
    here = f"{parts.scheme}://{parts.netloc}{parts.path}{query}"
    port = f":{parts.port}" if parts.port else ""
    there = f"{parts.scheme}://{own[0]}{port}{parts.path}{query}" if own else ""
    if not _is_loopback(parts.hostname or ""):
        return here, ""
    if _is_loopback(listens):
        at = f"; the room then finds the class at {there}" if own else ""
        return here, ONLY_HERE.format(start=START, at=at)
    return (there, "") if own else (here, NO_NETWORK)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def own_addresses() -> list[str]:
    """This machine's addresses in its networks (IPv4), the likeliest to be a room's first."""
    up = {name for name, state in psutil.net_if_stats().items() if state.isup}
    every = [
        one.address
        for name, found in psutil.net_if_addrs().items()
        if name in up
        for one in found
        if one.family == socket.AF_INET
    ]
    usable = [one for one in every if not (ip_address(one).is_loopback or ip_address(one).is_link_local)]
    return sorted(usable, key=lambda one: not one.startswith(("192.168.", "10.")))


QUIET = 4  # modules around a QR code, as its standard asks for


def qr_code(address: str) -> dict[str, Any]:
    """A QR code as an SVG path in a square of `size` units, its quiet zone included."""
    rows = segno.make(address, error="m", micro=False).matrix
    squares = (f"M{x + QUIET} {y + QUIET}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return {"size": len(rows) + 2 * QUIET, "path": "".join(squares)}
