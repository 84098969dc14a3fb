"""What the player is given: every step once, and from it alone the state at any step."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import replace
from typing import Any

import pytest

from components.html import terms
from components.html.words import wording
from components.player import browser_text, data, frames
from components.player.pictures import kind, picture
from readers import get
from readers.engine.analysis import coverage
from readers.engine.analysis.narrate import narrate
from readers.engine.models.offline import Offline
from readers.engine.prompts.prompt import Part
from readers.engine.record.events import Cut
from readers.engine.record.journal import encode_parts
from readers.engine.record.provisional import Answer
from readers.engine.record.trace import BUILD, Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.store import Reading, Run
from readers.engine.text.document import Document, Span
from tests.support.models.scripted_models import BACK, COMMIT, parts_of
from tests.support.paths import LAMP
from tests.support.readings import readagent_readings
from tests.support.readings.every_reading import MEMORIES, WAYS, Way, every_way, reading
from tests.support.readings.memwalker_walks import READER, walked
from tests.support.readings.readagent_readings import STOP
from tests.support.readings.shipped_readings import shipped_reading
from tests.support.specs import current_spec


def shown_of(trace: Trace) -> frames.ShownReading:
    names = READER.names(trace)
    return frames.ShownReading("r", trace, READER.narrative, names, wording.lines(trace, READER), picture("memwalker", trace))


def given(trace: Trace) -> dict[str, Any]:
    return json.loads(json.dumps(frames.frames(shown_of(trace))))


@pytest.fixture(scope="module")
def trace() -> Trace:
    """Down to the second leaf of the first part, back, and to the third."""
    return walked([0, 1, BACK, 2, COMMIT])


def test_every_step_is_told_by_the_sentence_of_the_narration(trace: Trace) -> None:
    steps = given(trace)["steps"]
    assert [step["say"] for step in steps] == list(narrate(trace, READER))


def test_steps_are_marked_by_what_happened_at_them(trace: Trace) -> None:
    walk = [step["mark"] for step, own in zip(given(trace)["steps"], trace.steps, strict=True) if own.phase == "walk"]
    assert walk == ["look", "look", "back", "look", "answer"]


def test_a_step_stands_raw_at_a_leaf_and_by_a_summary_above_one(trace: Trace) -> None:
    walk = [step for step, own in zip(given(trace)["steps"], trace.steps, strict=True) if own.phase == "walk"]
    assert [step["raw"] for step in walk] == [False, False, True, False, True]
    assert walk[0]["focus"] == [[0, len(trace.document.text)]]
    leaf = next(node for node in READER.view(trace)["nodes"] if not node["children"])
    assert walk[2]["focus"][0][0] == leaf["end"]


def test_the_words_of_a_place_are_counted_from_the_first(trace: Trace) -> None:
    text = trace.document.text
    step = given(trace)["steps"][-1]
    start, end = step["focus"][0]
    assert step["range"] == f"words {len(text[:start].split()) + 1:,} to {len(text[:end].split()):,}"


def test_phases_begin_where_they_begin(trace: Trace) -> None:
    phases = given(trace)["phases"]
    first = next(step.number for step in trace.steps if step.phase != BUILD)
    assert [phase["from"] for phase in phases] == [0, first]


def test_cells_are_in_order_and_apart_and_fall_but_once_with_the_first_call_after_building(trace: Trace) -> None:
    cells = coverage.cells(trace)
    first = next(step.number for step in trace.steps if step.phase != BUILD)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(cells))
    for _, _, changes in cells:
        assert [step for step, _ in changes] == sorted({step for step, _ in changes})
        assert all(state > before or step == first for (_, before), (step, state) in itertools.pairwise(changes))


def test_what_a_builder_read_is_raw_while_it_builds_and_stood_for_once_it_walks(trace: Trace) -> None:
    first = next(step.number for step in trace.steps if step.phase != BUILD)
    for _, _, changes in coverage.cells(trace):
        assert [state for step, state in changes if step < first] == [coverage.RAW]
        assert dict(changes)[first] == coverage.REPRESENTED


def test_a_decision_numbers_what_was_offered_from_1_and_says_how_the_model_counts(trace: Trace) -> None:
    steps = given(trace)["steps"]
    again = steps[-2]["decision"]
    assert [(option["mark"], option["name"], option["note"]) for option in again["options"]] == [
        ("1", "part 1.1", "not opened"),
        ("2", "part 1.2", "opened before, turned back"),
        ("3", "part 1.3", "chosen"),
        ("↩", "go back up", "offered"),
    ]
    assert again["at"] == "part 1"
    assert again["reason"] == "because of 2"
    assert again["counting"] == "The model counts from 0: it calls part 1.3 “Summary 2”."
    assert again["by_model"]


def test_a_decision_says_whether_its_prompt_asked_for_a_reason(trace: Trace) -> None:
    plain = walked([0, 1, BACK, 2, COMMIT], reasoning=False)
    for made, asked_why in ((trace, True), (plain, False)):
        assert [step["decision"]["asked_why"] for step in given(made)["steps"] if "decision" in step][-1] is asked_why


def test_a_place_to_pause_that_was_offered_is_not_taken_and_a_page_that_was_offered_is_not_opened() -> None:
    trace = readagent_readings.read(
        readagent_readings.paragraphs(*[15] * 8), readagent_readings.model(asks=[0, STOP]), mode="sequential"
    )
    reader = readagent_readings.READER
    shown = frames.ShownReading("r", trace, reader.narrative, reader.names(trace), wording.lines(trace, reader), None)
    made = [step["decision"] for step in frames.frames(shown)["steps"] if step.get("decision")]
    pauses, others = [
        {option["note"] for one in made if (one["action"] == "pause") is at for option in one["options"]} for at in (True, False)
    ]
    assert pauses == {"chosen", "not taken"}
    named = {option["name"] for one in made if one["action"] == "pause" for option in one["options"] if option.get("ref")}
    assert "place 1, before" in named
    assert "not opened" in others
    assert "not taken" not in others


def test_what_a_look_back_asked_for_is_no_stated_reason() -> None:
    steps = data.of(shipped_reading("rememr1-bridge-boiler.json"))["steps"]
    assert {made["reason"] for step in steps if (made := step.get("decision"))} == {""}


def test_refusals_and_misreads_are_notes_of_the_decision() -> None:
    steps = given(walked([0, 0, BACK, 0, "nothing of the kind", 1, COMMIT]))["steps"]
    (noted,) = [step["decision"]["notes"] for step in steps if step.get("decision") and step["decision"]["notes"]]
    assert [note["head"] for note in noted] == ["Misread", "Refused"] or [note["head"] for note in noted] == [
        "Refused",
        "Misread",
    ]
    assert any("opened and left again" in note["text"] for note in noted)


def test_a_reply_that_could_not_be_used_stands_beside_the_rule_it_broke_and_what_may_help() -> None:
    trace = walked([0, 0, BACK, 0, "nothing of the kind", 1, COMMIT])
    (misread,) = trace.misreads
    shown = replace(shown_of(trace), replies={(misread.seq, misread.attempt): "nothing of the kind"})
    notes = [note for step in frames.moving(shown)["steps"] for note in step.get("decision", {}).get("notes", ())]
    (noted,) = [note for note in notes if note["head"] == "Misread"]
    assert noted["reply"] == "nothing of the kind"
    assert noted["text"] == f"Reply 1 to call {misread.seq + 1} could not be used: it did not say what it chose."
    assert "another model" in noted["help"]
    assert [step["wrong"] for step in frames.moving(shown)["steps"] if "wrong" in step] == ["1 reply not used"]


def test_replies_that_were_cut_off_or_could_not_be_used_are_counted_beside_the_sentence() -> None:
    trace, memagent = shipped_reading("memagent-sarn-orders.json").trace, get("memagent")
    shown = frames.ShownReading("r", trace, memagent.narrative, memagent.names(trace), wording.lines(trace, memagent))
    found = {n: step["wrong"] for n, step in enumerate(frames.moving(shown)["steps"], 1) if "wrong" in step}
    assert found == {**dict.fromkeys((1, 6), "1 reply not used, 1 cut off, 1 text cut"), 9: "1 reply not used"}


def test_what_a_rule_put_in_the_place_of_a_reply_is_counted_beside_the_sentence() -> None:
    trace, memwalker = shipped_reading("memwalker-bridge-boiler.json").trace, get("memwalker")
    shown = frames.ShownReading("r", trace, memwalker.narrative, memwalker.names(trace), wording.lines(trace, memwalker))
    assert frames.moving(shown)["steps"][2]["wrong"] == "1 reply not used, 1 fallback"


def test_a_short_text_travels_whole_and_a_long_one_by_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    document = parts_of(200)
    assert frames.text(document)["whole"] == document.text
    monkeypatch.setattr(browser_text, "SENT_WHOLE", 1_000)
    assert frames.text(document)["whole"] is None
    sent = data.stretches(document, [0, 1, 10**6])
    assert list(sent) == ["0", "1"]
    cuts = browser_text.cuts(document.text)
    assert sent["1"]["words"] == document.text[cuts[1] : cuts[2]]


@pytest.mark.parametrize("text", ["", "a", "\n\n\n", "x" * 50_000, "word " * 9_000, "第一章。" * 9_000, "a\n\n" * 20_000])
def test_stretches_put_together_are_the_text(text: str) -> None:
    cuts = browser_text.cuts(text)
    assert list(cuts) == sorted(set(cuts))
    assert "".join(browser_text.stretch(text, n) for n in range(len(cuts))) == text
    assert all(b - a <= 2 * browser_text.STRETCH for a, b in zip(cuts, [*cuts[1:], len(text)], strict=True))


def test_places_are_counted_as_the_browser_counts_them() -> None:
    """JavaScript's `slice` goes by UTF-16 units; an emoji before a place must not move it."""
    document = Document.of("\n\n".join(f"😀 Part {n} 𝄞 begins here, {'word ' * 30}." for n in range(9)))
    trace = rehearse(document, READER, current_spec("memwalker", "Where?", options={"segment_tokens": 64}), Offline())
    sent = given(trace)

    def sliced(start: int, end: int) -> str:
        return document.text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")

    assert sliced(0, sent["text"]["chars"]) == document.text
    leaf = next(step for step in reversed(sent["steps"]) if step["raw"])
    ((start, end),) = leaf["focus"]
    spans = [document.text[a:b] for event in trace.events if isinstance(event, Cut) for a, b in event.spans]
    assert sliced(start, end) in spans
    assert all(sliced(*node["span"]).startswith("😀") for node in sent["picture"]["nodes"])
    assert "".join(sliced(a, b) for a, b, _ in sent["cells"]) == document.text


def test_headings_are_ticks_of_the_map() -> None:
    text = "\n\n".join(f"CHAPTER {n}\n\nIt was a dark night. And so on." for n in range(1, 5))
    ticks = frames.text(Document.of(text))["landmarks"]
    assert [words for _, words in ticks] == ["CHAPTER 1", "CHAPTER 2", "CHAPTER 3", "CHAPTER 4"]
    assert all(text[at:].startswith(words) for at, words in ticks)


def test_a_reading_that_goes_on_gives_what_moves_and_no_text() -> None:
    trace = walked([0, 1, BACK, 2, COMMIT])
    run = Run("r", trace.document.id, "memwalker", "Where is it?", {}, "running")
    for count in range(0, len(trace.events), 7):
        moving = json.loads(json.dumps(data.so_far(run, trace.document, trace.events[:count])))
        assert moving["live"]
        assert moving["kind"] == "graph"
        assert "text" not in moving
        assert len(moving["steps"]) == len(Trace(trace.document, trace.events[:count]).steps)


def test_the_map_grows_with_the_calls_of_a_batch_whose_step_is_not_told_yet(trace: Trace) -> None:
    cut = next(n for n, event in enumerate(trace.events) if isinstance(event, Cut)) + 2
    begun = Trace(trace.document, trace.events[:cut])
    assert coverage.cells(begun) == []
    spans = trace.events[cut - 2].spans[:2]
    run = Run("r", trace.document.id, "memwalker", "Where is it?", {}, "running")
    parts = [encode_parts((Part("segment", (trace.document.at(span),)),)) for span in spans]
    answered = [Answer(seq, 0, "memwalker.leaf_summary", stored, "It tells of a lamp.", None) for seq, stored in enumerate(parts)]
    moving = data.so_far(run, trace.document, begun.events, answered=answered)
    assert moving["cells"] == [(spans[0].start, spans[1].end, ((len(moving["steps"]) - 1, coverage.RAW),))]


def test_the_answers_own_words_are_quoted_where_they_stand() -> None:
    document = Document.of("The lamp was green. It stood in the window.", title="Lamp")
    run = Run("r", document.id, "memwalker", "?", {}, "finished", "answered", "It stood in the window.", (Span(0, 43),))
    assert data.of(Reading(run, document, Trace(document, ()), []))["marks"]["quotes"] == [(20, 43)]


# Terms are marked in the player's sentences and fixed words; never in what a sentence repeats of a text or a model.


NAME = "Raw Segment"  # a name in a text that holds terms


def frames_of(trace: Trace, way: Way) -> dict[str, Any]:
    reader = get(way.reader)
    made = picture(way.reader, trace, options=way.options, question="?")
    told = wording.lines(trace, reader)
    return frames.moving(frames.ShownReading("r", trace, reader.narrative, reader.names(trace), told, made, kind(way.reader)))


def marked(words: str, marks: list[tuple[int, int, str]]) -> list[tuple[str, str]]:
    return [(words[start:end], term) for start, end, term in marks]


@every_way
def test_what_is_marked_in_a_sentence_is_a_form_of_its_term(way: Way) -> None:
    made = frames_of(reading(way.name), way)
    found = [one for step in made["steps"] for one in marked(step["say"], step.get("terms", []))]
    found += [one for words, marks in made["terms"].items() for one in marked(words, marks)]
    assert found or way.reader not in MEMORIES
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
    steps = frames_of(trace, way)["steps"]
    told = [step for step in steps if NAME in step["say"]]
    assert told or way.reader != "qrmem"
    for step in told:
        names = [match.span() for match in re.finditer(NAME, step["say"])]
        assert not [mark for mark in step.get("terms", []) for start, end in names if mark[0] < end and start < mark[1]]
