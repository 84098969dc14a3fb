"""Requests whose sender stops half way. Each holds a file descriptor, and uvicorn waits for the rest for ever."""

from __future__ import annotations

import asyncio
from functools import wraps
from typing import Any

import h11
from starlette.types import Message, Receive
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 20.0


def limit_heads(seconds: float = SECONDS) -> None:
    """Have uvicorn close every connection on which the head of a request takes longer. Call it once, before the first connection.

    uvicorn has no setting for it, so its protocol is given a timer: one runs while a head is awaited.
    """
    made, received, lost = H11Protocol.connection_made, H11Protocol.data_received, H11Protocol.connection_lost

    @wraps(made)
    def connection_made(self: Any, transport: Any) -> None:
        made(self, transport)
        self.head_due = self.loop.call_later(seconds, transport.close)

    @wraps(received)
    def data_received(self: Any, data: bytes) -> None:
        received(self, data)
        if self.conn.their_state is not h11.IDLE:
            self.head_due.cancel()
        elif self.head_due.cancelled():
            self.head_due = self.loop.call_later(seconds, self.transport.close)

    @wraps(lost)
    def connection_lost(self: Any, exc: Exception | None) -> None:
        self.head_due.cancel()
        lost(self, exc)

    H11Protocol.connection_made = connection_made  # type: ignore[method-assign]
    H11Protocol.data_received = data_received  # type: ignore[method-assign]
    H11Protocol.connection_lost = connection_lost  # type: ignore[method-assign]


def timely(receive: Receive, seconds: float = SECONDS) -> Receive:
    """As `receive`, but as if the sender had left when the next piece of the body takes longer."""
    whole = False

    async def received() -> Message:
        nonlocal whole
        if whole:
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), seconds)
        except TimeoutError:
            return {"type": "http.disconnect"}
        whole = not message.get("more_body", False)
        return message

    return received
