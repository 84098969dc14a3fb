"""What must not depend on the seed of Python's hashes, as a line of JSON. For a process of its own:

PYTHONHASHSEED=77 python -m tests.support.processes.hash_seed
"""

from __future__ import annotations

import json
from dataclasses import replace

from components.player.pictures import picture
from readers import READERS, get
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.record.events import to_json
from readers.engine.run.execute import Reader, RunSpec, rehearse
from readers.engine.text.document import Document
from tests.readers.every_reader.test_every_reader import QUESTION
from tests.support.paths import LAMP
from tests.support.readings.every_reading import SMALL
from tests.support.specs import current_spec

CHOICES = ("Bright new bolt holes", "A boat", "The harmonium", "Nothing")
# Options and questions under which a reader asks what it otherwise does not.
ALSO: dict[str, tuple[RunSpec, ...]] = {
    "readagent": (
        current_spec("readagent", QUESTION, options={"mode": "sequential", "previous_page": True}),
        current_spec("readagent", QUESTION, options={"conditional": True}, choices=CHOICES),
    ),
    "qrmem": (current_spec("qrmem", QUESTION, options={"strategy": "expansion", "graph_update": False}, choices=CHOICES),),
    "memwalker": (current_spec("memwalker", QUESTION, choices=CHOICES),),
}


class Noting:
    """The offline model, noting the replies and which tasks they were for."""

    def __init__(self) -> None:
        self.replies: list[str] = []
        self.tasks: set[str] = set()

    def immediate(self, call: Call) -> bool:
        return True

    def complete(self, call: Call) -> Reply:
        reply = Offline().complete(call)
        self.replies.append(reply.text)
        self.tasks.add(call.prompt.task)
        return reply


def told() -> dict[str, list[str]]:
    """By what it is: the replies of every reading, its events, its picture; and under `tasks` what was asked."""
    text = Document.of(LAMP.read_text(encoding="utf-8")[12_000:19_000], title="Some of the lamp")
    found: dict[str, list[str]] = {}
    tasks: set[str] = set()
    for reader in READERS:
        for number, spec in enumerate((RunSpec(reader.id, 1, QUESTION), *ALSO.get(reader.id, ()))):
            noting = Noting()
            found[f"{reader.id} {number}"] = [*_read(reader, text, spec, noting), *noting.replies]
            tasks |= noting.tasks
    return found | {"tasks": sorted(tasks)}


def _read(reader: Reader, text: Document, spec: RunSpec, model: Noting) -> list[str]:
    spec = replace(spec, version=get(reader.id).version, options={**SMALL[reader.id], **spec.options})
    trace = rehearse(text, reader, spec, model)
    drawn = picture(reader.id, trace, opened=frozenset())
    return [*(to_json(event) for event in trace.events), json.dumps(drawn)]


if __name__ == "__main__":
    print(json.dumps(told()))
