"""The state of a ReMemR1 reading, from its events: the memory after each chunk, and where it looked back to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

from readers.engine.analysis.memory_snapshots import CHUNK, MemoryState, Snapshot
from readers.engine.record.events import Chose
from readers.engine.record.hint import Hint, HintSource, steps_of
from readers.engine.record.journal import Record
from readers.engine.record.narrative import in_plain_words
from readers.engine.text.phrases import times
from readers.rememr1.narrative import NOTHING_EARLIER


class ReMemR1State(MemoryState):
    """The memories, and where it looked back to."""

    @cached_property
    def steps(self) -> dict[str, int]:
        """The step that wrote each memory, by its ref."""
        return {snapshot.ref: snapshot.step for snapshot in reversed(self.snapshots)}

    def callback(self, snapshot: Snapshot) -> dict[str, Any] | None:
        """The look back at a step: its query, the scores of all candidates, and what was recalled; None without one."""
        chosen = {event.action: event for event in snapshot.events if isinstance(event, Chose)}
        recall, scored = chosen.get("recall"), chosen.get("score")
        if recall is None:
            return None
        found = zip(scored.among, scored.because.split(), strict=True) if scored else ()
        scores = [{"step": self.steps[ref], "score": float(score)} for ref, score in found]
        step = self.steps.get(recall.picked)
        distance = snapshot.step - step if step is not None else None
        return {"query": recall.because, "scores": scores, "recalled_step": step, "distance": distance}

    def measures(self, records: Sequence[Record]) -> Mapping[str, Any]:
        """How many steps back each recall went, by its step; None where nothing was looked for."""
        if not self.rows:
            return {}
        recalls = [{"step": row["step"], "distance": row["callback"]["distance"]} for row in self.rows if row["callback"]]
        back = [recall for recall in recalls if recall["distance"] is not None]
        return {"recalls": back if self.trace.decisions("recall") else None}

    def hints(self, source: HintSource) -> Iterator[Hint]:
        """Replies in another form, and what looking back found."""
        if badly := source.decisions("format_error"):
            last = in_plain_words(badly[-1][1].because)
            told = f"A reply was not in the form asked for {times(len(badly))}; the last time: {last}."
            yield Hint("format_error", steps_of(badly), told)
        recalls = source.decisions("recall")
        first = f"{CHUNK} 1"  # there, no memory can be earlier
        if nothing := [
            (step, event) for step, event in recalls if event.picked == NOTHING_EARLIER and first not in source.step_names(step)
        ]:
            told = f"It looked back {times(len(nothing))}, and there was no earlier memory."
            yield Hint("recalled_nothing", steps_of(nothing), told)
        found = [(step, event) for step, event in recalls if event.picked != NOTHING_EARLIER]
        scored = [(step, event) for step, event in source.decisions("score") if step in steps_of(found)]
        blind = [(step, event) for step, event in scored if _all_nought(event)]
        seeing = [(step, event) for step, event in found if step not in steps_of(blind)]
        same = [later for earlier, later in pairwise(seeing) if earlier[1].picked == later[1].picked]
        if same:
            name = source.name_of(same[-1][1].picked, "the same memory")
            told = f"It looked back and was shown the same memory as the time before, {times(len(same))}: {name}."
            yield Hint("recalled_same", steps_of(same), told)
        if blind:
            told = "No earlier memory had anything in common with what it looked back for, "
            yield Hint("recalled_blindly", steps_of(blind), f"{told}{times(len(blind))}; one was shown anyway.")


def _all_nought(event: Chose) -> bool:
    return all(float(score) == 0 for score in event.because.split())
