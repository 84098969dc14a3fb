"""What carries a fact, in every reader's picture: the mark at the deciding step is on something that the picture draws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from components.player.pictures import picture
from readers.engine.analysis.facts.life import MarkChange, carriers
from readers.engine.record.trace import Trace
from tests.readers.every_reader.test_fates import EVERY, NET_QUESTION, OPTIONS, Case, followed, read
from tests.support.readings.qrmem_readings import LONG, Plan
from tests.support.readings.qrmem_readings import read as read_net

# The mark of what a fact died in, by its fate, at the deciding step.
MARKS: Mapping[str, set[str]] = {
    "lost in a text": {"lost"},
    "overwritten": {"lost"},
    "not written down": {"lost"},
    "altered": {"altered"},
    "cut off": {"left out"},
    "left out": {"left out"},
    "opened, then left": {"raw"},
    "taken out of view": {"left out"},
    "passed over": {"carried", "altered", ""},
    "never offered": {""},
}
LIVES = ("used", "in view", "in view, declined", "in view, not used", "cannot be told")


def refs_drawn(part: Any) -> Iterator[str]:
    """Every ref that something in a picture stands for."""
    if isinstance(part, Mapping):
        yield from part.get("refs", ())
        yield from (part[name] for name in ("ref", "chunk") if isinstance(part.get(name), str))
        part = tuple(part.values())
    if isinstance(part, list | tuple):
        for inner in part:
            yield from refs_drawn(inner)


def mark_at(marks: Mapping[str, tuple[MarkChange, ...]], ref: str, step: int) -> str:
    return next((mark for since, mark in reversed(marks.get(ref, ())) if since <= step), "")


def check(reader: str, trace: Trace, kind: str, *, question: str = "", words: str = "") -> None:
    given = {name: value for name, value in (("words", words), ("question", question)) if value}
    life, fate, _ = followed(trace, reader, **given)
    marks, died = carriers(trace, life, fate)
    drawn = set(refs_drawn(picture(reader, trace, options=OPTIONS.get(reader))))
    if kind in LIVES:
        assert died == ()
        return
    assert died
    assert set(died) & drawn
    assert {mark_at(marks, ref, fate.step) for ref in died if ref in drawn} & MARKS[kind]


@pytest.mark.parametrize("case", [case for case in EVERY if case.reader not in ("memagent", "recurrence")], ids=str)
def test_a_fact_dies_in_something_the_picture_draws(case: Case) -> None:
    check(case.reader, read(case), case.fate, question=case.question)


@pytest.mark.parametrize(
    ("verdicts", "options", "kind"),
    [(["no: a"] * 9, {}, "in view, declined"), (["no: a"] * 9, {"window_tokens": 64}, "taken out of view")],
)
def test_a_fact_dies_in_a_segment_of_a_net(verdicts: list[str], options: Mapping[str, Any], kind: str) -> None:
    trace = read_net(LONG, Plan(verdicts=verdicts).model(), **options)
    check("qrmem", trace, kind, question=NET_QUESTION, words="ned farrow had come from port ellary as a boy")


def test_every_carrier_of_a_fact_is_drawn_from_the_passage_up() -> None:
    case = next(case for case in EVERY if case.reader == "memwalker" and case.fate == "passed over")
    trace = read(case)
    life, fate, _ = followed(trace, case.reader)
    marks, _ = carriers(trace, life, fate)
    assert set(marks) <= set(refs_drawn(picture(case.reader, trace)))
    at_the_end = [mark_at(marks, ref, len(trace.steps)) for ref in marks if ref.startswith("wrote:")]
    assert at_the_end == ["carried", "lost", "lost"]
    [passage] = [ref for ref in marks if ref.startswith("document:")]
    assert [mark for _, mark in marks[passage]] == ["raw", ""]


def test_a_passage_is_raw_while_it_stands_before_the_model_and_no_longer() -> None:
    case = next(case for case in EVERY if case.fate == "opened, then left")
    trace = read(case)
    life, fate, _ = followed(trace, case.reader)
    marks, [passage] = carriers(trace, life, fate)
    assert [mark_at(marks, passage, step) for step in (fate.step - 1, fate.step, fate.step + 1)] == ["", "raw", ""]
    assert carriers(trace, life, None)[1] == ()
