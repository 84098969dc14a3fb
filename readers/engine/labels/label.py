"""What people say about readings: labels, turns and decisions, and what a label may hold. Pure.

A label is one statement by one annotator about one reading: about the whole of it, a step, a span of characters, or on what
should have been there. The labels on a whole reading follow an error taxonomy for readers: outcome, support, path, decisive step,
and fate of the fact. Not here: what a valid label is (`check_label.py`), who may see it (`project.py`), and what its code means
(`codebook.py`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from readers.engine.canonical import digest, encodable
from readers.engine.errors import BadOptions

NOTES, GROUPS, CODES = 1, 2, 3  # the stages of an annotator: open notes, grouping them, the codebook
STAGES = (NOTES, GROUPS, CODES)
KINDS = ("reading", "step", "span", "note", "correction")
# What an annotator may answer about a whole reading, each value with its title.
OUTCOMES = {
    "correct": "Correct", "partly": "Partly correct", "wrong": "Wrong", "abstained_right": "Rightly abstained",
    "abstained_wrong": "Wrongly abstained", "not_judgeable": "Cannot be judged",
}  # fmt: skip
SUPPORTS = {"proves": "Proves it", "compatible": "Compatible", "contradicts": "Contradicts it", "none": "None"}
PATHS = {
    "direct": "Direct", "recovered": "Strayed, recovered", "lost": "Strayed, lost", "exhausted": "Tried everything",
    "aborted": "Aborted",
}  # fmt: skip
# The codes for the fate of the fact. Which fates of the rules have which: analysis/facts/fates.py.
FATES = {
    "never_indexed": "Never indexed",
    "never_offered": "Never offered",
    "not_chosen": "Not chosen",
    "not_extracted": "Not extracted",
    "later_lost": "Extracted, then lost",
    "unused": "Present, not used",
    "used": "Used",
}
VALUES: Mapping[str, Mapping[str, str]] = {"outcome": OUTCOMES, "support": SUPPORTS, "path": PATHS, "fate": FATES}
DECISIVE, STEP, SEVERITY = "decisive", "step", "severity"
# What is compared, decided and counted, in addition to spans: the fields of a reading, the codes of a step, the worst severity.
TITLES = {
    "outcome": "Outcome", "support": "Support", "path": "Path", DECISIVE: "Decisive step", "fate": "Fate of the fact",
    STEP: "Codes of a step", SEVERITY: "Severity",
}  # fmt: skip
FIELDS = ("outcome", "support", "path", "decisive", "fate", "note")
BY_RULE = "rule"  # who suggested a fate or a decisive step that an annotator confirmed
SUGGESTED_FIELDS = ("decisive", "fate")
BY_MODEL = "model"  # who proposed a code or marked words that an annotator accepted
MODEL_NAME = "model: "  # how the name of an annotator begins that is a model
SURFACES = ("text", "prompt", "reply", "wrote")
NO_STEP, BUILDING = "none", "building"  # there is no decisive step, or it lies before the question was asked
SEVEREST = 3
LONGEST_NOTE, LONGEST_CODE, LONGEST_GROUP, LONGEST_NAME, LONGEST_EDIT = 4_000, 40, 80, 80, 200_000

Standing = Literal["open", "done", "skipped"]
PhaseOf = Callable[[str, int], str | None]  # the phase of a step (from 1) of a run; None if it is unknown
# What an annotator may write in each stage: no codes before the codebook is seen.
WRITES = {NOTES: ("note", "span", "correction"), GROUPS: ("note",), CODES: KINDS}


@dataclass(frozen=True)
class Label:
    """One label. `target` is its subject and `value` its content, both JSON data, shaped by `kind`:

    - reading: target `field`, value `value` (see `FIELDS`; decisive: `step`, `confidence` 1 to 3, `words`). One label a field.
      `suggested` is `BY_RULE` where a rule suggested it and the annotator confirmed that unchanged; others have none.
    - step: target `step` from 1, value `code`, `severity` 1 to 3, `note`. Several codes on a step are several labels.
      Here and on spans `suggested` is `BY_MODEL` where a model proposed the code and the annotator accepted it; others have none.
    - span: target `on`, `number` (seq of the call, or n of the written text; none on the source text), `start`, `end` in
      characters, half-open; value `code` or None, `note`.
    - note: target `step` or None, value `words`, `group`.
    - correction: target `step`, value `edit` (another reply or text, as `edits.to_json` writes it) or None, `words`.

    `codebook` is the version it was made under (0: none was shown). `revision` counts from 1, and is 0 before the label was
    saved. `at` is ISO 8601 in UTC.
    """

    id: str
    project: str
    run: str
    annotator: str
    kind: str
    target: dict[str, Any] = field(default_factory=dict)
    value: dict[str, Any] = field(default_factory=dict)
    codebook: int = 0
    revision: int = 0
    at: str = ""
    removed: bool = False

    @property
    def code(self) -> str | None:
        """The code of a step or span."""
        code = self.value.get("code")
        return code if isinstance(code, str) else None

    @property
    def suggested(self) -> bool:
        """Whether a rule suggested what the annotator confirmed here."""
        return self.value.get("suggested") == BY_RULE

    @property
    def proposed(self) -> bool:
        """Whether a model proposed what the annotator accepted here."""
        return self.value.get("suggested") == BY_MODEL

    @property
    def step(self) -> int | None:
        """The step that the label is about; None for the whole reading and for spans."""
        step = self.value.get("value", {}).get("step") if self.target.get("field") == "decisive" else self.target.get("step")
        return step if isinstance(step, int) else None


class Revision(NamedTuple):
    """One state that a label had, or (`refused`) a change that came too late and was not applied."""

    revision: int
    value: dict[str, Any]
    codebook: int
    at: str
    removed: bool
    refused: bool = False


class Turn(NamedTuple):
    """One annotator's work on one reading in one stage. `ms` is the time spent, `reason` why it was skipped.

    `again` marks for good that the work was not blind: it was reopened after it was done, when the annotator may have seen
    others' labels, or the annotator leads the project and saw others' labels of this reading before.
    """

    project: str
    run: str
    annotator: str
    stage: int
    standing: Standing
    reason: str = ""
    opened: str = ""
    closed: str = ""
    ms: int = 0
    again: bool = False


class Decision(NamedTuple):
    """The decision on a disagreement, and why. `target` is JSON data that names the disagreement; `revision` counts from 1."""

    project: str
    run: str
    target: dict[str, Any]
    value: dict[str, Any]
    reason: str
    by: str
    revision: int = 0
    at: str = ""


def is_model(annotator: str) -> bool:
    """Whether an annotator is a model that proposes codes: it takes nobody's place, and is in no figure of people's work."""
    return annotator.casefold().startswith(MODEL_NAME)


def annotator_name(name: str) -> str:
    """An annotator's name with its blanks tidied, 1 to 80 characters long. Raises BadOptions."""
    return tidy_name(name, "an annotator")


def tidy_name(name: str, owner: str) -> str:
    """A name with its blanks tidied; `owner` is for the error message. Raises BadOptions."""
    tidy = " ".join(unicodedata.normalize("NFC", encodable(name)).split())
    if not 1 <= len(tidy) <= LONGEST_NAME or not tidy.isprintable():
        raise BadOptions(f"{owner} has a name of 1 to {LONGEST_NAME} characters, all of them printable; choose another")
    return tidy


def reading_id(project: str, run: str, annotator: str, field: str) -> str:
    """The fixed id of an annotator's label on a field of a reading, so that two tabs edit the same label."""
    return f"{project}.{run}.{digest(annotator)[:16]}.{field}"


def same_label(one: Label, other: Label) -> bool:
    """Whether two labels say the same about the same thing, regardless of their revisions."""
    return (one.kind, one.target, one.value, one.codebook, one.removed) == (
        other.kind, other.target, other.value, other.codebook, other.removed,
    )  # fmt: skip


def under_its_codebook(label: Label, current: Label | None) -> Label:
    """A changed label that keeps its code keeps the codebook version of that code: changing the severity or the note does not
    mean that the annotator has reviewed the code's present meaning."""
    same = current is not None and not current.removed and current.code and current.code == label.code
    return replace(label, codebook=current.codebook) if current and same else label


def allowed(kind: str, value: Mapping[str, Any], stage: int) -> bool:
    """Whether a label of this kind and value can be made in a stage; codes only in stage 3."""
    return kind in WRITES.get(stage, ()) and (stage >= CODES or value.get("code") is None)


# Corrections: what would have been right at a step, as an edit, in words, or both. One label holds both, but two places write
# them: the label panel the words, the page below the player the edit. Typed words never change the edit, and a chosen edit never
# changes the words. An annotator has one correction a step; its id is fixed, so that two tabs edit the same label.


def label_seed(project: str, run: str, annotator: str) -> str:
    """What the ids of an annotator's labels on a run are made from, here and in the browser."""
    return digest(f"{project}|{run}|{annotator}")[:32]


def correction_id(seed: str, step: int) -> str:
    """The id of an annotator's correction of a step (from 1)."""
    return f"{seed[:24]}{step:08x}"


def correction_of(labels: Iterable[Label], step: int) -> Label | None:
    """The correction of a step among an annotator's labels; one that was imported may have another id."""
    return next((one for one in labels if one.kind == "correction" and not one.removed and one.target["step"] == step), None)


def correction_words(state: Label | Revision | None) -> str:
    """The words of a correction in one of its states; empty before it existed and while it is removed."""
    return "" if state is None or state.removed else str(state.value.get("words", ""))
