"""Recipes name readers, presets and benchmarks that there are, and their rows fit their heads."""

from __future__ import annotations

import pytest

from readers import get
from readers.engine.analysis.evaluate import FIGURES
from readers.engine.errors import NotFound
from readers.engine.questions.benchmarks.recognise import BENCHMARKS
from readers.engine.questions.recipes import Recipe, recipe, recipes, recipes_for, scores_of_recipe
from readers.engine.questions.scores import RATED, SCORES


@pytest.mark.parametrize("one", recipes(), ids=lambda one: one.name)
def test_everything_that_a_recipe_names_is_there(one: Recipe) -> None:
    assert {*one.benchmarks} <= {known.name for known in BENCHMARKS}
    for reader, preset in one.readers.items():
        assert preset is None or preset in get(reader).presets
    assert {*one.scores} <= {*SCORES, *RATED, *FIGURES}
    assert one.rows
    for _, figures in one.rows:
        assert len(figures) == len(one.heads)
        assert all(figure is None or 0 <= figure <= 100 for figure in figures)
    assert one.differs.endswith(".")
    assert one.paper


def test_every_paper_has_a_recipe_and_it_is_found_by_name_or_benchmark() -> None:
    assert {reader for one in recipes() for reader in one.readers} == {"memwalker", "readagent", "qrmem", "memagent", "rememr1"}
    assert [one.name for one in recipes_for(["QMSum"])] == ["readagent-qmsum"]
    assert recipes_for(["of no name"]) == []
    assert scores_of_recipe("readagent-quality") == ("accuracy", "compression_rate", "lookups")
    assert scores_of_recipe("of no name") == ()
    with pytest.raises(NotFound, match="there is no recipe 'x'; there are memagent-lengths"):
        recipe("x")
