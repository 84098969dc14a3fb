"""Readings of very many steps with the offline model, over texts of short paragraphs that all differ."""

from __future__ import annotations

from collections.abc import Mapping

from readers import get
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Run, Store
from readers.engine.text.document import Document

QUESTION = "Which keeper lit the lamp at four?"
# A paragraph, some 30 tokens, is a chunk of its own, and so a step.
SHORT: Mapping[str, Mapping[str, object]] = {
    "memagent": {"chunk_tokens": 32, "memory_tokens": 64},
    "rememr1": {"chunk_tokens": 32, "memory_tokens": 64},
}


def read_long(store: Store, reader_id: str, paragraphs: int) -> Run:
    """A reading of about so many steps, recorded and ended."""
    lines = (f"Paragraph {n}: keeper {n * 7 % 1009} lit the lamp at {n % 24} and went down to look." for n in range(paragraphs))
    reader = get(reader_id)
    spec = RunSpec(reader_id, reader.version, QUESTION, options=dict(SHORT[reader_id]))
    run = create_run(store, Document.of("\n\n".join(lines)), reader, spec)
    return execute(store, run.id, reader, Execution(Offline()))
