"""What is tried: a hostile file, as a small generator with the door it comes to; or something that happens to the program."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

Door = Literal["text", "run file", "zip of run files"]


@dataclass(frozen=True)
class Tried:
    """Of a kind, and what is hostile about it."""

    kind: str
    title: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.title}"


@dataclass(frozen=True)
class Case(Tried):
    """A file that comes to a door. `slow` are those that take seconds even if all goes well, which only `make hostile` tries."""

    name: str
    make: Callable[[], bytes]
    door: Door = "text"
    slow: bool = False
    times: int = 1


@dataclass(frozen=True)
class Mishap(Tried):
    """`happen` does it, many `times`, and returns what came of it in words. Raises AssertionError if a promise was broken."""

    times: int
    happen: Callable[[], str]


def cases(kind: str, ending: str, rows: Iterable[tuple[str, Callable[[], bytes]]], *, slow: frozenset[str]) -> list[Case]:
    """Texts of a kind, uploaded under the same ending."""
    return [Case(kind, title, f"x.{ending}", make, slow=title in slow) for title, make in rows]
