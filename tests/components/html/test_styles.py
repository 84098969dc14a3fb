"""The palette’s contrasts, computed: 4.5 to 1 for text, 3 to 1 for marks, in light and dark; and the sheets that use it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from components.html import styles
from components.html.styles import GROUNDS, MARKS, PALETTE, TEXT, TINTS, variables
from tests.support.paths import ROOT

STYLES = sorted(styles.ROOT.glob("*.css"))
PAIRS = [(name, ground, 4.5) for name in TEXT for ground in GROUNDS]
PAIRS += [(name, ground, 3.0) for name in MARKS for ground in GROUNDS]
PAIRS += [(name, tint, 4.5) for tint, names in TINTS.items() for name in names]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours `#RRGGBB` as WCAG 2 defines it, 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_contrast_is_the_one_of_wcag() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize(("name", "ground", "least"), PAIRS, ids=lambda value: str(value))
def test_every_mark_and_word_stands_out_from_its_ground(name: str, ground: str, least: float) -> None:
    colour, under = PALETTE[name], PALETTE[ground]
    assert all(contrast(*pair) >= least for pair in zip(colour, under, strict=True))


# Custom properties that no palette has: fonts, and lengths that a script sets.
SET_ELSEWHERE = {
    "stage-left",
    "does",
    "reply",
    "row",
    "thread",
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
    "aside",
    "rest",
    "later",
    "now",
    "track-left",
    "track-width",
    "row-left",
    "row-right",
    "row-tall",
    "fork-row",
    "room",
    "mark",
    "share",
    "sides",
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
        assert re.findall(rf'^{key} = "(.*)"$', config, re.MULTILINE) == [*PALETTE[name]]


# In shadow trees of their own; some share one.
COMPONENTS = (
    "calls",
    "algorithm",
    "board",
    "class_room",
    "class_vote",
    "player",
    "replay",
    "gallery",
    "site",
    "site_compare",
    "site_lesson",
    "learn_sheet",
    "stage",
    "showing",
    "drawing",
    "glossary",
    "label_panel",
    "lifeline",
    "mark_words",
    "table",
    "tour",
)


def test_every_sheet_is_the_pages_or_a_components() -> None:
    assert sorted(path.stem for path in styles.ROOT.iterdir()) == sorted((*styles.PAGE, *COMPONENTS))


def test_the_page_gets_its_sheets_in_order_as_one_element() -> None:
    whole = styles.page_style()
    assert whole.startswith("<style>")
    places = [whole.index(styles.sheet(name)) for name in styles.PAGE]
    assert places == sorted(places)
    assert whole.count("<") == 2


def test_the_paragraphs_of_a_memory_have_a_class_that_nothing_else_lays_out() -> None:
    [name] = re.findall(r'name: breaks > 1 \? "" : "([\w-]+)"', (ROOT / "assets/js/pictures/memory_words.js").read_text())
    rules = [each for path in styles.ROOT.glob("*.css") for each in re.findall(r"([^{}]+)\{", path.read_text())]
    laid_out = [rule for rule in rules if re.search(rf"\.{name}(?![\w-])", rule)]
    assert laid_out
    assert all(".memory-words" in rule for rule in laid_out)


# Where `:has()` is not in the last part of a selector, a browser styles everything within that part anew whenever anything in it
# changes. At the player this made a step three times as long; at the whole page the style of a next reading took twice as long.
# A small part may have it.
IN_ITS_SHADOW = (*styles.PLAYER, "tour", "showing", "drawing", "versus")
SMALL = {".head:has(.slice-now) .hint"}


def test_no_rule_of_the_player_styles_others_by_what_a_part_of_it_has() -> None:
    selectors = _selectors("\n".join(styles.sheet(name) for name in IN_ITS_SHADOW))
    assert any(":has(" in each for each in selectors)
    assert {each for each in selectors if _by_what_another_has(each)} <= SMALL


def test_no_rule_styles_others_by_what_the_whole_page_has() -> None:
    large = re.compile(r"\.(stApp|stMain|stMainBlockContainer)\b[^ >~+]*:has\(")
    for path in STYLES:
        selectors = _selectors(path.read_text(encoding="utf-8"))
        assert not {each for each in selectors if large.search(each) and _by_what_another_has(each)}, path.name


def _selectors(sheet: str) -> set[str]:
    rules = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    return {each.strip() for head in re.findall(r"([^{};]+)\{", rules) for each in re.split(r",(?![^(]*\))", head)}


def _by_what_another_has(selector: str) -> bool:
    """Whether a part of the selector that is not the last has `:has()`."""
    marked = selector.replace(":has(", "#(")
    while (bare := re.sub(r"\([^()]*\)", lambda within: "#" * ("#" in within[0]), marked)) != marked:
        marked = bare
    return any("#" in part for part in re.split(r"\s*[\s>~+]\s*", marked)[:-1])


@pytest.mark.parametrize(
    ("selector", "told"),
    [(".a:has(> .b) > .c", True), (".a:not(:has(.b)) .c", True), (".a .c:has(> .b)", False), (".a:where(:has(> .b))", False)],
)
def test_what_counts_as_styled_by_what_another_has(selector: str, told: bool) -> None:
    assert _by_what_another_has(selector) is told
