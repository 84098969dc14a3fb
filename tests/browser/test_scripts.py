"""The islands' scripts come once: the browser keeps them, and no message of a page holds them."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from components.session.samples import recordings
from tests.browser.conftest import PATH, served, settled, watched

FETCHED = """() => Object.fromEntries(performance.getEntriesByType("resource").filter(({ name }) => name.includes("/scripts/"))
    .map(({ name, transferSize }) => [name.split("/scripts/")[1].replace(/-[0-9a-f]{16}\\.js$/, ""), transferSize]))"""


def test_scripts_are_fetched_once_and_are_in_no_message(browser: Browser, tmp_path: Path) -> None:
    with (
        served(tmp_path, PALIMPSEST_DEMO="1", **{PATH: "texts/palimpsest"}) as address,
        browser.new_context(base_url=address) as visitor,
    ):
        for first in (True, False):
            with watched(visitor, address) as page:
                messages = heard(page)
                page.goto(f"Trace?run={recordings()[0].id}")
                expect(page.locator(".player .step-sentence")).to_be_visible()
                settled(page)
                fetched = page.evaluate(FETCHED)
                assert {"stage", "link", "vis-network"} <= fetched.keys()
                assert all(size > 0 for size in fetched.values()) if first else not any(fetched.values())
                assert messages
                assert not [words for words in messages if b"createPlayer" in words or b"vis.Network" in words]


def test_a_script_that_did_not_come_is_asked_for_again(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, PALIMPSEST_DEMO="1") as address, browser.new_context(base_url=address) as visitor:
        page = visitor.new_page()
        page.route(re.compile(r"/scripts/stage-\w+\.js$"), lambda route: route.abort())
        page.goto(f"Trace?run={recordings()[0].id}")
        expect(page.locator(".player .step-sentence")).to_be_visible()


def heard(page: Page) -> list[bytes]:
    """What the server sends to a page."""
    messages: list[bytes] = []

    def note(words: bytes | str) -> None:
        messages.append(words if isinstance(words, bytes) else words.encode())

    page.on("websocket", lambda socket: socket.on("framereceived", note))
    return messages
