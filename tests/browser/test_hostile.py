"""A reading in which everything is hostile: text, title, question, and whatever the model said. It is shown, and does nothing."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from components.server.guard import REFUSED
from readers.engine.models.call import Call
from readers.engine.store import Reading, Run, Store
from readers.engine.text.document import Document
from tests.browser.conftest import served, settled
from tests.browser.hostile import PAYLOADS
from tests.browser.readings import read, told, walked
from tests.browser.test_trace import as_table, open_at, shows
from tests.support.models.scripted_models import BACK, COMMIT, Scripted

LEAVES_OPENED = 14
TITLE = "<img src=x onerror=window.hurt=1> ![x](http://example.org/x.png) **b** $x$ </textarea> :red[r].txt"
QUESTION = (
    "Where? <script>window.hurt=1</script> </style> [go](http://example.org) `code` :smile: $name {name} "
    "<svg onload=window.hurt=1>"
)
ALIVE = ":is(img, script, iframe, a, input, style, svg, template, details, math)"


class Hostile:
    """Opens one part after the other and puts ten payloads into each reason; its summaries hold what they summarise."""

    def __init__(self) -> None:
        self._reasons = 0
        self._leaves = 0

    def __call__(self, call: Call) -> str:
        if call.prompt.task == "summarise":
            return " ".join((call.part("segment") or call.part("summaries"))[0].split())
        first = 10 * self._reasons % 100
        self._reasons += 1
        values: dict[str, str | int] = {"reasoning": " ".join(" ".join(PAYLOADS[first : first + 10]).split())}
        if call.prompt.task == "choose":
            unopened = [str(n) for n in range(len(call.part("summaries"))) if str(n) not in call.part("opened")]
            return call.prompt.reply.render({**values, "action": int(unopened[0]) if unopened else BACK})
        self._leaves += 1
        if self._leaves < LEAVES_OPENED:
            return call.prompt.reply.render({**values, "action": BACK})
        return call.prompt.reply.render({**values, "action": COMMIT, "answer": " ".join(PAYLOADS[:8])})


@pytest.fixture(scope="session")
def hurtful(app_home: Path) -> Reading:
    words = "\n\n".join([*PAYLOADS, "No other test reads this text, which would keep the title it had there."])
    document = Document.of(words, title=TITLE)
    model = Scripted(Hostile())
    reading = read(app_home, document, QUESTION, model=model, segment_tokens=32, max_steps=100)
    assert reading.run.outcome == "answered"
    return reading


def missing(words: Iterable[str], shown: str) -> list[str]:
    """Those of the words that are not on the page as they are."""
    there = " ".join(shown.split())
    return [each for each in words if " ".join(each.split()) not in there]


def harmless(page: Page) -> None:
    settled(page)
    assert page.evaluate("window.hurt") is None
    for place in (
        ".text-pane .column",
        ".steps table",
        ".twin",
        ".step-sentence",
        ".decision",
        ".found",
        ".prompt",
        ".reply",
        ".answer",
        "h1",
    ):
        expect(page.locator(f"{place} {ALIVE}:not([href='#content'])")).to_have_count(0)


def test_everything_hostile_is_shown_as_it_is_and_does_nothing(page: Page, hurtful: Reading) -> None:
    shows_all_as_it_is(page, hurtful)
    every_step_is_harmless_in_full(page, hurtful)


def shows_all_as_it_is(page: Page, hurtful: Reading) -> None:
    open_at(page, hurtful)
    expect(page.get_by_role("heading", name=QUESTION)).to_be_visible()
    head = page.locator(".st-key-trace-head").inner_text()
    assert not missing([TITLE, QUESTION, *PAYLOADS[:8]], head)
    shown = page.locator(".text-pane .column").evaluate("column => column.textContent")
    assert not missing(PAYLOADS, shown)
    harmless(page)
    page.locator(".steps summary").click()
    expect(page.locator(".steps tbody tr").first).to_be_visible()
    assert not missing(PAYLOADS, page.locator(".steps table").inner_text())
    as_table(page)
    harmless(page)
    page.get_by_role("searchbox", name="Find a part by its words").fill(PAYLOADS[0])
    page.locator(".found button").first.click()
    expect(page.locator(".node-card .quoted")).to_contain_text(PAYLOADS[0])
    page.get_by_role("searchbox", name="Find in this reading").fill(PAYLOADS[1])
    expect(page.locator(".steps .count")).to_contain_text(f"of {len(told(hurtful))} steps")
    harmless(page)


def every_step_is_harmless_in_full(page: Page, hurtful: Reading) -> None:
    steps = sorted(walked(hurtful))
    page.get_by_role("button", name="Show the table as a picture").click()
    page.get_by_role("radio", name="Full").click()
    expect(page.locator(".st-key-calls")).to_be_visible()
    prompts = replies = ""
    for step in steps[:14]:
        page.get_by_role("slider", name="Step", exact=True).fill(str(step))
        shows(page, hurtful, step)
        expect(page.locator(".st-key-calls")).to_contain_text(f"step {step + 1} · 1 call")
        settled(page)
        prompts += page.locator(".prompt").inner_text()
        replies += page.locator(".reply").inner_text()
        for option in page.locator(".decision button.option").all()[:1]:
            option.click()
    harmless(page)
    assert not missing([QUESTION], prompts)
    assert not missing(PAYLOADS, replies)
    assert len(missing(PAYLOADS, prompts)) < len(PAYLOADS) / 2  # the others are in parts that these steps did not open
    page.locator(".graph-pane .canvas canvas").hover(position={"x": 200, "y": 80})
    harmless(page)


@pytest.mark.scale  # the end of a visit waits half a minute
def test_no_message_of_a_stranger_ends_the_visit_of_another(tmp_path: Path, browser: Browser) -> None:
    kept = 10.0  # seconds
    with served(tmp_path, PALIMPSEST_DEMO="1", PALIMPSEST_DEMO_MINUTES=f"{kept / 60}") as address:
        page = browser.new_page()
        page.goto(address)
        page.get_by_role("button", name="Read this sample now").first.click()
        page.wait_for_url(re.compile(r"/Trace\?run=[0-9a-f]{10}"))
        send_every_message(address.replace("http", "ws") + "_stcore/stream")
        time.sleep(kept + 5)
        assert len(readings(tmp_path)) == 1
        page.close()
        time.sleep(kept + 5)
        assert readings(tmp_path) == []


def send_every_message(address: str) -> None:
    for kind in sorted(REFUSED):
        message = BackMsg()
        setattr(message, kind, True)
        with connect(address, subprotocols=[Subprotocol("streamlit")]) as connection:
            connection.send(message.SerializeToString())
            with suppress(TimeoutError):
                connection.recv(1)


def readings(home: Path) -> list[Run]:
    with Store(home / "data" / "palimpsest.db") as store:
        return store.runs.listed()
