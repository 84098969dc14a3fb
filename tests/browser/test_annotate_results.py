"""Agreement and results in the browser: opening a cell, deciding by keyboard with a reload on the way, and labels of a file that
differ shown as plain text."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from readers.engine.files.labels.export_labels import as_jsonl, gathered
from readers.engine.labels.project import HOST
from readers.engine.store import Store
from tests.browser.annotators import known_as
from tests.browser.conftest import settled, visit
from tests.support import labelled_projects

EVIL = "<img src=x onerror=alert(1)>"


def view(project: str, view: str) -> str:
    return "Annotate?" + urlencode({"project": project, "view": view})


def test_cells_disagreements_and_files_by_keyboard(page: Page, app_home: Path, tmp_path: Path) -> None:
    with Store(app_home / "data" / "palimpsest.db") as store:
        where = labelled_projects.labelled(store, 6)
        lines = as_jsonl(gathered(store, where.id, HOST)).splitlines()
    known_as(page, "Lea")
    visit(page, view(where.id, "results"))
    cell = page.get_by_role("button", name=re.compile("^B2 Lossy, All: 3 of 6"))
    cell.focus()
    page.keyboard.press("Enter")
    behind = page.locator(".st-key-behind")
    expect(behind).to_contain_text("B2 Lossy · All")
    settled(page)
    expect(behind.get_by_role("link", name=re.compile("^Who put the lamp out"))).to_have_count(3)
    expect(cell).to_have_attribute("aria-pressed", "true")
    expect(cell).to_be_focused()

    changed = [json.loads(line) for line in lines]
    for one in changed:
        if one.get("kind") == "step":
            one["value"]["note"] = EVIL
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, changed)), encoding="utf-8")
    page.locator('input[type="file"]').set_input_files(tmp_path / "labels.jsonl")
    expect(page.locator(".conflicts tbody tr")).to_have_count(48)
    expect(page.locator(".conflicts").get_by_text(EVIL).first).to_be_visible()
    expect(page.get_by_role("button", name=re.compile(r"^Import \d"))).to_have_count(0)

    visit(page, view(where.id, "agreement"))
    page.get_by_role("button", name="Decide 2 readings").click()
    panel = page.locator(".bench.table")
    expect(panel.locator(".progress")).to_have_text("Reading 1 of 2 · 1 more to decide")
    settled(page)
    step = page.locator(".stepper .where")
    expect(step).to_contain_text("step ")  # before the player is there, nothing goes to a step
    panel.get_by_role("button", name=re.compile("^Look at step 4")).first.click()
    expect(step).to_contain_text("step 4 of")
    page.get_by_role("button", name="Step 3: ").first.click()  # a mark in an annotator's lane
    expect(step).to_contain_text("step 3 of")
    page.keyboard.press("2")
    expect(panel.locator("p.standing")).to_have_text("◆ All decided")
    page.keyboard.press("r")
    page.keyboard.type("no, pnl 1")
    page.reload()  # at once: no save was waited for
    expect(panel.get_by_label("Reason, if you want to give one")).to_have_value("no, pnl 1")
    expect(panel.locator("p.standing")).to_have_text("◆ All decided")
    expect(panel.locator(".state")).to_have_text("saved")
    settled(page)
    page.keyboard.press("Enter")
    expect(panel.locator(".progress")).to_have_text("Reading 2 of 2 · no other to decide")
    settled(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")  # the last one, with something left: nothing is decided by it
    expect(panel.locator(".message")).to_contain_text("5 left here")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.get_by_text("All 10 disagreements are decided.")).to_be_visible()
    expect(page.get_by_text("0 of 10 to be decided")).to_be_visible()
    settled(page)
    with Store(app_home / "data" / "palimpsest.db") as store:
        made = store.decisions.in_project(where.id, HOST)
    assert len(made) == 11
    # A reason that comes while its decision is on the way is saved with it or after it; nothing else is decided twice.
    assert [one for one in made if one.revision > 1 and not one.reason] == []
    assert [one.reason for one in made if one.reason] == ["no, pnl 1"]
