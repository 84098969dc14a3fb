"""What a model proposes at the bench: shown with the hints, accepted by a key at its step, marked, and taken back together."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from readers import get
from readers.engine.analysis import proposals
from readers.engine.labels import codebook
from readers.engine.labels.project import HOST, Project, Settings
from readers.engine.models.call import ModelSettings
from readers.engine.store import Reading
from tests.browser.annotators import known_as
from tests.browser.conftest import settled, visit
from tests.browser.readings import store
from tests.support.models.scripted_models import Scripted

STEPS = (4, 6)


def proposed(home: Path, turning: Reading, *, blind: bool) -> Project:
    """A project of one reading for which a model has proposed a code at two steps, one of them with words of the text."""
    words = turning.document.text[200:240].strip()
    items = [
        {"step": str(STEPS[0]), "code": "N1", "words": "", "why": "The part that it entered tells of something else."},
        {"step": str(STEPS[1]), "code": "B2", "words": words, "why": "It turned back before it had read on."},
    ]
    with store(home) as opened:
        settings = Settings(start_stage=3, share=1.0, annotators=2, blind=blind, proposals=True, opens_at="beginning")
        project = opened.projects.create("Proposed", settings, runs=[turning.run.id], book=codebook.preset())
        asking = proposals.begin(opened, project, ModelSettings("openai/coder"))
        asking.ask(opened, turning.run.id, get, Scripted([json.dumps({"codes": items})]))
        opened.projects.join(project.id, "Kay")
    return project


def at_bench(page: Page, project: Project) -> None:
    known_as(page, "Kay")
    visit(page, f"Annotate?project={project.id}")
    expect(page.locator(".bench .at-step h2")).to_have_text("Step 1")
    settled(page)


def test_proposals_are_accepted_by_a_key_at_their_step_and_stay_marked(page: Page, app_home: Path, turning: Reading) -> None:
    project = proposed(app_home, turning, blind=False)
    at_bench(page, project)
    page.keyboard.press("h")
    expect(page.locator(".bench .hints li", has_text="Proposed by openai/coder")).to_have_count(3)
    for step in STEPS:
        page.keyboard.press("i")
        while page.locator(".bench .at-step h2").inner_text() != f"Step {step}":  # hints by rule name other steps
            page.keyboard.press("i")
        page.keyboard.press("y")
        expect(page.locator(".bench .step-codes li")).to_have_count(1)
    expect(page.locator(".bench .hints .given")).to_have_count(3)
    expect(page.locator(".bench .own-labels", has_text="proposed by a model")).to_be_visible()
    expect(page.locator(".bench .state")).to_have_text("saved")
    assert own(app_home, project) == {("step", "N1", True), ("step", "B2", True), ("span", "B2", True)}
    page.keyboard.press("u")
    expect(page.locator(".bench .hints .given")).to_have_count(1)
    expect(page.locator(".bench .state")).to_have_text("saved")
    assert own(app_home, project) == {("step", "N1", True)}


def own(home: Path, project: Project) -> set[tuple[str, str | None, bool]]:
    with store(home) as opened:
        labels = [one for one in opened.labels.in_project(project.id, HOST) if one.annotator == "Kay" and not one.removed]
    return {(one.kind, one.code, one.proposed) for one in labels}


def test_who_labels_blind_sees_no_proposal(page: Page, app_home: Path, turning: Reading) -> None:
    project = proposed(app_home, turning, blind=True)
    at_bench(page, project)
    page.keyboard.press("h")
    expect(page.get_by_role("button", name="Hide automatic hints")).to_be_visible()
    expect(page.locator(".bench", has_text="openai/coder")).to_have_count(0)
