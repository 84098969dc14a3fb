"""What the server is prepared with before it starts: its limits, and what every request passes through.

The engine is imported only where it is needed, since the server need not wait for it.
"""

from __future__ import annotations

from starlette.middleware import Middleware

from components.server import left_pages
from components.server.base_address import BaseAddress
from components.server.guard import Guard
from components.server.half_sent import limit_heads
from components.server.uploads import Most, UploadLimit
from components.session import capacity


def middleware() -> list[Middleware]:
    """Set the limits of this process, and return the middleware. Call it once."""
    capacity.raise_limit()
    limit_heads()
    guard = Middleware(Guard, most=_most_connected, disconnected=_disconnected)
    return [guard, Middleware(BaseAddress), Middleware(UploadLimit, most=_most_uploaded)]


def _disconnected() -> None:
    from components.session import demos

    demos.end_disconnected()
    left_pages.note_left(left_pages.SECONDS_IN_A_DEMO if demos.on() else left_pages.SECONDS)


def _most_connected() -> int:
    return capacity.most_pages() - left_pages.kept()


def _most_uploaded() -> Most:
    from components.session import demos

    return Most(bytes=demos.MOST_FILE_BYTES, bytes_of_all=demos.MOST_UPLOADED) if demos.on() else Most()
