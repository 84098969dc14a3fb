"""Messages by which one visitor could act on all: they are dropped, and nothing that lasts can be emptied."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
import streamlit as st
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest, BackMsg

from components.server import guard
from components.server.guard import Guard
from components.session import demos, process_cache
from components.widgets.evidence_fates import fate_work


def message(kind: str) -> bytes:
    made = BackMsg()
    field = BackMsg.DESCRIPTOR.fields_by_name[kind]
    if field.message_type is None:
        setattr(made, kind, True)
    else:
        getattr(made, kind).SetInParent()
    return made.SerializeToString()


def operation(kind: str) -> bytes:
    made = BackMsg()
    getattr(made.backend_operation_request, kind).SetInParent()
    return made.SerializeToString()


def test_every_message_that_streamlit_knows_is_decided() -> None:
    kinds = {field.name for field in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields}
    operations = {field.name for field in BackendOperationRequest.DESCRIPTOR.oneofs_by_name["payload"].fields}
    assert kinds == guard.ALLOWED | guard.REFUSED
    assert operations == guard.ALLOWED_OPERATIONS | guard.REFUSED_OPERATIONS
    assert not guard.ALLOWED & guard.REFUSED
    passed = {kind for kind in kinds - {"backend_operation_request"} if guard.allowed(message(kind))}
    assert passed == guard.ALLOWED - {"backend_operation_request"}
    assert {kind for kind in operations if guard.allowed(operation(kind))} == guard.ALLOWED_OPERATIONS
    assert not guard.allowed(b"")
    assert not guard.allowed(message("backend_operation_request"))


def test_a_refused_message_does_not_reach_streamlit_and_the_next_one_does() -> None:
    sent = [message("clear_cache"), message("set_run_on_save"), b"\xff\xff", message("rerun_script")]
    arriving: Iterator[dict[str, Any]] = iter(
        [
            {"type": "websocket.connect"},
            *({"type": "websocket.receive", "bytes": data} for data in sent),
            {"type": "websocket.disconnect"},
        ]
    )
    reached, ended = [], []

    async def behind(scope: Any, receive: Any, send: Any) -> None:
        while (got := await receive())["type"] != "websocket.disconnect":
            reached.append(got.get("bytes"))
        assert not ended

    async def receive() -> Any:
        return next(arriving)

    async def send(message: Any) -> None:
        raise AssertionError(message)

    guard = Guard(behind, most=lambda: 9, disconnected=lambda: ended.append(True))
    asyncio.run(guard({"type": "websocket", "headers": [(b"host", b"localhost")]}, receive, send))
    assert reached == [None, b"\xff\xff", message("rerun_script")]
    assert ended == [True]


class Ended:
    """Jobs that only note whose visit is to end, and what would keep it from ending."""

    def __init__(self) -> None:
        self.visits: dict[str, Any] = {}

    def end_visit(self, visitor: str, *, after: float, unless: Any, then: Any) -> None:
        assert after == demos.GRACE_SECONDS
        self.visits[visitor] = unless


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The sessions that the server knows."""
    sessions = {"session of anna", "session of ben"}
    monkeypatch.setattr(demos, "_connected", lambda session: session in sessions)
    monkeypatch.setattr(demos, "_OPEN", {})
    return sessions


def test_emptied_caches_end_no_visit_and_forget_no_work(connected: set[str]) -> None:
    ended = Ended()
    for visitor in ("anna", "ben"):
        demos._OPEN[f"session of {visitor}"] = visitor, ended  # type: ignore[assignment]
    lasting = process_cache.jobs(), fate_work(), process_cache.last_started()
    st.cache_resource.clear()
    st.cache_data.clear()
    demos.end_disconnected()
    assert ended.visits == {}
    assert all(
        was is now for was, now in zip(lasting, (process_cache.jobs(), fate_work(), process_cache.last_started()), strict=True)
    )


def test_a_visit_ends_with_its_connection_unless_it_comes_back(connected: set[str]) -> None:
    ended = Ended()
    for visitor in ("anna", "ben"):
        demos._OPEN[f"session of {visitor}"] = visitor, ended  # type: ignore[assignment]
    connected.remove("session of anna")
    demos.end_disconnected()
    assert set(ended.visits) == {"anna"}
    is_back = ended.visits.pop("anna")
    assert not is_back()
    connected.add("session of anna")
    assert is_back()
    demos.end_disconnected()
    assert ended.visits == {}
    connected.remove("session of anna")
    demos.end_disconnected()
    assert set(ended.visits) == {"anna"}  # and after it came back, its next end is noticed too


def test_a_visit_outlasts_a_reload_and_a_closed_tab_while_another_is_open(connected: set[str]) -> None:
    ended = Ended()
    for tab in ("anna", "anna's second tab"):
        connected.add(f"session of {tab}")
        demos._OPEN[f"session of {tab}"] = "anna", ended  # type: ignore[assignment]
    connected.remove("session of anna")
    demos.end_disconnected()
    assert ended.visits.pop("anna")()
    connected.remove("session of anna's second tab")
    demos.end_disconnected()
    is_back = ended.visits.pop("anna")
    assert not is_back()
    demos._OPEN["session of anna, reloaded"] = "anna", ended  # type: ignore[assignment]
    assert is_back()
