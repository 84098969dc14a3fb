"""How far a fact got in a reading, station by station: the same stations for every reader, so that readings fit in one table.

Only from life and fate. Pure. Not here: what happened at each step (`life.py`), and the fate in a sentence (`fates.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from readers.engine.analysis.facts.fates import STATIONS, USED, FactFate
from readers.engine.analysis.facts.life import Life, Moment
from readers.engine.analysis.facts.matcher import VERDICTS, Verdict
from readers.engine.record.trace import Trace
from readers.engine.text import refs

IN_TEXT, *STAGES = STATIONS
# It was there *raw*, in a text that says it (*carried*) or gives another value (*altered*), perhaps (*unclear*), or *used* in the
# answer; it was *lost* here, or is not there (*none*).
Mark = Literal["raw", "carried", "altered", "unclear", "used", "lost", "none"]
_SURE: tuple[Mark, ...] = ("raw", "carried", "used")


class Stage(NamedTuple):
    """A fact at one station of a reading. `ref`: the text that has it there, or no longer has it. `step`: from 0, where that was.
    `decided`: its fate was decided here, and it came no further."""

    station: str
    mark: Mark = "none"
    ref: str = ""
    step: int | None = None
    decided: bool = False


class Course(NamedTuple):
    """The five stages, and the last one (from 0) that the fact certainly reached; -1 for none."""

    stages: tuple[Stage, ...]
    reached: int

    @property
    def passed(self) -> tuple[str, ...]:
        """The stations that the fact surely passed before its fate was decided."""
        decided = next((number for number, stage in enumerate(self.stages) if stage.decided), len(self.stages))
        return (IN_TEXT, *(stage.station for stage in self.stages[:decided] if stage.mark in _SURE))


def course(trace: Trace, life: Life, fate: FactFate | None) -> Course:
    """How far a fact came. Without a fate, for the reading has no end, it is how far it has come."""
    raw = [one for one in life.moments if one.state in ("raw", "answering") and not one.ref]
    before = Stage("reached", "raw", step=raw[0].step) if raw else Stage("reached")
    found = [before, _carried(trace, life, fate), _opened_again(life, raw, fate), _in_the_call(life), Stage("used")]
    if fate is None:
        return Course(tuple(found), max((n for n, one in enumerate(found) if one.mark != "none"), default=-1))
    row = fate.row
    if not row.mends or (row.end == "unclear" and found[-2].mark == "unclear"):
        found[-1] = Stage("used", "used" if row.exit is USED else "unclear", step=len(trace.steps) - 1)
    station = _lost_at(found, life, fate)
    if not station:
        # Earlier texts do not matter if the fact was certainly there later.
        later = (any(one.mark in _SURE for one in found[n + 1 :]) for n in range(len(found)))
        unclear = (n for n, (one, sure) in enumerate(zip(found, later, strict=True)) if one.mark == "unclear" and not sure)
        return Course(tuple(found), next(unclear, len(found) - 1))
    at = STAGES.index(station)
    found[at] = _lost(found[at], fate)
    return Course(tuple(found), at)


def possible_stations(trace: Trace) -> frozenset[str]:
    """The stations that a reading has: no *carried* if nothing is written, no *opened* if nothing can be opened again."""
    writes = bool(trace.wrote)
    opens = writes and (
        trace.built_until > 0 or any(refs.written(ref) is not None for event in trace.decisions() for ref in event.among)
    )
    return frozenset(STATIONS) - ({"carried", "opened"} if not writes else set() if opens else {"opened"})


def _lost_at(found: Sequence[Stage], life: Life, fate: FactFate) -> str:
    """The station that the fact did not reach; empty if that is unknown, or the fact was used."""
    station = fate.row.exit.station
    never = found[0].mark == "none"
    if station and never and not life.texts:
        return "reached"
    return "opened" if station == "reached" and not never else station


def _lost(stage: Stage, fate: FactFate) -> Stage:
    if fate.kind == "altered":
        return stage._replace(mark="altered", step=fate.step, decided=True)
    ref = "" if stage.station == "used" else fate.ref
    return Stage(stage.station, "lost", ref, fate.step, decided=True)


def _carried(trace: Trace, life: Life, fate: FactFate | None) -> Stage:
    """The text that the fate names, otherwise the derived text that states most of the fact; of equals, the earliest."""
    number = refs.written(fate.before if fate.kind == "overwritten" else fate.ref) if fate else None
    if number not in life.texts:
        number = min(life.texts, key=lambda n: (VERDICTS.index(life.texts[n].verdict), n), default=None)
    if number is None:
        return Stage("carried")
    return Stage("carried", _said(life.texts[number].verdict), refs.wrote(number), trace.written_at(number))


def _opened_again(life: Life, raw: Sequence[Moment], fate: FactFate | None) -> Stage:
    """Shown raw after a memory was built from it; or an earlier memory that says it, after a later one did not."""
    again = [one for one in raw if not one.building] if any(one.building for one in raw) else []
    if again:
        return Stage("opened", "raw", step=again[0].step)
    if fate and fate.back:
        return Stage("opened", "carried", fate.before, fate.back[0])
    back = next(filter(None, (_brought_back(life, one) for one in life.of("carried", "answering"))), None)
    return Stage("opened", "carried", back.ref, back.step) if back else Stage("opened")


def _brought_back(life: Life, shown: Moment) -> Moment | None:
    """A text before the model that says the fact, if a later text in its place no longer did."""
    if shown.written or shown.building or shown.verdict != "carried" or not shown.ref:
        return None
    since = [one for one in life.moments if one.written and not one.building and one.event < shown.event]
    if since and since[-1].ref != shown.ref and since[-1].verdict == "lost":
        return shown
    return None


def _in_the_call(life: Life) -> Stage:
    if not life.answering:
        return Stage("in the answering call")
    last = life.answering[-1]
    return Stage("in the answering call", _said(last.verdict) if last.ref else "raw", last.ref, last.step)


def _said(verdict: Verdict) -> Mark:
    return "none" if verdict == "lost" else verdict
