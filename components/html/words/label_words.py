"""What people said of a reading in words: what they differ about, their values, and what was decided. Pure."""

from __future__ import annotations

from typing import Any

from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.labels.adjudication import Compared, from_stored
from readers.engine.labels.label import BUILDING, DECISIVE, NO_STEP, STEP, TITLES, VALUES, Decision

NO_CODES = "No code"


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
