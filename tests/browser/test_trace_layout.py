"""The layout of the Trace page: nothing cut off or covered, the stepper always in view, no motion where none is wanted."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from readers.engine.store import Reading
from tests.browser.conftest import settled, without_player
from tests.browser.test_trace import LEAF, click_map, open_at, place, press, shows

TOP = "node => node.getBoundingClientRect().top"  # in pixels
PHONE = 640  # pixels up to which the steps are docked below
ON_TOP = """([x, y]) => document.elementFromPoint(x, y).shadowRoot?.elementFromPoint(x, y).closest('.stepper') !== null"""


def test_the_page_fits_its_window_and_respects_reduced_motion(page: Page, turning: Reading) -> None:
    page.add_init_script(
        "window.scrolls = []; const scroll = Element.prototype.scrollTo;"
        "Element.prototype.scrollTo = function (...how) { window.scrolls.push(how[0].behavior); scroll.apply(this, how); };"
    )
    open_at(page, turning, LEAF, depth="full")
    expect(page.locator(".st-key-calls")).to_be_visible()
    for motion, smooth in (("no-preference", True), ("reduce", False)):
        page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
        page.evaluate("window.scrolls = []")
        click_map(page, turning, place(turning, "part 2.2"))
        shows(page, turning, 10)
        click_map(page, turning, place(turning, "part 2.1"))
        shows(page, turning, LEAF)
        assert ("smooth" in page.evaluate("window.scrolls")) is smooth
    for width in (600, 900, 1400):
        page.set_viewport_size({"width": width, "height": 900})
        settled(page)
        lies_well(page, width)
    page.get_by_role("radio", name="Simple").click()
    expect(page.locator(".st-key-calls")).to_have_count(0)
    for step, width in enumerate((1400, 900, 390), LEAF + 1):
        page.set_viewport_size({"width": width, "height": 900})
        settled(page)
        stays_in_view(page, width)
        press(page, "Next step")
        shows(page, turning, step)


def test_a_picture_is_drawn_once_the_room_for_it_is_known(page: Page, turning: Reading) -> None:
    """Its canvas is drawn some fifteen times while vis-network takes its nodes and its size; it was drawn thirty times when each
    pane was drawn for a size that it did not keep."""
    page.add_init_script(
        "window.drawn = 0; const clear = CanvasRenderingContext2D.prototype.clearRect;"
        "CanvasRenderingContext2D.prototype.clearRect = function (...how) {"
        " if (this.canvas.closest('.vis-network')) window.drawn++; return clear.apply(this, how); };"
    )
    open_at(page, turning, LEAF)
    page.wait_for_timeout(500)
    assert 0 < page.evaluate("window.drawn") <= 20


def test_what_stands_below_the_player_does_not_move_when_its_frame_is_drawn(page: Page, turning: Reading) -> None:
    """A box that was opened before then lost its place: its button was below the window."""
    let_it_come = without_player(page, f"./Trace?run={turning.run.id}&at=1")
    below = page.locator(".st-key-trace-next")
    expect(below).to_be_visible()
    settled(page, players=False)
    before = below.evaluate(TOP)
    let_it_come()
    shows(page, turning, 0)
    settled(page)
    assert abs(below.evaluate(TOP) - before) < 40


def lies_well(page: Page, width: int) -> None:
    main = page.locator(".stMain")
    assert main.evaluate("it => it.scrollWidth <= it.clientWidth")
    steps = [] if width <= PHONE else [".top"]  # on a phone they are docked, over what is scrolled below them
    panes = [page.locator(f".player {name}") for name in (*steps, ".graph-pane", ".text-pane", ".decision", ".steps")]
    assert box(page.locator(".text-body"))["height"] > 250
    panes += [page.locator(name) for name in (".st-key-topbar", ".st-key-trace-head", ".st-key-calls")]
    boxes = [box(pane) for pane in panes]
    assert not overlapping(boxes)
    assert all(one["x"] >= 0 and one["x"] + one["width"] <= width for one in boxes)
    tools = page.locator(".stepper .row > *, .say, .step-tools > *, .tools > *").filter(visible=True)
    assert not overlapping([box(tool) for tool in tools.all()])


def stays_in_view(page: Page, width: int) -> None:
    page.locator(".stMain").evaluate("it => it.scrollTo(0, 0)")
    for name in (".step-sentence", ".graph-pane .stage"):
        expect(page.locator(name)).to_be_in_viewport()
    page.locator(".steps summary").scroll_into_view_if_needed()
    if width > PHONE:
        page.locator(".stMain").evaluate("it => it.scrollTo(0, it.scrollHeight)")
    expect(page.locator(".step-sentence")).to_be_in_viewport(ratio=1)
    top = box(page.locator(".stepper"))
    assert page.evaluate(ON_TOP, [top["x"] + 60, top["y"] + 20])


def box(of: Locator) -> Any:
    found = of.bounding_box()
    assert found
    return found


def overlapping(boxes: list[Any]) -> list[tuple[Any, Any]]:
    return [(one, other) for n, one in enumerate(boxes) for other in boxes[:n] if overlap(one, other)]


def overlap(a: Any, b: Any) -> bool:
    return bool(
        min(a["x"] + a["width"], b["x"] + b["width"]) - max(a["x"], b["x"]) > 1
        and min(a["y"] + a["height"], b["y"] + b["height"]) - max(a["y"], b["y"]) > 1
    )
