"""A reading of 3,000 steps, opened for Trace and drawn, against one of 1,000."""

from __future__ import annotations

import gc
import tempfile
import time
from pathlib import Path

from components.player import data
from readers.engine.store import Store, open_reading
from tests.support.readings.long_readings import SHORT, read_long

FEW, MANY = 1_000, 3_000
ROUNDS = 4


def drawn() -> tuple[str, str, float, float]:
    ratio, name = max((_seconds(name, MANY) / (MANY // FEW * _seconds(name, FEW)), name) for name in SHORT)
    return f"open and draw {MANY:,} steps by {name}", f"thrice the time of {FEW:,} steps", ratio, 1.2


def _seconds(reader_id: str, steps: int) -> float:
    """The best of some rounds of this thread's own work, without the collector of garbage, which looks at all that is held."""
    took = []
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "bench.db") as store:
        run = read_long(store, reader_id, steps)
        gc.collect()
        gc.disable()
        for _ in range(ROUNDS):
            began = time.thread_time()
            data.of(open_reading(store, run.id))
            took.append(time.thread_time() - began)
        gc.enable()
    return min(took)
