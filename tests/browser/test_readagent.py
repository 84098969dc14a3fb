"""ReadAgent's reading on the page: the row of pages, the gists, and the pages that are opened again, all by one step."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from components.session.samples import samples
from readers.engine.analysis.narrate import narrate
from readers.engine.models.offline import Offline
from readers.engine.record.trace import BUILD
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, open_reading
from readers.readagent import ReadAgent
from tests.browser.conftest import settled
from tests.browser.readings import store

READER = ReadAgent()
QUESTION = "What had the naval assessor noticed on the crane post when he strolled about the harbour?"


@pytest.fixture(scope="module")
def reading(app: str, app_home: Path) -> Reading:
    """One page after the other, of the sample story."""
    options = {"mode": "sequential", "min_words": 100, "max_words": 250}
    with store(app_home) as opened:
        spec = RunSpec(READER.id, READER.version, QUESTION, options=options)
        run = create_run(opened, samples()[0].document, READER, spec)
        execute(opened, run.id, READER, Execution(Offline()))
        return open_reading(opened, run.id)


def test_a_page_is_asked_for_opened_and_found_in_the_row_the_memory_and_the_text(page: Page, reading: Reading) -> None:
    view = READER.view(reading.trace)
    (number, *_) = [accepted for row in view["lookups"] for accepted in row["accepted"]]
    there = view["pages"][number]
    asked = view["lookups"][0]["step"]
    page.goto(f"./Trace?run={reading.run.id}&at={asked + 1}")
    sentences = narrate(reading.trace, READER)
    expect(page.locator(".step-sentence")).to_have_text(sentences[asked])
    settled(page)
    box = page.locator(".strip .page").nth(number)
    entry = page.locator(f'.memory [data-page="{number}"]')
    expect(box).to_have_attribute("aria-label", f"page {number + 1}, asked for")
    expect(entry).to_contain_text(there["gist"][:40])
    expect(page.locator(".options .picked .name")).to_have_text(f"page {number + 1}")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".step-sentence")).to_have_text(sentences[asked + 1])
    expect(box).to_have_attribute("aria-label", f"page {number + 1}, opened for its next call, here, now")
    words = reading.document.text[there["start"] : there["end"]].strip()
    expect(entry).to_contain_text(" ".join(words.split())[:60])
    expect(entry).to_be_in_viewport()
    expect(entry.locator(".gist-words")).to_have_text(there["gist"], use_inner_text=False)
    expect(entry.locator(".page-words .met, .page-words .kept").first).to_be_visible()
    expect(entry.locator(".why")).to_contain_text("Why this page, as the model said")
    expect(page.locator(".text-pane p", has_text=" ".join(words.split())[:40]).first).to_be_in_viewport()
    page.locator(".strip .page").nth(3).click()
    fourth = view["pages"][3]
    expect(page.locator(".stepper .where")).to_contain_text("page 4")
    words = " ".join(reading.document.text[fourth["start"] : fourth["end"]].split())
    expect(page.locator(".text-pane p", has_text=words[:30]).first).to_be_in_viewport()
    page.get_by_role("button", name="Last step").click()
    expect(page.locator(".claims li").first).to_contain_text("read again")
    expect(box).to_have_attribute("aria-label", f"page {number + 1}, shown raw, opened again")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".claims")).to_be_hidden()  # what the answer rests on is shown with the answer
    says_nothing_about_gists_before_there_is_one(page, reading)


def says_nothing_about_gists_before_there_is_one(page: Page, reading: Reading) -> None:
    page.get_by_role("slider", name="Step", exact=True).fill("1")
    pane = page.locator(".pages-pane")
    expect(pane.locator(".head h2")).to_have_text("The pages")
    expect(pane.locator(".memory:not(.pauses)")).to_have_count(0)
    expect(pane.locator(".pauses .taken")).to_contain_text("page 2 ends here")
    expect(pane.locator(".pauses .taken")).to_be_in_viewport()
    expect(page.locator('.text-pane p[data-taken="true"]')).to_be_in_viewport()
    written = max(step.number for step in reading.trace.steps if step.phase == BUILD)
    page.get_by_role("slider", name="Step", exact=True).fill(str(written))
    expect(pane.locator("h3")).to_contain_text("gists written at this step, beside their pages")
    expect(pane.locator(".memory .entry").first.locator(".gist-words")).to_be_in_viewport()
    expect(pane.locator(".memory .entry").first.locator(".page-words")).to_be_in_viewport()
