"""A Python process that may connect to this machine alone, with those it starts: where else they tried to connect is noted.

The guard is a `sitecustomize` that Python runs before anything else, so no library comes before it; it hears what Python itself
reports of connections and of names that are looked up. A library that connects past Python's sockets is not heard.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_GUARD = """
import sys
from ipaddress import ip_address
from pathlib import Path

_TRIED = Path(__file__).with_name("tried")
_HERE = (None, "", b"", "localhost", b"localhost")


def _is_here(host):
    if host in _HERE:
        return True
    try:
        return ip_address(host.decode() if isinstance(host, bytes) else host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _guard(event, about):
    if event == "socket.getaddrinfo" or event == "socket.gethostbyname":
        host = about[0]
    elif event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        host = about[1][0] if isinstance(about[1], tuple) else None  # a socket of this machine is a path
    else:
        return
    if not _is_here(host):
        with _TRIED.open("a") as tried:
            tried.write(f"{event} {host} by {sys.orig_argv[1:]}\\n")
        raise ConnectionRefusedError(f"the guard lets nothing out: {event} {host}")


sys.addaudithook(_guard)
"""


@dataclass(frozen=True)
class Guard:
    """`environment` is what a process is started with to be guarded."""

    folder: Path

    @property
    def environment(self) -> Mapping[str, str]:
        path = os.pathsep.join(filter(None, (str(self.folder), os.environ.get("PYTHONPATH"))))
        return {"PYTHONPATH": path}

    @property
    def tried(self) -> list[str]:
        """Every attempt to reach another machine, with the process that made it."""
        there = self.folder / "tried"
        return there.read_text(encoding="utf-8").splitlines() if there.exists() else []


def guard(folder: Path) -> Guard:
    """A guard that lives in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sitecustomize.py").write_text(_GUARD, encoding="utf-8")
    return Guard(folder)
