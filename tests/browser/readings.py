"""Readings put straight into the database of a server under test, and what the record tells of them; no page is involved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from readers.engine.analysis.narrate import narrate
from readers.engine.models.model import Model
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Store, open_reading
from readers.engine.text.document import Document
from readers.memwalker import MemWalker

READER = MemWalker()
NOT_TOLD = "What was the name of the dog of the lifeboat coxswain?"


def store(home: Path) -> Store:
    """The database of the server that has this folder; it closes itself as a context."""
    return Store(home / "data" / "palimpsest.db")


def read(home: Path, document: Document, question: str, *, model: Model | None = None, **options: Any) -> Reading:
    """Read to the end, with the offline model if no other is given."""
    with store(home) as opened:
        run = create_run(opened, document, READER, RunSpec(READER.id, READER.version, question, options=options))
        execute(opened, run.id, READER, Execution(model or Offline(), concurrency=1))
        return open_reading(opened, run.id)


def told(reading: Reading) -> Sequence[str]:
    """What happened, a text a step."""
    return narrate(reading.trace, READER)


def names(reading: Reading) -> dict[str, str]:
    """What each part of the tree is called, by its id."""
    called = READER.names(reading.trace)
    return {node["id"]: called[f"wrote:{node['id']}"] for node in READER.view(reading.trace)["nodes"]}


def walked(reading: Reading) -> dict[int, str]:
    """The part of the tree the reader stood on, by step."""
    called = names(reading)
    return {row["step"]: called[row["node"]] for row in reversed(READER.view(reading.trace)["walk"])}


def states(reading: Reading, at: int) -> dict[str, str]:
    """Every part that the walk had come to at a step, and what had become of it, as the picture's table tells it."""
    view, called = READER.view(reading.trace), names(reading)
    found: dict[str, str] = {}
    moves: dict[str, list[str]] = {}
    count = 0
    rows = [row for row in view["walk"] if row["step"] <= at]
    for row in rows:
        found[row["node"]] = "on its way"
        if row["action"] == "enter":
            count += 1
            found[row["to"]] = "on its way"
            moves.setdefault(row["to"], []).append(str(count))
        elif row["action"] == "revert":
            count += 1
            found[row["node"]] = "turned back"
        elif row["action"] == "commit":
            found[row["node"]] = "the answer is from here"
    found |= {row["node"]: "here, now" for row in rows if row["step"] == at and row["action"] != "stop"}
    said = {}
    for node, words in found.items():
        by = f"move {', '.join(moves[node])}" if node in moves else ""
        said[called[node]] = " · ".join(filter(None, (words, by)))
    return said
