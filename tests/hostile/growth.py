"""Mishaps of the kind Many: very many readings after each other, and a reading of very many steps.

The promise: memory and the file grow with what is kept, and no more. What bounded caches hold is not counted; how long
all this takes is a row of `make bench`.
"""

from __future__ import annotations

import functools
import gc
import json
import sys
import tempfile
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from components.player import data
from readers import READERS, get
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run
from readers.engine.run.jobs import Jobs
from readers.engine.store import Store, open_reading
from readers.engine.store.run_list import RunFilter
from readers.engine.text.document import Document
from tests.hostile.case import Mishap
from tests.readers.every_reader.test_every_reader import QUESTION
from tests.support.paths import LAMP
from tests.support.readings.every_reading import SMALL
from tests.support.readings.long_readings import SHORT, read_long

THIRD = 100
FEW, MANY = 1_000, 3_000
LINEAR = 3.5  # thrice the steps
TEXT = LAMP.read_text(encoding="utf-8")[13_500:15_000]


class Size(NamedTuple):
    """Bytes in memory and in the file, and how many instructions the database needs to list the newest readings."""

    memory: int
    file: int
    listing: int


def let_go() -> None:
    """Clear what bounded caches hold, and collect garbage."""
    for module in list(sys.modules.values()):
        for found in list(vars(module).values()):
            if isinstance(found, functools._lru_cache_wrapper) and found.cache_info().maxsize is not None:
                found.cache_clear()
    gc.collect()


def file_size(store: Store) -> int:
    store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return store.path.stat().st_size


def listing(store: Store) -> int:
    """How many times ten instructions of the database a page of the newest readings takes."""
    asked = 0

    def count() -> int:
        nonlocal asked
        asked += 1
        return 0

    store.connection.db.set_progress_handler(count, 10)
    store.run_list.find(RunFilter())
    store.connection.db.set_progress_handler(None, 0)
    return asked


@contextmanager
def traced() -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


def in_a_row(third: int = THIRD) -> str:
    """Read three times so many short texts in one process. Raises AssertionError if the last third costs more than the second."""
    sizes = []
    with tempfile.TemporaryDirectory() as folder, traced(), Store(Path(folder) / "palimpsest.db") as store:
        jobs = Jobs(store.path, at_once=1)
        for number in range(3 * third):
            reader = READERS[number % len(READERS)]
            text = Document.of(f"Reading {number:04}.\n\n{TEXT}")
            run = create_run(store, text, reader, RunSpec(reader.id, reader.version, QUESTION, options=SMALL[reader.id]))
            jobs.start(run.id, reader, Execution(Offline()))
            assert jobs.wait(60), "a reading does not come to its end"
            assert store.runs.get(run.id).status == "finished", store.runs.get(run.id).error
            if number % third == third - 1:
                let_go()
                sizes.append(Size(tracemalloc.get_traced_memory()[0], file_size(store), listing(store)))
    _, second, last = sizes
    kept, before = last.file - second.file, second.file - sizes[0].file
    assert kept < 1.2 * before, f"the file grew by {before:,} bytes in the second third, and by {kept:,} in the last"
    held = last.memory - second.memory
    assert held < kept / 20, f"{third} readings, which are {kept:,} bytes on record, leave {held:,} bytes in memory"
    assert last.listing < 1.2 * second.listing, f"listing readings takes {sizes} when there are more of them"
    return f"{kept / third:,.0f} bytes on record a reading, and {held / third:,.0f} in memory"


class Weight(NamedTuple):
    """Bytes of a reading: on record, in memory with what the player draws, and what a browser is sent."""

    file: int
    memory: int
    sent: int


def weigh(reader_id: str, steps: int) -> Weight:
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "palimpsest.db") as store:
        run = read_long(store, reader_id, steps)
        file = file_size(store)
        let_go()
        with traced():
            reading = open_reading(store, run.id)
            drawn = data.of(reading)
            _, memory = tracemalloc.get_traced_memory()
    assert len(reading.trace.steps) >= steps, f"{len(reading.trace.steps)} steps"
    return Weight(file, memory, len(json.dumps(drawn)))


def long_trace(reader_id: str) -> str:
    """Open and draw a reading of 3,000 steps. Raises AssertionError if it costs more than thrice one of 1,000, and a little."""
    few, many = weigh(reader_id, FEW), weigh(reader_id, MANY)
    over = [f"{name}: {a:,} and {b:,} bytes" for name, a, b in zip(Weight._fields, few, many, strict=True) if b > LINEAR * a]
    assert not over, f"{FEW:,} and {MANY:,} steps take {'; '.join(over)}"
    return f"{many.file:,} bytes on record, {many.memory:,} in memory, {many.sent:,} sent"


MISHAPS = [
    Mishap("Many", f"{3 * THIRD} readings in a row", 3 * THIRD, in_a_row),
    *(Mishap("Many", f"{MANY:,} steps by {get(name).title}", MANY, partial(long_trace, name)) for name in SHORT),
]
