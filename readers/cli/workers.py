"""Who does the readings of a batch: this process, or the workers that `--workers` or `--cluster` name.

With workers, this process stays the home of the readings: it owns the store and gives them away. Not here: how that works
(`engine/run/cluster/`), and the batch (`batches.py`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial

from readers import get
from readers.engine.errors import BadOptions
from readers.engine.models import catalogue
from readers.engine.models.model import Model
from readers.engine.run.cluster.away import Away
from readers.engine.run.cluster.dask_cluster import DaskCluster, check_installed, local_workers, remote_workers
from readers.engine.run.cluster.home_answers import Home, Pace
from readers.engine.run.cluster.home_service import LOOPBACK, HomeService
from readers.engine.run.execute import RunSpec
from readers.engine.run.jobs import MAX_AT_ONCE, Jobs, configured_at_once
from readers.engine.store import Store

_FOR_WORKERS = {"listen": "--listen", "requests_per_minute": "--requests-per-minute", "tokens_per_minute": "--tokens-per-minute"}


def open_models(spec: RunSpec, *, timeout: float | None, log_probs: bool) -> Model:
    """A reading's models, opened on a worker with the keys in that machine's environment."""
    return catalogue.open_models(spec.models, timeout=timeout, log_probs=log_probs)


def check(arguments: argparse.Namespace) -> None:
    """Raise BadOptions, before anything is recorded, for options that do not fit together or need software that is not
    installed."""
    if arguments.workers or arguments.cluster:
        check_installed()
        _listen_at(arguments.listen)
        return
    for name, option in _FOR_WORKERS.items():
        if getattr(arguments, name) is not None:
            raise BadOptions(f"{option} is for readings on workers: also give --workers N or --cluster ADDRESS")


@contextmanager
def jobs_for(store: Store, arguments: argparse.Namespace, *, log_probs: bool = False) -> Iterator[Jobs]:
    """The jobs of a batch; one place more than readings at once, because a batch leaves one free. With `log_probs`, workers
    ask servers for the tokens of each reply."""
    check(arguments)
    if not (arguments.workers or arguments.cluster):
        yield Jobs(at_once=(arguments.at_once or max(1, configured_at_once() - 1)) + 1)
        return
    host, port = _listen_at(arguments.listen)
    pace = Pace.of(arguments.requests_per_minute, arguments.tokens_per_minute)
    with HomeService(Home(pace), path=store.path, host=host, port=port) as service, _cluster(arguments) as cluster:
        models = partial(open_models, timeout=arguments.timeout, log_probs=log_probs)
        if not cluster.workers:
            print("note: no worker has joined the cluster yet; the readings wait for one", file=sys.stderr)
        yield Jobs(store.path, at_once=_places(arguments) + 1, how=Away(cluster, service, get, models))


def _places(arguments: argparse.Namespace) -> int:
    """How many readings are given away at once: processes here get twice as many as they read, so that none waits for its next
    reading."""
    wanted: int = 2 * arguments.workers * (arguments.at_once or 1) if arguments.workers else arguments.at_once or MAX_AT_ONCE
    return min(MAX_AT_ONCE, wanted)


def _cluster(arguments: argparse.Namespace) -> AbstractContextManager[DaskCluster]:
    if arguments.workers:
        return local_workers(arguments.workers, arguments.at_once or 1)
    return remote_workers(arguments.cluster)


def _listen_at(words: str | None) -> tuple[str, int]:
    """The address and port to listen at; port 0 is any free one."""
    host, colon, port = (words or LOOPBACK).partition(":")
    if not host or (colon and not (port.isascii() and port.isdecimal() and 0 < int(port) < 1 << 16)):
        raise BadOptions(f"--listen {words!r} is not an address of this machine, with or without a port, like 10.0.0.5:8790")
    return host, int(port or 0)
