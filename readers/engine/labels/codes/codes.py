"""One code of a codebook: its words, bounds and JSON data. Pure. What becomes of codes by version is in `codebook.py`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from readers.engine.canonical import encodable
from readers.engine.errors import BadOptions
from readers.engine.labels.label import LONGEST_CODE

LONGEST_NAME, LONGEST_WORDS, MOST_HINTS, MOST_VERSIONS = 80, 2_000, 40, 1_000_000


@dataclass(frozen=True)
class Code:
    """What can go wrong, under an id and a name. `hints` say where to look, by the id of a reader.

    `since` is the codebook version that added the code, `changed` the last one that changed its meaning, `retired` the one that
    retired it (0: it is in use), and `into` the ids of the codes that replaced it. `parent` is the id of the broader code that it
    stands under, if any (`code_tree.py`).
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
    parent: str = ""

    @property
    def called(self) -> str:
        return f"{self.id} {self.name}"


def code_to_json(code: Code) -> dict[str, Any]:
    """The code as JSON data; without `parent` where it stands under none, as older files have it."""
    data = {**asdict(code), "hints": dict(code.hints), "into": list(code.into)}
    return data if code.parent else {name: value for name, value in data.items() if name != "parent"}


def code_from_json(data: Any) -> Code:
    """The code from what `code_to_json` wrote. Raises BadOptions for anything else."""
    known = {f.name for f in fields(Code)}
    if not isinstance(data, Mapping) or not {"id", "name"} <= set(data):
        raise BadOptions(f"a code has an id and a name, and may have {', '.join(sorted(known - {'id', 'name'}))}")
    if unknown := set(data) - known:
        raise BadOptions(f"a code has no field {_shown(min(unknown, key=str))}; it may have {', '.join(sorted(known))}")
    into = data.get("into", ())
    if not isinstance(into, (list, tuple)) or not all(isinstance(code_id, str) for code_id in into):
        raise BadOptions(f"the codes that replace {_shown(data['id'])} are a list of ids")
    return checked_code(Code(**{**data, "into": tuple(into)}))


def checked_code(code: Code) -> Code:
    """The code with its words bounded and stripped. Raises BadOptions, naming what is invalid."""
    if not isinstance(code.hints, Mapping) or len(code.hints) > MOST_HINTS:
        raise BadOptions(f"the hints of code {_shown(code.id)} are texts by the id of a reader, {MOST_HINTS} at most")
    numbers = {"since": code.since, "changed": code.changed, "retired": code.retired}
    for name, number in numbers.items():
        if isinstance(number, bool) or not isinstance(number, int) or not (name != "retired") <= number <= MOST_VERSIONS:
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
        parent=_words("parent", code.parent, most=LONGEST_CODE),
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
