"""Agreement and results in the browser: opening a cell and deciding disagreements by keyboard, and labels of a file that differ
shown as plain text."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from readers.engine.files.export_labels import as_jsonl, gathered
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
    page.get_by_role("button", name="Decide 10 disagreements").click()
    bar = page.locator(".st-key-disagreement-bar")
    expect(bar).to_contain_text("1 of 10")
    settled(page)
    page.locator("body").press("n")
    expect(bar).to_contain_text("2 of 10")
    settled(page)
    why = page.get_by_label("Why")
    why.click()
    page.keyboard.type("no, pnl")
    expect(why).to_have_value("no, pnl")
    expect(bar).to_contain_text("2 of 10")
    page.get_by_role("combobox", name=re.compile("Correct value")).click()
    page.get_by_role("option").nth(1).click()
    page.get_by_role("button", name=re.compile("^Decide, then")).click()
    expect(bar).to_contain_text("3 of 10")
    settled(page)
    page.locator("body").press("p")
    expect(page.locator(".decisions")).to_contain_text("no, pnl")
    settled(page)
    page.locator("body").press("l")
    expect(page.get_by_text("9 of 10 to be decided")).to_be_visible()
    settled(page)
