"""What a person marks at the steps of a reading for those who will watch it: a note, a pause, a question about what comes next.
Pure.

A stop is at one step, counted from 0. `pauses`: playing halts there. `predicts`: before the step is shown, viewers choose among
the options of its decision; that the step has a decision is checked where the options are known (`components/player/stops.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from readers.engine.canonical import encodable
from readers.engine.errors import BadOptions

LONGEST_NOTE, MOST_STOPS = 2_000, 500


@dataclass(frozen=True)
class Stop:
    """What is marked at a step."""

    at: int
    note: str = ""
    pauses: bool = False
    predicts: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.note or self.pauses or self.predicts)


def checked(stop: Stop, steps: int) -> Stop:
    """The stop with its note tidied. Raises BadOptions for a step outside a reading of this many `steps`, and for a note that is
    too long."""
    if not 0 <= stop.at < steps:
        raise BadOptions(f"there is no step {stop.at + 1}: the reading has {steps:,}")
    note = encodable(stop.note).replace("\0", "").strip()
    if len(note) > LONGEST_NOTE:
        raise BadOptions(f"the note at step {stop.at + 1} has {len(note):,} characters; shorten it to {LONGEST_NOTE:,}")
    return Stop(stop.at, note, stop.pauses, stop.predicts)


def all_checked(stops: Iterable[Stop], steps: int) -> tuple[Stop, ...]:
    """Stops in the order of their steps, without empty ones. Raises BadOptions like `checked`, and if two are at one step or
    there are too many."""
    found = [one for stop in stops if not (one := checked(stop, steps)).is_empty]
    if len(found) > MOST_STOPS:
        raise BadOptions(f"a reading has up to {MOST_STOPS} notes and stops, and these are {len(found):,}; remove some")
    if len({one.at for one in found}) < len(found):
        raise BadOptions("two notes or stops are at the same step; write them as one")
    return tuple(sorted(found, key=lambda one: one.at))


def to_json(stop: Stop) -> dict[str, Any]:
    """The stop as data of a run file."""
    return {"at": stop.at, "note": stop.note, "pauses": stop.pauses, "predicts": stop.predicts}


def from_json(found: Mapping[str, Any]) -> Stop:
    """A stop from data whose form has been checked."""
    return Stop(found["at"], found["note"], found["pauses"], found["predicts"])
