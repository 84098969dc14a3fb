"""The lifelines of a reading: the marks of a fact in the order of steps, its fate, and what stands for a marked place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from components.player import browser_text, cache, lifeline
from readers import get
from readers.engine.analysis.facts.follow import follow
from readers.engine.files.runs.run_file import read_run_file
from readers.engine.models.call import Call
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Store, open_reading
from readers.engine.text.document import Span
from tests.support.models.scripted_models import Scripted
from tests.support.paths import ROOT
from tests.support.readings import memory_readings

NINE_TONS = Span(4979, 4988)  # of the text of a recording
CHEST = memory_readings.PARAGRAPHS[1]
OWED = memory_readings.PARAGRAPHS[2]


def model() -> Scripted:
    """Writes the chest down at the second chunk and drops it at the fourth; what was owed, from the third chunk to the end."""

    def reply(call: Call) -> str:
        if call.prompt.task != "update_memory":
            return f"\\boxed{{{memory_readings.ANSWER}}}"
        number = next(n for n, words in enumerate(memory_readings.PARAGRAPHS) if words[:20] in call.part("section")[0])
        return " ".join((CHEST,) * (number in (1, 2)) + (OWED,) * (number >= 2)) or "Nothing yet."

    return Scripted(reply)


def read(store: Store, *, before: str = "") -> Reading:
    reader = get("memagent")
    spec = RunSpec("memagent", reader.version, memory_readings.QUESTION, options=memory_readings.OPTIONS)
    run = create_run(store, memory_readings.document(before), reader, spec)
    execute(store, run.id, reader, Execution(model()))
    return open_reading(store, run.id)


@pytest.fixture
def reading(store: Store) -> Reading:
    return read(store)


def place(reading: Reading, words: str) -> Span:
    start = reading.document.text.index(words)
    return Span(start, start + len(words))


def followed(reading: Reading, words: str) -> dict[str, Any]:
    [line] = json.loads(json.dumps(cache.lifelines(reading, [place(reading, words)])))
    return dict(line)


def test_a_fact_that_was_overwritten_dies_at_the_memory_that_no_longer_says_it(reading: Reading) -> None:
    line = followed(reading, "the chest at Carrow, which has two locks")
    shapes = {mark["from"]: mark["shape"] for mark in line["marks"]}
    assert (shapes[1], shapes[2], shapes[3]) == ("carried", "carried", "lost")
    first = next(mark for mark in line["marks"] if mark["from"] == 1)
    assert (first["raw"], first["say"]) == (True, "stood raw before the model; the memory after chunk 2 says it")
    assert line["fate"] == {
        "kind": "Overwritten",
        "step": 3,
        "sentence": (
            "The memory after chunk 3 says it; the memory after chunk 4, written at step 4, does not, nor does any later one."
        ),
        "end": "dead",
        "mends": True,
    }


def test_while_a_reading_goes_on_the_life_is_that_of_the_whole_as_far_as_it_goes(reading: Reading) -> None:
    whole = followed(reading, "the chest at Carrow, which has two locks")
    run, document, trace, _ = reading
    for step in trace.steps[2:5]:
        [line] = lifeline.so_far(
            run, document, trace.events[: step.end], [place(reading, "the chest at Carrow, which has two locks")]
        )
        assert line["marks"] == [mark for mark in whole["marks"] if mark["from"] <= step.number]
        assert (line["fate"], line["carriers"]["died"]) == (None, ())


def test_a_fact_that_was_used_lives_to_the_answering_call(reading: Reading) -> None:
    line = followed(reading, "forty pounds for lodging and drawing")
    last = line["marks"][-1]
    assert (last["shape"], last["answering"], last["say"]) == (
        "carried",
        True,
        "in the answering call, in the memory after chunk 8",
    )
    assert (line["fate"]["kind"], line["fate"]["step"], line["fate"]["end"]) == ("Used", last["from"], "alive")
    assert line["fate"]["mends"] is False


def test_marked_words_decide_as_they_do_on_the_command_line() -> None:
    boiler = read_run_file(ROOT / "assets" / "readings" / "memwalker-bridge-boiler.json")
    [line] = cache.lifelines(boiler, [NINE_TONS])
    [told] = follow(boiler, get("memwalker"), [NINE_TONS])
    assert told.fate
    assert (line["place"], line["words"], line["fate"]["sentence"]) == ([*NINE_TONS], "nine tons", told.sentence)
    assert (line["fate"]["kind"], told.fate.kind) == ("Lost in a text", "lost in a text")


def test_places_that_are_none_have_no_line_and_others_are_at_most_five(reading: Reading) -> None:
    length = len(reading.document.text)
    assert cache.lifelines(reading, [Span(9, 9), Span(5, length + 1), Span(0, lifeline.LONGEST + 1), Span(-3, 8)]) == []
    assert cache.lifelines(reading, [Span(0, 10**400), Span(10**400, 10**401)]) == []
    assert len(cache.lifelines(reading, [Span(n, n + 40) for n in range(0, 90, 10)])) == lifeline.MOST_FACTS


def test_a_place_is_drawn_in_the_browsers_units_and_named_in_characters(store: Store) -> None:
    reading = read(store, before="🗝 and 🕯 come first.\n\n")
    text = reading.document.text
    asked = place(reading, "two locks")
    [line] = cache.lifelines(reading, [asked])
    assert line["place"] == list(asked)
    assert line["fact"] == [asked.start + 2, asked.end + 2]
    assert browser_text.counted(text) == {"all": len(text), "starts": [0]}
    assert browser_text.counted("No such sign.") is None


def test_the_evidence_of_a_known_answer_has_lines(reading: Reading) -> None:
    known = KnownAnswer(
        memory_readings.QUESTION, answers=("Forty pounds",), evidence=(place(reading, memory_readings.PARAGRAPHS[2]),)
    )
    [line] = cache.evidence_lifelines(reading, known)
    assert line["fate"]["kind"] == "Used"
    assert cache.evidence_lifelines(reading, KnownAnswer("?")) == []


def test_of_very_many_marks_equal_neighbours_are_one_and_the_deciding_step_stays_alone(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifeline, "MOST_MARKS", 2)
    marks = followed(reading, "the chest at Carrow")["marks"]
    spans = [(mark["from"], mark["to"], mark["shape"]) for mark in marks]
    assert (3, 3, "lost") in spans
    assert any(start < end for start, end, _ in spans)
    assert [start for start, _, _ in spans] == sorted(start for start, _, _ in spans)
