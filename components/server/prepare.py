"""What the server is prepared with before it starts: its limits, and what every request passes through.

The engine is imported only where it is needed, since the server need not wait for it.
"""

from __future__ import annotations

import asyncio

from starlette.middleware import Middleware

from components.server.base_address import BaseAddress
from components.server.guard import Guard
from components.server.half_sent import limit_heads
from components.server.uploads import Most, UploadLimit, free_disconnected
from components.session import capacity

FILES_ARE_KEPT = 30.0  # seconds for which a page whose connection broke can come back to its uploads


def middleware() -> list[Middleware]:
    """Set the limits of this process, and return the middleware. Call it once."""
    capacity.raise_limit()
    limit_heads()
    guard = Middleware(Guard, most=capacity.most_pages, disconnected=_disconnected)
    return [guard, Middleware(BaseAddress), Middleware(UploadLimit, most=_most_uploaded)]


def _disconnected() -> None:
    from components.session.demo import visits

    visits.end_disconnected()
    asyncio.get_running_loop().call_later(FILES_ARE_KEPT, free_disconnected)


def _most_uploaded() -> Most:
    from components.session.demo import demo_limits

    return Most(bytes=demo_limits.MOST_FILE_BYTES, bytes_of_all=demo_limits.MOST_UPLOADED) if demo_limits.on() else Most()
