"""A session holds so many files and bytes on the server, also where they are sent past every field for files."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from components.server.uploads import MOST_BYTES, MOST_FILES, TOO_MANY, Held, UploadLimit, held_by

UPLOAD = "/_stcore/upload_file/session-1/file-7"


class Server:
    """What stands behind the limit: it counts what reaches it, and answers when it is told to."""

    def __init__(self) -> None:
        self.reached = 0
        self.may_answer = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.reached += 1
        await self.may_answer.wait()
        await send({"type": "http.response.start", "status": 204, "headers": []})


async def ask(limit: UploadLimit, *, path: str = UPLOAD, method: str = "PUT") -> int:
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    await limit({"type": "http", "method": method, "path": path}, receive, send)
    return int(sent[0]["status"])


@pytest.mark.parametrize("held", [Held(MOST_FILES, 0), Held(1, MOST_BYTES)])
def test_a_session_with_its_most_gets_no_more_and_may_still_remove_and_look(held: Held) -> None:
    async def tried() -> list[int]:
        server = Server()
        server.may_answer.set()
        limit = UploadLimit(server, lambda session: held if session == "session-1" else Held(0, 0))
        statuses = [await ask(limit), await ask(limit, method="DELETE"), await ask(limit, path="/Read")]
        statuses.append(await ask(limit, path="/base" + UPLOAD.replace("session-1", "session-2")))
        assert server.reached == 3
        return statuses

    assert asyncio.run(tried()) == [TOO_MANY, 204, 204, 204]


def test_files_on_their_way_count_and_are_forgotten_when_they_are_there() -> None:
    async def tried() -> tuple[list[int], list[int]]:
        server = Server()
        limit = UploadLimit(server, lambda _: Held(MOST_FILES - 2, 0))
        waiting = [asyncio.create_task(ask(limit)) for _ in range(5)]
        await asyncio.sleep(0)
        server.may_answer.set()
        first = await asyncio.gather(*waiting)
        return first, [await ask(limit), await ask(limit)]

    first, later = asyncio.run(tried())
    assert sorted(first) == [204, 204, TOO_MANY, TOO_MANY, TOO_MANY]
    assert later == [204, 204]


def test_without_a_server_nothing_is_held() -> None:
    assert held_by("session-1") == Held(0, 0)
