"""What all figures share: the palette in the current theme, and a layout in the page's typeface. Pure."""

from __future__ import annotations

from typing import Any, Literal

from components.html.styles import PALETTE

Theme = Literal["light", "dark"]
CONFIG = {"displayModeBar": False, "scrollZoom": False}
FONT = '"Source Sans", "Source Sans 3", sans-serif'
SMALLEST = 13  # px
MOST_SINGLE = 10  # up to this count an axis has every whole number; above it plotly chooses whole ones by itself


# The colour, dash and mark of each line in a figure: the three differ, so that colour is not needed.
LINES = (
    ("raw", "solid", "circle"), ("lost", "dash", "diamond"), ("evidence", "dot", "square"), ("model", "dashdot", "triangle-up"),
    ("warn", "longdash", "x"), ("soft", "solid", "star"), ("ink", "longdashdot", "diamond-open"), ("raw", "dash", "circle-open"),
)  # fmt: skip


def lines(count: int) -> list[tuple[str, str, str]]:
    """So many of `LINES`, from the start again after the last."""
    return [LINES[n % len(LINES)] for n in range(count)]


def inks(theme: Theme) -> dict[str, str]:
    """The palette's colours by name, in one theme."""
    return {name: light if theme == "light" else dark for name, (light, dark) in PALETTE.items()}


def axis(ink: dict[str, str], title: str = "", **more: Any) -> dict[str, Any]:
    """An axis with a title in the soft ink; `more` are plotly's own settings."""
    words = {"title": {"text": title, "font": {"color": ink["soft"], "size": SMALLEST}}} if title else {}
    return {"gridcolor": ink["line"], "zeroline": False, "tickfont": {"color": ink["ink"], "size": SMALLEST}, **words, **more}


def count_axis(ink: dict[str, str], title: str, most: float, **more: Any) -> dict[str, Any]:
    """An axis of counts from 0 to `most`, in whole numbers. For small counts, plotly would write halves, rounded: the same number
    twice."""
    steps = {"dtick": 1} if most <= MOST_SINGLE else {}
    return axis(ink, title, rangemode="tozero", tickformat=",d", **steps, **more)


def layout(ink: dict[str, str], *, height: int, **more: Any) -> dict[str, Any]:
    """A layout on the page's paper, with a legend above; `more` are plotly's own settings."""
    return {
        "height": height,
        "margin": {"l": 70, "r": 16, "t": 34, "b": 44},
        "paper_bgcolor": ink["paper"],
        "plot_bgcolor": ink["paper"],
        "font": {"family": FONT, "color": ink["ink"], "size": 14},
        "hoverlabel": {"bgcolor": ink["paper"], "bordercolor": ink["line"], "font": {"color": ink["ink"], "size": 14}},
        "legend": legend(ink),
        "dragmode": False,
        **more,
    }


def legend(ink: dict[str, str]) -> dict[str, Any]:
    """A legend above the figure, in a line as long as there is room."""
    return {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": {"color": ink["ink"], "size": 14}}
