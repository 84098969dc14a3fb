"""An experiment and its results in words and rows. Pure: no Streamlit, no storage.

Counts are shown as counts. Not here: counting (`readers/engine/forks/experiment_results.py`) and drawing (`experiments.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from components.html.figures.pictures import TallyRow
from readers.engine.forks.describe_edit import option_names
from readers.engine.forks.experiment_results import Arm, ExperimentOutcome, Firmness, OptionCount
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.record.events import Asked
from readers.engine.text.phrases import capitalised
from readers.engine.text.shorten import truncate

LONGEST = 600
SAME, OTHER, ALIKE = "◆ as in the reading", "≠ counted as changed", "≈ worded differently, counted as the same"


class AskedCall(NamedTuple):
    """A recorded call, and what the reader calls the texts of its trace."""

    prompt: Prompt
    parts: tuple[Part, ...]
    event: Asked | None
    names: Mapping[str, str]


def answers(found: ExperimentOutcome) -> list[TallyRow]:
    """Every answer given, with its counts in both arms."""
    return [
        TallyRow(
            truncate(answer.words, LONGEST),
            SAME if answer.recorded else OTHER if answer.changed else ALIKE,
            (answer.without, answer.unchanged),
        )
        for answer in found.answers
    ]


def left_over(found: ExperimentOutcome, changed: str = "without it") -> str:
    """The samples of both arms that are not counted or ended without an answer; empty if there are none. `changed` is what the
    first arm is called."""
    sentences = [_of_arm(name, arm) for name, arm in ((capitalised(changed), found.without), ("Unchanged", found.unchanged))]
    return " ".join(sentence for sentence in sentences if sentence)


def _of_arm(name: str, arm: Arm) -> str:
    said = []
    if arm.ended:
        said.append(f"{arm.ended} of {arm.finished} ended without an answer")
    if arm.failed:
        said.append(f"{arm.failed} failed and {'is' if arm.failed == 1 else 'are'} not counted")
    if arm.stopped:
        said.append(f"{arm.stopped} {'was' if arm.stopped == 1 else 'were'} stopped before the end and not counted")
    return f"{name}, {'; '.join(said)}." if said else ""


def options(found: Firmness, call: AskedCall) -> list[TallyRow]:
    """Every option chosen, with its count."""
    rows = []
    for came in found.options:
        said = [SAME] if came.taken else []
        if came.answers:
            said.append("; ".join(f"“{truncate(words, 160)}” {times}×" for words, times in came.answers))
        rows.append(TallyRow(option(came, call), " · ".join(said), (came.times,)))
    if found.unreadable:
        rows.append(TallyRow("unreadable reply", "", (found.unreadable,)))
    return rows


def stability(found: Firmness, call: AskedCall) -> str:
    """`part 2 came in 4 of 5`: the option the reading chose or, if it chose none, the most frequent one."""
    if not found.came:
        return "no reply has come"
    if not found.options:
        return f"none of {found.came} replies could be read"
    first = found.options[0]
    return f"{truncate(option(first, call), 90)} came in {first.times} of {found.came}"


def option(came: OptionCount, call: AskedCall) -> str:
    """An option by the reader's name for it, otherwise in the prompt's words."""
    value = came.value
    if isinstance(value, tuple):
        return ", ".join(_name(number, call) or f"page {number + 1}" for number in value) or "no page"
    offered = {choice.value: choice for choice in call.prompt.options(call.parts)}
    if isinstance(value, int):
        choice = offered.get(value)
        named = _name(value, call)
        return named or (
            truncate(f"{choice.label} {choice.words}" if choice.sent or value > 0 else choice.words or choice.label, LONGEST)
            if choice
            else str(value)
        )
    lettered = [choice.label for choice in offered.values() if choice.label.startswith(value)]
    return truncate(lettered[0] if len(lettered) == 1 and len(value) == 3 else came.words, LONGEST)


def _name(number: int, call: AskedCall) -> str:
    """The reader's name for the text behind a number; empty if it has none."""
    return option_names(call.prompt, dict(call.event.parts) if call.event else {}, call.names).get(number, "")
