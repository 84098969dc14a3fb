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


@dataclass(frozen=True)
class Alone:
    """What only a player has that is alone on its page: its `question` and its `ending` on Stage, over the whole window, a switch
    for the end, and the algorithm beside the reading. `hides_end`: whether what comes later than the step is hidden at first;
    `algorithm`: whether the algorithm is shown at first. Without a question there is no Stage and no algorithm. `tour`: whether
    the page around it is Trace, which has a tour."""

    question: str
    hides_end: bool
    ending: Ending | None = None
    algorithm: bool = False
    tour: bool = False


def mount(frames: Mapping[str, Any], *, key: str, at: int | None = None, beside: str = "", alone: Alone | None = None) -> None:
    """Draw the player over these frames (`frames.frames`), at a step (from 0) or at the end. One of two on a page has a
    distinguishing name, `beside`, and does not change the page's address."""
    end, stage, algorithm = None, None, None
    if alone:
        end = {"hides": alone.hides_end}
        if alone.question:
            stage = {"question": alone.question, "ending": asdict(alone.ending) if alone.ending else None}
            algorithm = {"shown": alone.algorithm}
    shown = {"frames": frames, "at": at, "beside": beside, "end": end, "stage": stage, "algorithm": algorithm}
    _stage(key=key, data=shown | {"tour": bool(alone and alone.tour)})


def showing(frames: Mapping[str, Any], *, key: str) -> bool:
    """Draw a reading that plays by itself (`showing.of`); whether it was pressed, to open it."""
    return bool(_showing(key=key, data={"frames": frames}, on_opened_change=_nothing).opened)


def between(data: Mapping[str, Any], *, key: str) -> None:
    """Draw the control between two players: a button that goes to where they diverge, or the switch that locks them together."""
    _between(key=key, data=data)


def link(data: Mapping[str, Any], *, key: str) -> None:
    """Send `data` to the player of the reading `data["run"]`; with `data["hears"]` its reports come back under `key`.

    `data["goto"]`, {"at": step, "turn": name}, moves the player to a step (from 0), once for each turn."""
    _link(key=key, data=data, on_at_change=_nothing, on_hides_change=_nothing, on_want_change=_nothing, on_facts_change=_nothing)


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


def _nothing() -> None:
    """Streamlit reports a component's changes only if there is a callback."""


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
