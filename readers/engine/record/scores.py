"""What scores decide: the order of the scored texts, and which of them fit; and how people read them, with two decimals and a
word for how clear the decision was. Pure.

The rule, for every reader and page: a score is compared with the one on the other side of the decision, a chosen option with the
best rejected one, and a rejected option with the last chosen one. They are *equal*, *close* (at most `CLOSE` of the better one
apart), or the decision is *clear*. Records keep scores as they were computed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from typing import Literal

# Two scores are close if they differ by at most this share of the better one.
CLOSE = 0.05
Clearness = Literal["clear", "close", "equal"]
_LONG = re.compile(r"(?<![\w.])(-?\d+\.\d{3,})(?![\w.]*\w)")


def best_first(scores: Sequence[float]) -> list[int]:
    """The numbers of the scores, the best first; of equal ones the first."""
    return sorted(range(len(scores)), key=lambda number: (-scores[number], number))


def fitting(order: Iterable[int], size: Callable[[int], int], room: int, *, skips: bool = False) -> list[int]:
    """The numbers of what fits into a room together, taken in this order: up to the first that does not fit; with `skips` all but
    those that do not."""
    taken = []
    for number in order:
        if size(number) <= room:
            taken.append(number)
            room -= size(number)
        elif not skips:
            break
    return taken


def clearness(score: float, other: float) -> Clearness:
    """How clear a decision was between two scores."""
    if score == other:
        return "equal"
    return "close" if abs(score - other) <= CLOSE * max(abs(score), abs(other)) else "clear"


def in_words(scores: Sequence[float], taken: Set[int]) -> list[str]:
    """Each score with its word (`0.42, clear`), where those with the numbers `taken` were taken; no word where none was left."""
    left = [score for number, score in enumerate(scores) if number not in taken]
    least_taken = min((scores[number] for number in taken), default=None)
    best_left = max(left, default=None)
    others = [best_left if number in taken else least_taken for number in range(len(scores))]
    return [
        f"{score:.2f}" + ("" if other is None else f", {clearness(score, other)}")
        for score, other in zip(scores, others, strict=True)
    ]


def shortened(words: str) -> str:
    """A reader's own words, with numbers rounded to two decimals."""
    return _LONG.sub(lambda match: f"{float(match[1]):.2f}", words)
