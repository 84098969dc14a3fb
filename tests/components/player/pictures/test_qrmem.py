"""QRMeM's picture: what is where at each step, the walk over it, what was weighed, and every mention of an entity."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import networkx as nx
import pytest

from components.player.pictures import picture, qrmem, qrmem_segments, qrmem_walk
from components.player.pictures.qrmem_steps import HEADS
from readers.engine.record.trace import BUILD, Trace
from readers.engine.text import refs
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


def test_segments_that_came_into_view_and_went_are_told_apart(trace: Trace) -> None:
    found = drawn(trace)
    first, *_ = steps(trace, "trial")
    chips = group(found, first, HEADS["view"])["chips"]
    assert [(chip["name"], chip["state"]) for chip in chips] == [("segment 1", "kept"), ("segment 2", "added")]
    tight = read(text(*CHAIN), Plan(verdicts=list(TWO_HOPS)).model(), window_tokens=62)
    states = {chip["state"] for panel in drawn(tight)["panels"].values() for each in panel for chip in each.get("chips", ())}
    assert {"added", "filtered", "kept"} <= states


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


def boxes(found: dict[str, Any]) -> list[tuple[float, float, float, float]]:
    """Every box that has a place on the walk: left, top, right, bottom."""
    high = {"stub": 12.0}
    drawn = [(*node["walk"], node["width"] / 2, high.get(node["kind"], 20.0)) for node in found["nodes"] if "walk" in node]
    return [(x - wide, y - tall, x + wide, y + tall) for x, y, wide, tall in drawn]


LONG = [f"number {n} of the long chain" for n in range(14)]


def long_walk(strategy: str) -> Trace:
    """A walk of many steps: a chain of entities with long names, each in a segment with the next."""
    said = {pair: f"{pair[0]} leads to {pair[1]}." for pair in pairwise(["ada quill", *LONG])}
    there = text(
        *(f"{a} leads to {b}, as everybody knows who has ever been there and has looked at it closely." for a, b in said)
    )
    verdicts = ["no: what comes after is missing"] * 12 + ["yes: it"]
    plan = Plan(said=said, verdicts=verdicts, revise=[[name] for name in LONG])
    return read(there, plan.model(), strategy=strategy, max_trials=13, max_hops=4, min_similarity=0.0)


@pytest.mark.parametrize("strategy", ["navigation", "expansion", "trial"])
def test_the_walk_fits_a_panel_from_its_beginning_and_no_box_lies_over_another(strategy: str) -> None:
    found = drawn(long_walk(strategy))
    walked = [node for node in found["nodes"] if "walk" in node and node["kind"] != "stub"]
    assert len(walked) > 4
    all_of_them = boxes(found)
    for one, other in combinations(all_of_them, 2):
        assert one[0] >= other[2] or other[0] >= one[2] or one[1] >= other[3] or other[1] >= one[3]
    wide = max(box[2] for box in all_of_them) - min(box[0] for box in all_of_them)
    assert wide <= qrmem_walk.CELLS * qrmem_walk.CELL + 60


def test_each_strategy_has_a_form_of_its_own() -> None:
    captions = {strategy: drawn(long_walk(strategy))["walk_caption"] for strategy in qrmem_walk.CAPTIONS}
    assert captions == qrmem_walk.CAPTIONS
    path = [node["walk"] for node in drawn(long_walk("navigation"))["nodes"] if "walk" in node and node["kind"] == "node"]
    assert len({y for _, y in path}) > 2  # it turns, and leans
    hops = drawn(long_walk("expansion"))
    assert [head["text"] for head in hops["heads"]][:2] == ["the question’s own", "hop 1"]
    assert not [edge for edge in drawn(long_walk("trial"))["edges"] if edge["kind"] == "walk"]


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
    assert qrmem_walk.short_words(said, ["ada quill", "Quill", "swallow"]) == short


def test_the_text_goes_to_the_segment_just_added_and_then_stays_there(trace: Trace) -> None:
    found = drawn(trace)
    for at in steps(trace, "trial"):
        added = [chip for chip in group(found, at, HEADS["view"])["chips"] if chip["state"] == "added"]
        aim = found["aims"].get(str(at))
        if added:
            assert aim == {"span": added[0]["span"], "name": added[0]["name"], "fresh": True}
    first, second, third = steps(trace, "trial")
    assert found["aims"][str(third)] == {**found["aims"][str(second)], "fresh": False}
    assert found["aims"][str(first)]["span"] != found["aims"][str(second)]["span"]


def test_once_the_walk_begins_only_what_it_weighs_and_reaches_is_drawn(trace: Trace) -> None:
    found = drawn(trace)
    for node in found["nodes"]:
        if node["kind"] != "stub" and "walk" not in node:
            assert state(node, found["walks_from"]) == "hidden"


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
    assert found["walk_caption"] == "The names it looked for, trial by trial"
    assert [head["text"] for head in found["heads"]] == ["the question’s own", "named in trial 1", "named in trial 2"]
    assert [head["from"] for head in found["heads"]] == [None, first, second]


def test_a_name_broken_over_two_lines_is_a_mention() -> None:
    plan = Plan(verdicts=["yes: Ned"], entities=lambda call: ["ada quill", "swallow"])
    trace = read(text(CHAIN[0].replace("ada quill", "ada\nquill"), *CHAIN[1:]), plan.model())
    found = drawn(trace)
    (node_id,) = (node["id"] for node in found["nodes"] if node["name"] == "ada quill")
    assert [trace.document.text[start:end] for start, end in found["cards"][node_id]["spans"]] == ["ada\nquill"]


def test_names_made_one_are_one_node_and_no_relation_of_it_with_itself() -> None:
    said = {("ada quill", "swallow"): "she kept it", ("ada quill", "quill"): "they are the same"}
    plan = Plan(said=said, verdicts=["yes: Ned"], same=lambda call: [{"a": "ada quill", "b": "quill"}])
    found = drawn(read(text(*CHAIN), plan.model()))
    assert sorted(node["name"] for node in found["nodes"] if node["kind"] == "node") == ["ada quill", "swallow"]
    assert all(edge["from"] != edge["to"] for edge in found["edges"])


def test_a_text_without_names_has_no_net_but_its_walk_is_told() -> None:
    trace = read(text(*CHAIN), Plan(said={}, start=[], verdicts=["yes: Ned"]).model())
    found = drawn(trace)
    assert all(node["name"].startswith("segment ") for node in found["nodes"])
    assert [head["text"] for head in found["heads"]] == ["start", "similar"]


def test_while_names_are_not_settled_a_press_shows_where_they_stand(trace: Trace) -> None:
    written = next(n for n, event in enumerate(trace.events) if event.kind == "wrote" and event.role == "entity")
    found = nodes(drawn(Trace(trace.document, trace.events[:written])))
    start, end = found["ned farrow"]["span"]
    assert trace.document.text[start:end] == "ned farrow"


@pytest.mark.parametrize("count", [200, pytest.param(5_000, marks=pytest.mark.scale)])
def test_a_large_net_is_drawn_around_the_walk_and_the_rest_is_counted_and_found(count: int) -> None:
    document, plan, question = crowded(count, count // 25)
    trace = read(document, plan.model(), question=question, segment_tokens=320)
    found = drawn(trace)
    assert len(found["names"]) == count
    boxes = [node for node in found["nodes"] if node["kind"] != "stub"]
    assert len(boxes) <= qrmem.MOST
    begun = next(step.number for step in trace.steps if step.phase != BUILD)
    counts = [int(words.partition(" ")[0].replace(",", "")) for _, words in found["notes"]]
    assert counts[0] < counts[-1] == count
    assert found["notes"][0][1].endswith("found so far")
    assert str(count) not in found["note"].replace(",", "")
    seen = [node for node in boxes if state(node, begun) not in (None, "hidden")]
    assert 0 < len(seen) < 40
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
    assert len(found["nodes"]) == qrmem.MOST


def test_a_walk_without_an_entity_of_the_question_shows_the_segments_that_came_and_went() -> None:
    plan = Plan(start=[], verdicts=["no: it is missing", "no: it is missing", "yes: rain"])
    trace = read(text(*CHAIN), plan.model(), question="What is the weather like?", top_k=1, fill_window=False, window_tokens=40)
    found = drawn(trace)
    (start,), trials = steps(trace, "start"), steps(trace, "trial")
    assert (found["walks_from"], found["walk_caption"]) == (start, qrmem_segments.CAPTION)
    assert found["hint"] == "no entity to walk from: it took similar segments"
    segments = [node for node in found["nodes"] if node["name"].startswith("segment ")]
    came = [node["changes"][0][0] for node in segments]
    assert came == [start, *trials[:-1]]
    assert [state(segments[0], at) for at in (start - 1, start, *trials)] == [None, "added", "left", "left", "left"]
    assert [state(segments[1], at) for at in (start, *trials)] == [None, "added", "left", "left"]
    assert state(segments[-1], trials[-1]) == "shown"
    assert [found["here"][at] for at in (start, trials[0])] == [node["id"] for node in segments[:2]]
    assert [node["span"] for node in segments[:2]] == [found["aims"][str(at)]["span"] for at in (start, trials[0])]
    assert [head["text"] for head in found["heads"][:4]] == ["start", "similar", "trial 1", "similar"]
    assert not any(str(at) in found["panels"] for at in trials)
    assert all(state(node, start) == "hidden" for node in found["nodes"] if node not in segments)


def test_many_trials_with_segments_stand_apart_in_rows_that_fit_a_panel() -> None:
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    changes = [
        qrmem_segments.SegmentChange(step, f"trial {step}", refs.place(n, n + 1), "added", "similar")
        for step in range(20)
        for n in range(3)
    ]
    qrmem_segments.add_to(graph, changes, {}, [None] * 20)
    places = [graph.nodes[node_id]["walk"] for node_id in graph]
    assert len(places) == 60
    assert all(abs(a[0] - b[0]) >= qrmem_segments.LEAST + 20 or abs(a[1] - b[1]) >= 44 for a, b in combinations(places, 2))
    assert max(x for x, _ in places) < 460
