"""No frame says what only a later step knows: at every step it is the frame that a journal gives which ends there.

What holds at all steps is no news: where something stands in a picture, the numbers of parts in the finished tree, which of many
entities are drawn, and which of them go under one name later.
"""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from components.player.pictures.qrmem import LONGEST_LABEL
from readers.engine.record.trace import BUILD, Trace
from readers.engine.store import Run
from readers.engine.text.shorten import shorten_at_word
from readers.engine.text.words import words
from tests.support.readings.every_reading import Way, every_way, reading
from tests.support.readings.frame_at import frame_at, joined, made, said_in_net, until, words_in_labels
from tests.support.readings.shipped_readings import every_shipped, shipped_reading

TRIED = 3  # steps of a reading
UNFINISHED = re.compile(r"has begun and is not finished\.$|\bbegan to \w+")


@every_shipped
def test_of_shipped_readings(name: str) -> None:
    shipped = shipped_reading(name)
    same_at(shipped.trace, shipped.run, random.Random(name).sample(range(len(shipped.trace.steps)), TRIED))


@pytest.mark.slow
@every_shipped
def test_of_shipped_readings_at_every_step(name: str) -> None:
    shipped = shipped_reading(name)
    same_at(shipped.trace, shipped.run, range(len(shipped.trace.steps)))


@every_way
def test_of_every_way_of_reading(way: Way) -> None:
    trace = reading(way.name)
    run = Run("r", trace.document.id, way.reader, trace.question, {"options": dict(way.options)}, "finished")
    steps = range(len(trace.steps))
    same_at(trace, run, random.Random(way.name).sample(steps, min(TRIED, len(steps))))


def same_at(trace: Trace, run: Run, steps: Any) -> None:
    whole = made(trace, run)
    for step in steps:
        ended = made(until(trace, step), run)
        then, now = (without_order(frame_at(data, step), trace, step) for data in (whole, ended))
        if UNFINISHED.search(now["step"]["say"]):  # the record stops within the step
            now["step"] |= {"say": then["step"]["say"], "terms": then["step"].get("terms")}
            then["step"].setdefault("terms", None)
        drawn = now["picture"]
        if drawn and "found" in drawn:
            found = {shorten_at_word(name, LONGEST_LABEL) for name in ended["picture"]["names"].values()} | {""}
            assert then["picture"].pop("names") <= found, f"step {step + 1}"
            assert said_in_net(whole["picture"], step) <= {event.text for event in until(trace, step).wrote.values()}
            del drawn["names"], drawn["found"], then["picture"]["found"]
        if drawn and "legend" in drawn:
            assert words_in_labels(whole["picture"], step) <= words_by(ended["picture"]), f"step {step + 1}"
        if drawn is None:
            then["picture"] = nothing_drawn(then["picture"])
        assert then == now, f"step {step + 1}"


def words_by(drawn: dict[str, Any]) -> set[str]:
    """The words that had met the question, or were asked about, when the journal ends."""
    met = {word for step in drawn.get("compared", {}).values() for option in step["options"] for word in option["met"]}
    return met | {word for one in drawn.get("asked", ()) for word in words(one["question"])}


def nothing_drawn(drawn: dict[str, Any] | None) -> None:
    assert not drawn or not any(drawn.get(name) for name in ("nodes", "pages", "rows", "parts")), drawn


def without_order(frame: dict[str, Any], trace: Trace, step: int) -> dict[str, Any]:
    """The frame without what holds at all steps: the numbers of parts, and the ids under which entities go."""
    frame["map"] = joined(frame["map"])
    if trace.steps[step].phase == BUILD:
        items = frame["step"].get("wrote", {}).get("items", ())
        for item in items:
            del item["name"], item["of"]
    for group in (frame["picture"] or {}).get("panels") or ():
        for row in (*group.get("rows", ()), *group.get("chips", ())):
            row.pop("id", None)
    return frame
