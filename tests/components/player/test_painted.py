"""What is painted as shown raw at a step is what the prompts of that step really held, for every reader."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from components.compare.maps import FINEST, condensed
from components.html.words import wording
from components.player import frames
from components.player.focus import Focuses
from readers import get
from readers.engine.analysis import coverage
from readers.engine.analysis.measures import measures
from readers.engine.record.events import Asked
from readers.engine.record.trace import BUILD, SCORE_PROMPT, Step, Trace, merge_spans
from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, Span
from tests.support.readings.every_reading import Way, every_text, every_way, reading
from tests.support.readings.shipped_readings import every_shipped, shipped_reading


def steps_of(trace: Trace, reader_id: str) -> list[dict[str, Any]]:
    reader = get(reader_id)
    shown = frames.ShownReading("r", trace, reader.narrative, reader.names(trace), wording.lines(trace, reader))
    made: list[dict[str, Any]] = frames.moving(shown)["steps"]
    return made


def calls(trace: Trace, step: Step) -> list[Asked]:
    happened = trace.of(step)
    return [event for event in happened if isinstance(event, Asked) and event.prompt != SCORE_PROMPT]


def held(trace: Trace, asked: list[Asked]) -> tuple[Span, ...]:
    """The spans of the document in the prompts of these calls."""
    return merge_spans(span for event in asked for span in trace.spans_shown(event.seq))


def state_at(trace: Trace, cells: list[coverage.CoverageCell], step: int) -> list[int]:
    """What the map shows of each character at a step."""
    states = [coverage.NOT_COVERED] * len(trace.document.text)
    for start, end, changes in cells:
        state = next((state for at, state in reversed(changes) if at <= step), coverage.NOT_COVERED)
        states[start:end] = [state] * (end - start)
    return states


def derives(trace: Trace, asked: list[Asked]) -> tuple[Span, ...]:
    """The spans of the document that the written texts in the prompts of these calls derive from, text by text."""
    todo = [piece for event in asked for _, texts in event.parts for text in texts for piece in text if piece.origin != DOCUMENT]
    spans, seen = [], set()
    while todo:
        piece = todo.pop()
        if piece.origin == DOCUMENT:
            spans.append(Span(piece.begin, piece.stop))
        elif piece.origin not in seen:
            seen.add(piece.origin)
            number, seq = refs.written(piece.origin), refs.replied(piece.origin)
            todo += trace.wrote[number].pieces if number in trace.wrote else ()
            todo += (one for _, texts in trace.asked[seq].parts for text in texts for one in text) if seq in trace.asked else ()
    return merge_spans(spans)


def behind(trace: Trace, asked: list[Asked]) -> tuple[Span, ...]:
    return trace.sources(tuple(piece for event in asked for _, texts in event.parts for text in texts for piece in text))


@every_text
@every_way
def test_what_is_painted_raw_now_is_what_the_prompts_of_the_step_held(way: Way, text: str) -> None:
    """While it builds, too; and a step without a call shows nothing raw."""
    held_at_every_step(reading(way.name, text), way.reader)


@every_text
@every_way
def test_the_map_is_raw_at_a_step_where_a_prompt_held_the_text_at_it_or_before(way: Way, text: str) -> None:
    """Before in the same phase: with the first call after building, the map begins anew."""
    mapped_at_every_step(reading(way.name, text))


@every_shipped
def test_map_and_calls_of_a_shipped_reading_say_the_same(name: str) -> None:
    shipped = shipped_reading(name)
    held_at_every_step(shipped.trace, shipped.run.reader)
    mapped_at_every_step(shipped.trace)


def held_at_every_step(trace: Trace, reader: str) -> None:
    for step, drawn in zip(trace.steps, steps_of(trace, reader), strict=True):
        now = merge_spans(Span(*span) for span in drawn["focus"]) if drawn["raw"] else ()
        assert now == held(trace, calls(trace, step)), f"step {step.number + 1}, {step.names}"
        through = [Span(*span) for span in drawn.get("through", ())]
        derived = derives(trace, calls(trace, step))
        near = len(trace.document.text) // frames.DRAWN_APART
        assert merge_spans([*through, *derived]) == merge_spans(through), f"step {step.number + 1}: it leaves out a place"
        drawn_too = [b.start - a.end for a, b in pairwise(derived) if any(c.start <= a.end and b.start <= c.end for c in through)]
        assert sum(end - start for start, end in through) == sum(end - start for start, end in derived) + sum(drawn_too)
        assert all(gap <= near for gap in drawn_too)


def mapped_at_every_step(trace: Trace) -> None:
    cells = coverage.cells(trace)
    raw: set[int] = set()
    built = False
    for step in trace.steps:
        asked = calls(trace, step)
        if built and asked and step.phase != BUILD:
            raw = set()
        built = step.phase == BUILD or (built and not asked)
        raw |= {place for start, end in held(trace, asked) for place in range(start, end)}
        states = state_at(trace, cells, step.number)
        assert {place for place, state in enumerate(states) if state == coverage.RAW} == raw, f"step {step.number + 1}"
        if step.phase != BUILD:
            assert all(states[place] for start, end in behind(trace, asked) for place in range(start, end))


@every_text
@every_way
def test_the_bar_of_what_was_read_ends_as_the_measures_and_the_prompts_say(way: Way, text: str) -> None:
    """Every call after building counts, what a scorer compared does not: no model reads it."""
    trace = reading(way.name, text)
    asked = [event for step in trace.steps if step.phase != BUILD for event in calls(trace, step)]
    raw, length = held(trace, asked), len(trace.document.text)
    pieces = tuple(piece for event in asked for _, parts in event.parts for one in parts for piece in one)
    shares = [sum(end - start for start, end in spans) / length for spans in (raw, merge_spans([*raw, *trace.sources(pieces)]))]
    found = measures(get(way.reader), trace, [])
    assert [found["read_fraction"], found["coverage_fraction"]] == pytest.approx(shares)
    bar = condensed(coverage.cells(trace), length)
    coarse = 2 * len(bar) / FINEST + 1e-9  # a stretch that is half raw is shown raw
    for least, share in zip((coverage.RAW, coverage.REPRESENTED), shares, strict=True):
        assert sum(end - start for start, end, state in bar if state >= least) == pytest.approx(share, abs=coarse)


@every_way
def test_a_step_says_that_nothing_of_the_text_is_in_view_exactly_where_its_prompts_held_only_what_was_written(way: Way) -> None:
    trace = reading(way.name, "lamp")
    for step, drawn in zip(trace.steps, steps_of(trace, way.reader), strict=True):
        asked = calls(trace, step)
        written = any(
            refs.kind(piece.origin) == "wrote" for event in asked for _, texts in event.parts for text in texts for piece in text
        )
        if drawn["only_written"]:
            assert written
            assert not held(trace, asked)
            assert not drawn["focus"]
        elif written and not held(trace, asked):
            assert drawn["focus"], step.names
        if way.reader in ("memagent", "rememr1") and step.phase == "answer":
            assert drawn["only_written"]


@every_way
def test_each_prompt_is_looked_through_once_and_for_each_text_it_wrote(way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    """A net of a novel's has 900 steps."""
    trace = replace(reading(way.name, "lamp"))
    looked: Counter[int] = Counter()
    spans_shown = Trace.spans_shown

    def counted(self: Trace, seq: int) -> tuple[Span, ...]:
        looked[seq] += 1
        return spans_shown(self, seq)

    monkeypatch.setattr(Trace, "spans_shown", counted)
    replies = ({refs.replied(piece.origin) for piece in event.pieces} for event in trace.wrote.values())
    wrote = Counter(seq for seqs in replies for seq in seqs if seq is not None)
    found = Focuses(trace)
    for step in trace.steps:
        found.of(step)
    assert max(looked.values(), default=0) <= 1 + max(wrote.values(), default=0)


@every_text
@every_way
def test_the_text_is_scrolled_to_the_part_that_its_heading_names(way: Way, text: str) -> None:
    trace = reading(way.name, text)
    called: dict[str, set[int]] = {}
    for ref, name in get(way.reader).names(trace).items():
        number = refs.written(ref)
        behind = trace.sources(trace.wrote[number].pieces) if number in trace.wrote else ()
        place = refs.span(ref) or next(iter(behind), None)
        if place:
            called.setdefault(name, set()).add(place[0])
    for drawn in steps_of(trace, way.reader):
        if drawn["focus"] and drawn["where"] in called:
            first, starts = drawn["focus"][0][0], called[drawn["where"]]
            if way.reader == "recursive":  # of a slice that is too long to be shown, it is places in it
                assert first >= min(starts), drawn["where"]
            else:
                assert first in starts, drawn["where"]


def test_what_was_shown_raw_while_a_graph_is_built_is_not_called_a_summary_at_a_step_without_a_call() -> None:
    trace = shipped_reading("qrmem-sarn-three-bars.json").trace
    found = Focuses(trace)
    segments = [step for step in trace.steps if step.names[:2] == ("build", "graph") and step.names[-1].startswith("segment ")]
    assert len(segments) == 12
    assert {found.of(step).seen for step in segments} == {"not"}
