"""What the run file and the page show of a reading by ReMemR1, from its events alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from readers.engine.analysis import memory_snapshots
from readers.engine.analysis.memory_snapshots import Snapshot
from readers.engine.record.events import Chose
from readers.engine.record.trace import Trace
from readers.engine.run.bounded_memory import NOTHING_YET


def view(trace: Trace) -> dict[str, Any]:
    """The memory after each chunk, and where it looked back to."""
    return {"snapshots": memory_snapshots.rows(memory_snapshots.snapshots(trace, first=NOTHING_YET), _callback)}


def measures(trace: Trace) -> dict[str, Any]:
    """How many steps back each recall went, by its step; None where nothing was looked for."""
    rows = memory_snapshots.rows(memory_snapshots.snapshots(trace), _callback)
    if not rows:
        return {}
    recalls = [{"step": row["step"], "distance": row["callback"]["distance"]} for row in rows if row["callback"]]
    return {"recalls": [recall for recall in recalls if recall["distance"] is not None] if trace.decisions("recall") else None}


def _callback(snapshot: Snapshot, at: Mapping[str, int]) -> dict[str, Any] | None:
    """The look back at a step: its query, the scores of all candidates, and what was recalled; None without one."""
    chosen = {event.action: event for event in snapshot.events if isinstance(event, Chose)}
    recall, scored = chosen.get("recall"), chosen.get("score")
    if recall is None:
        return None
    found = zip(scored.among, scored.because.split(), strict=True) if scored else ()
    scores = [{"step": at[ref], "score": float(score)} for ref, score in found]
    step = at.get(recall.picked)
    distance = snapshot.step - step if step is not None else None
    return {"query": recall.because, "scores": scores, "recalled_step": step, "distance": distance}
