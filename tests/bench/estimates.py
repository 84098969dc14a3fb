"""How far the time that readings were expected to take is off, on three servers that answer at their own speeds, at a twentieth
of the usual times."""

from __future__ import annotations

import random
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Semaphore

from readers import get
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.models.speed import Speed
from readers.engine.run.estimate import estimate
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from readers.engine.text.document import Document
from tests.support.paths import ROOT

FASTER = 20
READERS = {"memwalker": {"segment_tokens": 300}, "memagent": {"chunk_tokens": 400}}
QUESTIONS = ("Who kept the high light?", "Who was Rhoda?", "What was missing?")
TAUGHT, TRIED = 2, 10


@dataclass
class Timed:
    """Answers as the offline model, in the time that a server of this speed takes, so many calls at once."""

    speed: Speed
    places: Semaphore
    random: random.Random = field(default_factory=lambda: random.Random(3))

    def complete(self, call: Call) -> Reply:
        began, reply = time.monotonic(), Offline().complete(call)
        received = round(120 * self.random.lognormvariate(0, 0.3))
        with self.places:
            time.sleep(self.speed.seconds(1, reply.tokens_in or 0, received) / FASTER)
        return replace(reply, tokens_out=received, ms=max(1, round(1000 * (time.monotonic() - began))))


def expected() -> tuple[str, str, float, float]:
    """The eighth best of ten readings on each server, of the server where that is worst."""
    servers = {
        "http://h/v1": Timed(Speed(2000, 80, 0.4), Semaphore(64)),
        "http://127.0.0.1:9/v1": Timed(Speed(200, 40, 0.05), Semaphore(1)),
        "http://b/v1": Timed(Speed(5000, 35, 0.15), Semaphore(3)),
    }
    off = [sorted(_readings(address, model))[7] for address, model in servers.items()]
    return "time of a reading, as expected", "its time, 8 of 10", max(off), 1.5


def _readings(address: str, model: Timed) -> list[float]:
    text = (ROOT / "assets/samples/the_lamp_at_carrow_point.txt").read_text(encoding="utf-8")
    document, off = Document.of(text[:12_000], title="Lamp"), []
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "palimpsest.db") as store:
        for number in range(TAUGHT + TRIED):
            reader = get(list(READERS)[number % 2])
            question = QUESTIONS[number % len(QUESTIONS)]
            spec = RunSpec(
                reader.id, reader.version, question, options=READERS[reader.id], model="openai/x", api_base=address, reuse=False
            )
            likely = estimate(document, reader, spec, store=store).likely
            began = time.monotonic()
            execute(store, create_run(store, document, reader, spec).id, reader, Execution(model))
            took = time.monotonic() - began
            if number >= TAUGHT and likely:
                off.append(max(took / likely, likely / took))
    return off
