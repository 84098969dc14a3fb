"""Options read from words and from JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pytest

from readers.engine.errors import BadOptions
from readers.engine.prompts.options import option, read_options


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
