"""The words of the flow of the evidence: places and bands, the four ways told apart, tables. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from components.html.words.wording import count
from components.questions.flow_rows import FlowRow
from readers.engine.analysis.facts.many.flow import EXITS, STATIONS, VERDICTS, Band, Exit, Place, Station, Telling
from readers.engine.labels.figures.intervals import wilson

PLACES: Mapping[Place, str] = {
    "in the text": "In the text",
    "reached": "Reached",
    "carried": "Carried",
    "opened": "Opened",
    "in the answering call": "In the answering call",
    "used": "Used",
    "never reached": "never reached",
    "summarised away": "summarised away",
    "never opened": "never opened",
    "overwritten": "overwritten",
    "left again": "left again",
    "not used": "not used",
    "perhaps used": "perhaps used",
    "cannot be told": "cannot be told",
    "right": "right",
    "lucky": "lucky",
    "partly right": "partly right",
    "wrong": "wrong",
    "not graded": "not graded",
}
TELLINGS: Mapping[Telling, tuple[str, str]] = {
    "lucky": ("Lucky", "right, with none of the evidence in the answering call"),
    "never opened": ("Never opened", "not right; never shown, or offered and not opened"),
    "summarised away": ("Summarised away", "not right; lost in a summary, gist or memory"),
    "had it, unused": ("Had it, unused", "not right; it stood in the answering call"),
}
INTERVALS = (
    "The intervals are Wilson’s and count each reading as independent. Where several readings are of one text, they are too "
    "narrow."
)
MEANINGS = (
    "**Reached**: it stood before the model raw. **Carried**: a text that the model wrote still says it. **Opened**: it was "
    "shown again after that. **Used**: the answer has its telling words; **perhaps used**: in view, and the words do not tell. "
    "A band passes a column by where the evidence was not surely there, or the reader has no such stage. Click a band or a "
    "number to list its readings."
)
_HEADS: Mapping[Station | Exit, str] = {one: PLACES[one].capitalize() for one in (*STATIONS[1:], *EXITS)}


class Choice(NamedTuple):
    """Readings that can be listed: their key in the address, their name, and their ids."""

    key: str
    name: str
    runs: tuple[str, ...]


def way_name(at: Place | Band) -> str:
    """A place or a band in words."""
    return f"{PLACES[at.source]} → {PLACES[at.target]}" if isinstance(at, Band) else PLACES[at]


def choices(rows: Sequence[FlowRow]) -> list[Choice]:
    """Everything in the rows that can be chosen, row by row."""
    found = []
    for row in rows:
        every: list[tuple[Place | Band, tuple[str, ...]]] = [*row.flow.places.items(), *row.flow.bands.items()]
        found += [Choice(row.key_of(at), f"{row.name}: {way_name(at)}", runs) for at, runs in every]
    return found


def share(part: int, of: int) -> str:
    """A share with its 95 % interval: "27 % (16–42 %)"."""
    interval = wilson(part, of)
    return f"{part / of:.0%} ({100 * interval[0]:.0f}–{interval[1]:.0%})".replace("%", "\u00a0%") if interval else "–"


def telling_fact(runs: int, of: int) -> str:
    """How many readings are of a kind: "12 of 44, 27 % (16–42 %)"."""
    return f"{runs:,} of {count(of, 'reading')}, {share(runs, of)}"


def came_table(rows: Sequence[FlowRow]) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """How far the evidence came: headings and rows, with the answers at the end."""
    verdicts = [one for one in VERDICTS if any(one in row.flow.places for row in rows)]
    heads = ["", *(_HEADS[one] for one in STATIONS[1:]), *(PLACES[one].capitalize() for one in verdicts), "Readings"]
    table = []
    for row in rows:
        cells = [_cell(row, one) if one in row.flow.possible else "has none" for one in STATIONS[1:]]
        table.append((row.name, [*cells, *(_cell(row, one) for one in verdicts), f"{row.flow.total:,}"]))
    return heads, table


def left_table(rows: Sequence[FlowRow]) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Where the evidence was lost, or cannot be told: headings and rows."""
    occurring = [one for one in EXITS if any(one in row.flow.places for row in rows)]
    heads = ["", *(_HEADS[one] for one in occurring), "Readings"]
    return heads, [(row.name, [*(_cell(row, one) for one in occurring), f"{row.flow.total:,}"]) for row in rows]


def _cell(row: FlowRow, place: Place) -> str:
    runs = len(row.flow.places.get(place, ()))
    return f"{runs:,} · {share(runs, row.flow.total)}" if runs else "–"
