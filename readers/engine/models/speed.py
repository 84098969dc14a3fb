"""How fast a model is on this machine, in tokens per second in and out: measured by two calls, and stored next to the database.

Two calls of different shape, one with a long prompt and a reply of one token, one with a short prompt and a long reply, give two
equations for the two speeds. Not here: the time of a reading at that speed (`run/estimate.py`).
"""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass

from readers.engine.errors import ModelFailed
from readers.engine.home import home, read_figures, write_figures
from readers.engine.models.call import Call, ModelSettings, Reply
from readers.engine.models.model import Model
from readers.engine.prompts.prompt import Prompt
from readers.engine.text.document import Text

_FILE = "speeds.json"
# A server reuses what it has computed for a prompt that begins like an earlier one, so each measurement begins differently.
_READ = Prompt(
    id="models.speed_in",
    task="summarise",
    template="Note $number.\n\n<text>\n$segment\n</text>\n\nSay yes if you have read this.",
    max_tokens=1,
)
_WRITE = Prompt(
    id="models.speed_out",
    task="summarise",
    template="Note $number. Count from one to a hundred in words, separated by blanks: one two three ...",
    max_tokens=48,
)
_TEXT = " ".join(
    f"On day {day} the keeper walked down to the harbour, counted {day * 7 % 60} boats and wrote the number in the book."
    for day in range(1, 21)
)


@dataclass(frozen=True)
class Speed:
    """Tokens a second: `read` of a prompt, `written` of a reply."""

    read: float
    written: float

    def seconds(self, sent: float, received: float) -> float:
        """How long calls with this many tokens in total take, one after another."""
        return sent / self.read + received / self.written


def measure(model: Model, settings: ModelSettings) -> Speed:
    """Measure a model by two calls; it should have answered one before, so that it is loaded. Raises ModelFailed."""
    now = str(time.time_ns())[::-1]
    first = model.complete(Call(0, 0, _READ, _READ.parts({"number": Text(now), "segment": Text(_TEXT)}), settings))
    second = model.complete(Call(1, 0, _WRITE, _WRITE.parts({"number": Text(now[1:])}), settings))
    found = _solve(first, second)
    if found is None:
        raise ModelFailed(
            f"the speed of {settings.model!r} cannot be measured: it reported no tokens, or wrote none; test it again"
        )
    return found


def _solve(first: Reply, second: Reply) -> Speed | None:
    """The speeds at which both calls took the time they took; None if token counts are missing."""
    if not (first.tokens_in and second.tokens_in and second.tokens_out):
        return None
    sent, received = (first.tokens_in, second.tokens_in), (first.tokens_out or 1, second.tokens_out)
    took = max(1, first.ms) / 1000, max(1, second.ms) / 1000
    of_both = sent[0] * received[1] - sent[1] * received[0]
    per_read, per_written = 0.0, 0.0
    if of_both > 0:
        per_read = (took[0] * received[1] - took[1] * received[0]) / of_both
        per_written = (sent[0] * took[1] - sent[1] * took[0]) / of_both
    if (
        per_read <= 0 or per_written <= 0
    ):  # disturbed by other work on this machine: each call gives one speed, which can only be too low
        per_read, per_written = took[0] / sent[0], took[1] / received[1]
    return Speed(1 / per_read, 1 / per_written)


def find_speed(model_id: str, api_base: str | None) -> Speed | None:
    """The speed that was measured here last; None if it never was."""
    return _load().get(_key(model_id, api_base))


def store_speed(model_id: str, api_base: str | None, speed: Speed) -> None:
    """Store a measured speed in place of an earlier one."""
    write_figures(_FILE, {key: asdict(one) for key, one in {**_load(), _key(model_id, api_base): speed}.items()})


def version() -> int:
    """Changes whenever a speed is stored; for keys of caches."""
    path = home() / _FILE
    return path.stat().st_mtime_ns if path.exists() else 0


def _load() -> dict[str, Speed]:
    """All stored speeds that can be read."""
    return {key: speed for key, value in read_figures(_FILE).items() if (speed := _speed_of(value))}


def _speed_of(value: object) -> Speed | None:
    numbers = [value.get(name) for name in ("read", "written")] if isinstance(value, dict) else []
    usable = [float(number) for number in numbers if isinstance(number, (int, float)) and math.isfinite(number) and number > 0]
    return Speed(*usable) if len(usable) == 2 else None


def _key(model_id: str, api_base: str | None) -> str:
    return f"{model_id} {api_base or ''}".strip()
