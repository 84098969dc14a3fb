"""Two visitors of a public demo, at the same server."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import served, settled, watched
from tests.browser.test_home import QUESTION, at_home, at_trace

KEY = "sk-of-this-test-0123456789"


def opened(page: Page) -> None:
    page.goto("./Models")
    expect(page.get_by_role("heading", name="The model in use")).to_be_visible()
    settled(page)


def typed(page: Page, model: str) -> None:
    """Types a model id into the box of known ones."""
    box = page.get_by_role("combobox", name="Model id")
    box.click()
    box.fill(model)
    box.press("Enter")
    expect(box).to_have_value(model)


def pressed(page: Page, name: str) -> None:
    settled(page)
    page.get_by_role("button", name=name).click()


def test_two_visitors_of_a_demo_give_no_key_and_see_their_own_readings(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, PALIMPSEST_DEMO="1", PALIMPSEST_AT_ONCE="2", OPENAI_API_KEY=KEY) as address, ExitStack() as stack:
        context = stack.enter_context(browser.new_context(base_url=address))
        one, other = (stack.enter_context(watched(context, address)) for _ in range(2))
        opened(one)
        expect(one.get_by_text("This is a public demo.")).to_be_visible()
        expect(one.locator("input[type=password]")).to_have_count(0)
        expect(one.get_by_text("OPENAI_API_KEY")).to_have_count(0)
        pressed(one, "Test this model")
        expect(one.locator(".stAlert")).to_contain_text("It answered in")
        settled(one)
        one.locator(".st-key-topbar").get_by_role("link", name="Palimpsest").click()
        settled(one)
        one.get_by_role("button", name="Read this sample now").first.click()
        at_trace(one, QUESTION)
        one.locator(".st-key-topbar").get_by_role("link", name="Palimpsest").click()
        expect(one.locator(".st-key-runs").get_by_role("link", name=QUESTION)).to_be_visible()
        other.goto("./")
        at_home(other)
        expect(other.locator(".st-key-runs").get_by_role("link", name=QUESTION)).to_have_count(0)
