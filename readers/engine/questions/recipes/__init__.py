"""Recipes: a paper's setting for `evaluate`, with the figures that it prints. One JSON file each, named as it is called.

A recipe names the benchmarks that it is for, the readers with their presets, whether choices are given, the scores and figures
that the paper reports, and its rows,
with a sentence on what differs from them here. What cannot be had here (a trained model) is said with what runs it elsewhere.
Not here: the presets (each reader's `options.py`), and the scores.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from readers.engine.errors import NotFound

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Recipe:
    """A paper's setting. `readers` gives the preset of each reader id, None for the reader's own defaults; `rows` are names, each
    with a figure in percent for each of `heads`, None where the paper has none (look-ups are numbers). `scores` are names of
    scores, of ratings and of the methods' own figures."""

    name: str
    title: str
    paper: str
    benchmarks: tuple[str, ...]
    readers: Mapping[str, str | None]
    choices: bool
    scores: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float | None, ...]], ...]
    differs: str
    elsewhere: str = ""


@cache
def recipes() -> tuple[Recipe, ...]:
    """All recipes, by name."""
    return tuple(_read(path) for path in sorted(_FOLDER.glob("*.json")))


def recipe(name: str) -> Recipe:
    """The recipe of this name. Raises NotFound."""
    found = next((one for one in recipes() if one.name == name), None)
    if found is None:
        raise NotFound(f"there is no recipe {name!r}; there are {', '.join(one.name for one in recipes())}")
    return found


def scores_of_recipe(name: str) -> tuple[str, ...]:
    """What the paper of a recipe reports; nothing for no recipe, and for one that is not there any more."""
    return next((one.scores for one in recipes() if one.name == name), ())


def recipes_for(benchmarks: Collection[str]) -> list[Recipe]:
    """The recipes for questions of any of these benchmarks."""
    return [one for one in recipes() if set(one.benchmarks) & set(benchmarks)]


def _read(path: Path) -> Recipe:
    data = json.loads(path.read_text(encoding="utf-8"))
    rows = tuple((name, tuple(figures)) for name, *figures in data["rows"])
    return Recipe(
        path.stem, data["title"], data["paper"], tuple(data["benchmarks"]), data["readers"], data["choices"],
        tuple(data["scores"]), tuple(data["heads"]), rows, data["differs"], data["elsewhere"],
    )  # fmt: skip
