"""What readings cost by the number of questions to their text, and which reading is the cheapest: in words and as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from components.compare.pair import Numbered
from components.html import plot
from components.html.cost_lines import by_questions, cheapest_told, unit_told
from components.session import state
from components.session.drawing import current_theme
from readers.engine.record.costs import CostComparison, Costs, cheapest, compare_costs
from readers.engine.record.costs import costs as costs_of
from readers.engine.store import Reading, Run
from readers.engine.text.phrases import capitalised, listed

NOTE = (
    "Building is done once for each text and serves every question; asking is done for each question. Replies reused from "
    "another reading count at the price of making them again. Another question may need more asking, or less."
)


def show(all_of_them: Sequence[Numbered]) -> None:
    """After how many questions to their text which of the readings is the cheapest."""
    found = [costs_of(one.reading.records) for one in all_of_them]
    ids = [one.reading.run.id for one in all_of_them]
    numbers, names = [one.number for one in all_of_them], [one.name for one in all_of_them]
    stages = cheapest(found)
    told = (
        balance_told(compare_costs(*found), found, numbers)
        if len(found) == 2
        else cheapest_told(stages, found, [_in_sentence(name) for name in names])
    )
    st.html(_balance(told, unfinished([one.reading.run for one in all_of_them], numbers)))
    if len(stages) > 1 or (stages and len(found) > 2):
        lines = {f"reading {number}": costs for number, costs in zip(numbers, found, strict=True)}
        figure = by_questions(lines, current_theme())
        with st.container(key="compare-balance"):
            st.plotly_chart(figure, key=state.key("pair", "balance", *ids), theme=None, config=plot.CONFIG)


# In words


def _in_sentence(numbered: str) -> str:
    """A numbered name within a sentence: *reading 2 (its name)*."""
    number, _, name = numbered.partition(" · ")
    return f"reading {number} ({name})"


def balance_told(found: CostComparison | None, both: Sequence[Costs], numbers: Sequence[int]) -> str:
    """After how many questions to this text one reading is cheaper than the other, in a sentence or two."""
    if found is None:
        return "Which is cheaper is unknown: some calls have no price and no token count."
    names = {-1: f"reading {numbers[0]}", 1: f"reading {numbers[1]}"}
    counted = unit_told(found.unit, both)
    if found.last == 0:
        return f"{counted}, both cost the same, however many questions are asked."
    if found.break_even is None:
        return (
            f"{counted}, {names[found.last]} is cheaper from the first question on; {names[-found.last]} never becomes cheaper."
        )
    before = found.break_even - 1
    until = "the first question" if before == 1 else f"up to {before:,} questions"
    at_first = f"{names[found.first]} is cheaper for {until}" if found.first else "both cost the same for the first question"
    level = found.first and both[0].total(before, found.unit) == both[1].total(before, found.unit)
    at_first += f" (at {before:,} they cost the same)" if level else ""
    return f"{counted}, {at_first}. From {found.break_even:,} questions on, {names[found.last]} is cheaper."


def by_hand(readings: Sequence[Reading]) -> str:
    """Which readings have replies that a person wrote in the model's place, because their tokens are not counted."""
    counts = [sum(record.origin == "edited" and record.reply is not None for record in one.records) for one in readings]
    told = [f"{count:,} of reading {number}" for number, count in enumerate(counts, 1) if count]
    if not told:
        return ""
    if sum(counts) == 1:
        return f"One reply, {told[0].partition(' ')[2]}, was written by a person, so its tokens are not counted."
    return f"Replies that were written by a person, {listed(told)}, are not counted with their tokens."


def unfinished(runs: Sequence[Run], numbers: Sequence[int]) -> str:
    """Which of the readings did not end, so that their cost is the cost so far."""
    found = [f"reading {number}" for run, number in zip(runs, numbers, strict=True) if run.status != "finished"]
    if not found:
        return ""
    told = "it cost" if len(found) == 1 else "they cost"
    return capitalised(f"{' and '.join(found)} stopped before the end: this is what {told} until then.")


def _balance(words: str, note: str) -> str:
    """After how many questions which reading is cheaper."""
    more = f'<p class="aside">{escape(note)}</p>' if note else ""
    return f'<div class="parting"><p class="lead-sentence">{escape(words)}</p>{more}</div>'
