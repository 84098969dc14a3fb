"""What carries a fact at each step, by ref: what a picture marks of it. Pure.

A text that rests on the fact has one mark from the step that wrote it: what it says of the fact. Where several texts of one role
were written at a step, those that do not say it have none, except for one if none does: the other relations of a segment have not
lost its facts. A passage that has the fact is marked at the steps at which the fact stood raw before the model, and from the
step on that took it out of view. Not here: what the marks look like, and which of them belong to what is drawn
(`components/player`, `assets/js/pictures`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from readers.engine.analysis.facts.fates import FactFate
from readers.engine.analysis.facts.life import Life, State, has
from readers.engine.record.events import Cut, Looked, Wrote
from readers.engine.record.trace import Trace
from readers.engine.text import refs
from readers.engine.text.document import Span


class MarkChange(NamedTuple):
    """The mark from a step (from 0) on; empty for none."""

    step: int
    mark: State | Literal[""]


class Carriers(NamedTuple):
    """The changes of each ref's mark in the order of steps, and the refs of what the fact died in."""

    marks: Mapping[str, tuple[MarkChange, ...]]
    died: tuple[str, ...]


def carriers(trace: Trace, life: Life, fate: FactFate | None) -> Carriers:
    """The marks of a fact whose life and fate are given."""
    places = [refs.place(*span) for span in _passages(trace) if has([span], life.fact)]
    marks: dict[str, list[MarkChange]] = defaultdict(list)
    telling = {moment.ref for moment in life.moments if moment.written}
    for step in trace.steps:
        for event in trace.events[step.start : step.end]:
            if isinstance(event, Wrote) and event.n in life.texts:
                verdict, ref = life.texts[event.n].verdict, refs.wrote(event.n)
                if verdict != "lost" or ref in telling:
                    marks[ref].append(MarkChange(step.number, verdict))
    for change in _of_places(life):
        for place in places:
            marks[place].append(change)
    for moment in life.of("left out"):
        marks[moment.ref] = [*(one for one in marks[moment.ref] if one.step < moment.step), MarkChange(moment.step, "left out")]
    return Carriers({ref: tuple(changes) for ref, changes in marks.items()}, tuple(_died(life, fate, places)))


def _passages(trace: Trace) -> Iterator[Span]:
    """The places that the reader cut or opened, each once."""
    yield from dict.fromkeys(span for event in trace.events if isinstance(event, (Cut, Looked)) for span in event.spans)


def _of_places(life: Life) -> Iterator[MarkChange]:
    """When the fact stands raw before the model: on from one step, off at the next one at which it does not."""
    steps = sorted({moment.step for moment in life.of("raw", "answering") if not moment.ref})
    for number, step in enumerate(steps):
        if not number or steps[number - 1] < step - 1:
            yield MarkChange(step, "raw")
        if number + 1 == len(steps) or steps[number + 1] > step + 1:
            yield MarkChange(step + 1, "")


def _died(life: Life, fate: FactFate | None, places: list[str]) -> Iterator[str]:
    """The text that the fact died in; the passages that have it, if it died in none."""
    if fate is None or fate.row.end != "dead":
        return
    written = (one.ref for one in life.moments if one.step == fate.step and one.written and one.state == fate.kind)
    ref = next(written, fate.ref)
    yield from [ref] if ref else places
