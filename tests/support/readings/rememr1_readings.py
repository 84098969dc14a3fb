"""Readings of MemAgent's and ReMemR1's over paragraphs of known words, with a model that plays its part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from readers import get
from readers.engine.models.call import Call
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text.document import Document
from tests.support.models.scripted_models import Scripted

QUESTION = "Where is the ledger?"
SMALL = {"chunk_tokens": 64, "memory_tokens": 48}


def chunks_of(count: int) -> Document:
    """A document of so many paragraphs, each a chunk of its own at 64 tokens, that begins `Part n`, from 1."""
    return Document.of(
        "\n\n".join(f"Part {n} begins. " + "It goes on and on, as such parts do. " * 5 for n in range(1, count + 1))
    )


def number(call: Call) -> int:
    """Which chunk a call shows, from 1."""
    return int(call.part("section")[0].split()[1])


def model(memory: Callable[[Call], str], *, answer: str = "\\boxed{on the shelf}") -> Scripted:
    """A model that writes these memories, as they stand, and gives this answer."""
    return Scripted(lambda call: memory(call) if call.prompt.task == "update_memory" else answer)


def blocks(update: str, recall: str = "") -> str:
    return f"<thinking>So be it.</thinking>\n<update>{update}</update>" + (f"\n<recall>{recall}</recall>" if recall else "")


def read(reader: str, document: Document, scripted: Any, *, window: int | None = None, **options: Any) -> Trace:
    choices = options.pop("choices", ())
    prompts = options.pop("prompts", {})
    spec = RunSpec(reader, 1, QUESTION, choices, {**SMALL, **options}, window=window, prompts=prompts)
    return rehearse(document, get(reader), spec, scripted)


def snapshots(reader: str, trace: Trace) -> list[dict[str, Any]]:
    return list(get(reader).view(trace)["snapshots"])


def updates(scripted: Scripted) -> list[Call]:
    return [call for call in scripted.calls if call.prompt.task == "update_memory"]


def shown(call: Call) -> str:
    return call.messages[0]["content"]
