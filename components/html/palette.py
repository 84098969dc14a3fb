"""The one palette, light and dark: stage, figures, pages. Pure. Colour never stands alone: every mark has a shape or a word, too.

After Okabe and Ito. What is text on a ground or a tint has a contrast of at least 4.5 to 1, what is a mark at least 3 to 1; a
test computes both.
"""

from __future__ import annotations

from typing import NamedTuple


class Colour(NamedTuple):
    light: str
    dark: str


PALETTE = {
    "ground": Colour("#FBFAF7", "#17191C"),
    "paper": Colour("#FFFFFF", "#1E2125"),
    "ink": Colour("#22201C", "#F2EFE8"),
    "soft": Colour("#645F56", "#ADAAA1"),
    "line": Colour("#E4E0D7", "#3A3F46"),
    "raw": Colour("#0072B2", "#56B4E9"),
    "stood-for": Colour("#3A8FC4", "#2F7BA6"),
    "not-covered": Colour("#8C877C", "#6F7378"),
    "evidence": Colour("#00795A", "#2FBF98"),
    "lost": Colour("#B34700", "#F0894A"),
    "model": Colour("#8A4F73", "#D79ABF"),
    "warn": Colour("#8A5A00", "#E6B04D"),
    "link": Colour("#00649C", "#56B4E9"),
    "raw-tint": Colour("#EAF3F9", "#1D2F3B"),
    "evidence-tint": Colour("#E8F4EF", "#17332B"),
    "lost-tint": Colour("#FAEFE7", "#33251B"),
    "warn-tint": Colour("#F8F1E2", "#322A1A"),
}
"""Names as style sheets and scripts know them, `--raw` for instance."""

TEXT = ("ink", "soft", "raw", "evidence", "lost", "model", "warn", "link")
MARKS = ("stood-for", "not-covered")
GROUNDS = ("ground", "paper")
TINTS = {"raw-tint": ("ink",), "evidence-tint": ("ink", "evidence"), "lost-tint": ("ink", "lost"), "warn-tint": ("ink", "warn")}


def variables() -> str:
    """The palette as CSS custom properties; `light-dark()` follows the theme in use."""
    return "".join(f"--{name}: light-dark({colour.light}, {colour.dark}); " for name, colour in PALETTE.items())


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours `#RRGGBB` as WCAG 2 defines it, 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
