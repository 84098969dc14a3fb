"""The options of a reader: a frozen dataclass whose fields declare their range and meaning, parsed from strings or JSON.

Supported types: bool, int, float, str, `int | None` (None: "auto") and Literal of strings. A field made with `option(...)` has a
help text and its lowest and highest value; forms and the command line are built from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

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


def option(
    default: Any, sentence: str, *, lowest: float | None = None, highest: float | None = None, before: Any = NONE_BEFORE
) -> Any:
    """A dataclass field with a default, a sentence of help, and the range of a number. `before` is for an option that came
    later: how readings read that were recorded without it."""
    return field(default=default, metadata={"help": sentence, "lowest": lowest, "highest": highest, BEFORE: before})


def read_options(cls: type, given: Mapping[str, Any]) -> Any:
    """Parse options by name: strings, such as from `--set`, or JSON values. Returns an instance of `cls`; raises BadOptions.

    A record names every option. Where all are given but some that came later, it was made before those, which then have the
    value that was in effect: the reading makes the same calls.
    """
    known = {f.name: f for f in fields(cls)}
    later = {name: f.metadata[BEFORE] for name, f in known.items() if f.metadata.get(BEFORE, NONE_BEFORE) is not NONE_BEFORE}
    if given and {*known} - {*later} <= {*given}:
        given = {**later, **given}
    types = get_type_hints(cls)
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
