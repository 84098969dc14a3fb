"""Hints for annotators about retrieval."""

from __future__ import annotations

from collections.abc import Iterator

from readers.engine.record.hint import CLOSE, Hint, HintSource


def retrieval_hints(source: HintSource) -> Iterator[Hint]:
    """The last piece that was taken was hardly better than the first that was not."""
    taken = source.decisions("take")
    for step, event in source.decisions("score") if taken else []:
        scores = sorted(map(float, event.because.split()), reverse=True)
        if len(taken) < len(scores):
            last, first = scores[len(taken) - 1], scores[len(taken)]
            if last - first <= CLOSE * abs(last):
                told = f"The last piece that was taken scored {last:.4f}, the first that was not {first:.4f}."
                yield Hint("close_cut", (step,), told)
