"""Two people label twelve readings each in two browsers at the same time, while the server is killed once and one of them loses
the connection: nothing is lost, and every figure of Agreement and Results, as downloaded from the page, is what other code
computes from the labels that went through the browsers, here and in the other store that the project then travels to."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from components.annotate.bench_hints import suggested_fate
from components.annotate.cache import kind_title
from components.session.samples import sample_of
from readers import get, offered
from readers.engine.analysis import visible_labels
from readers.engine.files.labels.import_project import import_project
from readers.engine.files.labels.project_file import export_project, read_project_file
from readers.engine.labels import codebook
from readers.engine.labels.label import VALUES
from readers.engine.labels.project import HOST, Project, Settings, order
from tests.browser.annotators import known_as
from tests.browser.conftest import Mortal, new_page, pick, settled
from tests.browser.readings import store
from tests.browser.test_annotate import alone
from tests.browser.test_annotate_keys import CODE, Judged, keys, label_whole, twelve_readings
from tests.engine.analysis.test_recomputed import recomputed
from tests.support.recomputed import Exported, assert_agreement, assert_results

pytestmark = pytest.mark.scale
KILLED_AT, LOST_AT, READINGS = 4, 8, 12
SOCKETS = """window.sockets = [];
window.WebSocket = class extends WebSocket { constructor(...how) { super(...how); window.sockets.push(this); } };"""


@contextmanager
def at_the_bench(browser: Browser, address: str, project: Project, name: str) -> Iterator[Page]:
    """A browser of this person's own, at their first reading."""
    context = browser.new_context(base_url=address, viewport={"width": 1400, "height": 900})
    context.add_init_script(SOCKETS)
    page = new_page(context)
    known_as(page, name)
    page.goto(f"./Annotate?project={project.id}")
    page.get_by_role("button", name="Start labelling").click()
    yield page
    context.close()


def seen_by_ben(one: Judged, number: int) -> tuple[Judged, str]:
    """What Ben says where he differs: the outcome and the support of each third reading, the code of each fourth."""
    values = dict(one.values)
    if number % 3 == 0:  # no outcome that asks for a decisive step
        values |= {"outcome": "not_judgeable", "support": "compatible"}
    return replace(one, values=values), "R1" if number % 4 == 0 else CODE


def open_at(page: Page, number: int) -> None:
    expect(page.locator(".bench .progress", has_text=f"Reading {number} of {READINGS}")).to_be_visible(timeout=90_000)
    alone(page)
    expect(page.locator(".bench .at-step h2")).to_be_visible()
    settled(page)


def finish(page: Page, number: int) -> None:
    keys(page, "f")
    if number < READINGS:
        open_at(page, number + 1)
    else:
        expect(page.get_by_text("You have been through all your readings")).to_be_visible()


def saved(page: Page) -> None:
    expect(page.locator(".bench .state")).to_have_text("saved", timeout=90_000)


def downloaded(page: Page, button: str, to: Path) -> str:
    expect(page.get_by_role("button", name=button, exact=True).first).to_be_visible(timeout=60_000)
    settled(page)  # a press while the page is drawn anew would be lost
    with page.expect_download() as waited:
        page.get_by_role("button", name=button, exact=True).first.click()
    waited.value.save_as(to)
    return to.read_text(encoding="utf-8")


def by_rule(found: Mapping[str, Judged]) -> dict[str, dict[str, str | None]]:
    """The outcomes and fates that the rules find, by reading."""
    outcomes: dict[str, str | None] = {}
    fates: dict[str, str | None] = {}
    for run, one in found.items():
        sample = sample_of(one.reading.run.document)
        known = sample.known(one.reading.run.question) if sample else None
        assert known
        grade, fate = one.reading.run.graded(known), suggested_fate(one.reading, known)
        outcomes[run], fates[run] = grade.suggested if grade else None, fate.fate if fate else None
    return {"outcome": outcomes, "fate": fates}


def test_two_people_label_twelve_readings_each_through_a_kill_and_a_lost_connection(browser: Browser, tmp_path: Path) -> None:
    mortal = Mortal(tmp_path)
    found = twelve_readings(tmp_path)
    with store(tmp_path) as opened:
        settings = Settings(start_stage=3, share=1.0, annotators=2)
        project = opened.projects.create("Twelve", settings, runs=tuple(found), book=codebook.preset())
    orders = {name: order(project.settings, name, tuple(found)) for name in ("Ada", "Ben")}
    said = {("Ada", run): (one, CODE) for run, one in found.items()}
    said |= {("Ben", run): seen_by_ben(one, number) for number, (run, one) in enumerate(found.items())}
    with (
        at_the_bench(browser, mortal.address, project, "Ada") as ada,
        at_the_bench(browser, mortal.address, project, "Ben") as ben,
    ):
        for number in range(1, READINGS + 1):
            for name, page in (("Ada", ada), ("Ben", ben)):
                open_at(page, number)
                if number == LOST_AT and page is ben:  # he labels on without a connection
                    page.context.set_offline(True)
                    page.evaluate("sockets.forEach(one => one.close())")
                one, code = said[name, orders[name][number - 1]]
                label_whole(page, one, code=code, walk=False)
            if number == KILLED_AT:  # neither has waited until all was saved
                mortal.kill()
                mortal.start()
            ben.context.set_offline(False)
            for page in (ada, ben):
                saved(page)
                finish(page, number)
        ada.goto(f"./Annotate?project={project.id}&view=agreement")
        agreement = downloaded(ada, "CSV", tmp_path / "agreement.csv")
        ada.goto(f"./Annotate?project={project.id}&view=results")
        expect(ada.get_by_text("The rules’ fates by code.")).to_be_visible(timeout=60_000)  # the evidence has been followed
        lines = downloaded(ada, "JSON lines", tmp_path / "labels.jsonl").splitlines()
        results = {}
        for by in ("Reader", "Model"):  # by reader at first
            if by == "Model":
                pick(ada, ada.get_by_role("combobox", name="By", exact=True), by)
            results[by] = downloaded(ada, "CSV", tmp_path / f"{by}.csv")
    mortal.end()

    with store(tmp_path) as opened:
        visible = visible_labels.load(opened, project, HOST)
        about = visible_labels.about_readings(opened, visible)
    assert visible.done == {(run, name) for run in found for name in ("Ada", "Ben")}
    for (name, run), (one, code) in said.items():
        made = [label for label in visible.labels if (label.run, label.annotator) == (run, name)]
        fields = {label.target["field"]: label.value["value"] for label in made if label.kind == "reading"}
        assert {field: fields[field] for field in VALUES} == one.values
        assert [(label.step, label.code, label.value["severity"]) for label in made if label.kind == "step"] == [
            (one.step + 1, code, 3)
        ], (name, orders[name].index(run) + 1)
    exported = Exported([json.loads(line) for line in lines], {one.run: one.kinds for one in about}, by_rule(found))
    rows = [row for row in csv.DictReader(agreement.splitlines()) if row["question"] != "span"]
    assert assert_agreement(rows, exported) > 20
    told = [row for text in results.values() for row in csv.DictReader(text.splitlines())]
    assert assert_results(told, exported, kind_title) > 50
    assert_travels(tmp_path, tmp_path / "there", project)


def assert_travels(home: Path, other: Path, project: Project) -> None:
    """The project goes to another store, a second time without doubles, and back; there, too, every figure is what other code
    computes from the labels."""
    other.joinpath("data").mkdir(parents=True)
    with store(home) as here, store(other) as there:
        data = export_project(here, project.id, readers=get)
        for is_new, labels in ((True, len(here.labels.in_project(project.id, HOST))), (False, 0)):
            come = import_project(there, read_project_file("twelve.zip", data), offered=offered)
            assert (come.is_new, come.readings, come.labels.added) == (is_new, READINGS * is_new, labels)
            assert (come.refused, come.differs, come.labels.clashes) == ((), (), ())
        of_agreement, of_results = recomputed(there, come.project)
        assert (of_agreement > 20, of_results > 50) == (True, True)
        back = import_project(
            here, read_project_file("back.zip", export_project(there, project.id, readers=get)), offered=offered
        )
        assert (back.readings, back.labels.added, back.labels.turns, back.differs, back.labels.clashes) == (0, 0, 0, (), ())
        assert len(there.runs.listed()) == len(here.runs.listed()) == READINGS
