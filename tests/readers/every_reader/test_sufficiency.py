"""Every reader, with models that play a part: the call that first has all of the evidence is the one that it must be.

The text and the parts that models play are those of `test_fates.py`: the fact stands in the fifth of nine parts.
"""

from __future__ import annotations

import pytest

from readers import get
from readers.engine.analysis.facts.life import life
from readers.engine.analysis.facts.sufficiency import Sufficiency, sufficiency
from readers.engine.record.trace import Trace
from readers.engine.text import refs
from readers.engine.text.document import Span
from tests.readers.every_reader.test_fates import (
    DECLINED,
    FACT,
    HALF,
    MEMORIES,
    OTHERS,
    PAGES,
    WALKS,
    Case,
    Part,
    followed,
    read,
    read_net,
    still,
)
from tests.support.models.scripted_models import parts_of
from tests.support.readings.qrmem_readings import LONG, Plan
from tests.support.readings.qrmem_readings import QUESTION as NET_QUESTION
from tests.support.readings.recursive_readings import read as read_recursively

SHOWN_AT_THE_FIFTH = ("stated", "chunk 5", "chunk 5")
EXPECTED = [
    # how it stands, the step of the call, and the step that wrote the first text with all of it
    (WALKS[0], ("stated", "root", "level 1")),  # the summaries that are chosen from say it
    (WALKS[1], ("stated", "2.2", "")),  # only the opened part has it
    (WALKS[2], ("stated", "2.2", "")),
    (WALKS[3], ("stated", "2", "level 1")),  # the root's summaries do not, those of part 2 do
    (WALKS[4], ("not stated", "", "")),
    (WALKS[5], ("not stated", "", "level 1")),
    (WALKS[6], ("cannot be told", "2", "")),
    (WALKS[7], ("not stated", "", "")),  # another value
    (PAGES[0], ("stated", "request", "pages and gists")),  # the gists are shown before the look-up
    (PAGES[2], ("stated", "answer", "")),
    (PAGES[3], ("not stated", "", "")),
    (PAGES[5], ("cannot be told", "request", "")),
    (PAGES[7], ("not stated", "", "")),
    *((case, SHOWN_AT_THE_FIFTH if case.part.of_fact == FACT else ("stated", "chunk 5", "")) for case in MEMORIES),
    (DECLINED[0], ("stated", "2.2", "")),
    (OTHERS[2], ("stated", "answer", "")),
    (OTHERS[4], ("not stated", "", "")),  # whole: the part with the fact was cut off
    (OTHERS[5], ("stated", "answer", "")),
    (OTHERS[6], ("not stated", "", "")),
]


def stood(trace: Trace, reader: str, *facts: str, question: str = "") -> Sufficiency:
    lives = [followed(trace, reader, fact, *([question] if question else []))[0] for fact in facts]
    found = sufficiency(trace, lives, [])
    assert found
    return found


def places(trace: Trace, found: Sufficiency) -> tuple[str, str, str]:
    call, noticed = ("" if step is None else trace.steps[step].names[-1] for step in (found.step, found.noticed))
    return found.standing, call, noticed


@pytest.mark.parametrize(("case", "expected"), EXPECTED, ids=str)
def test_the_first_call_with_all_of_the_evidence(case: Case, expected: tuple[str, str, str]) -> None:
    trace = read(case)
    found = stood(trace, case.reader, FACT)
    assert places(trace, found) == expected
    if found.call is not None:
        assert trace.asked[found.call] in trace.of(trace.steps[found.step or 0])


@pytest.mark.parametrize(("verdicts", "step"), [(["no: a", "no: b", "yes: port ellary"], "trial 3"), (["yes: a spring"], "")])
def test_in_a_net_it_is_the_trial_that_brings_the_segment(verdicts: list[str], step: str) -> None:
    trace = read_net(LONG, Plan(verdicts=verdicts).model())
    found = stood(trace, "qrmem", "ned farrow had come from port ellary as a boy", question=NET_QUESTION)
    assert places(trace, found)[:2] == ("stated" if step else "not stated", step)


def test_two_facts_must_stand_in_one_call() -> None:
    """A memory that keeps the first until the second is read has both; one that does not never has."""
    second = "In the forge they worked, as forge people do."
    kept = read(Case("memagent", Part(later=still(9)), "", ""))
    found = stood(kept, "memagent", FACT, second)
    assert places(kept, found) == ("stated", "chunk 7", "")
    lost = read(Case("memagent", Part("Nobody came."), "", ""))
    assert stood(lost, "memagent", FACT, second).standing == "not stated"
    perhaps = read(Case("memagent", Part(HALF, later=still(9, HALF)), "", ""))
    assert places(perhaps, stood(perhaps, "memagent", FACT, second))[:2] == ("cannot be told", "chunk 7")


def test_the_call_that_answered_is_named_and_there_is_none_where_none_did() -> None:
    trace = read(MEMORIES[0])
    answered = stood(trace, "memagent", FACT).answered
    assert answered == max(trace.asked)
    assert refs.replied(trace.end.pieces[0].origin) == answered or trace.calls_behind(trace.end.pieces) == {answered}
    assert stood(read(DECLINED[0]), "memwalker", FACT).answered is None
    assert sufficiency(trace, [], []) is None


@pytest.mark.parametrize(("searched", "expected"), [("Part 3 begins", ("stated", 1)), ("Part 6 begins", ("not stated", None))])
def test_a_recursive_reading_has_it_once_a_search_showed_it(searched: str, expected: tuple[str, int | None]) -> None:
    """The first call has nothing of the text; what a search shows is in the next."""
    trace = read_recursively([("search", searched), ("answer", "there")], document=parts_of(8))
    start = trace.document.text.index("Part 3 begins")
    lived = life(trace, Span(start, start + len("Part 3 begins")), get("recursive").narrative)
    found = sufficiency(trace, [lived], [])
    assert found
    assert (found.standing, found.call) == expected
