"""Two readings side by side: where they diverge, and the player of the Trace page twice.

A script between the players goes to the place where they diverge, and keeps both in step while they are locked together. All of
that happens in the browser; Python is only asked for stretches of long texts and folded parts of pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import streamlit as st

from components.html import markup
from components.html.words import parting_words
from components.html.words.parting_words import Parting, Steps, stepping
from components.player import cache, lifeline, mount
from components.player import data as player_data
from components.session import state
from components.session.drawing import fragment
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Reading


class Numbered(NamedTuple):
    """A reading with its number, its short name on the page with that number, and its full one without."""

    number: int
    name: str
    title: str
    reading: Reading


Two = tuple[Numbered, Numbered]  # the readings that are side by side


def show_parting(both: Two, parted: tuple[Parting, Steps]) -> None:
    """Where two readings of the same text diverge, with a button that goes there in both players."""
    told, steps = parted
    st.html(markup.section("", "Where they part", hint=f"readings {both[0].number} and {both[1].number}"))
    sides = [(_at(one, step), said, words) for one, (step, said, words) in zip(both, told.sides, strict=False)]
    st.html(_parting_html(told.lead, sides, told.note))
    if told.sides:
        mount.between(_between(both, steps) | {"shows": "part"}, key=state.key("pair", "part", *_ids(both)))


def _at(one: Numbered, step: int | None) -> str:
    count = len(one.reading.trace.steps)
    return f"Reading {one.number}" + (f", step {step + 1:,} of {count:,}" if step is not None else "")


def _ids(both: Sequence[Numbered]) -> list[str]:
    return [one.reading.run.id for one in both]


def _same_reader(both: Two) -> bool:
    return both[0].reading.run.reader == both[1].reading.run.reader


def part(both: Two) -> tuple[Parting, Steps]:
    """Where two readings of the same text part, in words, and the step of each."""
    return parting_words.part(both[0].reading, both[1].reading, _sentences)


def _sentences(reading: Reading) -> list[str]:
    return [str(step["say"]) for step in cache.frames(reading)["steps"]]


def _between(both: Two, steps: Steps) -> dict[str, Any]:
    """What the elements between the two players need to know about them."""
    return {
        "runs": _ids(both),
        "names": [one.name for one in both],
        "part": list(steps),
        "same": _same_reader(both),
        "rule": stepping(_same_reader(both), steps[0]),
        "counts": [len(one.reading.trace.steps) for one in both],
    }


def show_players(both: Two, steps: Steps, gold: Mapping[str, KnownAnswer]) -> None:
    """The players, under a bar that locks them together or leaves them free."""
    mount.between(_between(both, steps) | {"shows": "lock"}, key=state.key("pair", "lock", *_ids(both)))
    with st.container(key="two-players"):
        columns = st.columns(2, gap="medium")
        for n, (column, one) in enumerate(zip(columns, both, strict=True)):
            with column:
                key = state.key("pair-stage", *_ids(both), n)  # for the pair: with another reading it starts anew
                _player(one, steps[n] if _same_reader(both) else None, gold.get(one.reading.run.id), key=key)


def _player(one: Numbered, at: int | None, known: KnownAnswer | None, *, key: str) -> None:
    """One of the two players, at a step (from 0) or at the end."""
    run, document = one.reading.run, one.reading.document
    number = f'<span class="number" aria-hidden="true">{one.number}</span>'
    st.html(f'<div class="compared">{number}<h3>{escape(one.title)}</h3></div>')
    shown = {"known": lifeline.known_places(document.text, known) if known else None}
    mount.link({"run": run.id, **shown}, key=state.key("pair-gold", run.id))
    frames = cache.frames(one.reading)
    mount.mount_beside(frames, key=key, at=at, beside=f"Reading {one.number}: {one.title}")
    _feed(one.reading)


@fragment()
def _feed(reading: Reading) -> None:
    """What a player asks of Python."""
    key = state.key("pair-link", reading.run.id)
    wanted = mount.reported(key)
    data: dict[str, Any] = {"run": reading.run.id, "hears": True, "quiet": True, "number": wanted.number}
    if wanted.stretches:
        data["stretches"] = player_data.stretches(reading.document, wanted.stretches)
    if wanted.opened:
        data["picture"] = player_data.opened(reading, wanted.opened)
    mount.link(data, key=key)


def _parting_html(lead: str, sides: Iterable[tuple[str, str, str]], note: str) -> str:
    """Where two readings diverge: in a sentence, then for each its name and step, what happened there, and what it wrote."""
    told = ""
    for name, sentence, words in sides:
        wrote = f"<blockquote>{escape(words)}</blockquote>" if words else ""
        told += f"<div><h3>{escape(name)}</h3><p>{escape(sentence)}</p>{wrote}</div>"
    said = f'<div class="sides">{told}</div>' if told else ""
    more = f'<p class="aside">{escape(note)}</p>' if note else ""
    return f'<div class="parting"><p class="lead-sentence">{escape(lead)}</p>{said}{more}</div>'
