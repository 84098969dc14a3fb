"""Changing a step in the browser: another child of MemWalker's is picked, and the two paths stand side by side."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from components.session.samples import samples
from readers.engine.record.events import Asked, Chose, Wrote
from readers.engine.store import Reading
from tests.browser.axe import grave
from tests.browser.conftest import settled
from tests.browser.readings import read, store

BEGINS = "it => it.getBoundingClientRect().top + document.querySelector('[data-testid=\"stMain\"]').scrollTop"


def test_steps_are_changed_and_the_forks_compared_renamed_and_deleted(page: Page, app: str, app_home: Path) -> None:
    picks_another_child(page, app, app_home)
    changes_a_summary_at_900_pixels(page, app, app_home)


def picks_another_child(page: Page, app: str, app_home: Path) -> None:
    sample = samples()[0]
    parent = read(app_home, sample.document, sample.questions[4].question, segment_tokens=900)
    entered = next(e for e in parent.trace.events if isinstance(e, Chose) and e.action == "enter")
    number = parent.trace.events.index(entered)
    at = next(step.number for step in parent.trace.steps if step.start <= number < step.end)
    taken = entered.among.index(entered.picked)
    other = 1 if taken == 0 else 0
    page.goto(f"./Trace?run={parent.run.id}&at={at + 1}")
    settled(page)
    page.get_by_text(f"What if? Change step {at + 1}: It compared").click()
    offered = page.get_by_role("radiogroup", name="What it does next")
    expect(offered.get_by_role("radio").nth(taken)).to_be_checked()
    expect(offered).to_contain_text(f"part {taken + 1} · “Summary {taken}” in the prompt")
    expect(page.locator(".to-send")).to_have_count(0)
    expect(page.get_by_text("the estimate appears here before anything runs")).to_be_visible()
    offered.locator("label").filter(has=page.get_by_role("radio")).nth(other).click()
    expect(page.get_by_role("textbox", name="Stated reason")).to_have_value("(picked by a person)")
    expect(page.locator(".fact-list")).to_contain_text(f"{sum(r.seq < at_call(parent, number) for r in parent.records)} calls")
    expect(page.locator(".fact-list")).to_contain_text(f"1 replycall {at_call(parent, number) + 1}")
    settled(page)
    page.get_by_label("Name of the fork (optional)").fill("<b>the other way</b>")
    page.get_by_role("button", name="Continue from this change").click()
    expect(page.locator(".forked")).to_contain_text(f"part {other + 1} instead of part {taken + 1}")
    expect(page.locator(".player .where").filter(has_text=f"step {at + 1} of ").filter(has_text="changed here")).to_be_visible()
    settled(page)
    expect(page.locator(".fork-row.here")).to_contain_text("<b>the other way</b>")
    expect(page.locator(".fork-tree a")).to_have_attribute("href", f"Trace?run={parent.run.id}")
    expect(page.locator(".fork-row .stem")).to_have_count(1)
    assert not grave(page)
    page.set_viewport_size({"width": 1024, "height": 768})
    assert page.locator(".graph-pane .stage").evaluate(BEGINS) < 300
    page.set_viewport_size({"width": 1400, "height": 900})
    page.get_by_role("link", name="Side by side with its parent").click()
    expect(page.locator(".player .step-sentence")).to_have_count(2)
    page.get_by_role("button", name="Go there in both players").click()
    for player, part in ((0, taken), (1, other)):
        expect(page.locator(".player .step-sentence").nth(player)).to_contain_text(f"opened part {part + 1}")
    with store(app_home) as opened:
        (fork,) = [run for run in opened.runs.family(parent.run.id) if run.parent]
        assert (fork.status, fork.name) == ("finished", "<b>the other way</b>")
        assert opened.runs.tape(parent.run.id).records() == parent.records


def at_call(parent: Reading, event: int) -> int:
    """The number of the call that was asked last before an event."""
    return max(e.seq for e in parent.trace.events[:event] if isinstance(e, Asked))


def changes_a_summary_at_900_pixels(page: Page, app: str, app_home: Path) -> None:
    sample = samples()[0]
    parent = read(app_home, sample.document, sample.questions[5].question, segment_tokens=1000)
    events = parent.trace.events
    at = next(s.number for s in parent.trace.steps if any(isinstance(e, Wrote) for e in events[s.start : s.end]))
    page.set_viewport_size({"width": 900, "height": 900})
    page.goto(f"./Trace?run={parent.run.id}&at={at + 1}&depth=full")
    settled(page)
    page.get_by_text(f"What if? Change step {at + 1}").click()
    settled(page)
    page.get_by_role("radio", name="What was written").click()
    expect(page.get_by_role("combobox", name="Which one")).to_have_value("summary · part 1.1")  # of the call that is shown
    field = page.get_by_role("textbox", name="New text of the")
    field.fill("All of it is about a green kettle.")
    field.blur()
    expect(page.locator(".fact-list")).to_contain_text("New calls")
    settled(page)
    page.get_by_role("button", name="Continue from this change").click()
    expect(page.locator(".forked")).to_contain_text("another summary: ")
    expect(page.locator(".forked .now")).to_contain_text("green kettle")
    expect(page.locator(".player .where").filter(has_text="changed here")).to_be_visible()  # beside the one before
    settled(page)
    page.get_by_role("button", name="Edit").last.click()
    page.get_by_label("Name", exact=True).fill("a kettle")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".st-key-family strong", has_text="a kettle")).to_be_visible()
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible()  # although the page draws again at once
    expect(page.get_by_role("button", name="Save", exact=True)).to_have_count(0)
    settled(page)
    page.get_by_role("button", name="Edit").last.click()
    page.get_by_role("button", name="Delete …").click()
    expect(page.get_by_text("are deleted").last).to_be_visible()
    expect(page.locator(".forked .now")).to_have_count(1)
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("The fork was deleted.").first).to_be_visible()
    expect(page).to_have_url(re.compile(f"run={parent.run.id}"))
    expect(page.locator(".forked")).to_have_count(0)
    page.set_viewport_size({"width": 1400, "height": 900})
