"""How many keys an annotator needs for whole readings, each from where it opens to the next one, without a mouse.

Twelve readings, by all five methods, of the questions of the sample texts whose evidence is known. Of each the annotator walks
through all steps to the answer, goes to the step that decided what became of the evidence, gives it a code and a severity, marks
it as decisive if the answer is wrong, chooses outcome, support, path and fate, and finishes. Every key that the browser hears
counts; no words are written. Before the first key each switch was used by mouse, and has the focus.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from components.annotate.bench_hints import suggested_fate
from components.annotate.panel_data import CHOICES
from components.session.samples import SampleText, samples
from readers import get
from readers.engine.analysis.facts.follow import first_decision
from readers.engine.labels import codebook
from readers.engine.labels.label import VALUES, Label
from readers.engine.labels.project import HOST, Project, Settings, order
from readers.engine.models.offline import Offline
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, open_reading
from tests.browser.annotators import known_as
from tests.browser.conftest import settled
from tests.browser.readings import store
from tests.browser.test_annotate import alone

READERS = ("memwalker", "readagent", "qrmem", "memagent", "rememr1")
OF_EACH_TEXT = 4  # questions
MOST_KEYS = 30  # in the mean
CODE = "N1"
# Counts what the browser hears, before any script of the page does.
COUNTER = """window.heardKeys = window.heardPointers = 0;
addEventListener("keydown", () => window.heardKeys++, true);
addEventListener("pointerdown", () => window.heardPointers++, true);"""

pytestmark = pytest.mark.scale


@dataclass(frozen=True)
class Judged:
    """A reading, the step it opens at, the step to code (both from 0), and what the annotator says of it."""

    reading: Reading
    opens: int
    step: int
    values: dict[str, str]

    @property
    def wrong(self) -> bool:
        return self.values["outcome"] == "wrong"


def asked() -> Iterator[tuple[SampleText, KnownAnswer]]:
    for sample in samples():
        known = [one for one in sample.questions if one.evidence]
        yield from ((sample, one) for one in known[:OF_EACH_TEXT])


def judged(reading: Reading, known: KnownAnswer) -> Judged:
    """The labels that the known answer and the rules suggest; where they cannot tell, the last step and an unused fact."""
    found, last = suggested_fate(reading, known), len(reading.trace.steps) - 1
    graded = reading.run.graded(known)
    right = graded is not None and graded.outcome == "correct"
    values = {
        "outcome": "correct" if right else "wrong",
        "support": "proves" if right else "none",
        "path": "direct" if right else "lost",
        "fate": found.fate if found else "unused",
    }
    return Judged(reading, first_decision(reading.trace), found.step - 1 if found else last, values)


@pytest.fixture(scope="module")
def twelve(app_home: Path) -> dict[str, Judged]:
    return twelve_readings(app_home)


def twelve_readings(home: Path) -> dict[str, Judged]:
    """The readings by the offline model, by id."""
    found = {}
    with store(home) as opened:
        for number, (sample, known) in enumerate(asked()):
            reader = get(READERS[number % len(READERS)])
            options = dict(sample.watched.get(reader.id, {}))
            spec = RunSpec(reader.id, reader.version, known.question, known.choices, options=options)
            run = create_run(opened, sample.document, reader, spec)
            execute(opened, run.id, reader, Execution(Offline(), concurrency=1))
            found[run.id] = judged(open_reading(opened, run.id), known)
    return found


def keys(page: Page, *pressed: str) -> None:
    for key in pressed:
        page.keyboard.press(key)


def use_every_switch(page: Page) -> None:
    """By mouse, there and back; nothing else on the page is clicked after them."""
    known = page.get_by_text("Known answer", exact=True)
    for shown in (True, False):
        known.click()
        expect(page.locator(".bench-known")).to_have_count(int(shown))
        settled(page)
    for depth in ("Full", "Simple"):
        page.get_by_role("radio", name=depth).click()
        expect(page.get_by_role("radio", name=depth)).to_be_checked()
        settled(page)
    page.evaluate("window.heardPointers = 0")


def at_step(page: Page) -> int:
    """The step (from 0) that panel and player are at."""
    return int(page.locator(".bench .at-step h2").inner_text().removeprefix("Step ")) - 1


def label_whole(page: Page, one: Judged, *, code: str = CODE, walk: bool = True) -> None:
    """All labels of a reading by keys alone, with the panel at the step where it opened, after a `walk` through all steps or
    without; not that it is done."""
    last = len(one.reading.trace.steps) - 1
    assert at_step(page) == one.opens
    if walk:
        keys(page, *["ArrowRight"] * (last - one.opens))
        assert at_step(page) == last
    for _ in range(3 * walk):  # from deciding step to deciding step
        if at_step(page) != one.step:
            keys(page, "l")
    away = one.step - at_step(page)
    keys(page, *["ArrowRight" if away > 0 else "ArrowLeft"] * abs(away))
    keys(page, "c", *code.lower(), "Enter", "3")
    if one.wrong:
        keys(page, "d")
    for name, key, _ in CHOICES:
        values = list(VALUES[name])
        keys(page, key, str(values.index(one.values[name]) + 1))


def made(home: Path, project: Project, run: str) -> dict[str, object]:
    """What was saved of a reading, by field; the code by its step and severity."""
    with store(home) as opened:
        labels: list[Label] = [one for one in opened.labels.in_project(project.id, HOST) if one.run == run]
    return {
        (f"{one.code} at {one.step}" if one.kind == "step" else one.target["field"]): one.value.get(
            "severity", one.value.get("value")
        )
        for one in labels
    }


def test_a_reading_takes_at_most_30_keys_in_the_mean_and_no_mouse(page: Page, app_home: Path, twelve: dict[str, Judged]) -> None:
    with store(app_home) as opened:
        settings = Settings(start_stage=3, share=1.0, annotators=10)
        project = opened.projects.create("Twelve", settings, runs=tuple(twelve), book=codebook.preset())
    known_as(page, "Kay")
    page.add_init_script(COUNTER)
    page.goto(f"./Annotate?project={project.id}")
    page.get_by_role("button", name="Start labelling").press("Enter")
    counts = []
    for number, run in enumerate(order(project.settings, "Kay", tuple(twelve)), 1):
        one = twelve[run]
        expect(page.locator(".bench .progress", has_text=f"Reading {number} of 12")).to_be_visible()
        alone(page)
        expect(page.locator(".bench .at-step h2")).to_have_text(f"Step {one.opens + 1}")
        settled(page)
        if number == 1:
            use_every_switch(page)
        before = page.evaluate("heardKeys")
        if number == 1:
            keys(page, "g")  # the known answer, which stays shown
            expect(page.locator(".lifelines .life-fate").first).to_be_visible()
            settled(page)
        label_whole(page, one)
        keys(page, "f")
        if number < len(twelve):
            expect(page.locator(".bench .progress", has_text=f"{number} done")).to_be_visible()
        else:
            expect(page.get_by_text("You have been through all your readings")).to_be_visible()
        counts.append(page.evaluate("heardKeys") - before)
        said = {name: one.values[name] for name in ("outcome", "support", "path", "fate")}
        decisive = {"decisive": {"step": one.step + 1, "confidence": 2, "words": ""}} if one.wrong else {}
        assert made(app_home, project, run) == {f"{CODE} at {one.step + 1}": 3, **said, **decisive}
    assert page.evaluate("heardPointers") == 0
    assert sum(counts) / len(counts) <= MOST_KEYS, counts
    print(f"keys a reading: {counts}, {sum(counts) / len(counts):.1f} in the mean")
