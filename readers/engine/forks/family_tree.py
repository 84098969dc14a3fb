"""A run and its forks as a tree: which was forked from which, and what was changed. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from readers.engine.forks.describe_edit import describe
from readers.engine.store import Run


class Member(NamedTuple):
    """A run of a family: how many forks separate it from the first run, and what was changed to make it."""

    run: Run
    depth: int
    changed: str


def tree(runs: Iterable[Run]) -> list[Member]:
    """The runs in the order a tree is read: each before its forks, forks by age. Samples of experiments are left out, with their
    forks."""
    known = {run.id: run for run in sorted(runs, key=lambda run: run.created) if not run.experiment}
    below: dict[str | None, list[Run]] = defaultdict(list)
    for run in known.values():
        below[run.parent if run.parent in known else None].append(run)
    members: list[Member] = []
    todo = [(run, 0) for run in reversed(below[None])]
    while todo:
        run, depth = todo.pop()
        members.append(Member(run, depth, describe(run.edit) if run.edit else ""))
        todo += [(fork, depth + 1) for fork in reversed(below[run.id])]
    return members
