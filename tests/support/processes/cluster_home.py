"""The home of a batch on two local workers, in a process of its own that is killed: for tests of resuming.

python -m tests.support.processes.cluster_home BATCH LOG DELAY
"""

from __future__ import annotations

import sys
from pathlib import Path

from readers.engine.run.cluster.dask_cluster import local_workers
from readers.engine.store import Store
from tests.support.models.noting_models import NotingModels
from tests.support.processes.cluster_work import at_home, away, start


def main(batch: str, log: str, delay: str) -> None:
    with Store() as store, at_home(store) as service, local_workers(2, 2) as cluster:
        assert start(store, store.batches.get(batch), away(cluster, service, NotingModels(Path(log), float(delay)))).wait(120)


if __name__ == "__main__":
    main(*sys.argv[1:])
