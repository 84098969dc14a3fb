"""Count tokens with tiktoken, offline.

One encoding (`o200k_base`) is used for every model: counts decide where a text is cut and whether a prompt fits, so they must not
depend on the model. For other tokenisers they are an estimate, so limits leave some room. Not here: decoding to text, and the
tokenisers of models.
"""

from __future__ import annotations

import os
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

import tiktoken

ENCODING = "o200k_base"

# The most characters for one call of the encoder: its time is more than linear on an unbroken run of letters.
BLOCK = 20_000
_WORD, _LONG = 40, 500


@cache
def encoding() -> tiktoken.Encoding:
    """The encoding, from the tables in litellm's wheel, so that nothing is downloaded."""
    spec = find_spec("litellm")
    if spec is not None and spec.submodule_search_locations and not os.environ.get("TIKTOKEN_CACHE_DIR"):
        tables = Path(spec.submodule_search_locations[0], "litellm_core_utils", "tokenizers")
        os.environ["TIKTOKEN_CACHE_DIR"] = str(tables)
    return tiktoken.get_encoding(ENCODING)


def count(text: str) -> int:
    """The number of tokens in `text`. A text over 20,000 characters is counted in blocks, cut at white space if there is any."""
    if len(text) <= _WORD:
        return _count_word(text)
    if len(text) <= BLOCK:
        return len(_encode_block(text))
    return sum(len(_encode_block(text[start:end])) for start, end in _blocks(text))


@lru_cache(maxsize=1 << 14)
def _count_word(text: str) -> int:
    return len(encoding().encode_ordinary(text))


def in_words(limit: int) -> int:
    """About how many English words have this many tokens: a limit as a prompt states it."""
    return max(1, limit * 3 // 4)


def _blocks(text: str) -> list[tuple[int, int]]:
    blocks = []
    start = 0
    while start < len(text):
        end = min(start + BLOCK, len(text))
        if end < len(text):
            space = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
            end = space if space > start else end
        blocks.append((start, end))
        start = end
    return blocks


def prefix(text: str, limit: int, *, start: int = 0, end: int | None = None) -> int:
    """The number of characters of `text[start:end]` that fit into `limit` tokens; never half a character.

    It reads only as much of the text as it needs, so the time grows with `limit` and not with the text.
    """
    end = len(text) if end is None else end
    length = limit * 2
    while True:
        window = text[start : min(end, start + length)]
        found = _encode(window, limit + 1)
        if len(found) > limit:
            return len(encoding().decode_bytes(found[:limit]).decode("utf-8", errors="ignore"))
        if start + length >= end:
            return end - start
        length *= 4


def suffix(text: str, limit: int) -> int:
    """The number of characters at the end of `text` that fit into `limit` tokens; like `prefix`."""
    length = limit * 2
    while True:
        window = text[max(0, len(text) - length) :]
        found = _encode(window)
        if len(found) > limit:
            return len(encoding().decode_bytes(found[-limit:]).decode("utf-8", errors="ignore"))
        if length >= len(text):
            return len(text)
        length *= 4


def _encode(text: str, enough: int | None = None) -> list[int]:
    """The tokens of a text, in blocks; no further block once there are `enough`."""
    found: list[int] = []
    for start, end in _blocks(text):
        found += _encode_block(text[start:end])
        if enough is not None and len(found) >= enough:
            break
    return found


def _encode_block(text: str) -> list[int]:
    return _encode_long(text) if len(text) > _LONG else encoding().encode_ordinary(text)


@lru_cache(maxsize=32)
def _encode_long(text: str) -> list[int]:
    """The tokens of a long block. Encoding an unbroken run takes long, and a text that has many tokens' worth of it within the
    limits repeats itself, so its blocks are the same."""
    return encoding().encode_ordinary(text)
