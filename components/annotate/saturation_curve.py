"""The saturation curve as plotly's JSON data: how many groups or codes there are after each reading. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from components.html.figures import plot

HEIGHT = 230  # px


def figure(curve: Sequence[int], thing: str, theme: plot.Theme) -> dict[str, Any]:
    """A step for each reading that brought something new. Where the line stays level, the readings are saturated."""
    ink = plot.inks(theme)
    line = {
        "type": "scatter", "mode": "lines+markers", "x": list(range(1, len(curve) + 1)), "y": list(curve),
        "line": {"shape": "hv", "width": 2, "color": ink["raw"]}, "marker": {"size": 5, "color": ink["raw"]},
        "hovertemplate": f"After %{{x}} readings: %{{y}} {thing}<extra></extra>",
    }  # fmt: skip
    return {
        "data": [line],
        "layout": plot.layout(
            ink, height=HEIGHT, showlegend=False, margin={"l": 60, "r": 16, "t": 12, "b": 44},
            xaxis=plot.count_axis(ink, "readings, as they were finished", len(curve)),
            yaxis=plot.count_axis(ink, thing, max(curve, default=0)),
        ),
    }  # fmt: skip
