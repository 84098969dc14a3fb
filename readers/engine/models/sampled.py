"""The tokens of a reply and their log-probabilities, as far as a server gives them when it is asked for them. Pure.

Servers of OpenAI's form give a log-probability for each token; llama.cpp gives the token's id beside it, vLLM the ids on their
own. They are of all that the model wrote, its thoughts among it. What a server sends is untrusted: anything else counts as not
given.
"""

from __future__ import annotations

import json
import math
from typing import Any, NamedTuple

MOST_TOKENS = 200_000  # of one reply


class Sampled(NamedTuple):
    """The id of each token of a reply, and its natural log-probability; None for what the server did not give."""

    token_ids: tuple[int, ...] | None = None
    logprobs: tuple[float, ...] | None = None

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of what was not given."""
        return tuple(name for name, value in self._asdict().items() if value is None)

    def to_json(self) -> str | None:
        """As stored; None if nothing was given."""
        return None if len(self.missing) == len(self) else json.dumps(self._asdict(), separators=(",", ":"))

    @classmethod
    def of(cls, stored: str | None) -> Sampled:
        """What `to_json` returned."""
        found: dict[str, Any] = json.loads(stored) if stored else {}
        ids, logprobs = (found.get(name) for name in cls._fields)
        return cls(tuple(ids) if ids else None, tuple(logprobs) if logprobs else None)


NOT_GIVEN = Sampled()


def sampled_in(response: object) -> Sampled:
    """What a response of OpenAI's form, as data or JSON, gives of its first choice."""
    try:
        found = json.loads(response) if isinstance(response, (str, bytes)) else response
    except ValueError:
        return NOT_GIVEN
    choice = _first(_get(found, "choices"))
    rows = _get(_get(choice, "logprobs"), "content")
    rows = rows if isinstance(rows, list) else []
    logprobs = _all(_is_logprob, [_get(row, "logprob") for row in rows])
    ids = _all(_is_id, [_get(row, "id") for row in rows]) or _all(_is_id, _get(choice, "token_ids"))
    if ids and logprobs and len(ids) != len(logprobs):
        ids = None  # they cannot be told apart by place
    return Sampled(tuple(map(int, ids)) if ids else None, tuple(map(float, logprobs)) if logprobs else None)


def _get(found: object, name: str) -> Any:
    return found.get(name) if isinstance(found, dict) else None


def _first(found: object) -> Any:
    return found[0] if isinstance(found, list) and found else None


def _all(fits: Any, values: object) -> list[Any] | None:
    """The values, if there are some and each fits."""
    given = isinstance(values, list) and 0 < len(values) <= MOST_TOKENS and all(map(fits, values))
    return list(values) if given and isinstance(values, list) else None


def _is_id(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 32


def _is_logprob(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value <= 0
