"""Disagreements, the values in them and the decisions on them, in words. Pure."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

from components.annotate.bench import panel_data
from readers.engine.analysis.visible_labels import VisibleLabels, labels_of
from readers.engine.forks import describe_edit
from readers.engine.labels.adjudication import STEP, SUBJECTS, Compared, from_stored
from readers.engine.labels.label import BUILDING, NO_STEP, Decision, Label
from readers.engine.statistics.agreement import Coefficient
from readers.engine.text.shorten import shorten_at_word

CHOICES = {field: dict(values) for field, _, _, values, _ in panel_data.CHOICES}
_TITLES = {field: title for field, title, *_ in panel_data.CHOICES} | {"decisive": "Decisive step", STEP: "Codes of a step"}
TITLES = {subject: _TITLES[subject] for subject in SUBJECTS}
NO_CODES = "No code"
_SURFACES = {"text": "the text", "prompt": "a prompt", "reply": "a reply", "wrote": "a text the model wrote"}


class LabelText(NamedTuple):
    """A label in words: its value, details, the annotator's own words, and a warning or none."""

    value: str
    facts: tuple[str, ...] = ()
    words: str = ""
    warning: str = ""


class CodeAgreement(NamedTuple):
    """The agreement on a code: its alpha, and the share of labels with it."""

    code: str
    alpha: Coefficient
    prevalence: float


class ReviewReason(NamedTuple):
    """Why labels should be reviewed, how many they are, and in how many readings."""

    why: str
    labels: int
    readings: int


class DecisionRow(NamedTuple):
    """A decision in words, who made it, when (UTC), and why."""

    decision: str
    by: str
    when: str
    why: str


class Side(NamedTuple):
    """One annotator's side of a disagreement: their value in words, and its labels."""

    name: str
    value: str
    labels: tuple[LabelText, ...]


def title(disagreement: Compared) -> str:
    """What it is about."""
    return TITLES[disagreement.about] if disagreement.step is None else f"Codes of step {disagreement.step:,}"


# Values and decisions


def value_text(about: str, value: Any, visible: VisibleLabels) -> str:
    """A value in words."""
    if about == STEP:
        return ", ".join(visible.code_title(code) for code in sorted(value)) or NO_CODES
    if about == "decisive":
        return {NO_STEP: "No step", BUILDING: "While the text was prepared"}.get(value, f"Step {value}")
    return CHOICES[about].get(str(value), str(value))


def decision_text(disagreement: Compared, visible: VisibleLabels) -> str:
    """The current decision in words; empty if there is none."""
    return _decided(disagreement, disagreement.decision, visible) if disagreement.decision else ""


def decision_history(disagreement: Compared, visible: VisibleLabels) -> list[DecisionRow]:
    """All decisions, the latest first."""
    rows = [
        DecisionRow(_decided(disagreement, one, visible), one.by, one.at[:16].replace("T", " ") + " UTC", one.reason)
        for one in disagreement.decisions
    ]
    return rows[::-1]


def _decided(disagreement: Compared, decision: Decision, visible: VisibleLabels) -> str:
    value = from_stored(disagreement.about, decision.value)
    return "Unreadable decision" if value is None else value_text(disagreement.about, value, visible)


# Labels side by side


def sides(disagreement: Compared, visible: VisibleLabels, text: str) -> list[Side]:
    """Each annotator's side. `text` is the source text, for the words of marked spans; empty if there are none."""
    reasons = {label.id: why for label, why in visible.to_review}

    def with_warning(label: Label) -> LabelText:
        return in_words(label, visible, text)._replace(warning=reasons.get(label.id, ""))

    return [
        Side(
            name,
            value_text(disagreement.about, value, visible),
            tuple(with_warning(label) for label in labels_of(disagreement, visible, name)),
        )
        for name, value in disagreement.values.items()
    ]


def in_words(label: Label, visible: VisibleLabels, text: str) -> LabelText:
    """A label in words, with its note."""
    value, at = label.value, label.target
    if label.kind == "step":
        return LabelText(visible.code_title(str(label.code)), (f"severity {value['severity']} of 3",), value.get("note", ""))
    if label.kind == "span":
        where = f"characters {at['start']:,} to {at['end']:,} of {_SURFACES[at['on']]}"
        marked = _quoted(text[at["start"] : at["end"]]) if at["on"] == "text" else ""
        code = visible.code_title(label.code) if label.code else NO_CODES
        return LabelText(marked or "A span", (where, code), value.get("note", ""))
    if label.kind == "note":
        return LabelText("Note", (f"step {at['step']:,}",) if at["step"] else (), value["words"])
    if label.kind == "correction":
        changed = [describe_edit.describe(value["edit"])] if value.get("edit") else []
        return LabelText("Correction", (f"step {at['step']:,}", *changed), value.get("words", ""))
    by_rule = ("suggested by rule, and confirmed",) * label.suggested
    if at["field"] == "decisive":
        facts = (f"certainty {value['value']['confidence']} of 3", *by_rule)
        return LabelText("", facts, value["value"].get("words", ""))
    return LabelText("Note", (), str(value["value"])) if at["field"] == "note" else LabelText("", by_rule)


def _quoted(words: str) -> str:
    return f"“{shorten_at_word(words, 120)}”" if words.strip() else ""


# Labels to review


def review_reasons(visible: VisibleLabels) -> list[ReviewReason]:
    """Why labels should be reviewed; the most frequent reason first."""
    by_reason: dict[str, list[str]] = defaultdict(list)
    for label, reason in visible.to_review:
        by_reason[reason.partition(", and the label is from version")[0]].append(label.run)
    rows = [ReviewReason(reason, len(runs), len(set(runs))) for reason, runs in by_reason.items()]
    return sorted(rows, key=lambda row: (-row.labels, row.why))


def review_sentence(labels: int) -> str:
    """How many labels should be reviewed, and that they count unchanged."""
    were = "1 label was made" if labels == 1 else f"{labels:,} labels were made"
    it = "It counts" if labels == 1 else "They count"
    return f"{were} under an older definition and should be reviewed. {it} unchanged."
