"""Annotators at the bench: labelling by keyboard alone, two at once, without losing typed text."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from components.session.samples import samples
from readers.engine.labels.codebook import preset
from readers.engine.labels.codes import Code
from readers.engine.labels.label import Label
from readers.engine.labels.project import Project, Settings, order
from readers.engine.store import Reading, open_reading
from tests.browser import axe
from tests.browser.annotators import known_as
from tests.browser.conftest import settled, watched
from tests.browser.readings import read, store

HOSTILE = "<img src=x onerror=alert(1)> it went <b>left</b>"
CODED = "Step 2"
STEPS_CODED = 2  # of the second reading, in a row


@pytest.fixture(scope="session")
def two(app_home: Path, turning: Reading) -> tuple[str, ...]:
    """Two readings to label."""
    other = read(app_home, samples()[0].document, "Who tuned the piano in the lighthouse?", segment_tokens=700)
    return turning.run.id, other.run.id


def begun(home: Path, runs: tuple[str, ...], *, stage: int = 3) -> Project:
    """A new project of these readings, with the taxonomy and a code named with markup; Ann and Bob start with the same one."""
    book = preset().add(Code("Q1", "<i>Odd</i>", definition="<b>Anything</b> odd."))
    asked = Settings(start_stage=stage, share=1.0, annotators=10, opens_at="beginning")
    seeded = (replace(asked, seed=seed) for seed in range(1000))
    chosen = next(one for one in seeded if order(one, "Ann", runs) == order(one, "Bob", runs))
    with store(home) as opened:
        return opened.projects.create("Keepers", chosen, runs=runs, book=book)


def sit_down(page: Page, project: Project, name: str) -> None:
    """Open the project under a name, in a new session, and join it."""
    known_as(page, name)
    page.goto(f"./Annotate?project={project.id}")
    expect(page.get_by_role("button", name="Start labelling")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Start labelling").click()
    at_reading(page, 1)


def alone(page: Page) -> None:
    """Wait until panel and player of the reading before have gone: for a moment they stand beside those of the next."""
    for each in (".stepper .where", ".bench .at-step h2"):
        expect(page.locator(each)).to_have_count(1)


def at_reading(page: Page, number: int) -> None:
    """Wait for panel and player at the annotator's reading of this number."""
    expect(page.locator(".bench .progress", has_text=f"Reading {number} of")).to_be_visible()
    alone(page)
    expect(page.locator(".stepper .where")).to_contain_text("step 1 of")
    expect(page.locator(".bench .at-step h2")).to_have_text("Step 1")
    settled(page)


def saved(page: Page) -> None:
    expect(page.locator(".bench .state")).to_have_text("saved")


def keys(page: Page, *pressed: str) -> None:
    for key in pressed:
        page.keyboard.press(key)


def give(page: Page, code: str) -> None:
    """Give the current step a code, by typing its letters."""
    keys(page, "c")
    expect(page.get_by_role("combobox", name="Find a code")).to_be_focused()
    page.keyboard.type(code)
    keys(page, "Enter")


def labels(home: Path, project: Project, name: str) -> list[Label]:
    with store(home) as opened:
        return opened.labels.in_project(project.id, opened.projects.viewer(project.id, name), annotator=name)


def recorded(home: Path, label: Label) -> str:
    """The reply that was marked, as the record has it."""
    with store(home) as opened:
        records = open_reading(opened, label.run).records
    return next(record.reply or "" for record in reversed(records) if record.seq == label.target["number"])


def test_two_annotators_label_by_keyboard_alone_see_how_far_they_agree_decide_and_export(
    page: Page, visitor: BrowserContext, app: str, app_home: Path, two: tuple[str, ...], tmp_path: Path
) -> None:
    """Both at once: each acts before the other's label is saved."""
    project = begun(app_home, two)
    with watched(visitor, app) as other:
        people = {"Ann": page, "Bob": other}
        for name, at in people.items():
            sit_down(at, project, name)
        for depth in ("Full", "Simple"):  # a switch that was just used leaves the keys to the bench
            page.get_by_role("radio", name=depth).click()
            expect(page.get_by_role("radio", name=depth)).to_be_checked()
        for number, at in enumerate(people.values(), 1):
            label_the_first(at, number)
        for at in people.values():
            saved(at)
            keys(at, "f")
            expect(at.locator(".bench .message")).to_contain_text("the support, the path")
            keys(at, "f")
        for at in people.values():
            at_reading(at, 2)
            expect(at.locator(".bench .progress")).to_contain_text("1 done")
        for _ in range(STEPS_CODED):
            for at in people.values():
                give(at, "odd")
                keys(at, "ArrowRight")
        for at in people.values():
            expect(at.locator(".so-far .label-words")).to_have_text(["Q1 <i>Odd</i>, severity 2"] * STEPS_CODED)
            saved(at)
            keys(at, "f", "f")
            expect(at.get_by_text("You have been through all your readings")).to_be_visible()
    first, second = order(project.settings, "Ann", two)
    for name, severity in (("Ann", 1), ("Bob", 2)):
        made = labels(app_home, project, name)
        found = {(one.run, one.kind, one.target.get("field", one.step)): one.value for one in made}
        assert len(made) == len(found)
        assert found == {
            (first, "step", 2): {"code": f"N{severity}", "severity": severity, "note": ""},
            (first, "reading", "decisive"): {"value": {"step": 2, "confidence": 2, "words": ""}},
            (first, "reading", "outcome"): {"value": "wrong"},
            (first, "note", 2): {"words": HOSTILE, "group": ""},
            **{(second, "step", n + 1): {"code": "Q1", "severity": 2, "note": ""} for n in range(STEPS_CODED)},
        }
    settle_and_save(page, first, tmp_path)


def label_the_first(at: Page, number: int) -> None:
    """A code, its severity, the decisive step, the outcome and a note, without waiting."""
    keys(at, "ArrowRight")
    expect(at.locator(".bench .at-step h2")).to_have_text(CODED)
    give(at, f"n{number}")
    expect(at.locator(".step-codes")).to_contain_text(("N1 Wrong turn", "N2 Right option hidden")[number - 1])
    keys(at, str(number), "d")
    expect(at.get_by_role("button", name="Step 2 is the decisive step")).to_have_attribute("aria-pressed", "true")
    keys(at, "o", "e", "p", "t", "o", "3", "n")  # the third outcome is wrong; no other list is changed by the keys
    at.keyboard.type(HOSTILE)
    keys(at, "Escape")


def settle_and_save(page: Page, first: str, folder: Path) -> None:
    """Ann sees how far the two agree, decides a disagreement by keyboard, and exports everything."""
    page.get_by_role("link", name="Agreement").press("Enter")
    figures = page.locator(".agreement")
    expect(figures.get_by_role("row", name=re.compile("^[Tt]he same codes")).first).to_contain_text(
        f"{STEPS_CODED / (STEPS_CODED + 1):.2f}"
    )
    page.get_by_role("button", name="Decide 1 reading").press("Enter")
    expect(page.locator(".bench.table p.standing")).to_have_text("1 of 1 to decide")
    settled(page)
    keys(page, "r")
    page.keyboard.type("it turned at once")
    keys(page, "Escape", "1")
    expect(page.locator(".bench.table p.standing")).to_have_text("◆ All decided")
    keys(page, "Enter")
    expect(page.get_by_text("0 of 1 to be decided")).to_be_visible()
    page.get_by_role("link", name="Results", exact=True).press("Enter")
    with page.expect_download() as waited:
        page.get_by_role("button", name="JSON lines").press("Enter")
    waited.value.save_as(folder / "labels.jsonl")
    lines = [json.loads(line) for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    assert Counter(one["what"] for one in lines[1:]) == {"reading": 2, "label": 8 + 2 * STEPS_CODED, "turn": 4, "decision": 2}
    decided = next(one for one in lines[1:] if one["what"] == "decision" and "step" in one["target"])
    assert (decided["run"], decided["target"]["step"], decided["value"]["codes"]) == (first, 2, ["N1"])
    assert (decided["reason"], decided["by"]) == ("it turned at once", "Ann")


def test_a_half_typed_note_survives_a_reload_and_a_step(page: Page, app_home: Path, two: tuple[str, ...]) -> None:
    project = begun(app_home, two, stage=1)
    sit_down(page, project, "Cy")
    expect(page.get_by_text("Give this step a code")).to_have_count(1)
    expect(page.get_by_text("Give this step a code")).to_be_hidden()
    for hidden in ("Outcome", "Show automatic hints", "Known answer"):
        expect(page.get_by_text(hidden, exact=True).locator("visible=true")).to_have_count(0)
    note = page.get_by_label("Note on this step")
    keys(page, "n")
    page.keyboard.type("the first half")
    page.reload()  # at once: no save was waited for
    at_reading(page, 1)
    expect(note).to_have_value("the first half")
    saved(page)
    keys(page, "n")
    page.keyboard.type(" and the second")
    keys(page, "Escape", "ArrowRight")
    expect(note).to_have_value("")
    keys(page, "ArrowLeft")
    expect(note).to_have_value("the first half and the second")
    saved(page)
    assert [one.value["words"] for one in labels(app_home, project, "Cy")] == ["the first half and the second"]
    keys(page, "u")
    expect(note).to_have_value("")
    saved(page)
    assert labels(app_home, project, "Cy") == []


def all_in_view(page: Page, width: int, height: int) -> None:
    """Question, answer, picture, text, hints and the fields are in the window, also after the last field was gone to by key: only
    the panel scrolls."""
    page.set_viewport_size({"width": width, "height": height})
    expect(page.get_by_label("Outcome")).to_be_in_viewport(ratio=0.99)  # before anything scrolls
    for key in ("o", "a"):
        keys(page, key)
        expect(page.locator(".bench :focus")).to_be_in_viewport(ratio=0.99)
        keys(page, "Escape")
    for part in (".question", ".outcome", ".stepper", ".columns > :first-child", ".text-pane", ".bench", ".bench .hint-box"):
        expect(page.locator(part).first).to_be_in_viewport(ratio=0.99)
    assert page.locator(".stMain").evaluate("it => it.scrollTop") == 0


def test_two_tabs_show_each_others_changes_and_a_conflict_loses_nothing(
    page: Page, visitor: BrowserContext, app: str, app_home: Path, two: tuple[str, ...]
) -> None:
    project = begun(app_home, two)
    sit_down(page, project, "Dee")
    with watched(visitor, app) as other:
        other.goto(page.url)
        at_reading(other, 1)
        give(page, "m2")
        saved(page)
        expect(other.locator(".step-codes")).to_contain_text("M2 Overwritten")
        note = "Note on the whole reading"
        page.get_by_label(note).press_sequentially("from the first")
        other.get_by_label(note).press_sequentially("from the second")
        for each in (page, other):
            each.get_by_label(note).blur()
        expect(page.locator(".conflict").or_(page.locator(".state", has_text="saved")).first).to_be_visible()
        expect(other.locator(".conflict").or_(other.locator(".state", has_text="saved")).first).to_be_visible()
        late = next(each for each in (page, other) if each.locator(".conflict").count())
        expect(late.locator(".conflict")).to_contain_text("from the first")
        expect(late.locator(".conflict")).to_contain_text("from the second")
        late.get_by_role("button", name="Keep both").click()
        saved(late)
    (kept,) = [one for one in labels(app_home, project, "Dee") if one.kind == "reading"]
    assert sorted(kept.value["value"].split("\n")) == ["from the first", "from the second"]


def test_words_are_marked_hints_shown_on_request_and_the_keys_listed(page: Page, app_home: Path, two: tuple[str, ...]) -> None:
    project = begun(app_home, two)
    sit_down(page, project, "Eve")
    keys(page, "m")
    page.keyboard.type("the keeper")
    keys(page, "Enter")
    expect(page.get_by_role("combobox", name="Find a code")).to_be_focused()
    expect(page.locator(".text-pane mark.selected")).to_have_text("the keeper", ignore_case=True)
    page.keyboard.type("r1")
    keys(page, "Enter")
    saved(page)
    expect(page.locator(".text-pane mark.labelled").first).to_have_text("the keeper", ignore_case=True)
    expect(page.locator(".text-pane mark.selected")).to_have_count(0)
    (span,) = labels(app_home, project, "Eve")
    text = samples()[0].document.text
    assert text[span.target["start"] : span.target["end"]].lower() == "the keeper"
    assert span.value["code"] == "R1"
    expect(page.get_by_text("Hint:")).to_have_count(0)
    keys(page, "h")
    expect(page.locator(".hints").get_by_text("Hint:").first).to_be_visible()
    for width, height in ((1280, 720), (1400, 900)):
        all_in_view(page, width, height)
    keys(page, "?")
    expect(page.get_by_role("region", name="Keys")).to_contain_text("mark or unmark this step as decisive")
    expect(page.get_by_role("region", name="Keys").locator("dd").last).to_be_in_viewport(ratio=0.99)
    assert axe.grave_in_both(page) == []
    keys(page, "?", "ArrowRight")  # at the first step nothing was asked
    keys(page, "z")
    expect(page.get_by_role("radio", name="Full")).to_be_checked()
    reply = page.locator(".st-key-calls .reply .words").first
    reply.click(click_count=3)
    expect(page.locator(".bench .picked")).to_contain_text("Selected:")
    keys(page, "m")
    expect(page.get_by_role("combobox", name="Find a code")).to_be_focused()
    keys(page, "Enter")  # the code that was used last
    saved(page)
    on_reply = next(one for one in labels(app_home, project, "Eve") if one.target.get("on") == "reply")
    assert on_reply.value["code"] == "R1"
    start, end = on_reply.target["start"], on_reply.target["end"]
    assert reply.inner_text().strip().startswith(recorded(app_home, on_reply)[start:end].strip())
    keys(page, "s")
    page.keyboard.type("not in English")
    keys(page, "Enter")
    at_reading(page, 2)
    expect(page.locator(".bench .progress")).to_contain_text("1 skipped")
    expect(page.get_by_role("button", name="Hide automatic hints")).to_be_visible()  # they stay from reading to reading
    page.set_viewport_size({"width": 900, "height": 900})
    expect(page.get_by_label("Note on this step")).to_be_hidden()
    keys(page, "n")
    expect(page.get_by_label("Note on this step")).to_be_focused()
    assert axe.grave(page) == []
    page.set_viewport_size({"width": 1400, "height": 900})
