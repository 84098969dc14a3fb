"""The two levels of a codebook: a code may stand under a broader one. Pure.

Labels have the code that was given, and agreement is computed on that; only counting may add the broader code
(`figures/counts.py`). A broader code stands under none itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from readers.engine.errors import BadOptions
from readers.engine.labels.codes.codes import Code


def check_parents(codes: Sequence[Code]) -> None:
    """Raises BadOptions for a code under one that is missing, retired, under another itself, or the code itself."""
    by_id = {code.id: code for code in codes}
    for code in codes:
        if not code.parent:
            continue
        parent = by_id.get(code.parent)
        if parent is None or parent.id == code.id:
            raise BadOptions(f"{code.called!r} stands under {code.parent[:40]!r}, which is not another code of the codebook")
        if parent.parent and not code.retired:
            raise BadOptions(f"{code.called!r} cannot stand under {parent.called!r}, which stands under a code itself")
        if parent.retired and not code.retired:
            raise BadOptions(f"{code.called!r} cannot stand under {parent.called!r}, which was retired")


def with_valid_parents(codes: Sequence[Code], moved: Mapping[str, str]) -> list[Code]:
    """The codes after some were retired: what stood under one of these stands under the code it was merged into (`moved`, by
    id), if that stands under none itself and is another code; otherwise under none."""
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
    """The codes in use that stand under each code, by its id; only codes that have any."""
    found: dict[str, tuple[Code, ...]] = {}
    for code in codes:
        if code.parent and not code.retired:
            found[code.parent] = (*found.get(code.parent, ()), code)
    return found


def in_order(codes: Iterable[Code]) -> list[Code]:
    """The codes in their order, each followed by those that stand under it."""
    every = list(codes)
    ids = {code.id for code in every}
    below: dict[str, list[Code]] = {}
    for code in every:
        if code.parent in ids:
            below.setdefault(code.parent, []).append(code)
    return [one for code in every if code.parent not in ids for one in (code, *below.get(code.id, ()))]
