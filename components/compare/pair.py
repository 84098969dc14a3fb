"""Two readings side by side: where they part, and the player of the Trace page twice.

A script between the players goes to the place where they part, and keeps both in step while they are locked together. All of
that happens in the browser; Python is only asked for stretches of long texts and folded parts of pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from components.compare import html, wording
from components.compare.wording import Parting
from components.html import markup
from components.player import cache, mount
from components.player import data as player_data
from components.session import state
from components.session.drawing import fragment
from readers import get
from readers.engine.analysis.differences import first_difference, where_paths_diverge
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Reading


class Numbered(NamedTuple):
    """A reading with its number, its short name on the page with that number, and its full one without."""

    number: int
    name: str
    title: str
    reading: Reading


class Two(NamedTuple):
    """The two readings that are side by side."""

    first: Numbered
    second: Numbered


class Steps(NamedTuple):
    """The step of each of the two, from 0, at which they part: the last one of a reading that has no such step; None where they
    do not part."""

    first: int | None = None
    second: int | None = None


class Parted(NamedTuple):
    """Where two readings part: in words, and the step of each."""

    told: Parting
    steps: Steps


def show_parting(both: Two, parted: Parted) -> None:
    """Where two readings of the same text part, with a button that goes there in both players."""
    told, steps = parted
    st.html(markup.section("", "Where they part", hint=f"readings {both.first.number} and {both.second.number}"))
    sides = [html.SideText(_at(both[side.which], side.step), side.told, side.words) for side in told.sides]
    st.html(html.parting(told.lead, sides, told.note))
    if told.sides:
        mount.between(_between(both, steps) | {"shows": "part"}, key=state.key("pair", "part", *_ids(both)))


def _at(one: Numbered, step: int | None) -> str:
    count = len(one.reading.trace.steps)
    return f"Reading {one.number}" + (f", step {step + 1:,} of {count:,}" if step is not None else "")


def _ids(both: Sequence[Numbered]) -> list[str]:
    return [one.reading.run.id for one in both]


def _same_reader(both: Two) -> bool:
    return both.first.reading.run.reader == both.second.reading.run.reader


def part(both: Two) -> Parted:
    """Where two readings of the same text part."""
    one, other = both.first.reading, both.second.reading
    if not _same_reader(both):
        found = where_paths_diverge(one.trace, other.trace)
        told = wording.ways_told(found, len(one.document.text))
        return Parted(told, Steps(_step_of(told, 0, one), _step_of(told, 1, other)) if told.sides else Steps())
    difference = first_difference(one, other)
    sentences = [[step["say"] for step in cache.frames(reading)["steps"]] for reading in (one, other)]
    names = [get(reading.run.reader).names(reading.trace) for reading in (one, other)]
    told = wording.parting(difference, (one, other), sentences, names)
    return Parted(told, Steps(_step_of(told, 0, one), _step_of(told, 1, other)) if difference else Steps())


def _step_of(told: Parting, which: int, reading: Reading) -> int:
    step = next((side.step for side in told.sides if side.which == which), None)
    return max(0, len(reading.trace.steps) - 1) if step is None else step


def _between(both: Two, steps: Steps) -> dict[str, Any]:
    """What stands between the two players needs to know of them."""
    return {
        "runs": _ids(both),
        "names": [one.name for one in both],
        "part": list(steps),
        "same": _same_reader(both),
        "rule": wording.stepping(_same_reader(both), steps.first),
        "counts": [len(one.reading.trace.steps) for one in both],
    }


def show_players(both: Two, steps: Steps, gold: Mapping[str, KnownAnswer]) -> None:
    """The players, under a bar that locks them together or leaves them free."""
    mount.between(_between(both, steps) | {"shows": "lock"}, key=state.key("pair", "lock", *_ids(both)))
    with st.container(key="two-players"):
        columns = st.columns(2, gap="medium")
        for n, (column, one) in enumerate(zip(columns, both, strict=True)):
            with column:
                key = state.key("pair-stage", *_ids(both), n)  # of the pair: beside another reading it begins anew
                _player(one, steps[n] if _same_reader(both) else None, gold.get(one.reading.run.id), key=key)


def _player(one: Numbered, at: int | None, known: KnownAnswer | None, *, key: str) -> None:
    """One of the two players, at a step (from 0) or at the end."""
    run, document = one.reading.run, one.reading.document
    st.html(html.player_head(one.number, one.title))
    shown = {"known": cache.known_places(document.text, known) if known else None}
    mount.link({"run": run.id, **shown}, key=state.key("pair-gold", run.id))
    frames = cache.frames(one.reading)
    mount.mount(frames, key=key, at=at, beside=f"Reading {one.number}: {one.title}")
    _feed(one.reading)


@fragment()
def _feed(reading: Reading) -> None:
    """What a player asks of Python."""
    key = state.key("pair-link", reading.run.id)
    wanted = mount.wanted(state.value(key))
    data: dict[str, Any] = {"run": reading.run.id, "hears": True, "quiet": True, "number": wanted.number}
    if wanted.stretches:
        data["stretches"] = player_data.stretches(reading.document, wanted.stretches)
    if wanted.opened:
        data["picture"] = player_data.opened(reading, wanted.opened)
    mount.link(data, key=key)
