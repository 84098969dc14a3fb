"""Corrections: what would have been right at a step, as an edit, in words, or both. Pure.

One label holds both, but two places write them: the label panel the words, the page below the player the edit. Neither
overwrites what the other wrote: typed words never change the edit, and a chosen edit never changes the words. An annotator has
one correction a step; its id is fixed, so that two tabs edit the same label.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from readers.engine.canonical import digest
from readers.engine.labels.label import Label, Revision


def label_seed(project: str, run: str, annotator: str) -> str:
    """What the ids of an annotator's labels on a run are made from, here and in the browser."""
    return digest(f"{project}|{run}|{annotator}")[:32]


def correction_id(seed: str, step: int) -> str:
    """The id of an annotator's correction of a step (from 1)."""
    return f"{seed[:24]}{step:08x}"


def correction_of(labels: Iterable[Label], step: int) -> Label | None:
    """The correction of a step among an annotator's labels; one that was imported may have another id."""
    return next((one for one in labels if one.kind == "correction" and not one.removed and one.target["step"] == step), None)


def words_of(state: Label | Revision | None) -> str:
    """The words of a correction in one of its states; empty before it existed and while it is removed."""
    return "" if state is None or state.removed else str(state.value.get("words", ""))


def with_words(typed: Label, current: Label | None) -> Label:
    """A correction as it was typed, with the current edit, whatever edit came with the words."""
    edit = None if current is None or current.removed else current.value.get("edit")
    return replace(typed, value={**typed.value, "edit": edit})


def with_edit(correction: Label, edit: Mapping[str, Any] | None, *, codebook: int) -> Label:
    """A correction with another edit, and the current words."""
    value = {"edit": edit and dict(edit), "words": words_of(correction)}
    return replace(correction, value=value, codebook=codebook, removed=False)


def is_empty(correction: Label) -> bool:
    """Whether a correction has neither an edit nor words: then it is to be removed."""
    return correction.value.get("edit") is None and not words_of(correction).strip()
