"""Keys pressed without any pause, on a slow machine: each acts on the reading it was meant for, in order, and none is lost.

`make hostile` presses those of two hundred readings (`tests/hostile/keys.py`).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from readers.engine.analysis.visible_labels import find_disagreements, load
from readers.engine.labels.adjudication import REASON, Compared, to_stored
from readers.engine.labels.label import Label
from readers.engine.labels.project import HOST, Project, order
from readers.engine.store import Store
from tests.browser.annotators import known_as
from tests.browser.conftest import settled, visit
from tests.browser.readings import store
from tests.support import labelled_projects

READINGS = 6
SLOWER = 4  # times, as the browser throttles its processor
# Presses keys within the page, without a turn of its loop between two; a field that is left a letter gets it typed.
PRESS = """keys => {
    for (const key of keys) {
        let at = document.activeElement ?? document.body;
        while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        const pressed = at.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
        if (pressed && at.matches("textarea, input") && [...key].length === 1) document.execCommand("insertText", false, key);
    }
}"""


def slow(page: Page) -> None:
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def labels(home: Path, project: Project) -> list[Label]:
    with store(home) as opened:
        return opened.labels.in_project(project.id, HOST)


@pytest.mark.parametrize("in_page", [False, True])
def test_whole_readings_are_labelled_in_one_go(page: Page, app_home: Path, in_page: bool) -> None:
    label_in_one_go(page, app_home, READINGS, in_page=in_page)


def label_in_one_go(page: Page, app_home: Path, readings: int, *, in_page: bool) -> None:
    """Undo comes first in every reading: it finds nothing to take back there, and takes nothing back in the reading before. Keys
    that are pressed `in_page` have no time at all between two of a reading."""
    with store(app_home) as opened:
        project = labelled_projects.project(opened, readings, names=("Kay",), opens_at="beginning")
        runs = order(project.settings, "Kay", tuple(opened.projects.readings(project.id)))
    known_as(page, "Kay")
    visit(page, f"Annotate?project={project.id}")
    expect(page.locator(".bench .progress", has_text=f"Reading 1 of {readings}")).to_be_visible()
    settled(page)
    slow(page)
    for number in range(readings):
        after = ("Escape", "ArrowRight", "c", "n", "1", "Enter", "3", "d", "o", "1", "e", "1", "p", "1", "t", "1", "f")
        keys = ["u", "n", *f"sofa {number}, unused", *after]
        if in_page:
            page.evaluate(PRESS, keys)
            continue
        for key in keys:
            page.keyboard.press(key)
    expect(page.get_by_text("You have been through all your readings")).to_be_visible(timeout=30_000 + 6_000 * readings)
    made = labels(app_home, project)
    for number, run in enumerate(runs):
        found = {(one.kind, one.target.get("field", one.step)): one.value for one in made if one.run == run}
        assert {key: found[key] for key in found if key[0] != "reading"} == {
            ("note", 1): {"words": f"sofa {number}, unused", "group": ""},
            ("step", 2): {"code": "N1", "severity": 3, "note": ""},
        }
        assert {name for kind, name in found if kind == "reading"} == {"decisive", "outcome", "support", "path", "fate"}


@pytest.mark.parametrize("disputed", [6])
def test_disagreements_of_many_readings_are_decided_in_one_go(page: Page, app_home: Path, disputed: int) -> None:
    with store(app_home) as opened:
        project = labelled_projects.labelled(opened, 3 * disputed)
        queue = tuple(dict.fromkeys(one.run for one in disagreements(opened, project)))
    assert len(queue) == disputed
    known_as(page, "Lea")
    visit(page, f"Annotate?project={project.id}&view=agreement")
    page.get_by_role("button", name=f"Decide {disputed} readings").click()
    expect(page.locator(".bench.table .progress")).to_contain_text(f"Reading 1 of {disputed}")
    settled(page)
    slow(page)
    for number in range(disputed):
        for key in ("u", str(1 + number % 2), "r"):
            page.keyboard.press(key)
        page.keyboard.type(f"no. {number}, 1 by 1")
        page.keyboard.press("Escape")
        page.keyboard.press("Enter")
    expect(page.get_by_text(f"0 of {5 * disputed} to be decided")).to_be_visible(timeout=30_000 + 3_000 * disputed)
    with store(app_home) as opened:
        made = opened.decisions.in_project(project.id, HOST, history=True)
        found = disagreements(opened, project)
    assert {one.run: one.reason for one in made if one.reason} == {run: f"no. {n}, 1 by 1" for n, run in enumerate(queue)}
    assert all(one.revision == 1 for one in made if one.target != REASON)  # a reason may be saved while it is typed
    for one in found:
        chosen = ("Ada", "Ben")[queue.index(one.run) % 2]
        assert one.decision is not None
        assert one.decision.value == to_stored(one.about, one.values[chosen]), one.id


def disagreements(opened: Store, project: Project) -> list[Compared]:
    return find_disagreements(load(opened, project, opened.projects.viewer(project.id, "Lea")))
