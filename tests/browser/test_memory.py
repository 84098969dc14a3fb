"""A memory that is overwritten, on the page: stepped through, with differences, older layers, looks back and lost phrases."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from readers import get
from readers.engine.models.call import Call
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, open_reading
from readers.engine.text.document import Document
from tests.browser.axe import grave
from tests.browser.conftest import settled, visit
from tests.browser.hostile import PARTS, PAYLOADS
from tests.browser.readings import store
from tests.browser.test_hostile import ALIVE
from tests.support.models.scripted_models import Scripted
from tests.support.readings import memory_readings


def read(home: Path, reader: str) -> Reading:
    with store(home) as opened:
        spec = RunSpec(reader, get(reader).version, memory_readings.QUESTION, options=memory_readings.OPTIONS)
        run = create_run(opened, memory_readings.document(), get(reader), spec)
        execute(opened, run.id, get(reader), Execution(memory_readings.model(recalls=reader == "rememr1")))
        return open_reading(opened, run.id)


@pytest.fixture(scope="module")
def reading(app: str, app_home: Path) -> Reading:
    return read(app_home, "rememr1")


@pytest.fixture(scope="module")
def overwritten(app: str, app_home: Path) -> Reading:
    return read(app_home, "memagent")


def shown(page: Page, reading: Reading, step: int) -> None:
    visit(page, f"./Trace?run={reading.run.id}&at={step}")
    expect(page.locator(".stepper .where")).to_contain_text(f"step {step} of 9")


def slide(page: Page, step: int) -> None:
    page.get_by_role("slider", name="Step", exact=True).fill(str(step - 1))
    expect(page.locator(".stepper .where")).to_contain_text(f"step {step} of 9")


def test_a_memory_is_stepped_through_looked_back_upon_searched_and_harmless(
    page: Page, app_home: Path, overwritten: Reading, reading: Reading
) -> None:
    marks_changes_and_older_layers(page, overwritten)
    follows_all(page, reading)
    does_nothing_of_what_it_says(page, app_home)


def marks_changes_and_older_layers(page: Page, overwritten: Reading) -> None:
    shown(page, overwritten, 3)
    memory = page.locator(".memory-words")
    expect(memory.locator("ins")).to_have_text([memory_readings.DEBT])
    expect(memory.locator("del")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(memory.locator("ins")).to_have_text(
        [memory_readings.LODGED[len(memory_readings.SURVEY) - 1 : -1], memory_readings.CHART]
    )
    expect(memory.locator("del")).to_have_text([memory_readings.CHEST])
    expect(memory.locator("p")).to_have_count(2)
    limit = memory_readings.OPTIONS["memory_tokens"]
    expect(page.locator(".tokens")).to_contain_text(f"of {limit} tokens")
    page.keyboard.press("End")
    expect(page.locator(".stepper .where")).to_contain_text("step 9 of 9")
    page.locator(".memory-size").press("End")
    expect(page.locator(".stepper .where")).to_contain_text("step 8 of 9")
    expect(memory.locator("ins")).to_have_count(0)

    slide(page, 6)
    depth = page.get_by_label("Older layers of the memory")
    layer = page.locator(".memory-words .layer")
    depth.select_option("0")
    expect(layer).to_have_count(0)
    depth.select_option("1")
    expect(layer).to_have_text([f"{memory_readings.DEBT} (step 3, overwritten at step 5)"])
    depth.select_option(label="all the way")
    expect(layer).to_have_count(3)
    expect(layer.filter(has_text=memory_readings.SURVEY)).to_have_text(f"{memory_readings.SURVEY} (step 1, reworded at step 4)")
    expect(layer.filter(has_text=memory_readings.CHEST)).to_contain_text("step 2, overwritten at step 4")


FOUND = {
    "forty   POUNDS": "is in memory to the end, since step 7. It was also there earlier: from step 3 to 4.",
    "two locks": "was last in memory at step 3; it was lost at step 4.",
    "theodolite": "was never in memory, though it occurs in the text.",
    "elephants": "was never in memory.",
}


def follows_all(page: Page, reading: Reading) -> None:
    shown(page, reading, memory_readings.ASKED_AT)
    follows_the_look_back(page)
    finds_phrases(page)
    follows_a_sentence(page)
    slide(page, 9)
    expect(page.locator(".answer").first).to_contain_text("from memory, most like what was written at step 7")
    slide(page, 1)
    follows_the_figure(page)
    slide(page, memory_readings.ASKED_AT)
    expect(page.locator(".history")).to_be_visible()
    settled(page)
    assert not grave(page)


def follows_the_look_back(page: Page) -> None:
    card = page.locator(".recall")
    expect(card.locator(".by-model q").first).to_have_text(memory_readings.QUERY)
    expect(card.locator("tbody tr")).to_have_count(5)
    expect(card.locator("tr.picked")).to_contain_text(f"step {memory_readings.RECALLED}")
    expect(card.locator(".missing")).to_have_text([memory_readings.DEBT])
    expect(page.locator(".memory-size .arc.now")).to_have_attribute(
        "d", page.locator(".memory-size .arc:not(.later)").first.get_attribute("d") or ""
    )
    card.locator(".candidates summary").click()
    card.locator("tr.picked button").click()
    expect(page.locator(".stepper .where")).to_contain_text(f"step {memory_readings.RECALLED} of 9")
    expect(card).to_be_hidden()
    for _ in range(memory_readings.ASKED_AT + 1 - memory_readings.RECALLED):
        page.keyboard.press("ArrowRight")
    expect(card.locator(".recalled-from")).to_contain_text(f"step {memory_readings.RECALLED}")
    expect(card.locator(".earlier")).to_contain_text(memory_readings.DEBT)  # what the old memory said
    expect(page.locator(".memory-words .how-restored ins")).to_have_text([memory_readings.DEBT])


def finds_phrases(page: Page) -> None:
    field = page.get_by_label("Words to look for in memory")
    for phrase, told in FOUND.items():
        field.fill(phrase)
        page.locator(".memory-find button").first.click()
        expect(page.locator(".found-in-memory")).to_contain_text(f"“{' '.join(phrase.split())}” {told}", ignore_case=True)
    field.fill("two locks")
    page.keyboard.press("Enter")
    page.locator(".found-in-memory button").nth(1).click()
    expect(page.locator(".stepper .where")).to_contain_text("step 4 of 9")
    expect(page.locator(".memory-words del")).to_have_text([memory_readings.CHEST])
    slide(page, 3)
    page.locator(".memory-words .sentence").filter(has_text=memory_readings.DEBT).dblclick(position={"x": 14, "y": 10})
    expect(field).to_have_value("Rusk")  # what was selected
    field.press("Enter")
    expect(page.locator(".found-in-memory")).to_contain_text("“Rusk” is in memory to the end, since step 1")


def follows_a_sentence(page: Page) -> None:
    """Its life, and its place in the text."""
    slide(page, 7)
    page.locator(".memory-words .sentence").filter(has_text=memory_readings.DEBT).press("Enter")
    life = page.locator(".history .life li")
    expect(life).to_have_count(3)
    expect(life.locator(".event")).to_have_text([" added ", " overwritten", " came back "])
    expect(page.locator(".history .original")).to_contain_text("the sum of forty pounds")
    page.locator(".history .source button").click()
    expect(page.locator(".text-pane p").filter(has_text="the sum of forty pounds")).to_be_in_viewport()
    life.nth(1).get_by_role("button").click()
    expect(page.locator(".stepper .where")).to_contain_text("step 5 of 9")
    expect(life.nth(1)).to_have_attribute("aria-current", "step")


def follows_the_figure(page: Page) -> None:
    """A row of the life of the sentences leads to its step and sentence."""
    row = page.locator(".lane").filter(has_text=memory_readings.CHEST)
    expect(row).not_to_have_class(re.compile("now"))
    row.locator(".mark.lost").click(force=True)
    expect(page.locator(".stepper .where")).to_contain_text("step 4 of 9")
    expect(row).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".history .life")).to_contain_text(memory_readings.CHEST)
    slide(page, 3)
    expect(row).to_have_class(re.compile("now"))


def does_nothing_of_what_it_says(page: Page, app_home: Path) -> None:
    """A hostile memory is shown."""

    def hostile(call: Call) -> str:
        first = 7 * call.seq % 40
        words = ". ".join(PARTS[first : first + 10])
        return f"<update>{words}</update><recall>{PARTS[1]}</recall>" if call.part("section") else "\\boxed{" + PARTS[1] + "}"

    document = Document.of("\n\n".join(PAYLOADS), title="Hostile")
    reader = get("rememr1")
    with store(app_home) as opened:
        spec = RunSpec(reader.id, reader.version, f"Who wrote {PARTS[0]}?", options={"chunk_tokens": 400, "memory_tokens": 400})
        run = create_run(opened, document, reader, spec)
        execute(opened, run.id, reader, Execution(Scripted(hostile)))
        steps = len(open_reading(opened, run.id).trace.steps)
    visit(page, f"./Trace?run={run.id}&at=1")
    expect(page.locator(".stepper .where", has_text=re.compile(f"^step 1 of {steps} "))).to_be_visible()
    settled(page)
    for step in range(2, steps + 1):
        page.keyboard.press("ArrowRight")
        expect(page.locator(".stepper .where")).to_contain_text(f"step {step} of {steps}")
        settled(page)
        expect(page.locator(".memory-words .sentence").first).to_be_visible()
        ours = ":not(input[type=search]):not(.recall details)"
        expect(page.locator(f":is(.memory-words, .recall, .step-sentence, .decision, .steps) {ALIVE}{ours}")).to_have_count(0)
        assert page.evaluate("window.hurt") is None
