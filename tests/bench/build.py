"""MemWalker's tree against a server that answers in half a second, and what a second question spends on it; and a whole reading
of a very long text by the offline model."""

from __future__ import annotations

import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from readers import get
from readers.engine.files.runs.run_file import run_file
from readers.engine.models.call import Message
from readers.engine.models.loading import load_litellm
from readers.engine.models.model import LiteLLM
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from readers.engine.text.document import Document
from readers.engine.text.tokens import encoding
from tests.bench.cutting import best_of, long_text
from tests.bench.serving import AT_ONCE, bare, server, warm_up
from tests.support.servers.model_server import memwalker_reply

LEAVES = 256
OFFLINE_TOKENS = 1_000_000
ROUNDS = 2
OPTIONS = {"segment_tokens": 1000, "summary_limit_tokens": 200}


class Built(NamedTuple):
    """Seconds for the tree through the engine and through bare litellm, and the calls a second question spent on the tree."""

    ours: float
    bare: float
    spent_again: int


def tree() -> tuple[str, str, float, float]:
    built = _built()
    what = f"build MemWalker's tree of {LEAVES} leaves, {AT_ONCE} calls at once"
    return what, "the same calls through a bare litellm pool, by level", built.ours / built.bare, 1.15


def second_question() -> tuple[str, str, float, float]:
    return (
        "a second question on the same text",
        "calls spent on the tree, counted at the server",
        float(_built().spent_again),
        0.0,
    )


def offline() -> tuple[str, str, float, float]:
    """With segments of its usual size; half the tokens first, so that everything is imported."""
    text = long_text(OFFLINE_TOKENS)
    _walked(text[: len(text) // 4])
    ours = min(_walked(text) for _ in range(ROUNDS))
    bare = best_of(3, lambda: encoding().encode_ordinary(text), time.process_time)
    what = f"MemWalker over {OFFLINE_TOKENS / 1e6:g} million tokens by the offline model, processor time"
    return what, "30 bare tiktoken encodes of it", ours / (30 * bare), 1.0


def _walked(text: str) -> float:
    """The seconds of the processor that a reading takes."""
    reader = get("memwalker")
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "a.db") as store:
        run = create_run(store, Document.of(text), reader, RunSpec(reader.id, reader.version, "Who lit the lamp?"))
        began = time.process_time()
        done = execute(store, run.id, reader, Execution(Offline()))
        assert done.status == "finished", done.error
        return time.process_time() - began


@cache
def _built() -> Built:
    load_litellm()
    document = _document()
    ours, alone = [], []
    with tempfile.TemporaryDirectory() as folder, server(memwalker_reply) as serving:
        warm_up(serving.url)
        for number in range(ROUNDS):
            with Store(Path(folder) / f"{number}.db") as store:
                first = _read(store, document, "Who lit the lamp?", serving.url)
                ours.append(_until_walk(first))
                alone.append(bare(_levels(first), serving.url))
                before = serving.served()
                second = _read(store, document, "Who kept the ledger?", serving.url)
                spent = serving.served() - before - sum(call["task"] != "summarise" for call in second["calls"])
    return Built(min(ours), min(alone), spent)


def _document() -> Document:
    """A text that makes exactly so many leaves."""
    from readers.engine.text.split import segments

    text = long_text(LEAVES * 1100)
    return Document.of(text[: segments(text, OPTIONS["segment_tokens"])[LEAVES - 1].end], title="Bench")


def _read(store: Store, document: Document, question: str, url: str) -> dict[str, Any]:
    reader = get("memwalker")
    spec = RunSpec("memwalker", reader.version, question, model="openai/test", api_base=url, options=OPTIONS, window=8192)
    run = create_run(store, document, reader, spec)
    began = time.perf_counter()
    done = execute(store, run.id, reader, Execution(LiteLLM(), concurrency=AT_ONCE))
    assert done.outcome == "answered", done.error
    return {**run_file(store, run.id, reader), "seconds": time.perf_counter() - began}


def _until_walk(reading: dict[str, Any]) -> float:
    """The time of a reading less its walk, whose calls follow one another."""
    return float(reading["seconds"] - sum(call["ms"] for call in reading["calls"] if call["task"] != "summarise") / 1000)


def _levels(reading: dict[str, Any]) -> list[list[list[Message]]]:
    """The messages of the tree's calls, level by level."""
    by_level = {node["id"]: node["level"] for node in reading["view"]["nodes"]}
    calls = [call["messages"] for call in reading["calls"] if call["task"] == "summarise"]
    sizes = [list(by_level.values()).count(level) for level in sorted(set(by_level.values()))]
    levels = []
    for size in sizes:
        levels.append(calls[:size])
        calls = calls[size:]
    assert not calls, "every summary of this text is long enough to be asked for"
    return levels
