"""Hints for annotators about a recursive reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from readers.engine.record.hint import Hint, HintSource, overlap, spans_opened, steps_of
from readers.engine.text.document import Span
from readers.engine.text.phrases import times


def hints(source: HintSource) -> Iterator[Hint]:
    """Where it did the same again, and where a rule ended its work in a slice."""
    if repeated := source.decisions("repeat"):
        told = f"It chose to do just what it had done in the same slice before, {times(len(repeated))}, and was refused."
        yield Hint("repeated", steps_of(repeated), told)
    if stopped := source.decisions("stop"):
        why = stopped[-1][1].because
        yield Hint("stopped", steps_of(stopped), f"A rule ended its work in a slice {times(len(stopped))}: {why}.")


def hints_from_evidence(source: HintSource, evidence: Sequence[Span]) -> Iterator[Hint]:
    """Known evidence in a part that was read as a whole, of which its reader said that the answer is not there."""
    places = spans_opened(source)
    left = [(step, event) for step, event in source.decisions("not_there") if overlap(places.get(step, ()), evidence)]
    if left:
        told = f"A part that holds known evidence was read, and nothing came back from it, {times(len(left))}."
        yield Hint("left_evidence", steps_of(left), told)
