"""The post-mortem of a batch on the Evaluate page: a bar for each reader (found or not, right or not), the figures with their
intervals, what finding took, and what several questions on one text would take.

The evidence is followed on request (`choose.py`). Not here: what is counted (`analysis/evaluate/post_mortem.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components.evaluate.choose import FOLLOWS, Chooser
from components.html import markup, plot
from components.html.cost_lines import by_questions
from components.session import state
from components.session.drawing import current_theme
from components.widgets import report as tables
from readers.engine.analysis.evaluate import post_mortem, report
from readers.engine.analysis.evaluate.post_mortem import GROUPS, Examined
from readers.engine.record.costs import unit_for
from readers.engine.report.values import Table
from readers.engine.text.phrases import counted

# The colour of each group in the palette, and its pattern: who sees no colours tells the groups by these.
LOOKS = {
    "found_right": ("evidence", ""), "found_wrong": ("lost", "\\"),
    "missed_right": ("warn", "|"), "missed_wrong": ("not-covered", "-"),
    "open": ("not-covered", "/"), "ungraded": ("not-covered", "."),
}  # fmt: skip
_UNKNOWN = ("open", "ungraded")
_ROW, _FRAME = 46, 110  # px
MORE = "Its price, and the figures with their intervals"


def show(chooser: Chooser, score: str) -> None:
    """Draw the post-mortem of the readings whose evidence was followed, and offer to follow the others."""
    if not chooser.every:
        return
    st.html(markup.section("", "Post-mortem", hint="did it find the evidence, and answer rightly?"))
    chooser.follow(FOLLOWS)
    examined = chooser.examined
    if not examined:
        st.html(markup.aside("Follow the evidence to see which readers found it, and how often they were right with it."))
        return
    key = state.key("eval_post_mortem", chooser.batch.id, score)
    st.plotly_chart(
        bars(post_mortem.by_reader(examined), current_theme()), theme=None, config=plot.CONFIG, key=key,
        on_select=lambda: _clicked(chooser, key), selection_mode="points",
        alt="Readers by what became of their readings. The table below has the same counts.",
    )  # fmt: skip
    st.caption("  \n".join(f"**{name}**: {meaning}." for name, meaning in GROUPS.values()))
    chosen = chooser.chosen(score)
    if state.value(chooser.key("which")) in GROUPS:
        st.html(markup.aside(f"{chosen.name}: {counted(len(chosen.runs), 'reading')}, each opened by its mark."))
        shown = [one for one in chooser.found.readings if one.run in chosen.runs]
        tables.draw(report.marks(shown, score, chooser.found.readers), kind="marks")
    for sentence in post_mortem.sentences(post_mortem.compared(examined)):
        st.html(markup.aside(sentence))
    box = st.expander(MORE, key=state.key("eval_found_more", chooser.batch.id), on_change="rerun")
    if box.open:  # nothing of it is computed before
        with box:
            for table in post_mortem.tables(examined):
                _table(table)
            _costs(examined)


def _clicked(chooser: Chooser, figure: str) -> None:
    """Choose the readings of the part of a bar that was clicked; if none was clicked, all."""
    group, _, reader = state.clicked(figure).partition(":")
    state.set_value(chooser.key("which"), group)
    state.set_value(chooser.key("whose"), [reader] if reader else [])


def _table(table: Table) -> None:
    st.html(markup.section("", table.title))
    tables.draw(table)


def _costs(examined: Sequence[Examined]) -> None:
    """The picture of what several questions on one text would take, if any price or tokens are known."""
    by = post_mortem.mean_costs(examined)
    if len(by) > 1 and unit_for([*by.values()]):
        st.plotly_chart(by_questions(by, current_theme()), theme=None, config=plot.CONFIG, key=state.key("eval_break_even", *by))


def bars(by: Mapping[str, Sequence[Examined]], theme: plot.Theme) -> dict[str, Any]:
    """A bar for each reader in shares of its readings; a part that is clicked says its group and reader."""
    ink = plot.inks(theme)
    drawn = [_part(key, by, ink) for key in GROUPS if any(one.group == key for some in by.values() for one in some)]
    shares = plot.axis(ink, "percent of its readings with known evidence", range=[0, 100])
    return {
        "data": drawn,
        "layout": plot.layout(
            ink, height=_FRAME + _ROW * len(by), barmode="stack", bargap=0.35, hovermode="closest",
            legend={**plot.legend(ink), "traceorder": "normal"}, xaxis=shares,
            yaxis=plot.axis(ink, autorange="reversed", automargin=True),
        ),
    }  # fmt: skip


def _part(key: str, by: Mapping[str, Sequence[Examined]], ink: Mapping[str, str]) -> dict[str, Any]:
    """The part of every bar that is one group. What is not known is a pattern on paper, with counts in the ink of text; the
    others have their colour, with a few lines of paper."""
    name, (colour, pattern) = GROUPS[key][0], LOOKS[key]
    counts = [sum(one.group == key for one in some) for some in by.values()]
    is_open = key in _UNKNOWN
    font = {"size": plot.SMALLEST, "color": ink["ink" if is_open else "paper"]}
    hatch: dict[str, Any] = {"shape": pattern, "bgcolor": ink[colour], "fgcolor": ink["paper"], "size": 12, "solidity": 0.12}
    if is_open:
        hatch |= {"bgcolor": ink["paper"], "fgcolor": ink[colour], "size": 6, "solidity": 0.25}
    kept = {"marker": {"opacity": 1}, "textfont": {"color": font["color"]}}  # a click fades nothing
    return {
        "type": "bar", "orientation": "h", "name": name, "y": [*by],
        "x": [100 * count / len(some) for count, some in zip(counts, by.values(), strict=True)],
        "text": [f"{count:,}" if count else "" for count in counts],
        "textposition": "inside", "insidetextanchor": "middle", "textangle": 0, "textfont": font,
        "customdata": [f"{key}:{reader}" for reader in by],
        "marker": {"color": ink[colour], "pattern": hatch},
        "hovertemplate": f"%{{y}}, {name.lower()}: %{{x:.0f}} % (%{{text}})<extra></extra>",
        "selected": kept, "unselected": kept,
    }  # fmt: skip
