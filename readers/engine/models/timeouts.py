"""How long one try of a call may take, and what happens when it takes longer.

A slow server is not a dead one: on a processor, a long prompt may take many minutes. A server that did not answer in time may
still be working on the prompt, so the same prompt is not sent again; a resumed reading sends it when a person says so. A timeout
is about how a reading is executed, not about its content: it is not stored with the reading.
"""

from __future__ import annotations

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from readers.engine.errors import ModelFailed

HOSTED_SECONDS, OWN_SECONDS = 600.0, 1800.0
CONNECT_SECONDS = 20.0  # a server that does not even accept a connection is dead
LEAST_SECONDS, MOST_SECONDS = 1.0, 86_400.0
_CHECK_SECONDS = 0.5
_LOCAL_PROVIDERS = ("ollama", "ollama_chat", "lm_studio")  # their servers are on this machine unless a base URL says otherwise


class TimedOut(ModelFailed):
    """A server did not answer in time. Not worth an automatic retry."""


def seconds_for(model: str, api_base: str | None) -> float:
    """The timeout of one try if none was chosen."""
    return OWN_SECONDS if served_here(model, api_base) else HOSTED_SECONDS


def served_here(model: str, api_base: str | None) -> bool:
    """Whether a server on this machine serves a model."""
    return is_loopback(api_base) if api_base else model.partition("/")[0] in _LOCAL_PROVIDERS


def is_loopback(url: str) -> bool:
    """Whether a base URL leads to this machine."""
    host = urlsplit(url).hostname or ""
    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost"
    return address.is_loopback or address.is_unspecified


def timed_out(what: str, seconds: float) -> TimedOut:
    """The failure of a call that took longer than its timeout: `what` happened, and what to do."""
    return TimedOut(
        f"{what}: no reply came within {seconds:g} seconds. The server may still be working on it, so it was not sent again: "
        "raise the timeout (--timeout, or on the page Models) or take smaller segments, then resume"
    )


def accepts_connections(url: str) -> bool:
    """Whether the server at a base URL accepts connections now; nothing is sent to it."""
    try:
        parts = urlsplit(url)
        with socket.create_connection(
            (parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)), _CHECK_SECONDS
        ):
            return True
    except (OSError, ValueError):
        return False
