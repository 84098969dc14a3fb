"""What a player looks like, measured in the browser: places, what is cut off, which labels overlap, how small letters are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

NOTE_LABELS = (Path(__file__).parent / "note_labels.js").read_text(
    encoding="utf-8"
)  # a script for every page before it is looked at
_LOOK = (Path(__file__).parent / "look.js").read_text(encoding="utf-8")

LABELS = 13  # the smallest letters of a label in a picture, in pixels, on Stage as well


def look(page: Page, steps: list[int], *, letters: float, picture: str = "") -> dict[str, Any]:
    """What is wrong at these steps (from 0), the places of track, picture and panes, and where the picture begins.

    `letters`: the smallest size of words in pixels; `picture`: the part of its pane that is the picture. Without it, what is
    wrong with words and labels alone.
    """
    found: dict[str, Any] = page.evaluate(_LOOK, {"steps": steps, "letters": letters, "labelled": LABELS, "picture": picture})
    return found
