"""The codes of a codebook: their words, bounds and JSON data, and their two levels. Pure.

A code may belong to a broader code, which belongs to no other. Labels have the code that was given; counts add the broader code
(`counts.py`), and agreement is computed on both levels. What becomes of codes by version is in `codebook.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from readers.engine.canonical import encodable
from readers.engine.errors import BadOptions
from readers.engine.labels.label import LONGEST_CODE

LONGEST_NAME, LONGEST_WORDS, MOST_HINTS, MOST_VERSIONS = 80, 2_000, 40, 1_000_000


@dataclass(frozen=True)
class Code:
    """What can go wrong, under an id and a name. `hints` say where to look, by the id of a reader.

    `since` is the codebook version that added the code, `changed` the last version that changed its meaning, `retired` the
    version that retired it (0: it is in use), and `into` the ids of the codes that replaced it. `parent` is the id of its broader
    code, if any.
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
    """The code as JSON data; without `parent` if it has no broader code, as in older files."""
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
    """The code with its words bounded and stripped. Raises BadOptions, naming the invalid part."""
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


# The two levels


def check_parents(codes: Sequence[Code]) -> None:
    """Raises BadOptions for a code under one that is missing, retired, under another itself, or the code itself."""
    by_id = {code.id: code for code in codes}
    for code in codes:
        if not code.parent:
            continue
        parent = by_id.get(code.parent)
        if parent is None or parent.id == code.id:
            raise BadOptions(f"{code.called!r} is under {code.parent[:40]!r}, which is not another code of the codebook")
        if parent.parent and not code.retired:
            raise BadOptions(f"{code.called!r} cannot be under {parent.called!r}, which is under another code itself")
        if parent.retired and not code.retired:
            raise BadOptions(f"{code.called!r} cannot be under {parent.called!r}, which was retired")


def with_valid_parents(codes: Sequence[Code], moved: Mapping[str, str]) -> list[Code]:
    """The codes after some were retired: a code under one of these moves to the code that it was merged into (`moved`, by id), if
    that is another code without a broader one; otherwise it has no broader code."""
    by_id = {code.id: code for code in codes}

    def candidate(code: Code) -> Code | None:
        parent = by_id.get(code.parent)
        if parent is not None and parent.retired and not code.retired:
            parent = by_id.get(moved.get(parent.id, ""))
        return None if parent is None or parent.id == code.id else parent

    def parent_of(code: Code) -> str:
        parent = candidate(code)
        return parent.id if parent is not None and candidate(parent) is None else ""

    return [replace(code, parent=parent_of(code)) if code.parent else code for code in codes]


def narrower(codes: Iterable[Code]) -> dict[str, tuple[Code, ...]]:
    """The codes in use under each code, by its id; only codes that have any."""
    found: dict[str, tuple[Code, ...]] = {}
    for code in codes:
        if code.parent and not code.retired:
            found[code.parent] = (*found.get(code.parent, ()), code)
    return found


def in_order(codes: Iterable[Code]) -> list[Code]:
    """The codes in their order, each followed by its narrower codes."""
    every = list(codes)
    ids = {code.id for code in every}
    below: dict[str, list[Code]] = {}
    for code in every:
        if code.parent in ids:
            below.setdefault(code.parent, []).append(code)
    return [one for code in every if code.parent not in ids for one in (code, *below.get(code.id, ()))]
