"""What is tried: a hostile file, as a small generator with the door it comes to; or something that happens to the program."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

Door = Literal["text", "run file", "zip of run files"]


@dataclass(frozen=True)
class Case:
    """`title` says what is hostile; `slow` are those that take seconds even if all goes well, which only `make hostile` tries."""

    kind: str
    title: str
    name: str
    make: Callable[[], bytes]
    door: Door = "text"
    slow: bool = False
    times: int = 1

    def __str__(self) -> str:
        return f"{self.kind}: {self.title}"


@dataclass(frozen=True)
class Mishap:
    """`happen` does it, many `times`, and returns what came of it in words. Raises AssertionError if a promise was broken."""

    kind: str
    title: str
    times: int
    happen: Callable[[], str]

    def __str__(self) -> str:
        return f"{self.kind}: {self.title}"


def cases(kind: str, ending: str, rows: Iterable[tuple[str, Callable[[], bytes]]], *, slow: frozenset[str]) -> list[Case]:
    """Texts of a kind, uploaded under the same ending."""
    return [Case(kind, title, f"x.{ending}", make, slow=title in slow) for title, make in rows]
