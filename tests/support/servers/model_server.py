"""A model's server on loopback that does as it is told: it speaks OpenAI's chat completions and embeddings.

    with ModelServer(replying(memwalker_reply, delay=0.5)) as server:
        ... api_base=server.base_url, server.requests

A script is a function of the request that says what to answer: a status, headers, a body (JSON data, or bytes as they are), after
which delay, and whether to close the connection or hang instead. Every connection has a thread of its own, so a fixed delay costs
what it says with 32 of them. Not here: streaming, and anything that checks the request.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal

from readers.engine.prompts.formats.blocks import Block, Line


@dataclass(frozen=True)
class Request:
    """One request: its number from 0 in the order of arrival, its headers with small letters, its JSON body.

    `at` is when it came (by `time.monotonic`), `at_once` how many were being answered then, itself counted.
    """

    number: int
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    at: float
    at_once: int

    @property
    def content(self) -> str:
        """The words of the last message, or the first input of an embedding."""
        return str(self.body["messages"][-1]["content"] if "messages" in self.body else self.body["input"][0])


@dataclass(frozen=True)
class Answer:
    """What the server does: answer; `close` the connection without a word; `cut` it off in the middle of the body; or `hang`."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    then: Literal["answer", "close", "cut", "hang"] = "answer"


Script = Callable[[Request], Answer]


class ModelServer:
    """The server, going from `with` to the end of its block. Counts and keeps every request."""

    def __init__(self, script: Script) -> None:
        self.requests: list[Request] = []
        self._at_once = 0
        self._script = script
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Answer:
        """Take a request on record, and do what the script says about time. Called from the connections' threads."""
        with self._lock:
            self._at_once += 1
            request = Request(len(self.requests), path, headers, body, time.monotonic(), self._at_once)
            self.requests.append(request)
        try:
            answer = self._script(request)
            if answer.then == "hang":
                self._over.wait()
            elif answer.delay:
                self._over.wait(answer.delay)
            return answer
        finally:
            with self._lock:
                self._at_once -= 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that gave up is no news."""


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = server.answer(self.path, headers, json.loads(data))
            if answer.then in ("close", "hang"):
                self.close_connection = True
                return
            body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            standard = {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
            for name, value in {**standard, **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body[: len(body) // 2] if answer.then == "cut" else body)
            self.wfile.flush()

        def log_message(self, *_: Any) -> None:
            """Nothing: tests read standard error."""

    return Handler


def completion(
    text: str | None, *, tokens: tuple[int, int] | None = (100, 20), model: str = "test", finish: str = "stop", **message: Any
) -> dict[str, Any]:
    """The body of a chat completion with this text. `tokens` are those of prompt and reply; None leaves them out. `message` is
    what else its message has, such as `reasoning_content`."""
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)} if tokens else None
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
    body = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": model, "choices": [choice]}
    return {**body, "usage": usage} if usage else body


def failure(status: int, message: str = "the server says no", **headers: str) -> Answer:
    """An answer of the kind OpenAI's servers give to what they refuse; headers with `_` for `-`."""
    body = {"error": {"message": message, "type": "error", "param": None, "code": None}}
    return Answer(body, status, {name.replace("_", "-"): value for name, value in headers.items()})


def replying(reply: Callable[[str], str], *, delay: float = 0.0) -> Script:
    """A script that answers every message by a function of its words, after a fixed delay; inputs of embeddings by `letters`."""

    def script(request: Request) -> Answer:
        if request.path.endswith("/embeddings"):
            return Answer(embeddings([letters(text) for text in request.body["input"]]), delay=delay)
        words = request.content
        text = reply(words)
        return Answer(completion(text, tokens=(len(words.split()), len(text.split()))), delay=delay)

    return script


def at_first(*first: Answer, later: Script) -> Script:
    """The first requests get these answers, in order of arrival; all others what `later` says."""
    return lambda request: first[request.number] if request.number < len(first) else later(request)


def embeddings(vectors: list[list[float]]) -> dict[str, Any]:
    """The body of an answer that holds these vectors."""
    rows = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    return {"object": "list", "model": "test", "data": rows, "usage": {"prompt_tokens": len(rows), "total_tokens": len(rows)}}


def letters(text: str) -> list[float]:
    """A vector of a text: how often each letter from a to z occurs in it."""
    return [float(text.lower().count(chr(ord("a") + n))) for n in range(26)]


_REPLY = Block((Line("reasoning", "words", ""), Line("action", "number", ""), Line("answer", "words", "")))
_FENCED = re.compile(r"<(text|summaries)>\n(.*)\n</\1>", re.DOTALL)
_OPENED = re.compile(r"^Part (\d+) was opened before", re.MULTILINE)
_OFFERED = re.compile(r"^Summary (\d+):", re.MULTILINE)


def memwalker_reply(words: str) -> str:
    """A plausible reply to any of MemWalker's prompts: a part's first 40 words, the first child not opened yet, or an answer."""
    found = _FENCED.search(words)
    kind, inside = (found[1], found[2]) if found else ("text", words)
    first = " ".join(inside.split()[:40])
    if "Action:" not in words:
        return first
    if kind == "text":
        return _REPLY.render({"reasoning": "The part begins with it.", "action": -2, "answer": first})
    unopened = [number for number in _OFFERED.findall(inside) if number not in _OPENED.findall(words)]
    return _REPLY.render({"reasoning": "It is the first that is left.", "action": int(unopened[0]) if unopened else -1})


_FENCED_TEXT = re.compile(r"<text>\n(.*)\n</text>", re.DOTALL)
_LABEL = re.compile(r"^<(\d+)>$", re.MULTILINE)


def readagent_reply(words: str) -> str:
    """A plausible reply to any of ReadAgent's prompts: the middle label, a text's first 40 words, one page, or an answer."""
    if "Break point:" in words:
        labels = _LABEL.findall(words)
        return f"Break point: <{labels[len(labels) // 2]}>"
    if "look up Page" in words:
        return "I want to look up Page [1] to see what is there"
    found = _FENCED_TEXT.search(words)
    return " ".join((found[1] if found else "The lamp was lit at four").split()[:40])


_FENCED_PART = re.compile(r"<(text|first)>\n(.*?)\n</\1>", re.DOTALL)
_NAMED = re.compile(r"\b[A-Z][a-z]{3,}(?: [A-Z][a-z]+)?\b")
_LISTED = re.compile(r"<entities>\n(.*?)\n</entities>", re.DOTALL)


def qrmem_reply(words: str) -> str:
    """A plausible reply to any of QRMeM's prompts: the first three names, what joins the first two, a question of the part's
    first words, that none are the same, a text's first 40 words, or an answer."""
    found = _FENCED_PART.search(words)
    inside = found[2] if found else words
    first = " ".join(inside.split()[:40])
    names = list(dict.fromkeys(_NAMED.findall(inside)))[:3]
    if "Action:" in words:
        return _REPLY.render({"reasoning": "The part begins with it.", "action": -2, "answer": first})
    if '"relations":' in words:
        listed = _LISTED.search(words)
        a, b, *_ = [*(listed[1].split("\n\n") if listed else []), "", ""]
        return json.dumps({"relations": [{"a": a, "b": b, "relation": f"{a} and {b} stand in one part: {first[:60]}"}]})
    if '"questions":' in words:
        return json.dumps({"questions": [f"What of {' '.join(inside.split()[5:13])}?"]})
    if '"same":' in words:
        return json.dumps({"same": []})
    return json.dumps({"entities": names}) if '"entities":' in words else first


_SECTION = re.compile(r"<section>\n(.*)\n</section>", re.DOTALL)


def memory_reply(words: str) -> str:
    """A plausible reply to any of MemAgent's or ReMemR1's prompts: the chunk's first 30 words for the memory, or an answer."""
    found = _SECTION.search(words)
    if not found:
        return "\\boxed{at four}"
    memory = " ".join(found[1].split()[:30])
    return f"<update>{memory}</update>\n<recall>{memory.split()[0]}</recall>" if "<update>" in words else memory
