"""Cutting a long text."""

from __future__ import annotations

import time
from collections.abc import Callable

from readers.engine.text import split, tokens
from tests.support.paths import SAMPLES

ROUNDS = 3


def long_text(size: int) -> str:
    """A text of at least `size` tokens: the samples, again and again, numbered so that no stretch of them is the same."""
    stories = [path.read_text(encoding="utf-8") for path in sorted(SAMPLES.glob("*.txt"))]
    once = sum(tokens.count(story) for story in stories)
    return "\n\n".join(f"Volume {number}\n\n{story}" for number in range(-(-size // once)) for story in stories)


def best_of(rounds: int, work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """The shortest time in seconds, by a clock: that of the processor leaves out what else the machine does."""
    times = []
    for _ in range(rounds):
        began = clock()
        work()
        times.append(clock() - began)
    return min(times)


def segments() -> tuple[str, str, float, float]:
    text = long_text(1_000_000)
    encode = tokens.encoding().encode_ordinary
    bare = best_of(ROUNDS, lambda: encode(text))
    ours = best_of(ROUNDS, lambda: split.segments(text, 1000))
    return "cut 1 million tokens into segments with offsets", "one bare tiktoken encode of it", ours / bare, 2.0
