"""A page beside its gist: what the gist kept, what the page adds, and which page is shown when."""

from __future__ import annotations

import json

import pytest

from components.player.pictures import picture
from components.player.pictures.readagent import beside
from components.player.word_diff import can_align
from tests.support.readings.readagent_readings import STOP, model, paragraphs, read

GIST = "Rusk hid the ledger. The dragon slept in the harbour."
PAGE = "On Sunday, Rusk (the keeper) hid the old ledger in the sand; nobody in the harbour saw it."


def words(runs: list[tuple[str, str]], kind: str) -> list[str]:
    return [text for text, own in runs if own == kind]


def test_both_texts_are_whole_and_what_both_have_is_told_from_what_one_has() -> None:
    found = beside(GIST, PAGE, question="Where is the ledger: in the sand?")
    assert "".join(text for text, _ in found["gist"]) == GIST
    assert "".join(text for text, _ in found["page"]) == PAGE
    assert words(found["gist"], "kept") == ["Rusk hid the ledger", "in the harbour"]
    assert words(found["gist"], "own") == ["dragon slept"]
    assert words(found["page"], "kept") == ["Rusk", "hid the", "ledger", "in the harbour"]
    assert words(found["page"], "met") == ["sand"]
    assert (found["met"], found["adds"]) == (["ledger"], ["sand"])
    assert 0 < found["kept"] < found["rare"]


def test_a_common_word_alone_is_nothing_kept() -> None:
    found = beside("It was in the end.", "He sat in the dark.")
    assert words(found["page"], "kept") == []
    assert found["kept"] == 0


@pytest.mark.parametrize(("gist", "page"), [("", PAGE), (GIST, ""), ("", ""), ("砂の中", "帳簿は砂の中")])
def test_empty_texts_and_scripts_without_spaces_are_shown_whole(gist: str, page: str) -> None:
    found = beside(gist, page, question="砂?")
    assert "".join(text for text, _ in found["gist"]) == gist
    assert "".join(text for text, _ in found["page"]) == page


def test_the_same_few_words_over_and_over_are_compared_by_their_rare_words_alone() -> None:
    """Aligned in order, these would take minutes."""
    gist, page = "lamp oil " * 1_500, "oil wick " * 1_500
    assert not can_align(gist.split(), page.split())
    found = beside(gist, page)
    assert set(words(found["page"], "kept")) == {"oil"}
    assert "".join(text for text, _ in found["page"]) == page


def test_a_page_is_shown_beside_its_gist_at_the_step_that_opens_it_with_the_stated_reason() -> None:
    trace = read(paragraphs(30, 30, 30), model(asks=[1, STOP]), mode="sequential")
    drawn = json.loads(json.dumps(picture("readagent", trace, question="Where is Part1?")))
    (step,) = drawn["beside"]
    shown = drawn["beside"][step]
    assert drawn["here"][int(step)] == shown["id"] == "1"
    assert (shown["why"], shown["by_rule"]) == ("because of 1", False)
    assert "".join(text for text, _ in shown["page"]).startswith("Part1 ")
    assert int(step) >= drawn["built"]


def test_a_page_taken_by_its_score_is_said_to_be_taken_by_rule() -> None:
    trace = read(paragraphs(30, 30), model(), mode="retrieval", max_lookups=1)
    drawn = picture("readagent", trace, question="Where is Part1?")
    assert drawn is not None
    assert [shown["by_rule"] for shown in drawn["beside"].values()] == [True]


def test_a_page_that_is_opened_is_solid_only_once_a_call_shows_it() -> None:
    """Here a page is opened at a step without a call."""
    trace = read(paragraphs(30, 30, 30), model(asks=[1, STOP]), mode="sequential")
    drawn = picture("readagent", trace, question="Where is Part1?")
    assert drawn is not None
    (_, page, _) = drawn["pages"]
    states = {state: step for step, state in page["changes"] if step >= drawn["built"]}
    assert list(states) == ["asked", "waiting", "opened"]
    assert not trace.raw_at[states["waiting"]]
    assert trace.raw_at[states["opened"]]
    assert drawn["since"]["waiting"] == states["waiting"]


def test_the_answer_rests_on_the_gist_that_has_its_words_in_a_row_not_on_a_later_one_that_only_has_them() -> None:
    gists = {"Part0": "Dusk fell.", "Part1": "It kept carts to twelve tons.", "Part2": "Tons of twelve carts."}
    made = model(gist=lambda call: gists[call.part("page")[0].split()[0]], asks=[STOP], answer="(B) Twelve tons")
    drawn = picture("readagent", read(paragraphs(30, 30, 30), made, choices=("Nine tons", "Twelve tons"), mode="sequential"))
    assert drawn is not None
    assert [(claim["rests"], claim["page"]) for claim in drawn["claims"]] == [("gist", "page 2")]
