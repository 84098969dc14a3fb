"""What the codebook's page says: typed values become a change of the codebook, and versions become sentences. Pure.

`readers/engine/labels/codebook.py` decides how a codebook changes, and who may see it is decided in `labels/project.py`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from readers.engine.errors import BadOptions
from readers.engine.labels.board import Board, BoardGroup, examples
from readers.engine.labels.codebook import Change, Codebook, Source
from readers.engine.labels.codes import LONGEST_NAME, LONGEST_WORDS, Code, in_order, narrower
from readers.engine.labels.label import Label
from readers.engine.report.values import Cell, Row, Table, columns
from readers.engine.store.labels.codebooks import CodebookVersion

EMPTY = Codebook((), 0)
NO_FAMILY, FROM_NOTES = "Without a family", "From notes"
ACTS = {
    "redefine": "Redefine", "rename": "Rename", "add": "Add a code", "merge": "Merge", "split": "Split",
    "retire": "Retire", "restore": "Restore",
}  # fmt: skip
ABOUT_ACTS = {
    "redefine": "Existing labels stay. If the meaning changes, they are listed for review.",
    "rename": "The meaning stays the same, so no label needs a review.",
    "add": "Everyone can use the new code at once.",
    "merge": "Several codes become one. Labels with one of them stay, and are listed for review.",
    "split": "One code becomes several. Labels with it stay, and are listed for review.",
    "retire": "The code is no longer offered. Labels with it stay, and are listed for review.",
    "restore": "A retired code is offered again, with its former meaning.",
}
FIELDS = {
    "name": "Name", "group": "Family", "definition": "Definition", "example": "Example", "near_miss": "Near miss",
    "hints": "Hints", "parent": "Stands under",
}  # fmt: skip
WORDS = ("definition", "example", "near_miss")
_ID = re.compile(r"(.*?)(?<!\d)(\d+)$")


def as_codebook(stored: CodebookVersion | None) -> Codebook:
    """The codebook of a stored version; without one, an empty codebook of version 0. Raises BadOptions."""
    return stored.book if stored else EMPTY


def families(codes: Iterable[Code]) -> list[tuple[str, list[Code]]]:
    """Codes by family, in their original order; a code under another follows it, in the other's family."""
    found: dict[str, list[Code]] = {}
    every = list(codes)
    family = {code.id: code.group or NO_FAMILY for code in every}
    for code in in_order(every):
        found.setdefault(family.get(code.parent) or family[code.id], []).append(code)
    return list(found.items())


def possible_parents(book: Codebook, code: Code | None = None) -> dict[str, str]:
    """The possible broader codes of a new code, or of this code, by id: those in use without a broader code. None for a code that
    has narrower codes."""
    if code is not None and code.id in narrower(book.codes):
        return {}
    return {one.id: one.called for one in book.in_use if not one.parent and (code is None or one.id != code.id)}


def retired(book: Codebook) -> list[Code]:
    return [code for code in book.codes if code.retired]


def next_id(book: Codebook, group: str) -> str:
    """A free id in the style of the family's other ids."""
    of_family = [found for code in book.codes if code.group == group and (found := _ID.match(code.id))]
    letters = Counter(found[1] for found in of_family).most_common(1)
    stem = letters[0][0] if letters else (group[:1].upper() if group[:1].isalpha() else "C")
    taken = {code.id.casefold() for code in book.codes}
    number = max((int(found[2]) for found in of_family if found[1] == stem), default=0) + 1
    while f"{stem}{number}".casefold() in taken:
        number += 1
    return f"{stem}{number}"


# Changes


def apply_change(book: Codebook, act: str, typed: Mapping[str, Any]) -> Codebook:
    """The next version of the codebook. Raises BadOptions for an impossible change, or one without a reason."""
    why = str(typed.get("why", "")).strip()
    if not why:
        raise BadOptions("a change of the codebook needs a reason; write why you make it")
    if act == "add":
        return book.add(new_code(book, typed), why=why)
    if act == "merge":
        into = str(typed["into"]) if typed.get("into") else new_code(book, typed)
        return book.merge(tuple(typed.get("codes", ())), into, why=why)
    code_id = str(typed.get("code") or "")
    if act == "rename":
        return book.rename(code_id, str(typed.get("name", "")), why=why)
    if act == "redefine":
        return _redefined(book, book.get(code_id), typed, why)
    if act == "split":
        return _split(book, code_id, typed, why)
    if act == "retire":
        return book.retire(code_id, why=why)
    if act == "restore":
        return book.restore(code_id, why=why)
    raise BadOptions(f"{act[:40]!r} is no change of a codebook; choose one of {', '.join(ACTS)}")


def new_code(book: Codebook, typed: Mapping[str, Any]) -> Code:
    """A new code from the typed values; without an id it gets a free one."""
    group = " ".join(str(typed.get("group") or "").split())
    group = "" if group == NO_FAMILY else group
    code_id = str(typed.get("id") or "").strip() or next_id(book, group)
    hints = {reader: words for reader, words in dict(typed.get("hints", {})).items() if words.strip()}
    definition, example, near_miss = (str(typed.get(name) or "") for name in WORDS)
    name, parent = " ".join(str(typed.get("name") or "").split()), str(typed.get("parent") or "")
    return Code(code_id, name, group, definition, example, near_miss, hints, parent=parent)


def _redefined(book: Codebook, code: Code, typed: Mapping[str, Any], why: str) -> Codebook:
    given = {name: typed[name] for name in (*WORDS, "group", "parent") if name in typed}
    if given.get("group") == NO_FAMILY:
        given["group"] = ""
    if "hints" in typed:
        given["hints"] = {reader: words for reader, words in typed["hints"].items() if words.strip()}
    new = {name: value for name, value in given.items() if value != getattr(code, name)}
    if not new:
        raise BadOptions(f"nothing about {code.called!r} was changed; change its words first")
    return book.redefine(code.id, new, meaning=bool(typed.get("meaning", True)), why=why)


def _split(book: Codebook, code_id: str, typed: Mapping[str, Any], why: str) -> Codebook:
    """Each part joins the family of the split code and keeps its broader code, unless it says otherwise. Without an id, it gets a
    free one."""
    parts: list[Code] = []
    whole = {"group": book.get(code_id).group, "parent": book.get(code_id).parent}
    for part in typed.get("parts", ()):
        if any(str(part.get(name) or "").strip() for name in ("id", "name", *WORDS)):
            so_far = Codebook((*book.codes, *parts), book.version)
            parts.append(new_code(so_far, {**whole, **part}))
    return book.split(code_id, parts, why=why)


# From another codebook


def compare_codes(book: Codebook, codes: Iterable[Code]) -> tuple[list[Code], list[Code], list[Code]]:
    """What importing these codes into a codebook would do: the new codes, the codes already there, and those that differ from a
    code with their id or name, which is unchanged."""
    new, same, differ = [], [], []
    for code in codes:
        there = book.find_folded(code.id) or code_named(book, code.name)
        if there is None:
            new.append(code)
        elif all(getattr(there, name) == getattr(code, name) for name in ("id", "name", "group", "hints", "parent", *WORDS)):
            same.append(code)
        else:
            differ.append(code)
    return new, same, differ


# From the groups of notes


def groups_without_code(book: Codebook, board: Board) -> list[BoardGroup]:
    """The groups of the board that are not codes yet, the largest first."""
    groups = [group for group in board.groups if code_named(book, group.name) is None]
    return sorted(groups, key=lambda group: (-len(group.notes), group.name))


def code_named(book: Codebook, name: str) -> Code | None:
    """The code in use of this name, however it is capitalized."""
    return next((code for code in book.in_use if code.name.casefold() == name.casefold()), None)


def add_group(book: Codebook, group: BoardGroup) -> Codebook:
    """Add a code made from a group of notes: it takes the group's name, and some of the notes as its examples."""
    example = examples(group, LONGEST_WORDS)
    code = Code(next_id(book, FROM_NOTES), group.name[:LONGEST_NAME], FROM_NOTES, example=example)
    many = f"{len(group.notes):,} note{'' if len(group.notes) == 1 else 's'}"
    return book.add(code, why=f"a group of {many} on the board")


# Versions in words


def change_sentence(change: Change, after: Codebook, before: Codebook) -> str:
    """What a change did, in a sentence."""
    old = " and ".join(_called(before, after, code_id) for code_id in change.codes)
    new = " and ".join(_called(after, before, code_id) for code_id in change.into)
    if change.kind == "begun":
        whence = f" of {source_words(change.source)}" if change.source else ""
        return f"Started with {len(after.in_use):,} code{'' if len(after.in_use) == 1 else 's'}{whence}."
    if change.kind == "imported" and change.source:
        imported = " and ".join(_called(after, before, code_id) for code_id in change.codes)
        return f"Imported {imported} of {source_words(change.source)}."
    if change.kind == "undone":
        return f"Undid the change of version {after.version - 1}."
    if change.kind == "added":
        return f"Added {' and '.join(_called(after, before, code_id) for code_id in change.codes)}."
    if change.kind == "renamed":
        return f"Renamed {old} to {' and '.join(_called(after, before, code_id) for code_id in change.codes)}."
    if change.kind == "redefined":
        meant = any(code.id in change.codes and code.changed == after.version for code in after.codes)
        return f"Changed the {'meaning' if meant else 'wording'} of {old}."
    return {
        "merged": f"Merged {old} into {new}.",
        "split": f"Split {old} into {new}.",
        "retired": f"Retired {old}.",
        "restored": f"Restored {old}.",
    }[change.kind]


def source_words(source: Source) -> str:
    """Where codes came from, in words."""
    return f"“{source.project}”, version {source.version:,} of {source.at[:10]} (SHA-256 {source.hash[:12]})"


def _called(book: Codebook, other: Codebook, code_id: str) -> str:
    code = book.find(code_id) or other.find(code_id)
    return code.called if code else code_id


def differences(before: Codebook, after: Codebook) -> Table:
    """The fields that changed in codes of both versions."""
    rows = []
    for code in after.codes:
        old = before.find(code.id)
        for name, title in FIELDS.items() if old else ():
            was, now = _as_text(getattr(old, name)), _as_text(getattr(code, name))
            if was != now:
                cells = [Cell(words or "(nothing)") for words in (was, now)]
                rows.append(Row(f"{code.called}: {title.lower()}", cells))
    return Table("What was changed", columns("Before", "After"), rows)


def _as_text(value: Any) -> str:
    return "; ".join(f"{reader}: {words}" for reader, words in value.items()) if isinstance(value, Mapping) else str(value)


def meaning_since(code: Code) -> str:
    """Since when the code has its meaning, or that it was retired; empty for an original code."""
    if code.retired:
        return f"retired in version {code.retired}" + (f", now {' and '.join(code.into)}" if code.into else "")
    if code.changed > code.since:
        return f"has meant this since version {code.changed}"
    return f"new in version {code.since}" if code.since > 1 else ""


# Labels


def label_counts(labels: Iterable[Label]) -> Counter[str]:
    """How many labels have each code."""
    return Counter(label.code for label in labels if label.code is not None and not label.removed)


def hints_by_reader(code: Code, readers: Sequence[str]) -> dict[str, str]:
    """The code's hints for these readers, and for any others it names."""
    return {reader: code.hints.get(reader, "") for reader in dict.fromkeys([*readers, *code.hints])}
