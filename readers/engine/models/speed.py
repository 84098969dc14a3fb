"""How fast a model is; and, for one on this machine, measuring it by two calls, stored next to the database.

Two calls of different shape, one with a long prompt and a reply of one token, one with a short prompt and a long reply, give two
equations for the two speeds. Not here: what is learnt from the calls of readings (`learnt_speed.py`), and the time of a reading
at that speed (`run/estimate.py`).
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
    """Tokens a second, `read` of a prompt and `written` of a reply, and the seconds of a call besides (`delay`).

    `shared`: how far calls in flight together share the speed, from 0 (each has all of it) to 1 (one machine computes one after
    another). `cached` is the share of prompts that a server has from earlier ones and does not read, `load` the seconds that the
    first call of a reading may wait for the model.
    """

    read: float
    written: float
    delay: float = 0.0
    load: float = 0.0
    shared: float = 1.0
    cached: float = 0.0

    def seconds(self, calls: float, sent: float, received: float, *, at_once: float = 1) -> float:
        """How long this many calls with these tokens in total take, so many of them at once."""
        alone = calls * self.delay + sent * (1 - self.cached) / self.read + received / self.written
        width = max(1.0, min(at_once, calls))
        return float(alone * width**self.shared / width)


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
