"""A reading that is watched as it happened: nothing on the page is later than the step, and one switch shows the end."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from readers import get
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, open_reading
from readers.engine.text.document import Span
from readers.engine.text.plant import Planted
from tests.browser.axe import grave
from tests.browser.conftest import settled
from tests.browser.readings import store
from tests.support.readings import memory_readings


def read(home: Path) -> Reading:
    with store(home) as opened:
        spec = RunSpec("memagent", get("memagent").version, memory_readings.QUESTION, options=memory_readings.OPTIONS)
        run = create_run(opened, memory_readings.document("🗝 and 🕯 come first.\n\n"), get("memagent"), spec)
        execute(opened, run.id, get("memagent"), Execution(memory_readings.model(recalls=False)))
        reading = open_reading(opened, run.id)
        start = reading.document.text.index(memory_readings.PARAGRAPHS[2])
        opened.planted.add(Planted(reading.document, Span(start, start + len(memory_readings.PARAGRAPHS[2]))))
        return reading


def at_step(page: Page, step: int) -> None:
    expect(page.locator(".stepper .where")).to_contain_text(f"step {step} of 9")


def test_what_is_later_than_the_step_is_hidden_until_the_last_step_or_the_switch(page: Page, app: str, app_home: Path) -> None:
    other, reading = read(app_home), read(app_home)
    start = reading.document.text.index(memory_readings.PARAGRAPHS[7])
    followed = f"{start}-{start + len(memory_readings.PARAGRAPHS[7])}"
    page.goto(f"./Trace?run={reading.run.id}&at=1&end=hidden&depth=full&fact={followed}")
    at_step(page, 1)
    fate, marks = page.locator(".lifeline .life-fate"), page.locator(".lifeline .life-at")
    expect(fate).to_have_text("What became of it is shown with the end of the reading.")
    expect(marks).to_have_count(0)
    expect(page.locator(".memory-pane .fact-mark")).to_have_count(0)
    settled(page)
    answer, figures = page.locator(".st-key-trace-head .answer .words"), page.locator(".st-key-trace-head .chips")
    lanes = page.locator(".lane").filter(visible=True)
    expect(page.get_by_role("heading", name=memory_readings.QUESTION)).to_be_visible()
    expect(answer).to_be_hidden()
    expect(figures).to_be_hidden()
    expect(page.locator(".st-key-conversation")).to_be_hidden()  # the other reading's answer stands there
    expect(page.get_by_text("The measures are of the whole reading.")).to_be_visible()
    expect(lanes.first).to_be_visible()
    few = lanes.count()
    page.get_by_text("The steps so far in words").click()
    expect(page.locator(".steps tbody tr")).to_have_count(1)
    assert not grave(page)
    page.get_by_role("slider", name="Step", exact=True).fill("8")
    at_step(page, 9)
    expect(answer).to_be_visible()
    expect(page.locator(".steps tbody tr")).to_have_count(9)
    page.get_by_role("button", name="First step").click()
    expect(answer).to_be_hidden()
    settled(page)
    assert lanes.count() == few
    page.get_by_role("button", name="Show the end").click()
    expect(answer).to_be_visible()
    expect(figures).to_be_visible()
    expect(page.locator(".st-key-conversation .answer").first).to_be_visible()
    expect(page.locator(".figures").first).to_be_visible()
    settled(page)
    assert lanes.count() > few
    assert not re.search("end=", page.url)
    expect(fate).to_contain_text("Not written down. The model was shown it raw at step 8")
    expect(marks).to_have_count(2)
    compared = re.compile(f"^Compare.runs={reading.run.id}.*{other.run.id}.*&fact={followed}$")
    expect(page.get_by_role("link", name="In the other readings")).to_have_attribute("href", compared)
    page.keyboard.press("d")
    at_step(page, 8)
    expect(page.locator(".memory-tools .fact-mark.died .life-mark.lost.and-raw")).to_be_visible()
    expect(page.locator(".memory-size .carrier.died")).to_have_count(1)
    expect(page.locator(".memory-pane .fact-key")).to_be_visible()
    page.get_by_role("button", name="What would mend it").click()
    expect(page.get_by_role("button", name="Try it: 12 readings")).to_be_in_viewport()
    page.locator("summary").filter(has_text="What would mend it?").click()
    expect(page.locator("details").filter(has_text="What would mend it?")).not_to_have_attribute("open", "")
    page.get_by_role("button", name="What would mend it").click()
    expect(page.get_by_role("button", name="Try it: 12 readings")).to_be_in_viewport()
    settled(page)
    page.locator(".text-pane mark.followed").first.evaluate("mark => mark.scrollIntoView({block: 'center', behavior: 'instant'})")
    settled(page)
    words = page.locator(".text-pane mark.followed").first.bounding_box()
    assert words
    page.mouse.move(words["x"] + 4, words["y"] + 12)
    page.mouse.down()
    page.mouse.move(words["x"] + 150, words["y"] + 12, steps=4)
    page.mouse.up()
    page.get_by_role("button", name="Follow this").click(timeout=8000)
    expect(fate).to_have_count(2)
    expect(page).to_have_url(re.compile(f"fact={followed}%2C"))
    assert page.locator(".lifeline .life-words").nth(1).inner_text().strip("“”") in memory_readings.PARAGRAPHS[7][:40]
    page.keyboard.press("e")
    expect(answer).to_be_hidden()
    expect(page).to_have_url(re.compile("end=hidden"))
    page.goto(f"./Trace?run={reading.run.id}&at=1")
    at_step(page, 1)
    expect(answer).to_be_visible()
    page.get_by_role("button", name="Follow the planted sentence").click()
    expect(page.locator(".lifeline .life-words")).to_contain_text(memory_readings.PARAGRAPHS[2][:30])
    expect(page.get_by_role("button", name="Follow the planted sentence")).to_be_hidden()
