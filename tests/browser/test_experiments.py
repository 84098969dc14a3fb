"""A person tests a reading: what happens without one thing, and how stable one choice was; and finds both again later."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from components.session.samples import samples
from readers.engine.store import Reading
from tests.browser.conftest import settled
from tests.browser.readings import read
from tests.browser.test_home import QUESTION


@pytest.fixture(scope="module")
def reading(app: str, app_home: Path) -> Reading:
    """A reading of its own, for what is tried here is listed with it."""
    return read(app_home, samples()[0].document, QUESTION, segment_tokens=420)


def test_leaving_one_out_and_asking_again_are_estimated_counted_saved_and_deleted(page: Page, reading: Reading) -> None:
    triage = next(seq for seq, event in reading.trace.asked.items() if event.prompt == "memwalker.triage")
    step = next(step for step in reading.trace.steps if reading.trace.asked[triage] in reading.trace.of(step))
    address = f"./Trace?run={reading.run.id}&at={step.number + 1}&depth=full"
    page.goto(address)
    page.get_by_text("Leave one out: does the answer change without it?").click()
    expect(page.get_by_text("The offline model gives the same reply every time")).to_be_visible()
    page.get_by_label("Find what to leave out").fill("part 2")
    page.get_by_label("Find what to leave out").press("Enter")
    expect(page.locator(".fact-list")).to_contain_text("5 without it, 5 unchanged")
    expect(page.get_by_role("combobox", name=f"What to leave out at call {triage + 1}")).to_be_visible()
    expect(page.locator(".left-out")).to_have_count(1)
    page.get_by_label("Samples of each kind").fill("3")
    page.get_by_label("Samples of each kind").press("Enter")
    expect(page.locator(".fact-list")).to_contain_text("3 without it, 3 unchanged")
    page.get_by_role("button", name="Start 6 readings").click()
    made = page.locator(".st-key-experiments [data-testid=stExpander] > details > summary")
    expect(made).to_have_count(1)
    expect(made.first).to_contain_text("unchanged reruns changed in 0 of 3.")
    expect(page.locator(".tally")).to_contain_text("as in the reading")
    settled(page)

    page.get_by_text("How stable is this choice? Ask again").click()
    expect(page.get_by_role("button", name="Ask again: 5 calls, free")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Ask again: 5 calls, free").click()
    expect(made).to_have_count(2)
    expect(made.first).to_contain_text(f"Call {triage + 1} asked again 5 times.")
    expect(made.first).to_contain_text("came in 5 of 5.")
    settled(page)

    page.goto(address)
    expect(made).to_have_count(2)
    made.nth(1).click()
    settled(page)
    page.get_by_role("link", name="Compare with the reading").click()
    expect(page.get_by_role("heading", name=reading.run.question).first).to_be_visible()
    settled(page)
    page.go_back()
    expect(made).to_have_count(2)
    settled(page)
    made.nth(1).click()
    settled(page)
    page.get_by_role("link", name="Open", exact=True).click()
    expect(page.locator(".forked")).to_contain_text("sample 1 of 3 without")
    page.get_by_role("link", name="The experiment it belongs to").click()
    expect(page).to_have_url(re.compile(f"run={reading.run.id}"))
    expect(made).to_have_count(2)
    settled(page)
    page.get_by_role("button", name="Delete this experiment").first.click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(made).to_have_count(1)
    settled(page)
