"""Ways to divide readings, on every page and in every file: their parts, the names of the parts, and their order. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

LENGTHS = (1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 512_000, 1_000_000)  # tokens of a text
MOST_PARTS = 12  # a field with more values is not a slice, but a name or a number
T = TypeVar("T")


@dataclass(frozen=True)
class Slice(Generic[T]):
    """A way to divide things: its title, the key of a thing's part (a thing without a key is left out), and the name of a key."""

    title: str
    key_of: Callable[[T], str | None]
    name: Callable[[str], str] = str

    def parts(self, things: Iterable[T]) -> dict[str, list[T]]:
        """The things by the name of their part: if all keys are numbers in order, otherwise as they come."""
        keyed: dict[str, list[T]] = {}
        for thing in things:
            if key := self.key_of(thing):
                keyed.setdefault(key, []).append(thing)
        numbers = all(key.isdecimal() for key in keyed)
        parts: dict[str, list[T]] = {}
        for key in sorted(keyed, key=lambda digits: (len(digits), digits)) if numbers else keyed:
            parts.setdefault(self.name(key), []).extend(keyed[key])
        return parts


def by_length(tokens_of: Callable[[T], int]) -> Slice[T]:
    """By the length of the text, the shortest first; a text without tokens was deleted, and is in no part."""
    return Slice("Length of the text", lambda thing: _length_key(tokens_of(thing)), lambda key: _length_name(int(key)))


def _length_key(tokens: int) -> str | None:
    """The number of the range of a text with this many tokens, with two digits, so that they also sort as words."""
    return f"{sum(tokens > most for most in LENGTHS):02}" if tokens else None


def _length_name(number: int) -> str:
    """`up to 4K`, `over 1M`"""
    return f"up to {_short(LENGTHS[number])}" if number < len(LENGTHS) else f"over {_short(LENGTHS[-1])}"


def _short(tokens: int) -> str:
    return f"{tokens // 1_000_000}M" if tokens >= 1_000_000 else f"{tokens // 1_000}K"
