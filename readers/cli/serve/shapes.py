"""What the server sends, in the shapes of OpenAI's chat completions: models, completions, chunks of a stream, errors. Pure.

Beside the shape's own fields each reply has `metadata`: the reading it came from, its outcome, and the rule that took the request
apart. Not here: HTTP (`server.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

MODEL_PREFIX = "reader/"
DONE = b"data: [DONE]\n\n"
KEEP_ALIVE = b": reading\n\n"  # a comment, which every client of a stream skips
_WORDS_A_CHUNK = 8
_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class Completed:
    """A reading that came to an end, as its client gets it. `refusal` says why there is no answer; then `content` is empty."""

    reading: str
    model: str
    created: int
    content: str
    metadata: Mapping[str, str]
    tokens_in: int = 0
    tokens_out: int = 0
    refusal: str | None = None

    @property
    def usage(self) -> dict[str, int]:
        """Tokens of all calls that the reading made; those whose replies were reused are not among them."""
        return {
            "prompt_tokens": self.tokens_in,
            "completion_tokens": self.tokens_out,
            "total_tokens": self.tokens_in + self.tokens_out,
        }


def completion(done: Completed) -> dict[str, Any]:
    """The body of a reply that is not streamed."""
    message = {"role": "assistant", "content": done.content, "refusal": done.refusal}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
    return {**_head("chat.completion", done), "choices": [choice], "usage": done.usage, "metadata": dict(done.metadata)}


def pieces(answer: str) -> Iterator[str]:
    """The answer a few words at a time, with all the space between them."""
    ends = [0, *(word.start() for word in _WORD.finditer(answer))][_WORDS_A_CHUNK + 1 :: _WORDS_A_CHUNK]
    for start, end in pairwise([0, *ends, len(answer)]):
        yield answer[start:end]


def chunks(done: Completed, *, with_usage: bool) -> Iterator[bytes]:
    """The events of a stream: the role, the answer a few words at a time, the end, and the tokens used if they are wanted."""
    yield _chunk(done, {"role": "assistant", "content": ""})
    for words in pieces(done.content):
        yield _chunk(done, {"content": words})
    yield _chunk(done, {"refusal": done.refusal} if done.refusal else {}, finish="stop")
    if with_usage:
        yield event({**_head("chat.completion.chunk", done), "choices": [], "usage": done.usage})
    yield DONE


def _chunk(done: Completed, delta: dict[str, Any], *, finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return event({**_head("chat.completion.chunk", done), "choices": [choice], "metadata": dict(done.metadata)})


def _head(kind: str, done: Completed) -> dict[str, Any]:
    return {"id": f"chatcmpl-{done.reading}", "object": kind, "created": done.created, "model": done.model}


def event(data: Mapping[str, Any]) -> bytes:
    """One event of a stream."""
    return b"data: " + as_json(data) + b"\n\n"


def model_list(ids: Iterable[str]) -> dict[str, Any]:
    """The body that lists the models."""
    return {"object": "list", "data": [model(one) for one in ids]}


def model(model_id: str) -> dict[str, Any]:
    return {"id": model_id, "object": "model", "created": 0, "owned_by": "palimpsest"}


def model_ids(readers: Sequence[str], models: Sequence[str]) -> list[str]:
    """The names under which these readers are asked with these models."""
    return [f"{MODEL_PREFIX}{reader}+{model}" for reader in readers for model in dict.fromkeys(models)]


def failure(message: str, kind: str, *, code: str | None = None, field: str | None = None) -> dict[str, Any]:
    """The body of an error."""
    return {"error": {"message": message, "type": kind, "param": field, "code": code}}


def as_json(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
