"""Two readings side by side: where they diverge, and the player of the Trace page twice.

A script between the players goes to the place where they diverge, and keeps both in step while they are locked together. All of
that happens in the browser; Python is only asked for stretches of long texts and folded parts of pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import streamlit as st

from components.compare.maps import place
from components.html import markup
from components.player import cache, lifeline, mount
from components.player import data as player_data
from components.session import state
from components.session.drawing import fragment
from readers import get
from readers.engine.analysis.differences import LEADS, Difference, Divergence, first_difference, where_paths_diverge
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Reading
from readers.engine.text.document import Document

# The step of each of the two, from 0, at which they diverge: the last step of a reading without such a step; None if they do not
# diverge.
Steps = tuple[int | None, int | None]
NOT_PARTED: Steps = (None, None)
NOTHING_MORE = "It opened nothing more word for word."
_Names = Sequence[Mapping[str, str]]
SAME_WAY = "what each opened word for word after its memory was built, in the order it opened it"


class Numbered(NamedTuple):
    """A reading with its number, its short name on the page with that number, and its full one without."""

    number: int
    name: str
    title: str
    reading: Reading


Two = tuple[Numbered, Numbered]  # the readings that are side by side


class Parting(NamedTuple):
    """Where two readings diverge, in words: for each its step (from 0), what happened there, and what it wrote or was shown. They
    do not part without `sides`."""

    lead: str
    sides: tuple[tuple[int | None, str, str], ...] = ()
    note: str = ""


ALIKE = Parting("They do not differ: every step, prompt and reply is the same.")


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
    one, other = both[0].reading, both[1].reading
    if not _same_reader(both):
        found = where_paths_diverge(one.trace, other.trace)
        told = ways_told(found, one.document)
        return told, (_step_of(told, 0, one), _step_of(told, 1, other)) if told.sides else NOT_PARTED
    difference = first_difference(one, other)
    sentences = [[step["say"] for step in cache.frames(reading)["steps"]] for reading in (one, other)]
    names = [get(reading.run.reader).names(reading.trace) for reading in (one, other)]
    told = parting(difference, (one, other), sentences, names)
    return told, (_step_of(told, 0, one), _step_of(told, 1, other)) if difference else NOT_PARTED


def _step_of(told: Parting, which: int, reading: Reading) -> int:
    step = told.sides[which][0] if told.sides else None
    return max(0, len(reading.trace.steps) - 1) if step is None else step


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


# In words


def parting(found: Difference | None, both: Sequence[Reading], told: Sequence[Sequence[str]], names: _Names) -> Parting:
    """Where two readings by the same reader part. `told` are the steps of each in sentences, `names` the names of each one's
    texts."""
    if found is None:
        return ALIKE
    sides = []
    for n in (0, 1):
        at = found.steps[n]
        sentence = told[n][at] if at is not None and at < len(told[n]) else "It has no steps."
        sides.append((at, sentence, found.words[n]))
    place = (
        next((names[n].get(found.about[n], "") for n in (0, 1) if found.about[n] in names[n]), "")
        if found.kind == "wrote"
        else ""
    )
    if both[0].run.question != both[1].run.question and found.kind == "asked":
        return Parting(f"{LEADS['asked']}: the questions are not the same.", tuple(sides))
    return Parting(f"{LEADS[found.kind]}{f', for {place}' if place else ''}.", tuple(sides))


def ways_told(found: Divergence | None, document: Document) -> Parting:
    """Where the ways of two different readers through a text part."""
    if found is None:
        return Parting("They opened the same places, or nearly the same, in the same order.", note=f"Compared is {SAME_WAY}.")
    before = max(found.before)
    if found.overlap:
        lead = "Their places overlap, but they are not the same"
        lead += "; the ones before were, or nearly." if before else ", from the first one on."
    elif before:
        lead = "After places that overlap, in the same order, they went to different ones."
    else:
        lead = "They went to different places from the first one on."
    sides = tuple(
        (opened.step if opened else None, f"It opened {place(opened.span, document)}." if opened else NOTHING_MORE, "")
        for opened in found.places
    )
    return Parting(
        lead,
        sides,
        f"Compared is {SAME_WAY}. Two places overlap if the part they share is longer than what comes before it, and are "
        f"nearly the same if the other reading also opened three quarters of each.",
    )


def stepping(same_reader: bool, first: int | None) -> str:
    """How two players step when they are locked together. `first` is the step, from 0, of the first one where they part."""
    if not same_reader:
        return "Locked together, both are equally far through their own steps, because they have no steps in common."
    rule = "Locked together, both show the step with the same number"
    if first is None:
        return f"{rule}."
    return f"{rule}: alike before step {first + 1:,}, where they part, and in step after it."


def _parting_html(lead: str, sides: Iterable[tuple[str, str, str]], note: str) -> str:
    """Where two readings diverge: in a sentence, then for each its name and step, what happened there, and what it wrote."""
    told = ""
    for name, sentence, words in sides:
        wrote = f"<blockquote>{escape(words)}</blockquote>" if words else ""
        told += f"<div><h3>{escape(name)}</h3><p>{escape(sentence)}</p>{wrote}</div>"
    said = f'<div class="sides">{told}</div>' if told else ""
    more = f'<p class="aside">{escape(note)}</p>' if note else ""
    return f'<div class="parting"><p class="lead-sentence">{escape(lead)}</p>{said}{more}</div>'
