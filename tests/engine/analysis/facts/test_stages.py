"""The stages of a fact, over all readers: where each fate puts the mark that says it was lost, and how far the line is solid."""

from __future__ import annotations

from itertools import takewhile

import pytest

from readers import get
from readers.engine.analysis.facts.fate import fate
from readers.engine.analysis.facts.life import Life, life
from readers.engine.analysis.facts.stages import IN_TEXT, STAGES, Course, course
from readers.engine.record.trace import Trace
from readers.engine.text.document import Span
from tests.readers.every_reader.test_fates import MEMORIES, OTHERS, PAGES, WALKS, Case, followed, read
from tests.support.readings.every_reading import WAYS, Way, reading

# What is drawn, from left to right; the stage at which the fate was decided in capitals.
DRAWN = [
    (WALKS[0], "raw carried raw raw used"),
    (WALKS[1], "raw none raw raw LOST"),
    (WALKS[2], "raw none raw LOST none"),
    (WALKS[3], "raw carried LOST none none"),
    (WALKS[4], "raw LOST none none none"),
    (WALKS[6], "raw unclear none none none"),
    (PAGES[1], "raw carried none carried used"),
    (PAGES[5], "raw unclear none unclear unclear"),
    (PAGES[6], "raw ALTERED none altered none"),
    (PAGES[7], "raw none LOST none none"),
    (MEMORIES[2], "raw LOST none none none"),
    (MEMORIES[3], "raw carried none LOST none"),
    (OTHERS[0], "raw carried carried LOST none"),
    (OTHERS[1], "raw carried carried carried used"),
    (OTHERS[2], "raw none none raw used"),
    (OTHERS[4], "LOST none none none none"),
    (OTHERS[6], "LOST none none none none"),
]


def drawn(found: Course) -> str:
    return " ".join(stage.mark.upper() if stage.decided else stage.mark for stage in found.stages)


def course_of(case: Case) -> Course:
    trace = read(case)
    lived, came, _ = followed(trace, case.reader, question=case.question)
    return course(trace, lived, came)


@pytest.mark.parametrize(("case", "marks"), DRAWN, ids=str)
def test_a_fact_is_lost_at_the_stage_of_its_fate(case: Case, marks: str) -> None:
    found = course_of(case)
    assert drawn(found) == marks
    before = zip(STAGES, takewhile(str.islower, marks.split()), strict=False)
    assert found.passed == (IN_TEXT, *(station for station, mark in before if mark in ("raw", "carried", "used")))


def test_the_line_is_solid_as_far_as_the_fact_came() -> None:
    assert [course_of(case).reached for case in (WALKS[0], WALKS[3], WALKS[4], WALKS[6], OTHERS[4])] == [4, 2, 1, 1, 0]


def test_a_stage_names_its_text_and_the_step_where_it_was_written_or_lost() -> None:
    found = course_of(MEMORIES[3])  # overwritten by the memory after chunk 8
    assert [(stage.ref, stage.step) for stage in found.stages] == [
        ("", 4),
        ("wrote:6", 6),
        ("", None),
        ("wrote:7", 7),
        ("", None),
    ]
    altered = course_of(PAGES[6]).stages[1]
    assert (altered.ref, altered.step) == ("wrote:4", 9)


def test_a_reading_without_an_end_has_the_stages_so_far() -> None:
    trace = read(WALKS[0])
    going = Trace(trace.document, trace.events[: trace.built_until])
    lived, *_ = followed(trace, "memwalker")
    built = Life(lived.fact, tuple(one for one in lived.moments if one.building), lived.texts, lived.calls)
    found = course(going, built, None)
    assert (drawn(found), found.reached) == ("raw carried none none none", 1)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_any_sentence_has_five_stages_with_steps_of_the_reading(way: Way) -> None:
    trace = reading(way.name)
    text = trace.document.text
    for start in range(0, len(text) - 200, 700):
        fact = Span(start, start + 120)
        lived = life(trace, fact, get(way.reader).narrative)
        came = fate(trace, lived, "Who kept the light?")
        assert came is not None
        found = course(trace, lived, came)
        assert [stage.station for stage in found.stages] == STAGES
        assert all(stage.step is None or 0 <= stage.step < len(trace.steps) for stage in found.stages)
        decided = [n for n, stage in enumerate(found.stages) if stage.decided]
        sure = bool(came.row.exit.station)
        assert decided == ([found.reached] if sure else [])
        if sure:
            assert found.stages[found.reached].step == came.step
            assert found.stages[-1].mark in ("none", "lost")
