"""What the codebook's page says, and what a change typed there makes of a codebook. Pure.

How a codebook changes is `codebook.py`; who may see it, `projects.py`. Here words from fields become a change, and versions
become sentences.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from readers.engine.errors import BadOptions
from readers.engine.labels import codebook
from readers.engine.labels.code import LONGEST_NAME, LONGEST_WORDS, Code
from readers.engine.labels.codebook import Change, Codebook
from readers.engine.labels.label import Label
from readers.engine.store.codebooks import CodebookVersion

EMPTY = Codebook((), 0)
NO_FAMILY, FROM_NOTES = "Without a family", "From notes"
ACTS = {
    "redefine": "Say it in other words", "rename": "Rename", "add": "Add a code", "merge": "Merge", "split": "Split",
    "retire": "Retire", "restore": "Restore",
}  # fmt: skip
ACTS_MEAN = {
    "redefine": "Labels made before stay. Where the meaning has changed they are listed, to be looked at again.",
    "rename": "The code means what it meant; no label needs another look.",
    "add": "A new code is there for everybody at once.",
    "merge": "Several codes become one. Labels that have one of them stay, and are listed to be looked at again.",
    "split": "One code becomes several. Labels that have it stay, and are listed to be looked at again.",
    "retire": "The code is offered no more. Labels that have it stay, and are listed to be looked at again.",
    "restore": "A retired code is offered again, and means what it meant.",
}
FIELDS = {
    "name": "Name", "group": "Family", "definition": "Definition", "example": "Example", "near_miss": "Near miss",
    "hints": "Hints",
}  # fmt: skip
WORDS = ("definition", "example", "near_miss")
_ID = re.compile(r"(.*?)(\d+)$")


def read(kept: CodebookVersion | None) -> Codebook:
    """The codebook of a kept version; an empty one of version 0 where there is none. Raises BadOptions."""
    return codebook.from_json(kept.version, kept.codes, change=kept.change) if kept else EMPTY


def families(codes: Iterable[Code]) -> list[tuple[str, list[Code]]]:
    """Codes by family, both in the order in which they came."""
    found: dict[str, list[Code]] = {}
    for code in codes:
        found.setdefault(code.group or NO_FAMILY, []).append(code)
    return list(found.items())


def retired(book: Codebook) -> list[Code]:
    return [code for code in book.codes if code.retired]


def next_id(book: Codebook, group: str) -> str:
    """An id that is free, in the manner of the others of its family."""
    of_family = [found for code in book.codes if code.group == group and (found := _ID.match(code.id))]
    letters = Counter(found[1] for found in of_family).most_common(1)
    stem = letters[0][0] if letters else (group[:1].upper() if group[:1].isalpha() else "C")
    taken = {code.id.casefold() for code in book.codes}
    number = max((int(found[2]) for found in of_family if found[1] == stem), default=0) + 1
    while f"{stem}{number}".casefold() in taken:
        number += 1
    return f"{stem}{number}"


# Changes


def changed(book: Codebook, act: str, typed: Mapping[str, Any]) -> Codebook:
    """The next version that an act makes, of what was typed. Raises BadOptions for what cannot be, and without a reason."""
    why = str(typed.get("why", "")).strip()
    if not why:
        raise BadOptions("a change of the codebook has a reason; write why it is made")
    if act == "add":
        return book.add(fresh(book, typed), why=why)
    if act == "merge":
        into = str(typed["into"]) if typed.get("into") else fresh(book, typed)
        return book.merge(tuple(typed.get("codes", ())), into, why=why)
    id = str(typed.get("code") or "")
    if act == "rename":
        return book.rename(id, str(typed.get("name", "")), why=why)
    if act == "redefine":
        return _redefined(book, book.get(id), typed, why)
    if act == "split":
        return _split(book, id, typed, why)
    if act == "retire":
        return book.retire(id, why=why)
    if act == "restore":
        return book.restore(id, why=why)
    raise BadOptions(f"a codebook is not changed by {act[:40]!r}; there are {', '.join(ACTS)}")


def fresh(book: Codebook, typed: Mapping[str, Any]) -> Code:
    """A new code out of what was typed; without an id it gets one that is free."""
    group = " ".join(str(typed.get("group") or "").split())
    group = "" if group == NO_FAMILY else group
    id = str(typed.get("id") or "").strip() or next_id(book, group)
    hints = {reader: words for reader, words in dict(typed.get("hints", {})).items() if words.strip()}
    definition, example, near_miss = (str(typed.get(name) or "") for name in WORDS)
    return Code(id, " ".join(str(typed.get("name") or "").split()), group, definition, example, near_miss, hints)


def _redefined(book: Codebook, code: Code, typed: Mapping[str, Any], why: str) -> Codebook:
    given = {name: typed[name] for name in (*WORDS, "group") if name in typed}
    if given.get("group") == NO_FAMILY:
        given["group"] = ""
    if "hints" in typed:
        given["hints"] = {reader: words for reader, words in typed["hints"].items() if words.strip()}
    new = {name: value for name, value in given.items() if value != getattr(code, name)}
    if not new:
        raise BadOptions(f"nothing of {code.called!r} is other than it was; change its words first")
    return book.redefine(code.id, new, meaning=bool(typed.get("meaning", True)), why=why)


def _split(book: Codebook, id: str, typed: Mapping[str, Any], why: str) -> Codebook:
    """The parts belong to the family of what is split, where they have none of their own; each gets an id of its own."""
    parts: list[Code] = []
    family = book.get(id).group
    for part in typed.get("parts", ()):
        if any(str(part.get(name) or "").strip() for name in ("id", "name", *WORDS)):
            so_far = Codebook((*book.codes, *parts), book.version)
            parts.append(fresh(so_far, {"group": family, **part}))
    return book.split(id, parts, why=why)


# From one's own groups


class OwnGroup(NamedTuple):
    """A group of one's own notes that no code has the name of."""

    name: str
    notes: int
    readings: int
    example: str


def without_code(book: Codebook, notes: Iterable[Label]) -> list[OwnGroup]:
    """One's groups that are no codes yet, the largest first."""
    names = {code.name.casefold() for code in book.in_use}
    found: dict[str, list[Label]] = {}
    for note in notes:
        name = str(note.value.get("group", ""))
        if name and name.casefold() not in names:
            found.setdefault(name, []).append(note)
    rows = [
        OwnGroup(name, len(kept), len({note.run for note in kept}), str(kept[0].value.get("words", "")))
        for name, kept in found.items()
    ]
    return sorted(rows, key=lambda one: (-one.notes, one.name))


def with_group(book: Codebook, group: OwnGroup) -> Codebook:
    """With a code made of a group of notes: its name, and the first note as the example."""
    code = Code(next_id(book, FROM_NOTES), group.name[:LONGEST_NAME], FROM_NOTES, example=group.example.strip()[:LONGEST_WORDS])
    many = f"{group.notes:,} note{'' if group.notes == 1 else 's'}"
    return book.add(code, why=f"a group of {many} of the person who added it")


# Versions in words


class Difference(NamedTuple):
    """What a code's field was and is."""

    code: str
    field: str
    was: str
    now: str


def told(change: Change, after: Codebook, before: Codebook) -> str:
    """What a change did, in a sentence."""
    old = " and ".join(_called(before, after, id) for id in change.codes)
    new = " and ".join(_called(after, before, id) for id in change.into)
    if change.kind == "begun":
        return f"Begun with {len(after.in_use):,} code{'' if len(after.in_use) == 1 else 's'}."
    if change.kind == "added":
        return f"Added {' and '.join(_called(after, before, id) for id in change.codes)}."
    if change.kind == "renamed":
        return f"Renamed {old}; it is {' and '.join(_called(after, before, id) for id in change.codes)} now."
    if change.kind == "redefined":
        meant = any(code.id in change.codes and code.changed == after.version for code in after.codes)
        return f"{old} {'means something else' if meant else 'is said in other words'}."
    return {
        "merged": f"Merged {old} into {new}.",
        "split": f"Split {old} into {new}.",
        "retired": f"Retired {old}.",
        "restored": f"Took {old} into use again.",
    }[change.kind]


def _called(book: Codebook, other: Codebook, id: str) -> str:
    code = book.find(id) or other.find(id)
    return code.called if code else id


def differences(before: Codebook, after: Codebook) -> list[Difference]:
    """The words of codes that both versions have and that are not the same."""
    rows = []
    for code in after.codes:
        old = before.find(code.id)
        for name, title in FIELDS.items() if old else ():
            was, now = _shown(getattr(old, name)), _shown(getattr(code, name))
            if was != now:
                rows.append(Difference(code.called, title, was, now))
    return rows


def _shown(value: Any) -> str:
    return "; ".join(f"{reader}: {words}" for reader, words in value.items()) if isinstance(value, Mapping) else str(value)


def meant_since(code: Code) -> str:
    """Since when a code is there and says what it says; empty for one as it came first."""
    if code.retired:
        return f"retired in version {code.retired}" + (f", now {' and '.join(code.into)}" if code.into else "")
    if code.changed > code.since:
        return f"means this since version {code.changed}"
    return f"new in version {code.since}" if code.since > 1 else ""


# Labels


def uses(labels: Iterable[Label]) -> Counter[str]:
    """How many labels have each code."""
    return Counter(label.code for label in labels if label.code is not None and not label.removed)


def about(label: Label) -> str:
    """On what a label is."""
    if label.kind == "span":
        on = {"text": "the text", "prompt": "a prompt", "reply": "a reply", "wrote": "something written"}[label.target["on"]]
        return f"characters {label.target['start']:,} to {label.target['end']:,} of {on}"
    return f"step {label.step}" if label.step else "the whole reading"


def hints_of(code: Code, readers: Sequence[str]) -> dict[str, str]:
    """A code's hints for all readers there are, and for those it names beside them."""
    return {reader: code.hints.get(reader, "") for reader in dict.fromkeys([*readers, *code.hints])}
