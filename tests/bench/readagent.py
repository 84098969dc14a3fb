"""ReadAgent's pages and gists against a server that answers in half a second.

Page breaks follow one another, whatever one does; the limit is what they take alone. Gists are asked for meanwhile.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from readers.engine.files.runs.run_file import run_file
from readers.engine.models.loading import load_litellm
from readers.engine.models.model import LiteLLM
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from readers.engine.text.document import Document
from readers.readagent import ReadAgent
from tests.bench.cutting import SAMPLES
from tests.bench.serving import AT_ONCE, bare, server, warm_up
from tests.support.servers.model_server import readagent_reply

ROUNDS = 2
READER = ReadAgent()


def pages_and_gists() -> tuple[str, str, float, float]:
    load_litellm()
    document = Document.of("\n\n".join(path.read_text(encoding="utf-8") for path in sorted(SAMPLES.glob("*.txt"))), title="Bench")
    ours, alone = [], []
    with tempfile.TemporaryDirectory() as folder, server(readagent_reply) as serving:
        warm_up(serving.url)
        for number in range(ROUNDS):
            with Store(Path(folder) / f"{number}.db") as store:
                reading = _read(store, document, serving.url)
            ours.append(reading["seconds"] - _own(reading))
            breaks = [call["messages"] for call in reading["calls"] if call["task"] == "pause"]
            alone.append(bare([breaks], serving.url, max_tokens=256, at_once=1))
    count = len(reading["view"]["pages"])
    what = f"ReadAgent's {count} pages and gists, {AT_ONCE} calls at once"
    return what, "its page breaks alone through bare litellm, one by one", min(ours) / min(alone), 1.15


def _read(store: Store, document: Document, url: str) -> dict[str, Any]:
    spec = RunSpec(READER.id, READER.version, "Who lit the lamp?", model="openai/test", api_base=url, window=32_768)
    run = create_run(store, document, READER, spec)
    began = time.perf_counter()
    done = execute(store, run.id, READER, Execution(LiteLLM(), concurrency=AT_ONCE))
    assert done.outcome == "answered", done.error
    return {**run_file(store, run.id, READER), "seconds": time.perf_counter() - began}


def _own(reading: dict[str, Any]) -> float:
    """The time of the calls that belong to the question: they follow one another."""
    return sum(call["ms"] for call in reading["calls"] if call["task"] not in ("pause", "shorten")) / 1000
