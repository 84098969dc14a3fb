"""When each of the compared readings had enough: on an axis of the tokens of its calls, the first text that carried all of the
evidence (*noticed*), the first call that had all of it (*sufficient*) and the one that answered, with what lies between.

Not here: what counts as having it (`readers/engine/analysis/facts/sufficiency.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components.html import markup, plot
from components.session import process_cache, state
from components.session.drawing import current_theme
from readers.engine.analysis.facts.sufficiency import Sufficiency, spent, sufficiency
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Asked
from readers.engine.store import Reading
from readers.engine.text.document import Span
from readers.engine.text.phrases import counted

TITLE = "When did each have enough?"
# Plotly's symbol, its size and its colour: marks of one call stay apart, as a dot on a diamond on a line.
MARKS = {"answered": ("line-ns", 24, "ink"), "sufficient": ("diamond", 18, "evidence"), "noticed": ("circle", 8, "warn")}
ABOUT = (
    "Noticed: a text that the model wrote carries all of the evidence. Sufficient: one call that looked for the answer had all. "
    "Reused replies count as if they had been made."
)
_ROW, _FRAME = 40, 100  # px


# The tokens of a reading's calls up to each mark that it has (`MARKS`) and in `ALL`, and how its evidence stood.
Milestones = tuple[Mapping[str, int], Sufficiency]
ALL = "all"


def milestones(reading: Reading, facts: Sequence[Span], known: KnownAnswer | None) -> Milestones | None:
    """None where the tokens of its calls are not known, or there are none."""
    lives = [one.life for one in process_cache.followed(reading, facts, known=known)]
    stood = sufficiency(reading.trace, lives, reading.records)
    total = spent(reading.records).tokens
    if stood is None or not total:
        return None
    certain = stood.call if stood.standing == "stated" else None
    calls = {"noticed": _last_call(reading, stood.noticed), "sufficient": certain, "answered": stood.answered}
    at = {name: _tokens_until(reading, call) for name, call in calls.items() if call is not None}
    return {**at, ALL: total}, stood


def _last_call(reading: Reading, step: int | None) -> int | None:
    """The last call that was made up to the end of a step."""
    seqs = (
        event.seq
        for one, event in reading.trace.by_step()
        if isinstance(event, Asked) and step is not None and one.number <= step
    )
    return max(seqs, default=None)


def _tokens_until(reading: Reading, call: int) -> int:
    return spent(one for one in reading.records if one.seq <= call).tokens or 0


def show(readings: Sequence[Reading], names: Sequence[str], facts: Sequence[Span], known: Mapping[str, KnownAnswer]) -> None:
    """Draw the axis, and below it a sentence for each reading; nothing where no tokens are known."""
    found = {name: milestones(one, facts, known.get(one.run.id)) for name, one in zip(names, readings, strict=True)}
    drawn = {name: one for name, one in found.items() if one}
    if not drawn:
        return
    st.html(markup.section("", TITLE, hint="tokens of all calls so far"))
    key = state.key("enough", *(one.run.id for one in readings))
    alt = "The sentences below say the same."
    st.plotly_chart(figure(drawn, current_theme()), theme=None, config=plot.CONFIG, key=key, alt=alt)
    for name, one in drawn.items():
        st.html(markup.aside(f"{name}: {sentence(one)}"))
    st.caption(ABOUT)


def sentence(found: Milestones) -> str:
    """When a reading had enough, and what it took after that."""
    at, stood = found
    if "sufficient" not in at:
        perhaps = "; the words do not settle whether one did" if stood.standing == "cannot be told" else ""
        return f"no call certainly had all of the evidence, in {at[ALL]:,} tokens{perhaps}."
    calls = f" ({counted(stood.until.calls, 'call')})" if stood.until else ""
    said = [f"one call had all of the evidence after {at['sufficient']:,} tokens{calls}"]
    if "answered" in at:
        later = at["answered"] - at["sufficient"]
        said.append(f"the answer came {later:,} tokens later" if later else "it gave the answer")
    if "noticed" in at:
        said.append(f"a text that the model wrote carried all of it after {at['noticed']:,}")
    return f"{'; '.join(said)}."


def figure(found: Mapping[str, Milestones], theme: plot.Theme) -> dict[str, Any]:
    """A bar as long as all tokens for each reading, with its marks."""
    ink = plot.inks(theme)
    bars = {
        "type": "bar", "orientation": "h", "y": [*found], "x": [at[ALL] for at, _ in found.values()], "width": 0.12,
        "marker": {"color": ink["line"]}, "showlegend": False, "hovertemplate": "%{y}: %{x:,} tokens in all<extra></extra>",
    }  # fmt: skip
    marks = []
    for name, (symbol, size, colour) in MARKS.items():
        line, width = (colour, 3) if symbol == "line-ns" else ("paper", 1.5)
        there = {reading: at[name] for reading, (at, _) in found.items() if name in at}
        marks.append({
            "type": "scatter", "mode": "markers", "name": name, "y": [*there], "x": [*there.values()],
            "marker": {"symbol": symbol, "size": size, "color": ink[colour], "line": {"color": ink[line], "width": width}},
            "hovertemplate": f"%{{y}}, {name}: after %{{x:,}} tokens<extra></extra>",
        })  # fmt: skip
    return {
        "data": [bars, *marks],
        "layout": plot.layout(
            ink, height=_FRAME + _ROW * len(found), hovermode="closest",
            xaxis=plot.axis(ink, "tokens sent and received", rangemode="tozero"),
            yaxis=plot.axis(ink, autorange="reversed", automargin=True),
        ),
    }  # fmt: skip
