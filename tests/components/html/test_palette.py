"""The palette's contrasts, computed: 4.5 to 1 for text, 3 to 1 for marks, in light and dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from components.html import styles
from components.html.palette import GROUNDS, MARKS, PALETTE, TEXT, TINTS, contrast, variables
from tests.support.paths import ROOT

STYLES = sorted(styles.ROOT.glob("*.css"))
PAIRS = [(name, ground, 4.5) for name in TEXT for ground in GROUNDS]
PAIRS += [(name, ground, 3.0) for name in MARKS for ground in GROUNDS]
PAIRS += [(name, tint, 4.5) for tint, names in TINTS.items() for name in names]


def test_contrast_is_the_one_of_wcag() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize(("name", "ground", "least"), PAIRS, ids=lambda value: str(value))
def test_every_mark_and_word_stands_out_from_its_ground(name: str, ground: str, least: float) -> None:
    colour, under = PALETTE[name], PALETTE[ground]
    assert contrast(colour.light, under.light) >= least
    assert contrast(colour.dark, under.dark) >= least


# Custom properties that no palette has: fonts, and lengths that a script sets.
SET_ELSEWHERE = {
    "at",
    "class-bar",
    "serif",
    "done",
    "shade",
    "letters",
    "lines",
    "step-of",
    "depth",
    "digits",
    "track-left",
    "track-width",
    "room",
    "mark",
    "share",
}


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_a_style_sheet_uses_only_colours_there_are(path: Path) -> None:
    known = set(re.findall(r"--([a-z-]+):", variables())) | SET_ELSEWHERE
    assert set(re.findall(r"var\(--([a-z-]+)\)", path.read_text(encoding="utf-8"))) <= known


def test_the_theme_is_of_the_palette() -> None:
    config = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    for name, key in (
        ("ground", "backgroundColor"),
        ("paper", "secondaryBackgroundColor"),
        ("ink", "textColor"),
        ("raw", "primaryColor"),
    ):
        assert re.findall(rf'^{key} = "(.*)"$', config, re.MULTILINE) == list(PALETTE[name])
