"""What people say about readings: labels, turns and decisions, and what a label may hold.

A label is one statement of one annotator about one reading: about the whole of it, a step, a stretch of characters, or what
should have been there. Pure: a label that comes through `checked` can be kept as it is. Text is kept as it was typed, whatever it
holds; only what UTF-8 cannot encode becomes a question mark. Not here: who may see a label (`projects.py`), and what its code
means (`codebook.py`). The record of a whole reading follows an error taxonomy for readers: outcome, support, path, decisive step,
and the fate of the fact.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from readers.engine.canonical import canonical, digest, encodable
from readers.engine.errors import BadOptions
from readers.engine.record import edits

NOTES, GROUPS, CODES = 1, 2, 3  # the stages of an annotator: open notes, their grouping, the codebook
STAGES = (NOTES, GROUPS, CODES)
KINDS = ("reading", "step", "span", "note", "correction")
OUTCOMES = ("correct", "partly", "wrong", "abstained_right", "abstained_wrong", "not_judgeable")
SUPPORTS = ("proves", "compatible", "contradicts", "none")
PATHS = ("direct", "recovered", "lost", "exhausted", "aborted")
FATES = ("never_indexed", "never_offered", "not_chosen", "not_extracted", "later_lost", "unused", "used")
FIELDS = ("outcome", "support", "path", "decisive", "fate", "note")
SURFACES = ("text", "prompt", "reply", "wrote")
NO_STEP, BUILDING = "none", "building"  # a decisive step that is none, or lies before the question was asked
SEVEREST = SUREST = 3
LONGEST_NOTE, LONGEST_CODE, LONGEST_GROUP, LONGEST_NAME, LONGEST_EDIT = 4_000, 40, 80, 80, 200_000
_MOST = 1_000_000_000

Standing = Literal["open", "done", "skipped"]
# What an annotator may write in each stage: no codes before the codebook is seen.
WRITES = {NOTES: ("note", "span", "correction"), GROUPS: ("note",), CODES: KINDS}


@dataclass(frozen=True)
class Label:
    """One label. `target` says about what, `value` what, both JSON data whose shape goes by `kind`:

    - reading: target `field`, value `value` (see `FIELDS`; decisive: `step`, `confidence` 1 to 3, `words`). One a field.
    - step: target `step` from 1, value `code`, `severity` 1 to 3, `note`. Several codes of a step are several labels.
    - span: target `on`, `number` (seq of the call, or n of the written text; none on the source text), `start`, `end` in
      characters, half-open; value `code` or None, `note`.
    - note: target `step` or None, value `words`, `group`.
    - correction: target `step`, value `edit` (another reply or text, as `edits.to_json` writes it) or None, `words`.

    `codebook` is the version it was made with (0: none was shown), `revision` counts from 1 and is 0 before it was kept, `at` is
    ISO 8601 in UTC.
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
        """The code that a step or span has."""
        code = self.value.get("code")
        return code if isinstance(code, str) else None

    @property
    def step(self) -> int | None:
        """The step it is about; None for the whole reading and for spans."""
        step = self.value.get("value", {}).get("step") if self.target.get("field") == "decisive" else self.target.get("step")
        return step if isinstance(step, int) else None


class Revision(NamedTuple):
    """One state that a label had, or (`refused`) one that came too late and was not taken over another."""

    revision: int
    value: dict[str, Any]
    codebook: int
    at: str
    removed: bool
    refused: bool = False


class Turn(NamedTuple):
    """One annotator's work on one reading in one stage. `ms` is the time spent, `reason` why it was skipped.

    `again`: for good, it is not blind work. It was opened once more after it was done, when others' labels may have been seen, or
    it is of who leads the project and could see everything before they labelled in it.
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
    """What was decided on a disagreement, and why. `target` is JSON data naming what was disagreed on; `revision` from 1."""

    project: str
    run: str
    target: dict[str, Any]
    value: dict[str, Any]
    reason: str
    by: str
    revision: int = 0
    at: str = ""


def annotator_name(name: str) -> str:
    """A name as it is kept: 1 to 80 characters, blanks around it and doubled ones gone. Raises BadOptions for another."""
    return tidy_name(name, "an annotator")


def tidy_name(name: str, whose: str) -> str:
    """A name as it is kept; `whose` stands in the refusal. Raises BadOptions."""
    tidy = " ".join(unicodedata.normalize("NFC", encodable(name)).split())
    if not 1 <= len(tidy) <= LONGEST_NAME or not tidy.isprintable():
        raise BadOptions(f"{whose} has a name of 1 to {LONGEST_NAME} characters, all of them to be seen; write another one")
    return tidy


def reading_id(project: str, run: str, annotator: str, field: str) -> str:
    """The one id of an annotator's label on a field of a reading: two tabs edit the same label."""
    return f"{project}.{run}.{digest(annotator)[:16]}.{field}"


def checked(label: Label) -> Label:
    """The label with target and value whole and bounded, and its id; a `reading` label may come without one. Raises BadOptions,
    naming what is unknown, missing or too long."""
    if label.kind not in KINDS:
        raise BadOptions(f"there is no label of the kind {_shown(label.kind)}; there are {', '.join(KINDS)}")
    target = _taken(label.kind, "target", _TARGETS[label.kind], label.target)
    value = _taken(label.kind, "value", _VALUES[label.kind], label.value)
    if label.kind == "reading":
        value = {"value": _FIELD_VALUES[target["field"]](target["field"], value["value"])}
    elif label.kind == "span":
        target = _span(target)
    whole = replace(
        label, target=target, value=value, id=_id(label, target), codebook=_whole("codebook", label.codebook, least=0)
    )
    return replace(whole, removed=bool(whole.removed))


def same_label(one: Label, other: Label) -> bool:
    """Whether two labels say the same about the same thing, whatever their revisions."""
    return (one.kind, one.target, one.value, one.codebook, one.removed) == (
        other.kind, other.target, other.value, other.codebook, other.removed,
    )  # fmt: skip


def under_its_codebook(label: Label, current: Label | None) -> Label:
    """A changed label whose code stays keeps the codebook version of that code: changing the severity or the note does not mean
    that the annotator has looked again at what the code means now."""
    same = current is not None and not current.removed and current.code and current.code == label.code
    return replace(label, codebook=current.codebook) if current and same else label


def allowed(kind: str, value: Mapping[str, Any], stage: int) -> bool:
    """Whether a label of this kind and value can be written in a stage: codes come with the codebook."""
    return kind in WRITES.get(stage, ()) and (stage >= CODES or value.get("code") is None)


def checked_decision(decision: Decision) -> Decision:
    """The decision with its data bounded and its reason given. Raises BadOptions."""
    reason = _text("reason", decision.reason)
    if not reason.strip():
        raise BadOptions("a decision has a reason; write why it was decided so")
    for what, data in (("target", decision.target), ("value", decision.value)):
        if not isinstance(data, dict) or len(_json(what, data)) > LONGEST_NOTE:
            raise BadOptions(f"the {what} of a decision is JSON data of at most {LONGEST_NOTE:,} characters")
    return decision._replace(reason=reason)


def _id(label: Label, target: Mapping[str, Any]) -> str:
    if label.kind == "reading":
        fixed = reading_id(label.project, label.run, label.annotator, target["field"])
        if label.id not in ("", fixed):
            raise BadOptions(f"a label on a reading's {target['field']} has the id {fixed!r}, not {_shown(label.id)}")
        return fixed
    if len(label.id) != 32 or not set(label.id) <= set("0123456789abcdef"):
        raise BadOptions(f"a label's id is 32 hexadecimal digits, not {_shown(label.id)}")
    return label.id


Check = Callable[[str, Any], Any]


def _taken(kind: str, part: str, shape: Mapping[str, tuple[Check, Any]], given: Any) -> dict[str, Any]:
    """The data of a label's part, each value checked and each that may be left out filled in."""
    if not isinstance(given, Mapping):
        raise BadOptions(f"the {part} of a {kind} label is a mapping, not {_shown(given)}")
    for name in given:
        if name not in shape:
            raise BadOptions(f"the {part} of a {kind} label has no {_shown(name)}; it has {', '.join(shape)}")
    taken = {}
    for name, (check, default) in shape.items():
        if name not in given and default is _MUST:
            raise BadOptions(f"the {part} of a {kind} label lacks {name!r}")
        taken[name] = check(name, given[name]) if name in given else default
    return taken


def _text(name: str, given: Any, *, most: int = LONGEST_NOTE) -> str:
    if not isinstance(given, str):
        raise BadOptions(f"{name!r} is text, not {_shown(given)}")
    if len(given) > most:
        raise BadOptions(f"{name!r} has up to {most:,} characters, and this has {len(given):,}; shorten it")
    return encodable(given)


def _group(name: str, given: Any) -> str:
    return _text(name, given, most=LONGEST_GROUP)


def _code(name: str, given: Any) -> str:
    code = _text(name, given, most=LONGEST_CODE)
    if not code.strip():
        raise BadOptions(f"{name!r} is the id of a code in the codebook, and not empty")
    return code


def _code_or_none(name: str, given: Any) -> str | None:
    return None if given is None else _code(name, given)


def _whole(name: str, given: Any, *, least: int = 1, most: int = _MOST) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise BadOptions(f"{name!r} is a whole number from {least} to {most:,}, not {_shown(given)}")
    return given


def _from_nought(name: str, given: Any) -> int:
    return _whole(name, given, least=0)


def _of_three(name: str, given: Any) -> int:
    return _whole(name, given, most=SEVEREST)


def _step_or_none(name: str, given: Any) -> int | None:
    return None if given is None else _whole(name, given)


def _number_or_none(name: str, given: Any) -> int | None:
    return None if given is None else _whole(name, given, least=0)


def _one_of(known: tuple[str, ...]) -> Check:
    def check(name: str, given: Any) -> str:
        if not isinstance(given, str) or given not in known:
            raise BadOptions(f"{name!r} is one of {', '.join(known)}, not {_shown(given)}")
        return given

    return check


def _any(_: str, given: Any) -> Any:
    return given


def _decisive(name: str, given: Any) -> dict[str, Any]:
    taken = _taken("decisive", "value", _DECISIVE, given)
    if taken["step"] not in (NO_STEP, BUILDING):
        taken["step"] = _whole("step", taken["step"])
    return taken


def _edit(name: str, given: Any) -> dict[str, Any] | None:
    """Another reply or another text; data and no more is kept of it. Whether the reading has a place for it is seen where it is
    told or tried (`fork.prepare`)."""
    if given is None:
        return None
    if not isinstance(given, Mapping) or len(_json(name, dict(given))) > LONGEST_EDIT:
        raise BadOptions(f"{name!r} is an edit of at most {LONGEST_EDIT:,} characters, or none")
    return edits.to_json(corrected(given))


def corrected(given: object) -> edits.ReplyEdit | edits.WrittenEdit:
    """The edit of a correction, whoever wrote it. Raises BadOptions for what is none, and for an edit of another kind: another
    model or prompt is no statement about what would have been right."""
    if not isinstance(given, Mapping):
        raise BadOptions(f"the edit of a correction is a mapping, not {_shown(given)}")
    edit = edits.from_json(given)
    if not isinstance(edit, (edits.ReplyEdit, edits.WrittenEdit)):
        raise BadOptions(f"a correction says another reply or another text, and an edit of the kind {edit.kind!r} is neither")
    return edit


def _span(target: dict[str, Any]) -> dict[str, Any]:
    if target["end"] <= target["start"]:
        raise BadOptions(f"a span ends after it starts, and {target['start']} to {target['end']} does not")
    if (target["number"] is None) != (target["on"] == "text"):
        raise BadOptions("a span on a prompt, reply or written text has its number, and one on the source text has none")
    return {name: value for name, value in target.items() if value is not None}


def _json(name: str, given: dict[str, Any]) -> str:
    try:
        return canonical(given)
    except (TypeError, ValueError) as error:
        raise BadOptions(f"{name!r} is no JSON data: {error}") from None


def _shown(given: Any) -> str:
    return repr(given)[:40]


_MUST = object()
_DECISIVE: dict[str, tuple[Check, Any]] = {"step": (_any, _MUST), "confidence": (_of_three, _MUST), "words": (_text, "")}
_TARGETS: dict[str, dict[str, tuple[Check, Any]]] = {
    "reading": {"field": (_one_of(FIELDS), _MUST)},
    "step": {"step": (_whole, _MUST)},
    "span": {
        "on": (_one_of(SURFACES), _MUST),
        "number": (_number_or_none, None),
        "start": (_from_nought, _MUST),
        "end": (_from_nought, _MUST),
    },
    "note": {"step": (_step_or_none, None)},
    "correction": {"step": (_whole, _MUST)},
}
_VALUES: dict[str, dict[str, tuple[Check, Any]]] = {
    "reading": {"value": (_any, _MUST)},
    "step": {"code": (_code, _MUST), "severity": (_of_three, _MUST), "note": (_text, "")},
    "span": {"code": (_code_or_none, None), "note": (_text, "")},
    "note": {"words": (_text, _MUST), "group": (_group, "")},
    "correction": {"edit": (_edit, None), "words": (_text, "")},
}
_FIELD_VALUES: dict[str, Check] = {
    "outcome": _one_of(OUTCOMES),
    "support": _one_of(SUPPORTS),
    "path": _one_of(PATHS),
    "decisive": _decisive,
    "fate": _one_of(FATES),
    "note": _text,
}
