"""The Trace page of large readings: a tree of which only a part is drawn, a text of which only stretches are sent."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from readers.engine.store import Reading
from readers.engine.text.document import Document
from tests.browser.readings import READER, names, read, walked
from tests.browser.test_trace import as_table, click_map, open_at, place, shows

TALL = 1_500
pytestmark = pytest.mark.scale


@pytest.fixture(scope="session")
def tall(app_home: Path) -> Reading:
    """A reading whose tree has far more parts than are drawn."""
    lines = (
        f"On day {n} boat {n} came home with {n * 7 % 50} baskets of herring, and the keeper wrote it down." for n in range(TALL)
    )
    wind = "The wind stood in the west, and nothing else was seen from the tower that day by anybody."
    document = Document.of("\n\n".join(f"{line} {wind}" for line in lines), title="Ledger")
    return read(app_home, document, "How many baskets did boat 1234 bring home?", segment_tokens=64)


@pytest.fixture(scope="session")
def endless(app_home: Path) -> Reading:
    """A reading of a text that is too long to be sent to the page whole."""
    entry = "Tower {n} was lit by its keeper at dusk, and the log says so. "
    document = Document.of("\n\n".join(f"Entry {n}.\n\n{entry.format(n=n) * 70}" for n in range(260)), title="Towers")
    assert len(document.text) > 1_100_000
    return read(app_home, document, "When was tower 200 lit?")


def test_a_big_tree_is_unfolded_and_a_long_text_fetched_where_they_are_looked_at(
    page: Page, tall: Reading, endless: Reading
) -> None:
    unfolds_a_big_tree(page, tall)
    fetches_a_long_text(page, endless)


def unfolds_a_big_tree(page: Page, tall: Reading) -> None:
    open_at(page, tall)
    as_table(page)
    assert page.locator(".twin tbody tr").count() <= 151
    assert len(names(tall)) > TALL
    field = page.get_by_role("searchbox", name="Find a part by its words")
    field.fill("boat 1077 came")
    listed = page.locator(".found button")
    expect(listed.first).to_be_visible()
    wanted = next(
        node["id"] for node in READER.view(tall.trace)["nodes"] if not node["children"] and "boat 1077 came" in node["summary"]
    )
    name = names(tall)[wanted]
    row = page.locator(".twin").get_by_role("button", name=name, exact=True)
    expect(row).to_have_count(0)
    page.locator(".found").get_by_role("button", name=name, exact=True).click()
    expect(page.locator(".node-card h3")).to_have_text(name)
    expect(page.locator(".node-card .quoted")).to_contain_text("boat 1077 came")
    expect(row).to_be_visible()
    stubs = page.locator(".twin").get_by_role("button", name=re.compile(r"^72 more below "))
    before, parts = stubs.count(), page.locator(".twin tbody tr").count()
    stubs.first.click()
    expect(stubs).to_have_count(before - 1)
    expect(page.locator(".twin tbody tr")).to_have_count(
        parts + 15
    )  # eight parts, each over a stub but for the stub that was there
    shows(page, tall, len(tall.trace.steps) - 1)


def fetches_a_long_text(page: Page, endless: Reading) -> None:
    open_at(page, endless)
    name = walked(endless)[len(endless.trace.steps) - 1]
    start, _ = place(endless, name)
    expect(page.locator(".text-pane .now").first).to_be_in_viewport()
    expect(page.locator(".text-pane .now").first).to_contain_text(" ".join(endless.document.text[start:].split())[:8])
    assert page.locator(".text-pane p").count() < 600
    click_map(page, endless, place(endless, "part 1"))
    start, end = place(endless, "part 1")
    middle = (start + end) // 2
    words = endless.document.text[endless.document.text.rindex("Tower ", 0, middle) :].partition(" was")[0]
    expect(page.locator(".text-pane p").filter(has_text=re.compile(f"^{words} was lit"))).to_be_in_viewport()
