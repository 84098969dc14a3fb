"""Reads the header of a GGUF file: the model's own context window, and what its cache takes for each token.

The file is untrusted: every length is checked against a bound before it is used, and no more of the header is read than the
bounds allow. Not here: the weights themselves, and which files there are (`weights.py`).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from readers.engine.errors import BadFile

MAX_ENTRIES = 4_096
MAX_KEY_BYTES = 1_024
MAX_STRING_BYTES = 1 << 20
MAX_ITEMS = 1 << 21  # of one array; the largest vocabularies have some 300,000
MAX_WINDOW = 1 << 24
MAX_SHAPE = 1 << 20  # of a model's other measures
_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_FORMATS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9
_CACHE_BYTES = 2  # llama.cpp holds the cache in numbers of 16 bits

Value = str | int | float | bool | tuple[int, ...] | None


@dataclass(frozen=True)
class Header:
    """What the header says. `window` is the model's context window in tokens; `cache_bytes` is what one token occupies in the
    cache of keys and values, 0 if the header does not say."""

    window: int
    cache_bytes: int


def read_header(path: Path) -> Header:
    """Read a model's header. Raises BadFile if the file is not GGUF, is damaged, or holds no language model."""
    try:
        there = path.stat()
    except OSError as error:
        raise BadFile(f"the weights {path.name!r} cannot be read: {error.strerror}; check the file") from None
    return _read_header(path, there.st_size, there.st_mtime_ns)


@lru_cache(maxsize=64)
def _read_header(path: Path, size: int, changed: int) -> Header:
    try:
        with path.open("rb") as file:
            return _header_of(_entries(file), path.name)
    except OSError as error:
        raise BadFile(f"the weights {path.name!r} cannot be read: {error.strerror}; check the file") from None
    except _Damaged as damaged:
        raise BadFile(f"{path.name!r} is not a complete GGUF file ({damaged}); fetch it again") from None


class _Damaged(Exception):
    """The header breaks the format or a bound; the message is a clause."""


def _header_of(entries: Mapping[str, Value], name: str) -> Header:
    architecture = entries.get("general.architecture")

    def number(key: str, most: int) -> int:
        value = entries.get(f"{architecture}.{key}")
        if isinstance(value, tuple):
            value = max(value, default=None)
        return value if isinstance(value, int) and 0 < value <= most else 0

    window = number("context_length", MAX_WINDOW)
    if not isinstance(architecture, str) or not window:
        raise BadFile(f"{name!r} has no language model with a context window; use the GGUF file of such a model")
    heads, width = number("attention.head_count", MAX_SHAPE), number("embedding_length", MAX_SHAPE)
    a_head = width // heads if heads else 0
    kept = number("attention.key_length", MAX_SHAPE) or a_head, number("attention.value_length", MAX_SHAPE) or a_head
    layers, kept_heads = number("block_count", MAX_SHAPE), number("attention.head_count_kv", MAX_SHAPE) or heads
    return Header(window, layers * kept_heads * sum(kept) * _CACHE_BYTES)


def _entries(file: BinaryIO) -> dict[str, Value]:
    """The entries before the tokenizer's, which are by far the largest and come last."""
    if file.read(len(_MAGIC)) != _MAGIC:
        raise _Damaged("it does not begin like one")
    version = _number(file, "<I")
    if version not in _VERSIONS:
        raise _Damaged(f"its version is {version}, not {' or '.join(map(str, _VERSIONS))}")
    _number(file, "<Q")  # how many tensors there are
    count = _bounded(_number(file, "<Q"), MAX_ENTRIES, "entries")
    entries: dict[str, Value] = {}
    for _ in range(count):
        key = _string(file, MAX_KEY_BYTES)
        if key.startswith("tokenizer.") and _has_shape(entries):
            break
        entries[key] = _value(file, _number(file, "<I"))
    return entries


def _has_shape(entries: Mapping[str, Value]) -> bool:
    return any(key.endswith(".context_length") for key in entries)


def _value(file: BinaryIO, kind: int) -> Value:
    """One value; an array of integers as a tuple, any other array as None."""
    if kind == _STRING:
        return _string(file, MAX_STRING_BYTES)
    if kind != _ARRAY:
        return _number(file, _format(kind))
    items, count = _number(file, "<I"), _bounded(_number(file, "<Q"), MAX_ITEMS, "items")
    if items == _STRING:
        for _ in range(count):
            file.seek(_bounded(_number(file, "<Q"), MAX_STRING_BYTES, "bytes"), 1)
        return None
    packed = _format(items)
    data = _exactly(file, count * struct.calcsize(packed))
    numbers = [value for (value,) in struct.iter_unpack(packed, data)]
    return tuple(numbers) if all(isinstance(value, int) for value in numbers) else None


def _format(kind: int) -> str:
    if kind not in _FORMATS:
        raise _Damaged(f"it has a value of the unknown kind {kind}")
    return _FORMATS[kind]


def _number(file: BinaryIO, packed: str) -> int:
    (value,) = struct.unpack(packed, _exactly(file, struct.calcsize(packed)))
    return value  # type: ignore[no-any-return]  # a float where the format says so; no caller takes it for a length


def _string(file: BinaryIO, most: int) -> str:
    return _exactly(file, _bounded(_number(file, "<Q"), most, "bytes")).decode("utf-8", "replace")


def _exactly(file: BinaryIO, size: int) -> bytes:
    data = file.read(size)
    if len(data) != size:
        raise _Damaged("it ends in its header")
    return data


def _bounded(value: int, most: int, what: str) -> int:
    if value > most:
        raise _Damaged(f"its header claims {value:,} {what}")
    return value
