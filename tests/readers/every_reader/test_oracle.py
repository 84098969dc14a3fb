"""Every reader with a model that makes no mistake: the evidence of at least 95 % of 40 questions comes before it.

Evidence is reached if each of its sentences stood in a prompt that is about the question: a leaf of MemWalker, an opened page of
ReadAgent, a segment in QRMeM's view, a slice that a recursive reading shows or a place in it, the text that a baseline shows.
MemAgent, ReMemR1, Chain-of-Agents and Recurrence never read again, so it has to be in the memory or message that answers.
Retrieval lets the model choose nothing, so it is held to this with a window that it fills.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from readers import READERS, get
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.qrmem.navigate import WINDOW_FULL
from tests.support.models.oracle import Oracle
from tests.support.texts_and_files.multihop import Fact, case

QUESTIONS = 40
ENOUGH = 38
# Parts so small that a reader has to find its way: a text has about 2,000 tokens. Readers that are not named read as they do by
# default.
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "memwalker": [{"segment_tokens": 150, "max_children": 4}],
    "readagent": [{"min_words": 60, "max_words": 120, "mode": mode} for mode in ("parallel", "sequential")],
    "qrmem": [
        *({"segment_tokens": 150, "window_tokens": 600, "graph_update": False},),
        *(
            {"segment_tokens": 150, "graph_update": False, "strategy": strategy}
            for strategy in ("navigation", "expansion", "trial")
        ),
    ],
    "memagent": [{"chunk_tokens": 150, "memory_tokens": 128}],
    "rememr1": [{"chunk_tokens": 150, "memory_tokens": 128}],
    "chain_of_agents": [{"chunk_tokens": 150, "message_tokens": 128, "direction": way} for way in ("forward", "backward")],
    "recursive": [{"slice_tokens": 150, "max_parts": 4}, {"slice_tokens": 150, "depth": 1, "max_parts": 20, "max_hits": 1}],
    "recurrence": [{"chunk_tokens": 150, "summary_tokens": 128}],
    "retrieval": [{"segment_tokens": 150, "fill": True}],
}


@pytest.mark.scale
@pytest.mark.parametrize(
    ("reader", "options"),
    [
        pytest.param(reader, options, id="-".join([reader.id, *map(str, options.values())]))
        for reader in READERS
        for options in OPTIONS.get(reader.id, [{}])
    ],
)
def test_a_model_that_makes_no_mistake_comes_to_the_evidence(reader: Any, options: dict[str, Any]) -> None:
    missed = [(trace.end, [fact.sentence for fact in missing]) for trace, missing in readings(reader, options) if missing]
    assert len(missed) <= QUESTIONS - ENOUGH, missed


@pytest.mark.scale
@pytest.mark.parametrize(("window", "reached"), [(1200, 37), (900, 31), (600, 16)])
def test_entity_trial_finds_what_fits_into_its_window_at_once(window: int, reached: int) -> None:
    """It ends when the window is full (section 2.2), so it needs room for all segments of all the names on the way: 2,000 tokens
    of text in a window of 4,096 are no bound, and smaller ones are. What it misses, it misses for this reason."""
    options = {"segment_tokens": 150, "graph_update": False, "strategy": "trial", "window_tokens": window}
    missed = [trace for trace, missing in readings(get("qrmem"), options) if missing]
    assert all([decision.picked for decision in trace.decisions("stop")] == [WINDOW_FULL] for trace in missed)
    assert QUESTIONS - len(missed) >= reached


def readings(reader: Any, options: dict[str, Any]) -> Iterator[tuple[Trace, list[Fact]]]:
    """A reading for each question, and the evidence that was not reached in it; where all was reached, the answer was right."""
    for number in range(QUESTIONS):
        asked = case(number)
        model = Oracle(asked)
        trace = rehearse(asked.document, reader, RunSpec(reader.id, reader.version, asked.question, options=options), model)
        assert model.missing or getattr(trace.end, "text", "") == asked.answer
        yield trace, model.missing
