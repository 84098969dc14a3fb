"""The hooks of your own readers: any exception becomes an error that names the reader, the hook and the line.

Pages and commands call the hooks for every reading: `view`, `names` and the others of `Reader`, and those of its narrative and
its pseudo-code. Hooks are third-party code, so any exception in them becomes a `ReaderFailed`. The same happens if a hook returns
a value of another type than the base class declares: mappings must be JSON, words must be text. Not here: `read`, whose errors
end its reading as failed (`engine/run/execute.py`), and finding plug-ins (`plugins.py`).
"""

from __future__ import annotations

import inspect
import json
import traceback
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from readers.engine.canonical import encodable
from readers.engine.errors import ReaderFailed, in_words
from readers.engine.record.narrative import Narrative
from readers.engine.record.pseudo_code import PseudoCode
from readers.engine.run.reader import Reader

T = TypeVar("T")
MAX_CHARS = 10_000_000  # of what a hook returns, as JSON


def with_guarded_hooks(reader: Reader) -> Reader:
    """A copy of the reader whose hooks raise only ReaderFailed."""
    guarded = _guarded(reader, Reader, reader_id=reader.id)
    vars(guarded)["narrative"] = _guarded(reader.narrative, Narrative, reader_id=reader.id, prefix="narrative.")
    if reader.pseudo_code:
        vars(guarded)["pseudo_code"] = _guarded(reader.pseudo_code, PseudoCode, reader_id=reader.id, prefix="pseudo_code.")
    return guarded


def _guarded(of: T, base: type, *, reader_id: str, prefix: str = "") -> T:
    """A copy with the methods of the base class guarded; the narrative may be one that other readers share."""
    guarded = copy(of)
    for name, original in inspect.getmembers(base, inspect.isfunction):
        if name[0] != "_" and name != "read":
            returns = str(original.__annotations__.get("return", ""))
            vars(guarded)[name] = _Hook(getattr(of, name), reader_id, f"{prefix}{name}", returns)
    return guarded


@dataclass(frozen=True)
class _Hook:
    """A wrapper around a hook; `name` is its name in errors, `returns` its return annotation."""

    code: Callable[..., Any]
    reader_id: str
    name: str
    returns: str

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            result = self.code(*args, **kwargs)
            if self.returns.startswith(("dict[", "Mapping[")):
                return self._plain(result)
        except (Exception, SystemExit) as error:
            raise error if isinstance(error, ReaderFailed) else self._failed(error) from error
        return self._each(result) if isinstance(result, Iterator) else self._word(result, "str")

    def _each(self, results: Iterator[Any]) -> Iterator[Any]:
        try:
            for result in results:
                yield self._word(result, "Iterator[str]")
        except (Exception, SystemExit) as error:
            raise error if isinstance(error, ReaderFailed) else self._failed(error) from error

    def _word(self, result: Any, kind: str) -> Any:
        """The result; text as plain text, where the hook returns this kind."""
        if self.returns != kind:
            return result
        if not isinstance(result, str):
            raise self._error(f"it returned {type(result).__name__}, and must return text")
        return self._limited("".join(result))

    def _plain(self, result: Any) -> dict[str, Any]:
        """The result as plain JSON, so that none of the reader's code is left in it."""
        if not isinstance(result, Mapping):
            raise self._error(f"it returned {type(result).__name__}, and must return a dict")
        chunks, chars = [], 0
        for chunk in json.JSONEncoder(ensure_ascii=False, allow_nan=False).iterencode(dict(result)):
            chars += len(chunk)
            chunks.append(self._limited(chunk, chars))
        plain: dict[str, Any] = json.loads(encodable("".join(chunks)))
        if self.returns == "dict[str, str]" and not all(isinstance(value, str) for value in plain.values()):
            raise self._error("it returned a dict with values that are not text")
        return plain

    def _limited(self, words: str, chars: int = 0) -> str:
        if max(chars, len(words)) > MAX_CHARS:
            raise self._error(f"it returned more than {MAX_CHARS:,} characters; return less")
        return words

    def _failed(self, error: BaseException) -> ReaderFailed:
        return self._error(in_words(error) + _line_reached(error, self.code))

    def _error(self, what: str) -> ReaderFailed:
        correct = "Correct it there, and restart Palimpsest"
        return ReaderFailed(f"the reader {self.reader_id!r} failed in its hook {self.name!r}: {what}. {correct}")


def _line_reached(error: BaseException, code: Callable[..., Any]) -> str:
    """The last line of the reader's own files that was reached, in brackets; empty if none was."""
    own = Path(inspect.getsourcefile(code) or "").parent
    reached = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).parent == own]
    return f" ({Path(reached[-1].filename).name}, line {reached[-1].lineno})" if reached else ""


def broke_down(reader: Reader, error: BaseException) -> str:
    """What the method of a reader raised, and the line."""
    return f"the reader {reader.id!r} broke down in 'read': {in_words(error)}{_line_reached(error, reader.read)}"
