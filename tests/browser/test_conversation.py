"""A person who reads a picture and asks on: five questions about its text take five presses."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from components.session.samples import samples
from tests.browser.conftest import settled, visit
from tests.browser.readings import read

SAMPLE = samples()[0]
FIRST, *NEXT = [known.question for known in SAMPLE.questions[:6]]


def test_five_questions_take_five_presses_while_the_picture_stays(page: Page, app_home: Path) -> None:
    reading = read(app_home, SAMPLE.document, FIRST, segment_tokens=390)  # of no other test
    visit(page, f"./Trace?run={reading.run.id}&at=5")
    settled(page)
    page.get_by_placeholder("Ask the next question").focus()
    for number, question in enumerate(NEXT, 1):
        page.keyboard.insert_text(question)
        page.keyboard.press("Enter")
        shown = page.locator(".exchange", has=page.get_by_role("heading", name=question))
        expect(shown.locator(".answer, .notice")).to_be_visible()
        expect(page.get_by_role("status").filter(has_text=f"“{question}”")).to_have_count(1)
        expect(page.locator(".exchange")).to_have_count(min(4, number + 1))
    expect(page.locator(".st-key-next-question")).to_contain_text("more reused from earlier readings")
    expect(page.locator(".stepper .where")).to_contain_text("step 5 of")
    page.locator("[class*=st-key-exchange-]").last.get_by_role("link", name="Open").click()
    expect(page.locator(".st-key-trace-title h1")).to_have_text(NEXT[-1])
