"""A person among their readings: filters, tags and deletes by keyboard alone; exports some, deletes them and imports them again;
and sees why a bad file is refused."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from components.session.samples import samples
from readers.engine.store.run_list import RunFilter
from readers.engine.text.document import Document
from tests.browser.axe import grave
from tests.browser.conftest import settled
from tests.browser.readings import read, store

TEXT = Document.of(samples()[0].document.text[:4_000], title="A lamp, for the list")


def opened(page: Page, asks: str = "") -> None:
    page.goto(f"./Readings{asks}")
    expect(page.get_by_role("heading", name="Readings", exact=True)).to_be_visible()
    settled(page)


def listed(page: Page) -> Any:
    return page.locator(".st-key-readings .stPageLink")


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the control with this accessible name has the focus."""
    here = page.get_by_role("checkbox", name=name).or_(page.get_by_role("button", name=name, exact=True)).first
    for _ in range(80):
        page.keyboard.press("Tab")
        if here.evaluate("(wanted) => wanted === document.activeElement || wanted.contains(document.activeElement)"):
            return
    raise AssertionError(f"Tab does not reach {name!r}")


def test_readings_are_filtered_tagged_deleted_exported_and_imported(page: Page, app_home: Path, tmp_path: Path) -> None:
    works_by_keyboard_alone(page, app_home)
    exports_and_imports(page, app_home, tmp_path)


def works_by_keyboard_alone(page: Page, app_home: Path) -> None:
    for place in ("pier", "quay", "mole"):
        read(app_home, TEXT, f"Which zanzibar lay at the {place}?")
    opened(page)
    field = page.get_by_label("Search in question")
    field.focus()
    page.keyboard.type("zanzibar")
    page.keyboard.press("Enter")
    expect(listed(page)).to_have_count(3)
    expect(page).to_have_url(re.compile(r"/Readings\?words=zanzibar$"))
    settled(page)
    for place in ("mole", "quay"):
        tab_to(page, f"Select: Which zanzibar lay at the {place}?")
        page.keyboard.press("Space")
        settled(page)
    expect(page.get_by_text("2 selected")).to_be_visible()
    field.focus()
    tab_to(page, "Tags")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Tag for 2 readings")).to_be_visible()
    page.get_by_label("Tag for 2 readings").focus()
    page.keyboard.type("to go")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Tagged 2 readings “to go”.")).to_be_visible()
    expect(page.locator(".listed .tag", has_text="to go")).to_have_count(2)
    page.keyboard.press("Escape")
    opened(page, "?words=zanzibar&tag=to+go")  # a link to the same list
    expect(listed(page)).to_have_count(2)
    page.get_by_label("Search in question").focus()
    tab_to(page, "Select all")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 selected")).to_be_visible()
    settled(page)
    tab_to(page, "Delete …")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Delete these 2 readings?")).to_be_visible()
    tab_to(page, "Delete 2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 readings were deleted.")).to_be_visible()
    expect(listed(page)).to_have_count(0)
    with store(app_home) as kept:
        assert [kept.runs.get(run_id).question for run_id in kept.run_list.ids(RunFilter(words="zanzibar"))] == [
            "Which zanzibar lay at the pier?"
        ]


def exports_and_imports(page: Page, app_home: Path, tmp_path: Path) -> None:
    made = [read(app_home, TEXT, f"Who rowed to {place} in a coracle?") for place in ("Malta", "Crete")]
    with store(app_home) as kept:
        kept.run_list.tag([made[0].run.id], "boats")
        kept.run_list.rename(made[0].run.id, "A boat to Malta")
    opened(page, "?words=coracle")
    page.get_by_text("None selected").wait_for()
    page.get_by_role("checkbox", name="Select: A boat to Malta").press("Space")
    expect(page.get_by_text("1 selected")).to_be_visible()
    passes_axe(page)
    page.get_by_role("button", name="Select all").click()
    expect(page.get_by_text("2 selected")).to_be_visible()
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as loading:
        page.get_by_role("button", name="Download 2 run files").click()
    loading.value.save_as(tmp_path / "saved.zip")
    with zipfile.ZipFile(tmp_path / "saved.zip") as archive:
        names = archive.namelist()
        archive.extractall(tmp_path)
    assert sorted(names) == sorted(f"palimpsest-{reading.run.id}.json" for reading in made)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Delete …").click()
    page.get_by_role("button", name="Delete 2").click()
    expect(page.get_by_text("2 readings were deleted.")).to_be_visible()
    expect(page.get_by_role("button", name="Delete 2", exact=True)).to_have_count(0)  # its box has closed
    data = json.loads((tmp_path / names[0]).read_text(encoding="utf-8"))
    data["calls"][1]["reply"] = "Nothing of the kind."
    bad = {"name": "bad <img src=x onerror=hurt()>.json", "mimeType": "application/json", "buffer": json.dumps(data).encode()}
    good = {"name": "saved.zip", "mimeType": "application/zip", "buffer": (tmp_path / "saved.zip").read_bytes()}
    page.get_by_role("button", name="Import run files").click()
    page.locator("input[type=file]").set_input_files([good, bad])  # type: ignore[list-item]
    expect(page.get_by_role("button", name="Remove bad <img")).to_be_visible()
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported 2 readings.")).to_be_visible()
    refused = page.get_by_role("alert").filter(has_text="was not imported")
    expect(refused).to_contain_text("bad <img src=x onerror=hurt()>.json")
    expect(refused).to_contain_text("changed or damaged after it was exported")
    expect(refused).to_contain_text("seq 1")
    expect(listed(page)).to_have_count(2)
    expect(page.locator(".listed").filter(has_text="imported from a file")).to_have_count(2)
    expect(page.get_by_role("button", name="Import", exact=True)).to_have_count(0)  # the box has closed, so nothing is covered
    page.get_by_text("In all that was read and said").click()
    page.locator("[class*=st-key-passages-] a").filter(has_text="question: Who rowed").first.click()
    expect(page).to_have_url(re.compile(r"/Trace\?run=.*&find=coracle"))
    expect(page.locator("h1", has_text="in a coracle?")).to_be_visible()
    expect(page.locator(".found-words")).to_contain_text("question, step 1")
    page.wait_for_function("CSS.highlights.get('found-words')?.size > 0")
    page.get_by_role("button", name="Mark no more").click()
    expect(page.locator(".found-words")).to_have_count(0)
    page.wait_for_function("!CSS.highlights.has('found-words')")


def passes_axe(page: Page) -> None:
    """The list, and each of the boxes over it."""
    settled(page)
    assert not grave(page)
    boxes = {"Tags": "^Add tag$", "Name and note": "^Save$", "Delete …": "^Delete( [0-9]+)?$", "Import run files": "^Import$"}
    for name, inside in boxes.items():
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("button", name=re.compile(inside)).first).to_be_visible()
        settled(page)
        assert not grave(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name=re.compile(inside))).to_have_count(0)
        settled(page)
