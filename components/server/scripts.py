"""Serves the scripts that have addresses of their own (`components/session/scripts.py`); a browser keeps each for good."""

from __future__ import annotations

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from components.server.guard import NOT_FOUND, in_words
from components.session import scripts

KEPT = {"cache-control": "public, max-age=31536000, immutable"}


class Scripts:
    """Middleware: answers requests for scripts. They may lie under any path, as a proxy or a page's own name has it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        folder, _, file = str(scope.get("path", "")).rpartition("/")
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD") or not folder.endswith(f"/{scripts.FOLDER}"):
            await self._app(scope, receive, send)
            return
        content = scripts.find(file)
        missing = in_words(NOT_FOUND, "There is no such script here. Reload the page.\n")
        answer = missing if content is None else Response(content, media_type="text/javascript", headers=KEPT)
        await answer(scope, receive, send)
