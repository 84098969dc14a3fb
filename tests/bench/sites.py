"""A published site: how long a batch takes to write and how large it is; in a browser, from a disk, its front page of 1,000
readings, and one reading.

A tenth of a thousand is written, of a text of real length and by four methods, in the processor's time; the limits are a tenth,
too.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup
from playwright.sync_api import Page, expect, sync_playwright

from components.publish import gather_batch, index, shell
from components.publish.contents import PublishedReading, SiteContents
from components.publish.site import files
from readers import get
from readers.cli.show import known_answer
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchExecution
from readers.engine.run.execute import Execution, RunSpec
from readers.engine.run.jobs import Jobs
from readers.engine.store import Store
from readers.engine.text.document import Document
from tests.bench.pages import ROUNDS
from tests.browser.conftest import ARGS, CHROMIUM
from tests.support.paths import ROOT
from tests.support.readings.batches import planned
from tests.support.readings.every_reading import SMALL

READINGS, LISTED = 100, 1_000
WAYS = ("memagent", "readagent", "memwalker", "retrieval")
SECONDS, BYTES = 120 * READINGS / LISTED, 60e6 * READINGS / LISTED
# Types in the field and counts until the browser has drawn what is left.
TYPED = """async (words) => {
  const field = document.querySelector("[type=search]");
  const times = [];
  for (let n = 1; n <= words.length; n++) {
    const began = performance.now();
    field.value = words.slice(0, n);
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    times.push(performance.now() - began);
  }
  return Math.max(...times);
}"""
Row = tuple[str, str, float, float]


class Written(NamedTuple):
    """The contents and the files of a site, and the seconds of the processor that they took."""

    contents: SiteContents
    files: dict[str, bytes]
    seconds: float


def seconds() -> Row:
    limit = f"{SECONDS:.0f} s: 2 minutes for {LISTED:,}"
    return f"write a site of {READINGS} readings, processor time", limit, _written().seconds / SECONDS, 1.0


def size() -> Row:
    made = sum(map(len, _written().files.values()))
    return f"its size: {made / 1e6:.1f} MB", f"{BYTES / 1e6:.0f} MB: 60 MB for {LISTED:,}", made / BYTES, 1.0


def front_page() -> Row:
    return f"open a front page of {LISTED:,} readings from a disk, to its search", "1 s", _browsed()[0], 1.0


def searching() -> Row:
    return "a letter typed into its search, the slowest", "0.1 s", _browsed()[1] / 0.1, 1.0


def reading() -> Row:
    return "open a reading of the site, to its first sentence", "1 s", _browsed()[2], 1.0


@cache
def _written() -> Written:
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "a.db") as store:
        text = (ROOT / "assets" / "samples" / "the_lamp_at_carrow_point.txt").read_text(encoding="utf-8")
        document = Document.of(text, title="The lamp")
        names = sorted({word for word in text.split() if word.isalpha() and word[0].isupper() and len(word) > 4})
        asked = [SetQuestion(str(n), document.id, f"What is told of {name}?", (), (name,), True) for n, name in enumerate(names)]
        specs = [RunSpec(one, get(one).version, "", options=SMALL[one]) for one in WAYS]
        batch = planned(store, document, asked[: READINGS // len(WAYS)], *specs, name="Lamps")
        jobs = Jobs(store.path)
        batches.start(jobs, batch, BatchExecution(get, lambda run: Execution(Offline()), path=store.path))
        assert jobs.wait(600)
        began = time.process_time()
        contents = gather_batch.of_batch(store, store.batches.get(batch), lambda run: known_answer(store, run))
        made = dict(files(contents))
        return Written(contents, made, time.process_time() - began)


@cache
def _browsed() -> tuple[float, float, float]:
    """Seconds until the front page can be searched, for a letter, and until a reading is there; the best of some rounds."""
    with _site() as (folder, page):
        first = min(_opened(page, folder / "index.html", ".site-tools:not([hidden])") for _ in range(ROUNDS))
        typed = min(page.evaluate(TYPED, "told of") for _ in range(ROUNDS)) / 1000
        readings = [path for path in _written().files if path.startswith("reading/") and path.endswith(".html")]
        return first, typed, min(_opened(page, folder / path, ".stepper .where") for path in readings[:ROUNDS])


def _opened(page: Page, path: Path, shows: str) -> float:
    page.goto("about:blank")
    began = time.perf_counter()
    page.goto(path.as_uri(), wait_until="commit")
    expect(page.locator(shows).first).to_be_visible()
    return time.perf_counter() - began


@contextmanager
def _site() -> Iterator[tuple[Path, Page]]:
    """The site on a disk, its front page with rows for a thousand readings, and a browser's page."""
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        folder = Path(made)
        written = _written()
        for path, words in written.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(words)
        many = _many(written.contents)
        (folder / "index.html").write_text(shell.written(index.page(written.contents, many), "Lamps", []), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield folder, browser.new_page(viewport={"width": 1400, "height": 900})
        browser.close()


def _many(contents: SiteContents) -> list[PublishedReading]:
    """A thousand readings as the front page lists them."""
    listed = []
    for n in range(LISTED // len(contents.readings)):
        for one in contents.readings:
            run = replace(one.run, question=f"{one.run.question} Again, the {n}th time?")
            about = {"document": "", "text": "The lamp", "size": "", "at": 1, "steps": 9, "calls": 9, "reused": 0, "cost": 0.01}
            listed.append(PublishedReading(replace(one, run=run), **about, drawn=False, looked=Markup()))
    return listed
