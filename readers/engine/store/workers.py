"""The processes that work on readings: how one is named in the database, and whether it still runs."""

from __future__ import annotations

import os
from functools import cache

import psutil

CLOCK_DRIFT = 2.0  # seconds by which a process's start may be told differently after the clock was set
AT_WORK = ("queued", "running", "waiting")


def this_worker() -> str:
    """This process, known by its id and when it started, since ids are used again."""
    return f"{os.getpid()}:{_started(os.getpid())}"


def is_alive(worker: str) -> bool:
    """Whether the process that called itself `worker` still runs."""
    pid, _, started = worker.partition(":")
    try:
        process = psutil.Process(int(pid))
        return bool(abs(process.create_time() - float(started)) < CLOCK_DRIFT and process.status() != psutil.STATUS_ZOMBIE)
    except (psutil.Error, ValueError):
        return False


def under_way(status: str, worker: str | None) -> bool:
    """Whether a reading that stands so is queued with, or worked on by, a process that lives."""
    return status in AT_WORK and is_alive(worker or "")


@cache
def _started(pid: int) -> str:
    return f"{psutil.Process(pid).create_time():.2f}"
