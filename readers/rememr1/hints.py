"""Hints for annotators about looking back into earlier memories."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from readers.engine.analysis.memory_snapshots import CHUNK
from readers.engine.record.events import Chose
from readers.engine.record.hint import Hint, HintSource, steps_of
from readers.engine.text.phrases import times


def hints(source: HintSource) -> Iterator[Hint]:
    """Replies in another form, and what looking back found."""
    if badly := source.decisions("format_error"):
        told = f"A reply was not in the form asked for {times(len(badly))}; the last time: {badly[-1][1].because}."
        yield Hint("format_error", steps_of(badly), told)
    recalls = source.decisions("recall")
    first = f"{CHUNK} 1"  # there, no memory can be earlier
    if nothing := [
        (step, event) for step, event in recalls if event.picked == "nothing" and first not in source.step_names(step)
    ]:
        told = f"It looked back {times(len(nothing))}, and there was no earlier memory."
        yield Hint("recalled_nothing", steps_of(nothing), told)
    found = [(step, event) for step, event in recalls if event.picked != "nothing"]
    scored = [(step, event) for step, event in source.decisions("score") if step in steps_of(found)]
    blind = [(step, event) for step, event in scored if _all_nought(event)]
    seeing = [(step, event) for step, event in found if step not in steps_of(blind)]
    same = [later for earlier, later in pairwise(seeing) if earlier[1].picked == later[1].picked]
    if same:
        name = source.name_of(same[-1][1].picked, "the same memory")
        told = f"It looked back and was shown the same memory as the time before, {times(len(same))}: {name}."
        yield Hint("recalled_same", steps_of(same), told)
    if blind:
        told = (
            f"No earlier memory had anything in common with what it looked back for, {times(len(blind))}; one was shown anyway."
        )
        yield Hint("recalled_blindly", steps_of(blind), told)


def _all_nought(event: Chose) -> bool:
    return all(float(score) == 0 for score in event.because.split())
