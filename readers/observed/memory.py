"""A memory found from messages alone: a text that is carried from call to call and replaced by each reply.

Nothing says that a program has a memory. One is found where calls of one kind hold most of the reply before, and seldom an older
one: a conversation holds them all, a tree of summaries none. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from readers.engine.text import refs
from readers.observed.calls import ObservedCall
from readers.observed.sources import Messages, Sourced, kind_of

FEWEST_CALLS = 3
PRESENT = 0.5  # of a reply
CARRIED, KEPT = 0.6, 0.3  # of the calls: that hold the reply before, at least, and an older one, at most


def memories(calls: Sequence[ObservedCall], found: Sequence[Messages]) -> tuple[int, ...]:
    """The calls whose replies act as a memory, in order; `found` are the sources of their prompts."""
    kinds: dict[str, list[int]] = {}
    for number in sorted(range(len(calls)), key=lambda n: (calls[n].asked, n)):
        if calls[number].reply.strip():
            kinds.setdefault(kind_of(calls[number].messages), []).append(number)
    return tuple(sorted(number for same in kinds.values() if _is_carried(calls, found, same) for number in same))


def _is_carried(calls: Sequence[ObservedCall], found: Sequence[Messages], same: Sequence[int]) -> bool:
    """Whether each of these calls holds the reply to the one before it, and seldom an older one."""
    if len(same) < FEWEST_CALLS:
        return False
    carried = kept = 0
    for place, number in enumerate(same[1:], 1):
        held = _characters(found[number])
        carried += held.get(same[place - 1], 0) >= PRESENT * len(calls[same[place - 1]].reply.strip())
        kept += any(held.get(old, 0) >= PRESENT * len(calls[old].reply.strip()) for old in same[: place - 1])
    later = len(same) - 1
    return carried >= CARRIED * later and kept <= KEPT * later


def _characters(messages: Iterable[tuple[Sourced, ...]]) -> dict[int, int]:
    """How many characters of each reply a prompt holds."""
    held: dict[int, int] = {}
    for piece, *_ in (one for message in messages for one in message):
        if (seq := refs.replied(piece.origin)) is not None:
            held[seq] = held.get(seq, 0) + piece.stop - piece.begin
    return held
