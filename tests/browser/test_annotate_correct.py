"""On the bench another child is chosen as the correction, saved, and continued from. The panel and the form below the player
share one label."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from components.session.samples import samples
from readers.engine.labels.label import correction_id, label_seed
from readers.engine.record.events import Chose
from tests.browser.axe import grave
from tests.browser.conftest import settled
from tests.browser.readings import read, store
from tests.browser.test_annotate import begun, keys, labels, saved, sit_down

HOSTILE = "<img src=x onerror=alert(1)> the other one"


def test_another_child_is_saved_continued_from_and_the_fork_opened(page: Page, app: str, app_home: Path) -> None:
    sample = samples()[0]
    parent = read(app_home, sample.document, sample.questions[7].question, segment_tokens=900)
    entered = next(e for e in parent.trace.events if isinstance(e, Chose) and e.action == "enter")
    number = parent.trace.events.index(entered)
    at = next(step.number for step in parent.trace.steps if step.start <= number < step.end)
    other = 1 if entered.among.index(entered.picked) == 0 else 0
    project = begun(app_home, (parent.run.id,))
    sit_down(page, project, "Fay")
    keys(page, *["ArrowRight"] * at, "r")
    page.keyboard.type(HOSTILE)  # the words first, in the panel
    keys(page, "Escape")
    saved(page)
    keys(page, "x")
    place = page.locator(".st-key-correction")
    expect(place).to_contain_text(f"What would have been right at step {at + 1}? It compared")
    expect(place.get_by_text("Change something above to say what would have been right.")).to_be_visible()
    offered = place.get_by_role("radiogroup", name="What it does next")
    offered.locator("label").filter(has=page.get_by_role("radio")).nth(other).click()
    expect(place.locator(".fact-list")).to_contain_text("New calls")
    place.get_by_role("button", name="Save and continue from it").click()
    expect(place).to_contain_text("Tested: the fork")
    said = f"part {other + 1}"
    expect(place).to_contain_text(f"got another reply: {said}")
    expect(page.locator(".bench .edited")).to_contain_text("Your correction: call ")
    expect(page.locator(".bench .at-step h2")).to_have_text(f"Step {at + 1}")
    settled(page)
    assert not grave(page)
    (label,) = labels(app_home, project, "Fay")
    assert (label.target, label.value["words"], label.value["edit"]["kind"]) == ({"step": at + 1}, HOSTILE, "reply")
    assert label.id == correction_id(label_seed(project.id, parent.run.id, "Fay"), at + 1)  # made by the panel
    field = page.get_by_label("What would have been right here")
    expect(field).to_have_value(HOSTILE)
    field.fill("")  # nor do emptied words take the edit along
    field.blur()
    expect(page.locator(".so-far .label-words")).to_contain_text(said)
    saved(page)
    assert labels(app_home, project, "Fay")[0].value == {**label.value, "words": ""}
    keys(page, "u", "u")  # the words, then the edit
    expect(place).not_to_contain_text("Your correction: ")
    expect(page.locator(".bench .edited")).to_be_hidden()
    expect(field).to_have_value(HOSTILE)
    saved(page)
    assert labels(app_home, project, "Fay")[0].value == {"edit": None, "words": HOSTILE}
    place.get_by_role("button", name="Save as my correction").click()
    expect(place).to_contain_text("Tested: the fork")  # it is there already
    expect(place.get_by_role("button", name="Continue from it")).to_have_count(0)
    settled(page)
    place.get_by_role("link", name="Open the fork").click()
    expect(page.locator(".forked")).to_contain_text(f"{said} instead of")
    with store(app_home) as opened:
        (fork,) = [run for run in opened.runs.family(parent.run.id) if run.parent]
    assert (fork.status, fork.name, fork.edit and fork.edit["text"]) == (
        "finished",
        f"Step {at + 1} corrected",
        label.value["edit"]["text"],
    )
