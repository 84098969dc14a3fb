"""Readings under way: two tabs, cancelling and resuming, a killed server, a queue, and visitors with their own keys."""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from readers.engine.files.runs.run_file import run_file
from readers.engine.run.execute import RunSpec, create_run
from tests.browser.conftest import Mortal, settled, watched
from tests.browser.readings import READER, store
from tests.browser.test_read import STORY, ask, choose, paste
from tests.support.models.scripted_models import parts_of
from tests.support.servers.model_server import Answer, ModelServer, Request, memwalker_reply, replying

COLD = 90_000  # milliseconds: a new server imports litellm before its first call
PARTS = 6
CALLS = PARTS + 2  # a summary of each part, a decision at the root, the answer at a leaf
KEYS = {"openai/model-of-one": "sk-key-of-one-0123456789", "openai/model-of-two": "sk-key-of-two-9876543210"}


class Gate:
    """A model that answers as many calls as it is let, and keeps the others waiting."""

    def __init__(self) -> None:
        self._left = threading.Semaphore(0)
        self._script = replying(memwalker_reply)

    def __call__(self, request: Request) -> Answer:
        self._left.acquire(timeout=300)
        return self._script(request)

    def let(self, calls: int) -> None:
        self._left.release(calls)


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def server(gate: Gate) -> Iterator[ModelServer]:
    with ModelServer(gate) as opened:
        yield opened
        gate.let(1000)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("one-at-a-time")


@pytest.fixture(scope="module")
def mortal(home: Path) -> Iterator[Mortal]:
    started = Mortal(home, PALIMPSEST_AT_ONCE="1")
    yield started
    started.end()


@pytest.fixture(scope="module")
def address(mortal: Mortal) -> str:
    return mortal.address


@pytest.fixture(scope="module")
def context(browser: Browser, address: str) -> Iterator[BrowserContext]:
    opened = browser.new_context(base_url=address, viewport={"width": 1400, "height": 900})
    yield opened
    opened.close()


def put(home: Path, server: ModelServer, question: str) -> str:
    """A reading that was begun and stopped at once, so that its page offers to go on with it."""
    spec = RunSpec(
        READER.id,
        READER.version,
        question,
        options={"segment_tokens": 64},
        model="openai/slow",
        api_base=server.base_url,
        reuse=False,
    )
    with store(home) as opened:
        run = create_run(opened, parts_of(PARTS), READER, spec).id
        opened.runs.cancel(run)
        return run


def go_on(page: Page, run: str) -> None:
    page.goto(f"./Trace?run={run}")
    resume(page)


def resume(page: Page) -> None:
    settled(page)
    page.get_by_role("button", name="Resume").click()


def ends_with_an_answer(page: Page) -> None:
    expect(page.locator(".st-key-trace-head")).to_contain_text("answered", timeout=COLD)
    expect(page.locator(".step-sentence")).to_contain_text("It found its answer in part 1. It answered “Part 0 begins here.")


def test_two_tabs_see_a_reading_grow_stop_and_resume_and_it_outlives_its_server(
    context: BrowserContext, mortal: Mortal, home: Path, server: ModelServer, gate: Gate
) -> None:
    run = put(home, server, "Where does it begin?")
    with watched(context, mortal.address) as one, watched(context, mortal.address) as two:
        one.emulate_media(reduced_motion="reduce")
        go_on(one, run)
        expect(one.locator(".working")).to_contain_text("0 replies so far")
        two.goto(f"./Trace?run={run}&fact=0-60")
        assert one.locator(".working .bar").evaluate("bar => bar.getAnimations().length") == 0
        gate.let(2)
        for page in (one, two):
            expect(page.locator(".working")).to_contain_text("2 replies so far", timeout=COLD)
        one.get_by_role("button", name="Cancel").click()
        gate.let(PARTS - 2)  # what is under way still gets its replies
        for page in (one, two):
            expect(page.locator(".notice")).to_contain_text("before its end")
        resume(one)
        expect(one.locator(".working")).to_be_visible()
        two.reload()
        for page in (one, two):
            expect(page.locator(".working")).to_contain_text(f"{PARTS} replies so far")
            expect(page.locator(".stepper .where")).to_contain_text("the whole text")
            page.get_by_role("button", name="Show the picture as a table").click()
            expect(page.get_by_role("row", name=re.compile("^part 1 "))).to_contain_text("compared, not opened")
        expect(two.locator(".lifeline .life-fate")).to_have_text("So far; the reading goes on.")
        expect(two.locator(".lifeline .life-at").first).to_be_visible()
        gate.let(1)
        for page in (one, two):
            expect(page.locator(".twin tr[aria-current] td").first).to_have_text("part 1")
    mortal.kill()
    with store(home) as opened:
        assert opened.runs.get(run).status == "interrupted"
        assert opened.runs.tape(run).answered() == CALLS - 1
    gate.let(2)  # the killed server's last call, too
    mortal.start()
    with watched(context, mortal.address) as page:
        page.goto(f"./Trace?run={run}&fact=0-60")
        expect(page.locator(".notice")).to_contain_text("The program ended during this reading.")
        resume(page)
        ends_with_an_answer(page)
        expect(page.locator(".lifeline .life-fate b")).to_be_visible()
    asked = Counter(request.content for request in server.requests)
    assert sorted(asked.values()) == [1] * (CALLS - 1) + [2]
    assert server.requests[-1].content == server.requests[-2].content


@pytest.mark.scale  # a queue of three, each read to its end; tests/components/widgets/progress shows the words
def test_a_waiting_reading_shows_how_many_are_before_it(
    context: BrowserContext, address: str, home: Path, server: ModelServer, gate: Gate
) -> None:
    with ExitStack() as stack:
        pages = [stack.enter_context(watched(context, address)) for _ in range(3)]
        for number, page in enumerate(pages):
            go_on(page, put(home, server, f"Who is number {number}?"))
            expect(page.locator(".st-key-progress").get_by_role("button", name="Cancel")).to_be_visible()
            settled(page)  # what stood below a stopped reading has gone
        first, second, third = pages
        expect(first.locator(".working")).to_contain_text("0 replies so far")
        expect(second.locator(".working .stage")).to_have_text("Next in turn")
        expect(third.locator(".working .stage")).to_have_text("1 reading ahead of this one")
        gate.let(CALLS)
        ends_with_an_answer(first)
        expect(third.locator(".working .stage")).to_have_text("Next in turn")
        gate.let(2 * CALLS)
        ends_with_an_answer(second)
        ends_with_an_answer(third)


def test_two_visitors_read_at_once_each_with_a_key_of_their_own(
    visitor: BrowserContext, app: str, app_home: Path, server: ModelServer, gate: Gate
) -> None:
    """In two tabs of one browser: each tab is a visitor."""
    with ExitStack() as stack:
        pages = {}
        for model, key in KEYS.items():
            pages[model] = page = stack.enter_context(watched(visitor, app))
            takes(page, model, key, server)
            page.locator(".st-key-topbar").get_by_role("link", name="Read", exact=True).click()
            expect(page.get_by_role("heading", name="Choose a text")).to_be_visible()
            settled(page)
            choose(page, "Pasted text")
            paste(page, STORY)
            ask(page, f"What does {model} say of the kettle?")
            expect(page).to_have_url(re.compile("/Trace"))
        gate.let(100)
        runs = {}
        for model, page in pages.items():
            expect(page.locator(".st-key-trace-head")).to_contain_text("answered", timeout=COLD)
            settled(page)
            runs[model] = re.search(r"run=(\w+)", page.url)[1]  # type: ignore[index]
            shown = page.content() + page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
            assert not [key for key in KEYS.values() if key in shown]
            expect(page.locator(".st-key-trace-title")).to_contain_text(model.removeprefix("openai/"))
    assert {(request.body["model"], request.headers["authorization"]) for request in server.requests} == {
        (model.removeprefix("openai/"), f"Bearer {key}") for model, key in KEYS.items()
    }
    with store(app_home) as opened:
        files = [json.dumps([run_file(opened, run, READER), asdict(opened.runs.get(run))]).encode() for run in runs.values()]
    files += [path.read_bytes() for path in app_home.rglob("*") if path.is_file()]
    assert len(files) >= 4
    assert not [key for key in KEYS.values() for data in files if key.encode() in data]


def takes(page: Page, model: str, key: str, server: ModelServer) -> None:
    page.goto("./Models")
    expect(page.get_by_role("heading", name="The model in use")).to_be_visible()
    settled(page)
    box = page.get_by_role("combobox", name="Model id")
    box.click()
    box.fill(model)
    box.press("Enter")
    expect(box).to_have_value(model)
    page.get_by_role("textbox", name="Base URL").fill(server.base_url)
    page.locator("input[type=password]").fill(key)
    settled(page)
    page.get_by_role("button", name="Use this model").click()
    expect(page.locator(".in-use .name")).to_have_text(model)
    settled(page)
    expect(page.locator("input[type=password]")).to_have_value("")
