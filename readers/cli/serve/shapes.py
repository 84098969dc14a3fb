"""What a client sends and what the server sends, in the shapes of OpenAI's chat completions: checked requests, and refusals;
models, completions, chunks of a stream, errors. Pure.

Fields of a request that mean nothing to a reading (`max_tokens`, `stop`, `seed`, ...) are ignored, as a benchmark's script sends
them to every server. Fields that would change the meaning of the reply and are not supported are refused. In addition to the
shape's own fields, each reply has `metadata`: the reading it came from, its outcome, and the rule that took the request apart.
Not here: HTTP (`server.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from readers.cli.serve.layouts import RequestWords
from readers.engine.errors import BadOptions
from readers.engine.ingest.guard import has_over

MODEL_PREFIX = "reader/"
DONE = b"data: [DONE]\n\n"
KEEP_ALIVE = b": reading\n\n"  # a comment, which every client of a stream skips
_WORDS_A_CHUNK = 8
_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class Completed:
    """A finished reading, as its client gets it. `refusal` says why there is no answer; then `content` is empty."""

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
        """Tokens of all calls that the reading made; calls with reused replies are not included."""
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


MAX_VALUES = 100_000  # values and names in the JSON of one request
MAX_MESSAGES = 1_000


class _Given(BaseModel):
    """Outside data: no number is taken for a word, or a word for a number; unknown fields are ignored."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class ContentPart(_Given):
    type: str
    text: str | None = None


class ChatMessage(_Given):
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[ContentPart] | None = None

    @property
    def words(self) -> str:
        """Its text. Raises BadOptions for a message with images or sounds."""
        if self.content is None or isinstance(self.content, str):
            return self.content or ""
        if other := next((part.type for part in self.content if part.type != "text"), None):
            raise BadOptions(
                f"a message has a part of the type {other!r}, and readers read only text: send parts of the type text"
            )
        return "\n".join(part.text or "" for part in self.content)


class StreamOptions(_Given):
    include_usage: bool = False


class ChatRequest(_Given):
    """A request for a chat completion. `document`, `question`, `choices`, `template` and `title` are this server's own fields."""

    model: str = Field(max_length=500)
    messages: list[ChatMessage] = Field(min_length=1, max_length=MAX_MESSAGES)
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: int | None = None
    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, gt=0, le=1)
    tools: list[Any] | None = None
    functions: list[Any] | None = None
    document: str | None = None
    question: str | None = None
    choices: list[str] | None = None
    template: str | None = Field(default=None, max_length=10_000)
    title: str | None = Field(default=None, max_length=200)

    @property
    def usage_wanted(self) -> bool:
        """Whether a stream ends with the tokens used."""
        return self.stream_options is not None and self.stream_options.include_usage

    def words(self, template: str | None) -> RequestWords:
        """What the rules of layouts take apart; the request's own template goes before the server's. Messages of an assistant are
        left out."""
        said = tuple(one.words for one in self.messages if one.role in ("system", "developer", "user"))
        return RequestWords(said, self.document, self.question, tuple(self.choices or ()), self.template or template)


class BadRequest(BadOptions):
    """A request that cannot be answered. `field` is the field at fault, if there is one."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


def read_request(data: bytes) -> ChatRequest:
    """The request in the body of a POST. Raises BadRequest, which names the field."""
    try:
        if has_over(data, MAX_VALUES):
            raise BadRequest(f"the request has over {MAX_VALUES:,} values; send a text as one string")
        request = ChatRequest.model_validate(json.loads(data))
    except (ValueError, RecursionError) as error:
        if isinstance(error, ValidationError):
            raise _misfit(error) from None
        raise BadRequest("the body of the request is not JSON in UTF-8; send an object with `model` and `messages`") from None
    if request.n not in (None, 1):
        raise BadRequest(f"`n` is {request.n}, and a request makes one reading: send 1, or ask several times", "n")
    if request.tools or request.functions:
        raise BadRequest("a reader calls no tools of its client: leave out `tools` and `functions`", "tools")
    return request


def _misfit(error: ValidationError) -> BadRequest:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"])) or "the body"
    return BadRequest(f"`{where}`: {first['msg'][0].lower()}{first['msg'][1:]}", where)
