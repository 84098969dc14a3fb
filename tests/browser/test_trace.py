"""A person at the Trace page of a reading that has ended: steps through it, and everything on the page keeps to the same step."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from components.session.samples import samples
from readers.engine.files.runs.run_file import run_file
from readers.engine.record.events import Asked
from readers.engine.record.narrative import StepRecord
from readers.engine.record.trace import Trace
from readers.engine.store import Reading
from tests.browser.conftest import ROOT, leave_late, settled
from tests.browser.readings import READER, names, read, states, store, told, walked
from tests.browser.test_home import QUESTION

REVERT = 6  # the step, from 0, at which the reading `turning` first goes back up
LEAF = 8
# Whether one of these paragraphs comes into view within some five seconds.
ANY_SEEN = """all => new Promise((done) => {
    const box = all[0].closest(".column");
    const seen = (p) => p.getBoundingClientRect().bottom > box.getBoundingClientRect().top
        && p.getBoundingClientRect().top < box.getBoundingClientRect().bottom;
    let left = 300;
    const look = () => (all.some(seen) ? done(true) : left-- ? requestAnimationFrame(look) : done(false));
    look();
})"""
# Whether a paragraph of this part of the text comes into view within some five seconds.
IN_VIEW = """(column, [start, end]) => new Promise((done) => {
    const seen = (p) => p.getBoundingClientRect().bottom > column.getBoundingClientRect().top
        && p.getBoundingClientRect().top < column.getBoundingClientRect().bottom;
    const ours = (p) => start <= Number(p.dataset.start) && Number(p.dataset.start) < end;
    const there = () => [...column.querySelectorAll("p")].some((p) => ours(p) && seen(p));
    let left = 300;
    const look = () => (there() ? done(true) : left-- ? requestAnimationFrame(look) : done(false));
    look();
})"""
WITHIN = """row => {
    const [line, box] = [row, row.closest(".scroll")].map((it) => it.getBoundingClientRect());
    return box.top <= line.top && line.bottom <= box.bottom + 1;
}"""

ALWAYS_SHOWN = 120  # characters of a sentence, of which a long one is folded


def open_at(page: Page, reading: Reading, step: int | None = None, *, depth: str = "") -> None:
    """The address of a reading, cold; `step` from 0."""
    at = "" if step is None else f"&at={step + 1}"
    page.goto(f"./Trace?run={reading.run.id}{at}{f'&depth={depth}' if depth else ''}")
    shows(page, reading, len(reading.trace.steps) - 1 if step is None else step)
    settled(page)


def shows(page: Page, reading: Reading, step: int) -> None:
    """The stepper is at this step, and says what it says."""
    expect(page.locator(".stepper .where")).to_contain_text(f"step {step + 1} of {len(reading.trace.steps)} ")
    expect(page.locator(".step-sentence")).to_contain_text(told(reading)[step][:ALWAYS_SHOWN])


def agrees(page: Page, reading: Reading, step: int) -> None:
    """Stepper, map, text and the picture's table all show this step of a walk."""
    shows(page, reading, step)
    name = walked(reading)[step]
    expect(page.locator(".stepper .where")).to_contain_text(name)
    expect(page.locator(".twin tr[aria-current] td").first).to_have_text(name)
    expect(page.locator(".twin tr[aria-current] td.state")).to_contain_text("here, now")
    start, end = place(reading, name)
    marked = page.locator(".text-pane p.now" if leaf(reading, name) else ".text-pane p.stood-for")
    expect(marked.first).to_be_attached()
    assert marked.evaluate_all(ANY_SEEN)
    begins = int(marked.first.get_attribute("data-start") or -1)
    assert begins < end
    assert start < begins + len(marked.first.text_content() or "")  # a part may begin inside of a paragraph
    asked = any(isinstance(event, Asked) for event in StepRecord(reading.trace, reading.trace.steps[step], {}).events)
    expect(page.locator(".text-pane .seen")).to_be_visible(visible=asked and not leaf(reading, name))
    said = page.get_by_role("slider", name="Reading map").get_attribute("aria-valuetext") or ""
    length = len(reading.document.text)
    assert 100 * start / length - 1 <= int(said.partition("%")[0]) <= 100 * end / length + 1
    assert said.endswith("shown raw") or not leaf(reading, name)
    expect(page.get_by_role("slider", name="Step", exact=True)).to_have_value(str(step))


def node(reading: Reading, name: str) -> dict[str, Any]:
    wanted = next(node_id for node_id, called in names(reading).items() if called == name)
    return next(node for node in READER.view(reading.trace)["nodes"] if node["id"] == wanted)


def place(reading: Reading, name: str) -> tuple[int, int]:
    return node(reading, name)["start"], node(reading, name)["end"]


def leaf(reading: Reading, name: str) -> bool:
    return not node(reading, name)["children"]


def as_table(page: Page) -> None:
    page.get_by_role("button", name="Show the picture as a table").click()
    # The page stands where the last press left it.
    page.locator(".twin").evaluate("table => table.scrollIntoView({ block: 'end' })")
    expect(page.get_by_role("region", name="The picture as a table")).to_be_visible()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def slide(page: Page, step: int) -> None:
    page.get_by_role("slider", name="Step", exact=True).fill(str(step))


def test_steps_clicks_narration_pictures_and_the_command_line_tell_the_same_story(
    page: Page, app_home: Path, turning: Reading
) -> None:
    open_at(page, turning, 4)
    moves_together(page, turning)
    shows_summaries_as_summaries(page, turning)
    goes_where_it_is_clicked(page, turning)
    tells_the_story_of_the_record(page, app_home, turning)


def shows_summaries_as_summaries(page: Page, turning: Reading) -> None:
    """What the model saw of a part, until its text is asked for."""
    slide(page, REVERT - 1)
    shows(page, turning, REVERT - 1)
    above = node(turning, walked(turning)[REVERT - 1])
    summaries = {each["id"]: each["summary"] for each in READER.view(turning.trace)["nodes"]}
    seen = page.locator(".seen .summary:not(.back) p")
    expect(seen).to_have_text([summaries[child] for child in above["children"]])
    expect(page.locator(".seen .picked h3")).to_contain_text(walked(turning)[REVERT])
    press(page, "Show the text")
    expect(page.locator(".seen")).to_be_hidden()
    expect(page.locator(".text-pane p.stood-for").first).to_be_visible()
    press(page, "Show the summaries")
    expect(page.locator(".seen")).to_be_visible()


def moves_together(page: Page, turning: Reading) -> None:
    """By buttons, slider, keys and playing; from step 5."""
    agrees(page, turning, 4)
    press(page, "Next step")
    agrees(page, turning, 5)
    page.keyboard.press("ArrowRight")
    agrees(page, turning, REVERT)
    expect(page.locator(".step-sentence")).to_contain_text("went back up")
    expect(page.locator(".decision .picked")).to_have_text(re.compile("go back up.*chosen"))
    expect(page.locator(".decision .quoted")).not_to_be_empty()
    press(page, "Previous step")
    page.keyboard.press("ArrowLeft")
    agrees(page, turning, 4)
    slide(page, LEAF)
    agrees(page, turning, LEAF)
    page.keyboard.press("End")
    agrees(page, turning, 23)
    page.keyboard.press("Home")
    shows(page, turning, 0)
    press(page, "Last step")
    agrees(page, turning, 23)
    press(page, "First step")
    shows(page, turning, 0)

    slide(page, 4)
    page.get_by_label("Speed").select_option("2")
    press(page, "Play (space)")
    expect(page.locator(".step-sentence")).not_to_have_text(told(turning)[4])
    page.get_by_role("button", name="Pause (space)").press("Space")
    expect(page.get_by_role("button", name="Play (space)")).to_be_visible()
    now = int(page.get_by_role("slider", name="Step", exact=True).input_value())
    assert 4 < now < 23
    agrees(page, turning, now)
    slide(page, 20)
    page.get_by_label("Speed").select_option("4")
    page.locator(".step-sentence").click(position={"x": 3, "y": 5})  # its first word is no term
    page.keyboard.press("Space")
    shows(page, turning, 23)
    expect(page.get_by_role("button", name="Play (space)")).to_be_visible()  # it stops at the end


def goes_where_it_is_clicked(page: Page, turning: Reading) -> None:
    """On picture, map, text and tables; the list of all steps stays unfolded."""
    steps = {name: step for step, name in walked(turning).items()}
    slide(page, LEAF)
    shows(page, turning, LEAF)
    x, y = present(page.locator(".graph-pane .canvas canvas"))
    page.mouse.click(x, y)
    expect(page.locator(".node-card h3")).to_have_text("part 2.1")
    expect(page.locator(".node-card .about").first).to_contain_text("of the text")
    expect(page.locator(".node-card .quoted")).to_contain_text(node(turning, "part 2.1")["summary"][:40])
    press(page, "Close")
    expect(page.locator(".node-card")).to_be_hidden()

    click_map(page, turning, place(turning, "part 2.2"))
    agrees(page, turning, steps["part 2.2"])
    click_map(page, turning, place(turning, "part 3.2"))
    read = next(step.number for step in turning.trace.steps if step.names[-1] == "level 1")  # with all others, for its summary
    expect(page.locator(".stepper .where")).to_contain_text(f"step {read + 1} of")
    assert page.locator(".text-pane .column").evaluate(IN_VIEW, place(turning, "part 3.2"))
    slide(page, steps["part 2.1"])
    agrees(page, turning, steps["part 2.1"])
    start, end = place(turning, "part 2.2")
    paragraphs = page.locator(".text-pane p[data-start]")
    expect(paragraphs.locator("xpath=self::*[not(contains(@class, 'now'))]").first).to_be_attached()
    starts = paragraphs.evaluate_all("all => all.map((p) => Number(p.dataset.start))")
    target = next(at for at in starts if start <= at < end)
    page.locator(f".text-pane p[data-start='{target}']").click()
    agrees(page, turning, steps["part 2.2"])

    slide(page, REVERT + 1)
    as_table(page)
    row = page.locator(".twin tr", has=page.get_by_role("button", name="part 2.7", exact=True))
    expect(row).to_contain_text("turned back · move 2")
    expect(page.locator(".decision .struck")).to_have_text("part 2.7")
    row.get_by_role("button").click()
    agrees(page, turning, REVERT)
    expect(page.locator(".node-card h3")).to_have_text("part 2.7")
    press(page, "Show the table as a picture")
    expect(page.locator(".graph-pane .canvas canvas")).to_be_visible()

    page.get_by_text("All 24 steps in words").click()
    field = page.get_by_role("searchbox", name="Find in this reading")
    field.fill("part 1.3 answered")
    expect(page.locator(".steps .count")).to_have_text("1 of 24 steps")
    press(page, "Go to step 21")
    agrees(page, turning, 20)
    field.fill("")
    expect(page.locator(".steps tbody tr")).to_have_count(24)
    expect(page.locator(".steps tr[aria-current]")).to_contain_text("part 1.3")
    for step in (23, 0):
        slide(page, step)
        shows(page, turning, step)
        assert page.locator(".steps tr[aria-current]").evaluate(WITHIN)


def present(canvas: Locator) -> tuple[float, float]:
    """Where the box of the present leaf is on the screen: the one place with much of the colour of what is raw."""
    expect(canvas).to_be_visible()
    for _ in range(50):
        at: list[float] | None = canvas.evaluate(FIND_BLUE)
        if at:
            return at[0], at[1]
    raise AssertionError("no box on the picture has the colour of the present leaf")


FIND_BLUE = """canvas => new Promise(done => requestAnimationFrame(() => {
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    const blue = (x, y) => { const n = 4 * (y * width + x); return data[n] === 0 && data[n + 1] === 114 && data[n + 2] === 178; };
    const box = canvas.getBoundingClientRect();
    for (let y = 12; y < height - 12; y += 2) for (let x = 12; x < width - 12; x += 2) {
        const all = [[-4, -8], [4, -8], [-4, 8], [4, 8], [0, -9], [0, 9]].every(([by, down]) => blue(x + by, y + down));
        if (all) return done([box.left + x * box.width / width, box.top + y * box.height / height]);
    }
    done(null);
}))"""


def click_map(page: Page, reading: Reading, span: tuple[int, int]) -> None:
    box = page.locator("canvas.map").bounding_box()
    assert box
    middle = (span[0] + span[1]) / 2 / len(reading.document.text)
    page.locator("canvas.map").click(position={"x": middle * box["width"], "y": 18})


def test_the_address_holds_the_step_and_the_depth(page: Page, app_home: Path, turning: Reading) -> None:
    answered = read(app_home, samples()[0].document, QUESTION, segment_tokens=400)
    page.goto("./")
    settled(page)
    open_at(page, turning, REVERT, depth="full")
    shows_its_call(page, turning)
    press(page, "Next step")
    calls = page.locator(".st-key-calls")
    expect(calls).to_contain_text(f"step {REVERT + 2} · 1 call")
    page.wait_for_url(re.compile(rf"[?&]at={REVERT + 2}\b"))
    page.reload()
    agrees(page, turning, REVERT + 1)
    press(page, "Next step")
    press(page, "Next step")
    page.wait_for_url(re.compile(rf"[?&]at={REVERT + 4}\b"))
    page.go_back()  # past all the steps
    expect(page.get_by_role("heading", name="Watch a language model read a long text")).to_be_visible()

    comes_from_home(page, answered)
    shows_the_known_answer(page, answered)
    for depth, there in (("Full", 1), ("Simple", 0), ("Full", 1)):
        settled(page)
        page.get_by_role("radio", name=depth).click()
        page.wait_for_url(re.compile(f"depth={depth.lower()}"))
        expect(calls).to_have_count(there)
        agrees(page, answered, len(answered.trace.steps) - 1)
    settled(page)
    leave_late(page.locator(".st-key-topbar").get_by_role("link", name="Palimpsest"), answered.run.id)
    expect(page.get_by_role("heading", name="Watch a language model read a long text")).to_be_visible()
    comes_from_home(page, answered)
    expect(calls).to_be_visible()  # the depth is remembered


def comes_from_home(page: Page, reading: Reading) -> None:
    settled(page)
    page.locator(".st-key-runs").get_by_role("link", name=reading.run.question).first.click()
    expect(page.locator(".step-sentence")).to_contain_text(told(reading)[-1][:ALWAYS_SHOWN])
    settled(page)


def shows_its_call(page: Page, reading: Reading) -> None:
    """The call of the step `REVERT`, coloured by where its words come from."""
    calls = page.locator(".st-key-calls")
    expect(calls).to_contain_text(f"step {REVERT + 1} · 1 call")
    start, _ = place(reading, "part 2.7")
    for source, words in (("document", reading.document.text[start : start + 60]), ("question", reading.run.question)):
        expect(calls.locator(f".prompt .from-{source}", has_text=" ".join(words.split())[:50]).first).to_be_attached()
    colours = calls.locator(".prompt span").evaluate_all(
        "all => [...new Set(all.map((one) => getComputedStyle(one).color + getComputedStyle(one).borderBottom))]"
    )
    assert len(colours) >= 3
    expect(calls.locator(".reply")).to_contain_text("Action: -1")


def shows_the_known_answer(page: Page, reading: Reading) -> None:
    known = samples()[0].known(QUESTION)
    assert known
    assert known.answer
    expect(page.locator(".known-answer")).to_have_count(0)
    marks = page.locator(".text-pane mark.known")
    expect(marks).to_have_count(0)
    page.get_by_text("Known answer", exact=True).click()
    expect(page.locator(".known-answer")).to_contain_text(known.answer)
    expect(page.locator(".player > .legend")).to_contain_text("known place")
    expect(marks.first).to_be_in_viewport()
    start, end = known.evidence[0]
    assert same("".join(marks.all_inner_texts()), reading.document.text[start:end])
    shows(page, reading, len(reading.trace.steps) - 1)


def same(one: str, other: str) -> bool:
    return " ".join(one.split()) == " ".join(other.split())


def tells_the_story_of_the_record(page: Page, app_home: Path, turning: Reading) -> None:
    """View, narration, picture, the unfolded list of steps, and the command line."""
    with store(app_home) as opened:
        written = run_file(opened, turning.run.id, READER)
    assert written["view"] == READER.view(turning.trace)
    sentences = told(turning)
    environment = {"PALIMPSEST_HOME": str(app_home / "data"), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-m", "readers", "show", turning.run.id]
    said = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
    lines = [line for line in said.splitlines() if re.match(r" +\d+  ", line)]
    assert [(int(line.split()[0]), line.endswith(f" {sentence}")) for line, sentence in zip(lines, sentences, strict=True)] == [
        (number, True) for number in range(1, len(sentences) + 1)
    ]
    rows = page.locator(".steps tbody tr")
    expect(rows.locator("td:nth-child(3)")).to_have_text([re.compile(f"^{re.escape(sentence)}") for sentence in sentences])
    for step, name in walked(turning).items():
        expect(rows.nth(step).locator("td:nth-child(2)")).to_have_text(name)
    as_table(page)
    for step in (4, REVERT, REVERT + 1, 13, 14, 23):
        slide(page, step)
        agrees(page, turning, step)
        assert table(page) == states(turning, step)
        expect(page.locator(".twin tr[aria-current]")).to_be_in_viewport()
    assert turned_back(turning.trace) == sum("so it went back up" in sentence for sentence in sentences) == 10


def table(page: Page) -> dict[str, str]:
    """What the picture's table says of every part that the walk has come to."""
    rows = page.locator(".twin tbody tr:visible").evaluate_all(
        "all => all.map((row) => [row.cells[0].innerText, row.cells[1].innerText])"
    )
    return {name: words for name, words in rows if words not in ("not opened", "compared, not opened")}


def turned_back(trace: Trace) -> int:
    return sum(event.action == "revert" for event in trace.decisions())
