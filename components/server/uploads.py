"""How many files and bytes browser sessions may hold on the server at once, however they are sent.

A field for files checks the size of each; direct requests to Streamlit's upload address are not checked by the field, and every
file stays in memory until its session is discarded, which may be long after its page was closed. Not here: what a file may hold
(`readers/engine/ingest`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime import exists, get_instance
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from components.server.guard import in_words

TOO_MANY = 413  # of HTTP
_ROUTE = "/_stcore/upload_file/"


class Held(NamedTuple):
    """The files that a session has on the server, and their bytes together."""

    files: int
    bytes: int


@dataclass(frozen=True)
class Most:
    """What one session may hold, and the bytes of all sessions together."""

    files: int = 250  # an import of questions takes 200 files
    bytes: int = 600_000_000
    bytes_of_all: int = 2_000_000_000


def held() -> dict[str, Held]:
    """What Streamlit keeps, by session."""
    manager = _manager()
    if manager is None:
        return {}
    kept = {session: list(dict(files).values()) for session, files in dict(manager.file_storage).items()}
    return {session: Held(len(files), sum(len(file.data) for file in files)) for session, files in kept.items()}


def free_forgotten() -> None:
    """Delete the files of sessions that Streamlit no longer knows. It keeps those of sessions that it forgets without closing."""
    manager = _manager()
    for session in held():
        if manager is not None and not get_instance()._session_mgr.get_session_info(session):
            manager.remove_session_files(session)


def _manager() -> MemoryUploadedFileManager | None:
    manager = get_instance().uploaded_file_mgr if exists() else None
    return manager if isinstance(manager, MemoryUploadedFileManager) else None


class UploadLimit:
    """Middleware: refuses a file of a session that already has the maximum, or if there is no room, counting files being sent."""

    def __init__(self, app: ASGIApp, *, most: Callable[[], Most], held: Callable[[], Mapping[str, Held]] = held) -> None:
        self._app, self._most, self._held = app, most, held
        self._files: Counter[str] = Counter()  # on their way
        self._bytes: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        session = _session(scope)
        if not session:
            await self._app(scope, receive, send)
            return
        most, own = self._most(), self._held().get(session, Held(0, 0))
        refusal = self._no_room(session)
        if own.files + self._files[session] >= most.files:
            refusal = f"There are {most.files} files of this session here already: reload the page first."
        if refusal:
            await in_words(TOO_MANY, f"{refusal}\n")(scope, receive, send)
            return
        self._files[session] += 1
        arrived = 0

        async def counted() -> Message:
            nonlocal arrived, refusal
            message = await receive()
            arrived += len(message.get("body", b""))
            self._bytes[session] += len(message.get("body", b""))
            refusal = refusal or self._no_room(session)
            return {"type": "http.disconnect"} if refusal else message

        try:
            await self._app(scope, counted, send)
        except ClientDisconnect:
            if not refusal:
                raise
            await in_words(TOO_MANY, f"{refusal}\n")(scope, receive, send)
        finally:
            self._files -= Counter({session: 1})
            self._bytes -= Counter({session: arrived})

    def _no_room(self, session: str) -> str:
        """Why a session may send no more bytes; empty if it may."""
        most, kept = self._most(), self._held()
        if kept.get(session, Held(0, 0)).bytes + self._bytes[session] >= most.bytes:
            return f"There are {most.bytes // 1_000_000} MB of this session here already: reload the page first."
        if sum(each.bytes for each in kept.values()) + self._bytes.total() >= most.bytes_of_all:
            return "The files of all visitors take up all the room there is for them: try again in a minute."
        return ""


def _session(scope: Scope) -> str:
    """The session that a request brings a file for; empty for every other request."""
    path = str(scope.get("path", ""))
    if scope["type"] != "http" or scope.get("method") != "PUT" or _ROUTE not in path:
        return ""
    return path.rpartition(_ROUTE)[2].partition("/")[0]
