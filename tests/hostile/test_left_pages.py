"""Pages that were left take descriptors and memory until Streamlit forgets them: they count, and they are freed in time."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.error import HTTPError

import psutil
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from components.server import left_pages, uploads
from components.session import capacity
from tests.browser.conftest import process, served

LIMIT = 260
MOST = (LIMIT - capacity.RESERVED) // capacity.DESCRIPTORS_A_PAGE
LEFT = MOST * 3 // 4


def opened(address: str) -> ClientConnection:
    return connect(address.replace("http", "ws") + "_stcore/stream", subprotocols=[Subprotocol("streamlit")], max_size=None)


def drawn(page: ClientConnection) -> str:
    """Draw Home; the words of what went wrong."""
    message = BackMsg()
    message.rerun_script.SetInParent()
    page.send(message.SerializeToString())
    wrong = ""
    while True:
        answer = ForwardMsg()
        answer.ParseFromString(bytes(page.recv(60)))
        if answer.WhichOneof("type") == "script_finished":
            return wrong
        wrong += answer.delta.new_element.exception.message


@pytest.mark.slow
def test_pages_that_came_and_went_leave_enough_for_those_that_are_let_in(tmp_path: Path) -> None:
    with served(tmp_path) as address, ExitStack() as stack:
        server = process(address)
        server.rlimit(psutil.RLIMIT_NOFILE, (LIMIT, LIMIT))
        for _ in range(LEFT):
            with opened(address):
                pass
        pages: list[ClientConnection] = []
        with suppress(InvalidStatus):
            while True:
                pages.append(stack.enter_context(opened(address)))
        assert len(pages) == MOST - LEFT
        assert {drawn(page) for page in pages} == {""}
        assert server.num_fds() <= LIMIT - capacity.RESERVED / 2
        with pytest.raises(HTTPError, match="503"):
            urllib.request.urlopen(urllib.request.Request(address, headers={"Accept": "text/html"}))


@dataclass(frozen=True)
class Session:
    id: str


@dataclass(eq=False)
class Info:
    """What Streamlit keeps of a session, made anew whenever its page leaves."""

    session: Session


@dataclass
class Runtime:
    """As much of Streamlit as this needs: sessions, which of them have a page, their files, and a loop whose clock is set."""

    infos: dict[str, Info] = field(default_factory=dict)
    active: set[str] = field(default_factory=set)
    due: list[tuple[float, Callable[[], None]]] = field(default_factory=list)
    now: float = 0.0
    uploaded_file_mgr: MemoryUploadedFileManager = field(default_factory=lambda: MemoryUploadedFileManager("/upload"))

    @property
    def _session_mgr(self) -> Runtime:
        return self

    def list_sessions(self) -> list[Info]:
        return list(self.infos.values())

    def get_session_info(self, session: str) -> Info | None:
        return self.infos.get(session)

    def is_active_session(self, session: str) -> bool:
        return session in self.active

    def close_session(self, session: str) -> None:
        del self.infos[session]

    def get_running_loop(self) -> Runtime:
        return self

    def call_later(self, seconds: float, call: Callable[..., None], *given: object) -> None:
        self.due.append((self.now + seconds, partial(call, *given)))

    def until(self, now: float) -> None:
        self.now = now
        for due in [due for due in self.due if due[0] <= now]:
            self.due.remove(due)
            due[1]()

    def comes(self, session: str) -> None:
        self.active.add(session)
        self.infos.setdefault(session, Info(Session(session)))

    def leaves(self, session: str, seconds: float) -> None:
        self.active.discard(session)
        self.infos[session] = Info(Session(session))
        left_pages.note_left(seconds)


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Runtime:
    runtime = Runtime()
    for module in (left_pages, uploads):
        monkeypatch.setattr(module, "exists", lambda: True)
        monkeypatch.setattr(module, "get_instance", lambda: runtime)
    monkeypatch.setattr(left_pages, "_noted", {})
    monkeypatch.setattr(left_pages, "asyncio", runtime)
    return runtime


def test_a_session_is_closed_when_its_page_does_not_come_back_in_time(runtime: Runtime) -> None:
    for session in ("gone", "back", "flapping"):
        runtime.leaves(session, 10)
    runtime.until(6)
    assert left_pages.kept() == 3
    runtime.comes("back")
    runtime.comes("flapping")
    runtime.leaves("flapping", 10)
    runtime.until(12)
    assert set(runtime.infos) == {"back", "flapping"}
    runtime.until(18)
    assert set(runtime.infos) == {"back"}
    assert left_pages.kept() == 0


def test_files_are_kept_as_long_as_their_session_and_those_of_forgotten_sessions_are_deleted(runtime: Runtime) -> None:
    for session in ("left", "just left", "forgotten", "there"):
        runtime.uploaded_file_mgr.add_file(session, UploadedFileRec("1", "a.txt", "text/plain", b"x" * 1_000))
    runtime.comes("there")
    runtime.leaves("left", 10)
    runtime.until(9)
    runtime.leaves("just left", 10)
    runtime.until(10)
    assert set(uploads.held()) == {"just left", "there"}
