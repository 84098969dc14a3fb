"""The one palette, light and dark, and the style sheets of `assets/css/` that are drawn in it. Pure.

Colour is never the only sign: every mark also has a shape or a word. After Okabe and Ito. Text on a ground or a tint has a
contrast of at least 4.5 to 1, a mark at least 3 to 1; a test computes both.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

PALETTE: Mapping[str, tuple[str, str]] = {
    "ground": ("#FBFAF7", "#17191C"),
    "paper": ("#FFFFFF", "#1E2125"),
    "ink": ("#22201C", "#F2EFE8"),
    "soft": ("#645F56", "#ADAAA1"),
    "line": ("#E4E0D7", "#3A3F46"),
    "raw": ("#0072B2", "#56B4E9"),
    "stood-for": ("#3A8FC4", "#2F7BA6"),
    "not-covered": ("#8C877C", "#6F7378"),
    "evidence": ("#00795A", "#2FBF98"),
    "lost": ("#B34700", "#F0894A"),
    "model": ("#8A4F73", "#D79ABF"),
    "warn": ("#8A5A00", "#E6B04D"),
    "link": ("#00649C", "#56B4E9"),
    "raw-tint": ("#EAF3F9", "#1D2F3B"),
    "evidence-tint": ("#E8F4EF", "#17332B"),
    "lost-tint": ("#FAEFE7", "#33251B"),
    "warn-tint": ("#F8F1E2", "#322A1A"),
}
"""The light and the dark colour by name, as style sheets and scripts know it: `--raw` for instance."""

TEXT = ("ink", "soft", "raw", "evidence", "lost", "model", "warn", "link")
MARKS = ("stood-for", "not-covered")
GROUNDS = ("ground", "paper")
TINTS = {"raw-tint": ("ink",), "evidence-tint": ("ink", "evidence"), "lost-tint": ("ink", "lost"), "warn-tint": ("ink", "warn")}


def variables() -> str:
    """The palette as CSS custom properties; `light-dark()` follows the theme in use."""
    return "".join(f"--{name}: light-dark({light}, {dark}); " for name, (light, dark) in PALETTE.items())


ROOT = Path(__file__).parents[2] / "assets" / "css"
# The sheets of the page, in the order of the cascade. Besides these, the player and the label panel have one each in their own
# shadow tree, where no rule of the page applies; `stage` is the player over the whole window, `showing` one that plays on Home.
PAGE = (
    "base", "bar", "home", "models", "lists", "read", "structure", "trace", "compare", "versus", "fates", "report", "questions",
    "evaluate", "annotate", "lesson", "learn", "class",
)  # fmt: skip
# Those of the player, wherever it stands: on a page, in a replay, in a site.
PLAYER = ("player", "structure", "calls", "lifeline", "algorithm", "stage")


def sheet(*names: str) -> str:
    """These style sheets as one, "player" for instance."""
    return "\n".join((ROOT / f"{name}.css").read_text(encoding="utf-8") for name in names)


def places() -> str:
    """Where something stands on an axis, as classes in whole percent: `at-25` begins there, `up-to-75` ends there. Where a page
    forbids styles in its markup, these are the way to say a place."""
    return "".join(f".at-{n} {{ left: {n}%; }} .up-to-{n} {{ right: {100 - n}%; }}\n" for n in range(101))


def of_a_file(*names: str) -> str:
    """The colours and these style sheets, for a page that is a file of its own."""
    colours = f":root {{ {variables()} color-scheme: light dark; --serif: 'Source Serif', Georgia, serif; }}"
    return f"{colours}\n{sheet(*names)}"


def page_style() -> str:
    """The look of every page, as an element for its head."""
    return f"<style>{sheet(*PAGE)}\n{places()}</style>"
