"""Seeded draws: the same seed and things give the same draw, in every process and on every machine. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

from readers.engine.canonical import digest


def shuffled(salt: str, ids: Iterable[str]) -> tuple[str, ...]:
    """The ids in an order that only they and the salt decide: one more does not change the order of the others."""
    return _shuffled(salt, tuple(ids))


@lru_cache(maxsize=64)  # a bench asks for the same orders at each step from reading to reading
def _shuffled(salt: str, ids: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(ids, key=lambda one: (digest(f"{salt}|{one}"), one)))


def drawn(ids: Sequence[str], strata: Sequence[str], size: int, *, seed: int) -> list[str]:
    """This many of these ids, as equally from each stratum as their sizes allow, in the given order; all of them if there are
    fewer. `strata` names the stratum of each id. A larger draw keeps the smaller draw's items of each stratum."""
    if size >= len(ids):
        return list(ids)
    members: dict[str, list[str]] = defaultdict(list)
    for one, stratum in zip(ids, strata, strict=True):
        members[stratum].append(one)
    queues = [shuffled(f"{seed}|{stratum}", some) for stratum, some in sorted(members.items())]
    shares = _shares([len(queue) for queue in queues], size, seed=seed)
    chosen = {one for queue, share in zip(queues, shares, strict=True) for one in queue[:share]}
    return [one for one in ids if one in chosen]


def _shares(sizes: Sequence[int], total: int, *, seed: int) -> list[int]:
    """How many each stratum gives, as equally as their sizes allow; the seed decides which give one more."""
    shares = [0] * len(sizes)
    turn = sorted(range(len(sizes)), key=lambda at: digest(f"{seed}|{at}"))
    left = total
    while left:
        for at in turn:
            if left and shares[at] < sizes[at]:
                shares[at] += 1
                left -= 1
    return shares
