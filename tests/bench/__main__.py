"""Speed, as ratios to a limit measured in the same run: `make bench`, or `make bench ROWS="opening. batches."` for some rows. Not
part of the tests, for machines differ.

Each row names what is measured, its limit, the ratio and the aim (DESIGN section 13). A ratio over its aim is marked, named at
the end and makes the exit status 1. Every figure is the best of a few rounds: noise only ever adds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from tests.bench import (
    annotate_pages,
    batches,
    build,
    calls,
    cutting,
    estimates,
    facts,
    fates,
    grading,
    growth,
    load,
    long_traces,
    memagent,
    opening,
    pages,
    projects,
    qrmem,
    readagent,
    searching,
    sites,
    starting,
    watch,
    watching,
    workers,
)


class Figure(NamedTuple):
    what: str
    limit: str
    ratio: float
    aim: float


ROWS: tuple[Callable[[], tuple[str, str, float, float]], ...] = (
    cutting.segments,
    growth.segments,
    growth.long_segments,
    growth.structured,
    growth.units,
    growth.named,
    growth.searched,
    growth.replies,
    growth.memory_replies,
    growth.harmless,
    growth.graded,
    growth.quoted,
    growth.accents,
    growth.diffed,
    growth.nearest,
    growth.estimated,
    estimates.expected,
    grading.graded,
    projects.all_labels,
    projects.progress,
    projects.agreed,
    projects.disputed,
    projects.counted,
    projects.moved_on,
    projects.board,  # the last of these: it adds notes to the project
    calls.own_time,
    watching.overhead,
    build.tree,
    build.second_question,
    build.offline,
    readagent.pages_and_gists,
    qrmem.graph,
    qrmem.entities,
    qrmem.drawn,
    memagent.chunks,
    batches.last_quarter,
    batches.very_many,
    batches.very_large_set,
    workers.two_against_one,
    workers.processor,
    workers.against_none,
    facts.followed,
    fates.followed,
    fates.found,
    searching.searched,
    watch.seconds,
    watch.memory,
    long_traces.drawn,
    pages.step,
    pages.step_over_a_novel,
    pages.step_on_stage,
    pages.step_over_a_net,
    pages.step_over_memories,
    pages.panels,
    starting.helped,
    starting.live,
    opening.first_heading,
    opening.start,
    opening.home,
    opening.read,
    opening.trace,
    opening.change,
    opening.any_page,
    opening.first_opens,
    annotate_pages.next_reading,
    annotate_pages.results,
    sites.seconds,
    sites.size,
    sites.front_page,
    sites.searching,
    sites.reading,
    load.browsers,
    load.polls,
    load.work_of_a_poll,
    load.memory_of_a_class,
    load.visit,
    load.servers_memory,
    load.browsers_memory,
    load.very_many,
)


def main(words: list[str]) -> int:
    """Measure the rows whose module and name, joined by a dot, contain one of the words; all of them without words."""
    began, over = time.monotonic(), list[str]()
    rows = [row for row in ROWS if not words or any(word in f"{row.__module__}.{row.__name__}" for word in words)]
    if not rows:
        print(f"no row has {' or '.join(words)} in its name; one is {ROWS[0].__module__}.{ROWS[0].__name__}", file=sys.stderr)
        return 2
    print(f"{'what':<72} {'against':<52} {'ratio':>7} {'aim':>6} {'took':>6}")
    for row in rows:
        started = time.monotonic()
        figure = Figure(*row())
        late = figure.ratio > figure.aim
        over += [f"{row.__module__.rpartition('.')[2]}.{row.__name__}"] if late else []
        took = f"{time.monotonic() - started:.0f} s"
        told = f"{figure.what:<72} {figure.limit:<52} {figure.ratio:>7.2f} {figure.aim:>6.2f} {took:>6}"
        print(f"{told}{'  OVER' if late else ''}", flush=True)
    print(f"{len(rows)} rows in {(time.monotonic() - began) / 60:.0f} minutes; over: {', '.join(over) or 'none'}")
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
