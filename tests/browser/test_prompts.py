"""A person rewords a reader's prompts: mistakes are reported, the rest is used, saved, and found again."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from readers import get
from tests.browser.axe import grave
from tests.browser.conftest import pick, settled
from tests.browser.test_read import opened

QUESTION = "Who kept the high light?"
UPDATE = get("memagent").prompts[0]
WELL = UPDATE.template.replace("Write the memory anew.", "Write the memory anew, in your own words, for $$5.")
LOADED = WELL + " As the file has it."


def unfolded(page: Page) -> None:
    """Of the page Read, MemAgent's prompts."""
    page.get_by_text("MemAgent", exact=True).first.click()
    settled(page)
    page.get_by_text("Prompts").click()
    expect(page.get_by_label("Wording of").first).to_be_visible()
    settled(page)


def word(page: Page, template: str) -> None:
    field = page.get_by_label("Wording of").first
    field.fill(template)
    field.blur()
    settled(page)


def choose(page: Page, field: str, option: str) -> None:
    pick(page, page.get_by_role("combobox", name=field, exact=True), option)


def test_prompts_are_reworded_used_saved_found_again_downloaded_loaded_and_deleted(page: Page) -> None:
    opened(page)
    unfolded(page)
    is_reworded(page)
    is_saved_and_found_again(page)
    opened(page)
    unfolded(page)
    data = is_downloaded(page)
    is_loaded_and_deleted(page, data)


def is_reworded(page: Page) -> None:
    """Mistakes are reported, and nothing that was typed is lost."""
    page.get_by_label("Your question, in any words").fill(QUESTION)
    word(page, WELL.replace("$section", "the section"))
    expect(page.get_by_role("alert")).to_contain_text("lacks $section")
    expect(page.locator(".prompt-marks")).to_have_text("! Update: cannot be used")
    page.get_by_role("button", name="Start reading").click()
    expect(page.get_by_role("alert")).to_have_count(2)
    expect(page.get_by_role("alert").last).to_contain_text("lacks $section")
    settled(page)
    assert not grave(page)

    # Typed, and another prompt chosen at once: nothing is lost.
    word(page, WELL + " So far.")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_label("Wording of").first.fill(WELL)
    choose(page, "Prompt", "Answer")
    choose(page, "Prompt", "Update")
    expect(page.get_by_label("Wording of").first).to_have_value(WELL)
    expect(page.locator(".prompt-marks")).to_have_text("≠ Update: reworded")
    expect(page.get_by_role("alert")).to_have_count(0)


def is_saved_and_found_again(page: Page) -> None:
    page.get_by_role("button", name="Save or delete").click()
    page.get_by_label("Save these prompts as").fill("For five")
    page.get_by_role("button", name="Save the set").click()
    expect(page.get_by_text("Saved as “For five”.")).to_be_visible()
    settled(page)

    page.reload()  # the session has ended, the set has not
    expect(page.get_by_role("heading", name="Choose a text")).to_be_visible()
    settled(page)
    unfolded(page)
    expect(page.get_by_label("Wording of").first).to_have_value(UPDATE.template)
    choose(page, "Prompt set", "“For five”")
    expect(page.get_by_label("Wording of").first).to_have_value(WELL)
    page.get_by_label("Your question, in any words").fill(QUESTION)
    page.get_by_role("button", name="Start reading").click()
    expect(page.locator(".st-key-trace-head h1")).to_have_text(QUESTION)
    settled(page)
    page.get_by_role("radio", name="Full").click()
    expect(page.locator(".st-key-calls")).to_be_visible()
    page.get_by_role("button", name="First step").click()
    expect(page.locator(".prompt").first).to_contain_text("in your own words, for $5.")
    expect(page.locator(".figures").filter(has_text="Prompt memagent.update")).to_contain_text("reworded")


def is_downloaded(page: Page) -> bytes:
    """The set, as the file it is downloaded as."""
    word(page, WELL)
    page.get_by_role("button", name="Download or load").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as JSON").click()
    assert download.value.suggested_filename == "memagent-prompts.json"
    data = download.value.path().read_bytes()
    assert json.loads(data)[UPDATE.id] == WELL
    assert set(json.loads(data)) == {prompt.id for prompt in get("memagent").prompts}
    return data


def is_loaded_and_deleted(page: Page, data: bytes) -> None:
    """In the same box, changed by hand."""
    changed = json.dumps({**json.loads(data), UPDATE.id: LOADED}).encode()
    chooser = page.locator(".stFileUploader input[type=file]")
    chooser.set_input_files({"name": "torn.json", "mimeType": "application/json", "buffer": data[:50]})
    expect(page.get_by_role("alert")).to_contain_text("torn.json")
    settled(page)
    expect(page.get_by_label("Wording of").first).to_have_value(WELL)
    name = "<img src=x onerror=window.hurt=1>.json"
    chooser.set_input_files({"name": name, "mimeType": "application/json", "buffer": changed})
    expect(page.get_by_label("Wording of").first).to_have_value(LOADED)
    settled(page)
    expect(page.get_by_role("combobox", name="Prompt set", exact=True)).to_have_value(f"the file {name}")
    page.get_by_role("button", name="Save or delete").click()
    page.get_by_label("Save these prompts as").fill("To go")
    page.get_by_role("button", name="Save the set").click()
    settled(page)
    page.get_by_role("button", name="Delete “To go”").click()
    expect(page.get_by_text("Deleted “To go”.")).to_be_visible()
    settled(page)
    expect(page.get_by_label("Wording of").first).to_have_value(UPDATE.template)
    assert page.evaluate("window.hurt") is None
