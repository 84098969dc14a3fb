"""What the run file and the pages show of a reading by MemWalker, from its events alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from readers.engine.record.events import Asked, Chose, Cut, Ended, StepEnded, Wrote
from readers.engine.record.trace import BUILD, Trace
from readers.engine.text import refs, tokens
from readers.engine.text.document import DOCUMENT, Piece, Span
from readers.memwalker.cutting import grouped
from readers.memwalker.tree import FIRST_LEVEL


def view(trace: Trace) -> dict[str, Any]:
    """The tree and the walk: `nodes` by the number of their summary, and every decision at a node.

    Which nodes are below which follows from the number of summaries on each level, or from the spans that a level records, not
    from provenance, so that a summary edited by a person keeps its children. A leaf beside larger parts is on their level.
    """
    nodes: list[dict[str, Any]] = []
    cut = next((event for event in trace.events if isinstance(event, Cut)), Cut(()))
    below: list[dict[str, Any]] = [{"start": start, "end": end} for start, end in cut.spans]
    for number, level in enumerate(_levels(trace)):
        parts = _inside(below, level.spans) if level.spans else _grouped(below, len(level.wrote), leaves=not number)
        made = [
            {
                "id": str(summary.n),
                "level": number,
                "children": [child["id"] for child in part] if number else [],
                "start": part[0]["start"],
                "end": part[-1]["end"],
                "summary": summary.text,
            }
            for summary, part in zip(level.wrote, parts, strict=False)
        ]
        nodes += made
        below = _highest_of(below, made) if level.spans else made
    if any(level.spans for level in _levels(trace)) and len(below) == 1:
        _number_from_above(nodes)
    return {"nodes": nodes, "walk": list(_walk(trace, nodes))}


class _Level(NamedTuple):
    """The summaries of one level, and the spans they stand for where the level records them."""

    wrote: list[Wrote]
    spans: tuple[Span, ...]


def _grouped(below: list[dict[str, Any]], count: int, *, leaves: bool) -> Iterable[Sequence[dict[str, Any]]]:
    return ([segment] for segment in below) if leaves else grouped(below, count)


def _inside(below: Sequence[dict[str, Any]], spans: Iterable[Span]) -> list[list[dict[str, Any]]]:
    """The highest nodes so far that are in each span."""
    return [[node for node in below if start <= node["start"] and node["end"] <= end] for start, end in spans]


def _highest_of(below: Sequence[dict[str, Any]], made: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The nodes without one above them, in the order of the text."""
    have = {child for node in made for child in node["children"]}
    return sorted([*(node for node in below if node["id"] not in have), *made], key=lambda node: int(node["start"]))


def _number_from_above(nodes: list[dict[str, Any]]) -> None:
    """Set the level of each node by how far it is below the root, which is the last."""
    by_id = {node["id"]: node for node in nodes}
    todo = [nodes[-1]] if nodes else []
    while todo:
        node = todo.pop()
        for child in node["children"]:
            by_id[child]["level"] = node["level"] - 1
            todo.append(by_id[child])


def _levels(trace: Trace) -> Iterator[_Level]:
    """The levels from the leaves up. A level above the leaves counts only when it is complete."""
    for step in trace.steps:
        happened = trace.events[step.start : step.end]
        wrote = [event for event in happened if isinstance(event, Wrote) and event.role == "summary"]
        whole = any(isinstance(event, StepEnded) for event in happened)
        if wrote and step.phase == BUILD and (whole or step.names[-1] == FIRST_LEVEL):
            yield _Level(wrote, next((event.spans for event in happened if isinstance(event, Cut)), ()))


def _walk(trace: Trace, nodes: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every decision at a node, with where it led."""
    path = [nodes[-1]["id"]] if nodes else [""]
    for step in trace.steps:
        if step.phase != "walk":
            continue
        for event in trace.events[step.start : step.end]:
            if not isinstance(event, Chose):
                continue
            at = {"step": step.number, "node": path[-1]}
            if event.action == "enter":
                path.append(refs.node_id(event.picked))
            elif event.action == "revert":
                path.pop()
            refused = event.action == "refuse"
            to = refs.node_id(event.picked) if refused else path[-1]
            yield {**at, "action": "refused" if refused else event.action, "to": to, "reasoning": event.because}
    if isinstance(trace.end, Ended):
        yield {"step": len(trace.steps) - 1, "node": path[-1], "action": "stop", "to": path[-1], "reasoning": trace.end.reason}


def names(trace: Trace) -> dict[str, str]:
    """The names of nodes: `the whole text`, `part 2`, `part 2.1` ..., by the ref of the summary; for a leaf also by its
    segment's. While the tree is built, what stands for the whole text is not written yet, and the highest nodes are the parts."""
    nodes = {node["id"]: node for node in view(trace)["nodes"]}
    todo = _highest(trace, nodes)
    called: dict[str, str] = {}
    while todo:
        node_id, name, below = todo.pop()
        node = nodes[node_id]
        called[refs.wrote(node_id)] = name
        if not node["children"]:
            called[refs.place(node["start"], node["end"])] = name
        todo.extend((child, f"{below}{number}", f"{below}{number}.") for number, child in enumerate(node["children"], 1))
    return called


def _highest(trace: Trace, nodes: dict[str, dict[str, Any]]) -> list[tuple[str, str, str]]:
    """The nodes below no other one: id, name, and how the names below it begin."""
    below = {child for node in nodes.values() for child in node["children"]}
    highest = [node for node in nodes.values() if node["id"] not in below]
    spans = next((event.spans for event in trace.events if isinstance(event, Cut)), ())
    if len(highest) == 1 and highest[0]["end"] == spans[-1].end:
        return [(highest[0]["id"], "the whole text", "part ")]
    return [(node["id"], f"part {number}", f"part {number}.") for number, node in enumerate(highest, 1)]


def measures(trace: Trace) -> dict[str, int | float | bool | None]:
    """How often it went back up, whether it strayed at all, and the tokens of summaries and segments in the walk's prompts, as a
    share of the text's (section 5, figure 4). A text that stood in two prompts counts twice, so the share can be over 1."""
    if not trace.decisions("enter"):
        return {}
    reverts = len(trace.decisions("revert"))
    walk = [event for event in trace.events[trace.built_until :] if isinstance(event, Asked)]
    processed = sum(_tokens(trace, piece) for event in walk for _, texts in event.parts for text in texts for piece in text)
    return {"reverts": reverts, "stray": reverts > 0, "processed_fraction": processed / max(1, trace.document.tokens)}


def _tokens(trace: Trace, piece: Piece) -> int:
    """The tokens of a piece of the document or of a summary; 0 for the question and other words."""
    number = refs.written(piece.origin)
    source = trace.document.text if piece.origin == DOCUMENT else trace.wrote[number].text if number is not None else ""
    return tokens.count(source[piece.begin : piece.stop])
