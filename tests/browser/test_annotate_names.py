"""The browser remembers the annotator's name, no address contains it; and the bench releases unused readings."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from components.session.samples import samples
from readers.engine.labels.project import HOST
from readers.engine.store import Reading
from tests.browser.annotators import kept, known_as
from tests.browser.axe import grave
from tests.browser.conftest import leave_late, settled, watched
from tests.browser.readings import NOT_TOLD, read, store
from tests.browser.test_annotate import at_reading, begun, give, keys, saved, sit_down

NAME = "Änn <i>Lee</i>; path=/x"
WRITTEN = "%C3%84nn%20%3Ci%3ELee%3C%2Fi%3E%3B%20path%3D%2Fx"


def test_the_browser_remembers_the_name_and_a_copied_link_does_not_contain_it(
    page: Page, visitor: BrowserContext, app: str, app_home: Path, turning: Reading
) -> None:
    project = begun(app_home, (turning.run.id,))
    page.goto(f"./Annotate?project={project.id}")
    page.get_by_label("Your name").fill(NAME)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Start labelling").click()
    at_reading(page, 1)
    assert kept(visitor) == [WRITTEN]
    assert "nn" not in page.url.partition("?")[2]
    link = page.url
    with watched(visitor, app) as tab:  # another tab of this browser, and with it every reload
        tab.goto(link)
        expect(tab.get_by_text(f"You are {NAME}")).to_be_visible()
        at_reading(tab, 1)
    page.get_by_role("button", name="Change").click()
    expect(page.get_by_label("Your name")).to_be_visible()
    settled(page)
    assert kept(visitor) == []
    page.goto(link)  # now like anybody else's browser
    expect(page.get_by_label("Your name")).to_be_visible()
    settled(page)
    expect(page.get_by_text(NAME)).to_have_count(0)
    expect(page.get_by_text("leads to the project “Keepers”")).to_be_visible()
    assert not grave(page)
    page.goto(f"{link}&by=Lea")
    expect(page.get_by_label("Your name")).to_be_visible()
    assert kept(visitor) == []


def test_an_unused_reading_is_released_and_the_bench_is_found_again(page: Page, app_home: Path, turning: Reading) -> None:
    two = (turning.run.id, read(app_home, samples()[0].document, NOT_TOLD, segment_tokens=700).run.id)
    project = begun(app_home, two)
    sit_down(page, project, "Gil")
    keys(page, "]")
    at_reading(page, 2)
    with store(app_home) as opened:
        (only,) = opened.turns.in_project(project.id, HOST)
    assert f"run={only.run}" in page.url
    keys(page, "[")  # although it was released
    at_reading(page, 1)
    give(page, "n1")
    saved(page)
    keys(page, "]")
    at_reading(page, 2)
    with store(app_home) as opened:
        assert {turn.run for turn in opened.turns.in_project(project.id, HOST)} == set(two)
    page.get_by_role("link", name="Codebook").click()
    expect(page.get_by_text("Open a code for an example")).to_be_visible()
    settled(page)
    page.get_by_role("link", name="Bench").click()
    at_reading(page, 2)
    assert f"run={only.run}" in page.url
    known_as(page, "Hal")  # a session that is there keeps its own
    leave_late(page.get_by_role("link", name="People and settings"), only.run)
    expect(page.get_by_role("button", name="Release 1 reading of Gil")).to_be_visible()
    expect(page.get_by_text("You are Gil")).to_be_visible()
    settled(page)
    assert "view=people" in page.url
    page.get_by_role("button", name="Release 1 reading of Gil").click()
    expect(page.get_by_text("1 reading of Gil is available again.")).to_be_visible()
    with store(app_home) as opened:
        assert [turn.run for turn in opened.turns.in_project(project.id, HOST)] != [only.run]
        assert len(opened.turns.in_project(project.id, HOST)) == 1
