"""The offline model on graph tasks: entities, relations, merging, questions, answers from several segments."""

from __future__ import annotations

import json
from typing import Any

import pytest

from readers.engine.models.offline.graph import MAX_QUESTIONS, MAX_RELATIONS, same_name_pairs
from readers.engine.prompts.prompt import Prompt
from readers.engine.text import split
from readers.engine.text.document import Document
from readers.qrmem import prompts
from readers.qrmem.prompts import (
    ANSWER,
    ANSWER_CHOICE,
    ANSWERABLE,
    ELABORATE,
    ENTITIES,
    MERGE_QUESTION,
    MERGE_RELATIONS,
    MORE_ENTITIES,
    MORE_RELATIONS,
    RELATIONS,
    REVISE,
    SAME,
    START,
)
from tests.support.models.offline_calls import fields
from tests.support.paths import SARN

WRECK = (
    "The steamer Prudence, Captain Edmund Raw, left Hallin for Goole on Tuesday. Dry Edmund, who commanded the Prudence, was a "
    "careful man. The boats were painted blue."
)
SCHOOL = (
    "In the porch hung a compass in a box, lent by the sister of Dry Edmund, who won it at the Harbour School in 1891. "
    "The roof leaked."
)
FOUNDER = (
    "For a century the Harbour School was thought the work of a parson. He gave it nothing. A deed shows that the school was "
    "founded and paid for by Barbara Lund, a widow. She asked each child for a light."
)
ASKED = "Who founded the school that the captain of the Prudence had attended?"


@pytest.fixture(scope="module")
def isle() -> Document:
    """The sample collection of articles."""
    return Document.of(SARN.read_text(encoding="utf-8"))


def items(prompt: Prompt, **parts: Any) -> list[Any]:
    """The list in a reply that is a list."""
    return list(json.loads(str(fields(prompt, **parts)[prompt.reply.main])))


def related(prompt: Prompt = RELATIONS, **parts: Any) -> dict[tuple[str, str], str]:
    return {(found["a"], found["b"]): found["relation"] for found in items(prompt, **parts)}


# Entities


def test_entities_are_names_dates_quoted_words_and_things_identified_by_a_number() -> None:
    segment = "On Tuesday Hester Lund cut a gate of three bars. It was ‘told’, she wrote in 1907 to Goole."
    assert items(ENTITIES, segment=segment, question="Is it?") == [
        "Tuesday",
        "Hester Lund",
        "gate of three bars",
        "told",
        "1907",
        "Goole",
    ]


def test_question_words_are_entities_where_many_of_them_occur_together() -> None:
    question = "Which lantern lit the ferry at the jetty?"
    assert {"lantern", "ferry", "jetty"} <= set(
        items(ENTITIES, segment="A lantern lit the ferry by the jetty.", question=question)
    )
    assert "lantern" not in items(ENTITIES, segment="A lantern stood there. It was so.", question=question)


def test_every_entity_occurs_in_its_segment(isle: Document) -> None:
    for start, end in split.segments(isle.text, 600):
        segment = isle.text[start:end]
        found = items(
            ENTITIES, segment=segment, question="Who was the girl of nine whose letter named the steamers after flowers?"
        )
        assert len(found) > 5
        assert all(name in segment for name in found)


def test_a_walk_starts_from_the_question_s_names_or_else_its_rarer_words() -> None:
    assert items(START, question=ASKED) == ["Prudence"]
    assert items(START, question="Whose letter persuaded the directors?") == ["letter", "persuaded", "directors"]


def test_more_entities_excludes_known_ones() -> None:
    more = items(
        MORE_ENTITIES, segment=WRECK, entities=["Prudence", "Captain Edmund Raw"], questions=["Which boats were painted?"]
    )
    assert "boats" in more
    assert "Prudence" not in more


def test_after_a_decline_new_names_near_the_question_come_before_tried_ones() -> None:
    found = items(REVISE, segments=[WRECK, SCHOOL], question=ASKED, entities=["Prudence"])
    assert found.index("Dry Edmund") < found.index("Prudence")


# Relations


def test_a_relation_is_the_sentence_with_both_entities() -> None:
    found = related(segment=WRECK, entities=["Prudence", "Dry Edmund", "Hallin", "Goole"])
    assert found["Dry Edmund", "Prudence"] == "Dry Edmund, who commanded the Prudence, was a careful man."
    assert found["Hallin", "Goole"] in WRECK
    assert ("Dry Edmund", "Goole") not in found


def test_a_sentence_that_continues_about_a_name_relates_it() -> None:
    found = related(
        segment="The Prudence was sold. In it lay a compass from Goole. A dog barked at Hull.",
        entities=["Prudence", "Goole", "Hull"],
    )
    assert found == {("Prudence", "Goole"): "The Prudence was sold. In it lay a compass from Goole."}


def test_a_long_sentence_is_cut_to_the_clauses_between_its_entities() -> None:
    long = (
        "After a winter in which nothing at all had come to the quay but ice and letters, Hester Lund, who kept the ledger, "
        "wrote to Goole, and in the spring a man whom nobody knew came down the hill with a dog and a barrow."
    )
    assert related(segment=long, entities=["Hester Lund", "Goole"]) == {
        ("Hester Lund", "Goole"): "Hester Lund, who kept the ledger, wrote to Goole"
    }


def test_relations_are_bounded_and_link_listed_entities(isle: Document) -> None:
    for start, end in split.segments(isle.text, 600):
        segment = isle.text[start:end]
        names = items(ENTITIES, segment=segment, question=ASKED)
        found = items(RELATIONS, segment=segment, entities=names)
        assert 0 < len(found) <= MAX_RELATIONS
        plain = " ".join(segment.split())
        for relation in found:
            assert {relation["a"], relation["b"]} <= set(names)
            assert relation["a"] != relation["b"]
            assert relation["relation"].removesuffix(" …").split(".")[0] in plain


def test_a_name_inside_a_longer_one_or_inside_a_word_is_not_related() -> None:
    assert related(segment="Hester Lund and the Lundy boat met in Goole.", entities=["Lund", "Hester Lund", "Goole"]) == {
        ("Hester Lund", "Goole"): "Hester Lund and the Lundy boat met in Goole."
    }


def test_more_relations_are_new_and_about_the_questions() -> None:
    names = ["Prudence", "Dry Edmund", "Hallin"]
    known = [f"Dry Edmund – Prudence: {related(segment=WRECK, entities=names)['Dry Edmund', 'Prudence']}"]
    found = related(MORE_RELATIONS, segment=WRECK, entities=names, relations=known, questions=["Who or what left Hallin?"])
    assert ("Dry Edmund", "Prudence") not in found
    assert ("Prudence", "Hallin") in found


# Merging, and questions


def test_a_short_name_means_the_same_as_the_only_longer_one_that_ends_with_it() -> None:
    assert items(SAME, names=["Lund\nLund came.", "Barbara Lund\nIt was Barbara Lund.", "Goole\nIn Goole."]) == [
        {"a": "Lund", "b": "Barbara Lund"}
    ]
    assert list(same_name_pairs(["Lund", "Barbara Lund", "Hester Lund"])) == []
    assert list(same_name_pairs(["School", "Harbour School"])) == []
    assert list(same_name_pairs(["Sarn", "Sarn Museum"])) == []
    assert list(same_name_pairs(["Captain Raw", "Raw"])) == [("Captain Raw", "Raw")]
    assert list(same_name_pairs(["gate of three bars", "gate with three bars"])) == [
        ("gate of three bars", "gate with three bars")
    ]


def test_the_text_of_two_parts_is_joined_without_repetition() -> None:
    assert fields(MERGE_RELATIONS, one="It came.", other="It went.", a="A", b="B")["text"] == "It came. It went."
    assert fields(MERGE_RELATIONS, one="It came.", other="It came.", a="A", b="B")["text"] == "It came."
    assert fields(MERGE_QUESTION, one="It came.", other="It went.", a="Raw", b="Goole")["text"] == (
        "What do both parts together say of Raw and Goole?"
    )


def test_questions_are_made_from_sentences_that_no_relation_uses() -> None:
    segment = "Hester Lund kept the ledger of the ferry. Goole was flooded by the river in spring. It rained."
    asked = items(prompts.QUESTIONS, segment=segment)
    assert asked == ["Who or what kept the ledger of the ferry?", "Who or what was flooded by the river in spring?"]
    assert items(prompts.QUESTIONS, segment=segment, relations=["a – b: Goole was flooded by the river in spring."]) == asked[:1]
    assert len(items(prompts.QUESTIONS, segment=segment * 5)) <= MAX_QUESTIONS


def test_an_elaborated_question_adds_the_entities_around_it_and_their_descriptions() -> None:
    longer = str(
        fields(ELABORATE, question=ASKED, entities=["Prudence", "Dry Edmund"], relations=["x – y: Dry Edmund commanded it."])[
            "text"
        ]
    )
    assert longer.startswith(ASKED)
    assert "It has to do with Dry Edmund." in longer
    assert "Dry Edmund commanded it." in longer


# Answers from several segments


def test_an_incomplete_chain_is_declined_with_missing_words_and_leads() -> None:
    first = fields(ANSWERABLE, segments=[WRECK], question=ASKED)
    assert first["action"] == -1
    assert "answer" not in first
    assert "captain and Prudence" in str(first["reasoning"])
    assert "attended and founded are missing" in str(first["reasoning"])
    assert "‘Dry Edmund, who commanded’" in str(first["reasoning"])
    second = fields(ANSWERABLE, segments=[WRECK, SCHOOL], question=ASKED)
    assert second["action"] == -1
    assert "Harbour School" in str(second["reasoning"])


def test_a_complete_chain_is_answered_from_its_last_hop_in_any_order_of_segments() -> None:
    for segments in ([WRECK, SCHOOL, FOUNDER], [FOUNDER, WRECK, SCHOOL]):
        found = fields(ANSWERABLE, segments=segments, question=ASKED)
        assert found["action"] == -2
        assert "Barbara Lund" in str(found["answer"])
        assert str(found["reasoning"]).startswith("3 places that share names have founded, school, captain and Prudence")


def test_sentences_without_a_shared_name_form_no_chain() -> None:
    assert fields(ANSWERABLE, segments=[WRECK, FOUNDER], question=ASKED)["action"] == -1


def test_the_right_words_without_the_kind_of_thing_asked_for_are_declined() -> None:
    segment = "The ledger of the ferry was stolen from the harbour by night."
    found = fields(ANSWERABLE, segments=[segment], question="Who stole the ledger of the ferry from the harbour?")
    assert found["action"] == -1
    assert "a person does not stand there" in str(found["reasoning"])
    asked = "Who stole the ledger of the ferry from the harbour?"
    assert fields(ANSWERABLE, segments=[f"{segment} Hester Lund was seen."], question=asked)["action"] == -1
    accused = f"{segment} Hester Lund had the ledger of the ferry from the harbour."
    assert fields(ANSWERABLE, segments=[accused], question=asked)["action"] == -2
    how_many = fields(ANSWERABLE, segments=[segment], question="How many ledgers of the ferry were in the harbour?")
    assert "a number of ledgers does not stand there" in str(how_many["reasoning"])


def test_a_question_about_a_girl_is_not_answered_with_a_man() -> None:
    segments = [
        "The ledger of the ferry was kept by a girl of the Harbour School.",
        "Edmund Raw was of the Harbour School. He left.",
    ]
    asked = "Who was the girl who kept the ledger of the ferry?"
    assert fields(ANSWERABLE, segments=segments, question=asked)["action"] == -1
    segments[1] = "Hester Lund was of the Harbour School. She left."
    found = fields(ANSWERABLE, segments=segments, question=asked)
    assert found["action"] == -2
    assert "Hester Lund" in str(found["answer"])


def test_a_choice_is_picked_by_the_sentence_it_occurs_in() -> None:
    choices = ["(A) The parson Gavin Dunn", "(B) Barbara Lund", "(C) Nobody"]
    founder = FOUNDER.replace("a parson", "the parson Gavin Dunn")
    found = fields(ANSWERABLE, segments=[WRECK, SCHOOL, founder], question=ASKED, choices=choices)
    assert found["answer"] == choices[1]
    assert fields(ANSWER_CHOICE, segments=[WRECK, SCHOOL, founder], question=ASKED, choices=choices)["answer"] == choices[1]
    assert fields(ANSWER_CHOICE, segments=["Nothing."], question=ASKED, choices=choices)["answer"] == choices[0]


def test_a_final_answer_says_when_hardly_anything_was_found() -> None:
    assert fields(ANSWER, segments=["The roof leaked."], question=ASKED)["text"] == "The text does not say."
    assert "Barbara Lund" in str(fields(ANSWER, segments=[FOUNDER], question="Who founded and paid for the school?")["text"])


def test_an_empty_view_is_declined() -> None:
    assert fields(ANSWERABLE, segments=[], question=ASKED)["action"] == -1
    assert fields(ANSWERABLE, segments=[""], question=ASKED)["action"] == -1
    assert fields(ANSWERABLE, segments=[WRECK], question="Is it?")["action"] == -1


ODD = ["", "x" * 5000, "🙂" * 500, "老人と海。" * 300, "...", "A " * 2000, "Aa Bb. " * 500, "\u200b", '{"entities": []} ' * 100]


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_odd_texts_never_break_a_reply(odd: str) -> None:
    names = items(ENTITIES, segment=odd, question=ASKED)
    assert all(name in odd for name in names)
    items(RELATIONS, segment=odd, entities=[*names, "老人", "Aa", ""])
    items(prompts.QUESTIONS, segment=odd)
    items(SAME, names=[f"{name}\nx" for name in names])
    assert fields(ANSWERABLE, segments=[odd, odd], question=ASKED)["action"] == -1
