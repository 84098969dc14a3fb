"""The app started, and its pages opened in a new tab and from the bar, as the README serves them, against an empty page of
Streamlit's in the same run.

But for the start, the processes are warm, and the browser has the app's scripts already.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page

from components.session.samples import recordings
from readers import get
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchExecution, BatchPlan
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.run.jobs import Jobs
from readers.engine.store import Run, Store
from readers.engine.text.document import Document
from tests.bench.cutting import long_text
from tests.bench.pages import ROUNDS, launched, nothing_found, served_app
from tests.browser.conftest import free_port, served, wait_for
from tests.browser.test_access import PAGES
from tests.support.models.scripted_models import Scripted

Row = tuple[str, str, float, float]
READINGS = 1_000
EMPTY = "import streamlit as st\n\nst.write('Nothing here')\n"
EMPTY_PAGE = "an empty Streamlit page"
EMPTY_SHOWN = ".stMarkdown p"
# Whether some element, which may be in a shadow tree, is seen and has these words, and whether the page is drawn to its end. The
# page asks itself, every few milliseconds: `expect` looks at a page that is not there yet twice a second, and each time computes
# what a screen reader would say of all of it.
LOOK_EVERY = 10  # milliseconds
SEEN = """({ what, words, whole, title }) => {
  const every = (root) => [...root.querySelectorAll(what),
    ...[...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot ? every(shadowRoot) : []))];
  const drawn = document.querySelector(".stApp")?.dataset.testScriptState === "notRunning";
  return (drawn || !whole) && (!title || document.title === title)
    && every(document).some((one) => one.checkVisibility({ visibilityProperty: true }) && one.textContent.includes(words));
}"""


class Opened(NamedTuple):
    """An address, and what of its page a person waits for: an element, as CSS has it, with these words."""

    address: str
    ready: str
    words: str = ""


def first_heading() -> Row:
    """From the command in the README, in a new home, to Home's heading, against an empty page from the command that starts it."""
    (empty, _), (ours, _) = _from_start()
    return "start the app until Home's heading is there", f"start {EMPTY_PAGE} until it is there", ours / empty, 1.4


def start() -> Row:
    """The same, until Home is drawn to its end, and plays."""
    (_, empty), (_, ours) = _from_start()
    return "start the app and open Home", f"start {EMPTY_PAGE} and open it", ours / empty, 2.0


def change() -> Row:
    """The slowest page from the bar, against an empty one in a new tab."""
    with served_app() as (_, address, browser), _empty_page() as empty:
        page = visitor(browser).new_page()
        page.goto(address)
        rounds = [(until_shown(browser, empty), *(until_changed(page, name) for name in PAGES)) for _ in range(ROUNDS + 1)]
    blank, *ours = (min(seconds) for seconds in zip(*rounds, strict=True))
    return "change to the slowest page by the bar", EMPTY_PAGE, max(ours) / blank, 1.0


def home() -> Row:
    return "open Home", EMPTY_PAGE, _first_minute()[""], 2.0


def read() -> Row:
    return "open Read", EMPTY_PAGE, _first_minute()["Read"], 2.5


def trace() -> Row:
    return "open Trace by its address, on the reading that Home plays", EMPTY_PAGE, _first_minute()["Trace"], 3.0


def any_page() -> Row:
    """The slowest page against an empty one and half a second."""
    blank, _, ours = _over_many()
    return f"open any page with {READINGS:,} readings stored", f"{EMPTY_PAGE} + 0.5 s", ours / (blank + 0.5), 1.0


def first_opens() -> Row:
    """The slowest page when it is opened for the first time, after Home was."""
    blank, first, _ = _over_many()
    what = f"open any page for the first time, with {READINGS:,} readings stored"
    return what, f"{EMPTY_PAGE} + 1.5 s", first / (blank + 1.5), 1.0


@cache
def _over_many() -> tuple[float, float, float]:
    """Seconds for an empty page, and for the slowest of ours at its first time and at its best."""
    with served_app() as (home, address, browser), _empty_page() as empty:
        run, batch = many_readings(home), batch_of_many(home)
        pages = _pages(address, run) | {
            name: Opened(f"{address}{name}", ".st-key-topbar-model") for name in ("Evaluate", f"Evaluate?batch={batch}")
        }
        until_shown(browser, pages[""])
        first = max(until_shown(browser, page) for name, page in pages.items() if name)
        blank, *ours = best_of_each(browser, [empty, *pages.values()])
    return blank, first, max(ours)


@cache
def _first_minute() -> Mapping[str, float]:
    """How many times as long as an empty page every page takes, in a home where nothing was read yet."""
    with served_app() as (_, address, browser), _empty_page() as empty:
        pages = _pages(address, recordings()[0].id)
        blank, *ours = best_of_each(browser, [empty, *pages.values()])
    return {name: seconds / blank for name, seconds in zip(pages, ours, strict=True)}


def _pages(address: str, run: str) -> dict[str, Opened]:
    """The pages, by name."""
    of_its_own = {
        "": Opened(address, ".showing canvas"),
        "Read": Opened(f"{address}Read", "button", "Start reading"),
        "Trace": Opened(f"{address}Trace?run={run}", ".player .step-sentence"),
    }
    return of_its_own | {name: Opened(f"{address}{name}", ".st-key-topbar-model") for name in ("Library", "Readings", "Models")}


def empty_seconds(browser: Browser) -> float:
    """Seconds to open an empty page of Streamlit's: the best of some."""
    with _empty_page() as empty:
        return best_of_each(browser, [empty])[0]


def best_of_each(browser: Browser, pages: Sequence[Opened]) -> list[float]:
    """Seconds to open each: the best of some rounds over all of them, so that a busy moment of the machine meets all alike."""
    rounds = [[until_shown(browser, page) for page in pages] for _ in range(ROUNDS + 1)]
    return [min(seconds) for seconds in zip(*rounds, strict=True)]


def until_shown(browser: Browser, opened: Opened) -> float:
    """Seconds until a page is drawn to its end, by a visitor whose browser has the app's scripts already."""
    return _opened(browser, opened, opened.ready, began=time.perf_counter())[1]


def _opened(browser: Browser, opened: Opened, first: str, *, began: float) -> tuple[float, float]:
    """Seconds until something of a page is there, and until it is drawn to its end."""
    page = visitor(browser).new_page()
    page.goto(opened.address, wait_until="commit")
    _wait(page, first)
    there = time.perf_counter() - began
    _wait(page, opened.ready, opened.words, whole=True)
    took = time.perf_counter() - began
    page.close()
    return there, took


@cache
def _from_start() -> list[tuple[float, float]]:
    """Seconds from the command on, of an empty page and of Home: the best of some rounds."""
    rounds = []
    with launched() as browser:
        for _ in range(ROUNDS):
            for app, first in ((_empty_page, EMPTY_SHOWN), (_started_app, "h1")):
                began = time.perf_counter()
                with app() as opened:
                    rounds.append(_opened(browser, opened, first, began=began))
    return [(min(there), min(took)) for there, took in (zip(*rounds[n::2], strict=True) for n in range(2))]


def until_changed(page: Page, name: str) -> float:
    """Seconds from a click in the bar until that page is drawn to its end."""
    began = time.perf_counter()
    page.locator(".st-key-topbar").get_by_role("link", name=name, exact=True).click()
    _wait(page, "h1, h2, h3", PAGES[name], whole=True, title="Palimpsest" if name == "Palimpsest" else f"{name} · Palimpsest")
    return time.perf_counter() - began


def _wait(page: Page, what: str, words: str = "", *, whole: bool = False, title: str = "") -> None:
    """Wait until an element with these words is seen, under a title if one is given; `whole`: until the page is drawn, too."""
    asked = {"what": what, "words": words, "whole": whole, "title": title}
    page.wait_for_function(SEEN, arg=asked, polling=LOOK_EVERY, timeout=60_000)


@cache
def visitor(browser: Browser) -> Any:
    return browser.new_context(viewport={"width": 1400, "height": 900})


def many_readings(home: Path, number: int = READINGS) -> str:
    reader = get("memwalker")
    with Store(home / "data" / "palimpsest.db") as store:
        document = Document.of(long_text(5_000), title="Bench")
        spec = RunSpec("memwalker", reader.version, "Who lit the lamp?", options={"segment_tokens": 400})
        run = create_run(store, document, reader, spec)
        execute(store, run.id, reader, Execution(Scripted(nothing_found)))
        for each in range(number):
            store.runs.add(Run("", document.id, reader.id, f"Question {each}?", asdict(spec), "finished", outcome="answered"))
    return run.id


def batch_of_many(home: Path, number: int = READINGS) -> str:
    """A batch with an answer to each of so many questions."""
    reader = get("whole")
    with Store(home / "data" / "palimpsest.db") as store:
        text = Document.of("Doris kept the lamp. Nobody sailed that winter.", title="Batch")
        rows = tuple(SetQuestion(str(n), text.id, f"Who kept it on day {n}?", answers=("Doris",)) for n in range(number))
        kept = store.question_sets.add(QuestionSet("Bench", rows, (text,)))
        batch = batches.add(store, kept.id, BatchPlan((RunSpec(reader.id, reader.version, ""),)), readers=get)
        jobs = Jobs(store.path, at_once=3)
        batches.start(jobs, batch.id, BatchExecution(get, lambda run: Execution(Offline()), path=store.path))
        assert jobs.wait(300)
        return batch.id


@contextmanager
def _started_app() -> Iterator[Opened]:
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as address:
        yield _pages(address, "")[""]


@contextmanager
def _empty_page() -> Iterator[Opened]:
    """An app with nothing in it."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "empty.py"
        script.write_text(EMPTY)
        port = free_port()
        command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.headless=true", f"--server.port={port}"]
        with (Path(folder) / "server.log").open("wb") as log:
            server = subprocess.Popen([*command, "--server.address=127.0.0.1"], cwd=folder, stdout=log, stderr=log)
            try:
                wait_for(f"http://127.0.0.1:{port}/_stcore/health", server, Path(folder) / "server.log")
                yield Opened(f"http://127.0.0.1:{port}/", EMPTY_SHOWN)
            finally:
                server.terminate()
                server.wait(10)
