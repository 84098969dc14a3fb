"""Canonical JSON and its hash: equal data give equal strings, in every process and on every machine.

Keys are sorted, nothing is escaped that need not be, tuples are lists. Strings must be encodable as UTF-8: whatever comes from
outside is made so where it comes in. orjson, because this runs several times for every call of a reading.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import orjson


def canonical(value: Any) -> str:
    return orjson.dumps(value, default=_plain, option=orjson.OPT_SORT_KEYS).decode()


def digest(text: str) -> str:
    """SHA-256 in hexadecimal."""
    return sha256(text.encode()).hexdigest()


def encodable(text: str) -> str:
    """`text` with what cannot be encoded as UTF-8 replaced by a question mark."""
    return text.encode("utf-8", "replace").decode()


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    raise TypeError(f"{type(value).__name__} is no JSON data")
