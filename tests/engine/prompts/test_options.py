"""Options read from words and from JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pytest

from readers.engine.errors import BadOptions
from readers.engine.prompts.options import help_in_form, option, options_of, read_options, title_of, value_of


@dataclass(frozen=True)
class Settings:
    size: int = option(10, "How large.", lowest=1, highest=99)
    share: float = option(0.5, "How much.", lowest=0, highest=1)
    kind: Literal["a", "b"] = option("a", "Which.")
    loud: bool = option(False, "Whether.")
    most: int | None = option(None, "At most.", lowest=1)


@pytest.mark.parametrize(
    ("given", "field", "value"),
    [
        ({}, "size", 10),
        ({"size": "7"}, "size", 7),
        ({"size": 7.0}, "size", 7),
        ({"share": "0.25"}, "share", 0.25),
        ({"kind": "b"}, "kind", "b"),
        ({"loud": "true"}, "loud", True),
        ({"loud": "off"}, "loud", False),
        ({"loud": True}, "loud", True),
        ({"most": "auto"}, "most", None),
        ({"most": "3"}, "most", 3),
        ({"most": None}, "most", None),
    ],
)
def test_values_are_read(given: dict[str, Any], field: str, value: Any) -> None:
    found = getattr(read_options(Settings, given), field)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"size": "many"}, "whole number"),
        ({"size": "1.5"}, "whole number"),
        ({"size": 1.5}, "whole number"),
        ({"size": True}, "whole number"),
        ({"size": 0}, "from 1 to 99"),
        ({"size": 100}, "from 1 to 99"),
        ({"share": "nan"}, "from 0 to 1"),
        ({"kind": "c"}, "one of a, b"),
        ({"loud": "perhaps"}, "true or false"),
        ({"most": 0}, "at least 1"),
        ({"colour": "red"}, "size, share, kind, loud, most"),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(given: dict[str, Any], says: str) -> None:
    with pytest.raises(BadOptions, match=says):
        read_options(Settings, given)


def test_what_is_declared_and_what_the_type_says_describe_an_option() -> None:
    found = options_of(Settings)
    kinds = {"size": "whole", "share": "number", "kind": "one of", "loud": "truth", "most": "whole"}
    assert {name: option.kind for name, option in found.items()} == kinds
    size, kind, most = found["size"], found["kind"], found["most"]
    assert (size.help, size.lowest, size.highest, size.default, size.may_be_auto) == ("How large.", 1, 99, 10, False)
    assert (kind.choices, most.choices, most.may_be_auto, most.default) == (("a", "b"), (), True, None)


def test_an_option_of_another_type_is_refused() -> None:
    @dataclass(frozen=True)
    class Odd:
        size: tuple[int, ...] = option((), "How large.")

    with pytest.raises(BadOptions, match="option 'size' is true or false, a number, a text or one of several words"):
        options_of(Odd)


@dataclass(frozen=True)
class Renamed:
    size: int = option(10, "How large. With kind 'b': how_long.", title="Largest size", was=("how_many", "top_k"))
    kind: Literal["a", "b"] = option("a", "Large (a) or small (b).", names={"a": "Wide", "b": "Narrow"})
    how_long: int = option(3, "Narrow only: how long it is.", title="Length", beside={"kind": ("b",)})


def test_an_option_is_read_under_every_name_that_it_had() -> None:
    assert read_options(Renamed, {"how_many": "7", "kind": "b", "how_long": 1}) == Renamed(7, "b", 1)
    assert read_options(Renamed, {"top_k": 7, "size": 8}).size == 8
    with pytest.raises(BadOptions, match="no option 'colour'; this reader has size, kind, how_long"):
        read_options(Renamed, {"colour": 1})


def test_what_forms_call_an_option_and_its_values_is_declared_with_it() -> None:
    assert [title_of(Renamed, name) for name in ("size", "kind", "unheard_of")] == ["Largest size", "Kind", "Unheard of"]
    assert [value_of(Renamed, "kind", value) for value in ("a", "other_one")] == ["Wide", "Other one"]
    assert (value_of(Renamed, "size", 3), value_of(None, "size", "x")) == (3, "x")
    assert help_in_form(Renamed, "size") == "How large. With “Kind” set to “Narrow”: “Length”."
    assert help_in_form(Renamed, "kind") == "Large (“Wide”) or small (“Narrow”)."
    assert [options_of(Renamed)["how_long"].is_idle({"kind": kind}) for kind in ("a", "b")] == [True, False]
    assert not options_of(Renamed)["size"].is_idle({})
