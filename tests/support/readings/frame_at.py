"""The player's frame of one step, put together from its data as the browser puts it together: what is shown, without what comes
later. For tests that no frame says what only a later step knows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from components.html.words import wording
from components.player import frames
from components.player.pictures import kind, picture
from readers import get
from readers.engine.record.events import StepBegan
from readers.engine.record.trace import Trace
from readers.engine.store import Run

Data = Mapping[str, Any]


def made(trace: Trace, run: Run) -> dict[str, Any]:
    """The player's data of a trace, as the browser has it."""
    reader = get(run.reader)
    drawn = picture(run.reader, trace, options=run.spec.get("options"), question=run.question)
    told = wording.lines(trace, reader)
    shown = frames.ShownReading("r", trace, reader.narrative, reader.names(trace), told, drawn, kind(run.reader))
    found: dict[str, Any] = json.loads(json.dumps(frames.moving(shown)))
    return found


def until(trace: Trace, step: int) -> Trace:
    """The trace of a journal that ends with a step, before the next one begins."""
    end = trace.steps[step].end
    while end < len(trace.events) and isinstance(trace.events[end - 1], StepBegan):
        end -= 1
    return replace(trace, events=trace.events[:end])


def frame_at(data: Data, step: int) -> dict[str, Any]:
    """What is shown at a step."""
    drawn = data["picture"]
    return {
        "step": data["steps"][step],
        "map": [(start, end, state) for start, end, changes in data["cells"] if (state := last(changes, step))],
        "picture": PICTURES[drawn["kind"]](drawn, step) if drawn else None,
    }


def last(changes: Sequence[Any], step: int) -> Any:
    """The last change at or before a step."""
    return next((state for at, state in reversed(changes) if at <= step), None)


def joined(cells: Sequence[tuple[int, int, Any]]) -> list[tuple[int, int, Any]]:
    """Stretches of a map, with neighbours of one state as one."""
    found: list[tuple[int, int, Any]] = []
    for start, end, state in cells:
        if found and found[-1][1] == start and found[-1][2] == state:
            found[-1] = (found[-1][0], end, state)
        else:
            found.append((start, end, state))
    return found


def _graph(drawn: Data, step: int) -> dict[str, Any]:
    """A tree or a net. Where a node stands and what number it has in the finished tree hold at all steps: they are no news."""
    nodes = {
        node["id"]: (state, node["span"], [visit for visit in node["visits"] if visit <= step])
        for node in drawn["nodes"]
        if (state := last(node["changes"], step)) not in (None, "hidden")
    }
    edges = sorted(
        (edge["from"], edge["to"], edge["kind"], state, str(edge.get("label", "")).strip())
        for edge in drawn["edges"]
        if (state := last(edge["changes"], step)) and edge["from"] in nodes and edge["to"] in nodes
    )
    by_step = {name: drawn[name].get(str(step)) for name in ("compared", "carried", "refused", "aims") if name in drawn}
    texts = {} if "asked" in drawn else {node_id: words for node_id, words in drawn["texts"].items() if node_id in nodes}
    asked = [one["question"] for one in drawn.get("asked", ()) if one["step"] <= step]
    legend = sorted(state for state, since in drawn["since"].items() if since <= step and state in drawn["meanings"])
    return {
        "nodes": nodes,
        "edges": edges,
        "here": drawn["here"][step],
        "texts": texts,
        "legend": legend,
        "asked": asked,
        "notes": last(drawn.get("notes", ()), step),
        **by_step,
    }


def words_in_labels(drawn: Data, step: int) -> set[str]:
    """The words below the numbers in the boxes of a tree; how many have room is no news."""
    labels = (_label(node, step).partition("\n")[2] for node in drawn["nodes"])
    return {word for words in labels if words for word in words.split(", ")}


def said_in_net(drawn: Data, step: int) -> set[str]:
    """What the cards and the relations of a net say at a step."""
    told = [*drawn["edges"], *(relation for card in drawn["cards"].values() for relation in card["relations"])]
    return {words for one in told for words, _, since, until in one.get("said", ()) if since <= step < (until or step + 1)}


def _label(node: Data, step: int) -> str:
    """What stands in a box; a stub's count is no news either."""
    return str(last(node["labels"], step) or "").strip() if "labels" in node else ""


def _net(drawn: Data, step: int) -> dict[str, Any]:
    """A net. Which of many entities are drawn, and which of them go under one name later, holds at all steps; so the names that
    stand there are compared with those that were found."""
    return {
        "names": {_label(node, step) for node in drawn["nodes"] if last(node["changes"], step) not in (None, "hidden")},
        "found": {node["name"] for node in drawn["nodes"]},
        "count": last(drawn["notes"], step),
        "panels": drawn["panels"].get(str(step)),
        "here": drawn["here"][step],
    }


def _pages(drawn: Data, step: int) -> dict[str, Any]:
    shown = {}
    for page in drawn["pages"]:
        state = last(page["changes"], step)
        if state is not None and state != "hidden":
            shown[page["id"]] = (
                state,
                page["name"],
                page["start"],
                page["end"],
                page["words"],
                page["gist"] if state != "read" else "",
                [v for v in page["visits"] if v <= step],
            )
    return {"pages": shown, "here": drawn["here"][step], "beside": drawn["beside"].get(str(step))}


def _memory(drawn: Data, step: int) -> dict[str, Any]:
    number = drawn["here"][step]
    texts = drawn["texts"]
    rows = [
        [(texts[drawn["lanes"][lane]["v"][version][1]], how, breaks) for lane, version, how, breaks in drawn["memories"][n]]
        for n in range(number + 1)
    ]
    over = [[texts[drawn["lanes"][lane]["v"][version][1]] for lane, version, _ in drawn["over"][n]] for n in range(number + 1)]
    gone = [[(at, into) for at, into in lane["gone"] if at <= number] for lane in drawn["lanes"] if lane["v"][0][0] <= number]
    return {
        "snapshots": drawn["snapshots"][: number + 1],
        "rows": rows,
        "over": over,
        "gone": gone,
        "caption": drawn.get("captions", [])[: number + 1],
        "hops": drawn.get("hops", [])[: number + 1],
    }


def _by_change(drawn: Data, step: int) -> dict[str, Any]:
    """Pieces on an axis: the state of each."""
    return {"parts": [(part["name"], state) for part in drawn["parts"] if (state := last(part["changes"], step)) is not None]}


PICTURES: dict[str, Callable[[Data, int], dict[str, Any]]] = {
    "graph": _graph, "slices": _graph, "net": _net, "pages": _pages, "memory": _memory, "axis": _by_change,
}  # fmt: skip
