"""Trace: a step of the player over a long trace, and Python's panels after it.

It needs chromium, and starts the app as a visitor meets it. The limit: a frame of the browser (17 ms).
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, expect, sync_playwright

from readers import get
from readers.engine.models.call import Call
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store, open_reading
from readers.engine.text.document import Document
from tests.bench.cutting import long_text
from tests.browser.conftest import ARGS, CHROMIUM, served
from tests.support.models.scripted_models import Scripted
from tests.support.readings.qrmem_readings import crowded

FRAME = 1 / 60
MEASURED = 200
ENTITIES, SEGMENTS = 5_000, 200
CHUNKS, CHUNK = 700, 400
ROUNDS = 5

# Presses the arrow, and counts until the browser has drawn what came of it.
STEP = """async (count) => {
  const times = [];
  for (let n = 0; n < count; n++) {
    const began = performance.now();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    times.push(performance.now() - began);
    await new Promise((idle) => setTimeout(idle, 30));
  }
  return times;
}"""


class Walk(NamedTuple):
    """A walk over a tree of so many tokens, with its segments' tokens, and the places it goes to."""

    tokens: int
    segment: int
    places: int


LONG = Walk(3_500_000, 3_400, 1_994)  # segments so long that the walk finds leaves enough
NOVEL = Walk(300_000, 1_000, 294)


class Walked(NamedTuple):
    """Seconds a step takes at the 95th percentile, and until Python's panels show it."""

    step: float
    settled: float


def step() -> tuple[str, str, float, float]:
    what = f"a step in a walk to {LONG.places:,} places, {LONG.tokens / 1e6} million tokens"
    return what, "a frame of the browser (17 ms); 95th percentile", _walked().step / FRAME, 0.05 / FRAME


def step_over_a_net() -> tuple[str, str, float, float]:
    what = f"a step over QRMeM's net of {ENTITIES:,} entities from {SEGMENTS} segments"
    return what, "a frame of the browser (17 ms); 95th percentile", _over_a_net() / FRAME, 0.05 / FRAME


def step_over_memories() -> tuple[str, str, float, float]:
    what = f"a step over {CHUNKS} memories of ReMemR1's, two layers deep"
    return what, "a frame of the browser (17 ms); 95th percentile", _over_memories() / FRAME, 0.05 / FRAME


def step_over_a_novel() -> tuple[str, str, float, float]:
    what = f"a step over a novel's tree, {NOVEL.tokens:,} tokens"
    return what, "a frame of the browser (17 ms); 95th percentile", _over_a_novel().page / FRAME, 0.05 / FRAME


def step_on_stage() -> tuple[str, str, float, float]:
    what = "the same on Stage, over the whole window"
    return what, "a frame of the browser (17 ms); 95th percentile", _over_a_novel().stage / FRAME, 0.05 / FRAME


def panels() -> tuple[str, str, float, float]:
    return "Python's panels after the step has settled", "0.8 s", _walked().settled / 0.8, 1.0


@cache
def _walked() -> Walked:
    with served_app() as (home, address, browser):
        page = _at_step(browser, address, *long_walk(home, LONG))
        took = _stepping(page)
        settled = min(_settled(page) for _ in range(ROUNDS))
    return Walked(took, settled)


class Novel(NamedTuple):
    """Seconds a step takes at the 95th percentile, on the page and on Stage."""

    page: float
    stage: float


@cache
def _over_a_novel() -> Novel:
    with served_app() as (home, address, browser):
        page = _at_step(browser, address, *long_walk(home, NOVEL))
        on_page = _stepping(page, MEASURED // 2)
        page.keyboard.press("f")
        expect(page.locator(".player.staged")).to_be_visible()
        return Novel(on_page, _stepping(page, MEASURED // 2))


@cache
def _over_a_net() -> float:
    with served_app() as (home, address, browser):
        document, plan, question = crowded(ENTITIES, SEGMENTS)
        reader = get("qrmem")
        spec = RunSpec(reader.id, reader.version, question, options={"segment_tokens": 320})
        with Store(home / "data" / "palimpsest.db") as store:
            run = create_run(store, document, reader, spec)
            execute(store, run.id, reader, Execution(plan.model()))
            steps = len(open_reading(store, run.id).trace.steps)
        return _stepping(_at_step(browser, address, run.id, steps))


@cache
def _over_memories() -> float:
    with served_app() as (home, address, browser):
        document = Document.of(long_text(CHUNKS * CHUNK), title="Memories")
        reader = get("rememr1")
        options = {"chunk_tokens": CHUNK, "memory_tokens": 1024, "recall": "word_recall"}
        spec = RunSpec(reader.id, reader.version, "Who lit the lamp?", options=options)
        with Store(home / "data" / "palimpsest.db") as store:
            run = create_run(store, document, reader, spec)
            execute(store, run.id, reader, Execution(Scripted(_remembering)))
            steps = len(open_reading(store, run.id).trace.steps)
        return _stepping(_at_step(browser, address, run.id, steps))


def _remembering(call: Call) -> str:
    """A memory of some 60 sentences, one of which goes and one of which comes at every chunk; every tenth looks back."""
    if call.prompt.task != "update_memory":
        return "\\boxed{the keeper}"
    first = call.seq
    sentences = [f"Keeper {n} lit lamp {n * 7 % 100} at dusk and wrote it down." for n in range(first, first + 60)]
    asks = f"<recall>keeper {first // 2} lamp</recall>" if first % 10 == 9 else ""
    return f"<update>{' '.join(sentences)}</update>{asks}"


def _at_step(browser: Browser, address: str, run: str, steps: int) -> Page:
    """A reading in Full, at its twentieth step."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.goto(f"{address}Trace?run={run}&at=20&depth=full")
    expect(page.locator(".stepper .where")).to_contain_text(f"of {steps}", timeout=120_000)
    expect(page.locator(".stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=60_000)
    page.wait_for_timeout(1500)
    return page


def _stepping(page: Page, measured: int = MEASURED) -> float:
    """Seconds a step takes at the 95th percentile."""
    page.evaluate(STEP, 20)
    times = sorted(page.evaluate(STEP, measured))
    return times[int(len(times) * 0.95)] / 1000


def _settled(page: Page) -> float:
    """From the press of a key until the call of that step stands there; without the 0.3 s that it waits for more."""
    hint = page.locator(".st-key-calls .section .hint")
    page.wait_for_timeout(1500)
    before = hint.inner_text()
    began = time.perf_counter()
    page.keyboard.press("ArrowRight")
    expect(hint).not_to_have_text(before, timeout=20_000)
    return time.perf_counter() - began - 0.3


class LongWalk(NamedTuple):
    """A reading, and how many steps it has."""

    run: str
    steps: int


def long_walk(home: Path, walk: Walk) -> LongWalk:
    """A reading whose walk opens one leaf after the other and finds nothing, until it has been to so many places."""
    reader = get("memwalker")
    document = Document.of(long_text(walk.tokens), title="A very long text")
    options = {"segment_tokens": walk.segment, "max_steps": walk.places, "summary_limit_tokens": 200}
    spec = RunSpec("memwalker", reader.version, "Who lit the lamp?", options=options)
    with Store(home / "data" / "palimpsest.db") as store:
        run = create_run(store, document, reader, spec)
        execute(store, run.id, reader, Execution(Scripted(nothing_found)))
        return LongWalk(run.id, len(open_reading(store, run.id).trace.steps))


def nothing_found(call: Call) -> str:
    if call.prompt.task == "summarise":
        return " ".join((call.part("segment") or call.part("summaries"))[0].split()[:60])
    values: dict[str, Any] = {"reasoning": "It may be there.", "action": -1}
    if call.prompt.task == "choose":
        seen = {int(number) for number in call.part("opened")}
        values["action"] = next((n for n in range(len(call.part("summaries"))) if n not in seen), -1)
    return call.prompt.reply.render(values)


@contextmanager
def served_app() -> Iterator[tuple[Path, str, Browser]]:
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as address, launched() as browser:
        yield Path(folder), address, browser


@contextmanager
def launched() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield browser
        browser.close()
