"""A hostile file, as a small generator: its kind, the name it is uploaded under, and the door it comes to."""

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

    def __str__(self) -> str:
        return f"{self.kind}: {self.title}"


def cases(kind: str, ending: str, rows: Iterable[tuple[str, Callable[[], bytes]]], *, slow: frozenset[str]) -> list[Case]:
    """Texts of a kind, uploaded under the same ending."""
    return [Case(kind, title, f"x.{ending}", make, slow=title in slow) for title, make in rows]
