"""The options of a reader: a frozen dataclass whose fields declare their range and meaning, parsed from strings or JSON.

Supported types: bool, int, float, str, `int | None` (None: "auto") and Literal of strings. A field made with `option(...)` has a
help text, its lowest and highest value, and what forms call it and its values; forms and the command line are built from them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from types import NoneType
from typing import Any, Literal, TypedDict, Unpack, get_args, get_origin, get_type_hints

from readers.engine.errors import BadOptions

BEFORE = "before"  # in the metadata of an option
NONE_BEFORE = object()  # the option was always there


@dataclass(frozen=True)
class Preset:
    """Options that a paper used together, and the sampling that goes with them (None: as the user has it)."""

    options: Mapping[str, Any]
    temperature: float | None = None
    top_p: float | None = None

    @property
    def sampling(self) -> dict[str, Any]:
        """The temperature and top p that it sets, by the names of a spec's fields."""
        given = {"temperature": self.temperature, "top_p": self.top_p}
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class PartSize:
    """What sets the size of the parts that a reader cuts: an `option`, in tokens or in words, and what a part is called.

    `least` is the option with the shortest part, where the model chooses its end. A prompt holds `at_once` parts; `room` is the
    option that limits them together, `memory` the one that limits a memory beside them.
    """

    option: str
    name: str
    in_words: bool = False
    least: str = ""
    at_once: int = 1
    room: str = ""
    memory: str = ""


class Limits(TypedDict, total=False):
    """The range of a number."""

    lowest: float | None
    highest: float | None


def option(
    default: Any,
    sentence: str,
    *,
    title: str = "",
    names: Mapping[str, str] | None = None,
    beside: Mapping[str, tuple[Any, ...]] | None = None,
    before: Any = NONE_BEFORE,
    was: tuple[str, ...] = (),
    **limits: Unpack[Limits],
) -> Any:
    """A dataclass field with a default, a sentence of help, and the `lowest` and `highest` value of a number.

    Forms call it by its `title`, which is short, and its values by their `names`; `beside`: it does something only if another
    option has one of these values. `before` is for an option that came later: how readings read that were recorded without it.
    `was` are the names that it had: whatever was recorded under them is read under its name.
    """
    worded = {"help": sentence, "title": title, "names": names or {}, "beside": beside or {}}
    return field(default=default, metadata={**limits, **worded, "was": was, BEFORE: before})


def read_options(cls: type, given: Mapping[str, Any]) -> Any:
    """Parse options by name: strings, such as from `--set`, or JSON values. Returns an instance of `cls`; raises BadOptions.

    A record names every option. Where all are given but some that came later, it was made before those, which then have the
    value that was in effect: the reading makes the same calls.
    """
    given = under_their_names(cls, given)
    known = {f.name: f for f in fields(cls)}
    later = {name: f.metadata[BEFORE] for name, f in known.items() if f.metadata.get(BEFORE, NONE_BEFORE) is not NONE_BEFORE}
    if given and {*known} - {*later} <= {*given}:
        given = {**later, **given}
    types = _types(cls)
    values = {}
    for name, value in given.items():
        if name not in known:
            raise BadOptions(f"there is no option {name!r}; this reader has {', '.join(known) or 'none'}")
        values[name] = _value(name, value, types[name])
        _check_range(name, values[name], known[name].metadata)
    return cls(**values)


def _value(name: str, value: Any, kind: Any) -> Any:
    choices = get_args(kind)
    if get_origin(kind) is Literal:
        if value not in choices:
            raise BadOptions(f"option {name!r} is one of {', '.join(choices)}, not {value!r}")
        return value
    if NoneType in choices:
        if value in (None, "", "auto", "none"):
            return None
        kind = next(choice for choice in choices if choice is not NoneType)
    if kind is bool:
        return _truth(name, value)
    try:
        if isinstance(value, bool) or (kind is int and isinstance(value, float) and not value.is_integer()):
            raise ValueError
        return kind(value)
    except (TypeError, ValueError):
        raise BadOptions(f"option {name!r} is {'a whole number' if kind is int else 'a number'}, not {value!r}") from None


def _truth(name: str, value: Any) -> bool:
    words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
    found = words.get(str(value).lower())
    if found is None:
        raise BadOptions(f"option {name!r} is true or false, not {value!r}")
    return found


def _check_range(name: str, value: Any, limits: Mapping[str, Any]) -> None:
    if value is None or isinstance(value, (bool, str)):
        return
    lowest, highest = limits.get("lowest"), limits.get("highest")
    if (lowest is not None and value < lowest) or (highest is not None and value > highest) or value != value:
        bounds = f"at least {lowest}" if highest is None else f"from {lowest} to {highest}"
        raise BadOptions(f"option {name!r} is {bounds}, not {value}")


# Names


_CURRENT: dict[str, type] = {}  # the options of readers, some of which had other names


def keep_names(reader: str, options: type) -> None:
    """Have what was recorded of a reader read under the names that its options have now."""
    _CURRENT[reader] = options


def up_to_date(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The spec of a run as it is read: options under the names that they have now."""
    given, options = spec.get("options"), _CURRENT.get(str(spec.get("reader")))
    return {**spec, "options": under_their_names(options, given)} if options and isinstance(given, dict) else dict(spec)


def under_their_names(cls: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Options under the names that they have now."""
    now = {earlier: f.name for f in fields(cls) for earlier in f.metadata.get("was", ())}
    return {now.get(name, name): value for name, value in given.items() if now.get(name, name) == name or now[name] not in given}


def title_of(cls: type | None, name: str) -> str:
    """What a form calls an option; one without a title is called by its name."""
    return str(_metadata(cls, name).get("title") or name.replace("_", " ").capitalize())


def value_of(cls: type | None, name: str, value: Any) -> Any:
    """What a form calls a value of an option; anything but one of several words stays as it is."""
    if isinstance(value, str) and cls and get_origin(_types(cls).get(name)) is Literal:
        return _metadata(cls, name).get("names", {}).get(value, value.replace("_", " ").capitalize())
    return value


def is_idle(cls: type, name: str, values: Mapping[str, Any]) -> bool:
    """Whether an option does nothing beside these values of the others."""
    beside = _metadata(cls, name).get("beside", {})
    return bool(beside) and not any(values.get(other) in wanted for other, wanted in beside.items())


def help_in_form(cls: type, name: str) -> str:
    """The help on an option, in which other options and its values have the names that the form gives them; the command line has
    the same help with the names that it takes."""
    own = _metadata(cls, name).get("names", {})
    known = {f.name: title_of(cls, f.name) for f in fields(cls)}
    every = {value: words for f in fields(cls) for value, words in f.metadata.get("names", {}).items()}
    words = _metadata(cls, name).get("help", "")
    words = re.sub(r"\((\w+)\)", lambda m: f"(“{own[m[1]]}”)" if m[1] in own else m[0], words)
    words = re.sub(
        r"\b([Ww]ith) (\w+) '(\w+)'",
        lambda m: f"{m[1]} “{known[m[2]]}” set to “{value_of(cls, m[2], m[3])}”" if m[2] in known else m[0],
        words,
    )
    words = re.sub(r"\b([Ww]ith) (\w+)(?=[:,])", lambda m: f"{m[1]} “{known[m[2]]}”" if m[2] in known else m[0], words)
    words = re.sub(r"\A([A-Z]\w+)(?=: )", lambda m: f"“{every[m[1].lower()]}”" if m[1].lower() in every else m[0], words)
    called = {**known, **own}
    return re.sub(r"\b[a-z]+(?:_[a-z]+)+\b", lambda m: f"“{called[m[0]]}”" if m[0] in called else m[0], words)


@cache
def _types(cls: type) -> dict[str, Any]:
    return get_type_hints(cls)


def _metadata(cls: type | None, name: str) -> Mapping[str, Any]:
    return next((f.metadata for f in fields(cls) if f.name == name), {}) if cls else {}
