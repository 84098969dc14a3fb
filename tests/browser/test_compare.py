"""Compare in the browser: rows under one axis, two players that step and scroll together or apart, and where they part."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from components.session.samples import samples
from readers import get
from readers.engine.analysis.differences import first_difference
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, open_reading
from tests.browser.axe import grave_in_both
from tests.browser.conftest import settled, visit
from tests.browser.readings import store

QUESTION = samples()[0].questions[7].question
TOP = """column => {
  const edge = column.getBoundingClientRect().top;
  return [...column.querySelectorAll('p[data-start]')].find(p => p.getBoundingClientRect().bottom > edge)?.dataset.start;
}"""

BELOW = "a.getBoundingClientRect().bottom <= b.getBoundingClientRect().top"
COLD = 40_000  # milliseconds: the first page of a server fetches and compiles all there is


@pytest.fixture(scope="module")
def readings(app: str, app_home: Path) -> list[Reading]:
    """Three readers on one question, and the first of them with smaller groups of parts."""
    asked = [
        ("memwalker", {"segment_tokens": 300}), ("readagent", {"min_words": 100, "max_words": 250}),
        ("memagent", {"chunk_tokens": 1500}), ("memwalker", {"segment_tokens": 300, "max_children": 4}),
    ]  # fmt: skip
    found = []
    with store(app_home) as opened:
        for reader_id, options in asked:
            reader = get(reader_id)
            run = create_run(opened, samples()[0].document, reader, RunSpec(reader.id, reader.version, QUESTION, options=options))
            execute(opened, run.id, reader, Execution(Offline()))
            found.append(open_reading(opened, run.id))
    return found


def open_at(page: Page, *readings: Reading) -> None:
    visit(page, f"./Compare?runs={','.join(reading.run.id for reading in readings)}")
    for number in (1, 2):
        expect(player(page, number).locator(".step-sentence")).not_to_be_empty(timeout=COLD)
    settled(page)


def player(page: Page, number: int) -> Locator:
    return page.get_by_role("group", name=re.compile(f"^Reading {number}: "))


def stands(page: Page, number: int, step: int) -> None:
    """The player of this reading shows this step, from 1."""
    expect(player(page, number).locator(".where")).to_have_text(re.compile(rf"^step {step} of "))


def show_text(shown: Locator) -> None:
    """Turn to the text itself if this is a step at which summaries were seen."""
    if shown.locator(".seen").is_visible():
        shown.get_by_role("button", name="Show the text", exact=True).click()
    expect(shown.locator(".seen")).to_be_hidden()


def box(of: Locator) -> Any:
    found = of.bounding_box()
    assert found
    return found


def first_screen(page: Page, height: int) -> int:
    """How many answers are on the first screen, above the steppers of both players, which must be there too."""
    steppers = [box(player(page, number).locator(".stepper")) for number in (1, 2)]
    assert all(one["y"] + one["height"] <= height for one in steppers), steppers
    return sum(box(line)["y"] + box(line)["height"] <= steppers[0]["y"] for line in page.locator(".reading-line").all())


def test_three_readers_are_rows_under_one_axis_and_players_step_and_scroll_together(page: Page, readings: list[Reading]) -> None:
    three = readings[:3]
    for width, height in ((1024, 768), (1400, 900)):
        page.set_viewport_size({"width": width, "height": height})
        open_at(page, *three)
        assert first_screen(page, height) == 3, width
    maps = page.locator('[class*="st-key-compare-row-"] .small-map')  # the player of a tree may have one of its own
    expect(maps).to_have_count(3)
    axis, boxes = box(page.locator(".axis")), [box(drawn) for drawn in maps.all()]
    assert all(abs(one["x"] - axis["x"]) < 1 and abs(one["width"] - axis["width"]) < 1 for one in boxes)
    assert all(above["y"] + above["height"] <= below["y"] for above, below in pairwise(boxes))
    span = three[0].run.evidence[0]
    diamond = box(maps.first.locator("b").first)
    middle = (span.start + span.end) / 2 / len(three[0].document.text)
    assert abs(diamond["x"] + diamond["width"] / 2 - axis["x"] - middle * axis["width"]) < 3
    for reading in three:
        assert reading.run.answer
        expect(page.locator(".answer .words").filter(has_text=reading.run.answer[:60]).first).to_be_visible()
    calls = page.locator(".versus tr").filter(has_text="Calls made").locator("td:not(.mark)")
    expect(calls).to_have_text([f"{sum(r.origin == 'live' for r in reading.records):,}" for reading in three])
    page.get_by_text("Known answer", exact=True).click()
    expect(page.locator(".fates tbody tr")).to_have_count(3)
    expect(maps.locator(".gold")).to_have_count(3)
    left = {round(box(band)["x"]) for band in maps.locator(".gold").all()}
    assert len(left) == 1
    expect(page.locator(".parting").filter(has_text="is the cheapest")).to_be_visible()
    expect(page.locator(".st-key-compare-balance .legend .traces")).to_have_count(3)
    expect(player(page, 1).get_by_text("known place")).to_be_visible()
    known = player(page, 1).locator(".text-pane mark.known")
    player(page, 1).locator(".text-pane .column").scroll_into_view_if_needed()  # a text out of view is not drawn
    expect(known.first).to_be_in_viewport()
    settled(page)
    assert grave_in_both(page) == []
    steps_together(page, readings)


def steps_together(page: Page, readings: list[Reading]) -> None:
    """Two players step and scroll together until they are set free, or by their share of the way."""
    one, other = readings[0], readings[3]
    found = first_difference(one, other)
    assert found
    assert found.steps[0] == found.steps[1]
    apart = (found.steps[0] or 0) + 1
    open_at(page, one, other)
    for number in (1, 2):
        stands(page, number, apart)
    for number in (1, 2):
        show_text(player(page, number))
    page.keyboard.press("ArrowRight")
    for number in (1, 2):
        stands(page, number, apart + 1)
    player(page, 2).get_by_role("button", name="Previous step").click()
    for number in (1, 2):
        stands(page, number, apart)
    columns = [player(page, number).locator(".text-pane .column") for number in (1, 2)]
    columns[1].hover()
    page.mouse.wheel(0, 9000)
    page.wait_for_function(
        "([a, b]) => a.scrollTop > 4000 && b.scrollTop > 4000", arg=[column.element_handle() for column in columns]
    )
    page.wait_for_function(f"([a, b]) => ({TOP})(a) === ({TOP})(b)", arg=[column.element_handle() for column in columns])
    page.get_by_role("button", name="Free").click()
    page.keyboard.press("ArrowRight")
    stands(page, 2, apart + 1)  # the keys belong to the player that was used last
    stands(page, 1, apart)
    player(page, 1).get_by_role("button", name="First step").click()
    page.keyboard.press("ArrowRight")
    stands(page, 1, 2)
    stands(page, 2, apart + 1)
    page.get_by_role("button", name="Go there in both players").click()
    for number in (1, 2):
        stands(page, number, apart)
        expect(player(page, number).locator(".step-sentence")).to_be_in_viewport()
    assert "at=" not in page.url
    steps_by_share(page, readings[1], readings[2])


def steps_by_share(page: Page, one: Reading, other: Reading) -> None:
    """Two readers have no steps in common."""
    open_at(page, one, other)
    expect(page.locator(".between .rule")).to_contain_text("equally far through their own steps")
    counts = [len(reading.trace.steps) for reading in (one, other)]
    for number, count in enumerate(counts, 1):
        stands(page, number, count)
    middle = counts[0] // 2
    player(page, 1).get_by_role("slider", name="Step", exact=True).fill(str(middle))
    stands(page, 1, middle + 1)
    stands(page, 2, int(middle / (counts[0] - 1) * (counts[1] - 1) + 0.5) + 1)
    page.set_viewport_size({"width": 900, "height": 900})
    players = [player(page, number).element_handle() for number in (1, 2)]
    page.wait_for_function(f"([a, b]) => {BELOW}", arg=players)
    assert page.locator(".stMain").evaluate("it => it.scrollWidth <= it.clientWidth")
