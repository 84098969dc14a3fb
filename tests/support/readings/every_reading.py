"""Short readings by every reader, in the ways of reading that differ in what a prompt holds: the offline model, small parts.

For tests of what holds for all of them. Each is read once a process; nothing is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import pytest

from readers import READERS, get
from readers.engine.analysis.memory_snapshots import MemoryNarrative
from readers.engine.models.offline import Offline
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.run.reader import Reader
from readers.engine.text.document import Document
from readers.plugins import problem_with_options
from tests.support.paths import LAMP, SARN

PAPERS = [reader.id for reader in READERS if not reader.baseline]
MEMORIES = [reader.id for reader in READERS if isinstance(reader.narrative, MemoryNarrative)]  # they carry one memory along


def small_parts(reader: Reader, part: int = 100, memory: int = 64) -> dict[str, Any]:
    """Parts and a memory so small, in tokens, that a short text makes many calls: by what the reader says of their size."""
    assert not (problem := problem_with_options(reader)), f"{reader.title}: {problem}"
    size = reader.part_size
    if size is None:
        return {}
    return {size.option: part} | ({size.least: part // 2} if size.least else {}) | ({size.memory: memory} if size.memory else {})


SMALL: dict[str, dict[str, Any]] = {reader.id: small_parts(reader) for reader in READERS} | {
    "readagent": {"min_words": 100, "max_words": 250},
    "qrmem": {"segment_tokens": 200, "window_tokens": 600},
    "recursive": {"slice_tokens": 100, "max_parts": 3, "hit_tokens": 30},
    "whole": {"window_tokens": 400, "keep": "both"},
    "retrieval": {"segment_tokens": 100, "top_k": 3},
}


class Way(NamedTuple):
    """A way of reading: a reader, options that make a short text many parts, and the model's window in tokens, if it is small."""

    name: str
    reader: str
    options: Mapping[str, Any]
    window: int | None = None


_PAGES = {"min_words": 60, "max_words": 150}
_NET = {"segment_tokens": 150, "window_tokens": 450}
WAYS: tuple[Way, ...] = (
    Way("memwalker", "memwalker", {"segment_tokens": 100, "max_children": 3}),
    Way("memwalker, all it visited", "memwalker", {"segment_tokens": 100, "max_children": 3, "working_memory": "visited"}),
    Way("readagent", "readagent", _PAGES),
    Way("readagent, one at a time", "readagent", {**_PAGES, "mode": "sequential"}),
    Way("readagent, with the page before", "readagent", {**_PAGES, "previous_page": True}),
    Way("readagent, retrieval", "readagent", {**_PAGES, "mode": "retrieval", "pagination": "uniform"}),
    Way("readagent, pages alone", "readagent", {**_PAGES, "mode": "retrieval", "with_gists": False}),
    Way("readagent, gists alone", "readagent", {**_PAGES, "mode": "none", "conditional": True}),
    Way("readagent, small window", "readagent", {**_PAGES, "max_lookups": 9}, 1_500),
    Way("qrmem", "qrmem", _NET),
    Way("qrmem, expansion", "qrmem", {**_NET, "strategy": "expansion"}),
    Way("qrmem, entity trial", "qrmem", {**_NET, "strategy": "trial"}),
    Way("memagent", "memagent", SMALL["memagent"]),
    Way("rememr1", "rememr1", SMALL["rememr1"]),
    Way("rememr1, asking at every chunk", "rememr1", {**SMALL["rememr1"], "recall_query": "question"}),
    Way("chain_of_agents", "chain_of_agents", SMALL["chain_of_agents"]),
    Way("chain_of_agents, from the end", "chain_of_agents", {**SMALL["chain_of_agents"], "direction": "backward"}),
    Way("recursive", "recursive", SMALL["recursive"]),
    Way("recursive, one level", "recursive", {"slice_tokens": 200, "depth": 1, "peek_tokens": 30}),
    Way("whole, both ends", "whole", SMALL["whole"]),
    Way("whole, all of it", "whole", {"window_tokens": 4_000}),
    Way("retrieval", "retrieval", SMALL["retrieval"]),
    Way("retrieval, small window", "retrieval", {"segment_tokens": 100, "top_k": 9}, 900),
)  # fmt: skip
WAYS += tuple(Way(reader.id, reader.id, SMALL[reader.id]) for reader in READERS if reader.id not in {way.reader for way in WAYS})
every_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
_TEXTS = {
    "lamp": (LAMP, 13_500, 16_500, "What had the naval assessor noticed on the crane post when he strolled about the harbour?"),
    "sarn": (SARN, 20_000, 24_000, "Who founded the school that the captain of the Campion had attended as a boy?"),
}
every_text = pytest.mark.parametrize("text", ["lamp", pytest.param("sarn", marks=pytest.mark.slow)])


@cache
def reading(way_name: str, text: str = "lamp") -> Trace:
    """The trace of a reading in this way; equal requests give the same object."""
    way = next(way for way in WAYS if way.name == way_name)
    path, start, end, question = _TEXTS[text]
    document = Document.of(path.read_text(encoding="utf-8")[start:end], title=text)
    reader = get(way.reader)
    spec = RunSpec(reader.id, reader.version, question, options=dict(way.options), window=way.window)
    return rehearse(document, reader, spec, Offline())
