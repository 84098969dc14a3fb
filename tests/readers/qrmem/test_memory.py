"""QRMeM's memory against section 2.1: summary, a graph for each segment, questions; and what is told and measured of it."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from readers.engine.analysis.measures import measures
from readers.engine.analysis.narrate import narrate
from readers.engine.models.call import Call
from readers.engine.models.offline import Offline
from readers.engine.record.events import Answered, Wrote
from readers.engine.record.trace import Trace
from readers.engine.run.estimate import estimate
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text.document import Document
from readers.engine.text.rouge import rouge_l
from tests.support.models.scripted_models import Scripted
from tests.support.readings.qrmem_readings import (
    ANSWERED,
    CHAIN,
    LONG,
    READER,
    SAID,
    Plan,
    asked,
    build,
    dropped,
    entities,
    read,
    relations,
    shown,
    text,
)

# Summary


def test_the_summary_is_made_of_the_segments_summaries_and_shared() -> None:
    scripted = Plan(verdicts=list(ANSWERED)).model()
    trace = read(LONG, scripted)
    assert len(asked(scripted, "segment_summary")) == 4
    (whole,) = asked(scripted, "summary")
    assert [part[:10] for part in whole.part("summaries")] == ["It tells o"] * 4
    assert {call.prompt.id for call in scripted.calls if call.prompt.shared} == {"qrmem.segment_summary", "qrmem.summary"}
    assert [name for ref, name in READER.names(trace).items() if name.startswith("summary")][-1] == "summary of the text"
    assert asked(scripted, "entities")[0].part("summary") == ("All of it: It tells of: ada quill kept",)


def test_the_summary_of_one_segment_is_its_own() -> None:
    scripted = Plan(verdicts=list(ANSWERED)).model()
    trace = read(text(CHAIN[0]), scripted)
    assert not asked(scripted, "summary")
    assert READER.names(trace)["wrote:0"] == "summary of the text"


def test_many_summaries_are_reduced_round_by_round_and_no_prompt_grows() -> None:
    def long(call: Call) -> str:
        return "word " * 250 if call.prompt.task == "summarise" else plan._reply(call)

    plan = Plan(said={}, entities=lambda call: [], verdicts=list(ANSWERED))
    scripted = Scripted(long)
    read(text(*[f"{n} {CHAIN[n % 4]}" for n in range(40)]), scripted)
    sizes = [len(call.part("summaries")) for call in asked(scripted, "summary")]
    assert sum(sizes[:-1]) >= 40
    assert max(sizes) < 12
    assert max(len(shown(call)) for call in scripted.calls) < 16_000


def test_a_summary_that_cannot_be_read_is_asked_five_times_and_then_the_first_sentences_stand_there() -> None:
    plan = Plan(verdicts=list(ANSWERED))
    scripted = Scripted(lambda call: "" if call.prompt.id == "qrmem.segment_summary" else plan._reply(call))
    trace = read(LONG, scripted)
    assert [call.settings.temperature for call in scripted.calls[:5]] == pytest.approx([0, 0.2, 0.4, 0.6, 0.8])
    assert [event.picked for event in trace.decisions("fallback")] == ["first sentences"] * 4
    assert isinstance(trace.end, Answered)


# Entities


def test_entities_are_the_models_united_with_the_rules() -> None:
    document = text("Dame Ada Quill met ned farrow in May 1907.", "Then Ada Quill left for the harbour, with Hector Lamb.")
    trace = build(document, entities=lambda call: ["ned farrow", "Ada Quill", "Hector Lamb"], said={})
    found = entities(trace)
    assert found["ned farrow"]["source"] == "model"
    assert found["May 1907"]["source"] == "rules"
    assert found["Hector Lamb"]["source"] == "both"
    assert found["Ada Quill"]["segments"] == [1]
    assert ("Ada Quill", "Then") not in dropped(trace)


def test_an_entity_that_is_not_in_its_segment_is_dropped_and_recorded_and_never_drawn() -> None:
    trace = build(LONG, entities=lambda call: ["Atlantis", "quil", "swallow"])
    assert ("Atlantis", "it does not occur in the segment") in dropped(trace)
    assert ("quil", "it does not occur in the segment") in dropped(trace)
    assert "Atlantis" not in json.dumps(READER.view(trace))
    assert set(entities(trace)) == {"swallow"}
    assert entities(trace)["swallow"]["segments"] == [1, 2]


def test_every_mention_is_where_the_text_has_it() -> None:
    document = text("Ada Quill saw ADA  QUILL in the glass. Ada\nQuill laughed.", "quilling is no Quill, nor is adam.")
    trace = build(document, entities=lambda call: ["ada quill", "Quill"], said={})
    for wrote in trace.wrote.values():
        if wrote.role == "entity":
            assert [line for line in wrote.text.split("\n") if not line] == []
            for start, end, origin, begin, stop in wrote.pieces:
                assert origin == "document"
                assert wrote.text[start:end] == document.text[begin:stop]
    assert "adam" not in entities(trace)
    spans = [piece for wrote in trace.wrote.values() if wrote.role == "entity" for piece in wrote.pieces]
    assert all(document.text[piece.begin : piece.stop].lower() in ("ada quill", "quill", "ada", "ada  quill") for piece in spans)


def test_a_name_that_is_as_long_as_a_sentence_is_none() -> None:
    trace = build(LONG, entities=lambda call: [call.part("segment")[0]], said={})
    too_long = [name for name, because in dropped(trace) if because == "it is longer than 100 characters"]
    assert len(too_long) == 4
    assert all(len(name) < 130 for name in too_long)
    assert entities(trace) == {}


def test_entities_that_cannot_be_read_are_left_to_the_rules() -> None:
    scripted = Plan(entities=lambda call: "Ada Quill", verdicts=list(ANSWERED)).model()
    trace = read(text("Once Hector Lamb met Ada Quill."), scripted)
    assert len(asked(scripted, "entities")) == 5
    (fallback,) = trace.decisions("fallback")
    assert fallback.picked == "no entities of the model's"
    assert {entity["source"] for entity in entities(trace).values()} == {"rules"}


def test_without_the_models_entities_only_the_rules_find_them() -> None:
    scripted = Plan(questions=lambda call: [f"What is it, {call.seq}?"], verdicts=list(ANSWERED)).model()
    trace = read(text("Once Hector Lamb met Ada Quill."), scripted, model_entities=False, graph_update=True)
    assert not asked(scripted, "entities")
    assert not asked(scripted, "more_entities")
    assert asked(scripted, "more_relations")
    assert {entity["source"] for entity in entities(trace).values()} == {"rules"}


def test_the_question_and_its_choices_stand_in_the_entity_prompt() -> None:
    scripted = Plan(answer="Answer: (A) x", verdicts=list(ANSWERED)).model()
    read(LONG, scripted, choices=("Ned Farrow", "nobody"))
    assert all("Who built" in shown(call) and "(B) nobody" in shown(call) for call in asked(scripted, "entities"))


# Relations


def test_relations_are_asked_for_with_the_entities_marked() -> None:
    scripted = Plan(verdicts=list(ANSWERED)).model()
    trace = read(LONG, scripted)
    first = asked(scripted, "relations")[0]
    assert first.part("entities") == ("ada quill", "swallow")
    assert first.part("marked")[0].startswith("[ada quill] kept a boat called [swallow], and she")
    assert [call.part("entities") for call in asked(scripted, "relations")][-1] == ("ned farrow", "port ellary")
    assert relations(trace) == {
        ("ada quill", "swallow"): ("ada quill kept the boat swallow.", [1]),
        ("swallow", "ned farrow"): ("ned farrow made swallow.", [2]),
        ("ned farrow", "port ellary"): ("ned farrow came from port ellary.", [3]),
    }


@pytest.mark.parametrize(
    ("a", "b", "words", "why"),
    [
        ("ada quill", "Atlantis", "x", "one of its ends is no entity of the segment"),
        ("ada quill", "ADA QUILL", "x", "both its ends are the same entity"),
        ("ada quill", "swallow", " ", "it says nothing"),
    ],
)
def test_a_relation_that_joins_no_two_entities_of_its_segment_is_dropped(a: str, b: str, words: str, why: str) -> None:
    trace = build(text(CHAIN[0]), relations=lambda call: [{"a": a, "b": b, "relation": words}])
    assert dropped(trace) == [(f"{a} – {b}", why)]
    assert relations(trace) == {}


def test_relations_that_cannot_be_read_are_none() -> None:
    trace = build(text(CHAIN[0]), relations=lambda call: '{"relations": [{"a": "ada')
    assert [event.picked for event in trace.decisions("fallback")] == ["no relations"]
    assert isinstance(trace.end, Answered)


def test_what_a_model_brings_is_bounded_a_segment() -> None:
    many = " ".join(f"w{n}" for n in range(120))
    every = [{"a": f"w{n}", "b": f"w{n + 1}", "relation": "said " * 300} for n in range(59)] * 2
    scripted = Plan(entities=lambda call: many.split(), relations=lambda call: every, verdicts=list(ANSWERED)).model()
    trace = read(text(many), scripted, segment_tokens=1000, graph_update=True)
    assert len(entities(trace)) == 60
    assert ("w60", "the segment has 60 entities already") in dropped(trace)
    assert all(len(text) <= 600 for text, _ in relations(trace).values())
    assert max(len(shown(call)) for call in scripted.calls) < 12_000


# Questions


def update(questions: list[list[str]], **plan: Any) -> tuple[Trace, Scripted]:
    """A reading with the update, and these questions for each segment."""
    left = [list(some) for some in questions]
    document = text(*CHAIN[: len(questions)])
    scripted = Plan(questions=lambda call: left[segment_of(call)], verdicts=list(ANSWERED), **plan).model()
    return read(document, scripted, graph_update=True), scripted


def segment_of(call: Call) -> int:
    return next(n for n, words in enumerate(CHAIN) if call.part("segment")[0].startswith(words[:20]))


def test_a_question_is_kept_if_no_kept_one_of_any_segment_is_like_it() -> None:
    first, same, other = "Who made the boat swallow?", "Who made the boat?", "Where is the bell rung?"
    trace, _ = update([[first], [same, other]])
    assert READER.view(trace)["questions"] == [
        {"text": first, "segment": 1, "kept": True, "rouge_l": 0.0},
        {"text": same, "segment": 2, "kept": False, "rouge_l": round(rouge_l(first, same), 4)},
        {"text": other, "segment": 2, "kept": True, "rouge_l": round(rouge_l(first, other), 4)},
    ]
    assert trace.decisions("keep")[0].because == "0"


def test_at_exactly_0_6_a_question_is_dropped() -> None:
    first, second = "a b c d e", "a b c x y"
    assert rouge_l(first, second) == 0.6
    trace, _ = update([[first, second]])
    assert [event.picked for event in trace.decisions("drop_question")] == [second]


def test_kept_questions_supplement_entities_and_relations() -> None:
    more = [{"a": "ada quill", "b": "weathers", "relation": "ada quill sailed in all weathers."}]
    trace, scripted = update(
        [["In what weathers was she seen?"], ["In what weathers was she seen?"]],
        more_entities=lambda call: ["weathers", "Atlantis", "swallow"],
        more_relations=lambda call: more,
    )
    (asking,) = asked(scripted, "more_entities")
    assert asking.part("questions") == ("In what weathers was she seen?",)
    assert asking.part("entities") == ("ada quill", "swallow")
    (relating,) = asked(scripted, "more_relations")
    assert relating.part("entities") == ("ada quill", "swallow", "weathers")
    assert relating.part("relations") == ("ada quill – swallow: ada quill kept the boat swallow.",)
    assert relations(trace)["ada quill", "weathers"] == ("ada quill sailed in all weathers.", [1])
    assert ("Atlantis", "it does not occur in the segment") in dropped(trace)


def test_three_questions_a_segment_are_the_most_and_empty_ones_are_none() -> None:
    trace, _ = update([["?", "…", "one two", "three four", "five six", "seven eight"]])
    assert [event.picked for event in trace.decisions("keep")] == ["one two", "three four", "five six"]
    assert dropped(trace) == [("seven eight", "3 questions a segment are the most")]


def test_questions_that_cannot_be_read_are_none_and_without_the_update_none_are_asked() -> None:
    scripted = Plan(questions=lambda call: "It was read.", verdicts=list(ANSWERED)).model()
    trace = read(text(CHAIN[0]), scripted, graph_update=True)
    assert [event.picked for event in trace.decisions("fallback")] == ["no questions"]
    without = Plan(verdicts=list(ANSWERED)).model()
    read(LONG, without)
    assert not asked(without, "questions")
    assert not any(step.names[:2] == ("build", "questions") for step in read(LONG, Plan().model()).steps)


# What is told and measured


def test_measures() -> None:
    trace = read(LONG, Plan(verdicts=["no: x", "yes: y"], questions=lambda call: ["Who made it all?"]).model(), graph_update=True)
    found = measures(READER, trace, [])
    assert {name: found[name] for name in ("trials", "edges_considered", "segments_added", "segments_filtered")} == {
        "trials": 2, "edges_considered": 1, "segments_added": 2, "segments_filtered": 0,
    }  # fmt: skip
    assert (found["questions_kept"], found["questions_dropped"]) == (1, 3)


def test_it_is_told_in_words() -> None:
    plan = Plan(verdicts=["no: nobody says who made it", "yes: y"], entities=lambda call: ["swallow", "ada quill", "Atlantis"])
    trace = read(LONG, plan.model())
    told = dict(zip((step.names[1:] for step in trace.steps), narrate(trace, READER), strict=True))
    assert "It left out “Atlantis”: it does not occur in the segment." in told["graph", "segment 1"]
    assert told["trial 1",] == (
        "It could not answer yet: “nobody says who made it” It followed ada quill – swallow to swallow, the only one, and added "
        "one segment."
    )
    assert told["start",] == "The question names ada quill. Segment 1 came into view."


@pytest.mark.slow  # loads litellm
def test_the_estimate_is_what_an_offline_reading_takes_and_three_to_five_calls_a_segment_at_least(lamp: Document) -> None:
    spec = RunSpec("qrmem", READER.version, "Who kept the high light?", options={"segment_tokens": 400})
    lamp = Document.of(lamp.text[:9_000], title="Its beginning")
    found = estimate(lamp, READER, spec)
    counting: list[Call] = []

    class Counting:
        def complete(self, call: Call) -> Any:
            counting.append(call)
            return Offline().complete(call)

    trace = rehearse(lamp, READER, spec, Counting())
    segments = len(READER.view(trace)["segments"])
    assert found.calls == (len(counting), len(counting))
    assert found.calls.low >= 3 * segments
    assert found.parts == segments
    other = estimate(lamp, READER, replace(spec, model="openai/some-model"))
    assert 3 * segments <= other.calls.low < found.calls.low < other.calls.high <= 2.5 * found.calls.high


@pytest.mark.slow
def test_the_estimate_of_a_long_text_grows_with_its_segments(lamp: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is long enough to be told from its beginnings, and those, are made ten times shorter here."""
    monkeypatch.setattr("readers.engine.run.trial.MAX_WHOLE_TOKENS", 6_000)
    monkeypatch.setattr("readers.engine.run.trial.BEGINNING_LENGTHS", (5_000, 10_000))
    monkeypatch.setattr("readers.engine.run.estimate.token_cost", lambda *_, **__: None)
    spec = RunSpec("qrmem", READER.version, "Who kept the high light?", model="openai/some-model")
    found = estimate(Document.of(lamp.text * 2), READER, spec)
    assert not found.whole
    assert 3 * found.parts <= found.calls.low <= found.calls.high <= 20 * found.parts


@pytest.mark.parametrize("segments", [20, pytest.param(200, marks=pytest.mark.scale)])
def test_entities_by_the_hundred_are_told_apart_by_a_letter(segments: int) -> None:
    def reply(call: Call) -> str:
        names = call.part("segment")[0].split("; ") if call.part("segment") else []
        if call.prompt.task == "relate":
            names = list(call.part("entities"))
            pairs = [{"a": a, "b": b, "relation": f"{a} met {b}."} for a, b in pairwise(names)]
            return call.prompt.reply.render({"relations": json.dumps(pairs)})
        if call.prompt.reply.main in ("entities", "same"):
            return call.prompt.reply.render({call.prompt.reply.main: json.dumps([n.strip(" .\n") for n in names])})
        if call.prompt.id == "qrmem.answerable":
            return call.prompt.reply.render({"reasoning": "no", "action": -1})
        return "Some words."

    document = text(*("; ".join(f"person w{n} of v{n % 97}" for n in range(25 * k, 25 * k + 26)) + "." for k in range(segments)))
    trace = read(document, Scripted(reply), segment_tokens=260, question="Where is person w17 of v17?")
    assert len(entities(trace)) == 25 * segments + 1


def test_entities_are_written_in_the_order_of_the_text() -> None:
    trace = build(LONG, entities=lambda call: ["port ellary", "ned farrow", "swallow", "ada quill"])
    written = [wrote.text.partition("\n")[0] for wrote in trace.events if isinstance(wrote, Wrote) and wrote.role == "entity"]
    assert written == ["ada quill", "swallow", "ned farrow", "port ellary"]
    assert list(relations(trace)) == [key for key in SAID if key in relations(trace)]


def test_what_is_only_compared_with_a_query_is_not_read() -> None:
    plan = Plan(start=["Ada Quill"], longer="swallow", answer="Ned")
    trace = read(text(*CHAIN), plan.model(), strategy="expansion", top_k=1, fill_window=False, max_hops=1)
    found = measures(READER, trace, [])
    assert len(trace.decisions("add")) == 1
    assert 0 < found["read_fraction"] < 0.5
    scored = [event.seq for event in trace.asked.values() if event.prompt == "score"]
    assert scored
    assert all(trace.spans_shown(seq) == () for seq in scored)
