"""The tape of a reading on a worker: its record in memory, and each call and event posted home before it is used."""

from __future__ import annotations

from collections.abc import Sequence

from readers.engine.prompts.prompt import Prompt
from readers.engine.record.journal import MemoryTape, Record, Wait
from readers.engine.run.cluster.home_client import HomeClient
from readers.engine.run.cluster.posted import save_post


class RemoteTape(MemoryTape):
    """A `Tape` that begins with what is on record at home."""

    def __init__(self, home: HomeClient, records: Sequence[Record], events: Sequence[str]) -> None:
        super().__init__()
        self._home = home
        self.records = {(record.seq, record.attempt): record for record in records}
        self.lines = list(events)

    def find_shared(self, identity: str) -> Record | None:
        return self._home.find_shared(identity)

    def save(self, record: Record | None, prompt: Prompt | None, start: int, new_events: list[str]) -> None:
        self._home.post("save", save_post(record, prompt if record else None, start, new_events))
        super().save(record, prompt, start, new_events)

    def note_wait(self, wait: Wait | None) -> None:
        super().note_wait(wait)
        self._home.post("wait", {"seq": wait and wait.seq, "seconds": wait.seconds if wait else 0.0})
