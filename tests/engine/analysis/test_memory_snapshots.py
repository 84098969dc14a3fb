"""The sentences of which a person predicts whether a rewritten memory keeps them."""

from __future__ import annotations

import pytest

from readers import get
from readers.engine.analysis.memory_snapshots import MOST, MOST_KEPT, may_be_kept
from readers.engine.record.narrative import StepRecord
from readers.engine.record.options import options
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text.document import Document
from tests.support.models.scripted_models import Scripted

CHUNKS = (
    "The survey of the point was made in the spring of 1811 by Edmund Rusk. Nobody in the house could open the chest at Carrow. "
    "Hester Vane rowed him out to the ledge in her father’s boat.",
    "Rusk owed Hester Vane the sum of forty pounds for lodging and drawing. The harbour froze twice that winter and the packet "
    "came late. The chart was printed in London in two colours under Rusk’s name. So it ended.",
)
SURVEY, DEBT = "The survey of the point was made in the spring of 1811 by Edmund Rusk.", CHUNKS[1].split(".")[0] + "."


def asked(*memories: str, reader_id: str = "memagent") -> list[StepRecord]:
    """The steps of a reading of the two chunks that writes these memories, and then answers."""
    reader, replies = get(reader_id), iter((*memories, "\\boxed{Forty pounds.}"))
    document = Document.of("\n\n".join(CHUNKS))
    spec = RunSpec(reader.id, reader.version, "What did Rusk owe?", options={"chunk_tokens": 64})
    trace = rehearse(document, reader, spec, Scripted(lambda call: next(replies)))
    assert len(trace.steps) == len(CHUNKS) + 1
    return [StepRecord(trace, step, reader.names(trace)) for step in trace.steps]


def test_sentences_of_the_memory_and_of_the_chunk_are_offered_in_order_and_those_that_the_new_memory_states_are_kept() -> None:
    record = asked(f"{SURVEY} Nobody in the house could open the chest at Carrow.", f"{SURVEY} {DEBT}")[1]
    offer = options(record, get("memagent").narrative)
    assert offer
    assert (offer.asks, offer.verb, offer.predictable) == ("What will the new memory keep?", "kept", True)
    assert [(one.mark, one.name, one.taken) for one in offer.options] == [
        ("1", "sentence 1 of the memory", True),
        ("2", "sentence 2 of the memory", False),
        ("3", "sentence 1 of chunk 2", True),
        ("4", "sentence 2 of chunk 2", False),
        ("5", "sentence 3 of chunk 2", False),
    ]  # “So it ended.” says too little
    assert [bool(one.shows) for one in offer.options] == [False, False, True, True, True]
    assert offer.options[2].text == DEBT


def test_what_the_rules_cannot_tell_is_not_offered() -> None:
    record = asked(SURVEY, f"{SURVEY} Forty pounds were owed to Hester Vane.")[1]
    assert DEBT not in [one.text for one in may_be_kept(record, "memory")]


def test_a_sentence_that_comes_with_another_number_is_not_kept() -> None:
    record = asked(SURVEY, f"{SURVEY} {DEBT.replace('forty', 'fifty')}")[1]
    taken = {one.text: one.taken for one in may_be_kept(record, "memory")}
    assert (taken[SURVEY], taken[DEBT]) == (True, False)


def test_of_a_memory_that_keeps_everything_only_some_is_shown() -> None:
    record = asked(CHUNKS[0], " ".join((*CHUNKS[0].split("\n"), CHUNKS[1])))[1]
    made = list(may_be_kept(record, "memory"))
    assert [one.taken for one in made] == [True] * MOST_KEPT
    assert len(made) < MOST
    offer = options(record, get("memagent").narrative)
    assert offer
    assert not offer.predictable  # for there is no wrong answer


@pytest.mark.parametrize("at", [0, 2])
def test_nothing_is_predicted_of_a_first_memory_at_the_first_step_or_of_an_answer(at: int) -> None:
    offer = options(asked(SURVEY, DEBT)[at], get("memagent").narrative)
    assert offer is None or not offer.predictable


def test_a_message_is_called_a_message() -> None:
    offer = options(asked(SURVEY, f"{SURVEY} {DEBT}", reader_id="chain_of_agents")[1], get("chain_of_agents").narrative)
    assert offer
    assert offer.asks == "What will the new message keep?"
    assert offer.options[0].name == "sentence 1 of the message"
