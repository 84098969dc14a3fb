"""Annotate in a browser, in a project of 500 readings and 10,000 labels: from one reading at the bench to the next, and Results.

The readings are real ones, by every reader, with their known answer. Results are drawn after a decision, so that
nothing is cached.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, expect

from readers import get
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import Wanted
from readers.engine.labels import codebook
from readers.engine.labels.label import Decision
from readers.engine.labels.project import Project, Settings
from readers.engine.store import Store
from tests.bench.opening import EMPTY_PAGE, Opened, Row, empty_seconds, until_shown, visitor
from tests.bench.pages import ROUNDS, served_app
from tests.browser.annotators import known_as
from tests.support.labelled_projects import label_all
from tests.support.readings.copied_readings import copied

READINGS, LABELS = 500, 10_000
MOVES, FIRST = 16, 9  # readings moved over, and those before, in which every reader comes once

# Presses the key, and waits until panel and player show another reading. Components lie in shadow trees.
NEXT = """async () => {
  const find = (what, root = document) => root.querySelector(what)
    ?? [...root.querySelectorAll("*")].reduce((found, { shadowRoot }) => found ?? (shadowRoot && find(what, shadowRoot)), null);
  const player = find(".player");
  const progress = () => find(".bench .progress")?.textContent;
  const [before, began] = [progress(), performance.now()];
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "]", bubbles: true, cancelable: true }));
  const idle = () => document.querySelector(".stApp").dataset.testScriptState === "notRunning";
  const there = () => idle() && !player.isConnected && progress() !== before && find(".stepper .where")?.textContent;
  while (!there() && performance.now() - began < 20000) await new Promise((drawn) => requestAnimationFrame(drawn));
  return performance.now() - began;
}"""


class Labelled(NamedTuple):
    """The app with a labelled project, and its database."""

    address: str
    browser: Browser
    project: Project
    database: Path


def next_reading() -> Row:
    """An empty page takes about 0.4 s on a machine that does nothing else: 0.2 s is half of it."""
    return f"from a reading at the bench to the next, of {READINGS}", f"open {EMPTY_PAGE}", _next() / _empty(), 0.6


def results() -> Row:
    """The aim is two seconds there."""
    return f"open Results of {LABELS:,} labels, after a decision", f"open {EMPTY_PAGE}", _results() / _empty(), 6.0


def _next() -> float:
    """Seconds to the next reading: the median over some, once every reader was seen."""
    with _labelled() as app:
        page = app.browser.new_page(viewport={"width": 1400, "height": 900})
        known_as(page, "Cai")
        page.goto(f"{app.address}Annotate?project={app.project.id}&view=bench")
        expect(page.locator(".stepper .where")).to_contain_text("step", timeout=60_000)
        page.wait_for_timeout(1500)
        return statistics.median([_moved_on(page) for _ in range(FIRST + MOVES)][FIRST:])


def _moved_on(page: Page) -> float:
    """Label the reading, and move on once somebody could have."""
    page.keyboard.press("d")
    expect(page.locator(".bench .state")).to_have_text("saved", timeout=20_000)
    page.wait_for_timeout(1000)
    return float(page.evaluate(NEXT)) / 1000


@cache
def _empty() -> float:
    with served_app() as (_, _, browser):
        return empty_seconds(browser)


def _results() -> float:
    """Seconds until everything is drawn, in a new tab; the best of some."""
    with _labelled() as app:
        known_as(visitor(app.browser).new_page(), "Lea")
        return min(_changed_and_drawn(app, number) for number in range(ROUNDS))


def _changed_and_drawn(app: Labelled, number: int) -> float:
    with Store(app.database) as store:
        run = store.projects.readings(app.project.id)[number]
        store.decisions.decide(Decision(app.project.id, run, {"field": "outcome"}, {"value": "wrong"}, "", "Lea"), 0)
    address = f"{app.address}Annotate?project={app.project.id}&view=results"
    return until_shown(app.browser, Opened(address, ".section", "Labels as files"))


@contextmanager
def _labelled() -> Iterator[Labelled]:
    """The app with the project, labelled by two annotators; a third has just joined."""
    with served_app() as (home, address, browser):
        database = home / "data" / "palimpsest.db"
        with Store(database) as store:
            made = copied(store, READINGS)
            settings = Settings(lead="Lea", start_stage=3, share=1.0, annotators=10, seed=7)
            project = store.projects.create("Lamps", settings, runs=made.runs, book=codebook.preset(), by="Lea")
            for name in ("Ada", "Ben", "Cai"):
                store.projects.join(project.id, name)
            label_all(store, project)
            for _ in evidence.make_fates(store, [Wanted(store.runs.get(run), made.known) for run in made.runs], get):
                pass
        yield Labelled(address, browser, project, database)
