"""The tour of the Trace page: it comes at a first visit, is ended by a key, and does not come again unasked."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from readers.engine.store import Reading
from tests.browser.axe import grave
from tests.browser.conftest import settled, watched

ONE_OF = re.compile("A tour of this page, 1 of 8")
FORGOTTEN = "if (!sessionStorage.came) { sessionStorage.came = 1; localStorage.removeItem('palimpsest.tour'); }"
ABOVE_STEPS = """() => {
  const inside = [...document.querySelectorAll("*")].map((it) => it.shadowRoot).find((root) => root?.querySelector(".tour-card"));
  const [card, steps] = [".tour-card", ".stepper"].map((name) => inside.querySelector(name).getBoundingClientRect());
  return card.bottom <= steps.top;
}"""
FOCUSED = "document.activeElement.shadowRoot?.activeElement?.textContent"


@pytest.fixture
def newcomer(visitor: BrowserContext, app: str) -> Iterator[Page]:
    """A page of somebody who was never here: what this browser keeps of the tour is gone when the page is first opened."""
    with watched(visitor, app, toured=False) as page:
        page.add_init_script(FORGOTTEN)
        yield page


def lies_in_the_window(card: Locator, page: Page) -> None:
    box, size = card.bounding_box(), page.viewport_size
    assert box
    assert size
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert box["y"] + box["height"] <= size["height"]


def test_a_first_visit_is_led_round_the_page_once(newcomer: Page, turning: Reading) -> None:
    page = newcomer
    page.goto(f"./Trace?run={turning.run.id}")
    card = page.get_by_role("dialog", name="A tour of this page")
    where = page.locator("p.where")
    expect(card).to_have_accessible_name(ONE_OF)
    assert page.evaluate(FOCUSED) == "Question and answer"
    at = where.text_content()
    assert not grave(page)
    for number in range(2, 9):
        page.keyboard.press("ArrowRight")
        expect(card).to_have_accessible_name(re.compile(f"{number} of 8"))
        lies_in_the_window(card, page)
    page.keyboard.press("ArrowLeft")
    expect(card).to_have_accessible_name(re.compile("7 of 8: The decision"))
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(where).to_have_text(str(at))  # it went to a decision, and back
    page.reload()
    expect(where).to_have_text(str(at))
    settled(page)
    expect(card).to_be_hidden()
    page.get_by_role("button", name="Keys").click()
    expect(page.get_by_role("button", name="A tour of this page")).to_have_count(1)
    page.get_by_role("button", name="A tour of this page").click()
    expect(card).to_have_accessible_name(ONE_OF)
    page.keyboard.press("Escape")
    assert page.evaluate(FOCUSED) == "Keys"
    page.keyboard.press("t")
    expect(card).to_have_accessible_name(ONE_OF)


def test_who_came_for_a_step_is_offered_it(newcomer: Page, turning: Reading) -> None:
    page = newcomer
    page.goto(f"./Trace?run={turning.run.id}&at=5")
    offer = page.get_by_role("region", name="A tour of this page")
    expect(offer).to_be_visible()
    assert page.evaluate(FOCUSED) is None
    page.keyboard.press("ArrowRight")
    expect(page.locator("p.where")).to_contain_text("step 6 of")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".stepper")).to_have_css("position", "sticky")
    page.wait_for_function(ABOVE_STEPS)
    offer.get_by_role("button", name="A tour of this page").click()
    expect(page.get_by_role("dialog")).to_have_accessible_name(ONE_OF)
