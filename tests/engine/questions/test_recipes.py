"""Recipes name readers, presets and benchmarks that there are, and their rows fit their heads."""

from __future__ import annotations

from dataclasses import fields

import pytest

from readers import get
from readers.engine.analysis.measures import FIGURES
from readers.engine.errors import NotFound
from readers.engine.prompts.options import read_options
from readers.engine.questions.benchmarks.recognise import BENCHMARKS
from readers.engine.questions.question_set import QuestionField, SetQuestion
from readers.engine.questions.recipes import Recipe, names_of_data, recipe, recipes, recipes_for, scores_of_recipe
from readers.engine.questions.scores import RATED, SCORES


@pytest.mark.parametrize("one", recipes(), ids=lambda one: one.name)
def test_everything_that_a_recipe_names_is_there(one: Recipe) -> None:
    assert {name.partition(": ")[0] for name in one.benchmarks} <= {known.name for known in BENCHMARKS}
    for way in one.ways:
        reader = get(way.reader)
        assert way.preset is None or way.preset in reader.presets
        options = {**reader.presets[way.preset].options, **way.options} if way.preset else dict(way.options)
        if "tokenizer" not in {field.name for field in fields(reader.Options)}:  # a checkpoint's own file
            read_options(reader.Options, options)
    assert {*one.scores} <= {*SCORES, *RATED, *FIGURES}
    assert one.rows
    for _, figures in one.rows:
        assert len(figures) == len(one.heads)
        assert all(figure is None or 0 <= figure <= 100 for figure in figures)
    assert one.differs.endswith(".")
    assert one.paper


@pytest.mark.parametrize("one", recipes(), ids=lambda one: one.name)
def test_each_row_is_made_by_a_way_or_it_is_said_what_makes_it(one: Recipe) -> None:
    ways, rows = {way.name for way in one.ways}, {name.partition(" · ")[0] for name, _ in one.rows}
    assert ways <= rows
    assert len(ways) == len(one.ways)
    for name in rows - ways:
        assert name.partition(", top")[0] in one.elsewhere


def test_qrmems_sets_are_those_of_longbench_and_readagent_reads_narrativeqa_as_published() -> None:
    def asked(**given: str) -> SetQuestion:
        return SetQuestion("q", "d", "?", fields=tuple(QuestionField(*one) for one in given.items()))

    def made_for(**given: str) -> list[str]:
        return [one.name for one in recipes_for(names_of_data([asked(**given)]))]

    assert made_for(benchmark="LongBench", dataset="2wikimqa_e") == ["qrmem-main"]
    assert made_for(benchmark="LongBench", dataset="gov_report") == made_for(benchmark="HotpotQA") == made_for() == []
    assert made_for(benchmark="NarrativeQA", kind="movie") == ["readagent-narrativeqa-films"]
    ways = {way.name: way for way in recipe("qrmem-main").ways}
    assert {way.window for way in ways.values()} == {4096}
    assert ways["MemWalker, reproduced"].options == {"segment_tokens": 600}
    sequential = next(way for way in recipe("readagent-quality").ways if "sequence" in way.name)
    assert sequential.in_words == "readagent (QuALITY; mode sequential; max_lookups 6; window 8,192)"


def test_every_paper_has_a_recipe_and_it_is_found_by_name_or_benchmark() -> None:
    papers = {"memwalker", "readagent", "qrmem", "memagent", "rememr1"}
    assert {reader for one in recipes() for reader in one.readers} == {*papers, "whole", "retrieval", "recurrence"}
    assert [one.name for one in recipes_for(["QMSum"])] == ["readagent-qmsum"]
    assert recipes_for(["of no name"]) == []
    assert scores_of_recipe("readagent-quality") == ("accuracy", "compression_rate", "lookups")
    assert scores_of_recipe("of no name") == ()
    with pytest.raises(NotFound, match="there is no recipe 'x'; there are memagent-lengths"):
        recipe("x")
