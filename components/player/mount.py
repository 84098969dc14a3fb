"""Mounts the player on a page: stepper, reading map, picture, text and decision, in the browser, all showing one step.

Two components of the Trace page. The *stage* receives the whole reading once and is not redrawn while a person steps. The *link*
is mounted beside Python's own panels: it reports where the position has settled and what the player requests (stretches of a long
text, a folded part of a picture), and carries Python's data back. Home has a third, which plays a reading by itself. The scripts
are modules in `assets/js/`, joined by `html/scripts.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import streamlit as st

from components.html.scripts import script, vis_network
from components.html.styles import sheet
from components.player.ending import Ending
from components.session.drawing import nothing


@dataclass(frozen=True)
class PlayerReport:
    """What the player reported: the step shown (from 0; None before any), whether it hides what comes later (None if it was not
    said), the places of the text it follows, in characters, and what it requests, with a number that identifies the answer."""

    at: int | None
    hides: bool | None = None
    number: int = 0
    stretches: tuple[int, ...] = ()
    opened: tuple[str, ...] = ()
    facts: tuple[tuple[int, int], ...] = ()


_stage = st.components.v2.component(
    "palimpsest.stage",
    html='<div class="player"></div>',
    css=sheet("player", "lifeline", "algorithm", "stage", "tour"),
    js=f"{vis_network()}\n{script('player/mount.js')}",
)
_link = st.components.v2.component("palimpsest.link", html="<div></div>", js=script("player/link.js"))

_between = st.components.v2.component(
    "palimpsest.between",
    html='<div class="player between"></div>',
    css=sheet("player"),
    js=script("compare/compare.js"),
)

_showing = st.components.v2.component(
    "palimpsest.showing",
    html='<div class="player showing"></div>',
    css=sheet("player", "showing"),
    js=f"{vis_network()}\n{script('home/mount.js')}",
)


def mount(
    frames: Mapping[str, Any],
    *,
    key: str,
    question: str,
    hides_end: bool,
    at: int | None = None,
    ending: Ending | None = None,
    algorithm: bool = False,
    tour: bool = False,
) -> None:
    """Draw the player that is alone on its page over these frames (`frames.frames`), at a step (from 0) or at the end.

    `question` and `ending` are what Stage shows, over the whole window. `hides_end`: whether what comes later than the step is
    hidden at first; `algorithm`: whether the algorithm beside the reading is shown at first. `tour`: whether the page around it
    is Trace, which has a tour."""
    stage = {"question": question, "ending": asdict(ending) if ending else None}
    shown = {"frames": frames, "at": at, "beside": "", "end": {"hides": hides_end}, "stage": stage}
    _stage(key=key, data=shown | {"algorithm": {"shown": algorithm}, "tour": tour})


def mount_beside(
    frames: Mapping[str, Any], *, key: str, beside: str = "", at: int | None = None, hides_end: bool | None = None
) -> None:
    """Draw a player among other things, such as another player, a lesson or a form: without Stage and algorithm. One with a name,
    `beside`, does not change the page's address. With `hides_end` it has a switch for the end."""
    end = None if hides_end is None else {"hides": hides_end}
    shown = {"frames": frames, "at": at, "beside": beside, "end": end, "stage": None}
    _stage(key=key, data=shown | {"algorithm": None, "tour": False})


def showing(frames: Mapping[str, Any], *, key: str) -> bool:
    """Draw a reading that plays by itself (`showing.of`); whether it was pressed, to open it."""
    return bool(_showing(key=key, data={"frames": frames}, on_opened_change=nothing).opened)


def between(data: Mapping[str, Any], *, key: str) -> None:
    """Draw the control between two players: a button that goes to where they diverge, or the switch that locks them together."""
    _between(key=key, data=data)


def link(data: Mapping[str, Any], *, key: str) -> None:
    """Send `data` to the player of the reading `data["run"]`; with `data["hears"]` its reports come back under `key`.

    `data["goto"]`, {"at": step, "turn": name}, moves the player to a step (from 0), once for each turn."""
    _link(key=key, data=data, on_at_change=nothing, on_hides_change=nothing, on_want_change=nothing, on_facts_change=nothing)


def wanted(said: object) -> PlayerReport:
    """What a link reported. It comes from the browser, so it is checked like any upload."""
    found = said if isinstance(said, Mapping) else {}
    want = found.get("want")
    number = want.get("number") if isinstance(want, Mapping) else None
    hides = found.get("hides")
    return PlayerReport(
        _whole(found.get("at")), hides if isinstance(hides, bool) else None, _whole(number) or 0, _numbers(want), _ids(want),
        _places(found.get("facts")),
    )  # fmt: skip


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _numbers(want: object) -> tuple[int, ...]:
    found = want.get("stretches", []) if isinstance(want, Mapping) else []
    return tuple(n for n in found[:64] if isinstance(n, int) and n >= 0) if isinstance(found, list) else ()


def _ids(want: object) -> tuple[str, ...]:
    found = want.get("open", []) if isinstance(want, Mapping) else []
    return tuple(str(opened)[:80] for opened in found[:500]) if isinstance(found, list) else ()


def _places(value: object) -> tuple[tuple[int, int], ...]:
    """The places, [start, end] each, that are one."""
    found = [tuple(map(_whole, place)) for place in value[:64] if isinstance(place, list)] if isinstance(value, list) else []
    return tuple(
        (ends[0], ends[1])
        for ends in found
        if len(ends) == 2 and ends[0] is not None and ends[1] is not None and 0 <= ends[0] < ends[1]
    )
