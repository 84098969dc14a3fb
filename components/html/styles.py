"""Reads the style sheets of `assets/css/`. Pure. Their colours are custom properties that `palette.py` defines."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2] / "assets" / "css"
# The sheets of the page, in the order of the cascade. Besides these, the player and the label panel have one each in their own
# shadow tree, where no rule of the page applies; `stage` is the player over the whole window, `showing` one that plays on Home.
PAGE = (
    "base", "bar", "home", "models", "lists", "read", "trace", "compare", "fates", "questions", "evaluate", "annotate", "learn",
    "class",
)  # fmt: skip


def sheet(*names: str) -> str:
    """These style sheets as one, "player" for instance."""
    return "\n".join((ROOT / f"{name}.css").read_text(encoding="utf-8") for name in names)


def page_style() -> str:
    """The look of every page, as an element for its head."""
    return f"<style>{sheet(*PAGE)}</style>"
