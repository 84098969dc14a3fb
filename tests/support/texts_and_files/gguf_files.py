"""Small GGUF files: a header as llama.cpp writes it, and no weights."""

from __future__ import annotations

import struct
from collections.abc import Mapping

UINT32, FLOAT32, STRING, ARRAY, UINT64 = 4, 6, 8, 9, 10
LLAMA: Mapping[str, object] = {
    "general.architecture": "llama",
    "llama.context_length": 8192,
    "llama.block_count": 30,
    "llama.embedding_length": 576,
    "llama.attention.head_count": 9,
    "llama.attention.head_count_kv": 3,
}


def gguf(entries: Mapping[str, object] = LLAMA, *, version: int = 3, count: int | None = None) -> bytes:
    """A file with these entries. `count` is how many it claims to have."""
    head = b"GGUF" + struct.pack("<IQQ", version, 0, len(entries) if count is None else count)
    return head + b"".join(packed(key) + value_of(value) for key, value in entries.items())


def packed(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def value_of(value: object) -> bytes:
    """A value with its kind before it; bytes as they are."""
    match value:
        case bytes():
            return value
        case str():
            return struct.pack("<I", STRING) + packed(value)
        case float():
            return struct.pack("<If", FLOAT32, value)
        case int():
            return struct.pack("<II", UINT32, value)
        case [str(), *_]:
            return struct.pack("<IIQ", ARRAY, STRING, len(value)) + b"".join(packed(one) for one in value)
        case [*numbers]:
            return struct.pack("<IIQ", ARRAY, UINT32, len(numbers)) + struct.pack(f"<{len(numbers)}I", *numbers)
    raise TypeError(f"no value of a header: {value!r}")
