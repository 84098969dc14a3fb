"""A memory found from messages alone: a text that is carried from call to call and replaced by each reply.

Nothing says that a program has a memory. One is found where calls of one kind hold most of the reply before, and seldom an older
one: a conversation holds them all, a tree of summaries none. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from readers.engine.text import refs
from readers.observed.calls import ObservedCall
from readers.observed.sources import OWN, Messages, Sourced

FEWEST_CALLS = 3
PRESENT = 0.4  # of a reply: what a program leaves out of it are a form's marks and what the model thought
CARRIED, KEPT = 0.6, 0.3  # of the calls: that hold the reply before, at least, and older ones, at most
MOST_KINDS = 50  # that calls are compared with
ALIKE = 0.6  # of the words of both calls
_WORD = re.compile(r"[^\W\d]+")


def memories(calls: Sequence[ObservedCall], found: Sequence[Messages]) -> tuple[int, ...]:
    """The calls whose replies act as a memory, in order; `found` are the sources of their prompts."""
    kinds: list[tuple[frozenset[str], list[int]]] = []
    for number in sorted(range(len(calls)), key=lambda n: (calls[n].asked, n)):
        if calls[number].reply.strip():
            words = own_words(calls[number], found[number])
            for known, numbers in kinds[:MOST_KINDS]:
                if len(words & known) >= ALIKE * len(words | known):
                    numbers.append(number)
                    break
            else:
                kinds.append((words, [number]))
    return tuple(sorted(number for _, same in kinds if _is_carried(calls, found, same) for number in same))


def own_words(call: ObservedCall, found: Messages) -> frozenset[str]:
    """The program's own words in a call, by which its kind is told."""
    own = (
        said.text[one.piece.start : one.piece.end]
        for said, pieces in zip(call.messages, found, strict=True)
        for one in pieces
        if one.piece.origin == OWN
    )
    return frozenset(word for text in own for word in _WORD.findall(text.lower()))


def _is_carried(calls: Sequence[ObservedCall], found: Sequence[Messages], same: Sequence[int]) -> bool:
    """Whether each of these calls holds the reply to the one before it, and seldom older ones; one may be recalled."""
    if len(same) < FEWEST_CALLS:
        return False
    carried = kept = 0
    for place, number in enumerate(same[1:], 1):
        held = _characters(found[number])
        present = [held.get(old, 0) >= PRESENT * len(calls[old].reply.strip()) for old in same[:place]]
        carried += present[-1]
        kept += place > 1 and sum(present[:-1]) >= min(2, place - 1)
    later = len(same) - 1
    return carried >= CARRIED * later and kept <= KEPT * later


def _characters(messages: Iterable[tuple[Sourced, ...]]) -> dict[int, int]:
    """How many characters of each reply a prompt holds."""
    held: dict[int, int] = {}
    for piece, *_ in (one for message in messages for one in message):
        if (seq := refs.replied(piece.origin)) is not None:
            held[seq] = held.get(seq, 0) + piece.stop - piece.begin
    return held
