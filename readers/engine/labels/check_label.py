"""The content of a valid label: each kind's target and value, checked field by field. Pure.

A label that passes `checked` can be stored, no matter who wrote it. Text is stored as it was typed; only what UTF-8 cannot encode
becomes a question mark.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from readers.engine.canonical import canonical, encodable
from readers.engine.errors import BadOptions
from readers.engine.labels.label import (
    BUILDING,
    BY_MODEL,
    BY_RULE,
    FIELDS,
    KINDS,
    LONGEST_CODE,
    LONGEST_EDIT,
    LONGEST_GROUP,
    LONGEST_NOTE,
    NO_STEP,
    SEVEREST,
    SUGGESTED_FIELDS,
    SURFACES,
    VALUES,
    Decision,
    Label,
    reading_id,
)
from readers.engine.record import edits

MOST = 1_000_000_000  # of any number in a label


def checked(label: Label) -> Label:
    """The label with a complete and bounded target and value, and its id; a `reading` label may come without one. Raises
    BadOptions, naming the unknown, missing or overlong part."""
    if label.kind not in KINDS:
        raise BadOptions(f"there is no kind of label {_quoted(label.kind)}; there are {', '.join(KINDS)}")
    target = _complete(label.kind, "target", _TARGETS[label.kind], label.target)
    value = _complete(label.kind, "value", _VALUES[label.kind], label.value)
    if label.kind == "reading":
        value = _of_reading(target["field"], value)
    elif label.kind == "span":
        target = _span(target)
    if label.kind in ("step", "span") and value["suggested"] is None:
        del value["suggested"]
    whole = replace(
        label, target=target, value=value, id=_id(label, target), codebook=_integer("codebook", label.codebook, least=0)
    )
    return replace(whole, removed=bool(whole.removed))


def checked_decision(decision: Decision) -> Decision:
    """The decision, if its data are bounded. Raises BadOptions."""
    reason = _text("reason", decision.reason)
    for what, data in (("target", decision.target), ("value", decision.value)):
        if not isinstance(data, dict) or len(_json(what, data)) > LONGEST_NOTE:
            raise BadOptions(f"the {what} of a decision is JSON data of at most {LONGEST_NOTE:,} characters")
    return decision._replace(reason=reason)


def _id(label: Label, target: Mapping[str, Any]) -> str:
    if label.kind == "reading":
        fixed = reading_id(label.project, label.run, label.annotator, target["field"])
        if label.id not in ("", fixed):
            raise BadOptions(f"a label on a reading's {target['field']} has the id {fixed!r}, not {_quoted(label.id)}")
        return fixed
    if len(label.id) != 32 or not set(label.id) <= set("0123456789abcdef"):
        raise BadOptions(f"a label's id is 32 hexadecimal digits, not {_quoted(label.id)}")
    return label.id


Check = Callable[[str, Any], Any]


def _complete(kind: str, part: str, shape: Mapping[str, tuple[Check, Any]], given: Any) -> dict[str, Any]:
    """The data of a label's target or value, each checked, and optional ones filled in."""
    if not isinstance(given, Mapping):
        raise BadOptions(f"the {part} of a {kind} label is a mapping, not {_quoted(given)}")
    for name in given:
        if name not in shape:
            raise BadOptions(f"the {part} of a {kind} label has no {_quoted(name)}; it has {', '.join(shape)}")
    complete = {}
    for name, (check, default) in shape.items():
        if name not in given and default is _REQUIRED:
            raise BadOptions(f"the {part} of a {kind} label lacks {name!r}")
        complete[name] = check(name, given[name]) if name in given else default
    return complete


def _text(name: str, given: Any, *, most: int = LONGEST_NOTE) -> str:
    if not isinstance(given, str):
        raise BadOptions(f"{name!r} is text, not {_quoted(given)}")
    if len(given) > most:
        raise BadOptions(f"{name!r} has up to {most:,} characters, and this has {len(given):,}; shorten it")
    return encodable(given)


def _code(name: str, given: Any) -> str:
    code = _text(name, given, most=LONGEST_CODE)
    if not code.strip():
        raise BadOptions(f"{name!r} is the id of a code, which cannot be empty")
    return code


def _integer(name: str, given: Any, *, least: int = 1, most: int = MOST) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise BadOptions(f"{name!r} is a whole number from {least} to {most:,}, not {_quoted(given)}")
    return given


def _one_of(known: tuple[str, ...]) -> Check:
    def check(name: str, given: Any) -> str:
        if not isinstance(given, str) or given not in known:
            raise BadOptions(f"{name!r} is one of {', '.join(known)}, not {_quoted(given)}")
        return given

    return check


def _or_none(check: Check) -> Check:
    return lambda name, given: None if given is None else check(name, given)


def _any(_: str, given: Any) -> Any:
    return given


def _decisive(name: str, given: Any) -> dict[str, Any]:
    decisive = _complete("decisive", "value", _DECISIVE, given)
    if decisive["step"] not in (NO_STEP, BUILDING):
        decisive["step"] = _integer("step", decisive["step"])
    return decisive


def _edit(name: str, given: Any) -> dict[str, Any] | None:
    """The edit of a correction, as JSON data. Whether the reading has a place for it is checked when it is described or tried
    (`fork.prepare`)."""
    if given is None:
        return None
    if not isinstance(given, Mapping) or len(_json(name, dict(given))) > LONGEST_EDIT:
        raise BadOptions(f"{name!r} is an edit of at most {LONGEST_EDIT:,} characters, or none")
    return edits.to_json(correction_edit(given))


def correction_edit(given: object) -> edits.ReplyEdit | edits.WrittenEdit:
    """The edit of a correction, from untrusted data. Raises BadOptions for invalid data and for an edit of another kind: a change
    of the model or prompt does not say what would have been right."""
    if not isinstance(given, Mapping):
        raise BadOptions(f"the edit of a correction is a mapping, not {_quoted(given)}")
    edit = edits.from_json(given)
    if not isinstance(edit, (edits.ReplyEdit, edits.WrittenEdit)):
        raise BadOptions(f"a correction is another reply or another text, and an edit of the kind {edit.kind!r} is neither")
    return edit


def _of_reading(field: str, value: Mapping[str, Any]) -> dict[str, Any]:
    """The value of a label on a whole reading. Where no rule suggested it, it says nothing of that."""
    whole = {"value": _FIELD_VALUES[field](field, value["value"])}
    if value["suggested"] is None:
        return whole
    if value["suggested"] != BY_RULE or field not in SUGGESTED_FIELDS:
        raise BadOptions(
            f"'suggested' is {BY_RULE!r}, on {' or '.join(SUGGESTED_FIELDS)}, not {_quoted(value['suggested'])} on {field}"
        )
    return {**whole, "suggested": BY_RULE}


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
        raise BadOptions(f"{name!r} is not JSON data: {error}") from None


def _quoted(given: Any) -> str:
    return repr(given)[:40]


_REQUIRED = object()
_FROM_ZERO: Check = partial(_integer, least=0)
_OF_THREE: Check = partial(_integer, most=SEVEREST)
_PROPOSED: tuple[Check, Any] = (_or_none(_one_of((BY_MODEL,))), None)
_DECISIVE: dict[str, tuple[Check, Any]] = {"step": (_any, _REQUIRED), "confidence": (_OF_THREE, _REQUIRED), "words": (_text, "")}
_TARGETS: dict[str, dict[str, tuple[Check, Any]]] = {
    "reading": {"field": (_one_of(FIELDS), _REQUIRED)},
    "step": {"step": (_integer, _REQUIRED)},
    "span": {
        "on": (_one_of(SURFACES), _REQUIRED),
        "number": (_or_none(_FROM_ZERO), None),
        "start": (_FROM_ZERO, _REQUIRED),
        "end": (_FROM_ZERO, _REQUIRED),
    },
    "note": {"step": (_or_none(_integer), None)},
    "correction": {"step": (_integer, _REQUIRED)},
}
_VALUES: dict[str, dict[str, tuple[Check, Any]]] = {
    "reading": {"value": (_any, _REQUIRED), "suggested": (_any, None)},
    "step": {"code": (_code, _REQUIRED), "severity": (_OF_THREE, _REQUIRED), "note": (_text, ""), "suggested": _PROPOSED},
    "span": {"code": (_or_none(_code), None), "note": (_text, ""), "suggested": _PROPOSED},
    "note": {"words": (_text, _REQUIRED), "group": (partial(_text, most=LONGEST_GROUP), "")},
    "correction": {"edit": (_edit, None), "words": (_text, "")},
}
_FIELD_VALUES: dict[str, Check] = {
    **{field: _one_of(tuple(values)) for field, values in VALUES.items()},
    "decisive": _decisive,
    "note": _text,
}
