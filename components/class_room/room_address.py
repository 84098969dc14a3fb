"""The address by which a room reaches a class, and its QR code. Pure, but for looking up this machine's own addresses.

Palimpsest listens on this machine alone unless it is started otherwise. Then no other device reaches it, whatever its address:
the teacher is told how to start it for a room instead of being given a code that leads nowhere.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

import psutil
import segno

START = "streamlit run app.py --server.address 0.0.0.0"
ONLY_HERE = (
    "Palimpsest answers on this machine alone, so no other device can open the class. Stop it, start it with “{start}”, and open "
    "this page again{at}. Everybody in the same network can then open it, so do it in one you trust."
)
NO_NETWORK = "This machine is in no network that another device could reach it by. Join the room’s network and reload this page."


class RoomAddress(NamedTuple):
    """The address of a class for its devices; where they cannot reach it, `problem` says what to do about it."""

    address: str
    problem: str = ""


def room_address(page: str, code: str, *, listens: str, own: Sequence[str]) -> RoomAddress:
    """`page` is the address under which the teacher has opened the page, `listens` the one the server listens on (empty for all),
    `own` are this machine's addresses in its networks."""
    parts = urlsplit(page)
    query = f"?code={quote(code)}"
    here = f"{parts.scheme}://{parts.netloc}{parts.path}{query}"
    port = f":{parts.port}" if parts.port else ""
    there = f"{parts.scheme}://{own[0]}{port}{parts.path}{query}" if own else ""
    if not _is_loopback(parts.hostname or ""):
        return RoomAddress(here)
    if _is_loopback(listens):
        at = f"; the room then finds the class at {there}" if own else ""
        return RoomAddress(here, ONLY_HERE.format(start=START, at=at))
    return RoomAddress(there) if own else RoomAddress(here, NO_NETWORK)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def own_addresses() -> list[str]:
    """This machine's addresses in its networks (IPv4), the likeliest to be a room's first."""
    up = {name for name, state in psutil.net_if_stats().items() if state.isup}
    every = [
        one.address
        for name, found in psutil.net_if_addrs().items()
        if name in up
        for one in found
        if one.family == socket.AF_INET
    ]
    usable = [one for one in every if not (ip_address(one).is_loopback or ip_address(one).is_link_local)]
    return sorted(usable, key=lambda one: not one.startswith(("192.168.", "10.")))


QUIET = 4  # modules around a QR code, as its standard asks for


def qr_code(address: str) -> dict[str, Any]:
    """A QR code as an SVG path in a square of `size` units, its quiet zone included."""
    rows = segno.make(address, error="m", micro=False).matrix
    squares = (f"M{x + QUIET} {y + QUIET}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return {"size": len(rows) + 2 * QUIET, "path": "".join(squares)}
