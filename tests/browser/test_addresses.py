"""The address in the browser is that of the page one sees: whatever was on its way when the last one was left."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from components.session.samples import samples
from readers.engine.store import Reading
from tests.browser.conftest import settled
from tests.browser.readings import NOT_TOLD, read
from tests.browser.test_annotate import at_reading, begun, keys, sit_down
from tests.browser.test_trace import open_at, shows

# While the page is `holding`, what the server sends waits. `held(words)` is the first message with these words.
# `release(words)` lets all through up to it; without words, everything, also what comes later.
# `settles`: whether a player has settled.
HOLDING = """const waiting = [];
window.held = (words) => waiting.find((one) => one.words.includes(words));
window.release = (words) => {
    const last = words && held(words).event;
    window.holding = Boolean(last);
    waiting.splice(0, waiting.findLastIndex(({ event }) => !last || event === last) + 1).forEach(({ act }) => act());
};
window.addEventListener("palimpsest", ({ detail }) => (window.settles ||= detail.kind === "settled"));
window.WebSocket = class extends WebSocket {
    addEventListener(kind, act, ...how) {
        const hear = (event) => {
            if (!window.holding) return act(event);
            waiting.push({ event, words: new TextDecoder().decode(event.data), act: () => act(event) });
        };
        super.addEventListener(kind, kind === "message" ? hear : act, ...how);
    }
};"""


def test_a_reading_that_is_left_while_its_depth_changes_leaves_nothing_in_the_address(
    page: Page, app: str, turning: Reading
) -> None:
    page.add_init_script(HOLDING)
    open_at(page, turning, 3)
    page.evaluate("window.holding = true")
    page.get_by_role("radio", name="Full").click()
    page.wait_for_function("held('depth=full')")
    goes_to_the_library(page, app)


def test_a_bench_that_is_left_while_it_moves_on_leaves_nothing_in_the_address(
    page: Page, app: str, app_home: Path, turning: Reading
) -> None:
    two = (turning.run.id, read(app_home, samples()[0].document, NOT_TOLD, segment_tokens=700).run.id)
    page.add_init_script(HOLDING)
    sit_down(page, begun(app_home, two), "Ivy")
    at_reading(page, 1)
    settled(page)
    last = next(run for run in two if run not in page.url)
    page.evaluate("window.holding = true")
    keys(page, "]")
    page.wait_for_function("(run) => held(`run=${run}`)", arg=last)
    goes_to_the_library(page, app)


def goes_to_the_library(page: Page, app: str) -> None:
    page.locator(".st-key-topbar").get_by_role("link", name="Library").click()
    page.evaluate("window.release()")
    expect(page.get_by_role("heading", name="Add a text")).to_be_visible()
    settled(page)
    assert page.url == f"{app}Library"


def test_a_step_that_settles_while_the_bench_is_left_is_not_in_the_address_of_the_next_view(
    page: Page, app_home: Path, turning: Reading
) -> None:
    page.add_init_script(HOLDING)
    sit_down(page, begun(app_home, (turning.run.id,)), "Kit")
    settled(page)
    page.evaluate("window.holding = true")
    page.get_by_role("link", name="Codebook").click()
    page.wait_for_function("held('view=codebook')")
    page.evaluate("window.settles = false")
    keys(page, "ArrowRight")
    page.evaluate("release('view=codebook')")
    page.wait_for_url(re.compile("view=codebook"))
    page.wait_for_function("settles")
    page.evaluate("release()")
    expect(page.get_by_text("Open a code for an example")).to_be_visible()
    settled(page)
    assert "at=" not in page.url


def test_the_list_of_projects_has_the_address_of_none(page: Page, app: str, app_home: Path, turning: Reading) -> None:
    sit_down(page, begun(app_home, (turning.run.id,)), "Jo")
    keys(page, "ArrowRight")
    for link in ("All projects", "Annotate"):
        page.wait_for_url(re.compile("at=2"))
        settled(page)
        page.get_by_role("link", name=link, exact=True).click()
        expect(page.get_by_role("heading", name="Projects")).to_be_visible()
        settled(page)
        assert page.url == f"{app}Annotate"
        page.go_back()
        expect(page.locator(".stepper .where")).to_contain_text("step 2 of")


def test_a_link_makes_one_entry_of_the_history_however_late_its_messages_come(page: Page, turning: Reading) -> None:
    page.add_init_script(HOLDING)
    open_at(page, turning, 3)
    length, seen = page.evaluate("history.length"), [page.url]
    for link, shown in (("Learn", "Start this lesson"), ("Start this lesson", "All lessons"), ("Library", "Add a text")):
        page.evaluate("window.holding = true")
        page.get_by_role("link", name=link, exact=True).first.click()
        page.wait_for_function("(words) => held(words)", arg=shown)
        page.evaluate("release()")  # all at once, as to a browser that is busy
        expect(page.get_by_text(shown).first).to_be_visible()
        settled(page)
        seen.append(page.url)
    assert [page.evaluate("history.length"), len(set(seen))] == [length + 3, 4]
    for address in reversed(seen[:-1]):
        page.go_back()
        expect(page).to_have_url(address)
        settled(page)
    shows(page, turning, 3)
    for address in seen[1:]:
        page.go_forward()
        page.reload()
        expect(page).to_have_url(address)
        settled(page)
    expect(page.get_by_text("Add a text").first).to_be_visible()


def test_a_second_press_of_a_button_that_leads_to_another_page_makes_no_entry(page: Page, app: str) -> None:
    page.add_init_script(HOLDING)
    page.goto("./")
    button = page.get_by_role("button", name="See MemWalker read")
    expect(button).to_be_visible()
    settled(page)
    page.evaluate("window.holding = true")
    button.click()
    page.wait_for_function("held('run=')")
    page.evaluate("release('run=')")
    expect(page).to_have_url(re.compile("run="))
    page.keyboard.press("Shift")
    page.evaluate("release()")
    expect(page.locator(".stepper .where")).to_be_visible()
    settled(page)
    page.go_back()
    expect(button).to_be_visible()
    assert page.url == app


def test_a_page_opened_by_its_address_asks_for_nothing_that_is_not_there(page: Page, app: str) -> None:
    missing: list[str] = []
    page.on("response", lambda response: missing.append(response.url) if response.status == 404 else None)
    page.goto(f"{app}Read")
    expect(page.get_by_role("button", name="Start reading")).to_be_visible()
    assert missing == []
