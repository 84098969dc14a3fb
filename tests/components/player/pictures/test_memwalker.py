"""MemWalker's picture: what is where, what it says at each step, what is folded."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from components.player.pictures import memwalker, picture
from readers.engine.record.trace import Trace
from tests.support.models.scripted_models import BACK, COMMIT
from tests.support.readings.memwalker_walks import READER, walked


def drawn(trace: Trace, *opened: str) -> dict[str, Any]:
    found = picture("memwalker", trace, opened=frozenset(opened))
    assert found is not None
    return json.loads(json.dumps(found))


def nodes(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {node["name"]: node for node in found["nodes"]}


def state(node: dict[str, Any], at: int) -> str | None:
    return next((state for step, state in reversed(node["changes"]) if step <= at), None)


def test_a_choice_that_was_refused_is_marked_at_its_node_and_step() -> None:
    found = drawn(walked([BACK, 0, 1, BACK, 1, 1, 2, COMMIT]))
    ids = {node["name"]: node["id"] for node in found["nodes"]}
    assert found["refused"] == {
        "4": [{"id": ids["the whole text"], "words": "going up refused", "why": "there is nothing above the root"}],
        "7": [{"id": ids["part 1.2"], "words": "refused twice", "why": "it was opened and left again"}],
    }
    assert found["compared"]["7"]["back"] == "offered"


@pytest.fixture(scope="module")
def trace() -> Trace:
    return walked([0, 1, BACK, 2, COMMIT])


def test_leaves_stand_left_to_right_in_the_order_of_the_text_and_levels_below_each_other(trace: Trace) -> None:
    found = nodes(drawn(trace))
    leaves = [found[f"part {a}.{b}"] for a in (1, 2, 3) for b in (1, 2, 3)]
    assert all(a["x"] < b["x"] and a["span"][1] == b["span"][0] for a, b in pairwise(leaves))
    assert found["the whole text"]["y"] < found["part 1"]["y"] < leaves[0]["y"]
    assert len({leaf["y"] for leaf in leaves}) == 1


@pytest.mark.parametrize(("parts", "most"), [(9, 3), (40, 8), (33, 2), (1, 8), (700, 8)])
def test_no_two_nodes_of_a_row_overlap_and_a_parent_stands_over_its_children(parts: int, most: int) -> None:
    trace = walked([0, COMMIT] if parts == 1 else [0] * 12 + [COMMIT], parts=parts, most=most)
    found = drawn(trace)
    by_id = {node["id"]: node for node in found["nodes"]}
    rows: dict[float, list[dict[str, Any]]] = {}
    for node in found["nodes"]:
        rows.setdefault(node["y"], []).append(node)
    for row in rows.values():
        row.sort(key=lambda node: node["x"])
        assert all(a["x"] + a["width"] / 2 <= b["x"] - b["width"] / 2 for a, b in pairwise(row))
    below: dict[str, list[float]] = {}
    for edge in found["edges"]:
        if edge["kind"] == "tree":
            below.setdefault(edge["from"], []).append(by_id[edge["to"]]["x"])
    assert all(min(xs) - 1 <= by_id[node_id]["x"] <= max(xs) + 1 for node_id, xs in below.items())


@pytest.mark.parametrize(("parts", "most"), [(9, 3), (40, 8), (30, 2)])
def test_where_a_walk_goes_and_how_often_changes_no_place_and_no_size_of_a_box(parts: int, most: int) -> None:
    def boxes(actions: list[int | str]) -> dict[str, tuple[float, float, float]]:
        found = drawn(walked(actions, parts=parts, most=most))
        return {node["name"]: (node["x"], node["y"], node["width"]) for node in found["nodes"]}

    short = boxes([0] * 12 + [COMMIT])
    assert boxes([1, 0, *[0] * 4, BACK, BACK, 1, *[0] * 4, BACK, 1, 1, COMMIT]) == short
    assert len(short) <= memwalker.MOST


def test_states_tell_what_the_walk_did(trace: Trace) -> None:
    found = nodes(drawn(trace))
    walk = [step.number for step in trace.steps if step.phase == "walk"]
    root, first, reverted, again, end = walk
    assert state(found["part 2"], root) == "offered"
    assert state(found["part 2.1"], end) == "unseen"
    assert state(found["part 1.2"], first) == "visited"
    assert state(found["part 1.2"], reverted) == "back"
    assert state(found["part 1.1"], end) == "offered"
    assert state(found["part 1.3"], again) == "visited"
    assert state(found["part 1.3"], end) == "answer"
    assert state(found["part 1"], 0) is None


def test_no_part_is_called_not_opened_before_the_walk(trace: Trace) -> None:
    found = drawn(trace)
    root = next(step.number for step in trace.steps if step.phase == "walk")
    assert found["since"]["unseen"] == root
    assert {state(node, root - 1) for node in found["nodes"]} <= {None, memwalker.BUILT}


def test_the_walk_is_numbered_and_reverts_lead_back_up(trace: Trace) -> None:
    found = drawn(trace)
    names = {node["id"]: node["name"] for node in found["nodes"]}
    moves = [
        (edge["label"], edge["kind"], names[edge["from"]], names[edge["to"]]) for edge in found["edges"] if edge["kind"] != "tree"
    ]
    assert sorted(moves) == [
        ("1", "down", "the whole text", "part 1"),
        ("2", "down", "part 1", "part 1.2"),
        ("3", "back", "part 1.2", "part 1"),
        ("4", "down", "part 1", "part 1.3"),
    ]


def test_the_present_node_is_the_one_the_run_file_names(trace: Trace) -> None:
    found = drawn(trace)
    told = READER.view(trace)["walk"]
    assert {row["step"]: row["node"] for row in told} == {
        step: node_id for step, node_id in enumerate(found["here"]) if node_id is not None
    }


def test_working_memory_is_told_by_names(trace: Trace) -> None:
    found = drawn(trace)
    assert found["carried"][str(len(trace.steps) - 1)] == ["the whole text", "part 1"]


def test_a_large_tree_folds_what_is_off_the_path_into_counted_stubs_that_open() -> None:
    trace = walked([0, 1, 1, BACK, 2, COMMIT], parts=400, most=8)
    found = drawn(trace)
    every = READER.view(trace)["nodes"]
    assert len(found["nodes"]) <= memwalker.MOST < len(every)
    stubs = [node for node in found["nodes"] if node["kind"] == "stub"]
    shown = [node for node in found["nodes"] if node["kind"] == "node"]
    assert len(shown) + sum(int(stub["label"].removeprefix("+")) for stub in stubs) == len(every)
    assert all(node["visits"] or state(node, 10**6) for node in shown)
    stub = next(stub for stub in stubs if "-" not in stub["id"])
    above = stub["id"].removesuffix("+")
    wider = drawn(trace, above)
    children = next(node["children"] for node in every if node["id"] == above)
    assert set(children) <= {node["id"] for node in wider["nodes"]}
    assert set(found["texts"]) == {node["id"] for node in every}


def test_a_row_of_more_than_can_be_drawn_is_folded_into_runs() -> None:
    trace = walked([1, 7, COMMIT], parts=1_200, most=400)
    found = drawn(trace)
    assert len(found["nodes"]) <= memwalker.MOST
    every = READER.view(trace)["nodes"]
    hidden = sum(int(node["label"].removeprefix("+")) for node in found["nodes"] if node["kind"] == "stub")
    assert hidden + sum(node["kind"] == "node" for node in found["nodes"]) == len(every)
    run = next(node["id"] for node in found["nodes"] if "-" in node["id"])
    first = run.partition("-")[0]
    opened = drawn(trace, run)
    assert first in {node["id"] for node in opened["nodes"]}


def test_while_it_is_built_the_tree_is_drawn_as_far_as_it_is() -> None:
    whole = walked([0, 0, COMMIT])
    counts = []
    for until in range(len(whole.events)):
        found = picture("memwalker", Trace(whole.document, whole.events[:until]))
        counts.append(len(found["nodes"]) if found else 0)
    assert counts == sorted(counts)
    assert counts[0] == 0
    assert counts[-1] == 13


def test_labels_are_data_and_never_markup() -> None:
    found = drawn(walked([0, 0, COMMIT]))
    assert not {"color", "font", "size", "title"} & {key for node in found["nodes"] for key in node}


def test_a_walk_that_ends_on_its_way_down_is_drawn_to_its_last_move() -> None:
    trace = walked([0, 1], parts=400, most=8, max_steps=2)
    found = drawn(trace)
    last = [edge for edge in found["edges"] if edge["kind"] != "tree"][-1]
    assert {last["from"], last["to"]} <= {node["id"] for node in found["nodes"]}
