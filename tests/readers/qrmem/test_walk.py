"""QRMeM's navigation against Algorithm 1, line by line, over graphs with known edges."""

from __future__ import annotations

import json
from typing import Any

import pytest

from readers.engine.errors import BadOptions, PromptTooLong
from readers.engine.prompts.options import read_options
from readers.engine.record.events import Answered, Ended, Looked
from readers.engine.record.journal import MemoryTape
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.qrmem import QRMeMOptions
from tests.support.readings.qrmem_readings import (
    CHAIN,
    LEFT_BEHIND,
    LONG,
    QUESTION,
    READER,
    SAID,
    TWO_SEGMENTS,
    Plan,
    asked,
    called,
    chosen,
    read,
    rows,
    shown,
    text,
    walk,
)


def hub(count: int) -> tuple[str, ...]:
    """A first segment about Ada Quill; then as many others, each with a `thing` of its own."""
    listed = ", ".join(f"thing{n}" for n in range(1, count + 1))
    return (
        f"ada quill owns {listed}.",
        *(
            f"of thing{n} there is more to say here, a dozen words or so in all, and then a few others."
            for n in range(1, count + 1)
        ),
    )


def owned(count: int, *, best: int = 0) -> dict[tuple[str, str], str]:
    """A relation to each thing, the question's own words in that of `best`."""
    return {
        ("ada quill", f"thing{n}"): "the boat that was built" if n == best else f"she owns it, number {n}"
        for n in range(1, count + 1)
    }


# Lines 1 to 7: the first segments, answered or declined


def test_the_first_segments_are_those_of_the_questions_entities() -> None:
    scripted = Plan(start=["Swallow", "Port Ellary"], verdicts=["yes: Ned"]).model()
    trace = read(LONG, scripted, question="Who came on the Swallow to Port Ellary?")
    assert chosen(trace, "start") == ["swallow", "port ellary"]
    assert [event.because for event in trace.decisions("start")] == ["Swallow", "Port Ellary"]
    assert rows(trace, "trial", "answerable", "in_view") == [(1, True, [1, 2, 3, 4])]
    assert asked(scripted, "answerable")[0].part("segments") == tuple(LONG.text[s:e] for s, e in looked(trace)[-1])


def looked(trace: Trace) -> list[list[tuple[int, int]]]:
    walked = trace.events[trace.built_until :]
    return [[(piece.begin, piece.stop) for piece in event.pieces] for event in walked if isinstance(event, Looked)]


def test_answered_at_once_nothing_else_is_asked() -> None:
    scripted = Plan(verdicts=["yes: Ned Farrow"]).model()
    trace = read(LONG, scripted)
    assert isinstance(trace.end, Answered)
    assert trace.end.text == "Ned Farrow"
    assert [LONG.text[start:end] for start, end in trace.end.evidence] == [LONG.text[: len(CHAIN[0]) + 2]]
    assert [call.prompt.id for call in scripted.calls[-2:]] == ["qrmem.start", "qrmem.answerable"]
    assert not trace.decisions("expand", "consider", "decline")
    assert [(e.picked, e.among, e.because) for e in trace.decisions("commit")] == [
        ("answer", ("answer", "decline"), "it says so")
    ]


def test_declining_has_the_models_reason() -> None:
    trace = read(LONG, Plan(verdicts=["no: the builder is missing", "yes: Ned"]).model())
    assert rows(trace, "answerable", "reason") == [(False, "the builder is missing"), (True, "it says so")]
    assert [event.because for event in trace.decisions("decline")] == ["the builder is missing"]


# Lines 8 to 16: edges of the current entities


def test_two_hops_go_on_from_the_current_entities() -> None:
    scripted = Plan(verdicts=["no: who made it", "no: where from", "yes: Port Ellary"]).model()
    trace = read(LONG, scripted)
    assert chosen(trace, "expand") == ["ada quill – swallow", "swallow – ned farrow"]
    assert rows(trace, "in_view", "added") == [([1], [2]), ([1, 2], [3]), ([1, 2, 3], [])]
    assert [called(trace, row["chosen"]["entity"]) for row in walk(trace)[:2]] == ["swallow", "ned farrow"]
    assert isinstance(trace.end, Answered)


def test_the_query_is_question_reason_and_entities() -> None:
    scripted = Plan(verdicts=["no: the maker of planks", "yes: Ned"]).model()
    trace = read(LONG, scripted)
    (query,) = (words for words in queries(trace) if "planks" in words)
    assert query == f"{QUESTION}\nthe maker of planks\nada quill"


def queries(trace: Trace) -> list[str]:
    """The words of every query that was scored, put together from their pieces."""
    spoken = []
    for asking in trace.asked.values():
        if asking.prompt == "score":
            pieces = next(texts for name, texts in asking.parts if name == "query")[0]
            spoken.append("\n".join(words_of(trace, piece) for piece in pieces))
    return spoken


def words_of(trace: Trace, piece: Any) -> str:
    kind, _, number = piece.origin.partition(":")
    if kind == "question":
        return QUESTION[piece.begin : piece.stop]
    if kind == "wrote":
        return trace.wrote[int(number)].text[piece.begin : piece.stop]
    return next(event.because for event in trace.decisions("decline"))


def test_the_best_relation_is_taken_and_all_are_on_record() -> None:
    plan = Plan(said=owned(6, best=4), verdicts=["no: built by whom", "yes: Ned"])
    trace = read(text(*hub(6)), plan.model(), window_tokens=2000)
    (first, _) = walk(trace)
    assert len(first["candidates"]) == 6
    scores = [candidate["score"] for candidate in first["candidates"]]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0
    assert called(trace, first["chosen"]["entity"]) == "thing4"
    assert first["chosen"]["relation"] == first["candidates"][0]["relation"]
    assert [called(trace, c["entity"]) for c in first["candidates"][1:]] == ["thing1", "thing2", "thing3", "thing5", "thing6"]
    assert trace.decisions("expand")[0].because == f"its score, {scores[0]:.4f}, is the highest of 6"


def test_the_reason_turns_the_walk() -> None:
    said = {("ada quill", f"thing{n}"): words for n, words in enumerate(["a red lantern", "a blue anchor", "a green sail"], 1)}
    document = text(*hub(3))
    for number, reason in enumerate(["no: the lantern is missing", "no: the anchor is missing", "no: the sail is missing"], 1):
        trace = read(document, Plan(said=said, verdicts=[reason, "yes: x"]).model())
        assert called(trace, walk(trace)[0]["chosen"]["entity"]) == f"thing{number}"
        without = read(document, Plan(said=said, verdicts=[reason, "yes: x"]).model(), reflection=False)
        assert called(without, walk(without)[0]["chosen"]["entity"]) == "thing1"
        assert all("missing" not in words for words in queries(without))


def test_an_edge_that_was_taken_is_not_offered_again() -> None:
    said = {**SAID, ("ada quill", "ned farrow"): "ada quill knew ned farrow, who built the boat."}
    document = text(CHAIN[0] + " ned farrow too.", *CHAIN[1:])
    trace = read(document, Plan(said=said, verdicts=["no: x"] * 5).model(), segment_tokens=40)
    taken: list[str] = []
    for event in trace.decisions("consider", "expand"):
        assert event.picked not in taken
        if event.action == "expand":
            taken.append(event.picked)
    entities = [called(trace, event.among[0]) for event in trace.decisions("expand")]
    assert sorted(entities) == ["ned farrow", "port ellary", "swallow"]


def test_what_the_question_does_not_name_is_no_beginning() -> None:
    trace = read(LONG, Plan(start=["Port Ellary", "Ada Quill"], verdicts=["yes: y"]).model())
    assert chosen(trace, "start") == ["ada quill"]
    assert [(event.picked, event.because) for event in trace.decisions("drop")] == [
        ("Port Ellary", "the question does not name it")
    ]


def test_a_name_that_is_called_decline_is_no_verdict() -> None:
    plan = Plan(verdicts=["no: the builder is missing", "yes: y"], revise=[["decline", "swallow"]])
    trace = read(LONG, plan.model(), strategy="trial")
    assert rows(trace, "answerable", "reason")[0] == (False, "the builder is missing")


def test_segments_that_are_in_view_are_not_added_twice() -> None:
    trace = read(
        LONG,
        Plan(start=["ada quill", "ned farrow"], verdicts=["no: x", "yes: y"]).model(),
        question="Did Ned Farrow know Ada Quill?",
    )
    assert rows(trace, "in_view", "added")[0] == ([1, 2, 3], [4])
    assert chosen(trace, "expand") == ["ada quill – swallow", "ned farrow – port ellary"]


# Lines 17 to 20: the window


def test_over_the_window_added_segments_go_by_score_and_first_ones_stay() -> None:
    said = {
        ("ada quill", "thing1"): "the boat that was built",
        ("ada quill", "thing2"): "she built it",
        ("ada quill", "thing3"): "nothing",
    }
    trace = read(text(*hub(3)), Plan(said=said, verdicts=["no: boat built"] * 4).model(), window_tokens=40, max_trials=3)
    assert all(1 in row["in_view"] for row in walk(trace))
    assert rows(trace, "added", "filtered") == [([2], []), ([3], [2]), ([4], [3])]
    assert not any(event.picked.endswith(f":0-{len(hub(3)[0]) + 2}") for event in trace.decisions("filter"))
    assert all(float(event.because) >= 0 for event in trace.decisions("filter"))


def test_what_brings_no_new_segment_is_followed_on_in_the_same_trial() -> None:
    said = {("ada quill", "swallow"): "she owned the boat", ("swallow", "ned farrow"): "built it", **dict([*SAID.items()][2:])}
    document = text(
        "ada quill had the swallow, and ned farrow built it, as was said in those days by everybody there.", *CHAIN[2:]
    )
    scripted = Plan(said=said, verdicts=["no: the builder", "yes: y"]).model()
    trace = read(document, scripted)
    assert chosen(trace, "expand") == ["ada quill – swallow", "swallow – ned farrow"]
    assert rows(trace, "in_view", "added") == [([1], [2]), ([1, 2], [])]
    assert called(trace, walk(trace)[0]["chosen"]["entity"]) == "ned farrow"
    assert [candidate["followed"] for candidate in walk(trace)[0]["candidates"]] == [True, True]


def test_first_segments_that_fill_the_window_make_room_for_what_is_followed() -> None:
    crowd = [f"ada quill was seen on day {n}, when she sat by the window for a while and said nothing." for n in range(9)]
    document = text("ada quill has a boat, and who built the boat is told of swallow.", *crowd, *CHAIN[1:3])
    scripted = Plan(verdicts=["no: the builder of swallow", "yes: Ned"]).model()
    trace = read(document, scripted, window_tokens=100)
    first, second = (call.part("segments") for call in asked(scripted, "answerable"))
    assert all("ada quill" in segment for segment in first)
    assert CHAIN[1] in [segment.strip() for segment in second]
    assert document.text.startswith(second[0])
    assert walk(trace)[0]["filtered"][-1] not in walk(trace)[1]["in_view"]


@pytest.mark.parametrize("strategy", ["navigation", "trial"])
@pytest.mark.parametrize(("window_tokens", "window"), [(40, None), (62, None), (100, None), (4096, None), (4096, 1_400)])
def test_no_trial_asks_what_was_asked_before(strategy: str, window_tokens: int, window: int | None) -> None:
    document = text(
        CHAIN[0], *(f"ada quill and thing{n} were there, as {hub(9)[n]}" for n in range(1, 8)), *CHAIN[1:], *hub(9)[1:]
    )
    revise = [["swallow"], ["swallow", "ada quill"], ["thing3"], ["thing3"], []] * 8
    scripted = Plan(said={**SAID, **owned(7)}, verdicts=["no: it is not told"] * 40, revise=revise).model()
    trace = read(document, scripted, strategy=strategy, window_tokens=window_tokens, window=window, max_trials=40)
    views = [call.part("segments") for call in asked(scripted, "answerable")]
    assert len(set(views)) == len(views)
    if strategy == "navigation":
        assert {n for row in walk(trace) for n in row["in_view"]} == {one["id"] for one in READER.view(trace)["segments"]}
        assert isinstance(trace.end, Ended)
        assert trace.end.outcome == "exhausted"


def test_a_better_one_stays_and_a_worse_one_leaves() -> None:
    plan = Plan(said=owned(3, best=2), verdicts=["no: x"] * 4)
    trace = read(text(*hub(3)), plan.model(), window_tokens=TWO_SEGMENTS, max_trials=3)
    assert rows(trace, "added", "filtered") == [([3], []), ([2], []), ([4], [2])]


def test_first_segments_that_alone_are_over_the_window_are_cut_by_likeness() -> None:
    document = text(
        "ada quill once ate soup in the rain, with bread, and cheese, and a cup of something warm that had no name.",
        "ada quill has a boat, and who built the boat is told in the harbour by everybody who was ever asked for it.",
        "ada quill likes to sleep until noon, and then she reads the paper, and then she goes for a walk with her dog.",
    )
    plan = Plan(said={("ada quill", "boat"): "has"}, verdicts=["yes: x"])
    trace = read(document, plan.model(), window_tokens=32)
    assert rows(trace, "in_view") == [([2],)]
    assert sorted(chosen(trace, "filter")) == ["segment 1", "segment 3"]


def test_what_the_models_own_window_does_not_hold_goes_too() -> None:
    names = [f"thing{n}" for n in range(1, 51)]
    said = {("ada quill", "thing1"): "she owns it"}
    plan = {
        "said": said,
        "start": names,
        "entities": lambda call: [name for name in names if f"of {name} there" in call.part("segment")[0]],
    }
    wide, tight = (Plan(**plan, verdicts=["yes: y"]).model() for _ in range(2))
    question = f"What is said of {', '.join(names)}?"
    assert len(walk(read(text(*hub(50)), wide, question=question))[0]["in_view"]) == 50
    trace = read(text(*hub(50)), tight, question=question, window=1_500)
    sizes = [len(call.part("segments")) for call in asked(tight, "answerable")]
    assert isinstance(trace.end, Answered)
    assert 1 < sizes[-1] < 50
    assert sizes[-1] == len(walk(trace)[-1]["in_view"]) == 50 - len(trace.decisions("filter"))


# Where the paper says nothing


def test_where_no_relation_is_left_the_most_similar_segments_are_taken() -> None:
    trace = read(
        LONG, Plan(said={("ada quill", "swallow"): SAID["ada quill", "swallow"]}, verdicts=["no: x"] * 2 + ["yes: y"]).model()
    )
    (fallback,) = trace.decisions("fallback")
    assert (fallback.picked, fallback.because) == ("the most similar segments", "no relation is left to follow")
    assert [called(trace, ref) for ref in fallback.among] == chosen(trace, "add")[2:]
    assert rows(trace, "in_view")[-1] == ([1, 2, 3, 4],)


def test_where_everything_was_shown_it_ends_as_exhausted() -> None:
    trace = read(LONG, Plan(said={}, entities=lambda call: [], verdicts=["no: x"] * 5).model(), top_k=2, fill_window=False)
    assert [len(view) for (view,) in rows(trace, "in_view")] == [2, 4]
    (stop,) = trace.decisions("stop")
    assert stop.picked == "no way on"
    assert isinstance(trace.end, Ended)
    assert trace.end.outcome == "exhausted"
    assert "every segment was shown" in trace.end.reason


def test_segments_that_were_shown_apart_are_shown_together_before_it_ends() -> None:
    verdicts = ["no: x", "no: x", "no: a boy with a bag of tools, and a school with a bell in port ellary", "yes: y"]
    plan = Plan(said={}, entities=lambda call: [], start=[], verdicts=verdicts)
    trace = read(LONG, plan.model(), question="who made the planks?", window_tokens=TWO_SEGMENTS)
    assert rows(trace, "in_view") == [([1, 2],), ([2, 4],), ([2, 3],), ([3, 4],)]
    assert [event.because for event in trace.decisions("fallback")][-1] == "every segment was shown"


def test_verdicts_that_cannot_be_read_leave_it_to_the_answer() -> None:
    trace = read(LONG, Plan(said={}, entities=lambda call: [], start=[], verdicts=["?"] * 5).model())
    assert rows(trace, "in_view") == [([1, 2, 3, 4],)]
    assert isinstance(trace.end, Answered)
    assert trace.end.text == "forty-two"


def test_a_question_without_an_entity_of_the_graph_begins_with_the_most_similar_segments() -> None:
    trace = read(
        LONG,
        Plan(start=["Atlantis"], verdicts=["yes: y"]).model(),
        question="Who made the planks of Atlantis?",
        top_k=1,
        fill_window=False,
    )
    assert [(event.picked, event.because) for event in trace.decisions("drop")] == [
        ("Atlantis", "no entity of the graph has this name")
    ]
    (fallback,) = trace.decisions("fallback")
    assert fallback.because == "the question names no entity of the graph"
    assert rows(trace, "in_view") == [([2],)]


def test_after_the_last_trial_it_answers_from_what_is_in_view() -> None:
    scripted = Plan(verdicts=["no: x"] * 9).model()
    trace = read(LONG, scripted, max_trials=2)
    assert len(asked(scripted, "answerable")) == 2
    assert rows(trace, "in_view", "added") == [([1], [2]), ([1, 2], [3])]
    assert len(asked(scripted, "answer")[0].part("segments")) == 3
    assert isinstance(trace.end, Answered)
    assert (trace.end.text, len(trace.end.evidence)) == ("forty-two", 1)


@pytest.mark.parametrize(("gather", "answered_from"), [(True, [2, 3]), (False, [1, 4])])
def test_before_the_last_answer_the_most_relevant_segments_stand_together(gather: bool, answered_from: list[int]) -> None:
    scripted = Plan(verdicts=[*LEFT_BEHIND]).model()
    trace = read(LONG, scripted, window_tokens=TWO_SEGMENTS, max_trials=3, gather=gather)
    assert rows(trace, "in_view") == [([1],), ([1, 2],), ([1, 3],)]
    (last,) = asked(scripted, "answer")
    assert [segment.strip() for segment in last.part("segments")] == [CHAIN[number - 1] for number in answered_from]
    fallbacks = [(event.picked, event.because) for event in trace.decisions("fallback")]
    assert fallbacks == [("the most similar segments together", "segments shown before had left the view")] * gather


def test_without_navigation_it_answers_from_the_first_segments() -> None:
    for strategy in ("navigation", "expansion", "trial"):
        scripted = Plan().model()
        trace = read(LONG, scripted, navigate=False, strategy=strategy)
        assert not asked(scripted, "answerable")
        assert [len(call.part("segments")) for call in asked(scripted, "answer")] == [1]
        assert walk(trace) == []


# Misreads


def test_a_verdict_that_cannot_be_read_is_asked_five_times_each_warmer_and_then_counts_as_declined() -> None:
    scripted = Plan(verdicts=["?"] * 5 + ["yes: y"]).model()
    trace = read(LONG, scripted)
    calls = asked(scripted, "answerable")
    assert [call.settings.temperature for call in calls] == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 0])
    assert [call.attempt for call in calls] == [0, 1, 2, 3, 4, 0]
    assert len(trace.misreads) == 5
    (fallback,) = trace.decisions("fallback")
    assert fallback.picked == "decline"
    assert rows(trace, "answerable") == [(False,), (True,)]


def test_the_fifth_reply_is_still_read() -> None:
    trace = read(LONG, Plan(verdicts=["?"] * 4 + ["yes: y"]).model())
    assert rows(trace, "answerable") == [(True,)]
    assert len(trace.misreads) == 4
    assert not trace.decisions("fallback")


def test_the_questions_entities_that_cannot_be_read_are_left_to_the_rules() -> None:
    scripted = Plan(start="no idea", verdicts=["yes: y"]).model()
    trace = read(LONG, scripted)
    assert len(asked(scripted, "start")) == 5
    assert [event.picked for event in trace.decisions("fallback")] == ["the names the rules find"]
    assert chosen(trace, "start") == ["ada quill"]


def test_an_answer_that_cannot_be_read_ends_it_without_one() -> None:
    trace = read(LONG, Plan(answer="?", verdicts=["no: x"]).model(), choices=("Ned", "Ada"), max_trials=1)
    assert isinstance(trace.end, Ended)
    assert trace.end.outcome == "no_answer"
    assert "5 replies in a row" in trace.end.reason


def test_choices_stand_in_the_prompts_and_the_answer_is_one_of_them() -> None:
    scripted = Plan(answer="Answer: (B) Ada", verdicts=["no: x"]).model()
    trace = read(LONG, scripted, choices=("Ned", "Ada"), max_trials=1)
    assert "(B) Ada" in shown(asked(scripted, "answerable")[0])
    assert isinstance(trace.end, Answered)
    assert trace.end.text == "(B) Ada"


# Options and events


@pytest.mark.parametrize("scorer", ["tfidf", "bm25"])
def test_the_record_says_what_scored(scorer: str) -> None:
    tape = MemoryTape()
    options = {"segment_tokens": 32, "graph_update": False, "similarity": scorer}
    spec = RunSpec("qrmem", READER.version, QUESTION, options=options)
    rehearse(LONG, READER, spec, Plan(verdicts=["no: x", "yes: y"]).model(), tape=tape)
    assert {record.model for record in tape.records.values() if record.task == "score"} == {scorer}


def test_embeddings_need_a_model() -> None:
    with pytest.raises(BadOptions, match="embedding_model"):
        read_options(QRMeMOptions, {"similarity": "embedding"})
    assert read_options(QRMeMOptions, {"similarity": "embedding", "embedding_model": "m"}).scorer == "embedding/m"


def test_a_segment_that_alone_is_too_long_for_the_model_fails_with_advice() -> None:
    with pytest.raises(PromptTooLong, match="smaller segments"):
        read(LONG, Plan(verdicts=["yes: y"]).model(), window=300)


def test_the_view_is_data() -> None:
    trace = read(LONG, Plan(verdicts=["no: x", "yes: y"]).model())
    assert json.loads(json.dumps(walk(trace))) == walk(trace)
