"""The workers: processes on this machine, or a cluster of dask.distributed that runs already.

dask is optional (`requirements-cluster.txt`) and imported only here, when needed. It decides which worker does a reading, and
gives it to another if that worker dies; it carries the id of a reading, and no text, call or reply. Not here: what a worker does
(`worker.py`), and what its home does with it (`home_answers.py`).
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from readers.engine.errors import BadOptions, Busy, ReadingError, StoreError
from readers.engine.run.cluster import worker
from readers.engine.run.cluster.worker import Task, work

CONNECT_SECONDS = 15
OF_WORKERS = {
    "distributed.deploy.lost-worker-timeout": 600,  # seconds in which a dead one must be back; dask's 15 are too few when busy
    # What only dask's dashboard and its large results need: a seventh of the home's work for a short reading.
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.scheduler.active-memory-manager.start": False,
}
MISSING = (
    "reading in several processes or on several machines needs dask.distributed, which is not installed here: "
    "`pip install -r requirements-cluster.txt`"
)


@dataclass(frozen=True)
class Lost:
    """A reading that stopped without an end. `final` says whether another worker would fail in the same way."""

    why: str
    final: bool = False


class Submitted:
    """A reading that was given to the cluster."""

    def __init__(self, future: Any) -> None:
        self._future = future

    def lost(self) -> Lost | None:
        """Why no worker does it any longer; None while one does, or will."""
        if self._future.status == "pending":
            return None
        if self._future.status == "finished":
            return Lost("its worker stopped without saying why")
        if self._future.status != "error":
            return Lost("the cluster’s scheduler is gone, or has forgotten it")
        return _lost(self._future.exception(timeout=CONNECT_SECONDS))

    def withdraw(self) -> None:
        """Let no worker begin it."""
        self._future.cancel()

    @property
    def is_over(self) -> bool:
        return bool(self._future.status != "pending")


class DaskCluster:
    """The workers of one cluster. `is_own`: this process has started them."""

    def __init__(self, client: Any, *, is_own: bool = False) -> None:
        self._client = client
        self.is_own = is_own

    @property
    def workers(self) -> int:
        """How many there are now."""
        return len(self._client.scheduler_info(n_workers=-1)["workers"])

    def submit(self, task: Task) -> Submitted:
        """Give a reading to a worker as soon as one is free. Raises StoreError if the scheduler is gone."""
        try:
            return Submitted(self._client.submit(work, task, key=f"{task.run}-{secrets.token_hex(6)}", pure=False))
        except Exception as error:  # dask raises many kinds
            raise StoreError(f"the cluster’s scheduler cannot be reached ({type(error).__name__}): start it again") from None


def _lost(error: BaseException | None) -> Lost:
    if isinstance(error, ReadingError):
        return Lost(str(error), final=not isinstance(error, (Busy, StoreError)))
    if type(error).__name__ in ("KilledWorker", "CancelledError", "FutureCancelledError"):
        return Lost("the workers that had it died, one after the other")
    return Lost(f"a worker cannot do it: {type(error).__name__}: {str(error)[:500]}", final=True)


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise BadOptions(MISSING) from None
    for name in ("distributed", "distributed.nanny", "distributed.scheduler", "distributed.core", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # a dead worker is noticed by its reading
    return distributed


def check_installed() -> None:
    """Raise BadOptions if dask.distributed is not there."""
    _distributed()


@contextmanager
def local_workers(processes: int, readings: int) -> Iterator[DaskCluster]:
    """This many processes on this machine, each for this many readings at once; they end with this block, and with this
    process."""
    distributed = _distributed()
    from dask import config

    with (
        config.set(OF_WORKERS),
        distributed.LocalCluster(
            n_workers=processes,
            threads_per_worker=readings,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # any free loopback port, because another batch may have a fixed one
            memory_limit=0,
            silence_logs=logging.CRITICAL,
            preload=[worker.__name__],
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield DaskCluster(client, is_own=True)


@contextmanager
def remote_workers(address: str) -> Iterator[DaskCluster]:
    """The cluster whose scheduler is at this address, such as `tcp://10.0.0.5:8786`. Raises BadOptions if none is."""
    distributed = _distributed()
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS)
    except Exception as error:  # OSError, TimeoutError, ValueError for a malformed address
        raise BadOptions(
            f"there is no cluster at {address!r} ({type(error).__name__}): start a scheduler there with `python -m dask "
            "scheduler`, and give its address, like tcp://10.0.0.5:8786"
        ) from None
    with client:
        yield DaskCluster(client)
