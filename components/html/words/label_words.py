"""What people said of a reading in words: their labels, what they differ about, their values, and what was decided. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from components.html import prompt_stretches
from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.forks.describe_edit import describe
from readers.engine.labels.adjudication import Compared, from_stored
from readers.engine.labels.label import BUILDING, DECISIVE, NO_STEP, STEP, TITLES, VALUES, Decision, Label
from readers.engine.prompts.prompt import Prompt
from readers.engine.store import Reading
from readers.engine.text.shorten import shorten_at_word

NO_CODES = "No code"
LONGEST_QUOTE = 160
_SURFACES = {"text": "the text", "prompt": "a prompt", "reply": "a reply", "wrote": "a text the model wrote"}


def label_in_words(label: Label, visible: VisibleLabels, *, marked: str = "") -> tuple[str, list[str], str]:
    """A label in words: its value, details, and the annotator's own words; `marked` are the words of a span."""
    value, words = label.value, str(label.value.get("words", label.value.get("note", "")))
    proposed = ["proposed by a model, and accepted"] * label.proposed
    if label.kind == "step":
        return visible.code_title(str(label.code)), [f"severity {value['severity']} of 3", *proposed], words
    if label.kind == "span":
        quoted = f"“{shorten_at_word(marked, LONGEST_QUOTE)}”" if marked.strip() else "A span"
        facts = [label_place(label), visible.code_title(label.code) if label.code else NO_CODES, *proposed]
        return quoted, facts, words
    if label.kind == "note":
        return "Note", [label_place(label)] * bool(label.step), words
    if label.kind == "correction":
        return "Correction", [label_place(label), *([describe(value["edit"])] if value.get("edit") else [])], words
    about = str(label.target["field"])
    if about == "note":
        return "Note", [], str(value["value"])
    facts = ["suggested by rule, and confirmed"] * label.suggested
    if about == DECISIVE:
        facts, words = [f"certainty {value['value']['confidence']} of 3", *facts], str(value["value"].get("words", ""))
    return f"{TITLES[about]}: {value_text(about, from_stored(about, value), visible)}", facts, words


def label_place(label: Label) -> str:
    """What a label is on."""
    if label.kind == "span":
        at = label.target
        return f"characters {at['start']:,} to {at['end']:,} of {_SURFACES[at['on']]}"
    return f"step {label.step:,}" if label.step else "the whole reading"


def marked_words(label: Label, reading: Reading, prompts: Callable[[], Mapping[str, Prompt]]) -> str:
    """The words that a span marks, shortened; empty if what it is on is not there any more. `prompts` gives those of the reading
    by hash."""
    found, target = "", label.target
    if target["on"] == "text":
        found = reading.document.text
    elif target["on"] == "wrote":
        found = reading.trace.wrote[target["number"]].text if target["number"] in reading.trace.wrote else ""
    elif record := next((one for one in reversed(reading.records) if one.seq == target["number"]), None):
        found = record.reply or ""
        if target["on"] == "prompt":
            prompt = prompts().get(record.prompt)
            found = "".join(one.words for one in prompt_stretches.of_record(record, prompt, reading)) if prompt else ""
    return shorten_at_word(found[target["start"] : target["end"]], LONGEST_QUOTE)


def title(disagreement: Compared) -> str:
    """What it is about."""
    return TITLES[disagreement.about] if disagreement.step is None else f"Codes of step {disagreement.step:,}"


def value_text(about: str, value: Any, visible: VisibleLabels) -> str:
    """A value in words."""
    if about == STEP:
        return ", ".join(visible.code_title(code) for code in sorted(value)) or NO_CODES
    if about == DECISIVE:
        return {NO_STEP: "No step", BUILDING: "While the text was prepared"}.get(value, f"Step {value}")
    return VALUES[about].get(str(value), str(value))


def decision_text(disagreement: Compared, visible: VisibleLabels) -> str:
    """The current decision in words; empty if there is none."""
    return decided(disagreement, disagreement.decision, visible) if disagreement.decision else ""


def decided(disagreement: Compared, decision: Decision, visible: VisibleLabels) -> str:
    """A decision in words."""
    value = from_stored(disagreement.about, decision.value)
    return "Unreadable decision" if value is None else value_text(disagreement.about, value, visible)
