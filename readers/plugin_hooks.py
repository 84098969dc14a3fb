"""The hooks of a reader of one's own, each of which fails in a sentence that names the reader, the hook and the line.

Pages and commands call them for every reading: `view`, `names` and the others of `Reader`, and those of its narrative and its
pseudo-code. They are somebody else's code, so whatever is raised there becomes one `ReaderFailed`. Not here: `read`, whose errors
end its reading as failed (`engine/run/execute.py`), and finding plug-ins (`plugins.py`).
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from readers.engine.errors import ReaderFailed
from readers.engine.record.narrative import Narrative
from readers.engine.record.pseudo_code import PseudoCode
from readers.engine.run.reader import Reader

T = TypeVar("T")
DICTIONARIES = ("view", "names")  # the hooks that return one


def with_guarded_hooks(reader: Reader) -> Reader:
    """A copy of the reader whose hooks raise nothing but ReaderFailed."""
    guarded = _guarded(reader, Reader, reader_id=reader.id)
    vars(guarded)["narrative"] = _guarded(reader.narrative, Narrative, reader_id=reader.id, prefix="narrative.")
    if reader.pseudo_code:
        vars(guarded)["pseudo_code"] = _guarded(reader.pseudo_code, PseudoCode, reader_id=reader.id, prefix="pseudo_code.")
    return guarded


def _guarded(of: T, base: type, *, reader_id: str, prefix: str = "") -> T:
    """A copy with the methods of the base class guarded; the narrative may be one that other readers share."""
    guarded = copy(of)
    for name, _ in inspect.getmembers(base, inspect.isfunction):
        if name[0] != "_" and name != "read":
            vars(guarded)[name] = _Hook(getattr(of, name), reader_id, f"{prefix}{name}")
    return guarded


@dataclass(frozen=True)
class _Hook:
    """A hook in whose place this is called; `name` is what an error calls it."""

    code: Callable[..., Any]
    reader_id: str
    name: str

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            result = self.code(*args, **kwargs)
        except Exception as error:
            raise self._failed(error) from error
        if self.name in DICTIONARIES and not isinstance(result, dict):
            raise self._error(f"it returned {type(result).__name__}, and must return a dict")
        return self._each(result) if isinstance(result, Iterator) else result

    def _each(self, results: Iterator[Any]) -> Iterator[Any]:
        try:
            yield from results
        except Exception as error:
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> ReaderFailed:
        """What was raised, and the last line of the reader's own files that was reached, if any was."""
        own = Path(inspect.getsourcefile(self.code) or "").parent
        reached = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).parent == own]
        where = f" ({Path(reached[-1].filename).name}, line {reached[-1].lineno})" if reached else ""
        return self._error(" ".join(f"{type(error).__name__}: {error}".split())[:300] + where)

    def _error(self, what: str) -> ReaderFailed:
        correct = "Correct it there, and start Palimpsest again"
        return ReaderFailed(f"the reader {self.reader_id!r} failed in its hook {self.name!r}: {what}. {correct}")
