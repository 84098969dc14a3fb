"""The methods' own figures of evaluated readings, as a table like that of the scores. Not here: the figures (`figures.py`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

from readers.engine.analysis.evaluate.evaluated import Evaluated
from readers.engine.analysis.evaluate.figures import FIGURES, figures, with_figures
from readers.engine.analysis.evaluate.rows import ScoredReading
from readers.engine.analysis.evaluate.table import Scores, scores_of
from readers.engine.analysis.facts.evidence import EvidenceFate
from readers.engine.analysis.measures import measures_of
from readers.engine.errors import NotFound
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run.reader import Reader
from readers.engine.store import Store, open_reading


def figures_table(
    store: Store,
    readings: Iterable[Evaluated],
    readers: Callable[[str], Reader],
    *,
    fates: Mapping[str, EvidenceFate | None],
) -> Scores:
    """Readers by figures, in the order of `FIGURES`. Each reading is opened once; questions without a reading, and readings that
    were deleted meanwhile, have no figures. `fates` are by run: those that are missing are not computed."""
    rows: list[ScoredReading] = []
    for one in readings:
        with suppress(NotFound):
            if one.row.run:
                reading = open_reading(store, one.row.run)
                measures = measures_of(reading, readers(reading.run.reader), known=KnownAnswer.of(one.question))
                bare = ScoredReading(one.row.reader, one.row.text, one.row.question, {}, one.row.sample, one.row.run)
                rows.append(with_figures(bare, figures(measures, fates.get(one.row.run))))
    found = scores_of(rows)
    return Scores(found.readers, _in_order(found.scores), found.cells)


def _in_order(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in FIGURES if name in names)
