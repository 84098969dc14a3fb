"""Canonical JSON and its hash: equal data give equal strings, in every process and on every machine.

Keys are sorted, nothing is escaped unless necessary, tuples become lists. Strings must be encodable as UTF-8; outside data is
made encodable where it enters. Uses orjson because this runs several times for every call of a run.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import orjson


def canonical(value: Any) -> str:
    """Canonical JSON of a value."""
    return orjson.dumps(value, default=_plain, option=orjson.OPT_SORT_KEYS).decode()


def digest(text: str) -> str:
    """SHA-256 in hexadecimal."""
    return sha256(text.encode()).hexdigest()


def encodable(text: str) -> str:
    """`text` with every character that UTF-8 cannot encode replaced by a question mark."""
    return text.encode("utf-8", "replace").decode()


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    raise TypeError(f"{type(value).__name__} is not JSON data")
