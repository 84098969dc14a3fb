"""Notes, pauses and predictions as the player gets them, `stops` in its frames; and what can be predicted of a reading. Pure.

[{ "at": the step from 0, "note", "pauses", "asks", "verb", "options": [{ "mark", "name", "text", "picked" }, ...] }, ...] in the
order of the steps; the last three only where the step is to be predicted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from readers import get
from readers.engine.record.narrative import StepRecord
from readers.engine.record.options import StepOptions, options
from readers.engine.store import Reading
from readers.engine.teaching.stops import Stop

Predictions = Callable[[int], StepOptions | None]


def predictions(reading: Reading) -> Predictions:
    """What can be predicted at a step (from 0) of a reading, None for nothing: computed when it is asked for, and kept."""
    trace, reader = reading.trace, get(reading.run.reader)
    names = reader.names(trace)

    @cache
    def at_step(at: int) -> StepOptions | None:
        found = options(StepRecord(trace, trace.steps[at], names), reader.narrative) if 0 < at < len(trace.steps) else None
        return found if found and found.predictable else None

    return at_step


def of(stops: Sequence[Stop], steps: int, predicted: Predictions) -> list[dict[str, Any]]:
    """The stops of a reading of so many steps for its player. A prediction where there is nothing to predict is left out, and so
    is what is at a step that the reading does not have."""
    found = []
    for stop in stops:
        if stop.at >= steps:
            continue
        made: dict[str, Any] = {"at": stop.at, "note": stop.note, "pauses": stop.pauses}
        if stop.predicts and (there := predicted(stop.at)):
            shown = [{"mark": one.mark, "name": one.name, "text": one.text, "picked": one.taken} for one in there.options]
            made |= {"asks": there.asks, "verb": there.verb, "options": shown}
        found.append(made)
    return found
