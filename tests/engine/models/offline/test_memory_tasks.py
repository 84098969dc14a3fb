"""The offline model's memory: what it keeps from chunk to chunk, drops, asks for, and answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from readers.engine.models.offline.remembering import NOTHING_RELEVANT
from readers.engine.prompts.prompt import Prompt
from readers.engine.text import tokens
from readers.engine.text.document import Document
from readers.memagent.prompts import ANSWER as ANSWER_BOX
from readers.memagent.prompts import UPDATE
from readers.rememr1.prompts import ANSWER as REMEMR1_ANSWER
from readers.rememr1.prompts import UPDATE as REMEMR1_UPDATE
from tests.engine.models.offline.test_tasks import ASKED, HARBOUR, ORCHARD, fields


def memory(prompt: Prompt = UPDATE, limit: int = 60, **parts: Any) -> dict[str, str | int]:
    shape: Any = prompt.reply
    return fields(replace(prompt, reply=replace(shape, limit=limit)), **parts)


def test_a_memory_keeps_relevant_sentences_old_ones_first() -> None:
    kept = memory(problem=ASKED, memory="The keeper had a ledger of the harbour.", section=HARBOUR + "\n\n" + ORCHARD)["text"]
    lines = str(kept).split("\n")
    assert lines[0] == "The keeper had a ledger of the harbour."
    assert "On Friday the ledger was gone from its shelf." in lines
    assert "pears" not in kept
    assert [line for line in lines[1:] if line in HARBOUR] == lines[1:]
    assert [HARBOUR.index(line) for line in lines[1:]] == sorted(HARBOUR.index(line) for line in lines[1:])


@pytest.mark.parametrize("limit", [32, 48, 100, 1024])
@pytest.mark.parametrize("part", [(0, 4000), (4000, 12000), (12000, 30000)])
def test_a_memory_never_exceeds_its_limit_and_is_unchanged_if_nothing_is_added(
    lamp: Document, limit: int, part: tuple[int, int]
) -> None:
    first = str(memory(limit=limit, problem=ASKED, memory="No previous memory", section=lamp.text[slice(*part)])["text"])
    assert tokens.count(first) <= limit
    assert str(memory(limit=limit, problem=ASKED, memory=first, section="Nobody rows. It rained.")["text"]) == first


def test_a_fact_two_hops_away_is_kept_once_its_name_has_been_met() -> None:
    question = "Who founded the school that the captain of the Campion had attended?"
    hops = [
        "The Campion was commanded by Andrew Rennick. The sea was grey.",
        "Rennick had learned navigation at the Lantern, and liked it. There was soup on Monday.",
        "The Lantern was paid for by Barbara Cromar. The pears were late. Nobody came on Sunday.",
    ]
    text = "No previous memory"
    for section in hops:
        text = str(memory(limit=64, problem=question, memory=text, section=section)["text"])
    assert "Barbara Cromar" in text
    assert "soup" not in text
    assert "pears" not in text
    alone = str(memory(limit=64, problem=question, memory="No previous memory", section=hops[2])["text"])
    assert "Barbara Cromar" not in alone


def test_a_full_memory_drops_what_adds_least() -> None:
    question = "Who stole the ledger of the harbour at Hallin in January?"
    old = "The harbour is wide.\nThe harbour is old.\nAt Hallin the ledger was stolen."
    kept = str(memory(limit=24, problem=question, memory=old, section="In January the harbour froze.")["text"])
    assert "ledger was stolen" in kept
    assert "In January" in kept
    assert "The harbour is wide.\nThe harbour is old." not in kept


def test_an_empty_memory_says_so_until_something_is_kept() -> None:
    first = str(memory(problem=ASKED, memory="No previous memory", section=ORCHARD)["text"])
    assert first == NOTHING_RELEVANT
    assert NOTHING_RELEVANT not in str(memory(problem=ASKED, memory=first, section=HARBOUR)["text"])


def test_a_query_holds_the_names_that_the_chunk_makes_important() -> None:
    found = memory(
        REMEMR1_UPDATE,
        problem="Who stole the ledger of the harbour?",
        recalled="No memory was recalled.",
        memory="The harbour is wide.",
        section="The ledger was stolen by a friend of Quillfeather, they say in Tarsk.",
    )
    assert found["recall"] == "Quillfeather Tarsk"
    quiet = memory(REMEMR1_UPDATE, problem=ASKED, recalled="No memory was recalled.", memory=NOTHING_RELEVANT, section=ORCHARD)
    assert "recall" not in quiet


def test_a_query_holds_the_problem_words_that_are_about_to_be_lost() -> None:
    found = memory(
        REMEMR1_UPDATE,
        limit=32,
        problem="Who stole the ledger with the brass clasp and the velvet ribbon from the harbour?",
        recalled="In winter the harbour is quite empty of boats.",
        memory="The ledger has a brass clasp, or so they say there.\nSomebody stole a velvet ribbon and was not seen again.",
        section="It rained.",
    )
    assert "harbour" not in str(found["update"])
    assert found["recall"] == "harbour"


def test_a_recalled_sentence_can_be_kept_again() -> None:
    found = memory(
        REMEMR1_UPDATE,
        problem=ASKED,
        recalled="The keeper left the ledger in the boat.",
        memory=NOTHING_RELEVANT,
        section=ORCHARD,
    )
    assert found["update"] == "The keeper left the ledger in the boat."


@pytest.mark.parametrize(
    "odd", ["x" * 5000, "🙂" * 500, "老人と海。" * 300, "", "...", "\u200b", "word " * 4000, "A B C. " * 900]
)
def test_odd_chunks_never_break_a_memory(odd: str) -> None:
    kept = str(memory(limit=32, problem="Who is x, and what of the word 老人?", memory="x.", section=odd)["text"])
    assert kept
    assert tokens.count(kept) <= 32


def test_an_answer_comes_from_the_memory_or_the_recalled_one_and_is_boxed() -> None:
    assert fields(ANSWER_BOX, problem=ASKED, memory="The keeper left the ledger in the harbour.")["answer"] == (
        "The keeper left the ledger in the harbour."
    )
    found = fields(REMEMR1_ANSWER, problem=ASKED, recalled="The keeper left the ledger in the boat.", memory="It rained.")
    assert found["answer"] == "The keeper left the ledger in the boat."
    choice = fields(ANSWER_BOX, problem=[ASKED, "(A) In the pub", "(B) In the boat"], memory="The ledger was in the boat.")
    assert choice["answer"] == "(B) In the boat"
    assert fields(ANSWER_BOX, problem=ASKED, memory="It rained.")["answer"] == "The text does not say."
