"""Sessions hold so many files and bytes on the server, also where they are sent past every field for files."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from starlette.requests import ClientDisconnect

from components.server.uploads import TOO_MANY, Held, Most, UploadLimit, held

MOST = Most(files=5, bytes=1_000, bytes_of_all=2_500)
UPLOAD = "/_stcore/upload_file/session-1/file-7"


class Server:
    """What stands behind the limit: it counts what reaches it, and answers when it is told to."""

    def __init__(self) -> None:
        self.reached = self.bytes = 0
        self.may_answer = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.reached += 1
        await self.may_answer.wait()
        while (message := await receive())["type"] == "http.request":
            self.bytes += len(message["body"])
            if not message["more_body"]:
                break
        else:
            raise ClientDisconnect
        await send({"type": "http.response.start", "status": 204, "headers": []})


def limited(server: Server, *, of: Mapping[str, Held] | None = None) -> UploadLimit:
    return UploadLimit(server, most=lambda: MOST, held=lambda: of or {})


async def ask(limit: UploadLimit, *, path: str = UPLOAD, method: str = "PUT", pieces: int = 1) -> int:
    sent: list[dict[str, Any]] = []
    coming = [{"type": "http.request", "body": b"x" * 100, "more_body": n < pieces} for n in range(1, pieces + 1)]

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return coming.pop(0)

    await limit({"type": "http", "method": method, "path": path}, receive, send)
    return int(sent[0]["status"])


@pytest.mark.parametrize("full", [Held(MOST.files, 0), Held(1, MOST.bytes)])
def test_a_session_with_its_most_gets_no_more_and_may_still_remove_and_look(full: Held) -> None:
    async def tried() -> list[int]:
        server = Server()
        server.may_answer.set()
        limit = limited(server, of={"session-1": full})
        statuses = [await ask(limit), await ask(limit, method="DELETE"), await ask(limit, path="/Read")]
        statuses.append(await ask(limit, path="/base" + UPLOAD.replace("session-1", "session-2")))
        assert server.reached == 3
        return statuses

    assert asyncio.run(tried()) == [TOO_MANY, 204, 204, 204]


def test_all_sessions_together_get_no_more_than_there_is_room_for() -> None:
    async def tried() -> list[int]:
        server = Server()
        server.may_answer.set()
        full = {f"session-{n}": Held(1, 900) for n in (2, 3, 4)}
        return [await ask(limited(server, of=full)), await ask(limited(server, of={"session-2": Held(1, 900)}))]

    assert asyncio.run(tried()) == [TOO_MANY, 204]


def test_files_on_their_way_count_and_are_forgotten_when_they_are_there() -> None:
    async def tried() -> tuple[list[int], list[int]]:
        server = Server()
        limit = limited(server, of={"session-1": Held(MOST.files - 2, 0)})
        waiting = [asyncio.create_task(ask(limit)) for _ in range(5)]
        await asyncio.sleep(0)
        server.may_answer.set()
        first = await asyncio.gather(*waiting)
        return first, [await ask(limit), await ask(limit)]

    first, later = asyncio.run(tried())
    assert sorted(first) == [204, 204, TOO_MANY, TOO_MANY, TOO_MANY]
    assert later == [204, 204]


def test_a_file_larger_than_the_room_for_it_is_broken_off_on_its_way_in_words() -> None:
    async def tried() -> tuple[int, int]:
        server = Server()
        server.may_answer.set()
        return await ask(limited(server), pieces=40), server.bytes

    assert asyncio.run(tried()) == (TOO_MANY, MOST.bytes - 100)


def test_a_sender_that_leaves_is_no_matter_of_room() -> None:
    async def left() -> Any:
        return {"type": "http.disconnect"}

    server = Server()
    server.may_answer.set()
    with pytest.raises(ClientDisconnect):
        asyncio.run(limited(server)({"type": "http", "method": "PUT", "path": UPLOAD}, left, left))


def test_without_a_server_nothing_is_held() -> None:
    assert held() == {}
