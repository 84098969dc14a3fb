"""Notes, pauses and predictions as the player gets them, `stops` in its frames. Pure.

[{ "at": the step from 0, "note", "pauses", "options": [{ "mark", "name", "text", "picked" }, ...] }, ...] in the order of the
steps; `options` only where the choice is to be predicted: those of the step's decision, with their texts whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from readers.engine.record.trace import Trace
from readers.engine.teaching.stops import Stop
from readers.engine.text import refs
from readers.engine.text.shorten import truncate

LONGEST_OPTION = 4_000  # characters: some 600 words, more than a summary or a page has


def of(stops: Sequence[Stop], trace: Trace, frames: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The stops of a reading for its player, whose `frames` these are. A prediction where there is nothing to predict is left
    out, and so is what is at a step that the reading does not have."""
    found = []
    for stop in stops:
        if stop.at >= len(frames["steps"]):
            continue
        made: dict[str, Any] = {"at": stop.at, "note": stop.note, "pauses": stop.pauses}
        if stop.predicts and stop.at in predictable(frames):
            made["options"] = _options(frames["steps"][stop.at]["decision"], trace)
        found.append(made)
    return found


def predictable(frames: Mapping[str, Any]) -> list[int]:
    """The steps whose choice can be predicted: the model chose one or several of at least two options, and not all of them. The
    first step is none, for there is nothing to look at before it."""
    return [n for n, step in enumerate(frames["steps"]) if n and _may_be_predicted(step.get("decision"))]


def _may_be_predicted(decision: Mapping[str, Any] | None) -> bool:
    if not decision or not decision["by_model"]:
        return False
    picked = [option["picked"] for option in decision["options"]]
    return len(picked) > 1 and any(picked) and not all(picked)


def _options(decision: Mapping[str, Any], trace: Trace) -> list[dict[str, Any]]:
    return [
        {"mark": one["mark"], "name": one["name"], "text": _text(one.get("ref"), trace), "picked": one["picked"]}
        for one in decision["options"]
    ]


def _text(ref: str | None, trace: Trace) -> str:
    """What an option's ref names, whole: something written, or a place of the text."""
    if not ref:
        return ""
    if (number := refs.written(ref)) in trace.wrote:
        return truncate(trace.wrote[number].text, LONGEST_OPTION)
    start, end = refs.span(ref) or (0, 0)
    return truncate(trace.document.text[start:end], LONGEST_OPTION)
