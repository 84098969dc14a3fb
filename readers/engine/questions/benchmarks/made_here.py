"""Length sweeps and needles made by this program (`made/`), whose files may be longer than a question file of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from readers.engine.questions.benchmarks.shape import Asked, Benchmark, Context, Fields, Place, SkippedQuestion

_MADE = "made"


def _fits(kind: str, row: Fields) -> bool:
    return row.get(_MADE) == kind


def _questions(row: Fields, _place: Place, _context: Context) -> Iterator[Asked | SkippedQuestion]:
    yield Asked({name: value for name, value in row.items() if name != _MADE})


SWEEP = Benchmark("Length sweep", ("substring_match", "exact_match", "f1"), partial(_fits, "sweep"), _questions)
NEEDLES = Benchmark("Needles", ("substring_match",), partial(_fits, "needles"), _questions)
