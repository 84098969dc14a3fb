"""Hints for annotators about a walk down a tree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from readers.engine.record.events import Answered, Chose
from readers.engine.record.hint import Hint, HintSource, overlap, spans_opened, steps_of
from readers.engine.text.document import Span
from readers.engine.text.phrases import times


def hints(source: HintSource) -> Iterator[Hint]:
    """How the walk went: back up, into the same part again, or where it was refused."""
    if not (entered := source.decisions("enter")):
        return
    if back := source.decisions("revert"):
        then = "and answered all the same" if isinstance(source.trace.end, Answered) else "and gave no answer"
        yield Hint("went_back", steps_of(back), f"It went back up {times(len(back))}, {then}.")
    seen: dict[str, int] = defaultdict(int)
    again = []
    for step, event in entered:
        seen[event.picked] += 1
        if seen[event.picked] > 1:
            again.append((step, event))
    if again:
        where = ", ".join(dict.fromkeys(source.name_of(event.picked, "a part") for _, event in again))
        yield Hint("entered_again", steps_of(again), f"It opened a part that it had left before, {times(len(again))}: {where}.")
    if refused := source.decisions("refuse"):
        why = refused[-1][1].because
        yield Hint("refused", steps_of(refused), f"A choice of its own could not be followed {times(len(refused))}: {why}.")


def hints_from_evidence(source: HintSource, evidence: Sequence[Span]) -> Iterator[Hint]:
    """Evidence that was passed over, left again, or is not where the answer came from."""
    entered = source.decisions("enter")
    if not entered:
        return
    passed = [(step, event) for step, event in entered if _passed_over(source, event, evidence)]
    if passed:
        told = f"An option that stands for known evidence was offered, and another was taken, {times(len(passed))}."
        yield Hint("passed_over", steps_of(passed), told)
    places = spans_opened(source)
    left = [(step, event) for step, event in source.decisions("revert") if overlap(places.get(step, ()), evidence)]
    if left:
        told = f"It went back up from a part of the text that holds known evidence, {times(len(left))}."
        yield Hint("left_evidence", steps_of(left), told)
    elsewhere = [(step, event) for step, event in source.decisions("commit") if not overlap(places.get(step, ()), evidence)]
    if elsewhere:
        yield Hint("answered_elsewhere", steps_of(elsewhere), "It answered from a part of the text without known evidence.")


def _passed_over(source: HintSource, event: Chose, evidence: Sequence[Span]) -> bool:
    if overlap(source.sources_of(event.picked), evidence):
        return False
    return any(overlap(source.sources_of(ref), evidence) for ref in event.among)
