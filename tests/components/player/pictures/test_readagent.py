"""A page beside its gist: what the gist kept, what the page adds, and which page is shown when."""

from __future__ import annotations

import json

import pytest

from components.player import data
from components.player.pictures import picture
from components.player.pictures.readagent import beside
from components.player.word_diff import can_align
from tests.support.readings.readagent_readings import STOP, model, paragraphs, read
from tests.support.readings.shipped_readings import every_shipped, shipped_reading

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


def test_the_words_of_the_answer_occur_in_the_gist_that_has_them_in_a_row_not_in_a_later_one_that_only_has_them() -> None:
    gists = {"Part0": "Dusk fell.", "Part1": "It kept carts to twelve tons.", "Part2": "Tons of twelve carts."}
    made = model(gist=lambda call: gists[call.part("page")[0].split()[0]], asks=[STOP], answer="(B) Twelve tons")
    drawn = picture("readagent", read(paragraphs(30, 30, 30), made, choices=("Nine tons", "Twelve tons"), mode="sequential"))
    assert drawn is not None
    assert [(claim["in"], claim["words"]) for claim in drawn["claims"]] == [("gist", "its words occur in the gist of page 2")]


def test_all_the_pages_that_have_the_words_of_the_answer_are_named_and_no_page_is_said_to_be_its_source() -> None:
    found = data.of(shipped_reading("readagent-bridge-postcards.json"))["picture"]["claims"]
    assert [claim["words"] for claim in found] == ["its words occur in pages 5 and 9, read again"]


@every_shipped
def test_a_reason_for_a_page_is_that_of_who_replied(name: str) -> None:
    shipped = shipped_reading(name)
    found = data.of(shipped)
    edited = {shipped.trace.asked_at(record.seq) for record in shipped.records if record.origin == "edited"}
    for shown in (found["picture"] or {}).get("beside", {}).values():
        assert found["steps"][shown["asked"]]["by"] == ("a person" if shown["asked"] in edited else "the model")


@every_shipped
def test_where_a_page_is_cut_its_place_is_that_of_the_page_not_of_all_that_the_call_was_shown(name: str) -> None:
    found = data.of(shipped_reading(name))
    drawn = found["picture"] or {}
    pages = {page["id"]: page for page in drawn.get("pages", ())}
    for at, step in enumerate(found["steps"]):
        if "pauses" in step:
            first, last = (int(number.replace(",", "")) for number in step["range"].removeprefix("words ").split(" to "))
            assert last - first + 1 == pages[drawn["here"][at]]["words"]
