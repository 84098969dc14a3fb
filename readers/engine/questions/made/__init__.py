"""Questions made here: the same question in ever longer texts, and needles and facts put into any text. Seeded, with known
evidence.

The result is one object per line (`Made.row`), which is imported like a benchmark's file (`benchmarks/synthetic.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from readers.engine.canonical import digest
from readers.engine.text.document import Span

Kind = Literal["sweep", "needles"]
MADE = "made"  # the field that says which kind a row is


@dataclass(frozen=True)
class Made:
    """A question, its text, its answers, and where the text gives them; `against` are places that give an outdated answer.
    `fields` are to filter and count by."""

    kind: Kind
    key: str
    title: str
    text: str
    question: str
    answers: tuple[str, ...]
    evidence: tuple[Span, ...]
    against: tuple[Span, ...] = ()
    all_required: bool = False
    fields: dict[str, Any] = field(default_factory=dict)

    @property
    def row(self) -> dict[str, Any]:
        """As JSON data, in the fields of a question file."""
        return {
            MADE: self.kind, "id": self.key, "title": self.title, "question": self.question, "answers": list(self.answers),
            **({"all_required": True} if self.all_required else {}), "evidence": _places(self.evidence),
            **({"counter_evidence": _places(self.against)} if self.against else {}), **self.fields, "text": self.text,
        }  # fmt: skip


def _places(spans: Sequence[Span]) -> list[dict[str, int]]:
    return [{"start": start, "end": end} for start, end in spans]


def in_seeded_order(salt: str, size: int) -> list[int]:
    """The numbers below `size` in an order that depends only on the salt."""
    return sorted(range(size), key=lambda number: digest(f"{salt}|{number}"))


def seeded_numbers(salt: str, most: int) -> Iterator[int]:
    """Numbers from 0 to below `most`, without end, that depend only on the salt."""
    at = 0
    while True:
        yield int(digest(f"{salt}|{at}")[:12], 16) % most
        at += 1
