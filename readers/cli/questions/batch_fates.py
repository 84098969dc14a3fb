"""`batches ID --fates`: what became of the evidence in a batch's readings, by reader and model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from typing import Any

from readers import get
from readers.cli.output import print_json
from readers.cli.progress import draw
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import EvidenceFate, Wanted
from readers.engine.analysis.facts.fates import EXITS, STATIONS
from readers.engine.analysis.facts.flow import Way, flow, told_apart, ways_by_variant
from readers.engine.models import catalogue
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan
from readers.engine.run.execute import RunSpec
from readers.engine.store import Store
from readers.engine.store.batches import Batch
from readers.engine.text.phrases import counted as number_of


def show(store: Store, batch: Batch, *, as_json: bool) -> None:
    """What became of the evidence, by reader and model; readings without evidence or without an end are not counted."""
    plan = BatchPlan.of(batch.plan)

    results = batches.results(store, batch)
    found = ways_by_variant(results, len(plan.variants), fates_of(store, evidence.wanted(results)))
    if as_json:
        print_json([_fates_row(variant, ways) for variant, ways in zip(plan.variants, found, strict=True)])
        return
    for variant, ways in zip(plan.variants, found, strict=True):
        print(f"{get(variant.reader).title} · {catalogue.title(variant.model)}: {number_of(len(ways), 'reading')} with evidence")
        ends = Counter(way.evidence.exit.id for way in ways)
        right = Counter(way.evidence.exit.id for way in ways if way.is_right)
        for end in EXITS:
            if ends[end]:
                print(f"  {end:<18} {ends[end]:>5,}   {right[end]:,} right")
        if lucky := told_apart(ways)["lucky"]:
            print(f"  {len(lucky):,} of {right.total():,} right answers were given without the evidence in view")


def fates_of(store: Store, every: Sequence[Wanted]) -> dict[str, EvidenceFate | None]:
    """The fates of these readings: those that were saved, and the others, computed and saved now."""
    found = evidence.saved_fates(store, every)
    missing = [one for one in every if one.run.id not in found]
    with closing(evidence.make_fates(store, missing, get)) as made:
        for number, one in enumerate(made, 1):
            found[one.want.run.id] = one.fate
            draw(f"Following the evidence · {number:,} of {len(missing):,} readings")
    draw("")
    return found


def _fates_row(variant: RunSpec, ways: Sequence[Way]) -> dict[str, Any]:
    found = flow(ways)
    return {
        "reader": variant.reader,
        "model": variant.model,
        "readings": {end: [way.run for way in ways if way.evidence.exit.id == end] for end in EXITS},
        "reached": {place: len(runs) for place, runs in found.places.items() if place in STATIONS},
        "told_apart": told_apart(ways),
    }
