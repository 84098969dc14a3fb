"""What is found from calls alone is what the desk has on record: our own readers as strangers."""

from __future__ import annotations

import pytest

from readers import READERS
from readers.engine.text.document import Document
from readers.observed.memory import memories
from readers.observed.sources import sources
from tests.support.paths import LAMP
from tests.support.readings.every_reading import MEMORIES
from tests.support.readings.observed_readings import compared, offline, share, shipped

DOCUMENT = Document.of(LAMP.read_text(encoding="utf-8")[13_500:19_000])
QUESTION = "What had the naval assessor noticed on the crane post when he strolled about the harbour?"
FORWARD = ("memwalker", "readagent", "memagent", "rememr1", "chain_of_agents", "whole", "retrieval", "recurrence")


@pytest.mark.parametrize("reader", [*FORWARD, "qrmem", "recursive"])
def test_characters_of_the_document_are_found_at_their_true_place_and_own_words_nowhere(reader: str) -> None:
    counts = compared(offline(reader, DOCUMENT, QUESTION))
    assert (share(counts, "document") or 0) >= (99.9 if reader in FORWARD else 97)
    assert (share(counts, "own") or 0) >= 99.5


@pytest.mark.parametrize(
    "name",
    ["memagent-lamp-bolts", "memwalker-lamp-cold", "readagent-bridge-boiler", "recursive-lamp-cold", "qrmem-sarn-three-bars"],
)
def test_so_are_those_of_a_real_models_readings(name: str) -> None:
    counts = compared(shipped(f"{name}.json"))
    assert (share(counts, "document") or 0) >= (97 if name.startswith("qrmem") else 99.9)
    assert (share(counts, "own") or 0) >= 99.5


@pytest.mark.parametrize("reader", [reader.id for reader in READERS])
def test_a_memory_is_found_where_there_is_one_and_nowhere_else(reader: str) -> None:
    reading = offline(reader, DOCUMENT, QUESTION)
    found = memories(reading.calls, sources([DOCUMENT.text], QUESTION, reading.calls))
    answers = 1  # which is written from the memory, and is none
    assert found == (tuple(range(len(reading.calls) - answers)) if reader in MEMORIES else ())
