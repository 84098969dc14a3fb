"""What the run file and the pages show of a reading by QRMeM, from its events alone.

Segments are numbered from 1; entities and relations have the number of the text written for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from readers.engine.prompts.formats.json_lists import strings
from readers.engine.record.events import Chose, Cut, Event, Looked, StepBegan, StepEnded, Wrote
from readers.engine.record.provisional import Answers
from readers.engine.record.trace import Step, Trace
from readers.engine.text import refs
from readers.engine.text.document import Text
from readers.qrmem.narrative import WALK, is_graph_step
from readers.qrmem.prompts import ENTITIES, SEGMENT_SUMMARY


def view(trace: Trace) -> dict[str, Any]:
    """The graph and the walk over it."""
    segments = _segments(trace)
    number = {ref: segment["id"] for ref, segment in segments.items()}
    return {
        "segments": list(segments.values()),
        "entities": [_entity(trace, event, number) for event in trace.decisions("place")],
        "relations": [_relation(trace, event, number) for event in trace.decisions("link")],
        "questions": list(_questions(trace)),
        "walk": list(_walk(trace, number)),
    }


def provisional(answers: Answers) -> Iterator[Event]:
    """The summaries of the segments, then the names that the model found in each, a step a segment, until the first segment is
    recorded with its relations. Not here: names found by rules, which come with them."""
    yield from answers.written({SEGMENT_SUMMARY.id}, "summary")
    trace, document = answers.trace, answers.trace.document
    if trace.decisions("find", "relate"):
        return
    number = {segment["start"]: segment["id"] for segment in _segments(trace).values()}
    for answer in answers.to({ENTITIES.id}):
        segment = Text.join("", [document.at(span) for span in answer.spans(document, "segment")])
        there = segment.text.casefold()
        names = [name.text for name in strings(Text(answer.value("entities"))) if name.text.casefold() in there]
        if names and segment.spans[0].start in number:
            yield StepBegan(f"segment {number[segment.spans[0].start]}")
            yield Looked(segment.pieces)
            yield Chose("find", f"{len(names)} name{'s' * (len(names) > 1)}", tuple(dict.fromkeys(names)), "model")
            yield StepEnded()


def names(trace: Trace) -> dict[str, str]:
    """The names of segments and written texts, by their refs: `segment 3`, an entity's name, `Campion – Mr Hale`."""
    segments = _segments(trace)
    called = {ref: f"segment {segment['id']}" for ref, segment in segments.items()}
    summaries = 0
    for wrote in trace.wrote.values():
        ref = refs.wrote(wrote.n)
        if wrote.role == "entity":
            called[ref] = _name(wrote)
        elif wrote.role == "query":
            called[ref] = "the longer question"
        elif wrote.role == "summary":
            summaries += 1
            called[ref] = f"summary of segment {summaries}"
    if summaries > len(segments):
        called |= {refs.wrote(n): f"summary {n + 1}" for n in range(len(segments), summaries)}
    if summaries:
        whole = summaries if summaries > len(segments) > 0 or len(segments) == 1 else 0
        called |= {refs.wrote(whole - 1): "summary of the text"} if whole else {}
    called |= _called_relations(trace)
    return called


def _called_relations(trace: Trace) -> dict[str, str]:
    """Relations by their ends; an intermediate one, which is not in the graph, by what it was made of."""
    called: dict[str, str] = {}
    for event in trace.decisions("relate"):
        called[event.picked] = " – ".join(event.among)
    entities = {refs.wrote(n): _name(wrote) for n, wrote in trace.wrote.items() if wrote.role == "entity"}
    for event in trace.decisions("link"):
        called[event.picked] = " – ".join(entities.get(ref, ref) for ref in event.among[:2])
    for n, wrote in trace.wrote.items():
        if wrote.role == "relation" and refs.wrote(n) not in called:
            made_of = [refs.wrote(parent) for parent in trace.parent_texts(wrote.pieces)]
            called[refs.wrote(n)] = next((called[ref] for ref in made_of if " – " in called.get(ref, "")), "a relation")
    return called


def _segments(trace: Trace) -> dict[str, dict[str, int]]:
    """The segments by their ref, in order."""
    cut = next((event.spans for event in trace.events if isinstance(event, Cut)), ())
    return {
        refs.place(start, end): {"id": number, "start": start, "end": end} for number, (start, end) in enumerate(cut, 1)
    }  # fmt: skip


def _name(wrote: Wrote) -> str:
    return wrote.text.partition("\n")[0]


def _entity(trace: Trace, event: Chose, number: dict[str, int]) -> dict[str, Any]:
    wrote = trace.wrote[int(refs.node_id(event.picked))]
    return {
        "id": refs.node_id(event.picked),
        "name": _name(wrote),
        "mentions": list(dict.fromkeys(wrote.text.split("\n"))),
        "segments": [number[ref] for ref in event.among],
        "source": event.because,
    }


def _relation(trace: Trace, event: Chose, number: dict[str, int]) -> dict[str, Any]:
    a, b, *segments = event.among
    text = trace.wrote[int(refs.node_id(event.picked))].text
    return {
        "id": refs.node_id(event.picked),
        "a": refs.node_id(a),
        "b": refs.node_id(b),
        "text": text,
        "segments": [number[ref] for ref in segments],
    }


def _questions(trace: Trace) -> Iterator[dict[str, Any]]:
    for step in trace.steps:
        for event in trace.events[step.start : step.end]:
            if isinstance(event, Chose) and event.action in ("keep", "drop_question"):
                segment = int(step.names[-1].removeprefix("segment "))
                kept = event.action == "keep"
                yield {"text": event.picked, "segment": segment, "kept": kept, "rouge_l": float(event.because)}


def _walk(trace: Trace, number: dict[str, int]) -> Iterator[dict[str, Any]]:
    """One row for each trial, or for each hop and the retrieval after the hops. `in_view` has the segments shown at a trial, or
    in
    view at the end of a hop."""
    in_view: dict[int, None] = {}
    rows = 0
    for step in (step for step in trace.steps if step.phase == WALK):
        kind = step.names[-1].partition(" ")[0]
        row = _row(trace, step, number)
        moves = row.pop("moves")
        before = row.pop("before")
        for number_of_moves, moved in enumerate([*moves, 0]):
            if kind == "trial" and number_of_moves == before:
                row["in_view"] = sorted(in_view)
            if moved > 0:
                in_view[moved] = None
            else:
                in_view.pop(-moved, None)
        if kind in ("trial", "hop", "retrieve"):
            rows += 1
            yield {"trial": rows, **row, "in_view": row.get("in_view", sorted(in_view))}


def _row(trace: Trace, step: Step, number: dict[str, int]) -> dict[str, Any]:
    """The decisions of a step. `candidates` have the score that they were given last; `chosen` is the relation that was followed
    last in a trial, and the best one of a hop. `moves` are the segments that came into view (positive) and left it (negative), in
    order; `before` is how many of these moves precede the model's verdict."""
    row: dict[str, Any] = {"answerable": None, "reason": "", "candidates": [], "chosen": None, "added": [], "filtered": []}
    candidates: dict[str, dict[str, Any]] = {}
    is_trial = step.names[-1].startswith("trial ")
    moves: list[int] = []
    before = 0
    for event in trace.events[step.start : step.end]:
        if not isinstance(event, Chose):
            continue
        if event.action in ("commit", "decline") or (event.action, event.picked) == ("fallback", "decline"):
            row |= {"answerable": event.action == "commit", "reason": event.because}
            before = len(moves)
        elif event.action == "consider":
            relation, entity = refs.node_id(event.picked), refs.node_id(event.among[0])
            candidate = {"relation": relation, "entity": entity, "score": float(event.because), "followed": False}
            candidates[relation] = candidates.get(relation, candidate) | {"score": float(event.because)}
        elif event.action == "expand":
            if row["chosen"] is None or is_trial:
                row["chosen"] = {"relation": refs.node_id(event.picked), "entity": refs.node_id(event.among[0])}
            candidates[refs.node_id(event.picked)]["followed"] = True
        elif event.action in ("add", "filter"):
            segment = number[event.picked]
            row["added" if event.action == "add" else "filtered"].append(segment)
            moves.append(segment if event.action == "add" else -segment)
    return {**row, "candidates": list(candidates.values()), "moves": moves, "before": before}


def measures(trace: Trace) -> dict[str, int]:
    """How often the model was asked whether it can answer; how much was weighed, brought into view and taken out; and how many of
    the model's own questions were kept."""
    steps = [step for step in trace.steps if is_graph_step(step.names)]
    if not steps:
        return {}
    counts = {"edges_considered": "consider", "segments_added": "add", "segments_filtered": "filter"}
    counts |= {"questions_kept": "keep", "questions_dropped": "drop_question"}
    trials = sum(step.names[-1].startswith("trial ") for step in steps)
    return {"trials": trials, **{name: len(trace.decisions(action)) for name, action in counts.items()}}
