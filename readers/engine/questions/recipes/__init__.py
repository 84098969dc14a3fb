"""Recipes: a paper's setting for `evaluate`, with the figures that it prints. One JSON file for each, under its name.

A recipe names the benchmarks that it is for, the ways of reading for the paper's rows (reader, preset, options, window), whether
choices are given, the scores and figures that the paper reports, and its rows, with a sentence on what differs from them here. A
row begins with the name of the method that makes it, and goes on with the paper's model. Parts that are not available here, such
as a trained model or a row that no way of reading makes, are listed with their source elsewhere. Not here: the presets (each
reader's `options.py`), and the scores.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from readers.engine.errors import NotFound
from readers.engine.questions.question_set import BENCHMARK, SetQuestion

_FOLDER = Path(__file__).parent
_PARTS = {"LongBench": "dataset", "NarrativeQA": "kind"}  # the field that distinguishes the parts of a benchmark


@dataclass(frozen=True)
class RecipeWay:
    """What makes some of a paper's rows: a reader with a preset (None: its own defaults), the options that go before the
    preset's, and the context window in tokens (None: the model's own)."""

    name: str
    reader: str
    preset: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    window: int | None = None

    @property
    def in_words(self) -> str:
        """The reader with its settings, as in `a_reader (a preset; keep right; window 4,096)`."""
        options = [f"{name} {value}" for name, value in self.options.items()]
        about = [*([self.preset] if self.preset else []), *options, *([f"window {self.window:,}"] if self.window else [])]
        return f"{self.reader} ({'; '.join(about)})" if about else self.reader


@dataclass(frozen=True)
class Recipe:
    """A paper's setting. `benchmarks` are names as `names_of_data` gives them. `rows` are names, each with a figure in percent
    for each of `heads`, None where the paper has none (look-ups are numbers). `scores` are names of scores, of ratings and of the
    methods' own figures."""

    name: str
    title: str
    paper: str
    benchmarks: tuple[str, ...]
    ways: tuple[RecipeWay, ...]
    choices: bool
    scores: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float | None, ...]], ...]
    differs: str
    elsewhere: str = ""

    @property
    def readers(self) -> tuple[str, ...]:
        """The ids of its readers, each once."""
        return tuple(dict.fromkeys(way.reader for way in self.ways))

    def fits(self, data: Collection[str]) -> bool:
        """Whether any of its figures are of questions from this data."""
        return bool({*self.benchmarks} & {*data})

    def other_data(self, data: Collection[str]) -> str:
        """A sentence on questions that its figures are not of; empty where it fits."""
        named = " or ".join(self.benchmarks)
        return "" if self.fits(data) else f"These questions are not of {named}: the paper’s figures are of other questions."


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


def recipes_beside(followed: str, data: Collection[str]) -> list[Recipe]:
    """The recipe of this name, if there is one, then the others for these data."""
    mine = [one for one in recipes() if one.name == followed]
    return mine + [one for one in recipes_for(data) if one not in mine]


def recipes_for(data: Collection[str]) -> list[Recipe]:
    """The recipes for questions from any of this data."""
    return [one for one in recipes() if one.fits(data)]


def names_of_data(questions: Iterable[SetQuestion]) -> list[str]:
    """The benchmarks that questions are from, each with its parts that have figures of their own: `LongBench: hotpotqa`."""
    found: dict[str, None] = {}
    for one in questions:
        fields = dict(one.fields)
        if benchmark := fields.get(BENCHMARK):
            found[benchmark] = None
            if part := fields.get(_PARTS.get(benchmark, "")):
                found[f"{benchmark}: {part.removesuffix('_e')}"] = None
    return [*found]


def _read(path: Path) -> Recipe:
    data = json.loads(path.read_text(encoding="utf-8"))
    rows = tuple((name, tuple(figures)) for name, *figures in data["rows"])
    ways = tuple(RecipeWay(**{**way, "window": way.get("window", data.get("window")) or None}) for way in data["ways"])
    return Recipe(
        path.stem, data["title"], data["paper"], tuple(data["benchmarks"]), ways, data["choices"],
        tuple(data["scores"]), tuple(data["heads"]), rows, data["differs"], data["elsewhere"],
    )  # fmt: skip
