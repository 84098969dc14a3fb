"""Terms are marked in the player's sentences and fixed words; never in what a sentence repeats of a text or a model."""

from __future__ import annotations

import re
from typing import Any

import pytest

from components.html import terms
from components.html.words import wording
from components.player import frames
from components.player.pictures import kind, picture
from readers import get
from readers.engine.models.offline import Offline
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text.document import Document
from tests.support.paths import LAMP
from tests.support.readings.every_reading import WAYS, Way, every_way, reading

NAME = "Raw Segment"  # a name in a text that holds terms


def drawn(trace: Trace, way: Way) -> dict[str, Any]:
    reader = get(way.reader)
    made = picture(way.reader, trace, options=way.options, question="?")
    told = wording.lines(trace, reader)
    return frames.moving(frames.ShownReading("r", trace, reader.narrative, reader.names(trace), told, made, kind(way.reader)))


def marked(words: str, marks: list[tuple[int, int, str]]) -> list[tuple[str, str]]:
    return [(words[start:end], term) for start, end, term in marks]


@every_way
def test_what_is_marked_in_a_sentence_is_a_form_of_its_term(way: Way) -> None:
    made = drawn(reading(way.name), way)
    found = [one for step in made["steps"] for one in marked(step["say"], step.get("terms", []))]
    found += [one for words, marks in made["terms"].items() for one in marked(words, marks)]
    assert found or way.reader in ("whole", "retrieval")
    assert all(re.fullmatch(terms.BY_ID[term].forms, words, re.IGNORECASE) for words, term in found)


@pytest.mark.parametrize(
    "way", [way for way in WAYS if way.name in ("qrmem", "qrmem, expansion", "memwalker", "rememr1")], ids=str
)
def test_a_name_of_the_text_that_holds_a_term_is_not_marked(way: Way) -> None:
    text = LAMP.read_text(encoding="utf-8")[13_500:16_500].replace("Storr", NAME).replace("Garbutt", NAME)
    reader = get(way.reader)
    question = f"What did {NAME} say of the lamp?"
    spec = RunSpec(reader.id, reader.version, question, options=dict(way.options))
    trace = rehearse(Document.of(text, title=NAME), reader, spec, Offline())
    steps = drawn(trace, way)["steps"]
    told = [step for step in steps if NAME in step["say"]]
    assert told or way.reader != "qrmem"
    for step in told:
        names = [match.span() for match in re.finditer(NAME, step["say"])]
        assert not [mark for mark in step.get("terms", []) for start, end in names if mark[0] < end and start < mark[1]]
