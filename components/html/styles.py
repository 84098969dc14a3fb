"""Reads the style sheets of `assets/css/`. Pure. Their colours are those of `palette.py`."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2] / "assets" / "css"


def sheet(name: str) -> str:
    """One style sheet, "player" for instance."""
    return (ROOT / f"{name}.css").read_text(encoding="utf-8")
