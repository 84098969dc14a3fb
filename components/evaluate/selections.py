"""Readings of an evaluation that are looked at and labelled together: by right and wrong, by slice, by depth and length. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from components.evaluate import figures
from readers.engine.analysis.evaluate import report
from readers.engine.analysis.evaluate.evaluated import LENGTH, Evaluated, Evaluation, sliced
from readers.engine.analysis.facts.evidence import EvidenceFate

ALL, SPLIT, NONE_RIGHT, WRONG, WRONG_WITH_EVIDENCE = "", "split", "none", "wrong", "wrong with evidence"
NAMES = {
    ALL: "All questions",
    SPLIT: "Questions that split the readers",
    NONE_RIGHT: "Questions no reader got right",
    WRONG: "Wrong answers",
    WRONG_WITH_EVIDENCE: "Wrong, with the evidence before the model",
}
DEPTH = "depth:"  # how the keys of the heat map's cells begin
Fates = Mapping[str, EvidenceFate | None]  # by reading


class ReadingSelection(NamedTuple):
    """Some readings: a key, what they are, and their ids. Questions without any of them are not shown with it."""

    key: str
    name: str
    runs: tuple[str, ...]
    questions: frozenset[int]


def offered(found: Evaluation, score: str, fates: Fates) -> list[ReadingSelection]:
    """Every selection that has readings with this score; all of them are the first one."""
    scored = [one for one in found.readings if _value(one, score) is not None]
    every = [
        _selection(ALL, NAMES[ALL], scored),
        *_by_outcome(scored, score, fates),
        *(one for by in (LENGTH, *found.fields) for one in _by_slice(scored, by)),
        *_by_depth(scored, score),
    ]
    return [one for one in every if one.runs or one.key == ALL]


def of_readers(chosen: ReadingSelection, found: Evaluation, readers: Collection[str]) -> ReadingSelection:
    """The readings of a selection by these readers; by all, where none is named."""
    if not readers:
        return chosen
    runs = {one.row.run for one in found.readings if one.row.reader in readers}
    return chosen._replace(name=f"{chosen.name}, by {', '.join(readers)}", runs=tuple(one for one in chosen.runs if one in runs))


def depth_key(fifth: int, length: str) -> str:
    """The key of the readings whose evidence begins in a fifth of texts of a length."""
    return f"{DEPTH}{fifth}:{length}"


def by_cell(readings: Iterable[Evaluated], score: str) -> dict[tuple[int, str], list[Evaluated]]:
    """The scored readings by the fifth of the text in which the evidence begins and the length of the text, both in order."""
    parts = sliced([one for one in readings if one.depth is not None and _value(one, score) is not None], LENGTH)
    found: dict[tuple[int, str], list[Evaluated]] = {}
    for length, some in parts.items():
        for one in sorted(some, key=lambda each: each.depth or 0):
            if one.depth is not None:
                found.setdefault((min(figures.DEPTHS - 1, int(one.depth * figures.DEPTHS)), length), []).append(one)
    return found


def _by_outcome(readings: Sequence[Evaluated], score: str, fates: Fates) -> list[ReadingSelection]:
    by_question: dict[int, list[Evaluated]] = {}
    for one in readings:
        by_question.setdefault(one.number, []).append(one)
    right = {number: [_is_right(one, score) for one in some] for number, some in by_question.items()}
    split = [one for number, some in by_question.items() if any(right[number]) and not all(right[number]) for one in some]
    none = [one for number, some in by_question.items() if not any(right[number]) for one in some]
    wrong = [one for one in readings if _value(one, score) == 0]
    had = [one for one in wrong if (fate := fates.get(one.row.run)) and "reached" in fate.passed]
    kinds = {SPLIT: split, NONE_RIGHT: none, WRONG: wrong, WRONG_WITH_EVIDENCE: had}
    return [_selection(key, NAMES[key], some) for key, some in kinds.items()]


def _by_slice(readings: Sequence[Evaluated], by: str) -> list[ReadingSelection]:
    parts = sliced(readings, by)
    if len(parts) < 2:
        return []
    name = report.slice_name(by).capitalize()
    return [_selection(f"slice:{by}:{value}", f"{name}: {value}", some) for value, some in parts.items()]


def _by_depth(readings: Sequence[Evaluated], score: str) -> list[ReadingSelection]:
    return [
        _selection(depth_key(fifth, length), f"Evidence at {figures.depth_name(fifth)} of the text, {length}", some)
        for (fifth, length), some in by_cell(readings, score).items()
    ]


def _selection(key: str, name: str, readings: Sequence[Evaluated]) -> ReadingSelection:
    return ReadingSelection(key, name, _runs(readings), frozenset(one.number for one in readings))


def _runs(readings: Iterable[Evaluated]) -> tuple[str, ...]:
    return tuple(one.row.run for one in readings if one.row.run)


def _value(one: Evaluated, score: str) -> float | None:
    found = one.row.scores.get(score)
    return found.value if found else None


def _is_right(one: Evaluated, score: str) -> bool:
    return (_value(one, score) or 0) >= 1
