"""Model servers that other programs run on this machine: Ollama and LM Studio on their usual ports, and what they offer.

One quick request to each port of this machine; what answers there is untrusted. Not here: calling their models (litellm does).
"""

from __future__ import annotations

import http.client
import io
import json
import os
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

SECONDS = 0.5  # for all of an answer, however little comes at a time
MAX_BYTES = 1 << 20
MAX_MODELS = 50
MAX_NAME = 120
USUAL_WINDOW = 4096  # tokens; both programs load a model with this window unless set otherwise, and silently cut longer prompts


@dataclass(frozen=True)
class OtherServer:
    """A program that serves models: its name, its usual port, litellm's name for it and the path of its base URL."""

    title: str
    port: int
    provider: str
    path: str = ""

    @property
    def api_base(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.path}"


@dataclass(frozen=True)
class OfferedModel:
    """A model that such a server has. `window` is the context window to assume, in tokens."""

    name: str
    server: OtherServer
    window: int = USUAL_WINDOW

    @property
    def id(self) -> str:
        return f"{self.server.provider}/{self.name}"


OLLAMA = OtherServer("Ollama", 11434, "ollama_chat")
LM_STUDIO = OtherServer("LM Studio", 1234, "lm_studio", "/v1")
SERVERS = (OLLAMA, LM_STUDIO)
_ASKED = b"GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: application/json\r\nConnection: close\r\n\r\n"


def find_offered(servers: Sequence[OtherServer] | None = None) -> list[OfferedModel]:
    """The models of the servers that run now, by server and name. A port where nothing sensible answers has none."""
    return [
        OfferedModel(name, server, _window(server))
        for server in (SERVERS if servers is None else servers)
        for name in _names(server)
    ]


def _window(server: OtherServer) -> int:
    told = os.environ.get("OLLAMA_CONTEXT_LENGTH", "") if server.provider == OLLAMA.provider else ""
    return int(told) if told.isascii() and told.isdigit() and int(told) >= USUAL_WINDOW // 4 else USUAL_WINDOW


def _names(server: OtherServer) -> list[str]:
    with suppress(OSError, http.client.HTTPException, ValueError, RecursionError):
        answer = http.client.HTTPResponse(_Received(_received(server.port)))  # type: ignore[arg-type]
        answer.begin()
        return _usable(json.loads(answer.read())) if answer.status == http.HTTPStatus.OK else []
    return []


def _received(port: int) -> bytes:
    """The server's whole answer within the time, headers and body, cut at `MAX_BYTES`."""
    end, came = time.monotonic() + SECONDS, bytearray()
    with socket.create_connection(("127.0.0.1", port), SECONDS) as connection:
        connection.sendall(_ASKED % port)
        while len(came) < MAX_BYTES and (left := end - time.monotonic()) > 0:
            connection.settimeout(left)
            try:
                if not (piece := connection.recv(1 << 16)):
                    break
            except TimeoutError:
                break  # it may have sent everything and keep the connection open
            came += piece
    return bytes(came[:MAX_BYTES])


class _Received:
    """What was received, for the parser of responses, which takes a socket."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def makefile(self, *_: object, **__: object) -> Any:
        return io.BytesIO(self.data)


def _usable(listed: object) -> list[str]:
    """The names in a list of models in OpenAI's form that can be ids, without models for embeddings."""
    data = listed.get("data") if isinstance(listed, dict) else None
    found = [entry.get("id") for entry in data if isinstance(entry, dict)] if isinstance(data, list) else []
    names = {name for name in found if isinstance(name, str) and _can_be_id(name) and "embed" not in name.lower()}
    return sorted(names)[:MAX_MODELS]


def _can_be_id(name: str) -> bool:
    return 0 < len(name) <= MAX_NAME and name.isascii() and name.isprintable() and " " not in name
