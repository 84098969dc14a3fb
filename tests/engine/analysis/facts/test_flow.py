"""The way of the evidence through many readings: which stations it passed, where it left, and that nothing is lost in between."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from readers import get
from readers.engine.analysis.facts.evidence import EvidenceFate
from readers.engine.analysis.facts.fates import FATES, STATIONS, VERDICTS, verdict
from readers.engine.analysis.facts.flow import COLUMNS, Band, Way, flow, told_apart
from readers.engine.analysis.facts.stages import possible_stations
from readers.engine.questions.grading import Outcome
from tests.readers.every_reader.test_fates import MEMORIES, OTHERS, PAGES, WALKS, Case, read

TEXT, REACHED, CARRIED, OPENED, CALL, USED = STATIONS


def way(run: str, passed: tuple[str, ...], kind: str, grade: Outcome | None) -> Way:
    end = FATES[kind].end
    evidence = EvidenceFate(kind, 0, passed, frozenset(STATIONS), ends=(end,))
    return Way(run, evidence, grade)


WAYS = [
    way("a", tuple(STATIONS), "used", "correct"),
    way("b", (TEXT, REACHED, CALL), "in view, not used", "wrong"),
    way("c", (TEXT, REACHED), "lost in a text", "wrong"),
    way("d", (TEXT, REACHED), "lost in a text", "correct"),
    way("e", (TEXT, REACHED, CARRIED), "passed over", "wrong"),
    way("f", (TEXT,), "never read", "wrong"),
    way("g", (TEXT, REACHED, CARRIED), "overwritten", "partly"),
    way("h", (TEXT, REACHED, OPENED, CALL), "in view", "correct"),
    way("i", (TEXT, REACHED), "cannot be told", None),
]


def test_as_many_readings_leave_a_place_as_enter_it() -> None:
    found = flow(WAYS)
    for place, runs in found.places.items():
        entering = [run for band, some in found.bands.items() if band.target == place for run in some]
        leaving = [run for band, some in found.bands.items() if band.source == place for run in some]
        assert place == TEXT or sorted(entering) == sorted(runs)
        assert place in VERDICTS or sorted(leaving) == sorted(runs)
    assert len(found.places[TEXT]) == sum(len(found.places.get(verdict, ())) for verdict in VERDICTS) == found.total == len(WAYS)


def test_bands_hold_their_readings() -> None:
    found = flow(WAYS)
    assert found.bands[Band(REACHED, "summarised away")] == ("c", "d")
    assert found.bands[Band("summarised away", "lucky")] == ("d",)
    assert found.bands[Band(REACHED, CALL)] == ("b",)
    assert found.bands[Band(CALL, "perhaps used")] == ("h",)
    assert found.places["right"] == ("a", "h")


def test_every_grade_has_a_verdict() -> None:
    grades = (*get_args(Outcome), None)
    assert [verdict(grade, in_view=True).id for grade in grades] == [
        "right", "partly right", "wrong", "not graded", "wrong", "not graded", "not graded",
    ]  # fmt: skip
    assert [verdict(grade, in_view=False).id for grade in grades[:3]] == ["lucky", "partly right", "wrong"]


def test_a_way_only_leads_onwards() -> None:
    for kind, count in product(FATES, range(1, len(STATIONS))):
        columns = [COLUMNS[place] for place in way("a", tuple(STATIONS)[:count], kind, "wrong").places]
        assert columns == sorted(set(columns)), (kind, count)


def test_four_ways_are_told_apart_and_only_the_lucky_one_is_right() -> None:
    assert told_apart(WAYS) == {
        "lucky": ("d",),
        "never opened": ("e", "f"),
        "summarised away": ("c", "g"),
        "had it, unused": ("b",),
    }
    assert told_apart([WAYS[1]._replace(grade="not_judgeable")]) == told_apart([])  # it may be right
    assert told_apart([]) == {"lucky": (), "never opened": (), "summarised away": (), "had it, unused": ()}


POSSIBLE = {
    "memagent": {OPENED},
    "chain_of_agents": {OPENED},
    "recurrence": {OPENED},
    "whole": {CARRIED, OPENED},
    "retrieval": {CARRIED, OPENED},
}


@pytest.mark.parametrize("case", [WALKS[4], PAGES[3], MEMORIES[2], OTHERS[0], OTHERS[2], OTHERS[5]], ids=lambda one: one.reader)
def test_which_stations_a_reader_has(case: Case) -> None:
    missing = set(STATIONS) - possible_stations(read(case))
    assert missing == POSSIBLE.get(get(case.reader).id, set())
