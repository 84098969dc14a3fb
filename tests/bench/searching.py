"""Words looked for in all that was read and said in 1,000 readings of a sample by every reader."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from readers.engine.analysis.passages import in_readings, passages_in
from readers.engine.store import Store
from readers.engine.store.run_list import RunFilter
from readers.engine.text.search import Sought
from tests.support.readings.copied_readings import copied

READINGS, SHOWN = 1_000, 10
WORDS = ("light", '"high light" keeper', "zeppelin")


def searched() -> tuple[str, str, float, float]:
    """Each search with the passages of the first readings that it found, as Readings shows them; the slowest of them."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "palimpsest.db") as store:
        copied(store, READINGS)
        ids, slowest = store.run_list.ids(RunFilter()), 0.0
        for sought in map(Sought.of, WORDS):
            before = time.process_time()
            found = [run_id for part in in_readings(store, sought, ids) for run_id in part]
            assert all(passages_in(store, run_id, sought) for run_id in found[:SHOWN])
            slowest = max(slowest, time.process_time() - before)
    return f"words found in {READINGS:,} readings", "1 second of the processor", slowest, 1.0
