"""A person in the library: adds a file and a pasted text, searches them, deletes one, and reads one."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from components.html import markup
from tests.browser.conftest import settled, visit
from tests.browser.hostile import PAYLOADS
from tests.browser.test_home import at_trace
from tests.browser.test_read import UNREADABLE, ask, choose, paste, upload

LONG = "\n\n".join(f"Chapter {n}\n\n{'The lamp was lit at dusk. ' * 150}\n\nAt hour {n} the kettle boiled." for n in range(1, 61))
SHOWN = 1_500_000  # characters that a page may have: fewer than the longest text here


def opened(page: Page, address: str = "./Library") -> None:
    visit(page, address)
    expect(page.get_by_role("heading", name="Library", exact=True)).to_be_visible()
    settled(page)


def add(page: Page, name: str, data: bytes, *, title: str = "") -> None:
    opened(page)
    upload(page, name, data)
    field = page.get_by_label("Title", exact=True)
    expect(field).to_be_visible()
    settled(page)
    if title:
        field.fill(title)
        field.press("Enter")
        settled(page)
    page.get_by_role("button", name="Add to the library").click()
    expect(page).to_have_url(re.compile(r"/Library\?document=[0-9a-f]{16}$"))
    settled(page)


def find(page: Page, words: str) -> None:
    field = page.get_by_label("Find in this text")
    field.fill(words)
    field.press("Enter")
    settled(page)


def test_texts_are_added_looked_into_searched_read_deleted_sent_a_page_at_a_time_and_harmless(page: Page) -> None:
    reads_a_file(page)
    adds_and_deletes_a_pasted_text(page)
    sends_a_page_at_a_time(page)
    shows_characters_alone(page)


def reads_a_file(page: Page) -> None:
    add(page, "sixty.txt", LONG.encode(), title="Sixty chapters")
    expect(page.get_by_role("heading", name="Sixty chapters")).to_be_visible()
    expect(page.locator(".st-key-shelf")).to_contain_text("Sixty chapters")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_label("Page, of")).to_have_value("2")
    settled(page)
    page.get_by_label("Go to a heading").fill("Chapter 42")
    page.get_by_role("option", name="Chapter 42").click()
    expect(page.locator(".text")).to_contain_text("Chapter 42")
    settled(page)
    find(page, "HOUR 57 the  kettle")
    expect(page.get_by_text("1 place", exact=True)).to_be_visible()
    page.get_by_role("button", name="At hour 57 the kettle boiled.").click()
    words = page.locator(".text mark.there").bounding_box()
    assert words
    page.mouse.dblclick(words["x"] + 8, words["y"] + 10)
    page.get_by_role("button", name="Follow this", exact=True).click()
    expect(page.get_by_role("heading", name="What became of these words")).to_be_visible()
    page.get_by_role("button", name="Follow no more").click()
    settled(page)
    expect(page.locator(".text mark.there")).to_have_text("hour 57 the kettle")
    expect(page.locator(".text mark.there")).to_be_in_viewport()
    settled(page)
    find(page, "kettle")
    expect(page.get_by_text("60 places, 1 to 8 listed")).to_be_visible()
    page.get_by_role("button", name="Read this").click()
    page.wait_for_url(re.compile(r"/Read\?document=[0-9a-f]{16}$"))
    expect(page.locator(".chosen")).to_have_text("Sixty chapters")
    settled(page)
    ask(page, "When did the kettle boil?")
    at_trace(page, "When did the kettle boil?")


def adds_and_deletes_a_pasted_text(page: Page) -> None:
    opened(page)
    for name, data in UNREADABLE.items():
        upload(page, name, data)
        expect(page.get_by_role("alert")).to_contain_text(name)
    expect(page.get_by_role("button", name="Add to the library")).to_have_count(0)
    settled(page)
    choose(page, "Pasted text")
    paste(page, "An owl sat on the capstan.")
    page.get_by_role("button", name="Add to the library").click()
    page.wait_for_url(re.compile(r"/Library\?document="))
    settled(page)
    address = page.url
    page.get_by_role("button", name="Delete …").click()
    expect(page.get_by_text("It has no readings.")).to_be_visible()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("Deleted “Pasted text”.")).to_be_visible()
    visit(page, address)
    expect(page.get_by_role("alert")).to_contain_text("There is no text")


def shows_characters_alone(page: Page) -> None:
    """Of a hostile text, its title, and what is searched in it."""
    title = "<img src=x onerror=window.hurt=1> ![x](http://example.org/x.png) **b** $x$ </textarea> :red[r]"
    add(page, "<svg onload=window.hurt=1>.txt", "\n\n".join(["Shelved.", *PAYLOADS]).encode(), title=title)
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    in_markdown = title.replace("http:", f"{markup.JOINER}http:")
    expect(page.locator(".st-key-shelf").get_by_role("link", name=in_markdown).first).to_be_visible()
    said = " ".join(page.locator(".text").inner_text().split())
    assert not [payload for payload in PAYLOADS if " ".join(payload.split()) not in said]
    expect(page.locator(".text :is(img, script, iframe, svg, a, input, style)")).to_have_count(0)
    for payload in PAYLOADS[:4]:
        find(page, payload)
        expect(page.locator("[class*='st-key-hits']").get_by_role("button").first).to_contain_text(" ".join(payload.split())[:20])
    page.get_by_role("button", name="Delete …").click()
    expect(page.locator("[data-testid=stPopoverBody] strong")).to_have_text(in_markdown)
    popover = page.get_by_test_id("stPopoverBody")
    assert popover.evaluate("it => getComputedStyle(it).getPropertyValue('--soft')"), "a popover has the palette of the page"
    assert page.evaluate("window.hurt") is None


def sends_a_page_at_a_time(page: Page) -> None:
    """Of a text of millions of characters."""
    add(page, "huge.txt", (LONG * 10).encode(), title="Huge")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_label("Page, of")).to_have_value("2")
    settled(page)
    assert len(page.content()) < SHOWN
    page.get_by_role("button", name="Read this").click()
    expect(page.locator(".fact-list")).to_contain_text("Calls to the model")
    settled(page)
    assert len(page.content()) < SHOWN
