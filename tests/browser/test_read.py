"""A person at the Read page: a sample, a file or a pasted text, a question, and on to the reading."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from components.html import markup
from components.session.samples import samples
from readers.engine.text import split
from tests.browser.axe import grave
from tests.browser.conftest import settled, visit
from tests.browser.hostile import PAYLOADS
from tests.browser.test_home import QUESTION, at_trace

STORY = (
    "The ferryman Ostrander kept a blue kettle in the wheelhouse.\n\nHe had it from his aunt, who sold eels at Marrow Lock.\n\n"
    "In winter the kettle froze to the stove and had to be knocked loose with a mallet.\n"
)
WATCHED = samples()[0].watched["memwalker"]
PARTS = len(split.segments(samples()[0].document.text, WATCHED["segment_tokens"]))
UNREADABLE = {
    "picture.txt": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x01\x02",
    "blank.txt": b" \n\n ",
    "torn.pdf": b"%PDF-1.7\nnothing of the kind",
}


def opened(page: Page, address: str = "./Read") -> None:
    visit(page, address)
    expect(page.get_by_role("heading", name="Choose a text")).to_be_visible()
    settled(page)


def ask(page: Page, words: str) -> None:
    field = page.get_by_label("Your question, in any words")
    field.fill(words)
    field.press("Enter")
    settled(page)
    page.get_by_role("button", name="Start reading").click()


def choose(page: Page, way: str) -> None:
    page.get_by_role("radiogroup").get_by_text(way, exact=True).click()
    settled(page)


def paste(page: Page, words: str) -> None:
    field = page.get_by_label("Your text")
    field.fill(words)
    field.blur()
    settled(page)


def upload(page: Page, name: str, data: bytes) -> None:
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": data})


def test_a_sample_a_file_and_a_pasted_text_are_read_and_unreadable_files_refused(page: Page) -> None:
    reads_a_sample(page)
    reads_a_file_and_a_pasted_text(page)


def reads_a_sample(page: Page) -> None:
    """With a question that is chosen, and with one that is typed."""
    opened(page)
    expect(page.get_by_role("button", name="Start reading")).to_be_in_viewport(ratio=1)
    expect(page.locator(".text .cut").first).to_contain_text("Part 1")
    field = page.get_by_label("Show text from part")
    field.fill("7")
    field.press("Enter")
    expect(page.locator(".text .cut").first).to_contain_text("Part 7")
    expect(page.locator(".parts tbody tr")).to_have_count(PARTS)
    settled(page)
    page.get_by_label("Questions that come with this text").click()
    page.get_by_role("option", name=QUESTION).click()
    expect(page.get_by_label("Your question, in any words").first).to_have_value(QUESTION)
    settled(page)
    expect(page.locator(".fact-list")).to_contain_text("Calls to the model")
    page.get_by_role("button", name="Start reading").click()
    at_trace(page, QUESTION)

    page.go_back()
    expect(page.get_by_role("heading", name="Choose a text")).to_be_visible()
    settled(page)
    page.get_by_label("Your question, in any words").fill("Who was Amos Garbutt?")
    page.get_by_role("button", name="Start reading").click()  # at once: what was typed is on its way
    at_trace(page, "Who was Amos Garbutt?")


def reads_a_file_and_a_pasted_text(page: Page) -> None:
    """Files that cannot be read are refused."""
    opened(page)
    choose(page, "A file")
    for name, data in UNREADABLE.items():
        upload(page, name, data)
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text(name)
        expect(alert).not_to_contain_text("Traceback")
    settled(page)
    ask(page, "Who?")
    expect(page.get_by_role("alert").last).to_have_text("Choose a file that can be read first.")
    settled(page)
    upload(page, "kettle.txt", STORY.encode())
    expect(page.locator(".text")).to_contain_text("The ferryman Ostrander")
    settled(page)
    ask(page, "Where did Ostrander keep the kettle?")
    at_trace(page, "Where did Ostrander keep the kettle?")

    opened(page)
    choose(page, "Pasted text")
    ask(page, "Who?")
    expect(page.get_by_role("alert")).to_have_text("Paste a text into the field first.")
    paste(page, STORY)
    expect(page.locator(".text")).to_contain_text("sold eels at Marrow Lock")
    ask(page, "Who sold eels at Marrow Lock?")
    at_trace(page, "Who sold eels at Marrow Lock?")


def test_hostile_addresses_and_texts_stay_characters(page: Page) -> None:
    opened(page, "./Read?document=<script>window.hurt=1</script>")
    expect(page.get_by_role("alert")).to_contain_text("There is no text '<script>window.hurt=1</script>' here.")
    choose(page, "A file")  # another one can be chosen
    upload(page, "<img src=x onerror=window.hurt=1> **b** $x$.txt", "\n\n".join(PAYLOADS).encode())
    shown = page.locator(".text")
    expect(shown).to_contain_text(PAYLOADS[0])
    settled(page)
    expect(page.get_by_role("heading", name="<img src=x onerror=window.hurt=1> **b** $x$")).to_be_visible()
    said = shown.inner_text()
    missing = [payload for payload in PAYLOADS if " ".join(payload.split()) not in " ".join(said.split())]
    assert not missing
    expect(page.locator(".text :is(img, script, iframe, svg, a, input, style, b:not(.cut b))")).to_have_count(0)
    page.get_by_text("Add choices").click()
    answers = page.get_by_label("Choices, one a line")
    answers.fill("</textarea><b>x</b>\n![x](http://example.org/x.png)")
    answers.blur()
    settled(page)
    question = "Where is the kettle? </textarea><img src=x onerror=window.hurt=1> ![x](http://example.org/x.png) $name **b**"
    ask(page, question)
    page.wait_for_url(re.compile(r"/Trace\?run=[0-9a-f]{10}"))
    settled(page)
    page.locator(".st-key-topbar").get_by_role("link", name="Palimpsest").click()
    in_markdown = question.replace("http:", f"{markup.JOINER}http:")
    expect(page.locator(".st-key-runs").get_by_role("link", name=in_markdown)).to_be_visible()
    settled(page)
    assert page.evaluate("window.hurt") is None


def test_all_readers_are_started_from_a_dialog_and_a_reload_finds_them_in_compare(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    opened(page)
    choose(page, "Pasted text")
    paste(page, STORY)
    page.get_by_label("Your question, in any words").fill("What did Ostrander keep in the wheelhouse?")
    page.get_by_role("button", name="Read with all readers").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".fact-list")).to_contain_text("Calls to the model")
    dialog.get_by_role("button", name="Whole text").click()
    start = dialog.get_by_role("button", name="Start 8 readings")
    expect(start).to_be_in_viewport()
    settled(page)
    assert grave(page) == []
    start.click()
    expect(page).to_have_url(re.compile(r"/Compare\?runs=\w+(%2C\w+){7}$"))
    for _ in range(2):
        expect(page.get_by_role("group", name=re.compile("^Reading 2: ReadAgent"))).to_be_visible(timeout=30_000)
        expect(page.locator(".reading-line")).to_have_count(8)
        page.reload()
