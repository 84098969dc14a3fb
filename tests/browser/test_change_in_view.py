"""What a step changes in a memory is on the screen without scrolling, in the words and in the life of the sentences: measured
over every shipped recording of a reader with a memory, at every step, on three sizes of window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from components.session.samples import Recording, recordings
from tests.browser.conftest import settled

SIZES = ((1400, 900), (1024, 768), (390, 844))
OF_MEMORY = [one for one in recordings() if one.reader in ("memagent", "rememr1", "chain_of_agents")]
SEEN = (Path(__file__).parent / "change_in_view.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("recording", OF_MEMORY, ids=lambda one: one.path.stem)
def test_what_a_step_changes_is_on_the_screen(page: Page, recording: Recording) -> None:
    page.goto(f"Trace?run={recording.id}&at=1&end=shown")
    expect(page.locator(".stepper .where")).to_contain_text("step 1 of")
    wrong: list[Any] = []
    changed = 0
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        for seen in page.evaluate(SEEN):
            changed += seen["words"] * seen["rows"]
            out = max(seen["words_out"], seen["rows_out"]) > (seen["counted"] if width < 500 else 0)
            if out or not all(seen[name] for name in ("above", "once", "keys", "first")):
                wrong.append((width, seen))
    page.set_viewport_size({"width": 1400, "height": 900})
    assert changed
    assert not wrong
