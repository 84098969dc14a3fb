"""QRMeM with the offline model on the sample of articles: questions of several places are answered by walking edges."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from readers.engine.models.offline import Offline
from readers.engine.record.events import Chose, Cut, Looked, StepBegan, StepEnded
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text.document import DOCUMENT, Document, Span
from readers.qrmem import QRMeM
from tests.support.paths import SARN


class Walk(NamedTuple):
    """What happened after the graph was built: for every trial the document's spans in view, and the decisions."""

    views: list[list[Span]]
    chose: list[Chose]

    def called(self, trace: Trace, action: str) -> list[str]:
        """The names of the entities that decisions of this action led to, or began with."""
        refs = [event.among[0] if event.among else event.picked for event in self.chose if event.action == action]
        return [trace.wrote[int(ref.removeprefix("wrote:"))].text.partition("\n")[0] for ref in refs]

    def times(self, action: str) -> int:
        return sum(event.action == action for event in self.chose)


def question(number: str) -> dict[str, Any]:
    asked = json.loads(SARN.with_suffix(".json").read_text(encoding="utf-8"))["questions"]
    return next(dict(one) for one in asked if one["id"] == number)


def read(asked: dict[str, Any], segment_tokens: int, **options: Any) -> Trace:
    reader = QRMeM()
    spec = RunSpec(
        "qrmem",
        reader.version,
        asked["question"],
        choices=tuple(asked["choices"]),
        options={"segment_tokens": segment_tokens, **options},
    )
    return rehearse(Document.of(SARN.read_text(encoding="utf-8")), reader, spec, Offline())


def walk(trace: Trace) -> Walk:
    names: list[str] = []
    views: list[list[Span]] = []
    chose: list[Chose] = []
    for event in trace.events:
        if isinstance(event, StepBegan):
            names.append(event.name)
        elif isinstance(event, StepEnded):
            names.pop()
        elif names[:1] == ["walk"] and isinstance(event, Looked):
            views.append([Span(piece.begin, piece.stop) for piece in event.pieces if piece.origin == DOCUMENT])
        elif names[:1] == ["walk"] and isinstance(event, Chose):
            chose.append(event)
    return Walk(views, chose)


pytestmark = pytest.mark.slow  # whole samples are read


@pytest.fixture(scope="module")
def two() -> Trace:
    return read(question("q05"), 550)


@pytest.fixture(scope="module")
def three() -> Trace:
    return read(question("q02"), 300)


def in_view(asked: dict[str, Any], spans: list[Span]) -> list[bool]:
    """For every evidence place of a question, whether all of it stands in view (a segment's end may run through it)."""
    return [
        any(start <= place["start"] < end for start, end in spans) and any(start < place["end"] <= end for start, end in spans)
        for place in asked["evidence"]
    ]


def said(trace: Trace) -> str:
    return str(getattr(trace.end, "text", ""))


def test_a_question_of_two_places_is_answered_by_walking_one_edge(two: Trace) -> None:
    asked = question("q05")
    assert asked["places"] == 2
    trace = two
    steps = walk(trace)
    assert steps.called(trace, "expand") == ["Lantern School"]
    assert [event.action for event in steps.chose if event.action in ("decline", "expand", "commit")] == [
        "decline",
        "expand",
        "commit",
    ]
    assert [in_view(asked, view) for view in steps.views] == [[True, False], [True, True]]
    assert steps.times("fallback") == 0
    assert "Osla Pell" in said(trace)


def test_a_question_of_three_places_is_answered_by_walking_two_edges(three: Trace) -> None:
    asked = question("q02")
    assert asked["places"] == 3
    trace = three
    steps = walk(trace)
    assert steps.called(trace, "start") == ["Campion"]
    assert steps.called(trace, "expand") == ["Dry Andrew", "Lantern School"]
    assert steps.times("decline") == 2
    assert [in_view(asked, view) for view in steps.views] == [[True, False, False], [True, True, False], [True, True, True]]
    assert steps.times("fallback") == 0
    assert said(trace).endswith(asked["answer"])


def test_every_edge_that_is_walked_was_the_best_of_those_considered_and_is_told_in_the_text(three: Trace) -> None:
    trace = three
    best = ""
    for event in walk(trace).chose:
        if event.action == "consider":
            best = best or event.picked
        elif event.action == "expand":
            assert event.picked == best
            told = trace.wrote[int(event.picked.removeprefix("wrote:"))].text
            assert " ".join(told.split()) in " ".join(trace.document.text.split())
            best = ""


def test_the_reason_for_declining_names_what_is_missing_and_what_is_followed_next(three: Trace) -> None:
    reasons = [event.because for event in walk(three).chose if event.action == "decline"]
    assert [("founded" in reason, "missing" in reason) for reason in reasons] == [(True, True), (True, True)]
    assert "Dry Andrew" in reasons[0]
    assert "Lantern School" in reasons[1]
    assert not three.misreads


@pytest.mark.parametrize(("strategy", "looks"), [("expansion", 1), ("trial", 5)])
def test_the_other_strategies_answer_from_segments_too(strategy: str, looks: int) -> None:
    trace = read(question("q05"), 550, strategy=strategy)
    steps = walk(trace)
    assert trace.outcome == "answered"
    assert 1 <= len(steps.views) <= looks + 1
    assert in_view(question("q05"), steps.views[-1])[0]


def test_the_segments_in_view_are_segments_of_the_cut(two: Trace) -> None:
    trace = two
    cut = next(event for event in trace.events if isinstance(event, Cut))
    for view in walk(trace).views:
        assert set(view) <= set(cut.spans)
        assert view == sorted(view)
