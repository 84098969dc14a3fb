"""The processes that work on runs: how the database names one, and whether it is still alive."""

from __future__ import annotations

import os
from functools import cache

import psutil

CLOCK_DRIFT = 2.0  # seconds by which a process may seem to have started at another time after the clock was set
AT_WORK = ("queued", "running", "waiting")


def this_worker() -> str:
    """This process, by its id and start time, because ids are reused."""
    return f"{os.getpid()}:{_started(os.getpid())}"


def is_alive(worker: str) -> bool:
    """Whether the process with this name still runs."""
    pid, _, started = worker.partition(":")
    try:
        process = psutil.Process(int(pid))
        return bool(abs(process.create_time() - float(started)) < CLOCK_DRIFT and process.status() != psutil.STATUS_ZOMBIE)
    except (psutil.Error, ValueError):
        return False


def under_way(status: str, worker: str | None) -> bool:
    """Whether a live process works on the run, or has it in its queue."""
    return status in AT_WORK and is_alive(worker or "")


def is_interrupted(status: str, worker: str | None) -> bool:
    """Whether the process that worked on the run has died."""
    return status in AT_WORK and not is_alive(worker or "")


@cache
def _started(pid: int) -> str:
    return f"{psutil.Process(pid).create_time():.2f}"
