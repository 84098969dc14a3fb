"""A person at the home page: sees what this is, reads a sample with one click, comes back to it, and goes on to other pages."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import settled

QUESTION = "What had the naval assessor noticed on the crane post when he strolled about the harbour?"


def opened(page: Page, address: str = "./") -> None:
    page.goto(address)
    expect(page.get_by_role("heading", name="Watch a language model read a long text")).to_be_visible()
    settled(page)


def at_trace(page: Page, question: str) -> None:
    """The reading of this question has its own address."""
    expect(page).to_have_url(re.compile(r"/Trace\?run=[0-9a-f]{10}"))
    expect(page.get_by_text(question).first).to_be_visible()
    settled(page)


def test_a_sample_is_read_with_one_click_and_found_again(page: Page) -> None:
    opened(page)
    expect(page.locator(".glance")).to_be_visible()
    page.get_by_role("button", name="Read this sample now").first.click()
    at_trace(page, QUESTION)
    address = page.url
    page.locator(".st-key-topbar").get_by_role("link", name="Palimpsest").click()
    expect(page.get_by_role("heading", name="Recent readings")).to_be_visible()
    settled(page)
    page.locator(".st-key-runs").get_by_role("link", name=QUESTION).first.click()
    at_trace(page, QUESTION)
    assert page.url == address


def test_the_way_back_from_a_reading_leads_home_past_its_steps(page: Page) -> None:
    opened(page)
    page.get_by_role("button", name="Read this sample now").nth(2).click()
    expect(page).to_have_url(re.compile(r"/Trace\?run=[0-9a-f]{10}"))
    expect(page.locator(".stepper .where")).to_contain_text("step")
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"&at="))
    page.go_back()
    expect(page.get_by_role("heading", name="Recent readings")).to_be_visible()


def test_the_way_back_leads_home(page: Page) -> None:
    opened(page)
    page.get_by_role("button", name="Open the library").click()
    expect(page).to_have_url(re.compile(r"/Library$"))
    settled(page)
    page.go_back()
    expect(page.get_by_role("heading", name="Recent readings")).to_be_visible()


def test_every_page_of_the_bar_is_reached_and_marked(page: Page) -> None:
    opened(page)
    for name in ("Read", "Library"):
        page.locator(".st-key-topbar").get_by_role("link", name=name, exact=True).click()
        expect(page).to_have_url(re.compile(rf"/{name}$"))
        expect(page.locator(f".st-key-topbar-here-{name.lower()}")).to_be_visible()
        settled(page)
    opened(page)
    page.get_by_role("button", name="Read a text of your own").click()
    expect(page).to_have_url(re.compile(r"/Read$"))


def test_pages_open_at_their_own_address(page: Page) -> None:
    for name, heading in (("Read", "Choose a text"), ("Library", "Add a text")):
        page.goto(f"./{name}")
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        settled(page)


def test_the_first_stop_of_the_keyboard_leads_past_the_bar(page: Page) -> None:
    opened(page)
    for _ in range(6):  # Streamlit's own menu may come first
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className").strip() == "skip":
            break
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#content$"))


def test_nothing_is_wider_than_a_narrow_window(page: Page) -> None:
    page.set_viewport_size({"width": 900, "height": 900})
    for address in ("./", "./Read", "./Library"):
        page.goto(address)
        expect(page.locator(".content-begins")).to_be_attached()
        settled(page)
        assert page.evaluate("document.querySelector('.stMain').scrollWidth <= document.querySelector('.stMain').clientWidth")
