"""Where a reading opens for an annotator: at its beginning, its first decision, a known place, a loss, or its answer. Pure.

A project has one of these for all its readings (`labels/project.py`). What was known of the answer is followed by the caller
(`facts/follow.py`), and only where the annotator may see it; what cannot be found in a reading opens at the first decision.
"""

from __future__ import annotations

from collections.abc import Sequence

from readers.engine.analysis.facts.follow import Followed
from readers.engine.labels.project import OpensAt
from readers.engine.record.trace import BUILD, Trace


def opening(trace: Trace, opens_at: OpensAt, *, followed: Sequence[Followed] = ()) -> int:
    """The step (from 0) at which a reading opens; 0 where it has none. `followed` are the known facts, none while
    they are hidden from the annotator."""
    last = max(0, len(trace.steps) - 1)
    if opens_at == "beginning":
        return 0
    if opens_at == "answer":
        return last
    found = None
    if opens_at == "known place":
        found = first_known_place(followed)
    elif opens_at == "first loss":
        found = first_loss(followed)
    return min(last, first_decision(trace) if found is None else found)


def first_decision(trace: Trace) -> int:
    """The first step after building: of the walk, of the look-up, of the reading; the last step if it was never reached."""
    return next((step.number for step in trace.steps if step.phase != BUILD), max(0, len(trace.steps) - 1))


def first_known_place(followed: Sequence[Followed]) -> int | None:
    """The first step after building with one of the facts raw before the model; None if there is none."""
    return min((step for one in followed if (step := _raw(one)) is not None), default=None)


def _raw(one: Followed) -> int | None:
    moments = one.life.of("raw", "answering")
    return min((moment.step for moment in moments if not (moment.building or moment.ref)), default=None)


def first_loss(followed: Sequence[Followed]) -> int | None:
    """The first step that decided that one of the facts was lost; None if none was."""
    fates = [one.fate for one in followed if one.fate]
    return min((fate.step for fate in fates if fate.row.decides and fate.row.end == "dead"), default=None)
