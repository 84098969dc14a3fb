"""A visitor at the home page: reaches every page, opens what plays there, reads a sample with one click, and finds it again."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from components.session.samples import recordings
from tests.browser.conftest import settled

# The style sheet with the palette comes when the page is told to be `styled`.
LATE_PALETTE = """new MutationObserver(() => {
    for (const sheet of document.querySelectorAll("style:not([media])"))
        if (sheet.textContent.includes("--raw-tint:")) sheet.media = "not all";
}).observe(document, { childList: true, subtree: true });
window.styled = () => document.querySelectorAll('style[media="not all"]').forEach((sheet) => (sheet.media = "all"));"""
COLOURED = """canvas => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.some((alpha, n) => n % 4 === 3 && alpha === 255 && Math.abs(data[n - 1] - data[n - 3]) > 60);
}"""
QUESTION = "What had the naval assessor noticed on the crane post when he strolled about the harbour?"


def at_home(page: Page) -> None:
    expect(page.get_by_role("heading", name="Watch a language model read a long text")).to_be_visible()
    settled(page)


def at_trace(page: Page, question: str) -> None:
    """The reading of this question has its own address."""
    page.wait_for_url(re.compile(r"/Trace\?run=[0-9a-f]{10}"))
    expect(page.get_by_text(question).first).to_be_visible()
    settled(page)


def test_a_visitor_walks_from_page_to_page_reads_a_sample_with_one_click_and_finds_it_again(page: Page) -> None:
    skips_the_bar_and_walks(page)
    watches_what_plays(page)
    reads_a_sample(page)


def test_a_tree_is_drawn_in_the_palette_when_its_style_sheet_comes_late(page: Page) -> None:
    page.add_init_script(LATE_PALETTE)
    page.goto("./")
    at_home(page)
    tree = page.locator(".showing .graph-pane .canvas canvas")
    assert not tree.evaluate(COLOURED)
    page.evaluate("window.styled()")
    page.wait_for_function(COLOURED, arg=tree.element_handle(), timeout=3_000)


def skips_the_bar_and_walks(page: Page) -> None:
    page.goto("./")
    at_home(page)
    for _ in range(6):  # Streamlit's own menu may come first
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className").strip() == "skip":
            break
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("#content$"))

    page.get_by_role("button", name="Open the library").click()
    page.wait_for_url(re.compile(r"/Library$"))
    expect(page.locator(".st-key-topbar-here-library")).to_be_visible()
    settled(page)
    page.go_back()
    at_home(page)
    page.get_by_role("button", name="Read your own text").click()
    page.wait_for_url(re.compile(r"/Read$"))


def watches_what_plays(page: Page) -> None:
    """A recorded reading plays by itself, can be paused, and opens by a press on its picture."""
    page.locator(".st-key-topbar").get_by_role("link", name="Palimpsest").click()
    at_home(page)
    sentence = page.locator(".showing-say")
    begun = sentence.inner_text()
    expect(sentence).not_to_have_text(begun, timeout=15_000)
    page.get_by_role("button", name="Play from the beginning: how it was built").click()
    expect(page.locator(".showing-dots .done")).to_have_count(2)  # where the first boxes are drawn
    page.get_by_role("button", name="Pause the recorded reading").click()
    expect(page.get_by_role("button", name="Play the recorded reading")).to_be_visible()
    page.locator(".showing-picture").click()
    at_trace(page, recordings()[0].question)


def reads_a_sample(page: Page) -> None:
    """With one click; it is found again, and left by the Back button."""
    settled(page)
    page.locator(".st-key-topbar").get_by_role("link", name="Palimpsest").click()
    at_home(page)
    page.get_by_role("button", name="Read this sample now").first.click()
    at_trace(page, QUESTION)
    expect(page.locator(".stepper .where")).to_contain_text("step 2 of")  # it plays
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play (space)")).to_be_visible()
    run = parse_qs(urlsplit(page.url).query)["run"]
    page.locator(".st-key-topbar").get_by_role("link", name="Palimpsest").click()
    at_home(page)
    page.locator(".st-key-runs").get_by_role("link", name=QUESTION).first.click()
    at_trace(page, QUESTION)
    assert parse_qs(urlsplit(page.url).query) == {"run": run}
    expect(page.locator(".stepper .where")).to_contain_text("step")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(re.compile(r"&at="))
    page.go_back()  # the steps are not entries of the history
    expect(page.get_by_role("heading", name="Recent readings")).to_be_visible()
