"""One reading of one question, with its scores: what every figure here is computed of. Values only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.scores import Score, Scored


@dataclass(frozen=True)
class ScoredReading:
    """A reading, or a question that was asked and has none yet. `reader` is what the table calls the reader with its model and
    options; `question` is the same for all its readings, `text` for all questions of a text; `sample` tells repeats apart."""

    reader: str
    text: str
    question: str
    scores: Mapping[str, Scored] = field(default_factory=dict)
    sample: int = 0
    run: str = ""


def scored_row(
    row: ScoredReading, answer: str | None, known: KnownAnswer | None, scores: Iterable[Score], *, reply: str | None = None
) -> ScoredReading:
    """The row with these scores of its answer besides those it has; None is a reading that gave no answer. `reply` is what the
    answer was taken from."""
    found = {one.name: one.of(answer, known, reply=reply) for one in scores}
    return ScoredReading(row.reader, row.text, row.question, {**row.scores, **found}, row.sample, row.run)
