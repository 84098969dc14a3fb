"""QRMeM's graph against a server that answers in half a second: the same rounds of calls through a bare litellm pool.

The rounds are those of the reading itself: all calls with one prompt that follow each other. What the rounds wait for is measured
with them, so the ratio is the engine's and the reader's own work: finding names, keeping questions, combining the graph, records.
"""

from __future__ import annotations

import tempfile
import time
from itertools import groupby
from pathlib import Path
from typing import Any

import networkx as nx

from components.player.pictures import picture
from readers.engine.files.runs.run_file import run_file
from readers.engine.models.call import Message
from readers.engine.models.loading import load_litellm
from readers.engine.models.model import LiteLLM
from readers.engine.record.trace import Trace
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from readers.engine.text.document import Document
from readers.engine.text.split import segments
from readers.qrmem import QRMeM
from tests.bench.cutting import best_of, long_text
from tests.bench.serving import AT_ONCE, bare, server, warm_up
from tests.support.readings.qrmem_readings import crowded, read
from tests.support.servers.model_server import qrmem_reply

SEGMENTS = 64
ENTITIES = 5_000
ROUNDS, DRAWINGS = 2, 5
READER = QRMeM()
WALK = ("qrmem.start", "qrmem.answerable", "qrmem.answer")


def graph() -> tuple[str, str, float, float]:
    load_litellm()
    document = _document()
    ours, alone = [], []
    with tempfile.TemporaryDirectory() as folder, server(qrmem_reply) as serving:
        warm_up(serving.url)
        for number in range(ROUNDS):
            with Store(Path(folder) / f"{number}.db") as store:
                reading = _read(store, document, serving.url)
            ours.append(reading["seconds"] - sum(call["ms"] for call in reading["calls"] if call["prompt"] in WALK) / 1000)
            alone.append(bare(_rounds(reading), serving.url))
    calls = sum(map(len, _rounds(reading)))
    what = f"QRMeM's graph of {SEGMENTS} segments, {calls} calls, {AT_ONCE} at once"
    return what, "the same rounds through a bare litellm pool", min(ours) / min(alone), 1.2


def _document() -> Document:
    """A text that makes exactly so many segments."""
    text = long_text(SEGMENTS * 700)
    return Document.of(text[: segments(text, READER.Options().segment_tokens)[SEGMENTS - 1].end], title="Bench")


def _read(store: Store, document: Document, url: str) -> dict[str, Any]:
    spec = RunSpec(READER.id, READER.version, "Who lit the lamp?", model="openai/test", api_base=url, window=32_768)
    run = create_run(store, document, READER, spec)
    began = time.perf_counter()
    done = execute(store, run.id, READER, Execution(LiteLLM(), concurrency=AT_ONCE))
    seconds = time.perf_counter() - began
    assert done.outcome == "answered", done.error
    return {**run_file(store, run.id, READER), "seconds": seconds}


def _rounds(reading: dict[str, Any]) -> list[list[list[Message]]]:
    """The messages of the graph's calls, round by round; what holds a reply of its own round begins another one."""
    calls = [call for call in reading["calls"] if call["task"] != "score" and call["prompt"] not in WALK]
    rounds: list[list[dict[str, Any]]] = []
    for _, several in groupby(calls, key=lambda call: call["prompt"]):
        rounds.append([])
        for call in several:
            words = call["messages"][0]["content"]
            if any(before["reply"] in words for before in rounds[-1]):
                rounds.append([])
            rounds[-1].append(call)
    return [[call["messages"] for call in calls] for calls in rounds]


def entities() -> tuple[str, str, float, float]:
    once, twice = (best_of(ROUNDS, lambda count=count: _crowd(count)) for count in (ENTITIES // 2, ENTITIES))  # type: ignore[misc]
    return f"QRMeM over a text of {ENTITIES:,} names", "twice the time of half of it", twice / (2 * once), 2.0


def drawn() -> tuple[str, str, float, float]:
    trace = _crowd(ENTITIES)

    def again() -> Trace:
        """The same events, of which nothing is known yet."""
        return Trace(trace.document, trace.events)

    drawn: nx.Graph[str] = nx.Graph()
    found = picture("qrmem", again(), opened=frozenset())
    assert found
    drawn.add_nodes_from(node["id"] for node in found["nodes"])
    drawn.add_edges_from((edge["from"], edge["to"]) for edge in found["edges"])

    def limit() -> None:
        READER.view(again())
        nx.spring_layout(drawn, iterations=50, seed=1)

    ours = best_of(DRAWINGS, lambda: picture("qrmem", again(), opened=frozenset()), time.process_time)
    what = f"draw a net of {ENTITIES:,} entities, processor time"
    return what, "its view, and networkx's springs for as many nodes", ours / best_of(DRAWINGS, limit, time.process_time), 5.0


def _crowd(count: int) -> Trace:
    document, plan, question = crowded(count, count // 25)
    return read(document, plan.model(), question=question, segment_tokens=320)
