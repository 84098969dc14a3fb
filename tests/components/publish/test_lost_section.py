"""The page Where facts were lost: every band, place and count opens exactly its readings."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import unescape

from components.html import evidence_flow
from components.html.words.reading_words import names_of
from components.publish import gather_batch
from components.publish.lost_section import FILE, PATH
from components.publish.site import files
from readers.engine.analysis.facts.flow import ways_by_variant
from readers.engine.files.tables import flow_csv
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan
from readers.engine.store import Store
from tests.components.publish.sites import batch, made, of

__all__ = ["batch"]


def rows_of(store: Store, batch: str, by: str) -> list[evidence_flow.FlowRow]:
    plan = BatchPlan.of(store.batches.get(batch).plan)
    fates = {one.run.id: one.fate for one in of(store, batch).readings}
    ways = ways_by_variant(batches.results(store, store.batches.get(batch)), len(plan.variants), fates)
    return evidence_flow.rows(ways, plan.variants, names_of(plan), by)


def listed(page: str) -> Mapping[str, set[str]]:
    """The readings of each name that can be chosen, by the address of each."""
    named = json.loads(unescape(re.search(r'data-names="([^"]*)"', page)[1]))  # type: ignore[index]
    found: dict[str, set[str]] = {name: set() for name in named.values()}
    for keys, address in re.findall(r'<li data-in="([\w -]+)"><a href="([^"#]+)', page):
        for key in keys.split():
            found[named[key]].add(address)
    return found


def test_each_band_and_place_opens_its_readings(store: Store, batch: str) -> None:
    page = made(store, batch)[PATH].decode()
    chosen = listed(page)
    contents = {one.run.id: f"../reading/{one.content}/index.html" for one in of(store, batch).readings}
    for by in ("variant", "all"):
        for row in rows_of(store, batch, by):
            for at in (*row.flow.bands, *row.flow.places):
                assert chosen[f"{row.name}, {row.called(at)}"] == {contents[run] for run in row.runs(at)}
    keys = set(re.findall(r'<a class="(?:band|place)" href="#list=([\w-]+)">', page))
    assert len(keys) == sum(
        len(row.flow.bands) + len(row.flow.places) for by in ("variant", "all") for row in rows_of(store, batch, by)
    )


def test_its_counts_are_those_of_questions_and_can_be_downloaded(store: Store, batch: str) -> None:
    site = made(store, batch)
    rows = [row for by in ("variant", "all") for row in rows_of(store, batch, by)]
    assert site[FILE].decode() == flow_csv([(row.name, row.flow) for row in rows])
    page = site[PATH].decode()
    for table in evidence_flow.tables(rows_of(store, batch, "variant")):
        for row in table.rows:
            for cell in row.cells:
                assert f">{cell.content}</" in page
    assert evidence_flow.INTERVALS in page


def test_its_picture_has_no_style_of_its_own_and_all_its_words_are_text(store: Store, batch: str) -> None:
    page = made(store, batch)[PATH].decode()
    assert "<svg" in page
    assert "style=" not in page
    assert "<style" not in page


def test_without_known_evidence_there_is_no_such_page(store: Store, batch: str) -> None:
    contents = gather_batch.of_batch(store, store.batches.get(batch), lambda run: None)
    assert PATH not in dict(files(contents))
