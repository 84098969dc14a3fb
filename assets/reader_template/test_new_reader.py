"""New reader answers, gives its evidence, and reads the same twice.

Run it in Palimpsest's folder: python -m pytest THIS_FOLDER
"""

from __future__ import annotations

from typing import Any

from readers.engine.analysis.narrate import narrate
from readers.engine.models.offline import Offline
from readers.engine.models.offline.parts import lacking
from readers.engine.record.events import Answered
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text.document import Document
from readers.plugins import problem_of

# isort: split
from new_reader import READER

TEXT = """The rain came early. Nobody in the village was ready for it, and the bridge was under water by noon.

The dance was held in the barn. Old Mr Hale paid for it, forty pounds in all, and the band left at two in the morning.

A ship came in. Its captain was asleep, and the harbour was quiet until the customs men came down the hill."""


def read(question: str, **options: Any) -> Trace:
    """A reading by the offline model, which needs no key: nothing is stored."""
    reader = READER()
    document = Document.of(TEXT, title="The dance")
    return rehearse(document, reader, RunSpec(reader.id, reader.version, question, options=options), Offline())


def test_it_can_be_registered() -> None:
    assert problem_of(READER()) == ""


def test_the_offline_model_knows_what_to_do_with_its_prompts() -> None:
    assert [words for prompt in READER.prompts if (words := lacking(prompt))] == []


def test_it_answers_from_the_right_part() -> None:
    trace = read("Who paid for the dance?", part_tokens=32)
    assert isinstance(trace.end, Answered)
    assert "Hale" in trace.end.text


def test_it_reads_the_same_twice() -> None:
    assert read("Who paid for the dance?").events == read("Who paid for the dance?").events


def test_every_step_is_told_in_a_sentence() -> None:
    trace = read("Who paid for the dance?", part_tokens=32)
    told = narrate(trace, READER())
    assert len(told) == len(trace.steps) > 1
    assert all(told)
