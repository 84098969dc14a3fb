"""What became of the evidence in 1,000 readings of the samples by every reader: computed the first time, and found the second."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from readers import get
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import Wanted
from readers.engine.store import Store
from tests.support.readings.copied_readings import copied

READINGS = 1_000


def followed() -> tuple[str, str, float, float]:
    with _readings() as (store, every):
        before = time.process_time()
        assert sum(1 for _, fate in evidence.make_fates(store, every, get) if fate) == READINGS
        seconds = time.process_time() - before
    return f"the evidence followed through {READINGS:,} readings", "30 seconds", seconds / 30, 1.0


def found() -> tuple[str, str, float, float]:
    with _readings() as (store, every):
        for _ in evidence.make_fates(store, every, get):
            pass
        with Store(store.path) as restarted:
            before = time.process_time()
            assert len(evidence.saved_fates(restarted, every)) == READINGS
            seconds = time.process_time() - before
    return f"the fates of {READINGS:,} readings, asked for again", "2 seconds", seconds / 2, 1.0


@contextmanager
def _readings() -> Iterator[tuple[Store, list[Wanted]]]:
    """A store with readings of the first sample by every reader, each copied many times."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "palimpsest.db") as store:
        runs, known = copied(store, READINGS)
        yield store, [Wanted(store.runs.get(run), known) for run in runs]
