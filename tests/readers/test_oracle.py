"""Every reader with a model that makes no mistake: the evidence of at least 95 % of 40 questions comes before it.

Evidence is reached if each of its sentences stood in a prompt that is about the question: a leaf of MemWalker, an opened page of
ReadAgent, a segment in QRMeM's view, the text that a baseline shows. MemAgent, ReMemR1 and Recurrence never read again, so it has
to be in the memory that answers. Retrieval lets the model choose nothing, so it is held to this with a window that it fills.
"""

from __future__ import annotations

from typing import Any

import pytest

from readers import READERS
from readers.engine.run.execute import RunSpec, rehearse
from tests.support.multihop import case
from tests.support.oracle import Oracle

QUESTIONS = 40
ENOUGH = 38
# Parts so small that a reader has to find its way: a text has about 2,000 tokens. Readers that are not named read as they do by
# default.
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "memwalker": [{"segment_tokens": 150, "max_children": 4}],
    "readagent": [{"min_words": 60, "max_words": 120, "mode": mode} for mode in ("parallel", "sequential")],
    "qrmem": [
        *({"segment_tokens": 150, "window_tokens": 600, "graph_update": False},),
        *({"segment_tokens": 150, "graph_update": False, "strategy": strategy} for strategy in ("navigation", "expansion")),
    ],
    "memagent": [{"chunk_tokens": 150, "memory_tokens": 128}],
    "rememr1": [{"chunk_tokens": 150, "memory_tokens": 128}],
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
    missed = {}
    for number in range(QUESTIONS):
        asked = case(number)
        model = Oracle(asked)
        spec = RunSpec(reader.id, reader.version, asked.question, options=options)
        trace = rehearse(asked.document, reader, spec, model)
        if model.reached:
            assert getattr(trace.end, "text", "") == asked.answer
        else:
            missed[number] = (trace.end, [fact.sentence for fact in model.missing])
    assert len(missed) <= QUESTIONS - ENOUGH, missed
