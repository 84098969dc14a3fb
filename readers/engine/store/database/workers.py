"""The processes that work on runs: how the database names one, and whether it is still alive.

A process is named by its id and by when it started, because ids are reused. When it started must not follow the clock, which
may be set while it works. Linux counts it in ticks since the machine was booted, which the id of the boot makes unique. On macOS
and Windows it is what the system noted when the process began, as psutil tells processes apart.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

import psutil

CLOCK_DRIFT = 2.0  # seconds; for processes that an earlier version named by the clock
AT_WORK = ("queued", "running", "waiting")

_PROC = Path("/proc")
_STARTED = 19  # the place of the start in `/proc/PID/stat`, after the name of the program


def this_worker() -> str:
    """This process, by its id and by when it started."""
    return f"{os.getpid()}:{_cached_start(os.getpid())}"


def is_alive(worker: str) -> bool:
    """Whether the process with this name still runs."""
    pid, _, started = worker.partition(":")
    try:
        process = psutil.Process(int(pid))
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        return _is_near(process.create_time(), started) if _is_by_clock(started) else _start(int(pid)) == started
    except (psutil.Error, OSError, ValueError, IndexError):
        return False


def under_way(status: str, worker: str | None) -> bool:
    """Whether a live process works on the run, or has it in its queue."""
    return status in AT_WORK and is_alive(worker or "")


def is_interrupted(status: str, worker: str | None) -> bool:
    """Whether the process that worked on the run has died."""
    return status in AT_WORK and not is_alive(worker or "")


@cache
def _cached_start(pid: int) -> str:
    return _start(pid)


def _start(pid: int) -> str:
    """When a process started, by a clock that nobody sets. Raises OSError or psutil.Error if there is none."""
    if sys.platform == "linux":
        ticks = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[_STARTED]
        return f"{_boot()}+{ticks}"
    return f"noted+{psutil.Process(pid)._ident[1]}"  # `create_time` is corrected when the clock is set


@cache
def _boot() -> str:
    """The id of the machine's current boot; empty in a sandbox that hides it."""
    try:
        return (_PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _is_by_clock(started: str) -> bool:
    return "+" not in started


def _is_near(time: float, started: str) -> bool:
    return abs(time - float(started)) < CLOCK_DRIFT
