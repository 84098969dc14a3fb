"""While a reading is being built, what each reply brings is in the picture before the next call is answered, although the events
of a batch are recorded only when all of it is."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from components.player import data
from components.widgets import progress
from readers import get
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.record.events import from_json
from readers.engine.record.provisional import first_unreported
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.text.document import Document
from tests.support.paths import LAMP
from tests.support.processes.killed_readings import Killed

BROKEN_OFF = 4  # replies after which a reading breaks off
FLUSHED = 0.05  # seconds after which a waiting reading has saved its events
Picture = dict[str, Any] | None


@dataclass
class Watched:
    """The offline model, which before some replies looks at the reading as a page would."""

    database: Path
    prompt: str
    run: str = ""
    replied: int = 0
    seen: list[tuple[int, Picture]] = field(default_factory=list)

    def complete(self, call: Call) -> Reply:
        if call.prompt.id == self.prompt and self.replied in (1, 2, 4):
            time.sleep(FLUSHED)
            with Store(self.database) as store:
                run, tape = store.runs.get(self.run), store.runs.tape(self.run)
                events = [from_json(line) for line in tape.events()]
                answered = tape.answers_from(first_unreported(events))
                moving = data.so_far(run, store.documents.get(run.document), events, answered=answered)
                self.seen.append((self.replied, moving["picture"]))
        self.replied += call.prompt.id == self.prompt
        return Offline().complete(call)


def leaves(picture: Picture) -> int:
    return sum(node["kind"] == "node" and node["leaf"] for node in picture["nodes"]) if picture else 0


def gists(picture: Picture) -> int:
    return sum(bool(page["gist"]) for page in picture["pages"]) if picture else 0


def memories(picture: Picture) -> int:
    return len(picture["snapshots"]) if picture else 0


BUILDING = pytest.mark.parametrize(
    ("reader", "prompt", "options", "count"),
    [
        ("memwalker", "memwalker.leaf_summary", {"segment_tokens": 100}, leaves),
        ("readagent", "readagent.gist", {"min_words": 60, "max_words": 150}, gists),
        ("memagent", "memagent.update", {"chunk_tokens": 100, "memory_tokens": 64}, memories),
    ],
)


@BUILDING
def test_a_part_is_drawn_as_soon_as_its_reply_is_there(
    store: Store, reader: str, prompt: str, options: dict[str, Any], count: Callable[[Picture], int]
) -> None:
    seen = watched(store, reader, prompt, options)
    assert [count(picture) for _, picture in seen] == [replied for replied, _ in seen] == [1, 2, 4]


def test_the_names_found_in_a_segment_are_drawn_as_soon_as_its_reply_is_there(store: Store) -> None:
    seen = watched(store, "qrmem", "qrmem.entities", {"segment_tokens": 150})
    names = [{node["name"] for node in picture["nodes"]} if picture else set() for _, picture in seen]
    assert names[0]
    assert names[0] < names[1] < names[2]


@BUILDING
def test_what_was_built_before_a_reading_broke_off_is_drawn(
    store: Store, reader: str, prompt: str, options: dict[str, Any], count: Callable[[Picture], int]
) -> None:
    stopped = broken_off(store, reader, prompt, options)
    assert count(data.of(stopped)["picture"]) == BROKEN_OFF


def test_the_summaries_of_a_net_written_before_a_reading_broke_off_are_told(store: Store) -> None:
    stopped = broken_off(store, "qrmem", "qrmem.segment_summary", {"segment_tokens": 150})
    assert f"{BROKEN_OFF} summaries" in data.of(stopped)["steps"][-1]["say"]


def test_the_names_found_before_a_reading_broke_off_are_drawn(store: Store) -> None:
    stopped = broken_off(store, "qrmem", "qrmem.entities", {"segment_tokens": 150})
    made = data.of(stopped)
    found = {step["where"] for step in made["steps"] if step["mark"] == "write"}
    assert {f"segment {number + 1}" for number in range(BROKEN_OFF)} <= found
    assert {node["name"] for node in made["picture"]["nodes"]}


def test_a_page_looks_at_least_every_two_seconds() -> None:
    assert progress.POLL <= 2


@dataclass
class Dying:
    """The offline model, which breaks down at a reply to this prompt."""

    prompt: str
    replied: int = 0

    def complete(self, call: Call) -> Reply:
        if call.prompt.id == self.prompt and self.replied == BROKEN_OFF:
            raise Killed
        self.replied += call.prompt.id == self.prompt
        return Offline().complete(call)


def broken_off(store: Store, reader: str, prompt: str, options: dict[str, Any]) -> Reading:
    run = begun(store, reader, options)
    with pytest.raises(Killed):
        execute(store, run.id, get(reader), Execution(Dying(prompt), concurrency=1))
    return open_reading(store, run.id)


def begun(store: Store, reader: str, options: dict[str, Any]) -> Run:
    document = Document.of(LAMP.read_text(encoding="utf-8")[:6_000], title="Lamp")
    spec = RunSpec(reader, get(reader).version, "Why did the keeper hide the harbour ledger?", options=options)
    return create_run(store, document, get(reader), spec)


def watched(store: Store, reader: str, prompt: str, options: dict[str, Any]) -> list[tuple[int, Picture]]:
    run = begun(store, reader, options)
    model = Watched(store.path, prompt, run.id)
    execute(store, run.id, get(reader), Execution(model, concurrency=1))
    return model.seen
