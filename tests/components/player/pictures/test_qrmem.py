"""QRMeM's picture: the walk trial by trial, the net at each step, what was weighed, and every mention of an entity."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from components.player.pictures import picture, qrmem, qrmem_walk
from components.player.pictures.qrmem_steps import HEADS
from components.session.samples import recordings
from readers import get
from readers.engine.files.runs.import_run import check_run_file
from readers.engine.record import events
from readers.engine.record.trace import BUILD, Trace
from readers.engine.text import refs
from readers.qrmem.navigate import MOST_SIMILAR
from tests.support.readings.qrmem_readings import CHAIN, Plan, crowded, read, text

TWO_HOPS = ["no: the builder is missing", "no: where he came from is missing", "yes: Port Ellary"]


def drawn(trace: Trace, *opened: str) -> dict[str, Any]:
    found = picture("qrmem", trace, opened=frozenset(opened))
    assert found is not None
    return json.loads(json.dumps(found))


def nodes(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {node["name"]: node for node in found["nodes"]}


def state(each: dict[str, Any], at: int) -> str | None:
    return next((state for step, state in reversed(each["changes"]) if step <= at), None)


def steps(trace: Trace, kind: str) -> list[int]:
    return [step.number for step in trace.steps if step.names[-1].startswith(kind)]


def group(found: dict[str, Any], at: int, head: str) -> dict[str, Any]:
    return next(group for group in found["panels"][str(at)] if group["head"] == head)


@pytest.fixture(scope="module")
def trace() -> Trace:
    return read(text(*CHAIN), Plan(verdicts=list(TWO_HOPS)).model())


def test_the_walk_is_numbered_from_the_questions_entity_on(trace: Trace) -> None:
    found = drawn(trace)
    called = {node["id"]: node["name"] for node in found["nodes"]}
    moves = [(edge["label"], called[edge["from"]], called[edge["to"]]) for edge in found["edges"] if edge["kind"] == "walk"]
    assert moves == [("1", "ada quill", "swallow"), ("2", "swallow", "ned farrow")]
    trials = steps(trace, "trial")
    assert [called[found["here"][at]] for at in trials] == ["swallow", "ned farrow", "ned farrow"]
    begun = [edge["changes"][0][0] for edge in found["edges"] if edge["kind"] == "walk"]
    assert begun == trials[:2]


def test_an_entity_knows_what_it_was_at_each_step(trace: Trace) -> None:
    found = nodes(drawn(trace))
    first, second, _ = steps(trace, "trial")
    (start,) = steps(trace, "start")
    in_text = steps(trace, "segment 3")[0]
    assert state(found["ned farrow"], in_text) == "named"
    assert state(found["ned farrow"], start) == "found"
    assert state(found["ada quill"], start) == "start"
    assert state(found["swallow"], start) == "found"
    assert state(found["swallow"], first) == "taken"
    assert state(found["ned farrow"], second) == "taken"
    assert state(found["port ellary"], in_text - 1) is None


def test_what_was_weighed_stands_beside_it_with_its_scores_the_best_first() -> None:
    said = {("ada quill", "swallow"): "the boat was built", ("ada quill", "a bell"): "it rang on sundays"}
    there = text("ada quill kept a boat called swallow, and heard a bell, in all weathers.", *CHAIN[1:])
    trace = read(there, Plan(said=said, verdicts=["no: it is missing", "yes: Ned"]).model())
    (at, _) = steps(trace, "trial")
    rows = group(drawn(trace), at, HEADS["weighed"])["rows"]
    assert [(row["name"], row.get("picked", False)) for row in rows] == [
        ("ada quill – swallow", True),
        ("ada quill – a bell", False),
    ]
    assert rows[0]["score"] > rows[1]["score"]
    assert rows[0]["note"] == f"{rows[0]['score']:.2f}, clear"
    assert rows[0]["text"] == "the boat was built"


def test_every_mention_leads_to_where_the_name_stands(trace: Trace) -> None:
    found = drawn(trace)
    (node_id,) = (node["id"] for node in found["nodes"] if node["name"] == "ned farrow")
    there = trace.document.text
    assert [there[start:end] for start, end in found["cards"][node_id]["spans"]] == ["ned farrow"] * there.count("ned farrow")
    assert [other["name"] for other in found["cards"][node_id]["relations"]] == ["swallow", "port ellary"]


def test_questions_kept_and_dropped_are_listed_at_their_segment() -> None:
    asked = {0: ["Who kept the boat?", "Who kept the boat then?"], 1: ["Where is the school?"]}
    order = iter(range(9))
    plan = Plan(verdicts=["yes: Ned"], questions=lambda call: asked.get(next(order), []))
    trace = read(text(*CHAIN), plan.model(), graph_update=True)
    found = drawn(trace)
    rows = [
        row
        for at in steps(trace, "segment")
        for each in found["panels"].get(str(at), ())
        if "ROUGE" in each["head"]
        for row in each["rows"]
    ]
    assert [(row["name"], row["struck"]) for row in rows] == [
        ("Who kept the boat?", False),
        ("Who kept the boat then?", True),
        ("Where is the school?", False),
    ]


def test_before_names_are_made_one_the_net_is_made_of_names(trace: Trace) -> None:
    written = next(n for n, event in enumerate(trace.events) if event.kind == "wrote" and event.role == "entity")
    found = drawn(Trace(trace.document, trace.events[:written]))
    assert {"ada quill", "swallow", "ned farrow", "port ellary"} <= set(nodes(found))
    assert sum(edge["kind"] == "relation" for edge in found["edges"]) == 3


def bands(found: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Title, the steps from which it is there and judged, the verdict, and what brought which segments."""
    return [
        (band["title"], band["from"], band["step"], band["verdict"], [(item["name"], item["brought"]) for item in band["items"]])
        for band in found["bands"]
    ]


def test_the_walk_is_told_trial_by_trial_with_what_brought_what(trace: Trace) -> None:
    found = drawn(trace)
    (start,), (first, second, third) = steps(trace, "start"), steps(trace, "trial")
    assert bands(found) == [
        ("Trial 1", start, first, "declined", [("ada quill", [1])]),
        ("Trial 2", first, second, "declined", [("swallow", [2])]),
        ("Trial 3", second, third, "answers", [("ned farrow", [3])]),
    ]
    assert [band["reason"] for band in found["bands"]] == [
        "the builder is missing",
        "where he came from is missing",
        "it says so",
    ]
    assert found["bands"][2]["answer"] == "Port Ellary"
    item = found["bands"][1]["items"][0]
    assert (item["kind"], item["words"], item["step"]) == ("followed", "ada quill kept the boat swallow.", first)
    assert item["note"].endswith(", the only one")
    assert found["bands"][2]["segments"] == {"1": [[second, "in"]], "2": [[second, "in"]], "3": [[second, "new"]]}


def test_it_is_a_walk_from_the_first_relation_that_is_followed(trace: Trace) -> None:
    assert drawn(trace)["walk_from"] == steps(trace, "trial")[0]
    similar = read(text(*CHAIN), Plan(start=[], verdicts=["yes: rain"]).model(), question="What is the weather like?")
    assert drawn(similar)["walk_from"] is None
    by_hops = read(text(*CHAIN), Plan().model(), strategy="expansion", min_similarity=0.0)
    assert drawn(by_hops)["walk_caption"] == qrmem_walk.HOPS_CAPTION


def test_all_entities_of_the_question_are_marked_with_what_each_brought() -> None:
    plan = Plan(start=["Ada Quill", "Port Ellary", "swallow"], verdicts=["yes: Ned"])
    found = drawn(read(text(*CHAIN), plan.model(), question="Did Ada Quill take Swallow to Port Ellary?"))
    items = found["bands"][0]["items"]
    assert [(item["kind"], item["name"], item["brought"], item["stands"]) for item in items] == [
        ("start", "ada quill", [1], [1]),
        ("start", "swallow", [2], [1, 2]),
        ("start", "port ellary", [3, 4], [3, 4]),
    ]


def test_what_was_put_out_for_lack_of_room_is_out_in_the_band_on_the_axis_and_in_the_net(trace: Trace) -> None:
    tight = read(text(*CHAIN), Plan(verdicts=list(TWO_HOPS)).model(), window_tokens=62)
    found = drawn(tight)
    out = [(number, step) for band in found["bands"] for number, to in band["segments"].items() for step, at in to if at == "out"]
    assert out
    scores = [(refs.span(event.picked), float(event.because)) for event in tight.decisions("filter")]
    gone = [one for band in found["bands"] for one in band["out"]]
    assert [(tuple(found["segments"][number - 1]["span"]), score) for _, number, score in gone] == scores
    for number, step in out:
        axis = found["segments"][int(number) - 1]
        assert state(axis, step) == "out"
        assert state(nodes(found)[f"segment {number}"], step) == "left"
    there = [segment["number"] for segment in drawn(trace)["segments"] if state(segment, steps(trace, "trial")[-1]) == "in"]
    assert there == [1, 2, 3]


def test_each_hop_is_a_band_and_the_retrieved_segments_are_the_last() -> None:
    found = drawn(read(text(*CHAIN), Plan().model(), strategy="expansion", min_similarity=0.0, max_hops=2))
    assert [band["title"] for band in found["bands"]] == ["Start", "Hop 1", "Hop 2", "Answer"]
    *hops, last = ([(item["name"], item["words"]) for item in band["items"]] for band in found["bands"])
    assert [[name for name, _ in items] for items in hops] == [["ada quill"], ["swallow"], ["ned farrow"]]
    assert last == [(MOST_SIMILAR, qrmem_walk.RETRIEVED)]


def test_without_an_entity_of_the_question_the_most_similar_segments_come_with_their_scores() -> None:
    plan = Plan(start=[], verdicts=["no: it is missing", "no: it is missing", "yes: rain"])
    trace = read(text(*CHAIN), plan.model(), question="What is the weather like?", top_k=1, fill_window=False, window_tokens=40)
    found = drawn(trace)
    (start,), trials = steps(trace, "start"), steps(trace, "trial")
    assert [band[:3] for band in bands(found)] == [
        ("Trial 1", start, trials[0]),
        ("Trial 2", trials[0], trials[1]),
        ("Trial 3", trials[1], trials[2]),
    ]
    (item,) = found["bands"][0]["items"]
    assert (item["kind"], item["words"], list(item["scores"])) == (
        "similar",
        "the question names no entity of the graph",
        [str(item["brought"][0])],
    )
    first = str(item["brought"][0])
    assert found["bands"][1]["segments"][first] == [[trials[0], "in"], [trials[0], "out"]]
    brought = [band["items"][0]["brought"][0] for band in found["bands"][:2]]
    assert [found["here"][at] for at in (start, trials[0])] == [f"segment {number}" for number in brought]


def test_no_box_of_the_net_lies_over_another_in_any_shipped_recording() -> None:
    shipped = [recording for recording in recordings() if recording.reader == "qrmem"]
    assert shipped
    for recording in shipped:
        file = check_run_file(recording.path.read_bytes(), recording.path.name, readers=get)
        found = drawn(Trace(file.document, tuple(map(events.from_json, file.events))))
        high = {"segment": 20.0, "entity": 14.0}
        boxes = [(each["x"], each["y"], each["width"] / 2, high[each["kind"]]) for each in found["nodes"]]
        for (x, y, wide, tall), (left, top, half, low) in combinations(boxes, 2):
            assert abs(x - left) >= wide + half or abs(y - top) >= tall + low


def test_a_move_carries_the_words_of_its_relation(trace: Trace) -> None:
    moves = [edge for edge in drawn(trace)["edges"] if edge["kind"] == "walk"]
    assert [(move["words"], move["short"]) for move in moves] == [
        ("ada quill kept the boat swallow.", "kept the boat"),
        ("ned farrow made swallow.", "made"),
    ]


@pytest.mark.parametrize(
    ("said", "short"),
    [
        ("Ada Quill kept, for many a long year, the boat Swallow.", "kept, for many a long …"),
        ("The boat was hers.", "The boat was hers"),
        ("Ada Quill: a keeper", "a keeper"),
        ("Swallow", "Swallow"),
    ],
)
def test_the_words_on_an_edge_are_what_stands_between_its_names(said: str, short: str) -> None:
    assert qrmem.short_words(said, ["ada quill", "Quill", "swallow"]) == short


def test_the_text_goes_to_the_segment_just_added_and_then_stays_there(trace: Trace) -> None:
    found = drawn(trace)
    first, second, third = steps(trace, "trial")
    for at, number in ((first, 2), (second, 3)):
        segment = found["segments"][number - 1]
        assert found["aims"][str(at)] == {"spans": [segment["span"]], "words": f"+ {segment['name']} · added here", "fresh": True}
    before = found["aims"][str(third)]
    assert before == {**found["aims"][str(second)], "words": before["words"], "fresh": False}
    assert before["words"].endswith("added before")


def test_all_that_a_step_added_is_marked_and_nothing_that_it_put_out_again() -> None:
    plan = Plan(start=["Ada Quill", "Port Ellary"], verdicts=["yes: Ned"])
    put_out = []
    for window in (400, 62):
        reading = read(text(*CHAIN), plan.model(), question="Did Ada Quill go to Port Ellary?", window_tokens=window)
        (at,), found = steps(reading, "start"), drawn(reading)
        stayed = [segment for segment in found["segments"] if state(segment, at) == "in"]
        put_out.append(any(state(segment, at) == "out" for segment in found["segments"]))
        aim = found["aims"][str(at)]
        assert sorted(aim["spans"]) == [segment["span"] for segment in stayed]
        assert all(str(segment["number"]) in aim["words"] for segment in stayed)
    assert put_out == [False, True]


def test_before_a_name_is_found_no_segment_is_a_node(trace: Trace) -> None:
    found = drawn(trace)
    first = steps(trace, "segment 1")[0]
    assert {state(node, first - 1) for node in found["nodes"]} == {None}
    assert state(nodes(found)["segment 4"], first) == "found"


def test_changes_are_in_the_order_of_the_steps_in_every_strategy() -> None:
    said = {("ada quill", f"thing{n}"): f"she owns it, number {n}" for n in range(60)}
    there = text(
        "ada quill kept a boat.", *(f"of thing{n} there is more to say here, a dozen words or so in all." for n in range(60))
    )
    plans = {
        "navigation": Plan(
            said=said, verdicts=["no: x", "no: y", "yes: z"], entities=lambda call: [name for pair in said for name in pair]
        ),
        "expansion": Plan(said=said, entities=lambda call: [name for pair in said for name in pair]),
        "trial": Plan(said=said, verdicts=["no: x", "yes: z"], revise=[["thing3", "thing7"]]),
    }
    for strategy, plan in plans.items():
        found = drawn(read(there, plan.model(), strategy=strategy, min_similarity=0.0))
        for each in (*found["nodes"], *found["edges"]):
            at = [step for step, _ in each["changes"]]
            assert at == sorted(at)


def test_entity_trial_stands_on_what_it_looks_for_and_strikes_what_it_gave_up() -> None:
    verdicts = ["no: a", "no: b", "yes: c"]
    trace = read(
        text(*CHAIN), Plan(verdicts=verdicts, revise=[["swallow"], ["port ellary", "swallow"]]).model(), strategy="trial"
    )
    found = drawn(trace)
    called = {node["id"]: node["name"] for node in found["nodes"]}
    first, second, third = steps(trace, "trial")
    assert [called[found["here"][at]] for at in (first, second, third)] == ["swallow", "port ellary", "port ellary"]
    assert state(nodes(found)["ada quill"], first) == "left"
    assert state(nodes(found)["port ellary"], second) == "taken"
    asked_for = [[item["name"] for item in band["items"]] for band in found["bands"]]
    assert asked_for == [["ada quill"], ["swallow"], ["port ellary"]]
    assert [band["gone"] for band in found["bands"]] == [[], ["ada quill"], []]
    assert [band["still"] for band in found["bands"]] == [[], [], ["swallow"]]


def test_a_name_broken_over_two_lines_is_a_mention() -> None:
    plan = Plan(verdicts=["yes: Ned"], entities=lambda call: ["ada quill", "swallow"])
    trace = read(text(CHAIN[0].replace("ada quill", "ada\nquill"), *CHAIN[1:]), plan.model())
    found = drawn(trace)
    (node_id,) = (node["id"] for node in found["nodes"] if node["name"] == "ada quill")
    assert [trace.document.text[start:end] for start, end in found["cards"][node_id]["spans"]] == ["ada\nquill"]


def test_names_made_one_are_one_node_and_no_relation_of_it_with_itself() -> None:
    said = {("ada quill", "swallow"): "she kept it", ("ada quill", "quill"): "they are the same"}
    plan = Plan(said=said, verdicts=["yes: Ned"], same=lambda call: [{"a": "ada quill", "b": "quill"}])
    trace = read(text(*CHAIN), plan.model())
    found = drawn(trace)
    assert all(edge["from"] != edge["to"] for edge in found["edges"])
    before, after = steps(trace, "segment 1")[0], steps(trace, "start")[0]
    seen = [
        sorted(node["name"] for node in found["nodes"] if node["kind"] == "entity" and state(node, at) not in (None, "hidden"))
        for at in (before, after)
    ]
    assert seen == [["ada quill", "quill", "swallow"], ["ada quill", "swallow"]]
    assert [words for _, words in found["notes"]][-2:] == ["3 names found so far", "2 entities"]


def test_a_text_without_names_has_no_net_but_its_walk_is_told() -> None:
    trace = read(text(*CHAIN), Plan(said={}, start=[], verdicts=["yes: Ned"]).model())
    found = drawn(trace)
    assert all(node["name"].startswith("segment ") for node in found["nodes"])
    assert [item["kind"] for item in found["bands"][0]["items"]] == ["similar"]


def test_while_names_are_not_settled_a_press_shows_where_they_stand(trace: Trace) -> None:
    written = next(n for n, event in enumerate(trace.events) if event.kind == "wrote" and event.role == "entity")
    found = nodes(drawn(Trace(trace.document, trace.events[:written])))
    start, end = found["ned farrow"]["span"]
    assert trace.document.text[start:end] == "ned farrow"


@pytest.mark.parametrize("count", [200, pytest.param(5_000, marks=pytest.mark.scale)])
def test_a_large_net_is_drawn_in_part_and_the_rest_is_counted_and_found(count: int) -> None:
    document, plan, question = crowded(count, count // 25)
    trace = read(document, plan.model(), question=question, segment_tokens=320)
    found = drawn(trace)
    assert len(found["names"]) == count
    assert len([node for node in found["nodes"] if node["kind"] == "entity"]) <= qrmem.MOST
    counts = [int(words.partition(" ")[0].replace(",", "")) for _, words in found["notes"]]
    assert counts[0] < counts[-1] == count
    assert found["notes"][0][1].endswith("found so far")
    assert found["notes"][-1][1] == f"{count:,} entities"
    assert found["counts"][-1][1] == count
    far = next(node_id for node_id, name in found["names"].items() if name.startswith("person171 "))
    assert far not in {node["id"] for node in found["nodes"]}
    opened = nodes(drawn(trace, far))
    assert {name.partition(" ")[0] for name in opened} >= {"person170", "person171", "person172"}
    assert len(json.dumps(found)) < 4_000_000


def test_a_large_net_is_drawn_before_there_is_a_relation_in_it() -> None:
    document, plan, question = crowded(200, 8)
    trace = read(document, replace(plan, relations=lambda call: []).model(), question=question, segment_tokens=320)
    begun = next(step.start for step in trace.steps if step.phase != BUILD)
    found = drawn(Trace(trace.document, trace.events[:begun]))
    assert len(found["names"]) == 200
    assert len([node for node in found["nodes"] if node["kind"] == "entity"]) == qrmem.MOST
