"""Whom the server answers: a program on this machine that has the key, and no web page. Pure.

A page of another site could send requests through the browser of somebody here. Such a request has an `Origin`, or a `Host` that
is not this machine (a name that was made to lead here), and is refused before its key or its body is looked at; no header ever
allows a page to read a reply.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from hashlib import sha256

HERE = ("127.0.0.1", "localhost", "[::1]")


def refused_origin(headers: Mapping[str, str]) -> str | None:
    """Why a request is refused that may come from a web page; None for any other."""
    host = headers.get("Host", "")
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    if name.lower() not in HERE:
        return f"this server answers only to {' and '.join(HERE[:2])}, not to {host[:100]!r}: use the address that it printed"
    if "Origin" in headers or headers.get("Sec-Fetch-Site", "none") != "none":
        return "this server answers no web page, whatever its origin: ask it from a program"
    return None


def has_key(headers: Mapping[str, str], key: str) -> bool:
    """Whether a request carries the key, as `Authorization: Bearer KEY`. Takes as long for a wrong key as for the right one."""
    scheme, _, given = headers.get("Authorization", "").partition(" ")
    return hmac.compare_digest(_digest(given.strip()), _digest(key)) and scheme.lower() == "bearer"


def _digest(words: str) -> bytes:
    return sha256(words.encode("utf-8", "replace")).digest()
