"""The fates that the rules find for a project's readings, as values of the field *Fate of the fact*, each with its deciding step.

Only for readings of which the viewer may see the known answer, and whose evidence is known. The fates are followed in the
background and saved (`widgets/progress/evidence_fates.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from components.annotate.results.asked import Found
from components.widgets.progress import evidence_fates
from readers.engine.analysis.facts.evidence import Wanted
from readers.engine.analysis.facts.fates import FATES
from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.labels.label import FATES as CODES

WAIT = 0.3  # seconds: the rest of the results is drawn meanwhile


class FateByRule(NamedTuple):
    """The fate that the rules find, None where they cannot tell, and the step (from 1) that decided it."""

    value: str | None
    step: int


def which_codes() -> str:
    """Which fates of the rules have which code of the annotators."""
    codes = CODES | {"": "No code"}
    by_code = {code: " or ".join(f"“{one.id}”" for one in FATES.values() if one.code == code) for code in codes}
    return f"The rules’ fates by code. {'; '.join(f'{codes[code]}: {fates}' for code, fates in by_code.items())}."


def of(visible: VisibleLabels, found: Found) -> Mapping[str, FateByRule] | None:
    """The fates of the readings in which people found one, by run; None while they are being followed, or after that was
    cancelled."""
    every = [Wanted(visible.runs[run], known) for run, known in found.followed.items()]
    fates = evidence_fates.of(visible.project.id, every, wait=WAIT) if every else {}
    if fates is None:
        return None
    return {run: FateByRule(FATES[one.kind].code or None, one.step + 1) for run, one in fates.items() if one}
