"""A person at the Models page uses, tests and leaves a model of their own server; two visitors of a public demo."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import served, settled, watched
from tests.browser.test_home import QUESTION, at_home, at_trace
from tests.support.model_server import ModelServer, memwalker_reply, replying

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


def test_a_server_of_ones_own_is_refused_put_right_tested_and_left(page: Page) -> None:
    with ModelServer(replying(memwalker_reply)) as server:
        opened(page)
        expect(page).to_have_title("Models · Palimpsest")
        typed(page, "openai/a-model-of-mine")
        address = page.get_by_role("textbox", name="Base URL")
        address.fill("my server")
        pressed(page, "Use this model")
        expect(page.get_by_role("alert")).to_contain_text("must begin with http:// or https://")
        expect(address).to_have_value("my server")
        expect(page.locator(".in-use .name")).to_have_text("offline model (no neural network)")
        settled(page)
        address.fill(server.base_url)
        page.locator("input[type=password]").fill(KEY)
        pressed(page, "Use this model")
        expect(page.locator(".in-use .name")).to_have_text("openai/a-model-of-mine")
        expect(page.locator(".in-use")).to_contain_text("set for this session")
        expect(page.locator("input[type=password]")).to_have_value("")
        expect(page.locator(".st-key-topbar-model")).to_contain_text("openai/a-model-of-mine")
        pressed(page, "Test this model")
        expect(page.locator(".stAlert")).to_contain_text("It answered in")
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        assert KEY not in page.content()
        assert KEY not in page.url
        pressed(page, "Back to the offline model")
        expect(page.locator(".in-use .name")).to_have_text("offline model (no neural network)")


def test_two_visitors_of_a_demo_give_no_key_and_see_their_own_readings(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, PALIMPSEST_DEMO="1", PALIMPSEST_AT_ONCE="2", OPENAI_API_KEY=KEY) as address, ExitStack() as stack:
        contexts = [stack.enter_context(browser.new_context(base_url=address)) for _ in range(2)]
        one, other = (stack.enter_context(watched(context, address)) for context in contexts)
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
