"""Where QRMeM's walk is drawn, apart from the net it was built into: in cells from left to right, so that all of it fits a panel.

Each strategy has a form of its own. *Navigation* is one path that turns at the end of a row, like a furrow. *Expansion* has a
column for each hop, *trial* one for the names of each trial, with a head over it. Below the walk is one row for what is weighed;
trials use it in turn. Pure. Not here: the net while it is built (`graph_layout.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from readers.engine.text.shorten import shorten_at_word
from readers.engine.text.words import rarity, words

T = TypeVar("T")
Strategy = Literal["navigation", "expansion", "trial"]
CELLS = 4  # in a row
STACKED, HIGHEST = 4, 6  # entities in a cell; more only where the walk then fits one row
NARROW, CELL, STACK = 130, 206, 48  # pixels from cell to cell, at least and at most, and from entity to entity in one
BESIDE: Mapping[Strategy, int] = {"navigation": 64, "expansion": 110, "trial": 52}  # pixels beside a box, for words and stubs
LEAN = 33  # pixels by which entities of a path stand higher and lower in turn, so that words have room between them
ROW_GAP, HEAD = 62, 40
WEIGHED = 4  # what is weighed at a trial and drawn, the best first
SHORT = 24  # characters of a relation's words on its edge
CAPTIONS: Mapping[Strategy, str] = {
    "navigation": "Its walk, one relation after another",
    "expansion": "Its walk, hop by hop",
    "trial": "The names it looked for, trial by trial",
}


@dataclass(frozen=True)
class WalkStage:
    """Entities that the walk came to together: at a step (None: the question's own), under a head."""

    head: str
    step: int | None
    entities: Sequence[str]


@dataclass
class WalkLayout:
    """The centre of each entity in pixels, and the heads over the columns."""

    cell: float = CELL
    places: dict[str, tuple[float, float]] = field(default_factory=dict)
    heads: list[dict[str, Any]] = field(default_factory=list)


def lay_out(
    stages: Sequence[WalkStage], weighed: Mapping[int, Sequence[str]], *, strategy: Strategy, widest: float = CELL
) -> WalkLayout:
    """Place every entity of the stages, each where it came up first, and below them what else was weighed, by step. `widest` is
    the width of the widest box in pixels."""
    layout = WalkLayout(cell=min(CELL, max(NARROW, widest + BESIDE[strategy])))
    known: set[str] = set()
    came: list[tuple[WalkStage, list[str]]] = []
    for stage in stages:
        fresh = [entity for entity in dict.fromkeys(stage.entities) if entity not in known]
        known.update(fresh)
        came.append((stage, fresh))
    sizes = (_cells(came, size) for size in range(STACKED, HIGHEST + 1))
    cells = next((found for found in sizes if len(found) <= CELLS), _cells(came, STACKED))
    top = 0.0
    for number, row in enumerate(_slices(cells, CELLS)):
        turned = strategy == "navigation" and number % 2 == 1
        top = _row(row, layout, top=top, turned=turned, headed=strategy != "navigation")
    _below(layout, weighed, known, top)
    return layout


def _cells(came: Iterable[tuple[WalkStage, list[str]]], size: int) -> list[tuple[WalkStage, Sequence[str]]]:
    return [(stage, stack) for stage, fresh in came for stack in _slices(fresh, size)]


def _slices(found: Sequence[T], size: int) -> list[Sequence[T]]:
    return [found[at : at + size] for at in range(0, len(found), size)]


def _row(row: Sequence[tuple[WalkStage, Sequence[str]]], layout: WalkLayout, *, top: float, turned: bool, headed: bool) -> float:
    """Place one row of cells; returns where the next one begins."""
    leans = not headed and len(row) > 1
    high = max((len(stack) - 1) * STACK for _, stack in row)
    high = max(high, 2 * LEAN if leans else 0)
    middle = top + (HEAD if headed else 0) + high / 2
    for column, (stage, stack) in enumerate(row):
        x = (CELLS - 1 - column if turned else column) * layout.cell
        lean = (LEAN if column % 2 else -LEAN) if leans and len(stack) == 1 else 0
        for n, entity in enumerate(stack):
            layout.places[entity] = (x, middle + lean + (n - (len(stack) - 1) / 2) * STACK)
        if headed and (column == 0 or row[column - 1][0] is not stage):
            layout.heads.append({"text": stage.head, "x": x, "y": top, "from": stage.step})
    return middle + high / 2 + ROW_GAP


def _below(layout: WalkLayout, weighed: Mapping[int, Sequence[str]], walked: Iterable[str], top: float) -> None:
    """Give what was weighed a place in the row below; two that were weighed at one step never share one."""
    taken: dict[int, set[int]] = defaultdict(set)  # slots by step
    steps: dict[str, list[int]] = defaultdict(list)
    known = set(walked)
    for step, entities in weighed.items():
        for entity in dict.fromkeys(entities):
            if entity not in known:
                steps[entity].append(step)
    for entity, at in steps.items():
        slot = next(n for n in range(len(steps)) if not any(n in taken[step] for step in at))
        for step in at:
            taken[step].add(slot)
        layout.places[entity] = (slot % CELLS * layout.cell, top + slot // CELLS * STACK)


def beside(layout: WalkLayout, entities: Sequence[str]) -> None:
    """Add entities that a person opened, in rows below everything."""
    top = max((y for _, y in layout.places.values()), default=0.0) + ROW_GAP
    for n, entity in enumerate(one for one in entities if one not in layout.places):
        layout.places[entity] = (n % CELLS * layout.cell, top + n // CELLS * STACK)


def short_words(text: str, names: Iterable[str]) -> str:
    """What a relation says between its two names, in a few words: `made every plank of`. Without names in it, its beginning."""
    line = " ".join(text.split())
    low = line.lower()
    spans: list[tuple[int, int]] = []
    for at, length in sorted((low.find(name.lower()), -len(name)) for name in names if name and name.lower() in low):
        if not spans or at >= spans[-1][1]:
            spans.append((at, at - length))
    between = line[spans[0][1] : spans[1][0]].strip(" ,;:–-") if len(spans) > 1 else ""
    if any(rarity(word) > 0 for word in words(between)):
        return shorten_at_word(between, SHORT)
    rest = line[spans[0][1] :].strip(" ,;:–-.") if spans and spans[0][0] == 0 else line
    return shorten_at_word(rest or line, SHORT).rstrip(".")
