"""The pages work by keyboard alone and with a screen reader: axe checks every page, and Tab walks the Trace page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from readers.engine.store import Reading
from tests.browser.axe import grave, grave_in_both
from tests.browser.conftest import settled
from tests.browser.readings import told
from tests.browser.test_trace import LEAF, REVERT, as_table, open_at, shows

# By the words of its link in the bar, what stands over each page.
PAGES = {
    "Palimpsest": "Recent readings",
    "Library": "Add a text",
    "Read": "Choose a text",
    "Models": "The model in use",
    "Readings": "Readings",
    "Compare": "Compare",
    "Annotate": "Annotate",
    "Questions": "Questions",
    "Evaluate": "Evaluate",
    "Learn": "Learn how a model reads",
}
# What the Tab key must come by on the Trace page, in this order; `re` of the name a screen reader says.
STOPS = (
    "First step", "Previous step", "Play", "Next step", "Last step", "Step", "Speed", "Keys", "Reading map",
    "Find a part by its words", "Smaller", "Larger", "Show the whole picture", "Show the picture as a table",
    "What the model sees", "Show the text", "part 2.1", "All 24 steps in words", "The prompt",
    "Ask another question about this text", "Open the text", "Download this reading", "Save as a replay",
)  # fmt: skip
FOCUSED = """() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    const box = at.getBoundingClientRect();
    const outlined = (style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
    const ring = (one) => outlined(getComputedStyle(one)) || getComputedStyle(one).boxShadow !== "none";
    const up = at.parentElement;
    return {
        tag: at.tagName,
        name: at.getAttribute("aria-label") || at.labels?.[0]?.innerText || at.innerText || at.textContent || "",
        seen: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight,
        ring: [at, at.closest(".track"), up, up?.parentElement, at.querySelector("*")].filter(Boolean).some(ring),
    };
}"""


def test_every_page_is_reached_by_the_bar_fits_its_window_and_passes_axe(page: Page, turning: Reading) -> None:
    for name in every_page(page):
        expect(page.get_by_role("link", name=re.compile("^Skip to"))).to_have_count(1)
        for width in (900, 1400):
            fits(page, name, width)
        assert not grave_in_both(page)


@pytest.mark.scale  # nine pages more: at this width little is otherwise than at 1400
def test_every_page_passes_axe_in_a_narrow_window_too(page: Page, turning: Reading) -> None:
    for name in every_page(page):
        fits(page, name, 900)
        assert not grave(page)


def every_page(page: Page) -> Iterator[str]:
    """Go from page to page by the bar; yields the name of each once it is drawn."""
    page.goto("./")
    for name, heading in PAGES.items():
        settled(page)
        page.locator(".st-key-topbar").get_by_role("link", name=name, exact=True).click()
        expect(page).to_have_title("Palimpsest" if name == "Palimpsest" else f"{name} · Palimpsest")
        expect(page.get_by_role("heading", name=heading).first).to_be_visible()
        yield name


def fits(page: Page, name: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    settled(page)
    assert page.locator(".stMain").evaluate("it => it.scrollWidth <= it.clientWidth"), f"{name} at {width}"


def test_trace_is_heard_in_the_order_in_which_it_is_read_and_each_sentence_once(page: Page, turning: Reading) -> None:
    open_at(page, turning, LEAF - 1)
    heard = page.locator("main").aria_snapshot()  # what a screen reader comes to, in its order
    order = [
        f'heading "{turning.run.question}"', "It gave up.", 'region "The steps of the reading"', '"First step',
        'slider "Step"', f"step {LEAF} of", told(turning)[LEAF - 1], "Reading map", "The reader's picture", "The picture;",
        'heading "The text"', "What the model sees", '"part 2.1 · opened"', "What became of facts", 'heading "The decision"',
        " chosen: Rhoda", 'heading "Stated reason"', "All 24 steps in words", "Ask another question",
    ]  # fmt: skip
    found = [(heard.find(words), words) for words in order]
    assert found == sorted(found)
    assert found[0][0] > 0
    steps = page.get_by_role("region", name="The steps of the reading")
    assert steps.aria_snapshot().count(told(turning)[LEAF - 1]) == 1
    expect(page.locator(".options button").first).to_have_accessible_name(re.compile(r"^1 part 2\.\d [\w ]+: \w"))


def test_the_trace_page_by_keyboard_alone(page: Page, turning: Reading) -> None:
    reaches_everything_by_tab(page, turning)
    does_everything_by_keys(page, turning)


def focus(page: Page, name: str) -> None:
    """Press Tab until the element with this name has the focus."""
    for _ in range(130):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED)["name"].strip().startswith(name):
            return
    raise AssertionError(f"{name!r} was not reached")


def tabbed(page: Page) -> list[dict[str, Any]]:
    """Everything the Tab key stops at, once around."""
    found: list[dict[str, Any]] = []
    for _ in range(130):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUSED)
        if at["tag"] == "BODY":
            break
        found.append(at)
    return found


def does_everything_by_keys(page: Page, turning: Reading) -> None:
    open_at(page, turning, 4)
    focus(page, "Next step")
    page.keyboard.press("Enter")
    shows(page, turning, 5)
    expect(page.locator(".visually-hidden[aria-live]")).to_have_text(told(turning)[5])
    slider = page.get_by_role("slider", name="Step", exact=True)
    expect(slider).to_have_attribute("aria-valuetext", re.compile(re.escape(told(turning)[5])))
    focus(page, "Step")
    page.keyboard.press("ArrowRight")
    shows(page, turning, REVERT)
    explains_a_term_and_lists_the_keys(page)
    focus(page, "Reading map")
    page.keyboard.press("Home")
    expect(page.get_by_role("slider", name="Reading map")).to_have_attribute("aria-valuetext", re.compile("^0%"))
    focus(page, "Find a part by its words")
    page.keyboard.type("ledger")
    expect(page.locator(".found .count")).to_contain_text("with these words")
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    focus(page, "Show the picture as a table")
    page.keyboard.press("Space")
    focus(page, "part 2.1")
    page.keyboard.press("Enter")
    shows(page, turning, LEAF)
    focus(page, "Close")
    page.keyboard.press("Enter")
    expect(page.locator(".node-card")).to_be_hidden()
    focus(page, "All 24 steps")
    page.keyboard.press("Enter")
    focus(page, "Go to step 6")
    page.keyboard.press("Space")
    shows(page, turning, 5)
    option = page.locator(".decision button.option").first
    focus(page, "1\npart 2.1")
    page.keyboard.press("Enter")
    expect(option).to_have_attribute("aria-expanded", "true")
    page.get_by_role("radio", name="Simple").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator(".st-key-calls")).to_be_visible()
    settled(page)
    shows(page, turning, 5)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    expect(page.locator(".st-key-calls")).to_have_count(0)
    focus(page, "Open the text")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/Library"))


def explains_a_term_and_lists_the_keys(page: Page) -> None:
    """Each is opened and closed by keys, beside the player, on Stage and in the page around it."""
    meaning, keys = page.locator("#term-revert"), page.locator(".key-list")
    for press in ("Enter", "Space"):
        focus(page, "went back up")
        page.keyboard.press(press)
        expect(meaning).to_be_visible()
        page.keyboard.press("Escape")
        expect(meaning).to_be_hidden()
        expect(page.locator(".player.staged")).to_have_count(int(press == "Space"))  # Escape did not leave it
        page.keyboard.press("f")  # to Stage, and the second time out of it
    page.keyboard.press("?")
    expect(keys).to_be_visible()
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    page.locator(".st-key-trace-head .term").first.click()
    expect(page.locator(".st-key-trace-head .term-card").first).to_be_visible()
    page.keyboard.press("Escape")


def reaches_everything_by_tab(page: Page, turning: Reading) -> None:
    open_at(page, turning, REVERT + 1, depth="full")
    expect(page.locator(".st-key-calls")).to_be_visible()
    found = tabbed(page)
    names = [" ".join(stop["name"].split()) for stop in found]
    at = -1
    for stop in STOPS:
        at = next((n for n in range(at + 1, len(names)) if re.search(rf"\b{re.escape(stop)}\b", names[n])), len(names))
        assert at < len(names), f"{stop!r} is not reached in its turn: {names}"
    assert not [stop for stop in found if not stop["name"].strip()]
    assert not [stop["name"] for stop in found if not stop["seen"]]
    assert not [stop["name"] for stop in found if not stop["ring"] and stop["tag"] != "MAIN"]  # all of the page has no ring
    assert not grave_in_both(page)
    as_table(page)
    page.locator(".steps summary").click()
    page.set_viewport_size({"width": 900, "height": 900})
    settled(page)
    assert not grave(page)
    page.set_viewport_size({"width": 1400, "height": 900})
