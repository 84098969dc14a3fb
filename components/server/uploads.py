"""How many files one browser session may hold on the server at once, however they are sent.

A field for files asks how large each is; what goes to Streamlit's address for uploads directly is asked by nobody, and every file
stays in memory until its session ends. Not here: what a file may hold (`readers/engine/ingest`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.runtime import exists, get_instance
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

MOST_FILES, MOST_BYTES = 250, 600_000_000  # an import of questions takes 200 files
TOO_MANY = 413  # of HTTP
_ROUTE = "/_stcore/upload_file/"


class Held(NamedTuple):
    """The files that a session has on the server, and their bytes together."""

    files: int
    bytes: int


def held_by(session: str) -> Held:
    """What Streamlit keeps for a session."""
    manager = get_instance().uploaded_file_mgr if exists() else None
    if not isinstance(manager, MemoryUploadedFileManager):
        return Held(0, 0)
    files = list(dict(manager.file_storage.get(session) or {}).values())
    return Held(len(files), sum(len(file.data) for file in files))


class UploadLimit:
    """Middleware: refuses a file of a session that has its most already, those on their way included."""

    def __init__(self, app: ASGIApp, held: Callable[[str], Held] = held_by) -> None:
        self._app, self._held = app, held
        self._on_their_way: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        session = _session(scope)
        if not session:
            await self._app(scope, receive, send)
            return
        held = self._held(session)
        if held.files + self._on_their_way[session] >= MOST_FILES or held.bytes >= MOST_BYTES:
            await _refuse(send)
            return
        self._on_their_way[session] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._on_their_way[session] -= 1
            if not self._on_their_way[session]:
                del self._on_their_way[session]


def _session(scope: Scope) -> str:
    """The session that a request brings a file for; empty for every other request."""
    path = str(scope.get("path", ""))
    if scope["type"] != "http" or scope.get("method") != "PUT" or _ROUTE not in path:
        return ""
    return path.rpartition(_ROUTE)[2].partition("/")[0]


async def _refuse(send: Send) -> None:
    words = f"There are {MOST_FILES} files or {MOST_BYTES // 1_000_000} MB of this session here already: reload the page first.\n"
    head = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": TOO_MANY, "headers": head})
    await send({"type": "http.response.body", "body": words.encode()})
