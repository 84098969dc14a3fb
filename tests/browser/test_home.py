"""A person at the home page: reads a sample, a file, a pasted text; comes back by a link; is told plainly what goes wrong."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import served, settled, watched
from tests.server import Answer, ModelServer, Request, failure, memwalker_reply, replying

QUESTION = "What had the naval assessor noticed on the crane post when he strolled about the harbour?"
STORY = (
    "The ferryman Ostrander kept a blue kettle in the wheelhouse.\n\nHe had it from his aunt, who sold eels at Marrow Lock.\n\n"
    "In winter the kettle froze to the stove and had to be knocked loose with a mallet.\n"
)
HOSTILE = (
    '<script>window.hurt = 1</script><img src=nowhere.png onerror="window.hurt = 2">\n\n'
    "The lantern of Brixholm was painted green by <b onclick='window.hurt = 3'>Tamsin</b>. ![x](nowhere.png) </p></div>\n\n"
    "<iframe srcdoc='<script>parent.hurt = 4</script>'></iframe> Nobody else had a ladder.\n"
)
UNREADABLE = {
    "picture.txt": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x01\x02",
    "blank.txt": b" \n\n ",
    "torn.pdf": b"%PDF-1.7\nnothing of the kind",
}


def opened(page: Page) -> None:
    page.goto("./")
    expect(page.get_by_role("heading", name="Choose a text")).to_be_visible()
    settled(page)


def question(page: Page, words: str) -> None:
    """Types a question and presses Enter."""
    field = page.get_by_label("Your question, in any words")
    field.fill(words)
    field.press("Enter")


def shown(page: Page, words: str) -> None:
    """The reading of this question has ended, and stands at its own address."""
    expect(page.get_by_role("heading", name="What the reader did")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text(words)
    expect(page).to_have_url(re.compile(r"\?run=[0-9a-f]{10}$"))
    settled(page)


def uploaded(page: Page, name: str, data: bytes) -> None:
    opened(page)
    page.get_by_text("A file", exact=True).click()
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": data})


def pasted(page: Page, words: str) -> None:
    opened(page)
    page.get_by_text("Pasted text", exact=True).click()
    field = page.get_by_label("A text of your own")
    field.fill(words)
    field.blur()


def test_a_sample_is_read_and_answer_evidence_and_steps_are_shown(page: Page) -> None:
    opened(page)
    page.get_by_label("Questions that come with this text").click()
    page.get_by_role("option", name=QUESTION).click()
    expect(page.get_by_label("Your question, in any words").first).to_have_value(QUESTION)
    settled(page)
    page.get_by_role("button", name="Read", exact=True).click()
    shown(page, QUESTION)
    expect(page.locator(".answer .by")).to_have_text("answer, written by the offline model (no neural network)")
    expect(page.locator(".text mark.evidence").first).to_be_visible()
    expect(page.locator(".steps li").first).to_contain_text("It cut the text into")
    expect(page.locator(".steps blockquote").first).to_contain_text("stated reason, written by the model")
    page.get_by_text("Show the known answer").click()
    expect(page.locator(".known-answer .words")).to_contain_text("bolt holes")
    page.get_by_text("Show the whole text").click()
    page.get_by_text("go to the evidence").click()
    expect(page.locator("#evidence")).to_be_in_viewport()
    expect(page.locator(".text .gap")).to_have_count(0)


def test_another_question_of_the_same_text_reuses_what_is_known_of_it(page: Page) -> None:
    opened(page)
    question(page, "Who kept the high light?")
    shown(page, "Who kept the high light?")
    question(page, "Who was Rhoda?")
    shown(page, "Who was Rhoda?")
    expect(page.locator(".heading .chips")).to_contain_text("reused")
    page.get_by_role("link", name="Choose another text").click()
    expect(page.get_by_role("heading", name="Choose a text")).to_be_visible()
    expect(page.locator(".recent a").first).to_contain_text("Who was Rhoda?")


def test_choices_go_to_the_model_only_with_their_own_question(page: Page) -> None:
    opened(page)
    page.get_by_text("With this question as it stands").click()
    expect(page.get_by_text("the offline model is at chance")).to_be_visible()
    page.get_by_role("button", name="Read", exact=True).click()
    shown(page, "How many notes of the chapel harmonium are dead?")
    expect(page.locator(".answer .words")).to_have_text(re.compile(r"^\([A-D]\) "))


def test_hostile_markup_in_a_file_its_name_and_a_question_stays_words(page: Page) -> None:
    uploaded(page, "<img src=nowhere.png onerror=alert(1)>.txt", HOSTILE.encode())
    expect(page.locator(".st-key-preview .text")).to_contain_text("<script>window.hurt = 1</script>")
    asked = 'Who painted the lantern of Brixholm? <img src=nowhere.png onerror="window.hurt = 5"> ![x](nowhere.png)'
    question(page, asked)
    shown(page, asked)
    expect(page.locator(".text")).to_contain_text("<b onclick='window.hurt = 3'>Tamsin</b>")
    expect(page.locator(".text img, .text script, .text iframe, .heading img, .recent img")).to_have_count(0)
    assert page.evaluate("window.hurt") is None


def test_a_pasted_text_is_read(page: Page) -> None:
    pasted(page, STORY)
    question(page, "Where did Ostrander the ferryman keep the blue kettle?")
    shown(page, "Where did Ostrander the ferryman keep the blue kettle?")
    expect(page.locator(".heading .meta")).to_contain_text("offline model (no neural network)")
    expect(page.locator(".text")).to_contain_text("sold eels at Marrow Lock")


def test_a_reading_is_found_again_by_its_address(page: Page) -> None:
    opened(page)
    question(page, "Who was Amos Garbutt?")
    shown(page, "Who was Amos Garbutt?")
    address = page.url
    page.reload()
    shown(page, "Who was Amos Garbutt?")
    other = page.context.new_page()
    other.goto(address)
    shown(other, "Who was Amos Garbutt?")
    other.close()
    page.goto("./?run=<script>x</script>")
    expect(page.get_by_role("alert")).to_contain_text("There is no reading '<script>x</script>' here.")
    expect(page.locator(".recent a").first).to_contain_text("Who was Amos Garbutt?")


def test_the_way_back_leads_to_the_form(page: Page) -> None:
    opened(page)
    question(page, "Who was Joseph Verrill?")
    shown(page, "Who was Joseph Verrill?")
    page.go_back()
    expect(page.get_by_role("heading", name="Choose a text")).to_be_visible()


def test_a_missing_text_is_told_in_a_sentence(page: Page) -> None:
    opened(page)
    page.get_by_text("Pasted text", exact=True).click()
    expect(page.get_by_label("A text of your own")).to_be_visible()
    question(page, "Who?")
    expect(page.get_by_role("alert")).to_have_text("Paste a text into the field first.")


def test_a_file_that_cannot_be_read_is_told_in_a_sentence(page: Page) -> None:
    opened(page)
    page.get_by_text("A file", exact=True).click()
    for name, data in UNREADABLE.items():
        page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": data})
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text(name)
        expect(alert).not_to_contain_text("Traceback")
    question(page, "Who?")
    expect(page.get_by_role("alert").last).to_have_text("Choose a file that can be read first.")


def test_a_reading_that_fails_or_is_cancelled_is_kept_and_resumed(browser: Browser, tmp_path: Path) -> None:
    refuses, slow = True, 0.4

    def script(request: Request) -> Answer:
        return failure(401, "Incorrect API key provided") if refuses else replying(memwalker_reply, delay=slow)(request)

    with ModelServer(script) as provider:
        settings = {"PALIMPSEST_MODEL": "openai/test", "OPENAI_API_BASE": provider.base_url, "OPENAI_API_KEY": "not-a-key"}
        with served(tmp_path, **settings) as address, watched(browser.new_context(base_url=address), address) as page:
            opened(page)
            expect(page.get_by_text("the text is sent to it, part by part")).to_be_visible()
            question(page, "Who kept the light?")
            expect(page.locator(".notice")).to_contain_text("The reading failed.", timeout=60_000)  # litellm is imported for it
            expect(page.locator(".notice")).not_to_contain_text("not-a-key")
            refuses = False
            page.get_by_role("button", name="Resume").click()
            expect(page.locator(".working .facts")).to_contain_text(re.compile("[1-9][0-9]* repl"))
            page.reload()
            page.get_by_role("button", name="Cancel").click()
            expect(page.locator(".notice")).to_contain_text("The reading was stopped before its end.")
            slow = 0.0
            page.get_by_role("button", name="Resume").click()
            shown(page, "Who kept the light?")
            expect(page.locator(".chip.good").first).to_have_text("◆ answered")
