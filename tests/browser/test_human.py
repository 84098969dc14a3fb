"""A person is the model for a whole reading: stopped, refused, left, resumed, answered elsewhere, then shown like any other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from readers.engine.run import human_model
from readers.engine.store import Store
from tests.browser.axe import grave
from tests.browser.conftest import pick, settled
from tests.browser.readings import store
from tests.browser.test_read import choose, paste

PARTS = ["Amos", "Rhoda", "Storr"]
TEXT = "\n\n".join(f"{name} lit lamp {n}. " + f"The {name.lower()} boat came in. " * 20 for n, name in enumerate(PARTS * 3))
QUESTION = "Who lit the second lamp?"


@pytest.fixture
def reading(page: Page) -> str:
    """Begun on the page Read by who is the model; its id."""
    page.goto("./Read")
    page.get_by_role("button", name="Be the model yourself").click()
    expect(page.locator(".st-key-topbar-model")).to_contain_text("Model: you")
    settled(page)
    choose(page, "Pasted text")
    paste(page, TEXT)
    choose(page, "ReadAgent")
    page.get_by_text("How ReadAgent reads").click()
    pick(page, page.get_by_role("combobox", name="Settings to start from"), "The reader’s defaults")  # two pages: less to write
    expect(page.locator(".fact-list")).to_contain_text("free")
    question = page.get_by_label("Your question, in any words")
    question.fill(QUESTION)
    question.press("Enter")
    settled(page)
    page.get_by_role("button", name="Start reading").press("Enter")  # wherever it stands: what it will take comes in above it
    expect(page).to_have_url(re.compile("/Trace"))
    expect(page.locator(".your-turn .stage")).to_have_text(re.compile("^Reply 1 of (about )?\\d"))
    settled(page)
    found = re.search(r"run=(\w+)", page.url)
    assert found
    return found[1]


def call(page: Page, number: int) -> None:
    """Once this reply is asked for."""
    expect(page.locator(".your-turn .stage")).to_have_text(re.compile(rf"^Reply {number}\b"))
    settled(page)


def asked(home: Path, reading: str) -> str:
    """Which prompt waits; the page does not say its name."""
    with store(home) as opened:
        waited = opened.waiting.pending(reading)
        assert waited is not None
        return str(waited.call["prompt"]["id"])


def send(page: Page) -> None:
    page.get_by_role("button", name="Send reply").click()


def test_the_model_for_a_whole_reading(page: Page, reading: str, app_home: Path, visitor: BrowserContext) -> None:
    call(page, 1)
    _stopped_and_resumed(page)
    assert asked(app_home, reading) == "readagent.pause"
    expect(page.locator(".st-key-main, .stMain").first).not_to_contain_text("readagent.pause")
    expect(page.locator(".not-yet")).to_have_count(0)
    expect(page.locator(".st-key-topbar-model")).to_be_hidden()
    send(page)
    expect(page.locator(".not-yet")).to_have_text("! Nothing has been sent yet. “Pause before” has not been chosen yet.")
    shown = page.locator(".prompt .from-document").all_inner_texts()
    assert "lamp 0" in " ".join(shown)
    assert "lamp 8" not in page.content()
    assert QUESTION not in page.content()
    expect(page.locator(".stepper, .text-pane, .strip")).to_have_count(0)
    page.get_by_text("As text", exact=True).click()
    page.get_by_label("The reply as text").fill("Break point: <99>")
    send(page)
    expect(page.locator(".not-yet")).to_contain_text("its label <99> was not offered")
    expect(page.locator(".not-yet")).to_contain_text("Nothing has been sent yet")
    page.get_by_text("Fill in", exact=True).click()
    page.locator(".st-key-your-call .stRadio label").last.click()
    expect(page.locator(".to-send .words")).to_contain_text("Break point: <")
    send(page)
    call(page, 2)
    assert asked(app_home, reading) == "readagent.gist"
    expect(page.locator(".notice")).to_have_count(0)
    page.get_by_label("Reply", exact=True).fill("Amos and others lit lamps.")
    send(page)
    call(page, 3)
    assert asked(app_home, reading) == "readagent.pause"
    _left_and_come_back(page)
    _answered_elsewhere(page, reading, app_home)
    number = 4
    while page.locator(".st-key-your-call").count():
        call(page, number)
        _reply(page, asked(app_home, reading))
        turn = page.locator(".your-turn .stage")
        expect(turn.filter(has_text=re.compile(rf"^Reply {number}\b"))).to_have_count(0)
        number += 1
        expect(page.locator(".stepper").or_(turn.filter(has_text=re.compile(rf"^Reply {number}\b"))).first).to_be_visible()
    settled(page)
    expect(page.locator(".answer .by")).to_have_text("answer, written by you")
    expect(page.locator(".answer .words")).to_have_text("Rhoda did.")
    expect(page.locator(".st-key-trace-head h1")).to_have_text(QUESTION)
    expect(page.locator(".strip .page").first).to_be_visible()
    expect(page.locator(".entry-gist h4").first).to_contain_text("its gist, written by a person")
    with store(app_home) as opened:
        run, records = opened.runs.get(reading), opened.runs.tape(reading).records()
        assert (run.outcome, run.spec["reuse"]) == ("answered", False)
        assert {record.attempt for record in records} == {0}
        assert {record.origin for record in records} == {"live"}
        assert len(records) == number - 1


def _stopped_and_resumed(page: Page) -> None:
    """Its text stays covered; and axe looks at the call."""
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".notice")).to_contain_text("stopped before its end")
    expect(page.locator(".stepper, .text-pane")).to_have_count(0)
    assert "lamp 8" not in page.content()
    settled(page)
    page.get_by_role("button", name="Resume").click()
    call(page, 1)
    assert not grave(page)


def _left_and_come_back(page: Page) -> None:
    """To another page by the bar, with what was written; and opened anew."""
    page.get_by_text("As text", exact=True).click()
    field = page.get_by_label("The reply as text")
    field.fill("A draft")
    field.blur()
    settled(page)
    page.locator(".st-key-topbar").get_by_role("link", name="Library", exact=True).click()
    expect(page).to_have_url(re.compile("/Library"))
    expect(page.locator(".st-key-your-call")).to_have_count(0)
    settled(page)
    page.go_back()
    call(page, 3)
    expect(field).to_have_value("A draft")
    page.get_by_text("Fill in", exact=True).click()
    expect(page.locator(".st-key-your-call .stRadio")).to_contain_text("the end of the stretch")
    settled(page)
    page.locator(".st-key-your-call .stRadio label").last.click()
    expect(page.locator(".to-send .words")).to_have_text("Break point: <2>")
    settled(page)
    page.reload()
    call(page, 3)
    expect(page.locator(".st-key-your-call .stRadio input").last).to_be_checked()


def _answered_elsewhere(page: Page, reading: str, home: Path) -> None:
    """Somebody else replies while this person is still writing: the words stay."""
    page.get_by_text("As text", exact=True).click()
    field = page.get_by_label("The reply as text")
    field.fill("Still being written")
    with store(home) as opened:
        waited = opened.waiting.pending(reading)
        assert waited is not None
        assert human_model.submit_reply(opened, waited, _said(opened, reading))
    expect(page.locator(".notice.warn")).to_contain_text("answered elsewhere")
    expect(field).to_have_value("Still being written")
    expect(page.get_by_role("button", name="Send reply")).to_have_count(0)
    page.get_by_role("button", name="Continue with the next call").click()


def _said(opened: Store, reading: str) -> str:
    waited = opened.waiting.pending(reading)
    assert waited is not None
    return "Break point: <1>" if waited.call["prompt"]["id"] == "readagent.pause" else "Others lit lamps."


def _reply(page: Page, prompt: str) -> None:
    if prompt == "readagent.pause":
        words = page.locator('.st-key-your-call [data-testid="stRadioCaption"]').last
        words.click(force=True)  # the words of an option choose it, through what lies over them
        expect(page.locator(".to-send .words")).to_contain_text("Break point: <")
    elif prompt == "readagent.look_up":
        expect(page.locator(".asked")).to_have_text(f"The question: {QUESTION}")
        expect(page.locator(".asked")).to_be_in_viewport()
        page.get_by_role("combobox", name="Pages to open").click()
        page.get_by_role("option", name=re.compile("^page 1 ")).click()
        page.keyboard.press("Escape")
        expect(page.locator(".to-send .words")).to_have_text("I want to look up Page [0]")
    else:
        page.get_by_label("Reply", exact=True).fill("Rhoda did." if prompt == "readagent.answer" else "A gist.")
    send(page)
