"""The offline model, which notes what it is asked, in any process. For tests of reading on several processes.

A line in the file is `?` (asked) or `=` (answered), when by the clock of all processes of this machine, in which process, and
which call. Workers import it, so it is light.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.run.execute import RunSpec

Key = tuple[str, int, int]  # a reading by what it reads, and the number and attempt of one of its calls


class Line(NamedTuple):
    kind: str
    at: float
    pid: int
    key: Key


@dataclass(frozen=True)
class NotingModels:
    """Opens the offline model for a reading: a little late and out of order, with a reply now and then that cannot be used."""

    file: Path
    delay: float = 0.0

    def __call__(self, spec: RunSpec) -> NotingModel:
        return NotingModel(self, name(spec))

    def lines(self, kind: str = "?=") -> list[Line]:
        raw = self.file.read_text(encoding="utf-8").splitlines() if self.file.exists() else []
        found = (Line(kind, at, pid, (run, seq, attempt)) for kind, at, pid, run, seq, attempt in map(json.loads, raw))
        return [line for line in found if line.kind in kind]


@dataclass(frozen=True)
class NotingModel:
    models: NotingModels
    run: str

    def complete(self, call: Call) -> Reply:
        self._note("?", call)
        time.sleep(self.models.delay * (1 + call.seq * 7 % 5 / 5))
        unreadable = call.seq % 5 == 3 and not call.attempt
        reply = Reply(" ", 1, 1, 0.0) if unreadable else Offline().complete(call)
        self._note("=", call)
        return reply

    def _note(self, kind: str, call: Call) -> None:
        with self.models.file.open("ab", buffering=0) as out:
            out.write(f"{json.dumps([kind, time.monotonic(), os.getpid(), self.run, call.seq, call.attempt])}\n".encode())


def name(spec: RunSpec) -> str:
    return f"{spec.reader} {spec.question}"
