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

NONE_BEFORE = object()  # the option was always there


@dataclass(frozen=True)
class Preset:
    """Options that a paper used together, and the sampling that goes with them (None: as the user has it). A paper's models reply
    in words; `reply_form` is None for options that no paper used."""

    options: Mapping[str, Any]
    temperature: float | None = None
    top_p: float | None = None
    reply_form: str | None = "words"

    @property
    def terms(self) -> dict[str, Any]:
        """The fields of a spec that it sets besides the options: the sampling, and the form of replies."""
        return {**self.sampling, **({"reply_form": self.reply_form} if self.reply_form else {})}

    @property
    def sampling(self) -> dict[str, Any]:
        """The temperature and top p that it sets, by the names of a spec's fields."""
        given = {"temperature": self.temperature, "top_p": self.top_p}
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class PartSize:
    """What sets the size of the parts that a reader cuts: an `option`, in tokens or in words, and what a part is called.

    `least` is the option with the shortest part, where the model chooses its end. A prompt holds `at_once` parts; `room` is the
    option that limits them together, `memory` the one that limits a memory shown with them.
    """

    option: str
    name: str
    in_words: bool = False
    least: str = ""
    at_once: int = 1
    room: str = ""
    memory: str = ""


Kind = Literal["whole", "number", "truth", "one of", "words"]


@dataclass(frozen=True)
class Option:
    """One option of a reader, as it is declared with `option(...)`, and what its type says: the kind of its values, the
    `choices` of "one of", and whether the reader may choose the value itself (`may_be_auto`)."""

    name: str
    kind: Kind
    default: Any
    choices: tuple[str, ...] = ()
    may_be_auto: bool = False
    help: str = ""
    lowest: float | None = None
    highest: float | None = None
    title: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    beside: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    before: Any = NONE_BEFORE
    was: tuple[str, ...] = ()

    def read(self, value: Any) -> Any:
        """A value from words or JSON. Raises BadOptions for a value of another kind or out of range."""
        if self.kind == "one of":
            if value not in self.choices:
                raise BadOptions(f"option {self.name!r} is one of {', '.join(self.choices)}, not {value!r}")
            return value
        if self.may_be_auto and value in (None, "", "auto", "none"):
            return None
        if self.kind == "truth":
            if (truth := _TRUTHS.get(str(value).lower())) is None:
                raise BadOptions(f"option {self.name!r} is true or false, not {value!r}")
            return truth
        whole = self.kind == "whole"
        try:
            if isinstance(value, bool) or (whole and isinstance(value, float) and not value.is_integer()):
                raise ValueError
            return self._in_range({"whole": int, "number": float}.get(self.kind, str)(value))
        except (TypeError, ValueError):
            raise BadOptions(f"option {self.name!r} is {'a whole number' if whole else 'a number'}, not {value!r}") from None

    def _in_range(self, value: Any) -> Any:
        low, high = self.lowest, self.highest
        if isinstance(value, str) or ((low is None or value >= low) and (high is None or value <= high) and value == value):
            return value
        raise BadOptions(f"option {self.name!r} is {f'at least {low}' if high is None else f'from {low} to {high}'}, not {value}")

    def in_words(self, value: Any) -> Any:
        """A form's word for a value; anything but one of several words is unchanged."""
        if self.kind != "one of" or not isinstance(value, str):
            return value
        return self.names.get(value, value.replace("_", " ").capitalize())

    def is_idle(self, values: Mapping[str, Any]) -> bool:
        """Whether it has no effect with these values of the other options."""
        return bool(self.beside) and not any(values.get(other) in wanted for other, wanted in self.beside.items())


_TRUTHS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
_KINDS: Mapping[Any, Kind] = {bool: "truth", int: "whole", float: "number", str: "words"}


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

    Forms show its short `title`, and its values by their `names`; `beside`: it has an effect only if another option has one of
    these values. `before` is for an option that came later: how readings read that were recorded without it. `was` are its former
    names: values recorded under them are read under its present name.
    """
    worded = {"help": sentence, "title": title, "names": names or {}, "beside": beside or {}, "before": before, "was": was}
    return field(default=default, metadata={**limits, **worded})


@cache
def options_of(cls: type) -> Mapping[str, Option]:
    """The options of a reader by name, in order. Raises BadOptions for a type that no option can have."""
    types, found, declared = get_type_hints(cls), {}, {one.name for one in fields(Option)}
    for one in fields(cls):
        choices = get_args(types[one.name])
        base = next(choice for choice in choices if choice is not NoneType) if NoneType in choices else types[one.name]
        named = get_origin(types[one.name]) is Literal
        if not named and base not in _KINDS:
            raise BadOptions(f"option {one.name!r} is true or false, a number, a text or one of several words, no other type")
        found[one.name] = Option(
            name=one.name,
            kind="one of" if named else _KINDS[base],
            default=one.default,
            choices=choices if named else (),
            may_be_auto=NoneType in choices,
            **{
                **{name: value for name, value in one.metadata.items() if name in declared},
                "title": one.metadata.get("title") or _from_name(one.name),
            },
        )
    return found


def read_options(cls: type, given: Mapping[str, Any]) -> Any:
    """Parse options by name: strings, such as from `--set`, or JSON values. Returns an instance of `cls`; raises BadOptions.

    A record names every option. Where all are given but some that came later, it was made before those, which then have the
    value that was in effect: the reading makes the same calls.
    """
    given, known = under_their_names(cls, given), options_of(cls)
    later = {name: option.before for name, option in known.items() if option.before is not NONE_BEFORE}
    if given and {*known} - {*later} <= {*given}:
        given = {**later, **given}
    for name in given:
        if name not in known:
            raise BadOptions(f"there is no option {name!r}; this reader has {', '.join(known) or 'none'}")
    return cls(**{name: known[name].read(value) for name, value in given.items()})


# Names


_CURRENT: dict[str, type] = {}  # the options of readers, some of which had other names


def keep_names(reader: str, options: type) -> None:
    """Have a reader's recorded options read under their present names."""
    _CURRENT[reader] = options


def up_to_date(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The spec of a run as it is read: options under their present names."""
    given, options = spec.get("options"), _CURRENT.get(str(spec.get("reader")))
    return {**spec, "options": under_their_names(options, given)} if options and isinstance(given, dict) else dict(spec)


def under_their_names(cls: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Options under the names that they have now."""
    now = {earlier: option.name for option in options_of(cls).values() for earlier in option.was}
    return {now.get(name, name): value for name, value in given.items() if now.get(name, name) == name or now[name] not in given}


def title_of(cls: type | None, name: str) -> str:
    """What a form calls an option; one that the reader does not have is called by its name."""
    known = options_of(cls).get(name) if cls else None
    return known.title if known else _from_name(name)


def value_of(cls: type | None, name: str, value: Any) -> Any:
    """What a form calls a value of an option."""
    known = options_of(cls).get(name) if cls else None
    return known.in_words(value) if known else value


def help_in_form(cls: type, name: str) -> str:
    """The help on an option, in which other options and its values have the names that the form gives them; the command line has
    the same help with the names that it takes."""
    options = options_of(cls)
    own = options[name].names
    called = {**{option.name: option.title for option in options.values()}, **own}
    every = {value: words for option in options.values() for value, words in option.names.items()}
    words = re.sub(r"\((\w+)\)", lambda m: f"(“{own[m[1]]}”)" if m[1] in own else m[0], options[name].help)
    words = re.sub(
        r"\b([Ww]ith) (\w+) '(\w+)'",
        lambda m: f"{m[1]} “{options[m[2]].title}” set to “{options[m[2]].in_words(m[3])}”" if m[2] in options else m[0],
        words,
    )
    words = re.sub(r"\b([Ww]ith) (\w+)(?=[:,])", lambda m: f"{m[1]} “{called[m[2]]}”" if m[2] in options else m[0], words)
    words = re.sub(r"\A([A-Z]\w+)(?=: )", lambda m: f"“{every[m[1].lower()]}”" if m[1].lower() in every else m[0], words)
    return re.sub(r"\b[a-z]+(?:_[a-z]+)+\b", lambda m: f"“{called[m[0]]}”" if m[0] in called else m[0], words)


def _from_name(name: str) -> str:
    return name.replace("_", " ").capitalize()
