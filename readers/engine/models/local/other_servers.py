"""Model servers that other programs run on this machine: Ollama and LM Studio on their usual ports, and what they offer.

One quick request to each port of this machine; what answers there is untrusted. Not here: calling their models (litellm does).
"""

from __future__ import annotations

import http.client
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

SECONDS = 0.5
MAX_BYTES = 1 << 20
MAX_MODELS = 50
MAX_NAME = 120
USUAL_WINDOW = 4096  # tokens; both programs load a model with this unless told otherwise, and cut what is longer silently


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
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=SECONDS)
        try:
            connection.request("GET", "/v1/models")
            answer = connection.getresponse()
            return _usable(json.loads(answer.read(MAX_BYTES))) if answer.status == http.HTTPStatus.OK else []
        finally:
            connection.close()
    return []


def _usable(listed: object) -> list[str]:
    """The names in a list of models in OpenAI's form that can be ids, without models for embeddings."""
    data = listed.get("data") if isinstance(listed, dict) else None
    found = [entry.get("id") for entry in data if isinstance(entry, dict)] if isinstance(data, list) else []
    names = {name for name in found if isinstance(name, str) and _can_be_id(name) and "embed" not in name.lower()}
    return sorted(names)[:MAX_MODELS]


def _can_be_id(name: str) -> bool:
    return 0 < len(name) <= MAX_NAME and name.isascii() and name.isprintable() and " " not in name
