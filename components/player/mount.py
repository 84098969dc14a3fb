"""Mounts the player on a page: stepper, reading map, picture, text and decision, in the browser, all showing one step.

Two components of the Trace page. The *stage* receives the whole reading once and is not redrawn while a person steps. The *link*
is mounted beside Python's own panels: it reports where the position has settled and what the player requests (stretches of a long
text, a folded part of a picture), and carries Python's data back. Home has a third, which plays a reading by itself. The scripts
are modules in `assets/js/`, joined by `html/scripts.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from components.html.scripts import vis_network
from components.html.styles import PLAYER
from components.player.contract import FoundData, PlayerReport, StageData
from components.player.ending import Ending
from components.session import scripts
from components.session.islands import Island, checked, sent

_vis = scripts.keep("vis-network", vis_network())
_stage = Island[StageData]("stage", "player", "player/mount.js", *PLAYER, "tour", library=_vis)
_link = Island[Mapping[str, Any]]("link", "", "player/link.js", says=("at", "hides", "want", "facts", "leaves"))
_found = Island[FoundData]("found", "player found-words", "player/found.js", "player", says=("closed",))
_between = Island[Mapping[str, Any]]("between", "player between", "compare/compare.js", "player")
_showing = Island[Mapping[str, Any]](
    "showing", "player showing", "home/mount.js", "player", "showing", says=("opened",), library=_vis
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
    _stage.draw(
        {
            "frames": frames, "at": at, "beside": "", "end": {"hides": hides_end}, "stage": stage,
            "algorithm": {"shown": algorithm}, "tour": tour,
        },
        key=key,
    )  # fmt: skip


def mount_beside(
    frames: Mapping[str, Any], *, key: str, beside: str = "", at: int | None = None, hides_end: bool | None = None
) -> None:
    """Draw a player among other things, such as another player, a lesson or a form: without Stage and algorithm. One with a name,
    `beside`, does not change the page's address. With `hides_end` it has a switch for the end."""
    end = None if hides_end is None else {"hides": hides_end}
    _stage.draw(
        {"frames": frames, "at": at, "beside": beside, "end": end, "stage": None, "algorithm": None, "tour": False}, key=key
    )


def showing(frames: Mapping[str, Any], *, key: str) -> bool:
    """Draw a reading that plays by itself (`showing.of`); whether it was pressed, to open it."""
    return bool(_showing.draw({"frames": frames}, key=key).opened)


def found(data: FoundData, *, key: str) -> bool:
    """Draw the line that leads from one found passage to the next, and mark the words on the page; whether it was closed."""
    return bool(_found.draw(data, key=key).closed)


def between(data: Mapping[str, Any], *, key: str) -> None:
    """Draw the control between two players: a button that goes to where they diverge, or the switch that locks them together."""
    _between.draw(data, key=key)


def link(data: Mapping[str, Any], *, key: str) -> None:
    """Send `data` to the player of the reading `data["run"]`; with `data["hears"]` its reports come back under `key`.

    `data["goto"]`, {"at": step, "turn": name}, moves the player to a step (from 0), once for each turn; `data["until"]` is the
    last step that it may show, None for no such bound. With `data["leaves"]`, what a panel beside the player says in leaving the
    reading comes back, too, under `leaves`."""
    _link.draw(data, key=key)


def reported(key: str) -> PlayerReport:
    """What the link with this key reported."""
    return checked(PlayerReport, dict(sent(key))) or PlayerReport.model_validate({})
