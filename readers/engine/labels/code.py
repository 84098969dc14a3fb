"""One code of a codebook: what it says, and since which version it says that.

Data and its bounds alone. The codes to begin with are `taxonomy.py`, changing them is `codebook.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from readers.engine.canonical import encodable
from readers.engine.errors import BadOptions
from readers.engine.labels.label import LONGEST_CODE

LONGEST_NAME, LONGEST_WORDS, MOST_HINTS = 80, 2_000, 40


@dataclass(frozen=True)
class Code:
    """A code. `hints` say for a reader, by its id, where to look.

    `since` is the codebook's version that it came with, `changed` the last one that changed what it means, `retired` the one that
    took it out of use (0: it is in use), and `into` what is used in its place.
    """

    id: str
    name: str
    group: str = ""
    definition: str = ""
    example: str = ""
    near_miss: str = ""
    hints: Mapping[str, str] = field(default_factory=dict)
    since: int = 1
    changed: int = 1
    retired: int = 0
    into: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        return f"{self.id} {self.name}"


def to_json(code: Code) -> dict[str, Any]:
    return {**asdict(code), "hints": dict(code.hints), "into": list(code.into)}


def from_json(data: Any) -> Code:
    """The code that `to_json` wrote. Raises BadOptions for anything else."""
    known = {f.name for f in fields(Code)}
    if not isinstance(data, Mapping) or not {"id", "name"} <= set(data) <= known:
        raise BadOptions(f"a code has an id and a name, and may have {', '.join(sorted(known - {'id', 'name'}))}")
    into = data.get("into", ())
    if not isinstance(into, (list, tuple)) or not all(isinstance(id, str) for id in into):
        raise BadOptions(f"what code {_shown(data['id'])} went into is a list of ids")
    return checked(Code(**{**data, "into": tuple(into)}))


def checked(code: Code) -> Code:
    """The code with its words bounded, blanks around ids and names gone. Raises BadOptions, naming what does not hold."""
    if not isinstance(code.hints, Mapping) or len(code.hints) > MOST_HINTS:
        raise BadOptions(f"the hints of code {_shown(code.id)} are words by a reader's id, {MOST_HINTS} at most")
    numbers = {"since": code.since, "changed": code.changed, "retired": code.retired}
    for name, number in numbers.items():
        if isinstance(number, bool) or not isinstance(number, int) or number < (name != "retired"):
            raise BadOptions(f"{name!r} of code {_shown(code.id)} is the number of a version, not {_shown(number)}")
    return Code(
        id=_words("id", code.id, most=LONGEST_CODE, needed=True),
        name=_words("name", code.name, most=LONGEST_NAME, needed=True),
        group=_words("group", code.group, most=LONGEST_NAME),
        definition=_words("definition", code.definition),
        example=_words("example", code.example),
        near_miss=_words("near_miss", code.near_miss),
        hints={
            _words("reader", reader, most=LONGEST_NAME, needed=True): _words("hint", hint) for reader, hint in code.hints.items()
        },
        **numbers,
        into=code.into,
    )


def _words(what: str, given: Any, *, most: int = LONGEST_WORDS, needed: bool = False) -> str:
    if not isinstance(given, str):
        raise BadOptions(f"the {what} of a code is text, not {_shown(given)}")
    words = encodable(given).strip()
    if len(words) > most:
        raise BadOptions(f"the {what} of a code has up to {most:,} characters, and this has {len(words):,}; shorten it")
    if needed and not words:
        raise BadOptions(f"a code needs its {what}; write one")
    return words


def _shown(given: Any) -> str:
    return repr(given)[:40]
