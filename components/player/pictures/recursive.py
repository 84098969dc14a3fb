"""The picture of a recursive reading: the tree of its slices, left to right in the order of the text, with the questions that
went down it and the answers that came back. Pure.

Each slice has states by step: `offered` (it was split off), `asked` (a question goes to it), `visited` (its reader is at work),
`answered`, `back` (nothing came back from it), `answer` (the answer to the whole). Questions are numbered in their order. What a
step found or asked about is marked at it, and a choice that was refused at its slice. It is made from the reader's state, as
its `view` is, so it shows what the run file has.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

from components.player import graph_layout
from components.player.shared_words import most_telling
from readers.engine import on_first_use
from readers.engine.questions.no_answer_given import none_given
from readers.engine.record.events import Answered, Asked, Chose, Looked
from readers.engine.record.trace import Step, Trace
from readers.engine.text import refs
from readers.engine.text.phrases import counted, listed
from readers.engine.text.words import words
from readers.recursive.narrative import LEAF
from readers.recursive.slices import WHOLE
from readers.recursive.state import RecursiveState, Row

if TYPE_CHECKING:
    import networkx as nx
else:
    nx = on_first_use.module("networkx")

ROW_WIDTH, NARROW, WIDE = 660, 34, 130  # of a row of slices; of one slice at least and at most
MEANINGS = {
    "asked": "asked about, not begun",
    "visited": "its reader is at work",
    "answered": "an answer came back",
    "back": "no answer came back",
    "offered": "split off, not asked",
}
UNDER_A_NUMBER = "Under a number, if there is room: words of the question that was asked about it."
Changes = dict[str, list[tuple[int, str]]]


def draw(trace: Trace, opened: Set[str]) -> dict[str, Any] | None:
    """The slices and the questions so far; None before the first step."""
    if not trace.steps:
        return None
    state = RecursiveState.of(trace)
    slices: Mapping[str, Row] = state.slices
    asked = state.asked
    changes = _changes(state, asked)
    tree = _tree(slices, asked, changes)
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(tree)
    for number, row in enumerate(asked, 1):
        graph.add_edge(row["from"], row["to"], kind="down", label=str(number), changes=[(row["step"], "down")])
        if back := _returned(row, trace):
            kind = "up" if row["answer"] is not None else "back"
            graph.add_edge(row["to"], row["from"], kind=kind, label="", changes=[(back[0], kind)])
    return graph_layout.picture(
        graph,
        caption="The slices it asked about",
        hint="numbers: the order of the questions" if asked else "",
        here=[step.names[-1] for step in trace.steps],
        meanings=MEANINGS,
        notes=[(step, UNDER_A_NUMBER) for step in graph_layout.first_words(tree)],
        numbers=graph_layout.stacked(tree),
        names={name: name for name in slices},
        texts={name: "\n".join(row["question"] for row in asked if row["to"] == name) for name in slices},
        parents={name: row["above"] for name, row in slices.items() if row["above"]},
        asked=[_question(number, row, slices, trace) for number, row in enumerate(asked, 1)],
        refused={
            step.number: [{"id": step.names[-1], "words": f"{event.picked} refused", "why": event.because}]
            for step, event in trace.by_step()
            if isinstance(event, Chose) and event.action == "repeat"
        },
        aims={step.number: aim for step in trace.steps if (aim := _aim(trace, step, state))},
    ) | {"kind": "slices"}


def _changes(state: RecursiveState, asked: Sequence[Row]) -> Changes:
    trace, changes = state.trace, defaultdict[str, list[tuple[int, str]]](list)
    changes[WHOLE].append((0, "visited"))
    made = {row["slice"]: row["step"] for row in state.actions if row["action"] == "split"}
    for name, row in state.slices.items():
        if row["above"]:
            changes[name].append((made.get(row["above"], 0), "offered"))
    for row in asked:
        back = _returned(row, trace)
        began = [(row["began"], "visited")] if row["began"] is not None else []
        changes[row["to"]] += [(row["step"], "asked"), *began, *([back] if back else [])]
    for each in changes.values():
        each.sort(key=lambda change: change[0])
    if isinstance(trace.end, Answered) and not none_given("answered", trace.end.text):
        changes[WHOLE].append((len(trace.steps) - 1, "answer"))
    return changes


def _returned(row: Row, trace: Trace) -> tuple[int, str] | None:
    """The step with which a question came back, and how; None for a reader that is at work still, or was not begun."""
    if row["ended"] is None:
        return None
    gone_on = row["ended"] < len(trace.steps) - 1 or (trace.end is None and row["to"] not in trace.open_steps)
    if row["answer"] is not None:
        return row["ended"], "answered"
    return (row["ended"], "back") if gone_on else None


def _aim(trace: Trace, step: Step, state: RecursiveState) -> dict[str, Any] | None:
    """What a step found in its slice, or the slices that it asked about: what a later call is shown of the text."""
    events = trace.of(step)
    below = [row["to"] for row in state.asked if row["step"] == step.number]
    if below:
        slices = (state.slices[name] for name in below)
        return {
            "spans": [[row["start"], row["end"]] for row in slices],
            "words": f"{listed(below)} · asked about here",
            "fresh": True,
        }
    looked = next((event for event in events if isinstance(event, Looked)), None)
    if looked is None or any(isinstance(event, Asked) and event.prompt == LEAF for event in events):
        return None
    peeked = any(isinstance(event, Chose) and event.action == "peek" for event in events)
    words = f"{looked.why} · peeked at here" if peeked else f"{counted(len(looked.spans), 'place')} · found here"
    return {"spans": [[*span] for span in looked.spans], "words": words, "fresh": True}


def _question(number: int, row: Row, slices: Mapping[str, Row], trace: Trace) -> dict[str, Any]:
    """A question for the list below the tree."""
    back = _returned(row, trace)
    return {
        "number": number,
        "id": row["to"],
        "depth": row["to"].count(".") + 1,
        "step": row["step"],
        "began": row["began"],
        "ended": back[0] if back else None,
        "question": row["question"],
        "answer": row["answer"],
        "whole": slices[row["to"]]["read"],
    }


def _tree(slices: Mapping[str, Row], asked: Sequence[Row], changes: Changes) -> nx.DiGraph[str]:
    """The slices with their places: a row for each depth."""
    tree: nx.DiGraph[str] = nx.DiGraph()
    below: dict[int, int] = defaultdict(int)
    for name in slices:
        below[_depth(name)] += 1
    visits: dict[str, list[int]] = defaultdict(list)
    for row in asked:
        visits[row["to"]] += range(row["began"], row["ended"] + 1) if row["began"] is not None else ()
    for name, row in slices.items():
        width = min(WIDE, max(NARROW, ROW_WIDTH / below[_depth(name)] - graph_layout.GAP))
        labels = _labels(name, changes[name][0][0], [one for one in asked if one["to"] == name], width)
        label = labels[-1][1]
        tree.add_node(
            name,
            row=_depth(name),
            kind="node",
            name=name,
            label=label,
            labels=labels,
            width=max(width if below[_depth(name)] > 1 else 0, graph_layout.label_width(labels[0][1])),
            span=(row["start"], row["end"]),
            changes=changes[name],
            visits=visits.get(name, [0]) if name == WHOLE else visits.get(name, []),
            leaf=not any(other["above"] == name for other in slices.values()),
            refs=[refs.place(row["start"], row["end"])],
        )
    for name, row in slices.items():
        if row["above"]:
            born = changes[name][0][0]
            tree.add_edge(row["above"], name, kind="tree", changes=[(born, "tree")])
    graph_layout.lay_out_tree(tree, WHOLE)
    return tree


def _depth(name: str) -> int:
    return 0 if name == WHOLE else name.count(".") + 1


def _labels(name: str, born: int, asked: Sequence[Row], width: float) -> list[tuple[int, str]]:
    """A slice's number and, once it was asked and as far as there is room, telling words of the first question that was its own.
    By the step from which on each label holds."""
    number = name.removeprefix("part ")
    own = next((row for row in asked if row["question"]), None)
    telling = most_telling(words(own["question"]), others=(), room=graph_layout.letters(width)) if own else ""
    return [(born, number), *([(own["step"], f"{number}\n{telling}")] if own and telling else [])]
