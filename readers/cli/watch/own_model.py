"""A model of ours behind the server that a watched program talks to, so that a program can be tried without a key: OpenAI's chat
completions alone. Not here: the server (`proxy.py`).
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterable
from typing import Any

from anyio import to_thread
from starlette.requests import Request

from readers.cli.serve import shapes
from readers.cli.watch import protocols
from readers.cli.watch.proxy import MOST_RECORDED, PassedOn
from readers.engine.errors import BadOptions, ModelFailed
from readers.engine.models import catalogue
from readers.engine.models.call import Call, ModelSettings
from readers.engine.models.model import Model, Retry
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.text.document import Text
from readers.observed.calls import Said

_JSON = [(b"content-type", b"application/json")]
_STREAM = [(b"content-type", b"text/event-stream")]
# The offline model does a task on named parts. It answers a prompt that asks the question, and sums up any other.
_ANSWER = Prompt("watched.answer", "answer", "$segments\n\n$question", tries=1)
_SUMMARY = Prompt("watched.summary", "summarise", "$segment", tries=1)


class OwnModel:
    """A model by its id, such as `offline/extractive`. Raises BadOptions for an invalid one."""

    def __init__(self, model_id: str, question: str) -> None:
        self._id, self._question = model_id, question
        self._model: Model = Retry(catalogue.open_model(model_id))

    async def send(self, path: str, request: Request, body: AsyncIterator[bytes]) -> PassedOn:
        given = bytearray()
        async for part in body:
            given += part
            if len(given) > MOST_RECORDED:
                return _failed(413, f"the request has over {MOST_RECORDED:,} bytes")
        if not path.endswith("/chat/completions") or request.method != "POST":
            return _failed(404, f"{self._id} answers POST /v1/chat/completions alone; name a server with --to for {path[:100]}")
        try:
            reply = await to_thread.run_sync(self._reply, bytes(given))
        except BadOptions as error:
            return _failed(400, str(error))
        except ModelFailed as error:
            return _failed(502, str(error))
        return reply

    def _reply(self, body: bytes) -> PassedOn:
        asked = shapes.read_request(body)
        said = protocols.messages_of("/chat/completions", body)
        reply = self._model.complete(self._call(said, asked.temperature or 0.0, protocols.room_of(body)))
        done = shapes.Completed(
            "watched", asked.model, int(time.time()), reply.text, {}, reply.tokens_in or 0, reply.tokens_out or 0
        )
        if asked.stream:
            return PassedOn(200, _STREAM, _in_parts(shapes.chunks(done, with_usage=asked.usage_wanted)))
        return PassedOn(200, _JSON, _in_parts([shapes.as_json(shapes.completion(done))]))

    def _call(self, said: tuple[Said, ...], temperature: float, room: int | None) -> Call:
        messages = tuple({"role": "user" if one.role == "tool" else one.role, "content": one.text} for one in said)
        words = "\n\n".join(one.text for one in said)
        settings = ModelSettings(self._id, temperature=temperature)
        if self._question and self._question in words:
            parts: Any = (
                Part("segments", tuple(map(Text, filter(str.strip, words.replace(self._question, "").splitlines())))),
                Part("question", (Text(self._question),)),
            )
            return Call(0, 0, _ANSWER, parts, settings, edited=messages, room=room)
        return Call(0, 0, _SUMMARY, (Part("segment", (Text(words),)),), settings, edited=messages, room=room)

    async def close(self) -> None:
        """Nothing is open."""


def _failed(status: int, why: str) -> PassedOn:
    return PassedOn(status, _JSON, _in_parts([shapes.as_json(shapes.failure(why, "invalid_request_error"))]))


async def _in_parts(parts: Iterable[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part
