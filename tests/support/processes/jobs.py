"""Jobs for a process of its own, good ones and hostile ones."""

from __future__ import annotations

import os
import resource
import signal
import socket
import time

from readers.engine import own_process
from readers.engine.errors import BadFile


def number(data: bytes, times: int = 1) -> tuple[int, int]:
    """The length of the data, and the process that counted."""
    return len(data) * times, os.getpid()


def environment(data: bytes) -> dict[str, str]:
    """The environment of the process."""
    return dict(os.environ)


def connect(data: bytes) -> None:
    """To another machine."""
    socket.create_connection((data.decode(), 80), 1)


def refuse(data: bytes) -> None:
    raise BadFile(f"{data.decode()!r} is refused")


def hold_the_interpreter(data: bytes) -> int:
    """One step of the interpreter, with no way to interrupt it, of many seconds."""
    return sum(range(10 ** len(data) * 5))


def wait(data: bytes, seconds: float) -> None:
    """As on a machine that is busy with other things."""
    for quarter in range(4):
        own_process.report(quarter, 4)
        time.sleep(seconds / 4)


def hoard(data: bytes, pause: float) -> None:
    """Memory, piece by piece."""
    held = []
    while True:
        held.append(bytearray(data * 10_000_000))
        time.sleep(pause)


def hoard_without_limit(data: bytes, pause: float) -> None:
    """As on a system that limits no process."""
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    hoard(data, pause)


def die(data: bytes) -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def fail(data: bytes) -> None:
    raise KeyError("a parser's own")
