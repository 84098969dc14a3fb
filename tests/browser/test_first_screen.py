"""The first screen of a reading, and Stage: the picture and the text are in view, nothing is cut off, overlaps or moves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from components.session.samples import samples
from readers import get
from readers.engine.models.model import Model
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, open_reading
from readers.engine.text.document import Document
from tests.browser.conftest import settled, visit
from tests.browser.layout import NOTE_LABELS, look
from tests.browser.readings import store
from tests.browser.test_trace_layout import overlapping
from tests.support.readings import memory_readings

SIZES = ((1400, 900), (1024, 768))
FIRST = 300  # pixels above which the picture begins
LABELLED = """(than = 0) => {
    const host = [...document.querySelectorAll('*')].find((it) => it.shadowRoot?.querySelector('.player'));
    const canvas = host.shadowRoot.querySelector('.graph-pane .canvas canvas');
    return canvas.clientHeight > than && [canvas.clientHeight, ...new Set(canvas.labels.map((one) => one.text))];
}"""
STAGED = "window.location.search.includes('stage=1')"
QUESTION = "Why did the keeper hide the harbour ledger?"


def read(home: Path, reader: str, document: Document, model: Model | None = None, **options: object) -> Reading:
    with store(home) as opened:
        question = memory_readings.QUESTION if model else QUESTION
        spec = RunSpec(reader, get(reader).version, question, options=options)
        run = create_run(opened, document, get(reader), spec)
        execute(opened, run.id, get(reader), Execution(model or Offline()))
        return open_reading(opened, run.id)


@pytest.fixture(scope="module")
def pictured(app: str, app_home: Path, turning: Reading) -> list[tuple[str, Reading]]:
    """A reading of each kind of picture, and the part of its pane that is the picture."""
    story = samples()[0].document
    part = Document.of(story.text[:9000], title=story.title)
    return [
        (".graph-pane .stage", turning),
        (".strip", read(app_home, "readagent", story, min_words=100, max_words=250)),
        (".graph-pane", read(app_home, "qrmem", part, segment_tokens=300)),
        (
            ".memory-size",
            read(app_home, "rememr1", memory_readings.document(), memory_readings.model(), **memory_readings.OPTIONS),
        ),
        (".graph-pane .stage", read(app_home, "memwalker", story, segment_tokens=90)),  # 90 leaves: wider than its panel
    ]


@pytest.mark.parametrize("one_of", [3, pytest.param(1, marks=pytest.mark.scale)])
def test_picture_and_text_are_on_the_first_screen_and_on_stage(
    page: Page, pictured: list[tuple[str, Reading]], one_of: int
) -> None:
    """At one of so many steps, and at the last."""
    page.add_init_script(NOTE_LABELS)
    for picture, reading in pictured:
        last = len(reading.trace.steps) - 1
        page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
        visit(page, f"./Trace?run={reading.run.id}&at=1")
        begins = page.locator(".stepper .where", has_text=re.compile(f"^step 1 of {last + 1} "))
        expect(begins).to_be_visible()  # beside it the reading before may stand for a moment
        settled(page)
        page.evaluate("document.fonts.ready")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            found = look(page, sorted({*range(0, last, one_of), last}), letters=13, picture=picture)
            assert not found["wrong"], (reading.run.reader, width)
            assert all(len(places) == 1 for places in found["places"].values()), (reading.run.reader, width, found["places"])
            assert found["begins"] < FIRST, (reading.run.reader, width)
            if reading is pictured[-1][1]:
                expect(page.locator(".whole-map")).to_be_visible()
            page.keyboard.press("f")
            expect(page.locator(".player.staged .stage-question")).to_have_text(reading.run.question)
            staged = look(page, [0, last // 2, last - 1], letters=24, picture=picture)
            assert not staged["wrong"], (reading.run.reader, width, "on Stage")
            assert all(len(places) == 1 for places in staged["places"].values()), (reading.run.reader, staged["places"])
            expect(page.locator(".stage-end")).to_have_count(0)
            ended = look(page, [last], letters=24, picture=picture)
            assert not ended["wrong"], (reading.run.reader, width, "at its end on Stage")
            expect(page.locator(".stage-end .words")).to_contain_text(reading.run.answer or "It ")
            expect(page.locator(".stage-end .verdict")).to_be_in_viewport()
            page.keyboard.press("Escape")
            expect(page.locator(".player.staged")).to_have_count(0)
        if reading is pictured[0][1]:
            is_whole_in_a_taller_window(page)


def is_whole_in_a_taller_window(page: Page) -> None:
    width, height = SIZES[-1]
    was, *labels = page.evaluate(LABELLED)
    page.set_viewport_size({"width": width, "height": height + 330})
    drawn = (
        f"([was, labels]) => {{ const now = ({LABELLED})(was + 200); return now && labels.every((one) => now.includes(one)); }}"
    )
    page.wait_for_function(drawn, arg=[was, labels])


def has_no_menu_over_its_stepper(page: Page) -> None:
    settled(page)
    menu = page.locator(".stAppHeader button").last
    expect(menu).to_be_visible()
    page.locator(".stMain").evaluate("it => it.scrollTo(0, 300)")
    expect(menu).to_be_hidden()
    page.locator(".stMain").evaluate("it => it.scrollTo(0, 0)")
    expect(menu).to_be_visible()


def test_the_figures_of_an_axis_have_room_in_letters_of_every_size(page: Page, app_home: Path) -> None:
    story = samples()[0].document
    ranking = read(app_home, "retrieval", Document.of(story.text[:9000], title=story.title), segment_tokens=100, top_k=12)
    chart = page.locator(".axis-chart svg")
    for stage in ("", "&stage=1"):
        page.goto(f"./Trace?run={ranking.run.id}&at={len(ranking.trace.steps) - 1}{stage}")
        expect(page.locator(".player.staged")).to_have_count(int(bool(stage)))
        expect(chart.locator(".percent")).to_have_count(5)
        settled(page)
        page.screenshot(path=f"/tmp/axis_stage{len(stage)}.png")
        line, whole = chart.locator(".axis-line").bounding_box(), chart.bounding_box()
        assert line
        assert whole
        boxes = [drawn for one in chart.locator("text:not([visibility=hidden])").all() if (drawn := one.bounding_box())]
        below = [one for one in boxes if one["y"] + one["height"] / 2 > line["y"]]
        assert len(below) == 5
        assert all(one["y"] + one["height"] / 5 >= line["y"] for one in below)  # a fifth of a letter's box, above it, is free
        assert all(whole["y"] - 4 <= one["y"] and one["y"] + one["height"] <= whole["y"] + whole["height"] + 4 for one in boxes)
        ranks = [one for one in boxes if one not in below]
        assert len(ranks) > 3
        assert not overlapping([{**one, "y": one["y"] + 4, "height": one["height"] - 8} for one in ranks])


def test_stage_is_all_there_is_and_its_address_keeps_it(page: Page, turning: Reading) -> None:
    page.goto(f"./Trace?run={turning.run.id}&at=5&stage=1")
    stage = page.locator(".player.staged")
    expect(stage.locator(".where")).to_have_text("step 5 of 24")
    assert stage.evaluate("it => it.matches(':popover-open') && it.clientWidth === innerWidth && it.clientHeight === innerHeight")
    for corner in ([2, 2], [1380, 20], [700, 2]):
        assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).shadowRoot !== null", corner)
    page.keyboard.press("ArrowRight")
    expect(stage.locator(".where")).to_have_text("step 6 of 24")
    page.wait_for_url(re.compile(r"[?&]at=6\b"))
    assert page.evaluate(STAGED)
    sides = stage.locator(".stage-sides")
    for shown, hidden in ((".graph-pane", ".text-pane"), (".text-pane", ".graph-pane")):
        sides.click()
        expect(stage.locator(shown)).to_be_visible()
        expect(stage.locator(hidden)).to_be_hidden()
    page.reload()
    expect(stage.locator(".where")).to_have_text("step 6 of 24")
    for _ in range(3):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.shadowRoot !== null")
    page.keyboard.press("f")
    expect(stage).to_have_count(0)
    assert not page.evaluate(STAGED)
    expect(page.locator(".step-sentence")).to_be_in_viewport()
    page.get_by_role("button", name="Stage").click()
    expect(stage).to_be_visible()
    page.get_by_role("button", name="Leave Stage").click()
    expect(stage).to_have_count(0)
    has_no_menu_over_its_stepper(page)
