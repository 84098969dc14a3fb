"""`batches ID --fates`: what became of the evidence in a batch's readings, by reader and model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from readers import get
from readers.cli.output import print_json
from readers.engine.analysis.facts.flow import ENDS, STATIONS, Way, flow, told_apart
from readers.engine.analysis.facts.follow import evidence_of, follow
from readers.engine.analysis.facts.many import EvidenceFate, together, ways_by_variant
from readers.engine.models import catalogue
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan
from readers.engine.run.execute import RunSpec
from readers.engine.store import Run, Store
from readers.engine.store.batches import Batch
from readers.engine.store.reading import open_reading
from readers.engine.text.phrases import counted as number_of


def show(store: Store, batch: Batch, *, as_json: bool) -> None:
    """What became of the evidence, by reader and model; readings without evidence or without an end are not counted."""
    plan = BatchPlan.of(batch.plan)

    def fate(run: Run, known: KnownAnswer) -> EvidenceFate | None:
        reading = open_reading(store, run.id)
        return together(follow(reading, get(run.reader), evidence_of(known, reading.document), known=known), reading.trace)

    found = ways_by_variant(batches.results(store, batch), len(plan.variants), fate)
    if as_json:
        print_json([_fates_row(variant, ways) for variant, ways in zip(plan.variants, found, strict=True)])
        return
    for variant, ways in zip(plan.variants, found, strict=True):
        print(f"{get(variant.reader).title} · {catalogue.title(variant.model)}: {number_of(len(ways), 'reading')} with evidence")
        ends = Counter(way.end for way in ways)
        right = Counter(way.end for way in ways if way.is_right)
        for end in ENDS:
            if ends[end]:
                print(f"  {end:<18} {ends[end]:>5,}   {right[end]:,} right")
        if lucky := told_apart(ways)["lucky"]:
            print(f"  {len(lucky):,} of {right.total():,} right answers were given without the evidence in view")


def _fates_row(variant: RunSpec, ways: Sequence[Way]) -> dict[str, Any]:
    found = flow(ways)
    return {
        "reader": variant.reader,
        "model": variant.model,
        "readings": {end: [way.run for way in ways if way.end == end] for end in ENDS},
        "reached": {place: len(runs) for place, runs in found.places.items() if place in STATIONS},
        "told_apart": told_apart(ways),
    }
