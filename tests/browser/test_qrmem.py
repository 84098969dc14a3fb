"""QRMeM on the page: the walk trial by trial and the net, what was weighed, an entity with its mentions, a large net."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from components.session.samples import recordings, samples
from readers import get
from readers.engine.analysis.narrate import narrate
from readers.engine.files.runs.import_run import check_run_file
from readers.engine.models.call import Call
from readers.engine.models.model import Model
from readers.engine.models.offline import Offline
from readers.engine.record import events
from readers.engine.record.trace import BUILD, Trace
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, open_reading
from readers.engine.text.document import Document
from tests.browser.axe import grave
from tests.browser.conftest import settled, visit
from tests.browser.hostile import PARTS, PAYLOADS
from tests.browser.readings import store
from tests.browser.test_hostile import ALIVE
from tests.components.player.pictures.test_qrmem import crowded
from tests.support.models.scripted_models import Scripted
from tests.support.readings.qrmem_readings import READER

QUESTION = "Who was the girl of nine whose letter persuaded the directors to name their steamers after flowers?"


def read(home: Path, document: Document, question: str, model: Model, **options: Any) -> Reading:
    with store(home) as opened:
        run = create_run(opened, document, READER, RunSpec(READER.id, READER.version, question, options=options))
        execute(opened, run.id, READER, Execution(model))
        return open_reading(opened, run.id)


@pytest.fixture(scope="module")
def reading(app: str, app_home: Path) -> Reading:
    """A question whose answer stands in two articles of the sample."""
    (articles,) = (sample.document for sample in samples() if sample.document.title.startswith("The Isle of Sarn"))
    return read(app_home, articles, QUESTION, Offline(), segment_tokens=300)


@pytest.fixture(scope="module")
def crowd(app: str, app_home: Path) -> Reading:
    """A net of 5,000 entities from 200 segments."""
    document, plan, question = crowded(5_000, 200)
    return read(app_home, document, question, plan.model(), segment_tokens=320, graph_update=False)


# Of the words of a walk, those that lie over others, and those that reach beyond the sides of their pane.
COLLIDES = """() => {
    const root = [...document.querySelectorAll("*")].find((it) => it.shadowRoot?.querySelector(".walk")).shadowRoot;
    const walk = root.querySelector(".walk");
    const pane = walk.getBoundingClientRect();
    const words = [...walk.querySelectorAll(".walk-title, .walk-item, .walk-reason, .walk-names, .legend")]
        .map((it) => ({ text: it.textContent, box: it.getBoundingClientRect(), axis: Boolean(it.closest(".walk-axis")) }))
        .filter(({ text, box, axis }) => text && box.height && !axis);
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const over = words.flatMap((one, n) => words.slice(0, n).filter((other) => meet(one.box, other.box))
        .map((other) => `${one.text} | ${other.text}`));
    const beyond = words.filter(({ box }) => box.left < pane.left - 1 || box.right > pane.right + 1).map(({ text }) => text);
    return [...over, ...beyond, ...(walk.scrollWidth > walk.clientWidth + 1 ? ["it scrolls sideways"] : [])];
}"""


def trials(reading: Reading) -> list[int]:
    return [step.number for step in reading.trace.steps if step.names[-1].startswith("trial")]


def row(page: Page, name: str) -> Any:
    """The line of an entity in the picture's table."""
    lines = page.locator(".twin tbody tr").filter(visible=True)
    return lines.filter(has=page.get_by_role("button", name=name, exact=True))


def test_a_net_is_walked_an_entity_far_from_the_walk_found_and_names_and_reasons_are_harmless(
    page: Page, app_home: Path, reading: Reading, crowd: Reading
) -> None:
    steps_through_the_walk(page, reading)
    finds_an_entity_far_away(page, crowd)
    shows_hostile_names_relations_and_reasons(page, app_home)


def steps_through_the_walk(page: Page, reading: Reading) -> None:
    view, called = READER.view(reading.trace), READER.names(reading.trace)
    trial = next(trial for trial in view["walk"] if trial["chosen"])
    taken = called[f"wrote:{trial['chosen']['entity']}"]
    at = trials(reading)[trial["trial"] - 1]
    sentences = narrate(reading.trace, READER)
    visit(page, f"./Trace?run={reading.run.id}&at={at}")  # the step before it
    expect(page.locator(".track input")).to_have_attribute("aria-valuetext", re.compile(f"{re.escape(sentences[at - 1])}$"))
    page.get_by_role("button", name="Show the picture as a table").click()
    before = row(page, taken)
    expect(before).not_to_contain_text("move")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".step-sentence")).not_to_contain_text(sentences[at])
    page.get_by_role("button", name="more", exact=True).click()
    expect(page.locator(".step-sentence")).to_contain_text(sentences[at])
    page.get_by_role("button", name="less", exact=True).click()
    expect(row(page, taken)).to_contain_text("here, now · move 1")
    picked = page.locator(".weighed li.picked")
    expect(picked).to_contain_text(called[f"wrote:{trial['chosen']['relation']}"])
    expect(picked.locator(".note")).to_have_text(re.compile(rf"{trial['candidates'][0]['score']:.2f}(, (clear|close|equal))?"))
    expect(page.locator(".decision .picked .name")).to_have_text("look further")
    expect(page.locator(".decision .quoted")).to_contain_text(trial["reason"][:60])
    page.keyboard.press("ArrowLeft")
    expect(row(page, taken)).not_to_contain_text("move")
    settled(page)
    assert not grave(page)  # of the picture as a table
    page.get_by_role("button", name="Show the walk, trial by trial").click()
    bands = page.locator(".walk li.walk-band")
    expect(bands).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(bands).to_have_count(2)
    expect(bands.nth(1).locator(".walk-name")).to_have_text(taken)
    expect(bands.nth(1).locator(".walk-cell:is(.new, .out)")).to_have_count(len({*trial["added"], *trial["filtered"]}))
    expect(page.locator(".walk-lines path.brought").first).to_be_attached()
    shows_an_entity(page, taken)
    assert not grave(page)
    steps_through_building(page, reading)


def shows_an_entity(page: Page, taken: str) -> None:
    """Every mention in the text, and its relations."""
    page.locator(".weighed li.picked button.name").click()
    card = page.locator(".node-card")
    expect(card.locator("h3")).to_have_text(taken)
    expect(card.get_by_role("status")).to_contain_text("in the text")
    card.get_by_role("button", name="Next mention").click()
    expect(card.get_by_role("status")).to_contain_text("mention 1 of")
    card.get_by_role("button", name="Next mention").click()
    expect(card.get_by_role("status")).to_contain_text("mention 2 of")
    expect(page.locator(".text-pane p").filter(has_text=taken).first).to_be_visible()
    expect(card.locator(".relations li").first).to_be_visible()


def steps_through_building(page: Page, reading: Reading) -> None:
    """Segment by segment."""
    at = next(step.number for step in reading.trace.steps if step.names[1:] == ("graph", "segment 4"))
    names = [name for event in reading.trace.of(reading.trace.steps[at])
             if event.kind == "chose" and event.action == "find" for name in event.among]  # fmt: skip
    page.get_by_role("slider", name="Step", exact=True).fill(str(at))
    expect(page.locator(".weighed .chip")).to_have_count(len(names))
    expect(page.locator(".weighed .chip").first).to_have_text(names[0])
    expect(page.locator(".text-pane .range")).to_contain_text("segment 4")


def test_nothing_of_a_walk_lies_over_anything_else_in_any_shipped_recording(page: Page) -> None:
    for recording in (recording for recording in recordings() if recording.reader == "qrmem"):
        file = check_run_file(recording.path.read_bytes(), recording.path.name, readers=get)
        steps = Trace(file.document, tuple(map(events.from_json, file.events))).steps
        for width, height in ((1400, 900), (1024, 768), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            visit(page, f"./Trace?run={recording.id}")
            settled(page)
            for step in (step for step in steps if step.phase != BUILD):
                page.get_by_role("slider", name="Step", exact=True).fill(str(step.number))
                expect(page.locator(".walk li.walk-band").first).to_be_attached()
                assert not page.evaluate(COLLIDES), (width, step.number)


def finds_an_entity_far_away(page: Page, crowd: Reading) -> None:
    visit(page, f"./Trace?run={crowd.run.id}")
    settled(page)
    page.get_by_role("searchbox", name="Find an entity by its name").fill("person4321 ")
    page.locator(".found button").first.click()
    expect(page.locator(".node-card h3")).to_contain_text("person4321 of town")
    page.get_by_role("button", name="Show the picture as a table").click()
    expect(row(page, "person4320 of town52")).to_be_visible()
    assert page.locator(".twin tbody tr").count() < 450  # with the 200 segments


def hostile(call: Call) -> str:
    """Names, relations and reasons that would do something on a page that took them for more than characters."""
    names = [part for part in PARTS if " ".join(part.split()) in " ".join(" ".join(call.part("segment")).split())][:20]
    values: dict[str, Any] = {"reasoning": " ".join(" ".join(PARTS).split()), "action": -1}
    match call.prompt.task:
        case "entities":
            return call.prompt.reply.render({"entities": json.dumps(names or PARTS[:3])})
        case "relate":
            pairs = pairwise(call.part("entities"))
            told = [{"a": a, "b": b, "relation": f"{a} and {b} {PARTS[1]}"} for a, b in pairs]
            return call.prompt.reply.render({"relations": json.dumps(told)})
        case "question":
            return call.prompt.reply.render({call.prompt.reply.main: json.dumps(PARTS[:2])})
        case "answer_or_decline":
            return call.prompt.reply.render(values)
        case "merge":
            return call.prompt.reply.render({call.prompt.reply.main: "[]"})
    return " ".join(PARTS)


def shows_hostile_names_relations_and_reasons(page: Page, app_home: Path) -> None:
    document = Document.of("\n\n".join(PAYLOADS), title="Hostile")
    for strategy in ("navigation", "expansion"):
        does_nothing(
            page, read(app_home, document, f"Who wrote {PARTS[0]}?", Scripted(hostile), segment_tokens=200, strategy=strategy)
        )


def does_nothing(page: Page, reading: Reading) -> None:
    count = len(reading.trace.steps)
    first = next(step.number + 1 for step in reading.trace.steps if step.names[-1] == "segment 1")
    visit(page, f"./Trace?run={reading.run.id}&at={first}")
    settled(page)
    for step in [*range(first, count, 12), count]:
        page.get_by_role("slider", name="Step", exact=True).fill(str(step - 1))
        expect(page.locator(".stepper .where")).to_contain_text(f"step {step} of {count}")
        expect(page.locator(".graph-pane")).to_contain_text(PARTS[0])
        for each in page.locator(".weighed button.name").all()[:1]:
            each.click()
        expect(
            page.locator(f":is(.graph-pane, .decision, .step-sentence, .steps) {ALIVE}:not(input[type=search], .walk-lines)")
        ).to_have_count(0)
        assert page.evaluate("window.hurt") is None
    page.get_by_role("button", name="Show the picture as a table").click()
    expect(row(page, PARTS[0]).first).to_be_visible()
