"""QRMeM's other strategies, Entity Trial and Graph Expansion Search, over graphs with known edges."""

from __future__ import annotations

from readers.engine.record.events import Answered
from tests.support.readings.qrmem_readings import CHAIN, LONG, TWO_SEGMENTS, Plan, asked, called, chosen, read, rows, walk

# Entity Trial


def test_entity_trial_goes_by_entities_that_the_model_names() -> None:
    scripted = Plan(verdicts=["no: x", "no: z", "yes: y"], revise=[["Port Ellary", "Atlantis"], ["Ned Farrow"]]).model()
    trace = read(LONG, scripted, strategy="trial")
    assert rows(trace, "in_view", "added", "candidates", "chosen") == [
        ([1], [3, 4], [], None),
        ([1, 3, 4], [2], [], None),
        ([1, 2, 3, 4], [], [], None),
    ]
    assert [event.picked for event in trace.decisions("drop")] == ["Atlantis"]
    assert [[called(trace, ref) for ref in event.among] for event in trace.decisions("revise")] == [
        ["port ellary"],
        ["ned farrow"],
    ]
    first, second = asked(scripted, "revise")
    assert (first.part("reason"), first.part("entities")) == (("x",), ("ada quill",))
    assert (second.part("reason"), second.part("entities")) == (("z",), ("port ellary",))
    assert not trace.decisions("consider", "expand")


def test_entity_trial_ends_where_the_window_is_full() -> None:
    scripted = Plan(verdicts=["no: x"] * 9, revise=[["swallow", "ned farrow", "port ellary"]]).model()
    trace = read(LONG, scripted, strategy="trial", window_tokens=TWO_SEGMENTS)
    assert [event.picked for event in trace.decisions("stop")] == ["the window is full"]
    assert len(asked(scripted, "answerable")) == 1
    assert asked(scripted, "answer")[0].part("segments")[0].startswith("ada quill kept")
    assert isinstance(trace.end, Answered)


def test_entity_trial_that_names_nothing_new_falls_back_on_the_most_similar() -> None:
    trace = read(
        LONG, Plan(verdicts=["no: x", "yes: y"], revise=[["Ada Quill"]]).model(), strategy="trial", top_k=1, fill_window=False
    )
    assert [event.because for event in trace.decisions("fallback")] == ["these entities bring no segment that was not shown"]
    assert len(walk(trace)[1]["in_view"]) == 2


# Graph Expansion Search


def test_expansion_goes_hop_by_hop_and_answers_once_from_what_a_longer_question_finds() -> None:
    scripted = Plan(longer="swallow had every plank and peg made by ned farrow").model()
    trace = read(LONG, scripted, strategy="expansion", min_similarity=0.0, top_k=1, fill_window=False)
    assert chosen(trace, "expand") == ["ada quill – swallow", "swallow – ned farrow"]
    assert rows(trace, "answerable", "added", "in_view") == [(None, [], []), (None, [], []), (None, [2], [2])]
    assert not asked(scripted, "answerable")
    longer = asked(scripted, "elaborate")[0]
    assert longer.part("entities") == ("ada quill", "swallow", "ned farrow")
    assert longer.part("relations") == ("ada quill kept the boat swallow.", "ned farrow made swallow.")
    assert [wrote.text for wrote in trace.wrote.values() if wrote.role == "query"] == [
        "swallow had every plank and peg made by ned farrow"
    ]
    assert [call.part("segments") for call in asked(scripted, "answer")] == [
        (LONG.text[len(CHAIN[0]) + 2 :][: len(CHAIN[1]) + 2],)
    ]


def test_expansion_retrieves_more_than_top_k_where_the_window_has_room() -> None:
    for window_tokens, count in ((4096, 4), (TWO_SEGMENTS, 2)):
        scripted = Plan().model()
        read(LONG, scripted, strategy="expansion", top_k=1, window_tokens=window_tokens)
        assert [len(call.part("segments")) for call in asked(scripted, "answer")] == [count]


def test_expansion_stops_where_no_relation_is_similar_enough() -> None:
    trace = read(LONG, Plan().model(), strategy="expansion", min_similarity=0.99)
    assert [(event.picked, event.because) for event in trace.decisions("stop")] == [
        ("no relation is similar enough", "none of 1 scores 0.99 or more")
    ]
    assert not trace.decisions("expand")
    assert isinstance(trace.end, Answered)


def test_expansion_stops_where_no_relation_is_left_and_at_the_last_hop() -> None:
    trace = read(LONG, Plan().model(), strategy="expansion", min_similarity=0.0, max_hops=9)
    assert len(trace.decisions("expand")) == 3
    assert trace.decisions("stop")[0].because == "no relation is left to follow"
    assert len(read(LONG, Plan().model(), strategy="expansion", min_similarity=0.0, max_hops=1).decisions("expand")) == 1


def test_expansion_without_an_entity_retrieves_with_the_question() -> None:
    scripted = Plan(start=[]).model()
    trace = read(LONG, scripted, strategy="expansion", question="who made the planks?", top_k=1, fill_window=False)
    assert not asked(scripted, "elaborate")
    assert asked(scripted, "answer")[0].part("segments")[0].startswith("of swallow")
    assert [event.because for event in trace.decisions("fallback")] == ["the question names no entity of the graph"]
