"""ReadAgent's pages and gists against a server that answers in half a second.

Page breaks follow one another, whatever one does; the limit is what they take alone. Gists are asked for meanwhile.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from readers.engine.calls import Message
from readers.engine.export import run_file
from readers.engine.models import LiteLLM, load_litellm
from readers.engine.runs import Execution, RunSpec, begin, execute
from readers.engine.store import Store
from readers.engine.text import Document
from readers.readagent import ReadAgent
from tests.bench.cutting import SAMPLES
from tests.server import ModelServer, readagent_reply, replying

DELAY = 0.5
AT_ONCE = 32
ROUNDS = 2
READER = ReadAgent()


def pages_and_gists() -> tuple[str, str, float, float]:
    load_litellm()
    document = Document.of("\n\n".join(path.read_text(encoding="utf-8") for path in sorted(SAMPLES.glob("*.txt"))), title="Bench")
    ours, bare = [], []
    with tempfile.TemporaryDirectory() as folder, _server() as url:
        _alone([[{"role": "user", "content": "warm up"}]], url)
        for number in range(ROUNDS):
            with Store(Path(folder) / f"{number}.db") as store:
                reading = _read(store, document, url)
            ours.append(reading["seconds"] - _own(reading))
            bare.append(_alone([call["messages"] for call in reading["calls"] if call["task"] == "pause"], url))
    count = len(reading["view"]["pages"])
    what = f"ReadAgent's {count} pages and gists, {AT_ONCE} calls at once"
    return what, "its page breaks alone through bare litellm, one by one", min(ours) / min(bare), 1.15


def _read(store: Store, document: Document, url: str) -> dict[str, Any]:
    spec = RunSpec(READER.id, READER.version, "Who lit the lamp?", model="openai/test", api_base=url, window=32_768)
    run = begin(store, document, READER, spec)
    began = time.perf_counter()
    done = execute(store, run.id, READER, Execution(LiteLLM(), width=AT_ONCE))
    assert done.outcome == "answered", done.error
    return {**run_file(store, run.id, READER), "seconds": time.perf_counter() - began}


def _own(reading: dict[str, Any]) -> float:
    """The time of the calls that belong to the question: they follow one another."""
    return sum(call["ms"] for call in reading["calls"] if call["task"] not in ("pause", "shorten")) / 1000


def _alone(asked: list[list[Message]], url: str) -> float:
    litellm = load_litellm()
    began = time.perf_counter()
    for messages in asked:
        litellm.completion(
            model="openai/test", messages=messages, api_base=url, api_key="no-key", temperature=0.0, max_tokens=256, timeout=60,
            max_retries=0, num_retries=0,
        )  # fmt: skip
    return time.perf_counter() - began


@contextmanager
def _server() -> Iterator[str]:
    """A server in a process of its own, so that it takes no time from what is measured."""
    spawn = get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    try:
        yield ours.recv()
    finally:
        ours.send("stop")
        process.join(10)


def _serve(pipe: Connection) -> None:
    with ModelServer(replying(readagent_reply, delay=DELAY)) as server:
        pipe.send(server.base_url)
        pipe.recv()
