"""A person who reads a picture and asks on: five questions about its text take five presses."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from components.session.samples import samples
from tests.browser.conftest import settled, visit, without_player
from tests.browser.readings import read

SAMPLE = samples()[0]
FIRST, *NEXT = [known.question for known in SAMPLE.questions[:6]]
# Presses Enter in a box at the moment at which the player of this reading reports where it has settled.
ASKS_AS_IT_SETTLES = """(box, run) => {
    dispatchEvent(new CustomEvent("palimpsest", { detail: { run, kind: "settled", at: 2 } }));
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
}"""
# With an answer of so many sentences: which figures are cut, how many pixels its place has, and whether that is whole.
BESIDE_AN_ANSWER = """(sentences) => {
    const [outcome] = document.querySelectorAll('.outcome');
    const [words, place, chips] = ['.words', '.where', '.chips'].map((name) => outcome.querySelector(name));
    outcome.querySelector('.answer').classList.toggle('long', sentences > 1);
    words.textContent = 'He set his course, and cleared his mind. '.repeat(sentences);
    place.lastChild.textContent = 'found in part 2.1 of the text';
    const ends = chips.getBoundingClientRect().bottom;
    const under = (it) => it.checkVisibility() && it.getBoundingClientRect().bottom > ends + 1;
    const half = (it) => sentences > 1 || it.getBoundingClientRect().top < ends; // beside a long answer there are two lines
    const cut = [...chips.querySelectorAll('.chip')].filter((it) => under(it) && half(it));
    const whole = place.lastChild.scrollHeight <= place.lastChild.clientHeight;
    return [cut.map((it) => it.textContent), place.getBoundingClientRect().width, whole];
}"""


def test_five_questions_take_five_presses_while_the_picture_stays(page: Page, app_home: Path) -> None:
    reading = read(app_home, SAMPLE.document, FIRST, segment_tokens=390)  # of no other test
    visit(page, f"./Trace?run={reading.run.id}&at=5")
    settled(page)
    box = page.get_by_placeholder("Ask the next question")
    box.focus()
    for number, question in enumerate(NEXT, 1):
        page.keyboard.insert_text(question)
        page.keyboard.press("Enter")
        shown = page.locator(".exchange", has=page.get_by_role("heading", name=question))
        expect(shown.locator(".answer, .notice")).to_be_visible()
        expect(page.get_by_role("status").filter(has_text=f"“{question}”")).to_have_count(1)
        expect(page.locator(".exchange")).to_have_count(min(4, number + 1))
        expect(box).to_be_in_viewport(ratio=1)
    expect(page.locator(".st-key-next-question")).to_contain_text("more reused from earlier readings")
    expect(page.locator(".stepper .where")).to_contain_text("step 5 of")
    page.locator("[class*=st-key-exchange-]").last.get_by_role("link", name="Open").click()
    expect(page.locator(".st-key-trace-title h1")).to_have_text(NEXT[-1])
    for width in (1400, 1024, 900, 390):
        page.set_viewport_size({"width": width, "height": 900})
        for sentences in (1, 12):
            cut, room, whole = page.evaluate(BESIDE_AN_ANSWER, sentences)
            assert not cut, (width, sentences)
            assert room > 120, (width, sentences)
            assert whole, (width, sentences)


def test_a_question_is_asked_although_the_player_reports_in_the_same_moment(page: Page, app_home: Path) -> None:
    """Of what a page says within a moment Streamlit draws the first part of the page alone."""
    reading = read(app_home, SAMPLE.document, FIRST, segment_tokens=391)  # of no other test
    visit(page, f"./Trace?run={reading.run.id}&at=5")
    settled(page)
    box = page.get_by_placeholder("Ask the next question")
    box.fill(NEXT[0])
    box.evaluate(ASKS_AS_IT_SETTLES, reading.run.id)
    asked = page.locator(".exchange", has=page.get_by_role("heading", name=NEXT[0]))
    expect(asked.locator(".answer, .notice")).to_be_visible()
    expect(box).to_have_value("")


def test_the_box_stays_in_the_window_when_the_player_comes_late(page: Page, app_home: Path) -> None:
    reading = read(app_home, SAMPLE.document, FIRST, segment_tokens=392)  # of no other test
    let_it_come = without_player(page, f"./Trace?run={reading.run.id}&at=5")
    settled(page, players=False)
    box = page.get_by_placeholder("Ask the next question")
    box.focus()
    room = page.locator("[class*=st-key-stage-]")
    before = room.bounding_box()
    let_it_come()
    expect(page.locator(".stepper .where")).to_contain_text("step 5 of")
    settled(page)
    after = room.bounding_box()
    assert before
    assert after
    assert after["height"] > before["height"] + 50  # else there is nothing that could push it
    expect(box).to_be_in_viewport(ratio=1)
