"""Replay files, opened from disk in a browser without a network: the player works, and nothing is fetched or wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Page, expect

from components.player import data
from components.player.stops import predictions
from components.replay.file import replay_file
from components.replay.reading import Replayed, replayed, replayed_from
from readers import READERS, get, offered
from readers.engine.analysis.narrate import narrate
from readers.engine.files.runs.import_run import check_run_file
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from readers.engine.teaching.stops import Stop
from readers.engine.text.document import Document
from tests.browser.axe import grave
from tests.browser.hostile import PARTS
from tests.components.replay.test_replay import MOST_BYTES
from tests.readers.every_reader.test_every_reader import QUESTION
from tests.support.paths import LAMP, ROOT
from tests.support.readings.every_reading import SMALL
from tests.support.readings.long_readings import read_long

WALK = ROOT / "assets" / "readings" / "memwalker-lamp-cold.json"
MAGENTA = """() => {
    const canvas = document.querySelector(".graph-pane .canvas canvas");
    const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height }).getContext("2d");
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    return data.some((red, n) => n % 4 === 0 && red > 200 && data[n + 1] < 90 && data[n + 2] > 200);
}"""
SECONDS = 3.0  # of the processor, in which a reading of 2,000 steps opens


@contextmanager
def opened(browser: Browser, page: str, folder: Path, **how: object) -> Iterator[Page]:
    """The file in a tab of its own, watched: an error, a dialog, or a request for anything but the file itself fails the test."""
    file = folder / "replay.html"
    file.write_text(page, encoding="utf-8")
    context = browser.new_context(offline=True, viewport={"width": 1400, "height": 900}, **how)  # type: ignore[arg-type]
    tab, wrong = context.new_page(), []
    tab.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on("dialog", lambda dialog: (wrong.append(dialog.message), dialog.dismiss()))
    tab.on("request", lambda request: None if request.url.startswith(file.as_uri()) else wrong.append(request.url))
    tab.goto(file.as_uri())
    yield tab
    context.close()
    assert not wrong


def recorded(path: Path) -> Replayed:
    return replayed_from(check_run_file(path, path.name, readers=offered), path.stem)


def test_a_tree_has_the_palette_that_comes_together_with_another_size(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, replay_file([recorded(WALK)]), tmp_path) as tab:
        tab.goto(f"{tab.url}?at=20&end=shown")
        expect(tab.locator(".graph-pane .canvas canvas")).to_be_visible()
        tab.wait_for_timeout(500)
        assert not tab.evaluate(MAGENTA)
        tab.evaluate("""() => {
            document.documentElement.style.setProperty("--not-covered", "rgb(255, 0, 255)");
            document.querySelector(".player").style.width = "900px";
        }""")
        tab.wait_for_function(MAGENTA, timeout=5_000)


def test_a_step_is_saved_as_a_picture_with_its_sentence_and_linked_to(browser: Browser, tmp_path: Path) -> None:
    one = recorded(WALK)
    told = list(narrate(one.reading.trace, get("memwalker")))
    with opened(browser, replay_file([one]), tmp_path) as tab:
        tab.goto(f"{tab.url}?at=3")
        expect(tab.locator(".stepper .where")).to_contain_text("step 3 of")
        tab.get_by_role("button", name="Share", exact=True).click()
        saved = {}
        for ending in ("PNG", "SVG"):
            with tab.expect_download() as download:
                tab.get_by_role("button", name=f"Save picture as {ending}").click()
            saved[ending] = download.value.path().read_bytes()
            assert download.value.suggested_filename.endswith(f"-step-3.{ending.lower()}")
        assert saved["PNG"].startswith(b"\x89PNG")
        assert len(saved["PNG"]) > 20_000  # not a blank sheet
        drawn = ElementTree.fromstring(saved["SVG"])
        words = " ".join(text.text or "" for text in drawn.iter("{http://www.w3.org/2000/svg}text"))
        assert " ".join(told[2].split()) in words
        assert one.reading.run.question in words
        head = drawn.findall("{http://www.w3.org/2000/svg}text")  # whole in any letters: a picture has no fonts
        assert all(float(line.get("textLength", "inf")) < float(drawn.get("width", "")) - 40 for line in head)
        assert not {"script", "foreignObject", "a"} & {each.tag.rpartition("}")[2] for each in drawn.iter()}
        tab.get_by_role("button", name="Copy link to this step").click()
        expect(tab.locator(".share [role=status]")).to_contain_text("opy")


def test_a_file_on_disk_is_stepped_through_by_keys_in_both_depths_and_themes(browser: Browser, tmp_path: Path) -> None:
    one = recorded(WALK)
    told = list(narrate(one.reading.trace, get("memwalker")))
    with opened(browser, replay_file([one]), tmp_path, color_scheme="dark") as page:
        expect(page.locator("h1").first).to_have_text(one.reading.run.question)
        expect(page.locator(".say")).to_have_text(told[data.of(one.reading)["opens_at"]])
        expect(page.locator(".replay-words")).to_be_hidden()
        page.keyboard.press("End")
        expect(page.locator(".say")).to_contain_text(told[-1].partition(" On the way, ")[0])  # what went wrong is behind "more"
        expect(page.locator(".replay-words")).to_be_visible()
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".say")).to_have_text(told[-2])
        page.get_by_role("button", name="Full").click()
        expect(page.locator(".replay-call").first).to_contain_text("tokens sent")
        expect(page.locator(".replay-words")).to_be_hidden()
        page.keyboard.press("e")
        expect(page.locator(".replay-words")).to_be_visible()
        assert not grave(page)
        page.get_by_role("button", name="Light", exact=True).click()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 250, 247)"
        assert not grave(page)


@pytest.mark.scale
def test_a_choice_is_predicted_before_it_is_shown_and_counted(browser: Browser, tmp_path: Path) -> None:
    one = recorded(WALK)
    at = next(filter(predictions(one.reading), range(len(one.reading.trace.steps))))
    told = list(narrate(one.reading.trace, get("memwalker")))
    marked = replace(one, stops=(Stop(at - 1, "Read all three."), Stop(at, predicts=True)))
    with opened(browser, replay_file([marked]), tmp_path) as page:
        expect(page.locator(".say")).to_have_text(told[0])  # it begins at the beginning, its end hidden
        expect(page.locator(".replay-words")).to_be_hidden()
        page.locator(".track input").press("End")
        expect(page.locator(".say")).to_have_text(told[at - 1])
        expect(page.locator(".speaker")).to_contain_text("Read all three.")
        asked = page.get_by_role("region", name="Your prediction")
        picked = next(n for n, o in enumerate(data.of(one.reading)["steps"][at]["decision"]["options"], 1) if o["picked"])
        expect(asked.locator("li")).to_have_count(len(data.of(one.reading)["steps"][at]["decision"]["options"]))
        assert not grave(page)
        page.keyboard.press(str(picked))
        expect(page.locator(".say")).to_have_text(told[at])
        expect(asked).to_contain_text("You foresaw 1 of 1.")


def test_a_hidden_end_does_not_tell_whether_there_is_an_answer_or_how_long_it_is(browser: Browser, tmp_path: Path) -> None:
    none = ROOT / "assets" / "readings" / "memwalker-bridge-boiler.json"
    looks = """node => [node.offsetHeight, ...["Style", "Color", "Width"].map(of => getComputedStyle(node)[`borderLeft${of}`])]"""
    with opened(browser, replay_file([recorded(WALK), recorded(none)]), tmp_path) as page:
        answer = page.locator(".replay-answer")
        expect(answer).not_to_have_class(re.compile("none"))
        answered = answer.evaluate(looks)
        page.get_by_label("The readings").select_option("1")
        expect(answer).to_have_class(re.compile("none"))
        assert answer.evaluate(looks) == answered
        ends = page.locator(".columns").evaluate("node => node.getBoundingClientRect().bottom")
        assert ends <= 900  # picture and text are in view as a whole, also under a question with four choices


@pytest.mark.scale
def test_readings_of_all_readers_are_one_file_to_switch_between(browser: Browser, tmp_path: Path, store: Store) -> None:
    text = Document.of(LAMP.read_text(encoding="utf-8")[13_500:17_000], title="Some of the lamp")
    shown = []
    for reader in READERS:
        run = create_run(store, text, reader, RunSpec(reader.id, reader.version, QUESTION, options=SMALL[reader.id]))
        execute(store, run.id, reader, Execution(Offline()))
        shown.append(replayed(store, run.id))
    with opened(browser, replay_file(shown), tmp_path) as page:
        for number, (one, reader) in enumerate(zip(shown, READERS, strict=True)):
            page.get_by_label("The readings").select_option(str(number))
            told = list(narrate(one.reading.trace, reader))
            for at in (len(told) - 1, 0, len(told) // 2):
                page.evaluate(
                    "at => dispatchEvent(new CustomEvent('palimpsest', { detail: { run: at[0], kind: 'go', at: at[1] } }))",
                    [one.reading.run.id, at],
                )
                whole = re.compile(f": {re.escape(told[at])}$")  # of a long sentence the page shows the beginning
                expect(page.locator(".track input")).to_have_attribute("aria-valuetext", whole)
            assert not grave(page), reader.id


@pytest.mark.scale
@pytest.mark.parametrize("width", [1400, 390])
def test_hostile_words_do_nothing_in_a_browser(browser: Browser, tmp_path: Path, store: Store, width: int) -> None:
    words = " ".join(PARTS)
    reader = get("memwalker")
    spec = RunSpec(reader.id, reader.version, f"Who rows {words}?", options=SMALL["memwalker"])
    run = create_run(
        store, Document(f"{words[:200]} t", "\n\n".join(f"Hester rows {part} at noon." for part in PARTS * 4)), reader, spec
    )
    execute(store, run.id, reader, Execution(Offline()))
    with opened(browser, replay_file([replayed(store, run.id)]), tmp_path) as page:
        page.set_viewport_size({"width": width, "height": 844})
        assert page.locator("h1").first.text_content() == run.question
        page.get_by_role("button", name="Full").click()
        for _ in range(12):
            page.keyboard.press("ArrowRight")
        expect(page.locator(".replay-calls > *").first).to_be_visible()
        assert page.evaluate("window.hurt") is None
        assert page.locator("#replay :is(script, iframe, img, math, template, object, form[action])").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.scale
def test_a_reading_of_2_000_steps_is_small_and_opens_within_3_seconds(browser: Browser, tmp_path: Path, store: Store) -> None:
    run = read_long(store, "memagent", 2_000)
    one = replayed(store, run.id)
    assert len(one.reading.trace.steps) >= 2_000
    page = replay_file([one])
    assert len(page.encode()) - len(one.reading.document.text.encode()) < MOST_BYTES
    with opened(browser, page, tmp_path) as tab:
        session = tab.context.new_cdp_session(tab)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})  # of the processor, however busy the machine is
        tab.reload()
        expect(tab.locator(".say")).not_to_be_empty()
        took = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
        assert 0 < took["TaskDuration"] < SECONDS
        tab.keyboard.press("End")
        expect(tab.locator(".where")).to_contain_text(f"step {len(one.reading.trace.steps)} of")
