"""No words of a player are cut off or lie over others: at every step of every shipped recording, and in smaller windows at some.

Looked at in replays, which need no server; the letters are those of the app.
"""

from __future__ import annotations

import base64
from pathlib import Path
from random import Random

import pytest
import streamlit
from playwright.sync_api import Browser, expect

from components.replay.file import replay_file
from components.session.samples import recordings
from tests.browser.layout import NOTE_LABELS, look
from tests.browser.test_replay import opened, recorded

SMALLER = ((1024, 768), (390, 844))
SEED, DRAWN = 37, 4  # steps of each recording in each of the smaller windows
MEDIA = Path(streamlit.__file__).parent / "static" / "static" / "media"
LETTERS = {"Source Sans": "SourceSansVF-Upright", "Source Serif": "SourceSerifVariable-Roman"}
LOADED = """(letters) => Promise.all(Object.entries(letters).map(async ([family, file]) => {
    const bytes = Uint8Array.from(atob(file), (one) => one.charCodeAt(0));
    document.fonts.add(await new FontFace(family, bytes.buffer, { weight: "200 900" }).load());
}))"""


@pytest.mark.scale
def test_no_words_are_cut_off_or_lie_over_others(browser: Browser, tmp_path: Path) -> None:
    drawn, wrong = Random(SEED), []
    letters = {name: base64.b64encode(next(MEDIA.glob(f"{file}.*")).read_bytes()).decode() for name, file in LETTERS.items()}
    with opened(browser, replay_file([recorded(recordings()[0].path)]), tmp_path) as tab:
        tab.add_init_script(NOTE_LABELS)
        address = f"{tab.url}?at=1&end=shown"
        for recording in recordings():
            one = recorded(recording.path)
            steps = list(range(len(one.reading.trace.steps)))
            (tmp_path / "replay.html").write_text(replay_file([one]), encoding="utf-8")
            tab.set_viewport_size({"width": 1400, "height": 900})
            tab.goto(address)
            tab.evaluate(LOADED, letters)
            expect(tab.locator(".track input")).to_be_attached()
            wrong += [f"{recording.path.stem}: {each}" for each in look(tab, steps, letters=12)["wrong"]]
            tab.keyboard.press("m")  # all steps under the map
            for width, height in SMALLER:
                tab.set_viewport_size({"width": width, "height": height})
                tab.wait_for_timeout(100)
                found = look(tab, drawn.sample(steps, DRAWN), letters=12)["wrong"]
                wrong += [f"{recording.path.stem} in {width} pixels: {each}" for each in found]
    assert not wrong, "\n".join(wrong)
