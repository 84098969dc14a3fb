"""How far a fact came in a reading, stage by stage: the same five stages for every reader, so that readings stand in one table.

From life and fate alone. Pure. Not here: what happened at each step (`life.py`), and the fate in a sentence (`sentences.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from readers.engine.analysis.facts.fate import Fate, FateKind
from readers.engine.analysis.facts.life import Life, Moment
from readers.engine.analysis.facts.matching.matcher import VERDICTS, Verdict
from readers.engine.record.trace import Trace
from readers.engine.text import refs

StageKind = Literal["before the model", "carried", "opened again", "in the answering call", "in the answer"]
STAGES: tuple[StageKind, ...] = ("before the model", "carried", "opened again", "in the answering call", "in the answer")
# It was there *raw*, *written* in a model's words, *altered* in them, perhaps (*unclear*), *used* in the answer; it was *lost*
# here, or is not there (*none*).
Mark = Literal["raw", "written", "altered", "unclear", "used", "lost", "none"]

# At which stage a fact with this fate was lost; the others were used, or cannot be told.
_LOST_AT: Mapping[FateKind, StageKind] = {
    "cut off": "before the model",
    "never read": "before the model",
    "never offered": "opened again",
    "passed over": "opened again",
    "left out": "opened again",
    "lost in a text": "carried",
    "not written down": "carried",
    "altered": "carried",
    "taken out of view": "in the answering call",
    "opened, then left": "in the answering call",
    "overwritten": "in the answering call",
    "in view, not used": "in the answer",
    "in view, declined": "in the answer",
}
_MARKS: Mapping[Verdict, Mark] = {"carried": "written", "altered": "altered", "unclear": "unclear", "lost": "none"}


class Stage(NamedTuple):
    """A fact at one stage of a reading. `ref`: the text that has it there, or no longer has it. `step`: from 0, where that was.
    `decided`: its fate was decided here, and it came no further."""

    kind: StageKind
    mark: Mark = "none"
    ref: str = ""
    step: int | None = None
    decided: bool = False


class Course(NamedTuple):
    """The five stages, and the last one (from 0) up to which the fact came, or can be told to have come; -1 for none."""

    stages: tuple[Stage, ...]
    reached: int


def course(trace: Trace, life: Life, fate: Fate | None) -> Course:
    """How far a fact came. Without a fate, for the reading has no end, it is how far it has come."""
    raw = [one for one in life.moments if one.state in ("raw", "answering") and not one.ref]
    before = Stage("before the model", "raw", step=raw[0].step) if raw else Stage("before the model")
    found = [before, _carried(trace, life, fate), _opened_again(life, raw, fate), _in_the_call(life), Stage("in the answer")]
    if fate is None:
        return Course(tuple(found), max((n for n, one in enumerate(found) if one.mark != "none"), default=-1))
    if fate.kind in ("used", "in view") or (fate.kind == "cannot be told" and found[-2].mark == "unclear"):
        found[-1] = Stage("in the answer", "used" if fate.kind == "used" else "unclear", step=len(trace.steps) - 1)
    kind = _lost_at(found, life, fate)
    if kind is None:
        return Course(tuple(found), _surely(found))
    at = STAGES.index(kind)
    found[at] = _lost(found[at], fate)
    return Course(tuple(found), at)


def _surely(found: Sequence[Stage]) -> int:
    """The last stage, or the first one at which it cannot be told."""
    return next((n for n, one in enumerate(found) if one.mark == "unclear" and not _later(found, n)), len(found) - 1)


def _later(found: Sequence[Stage], at: int) -> bool:
    """Whether the fact was surely there after a stage: then what a text said before does not matter."""
    return any(one.mark in ("raw", "written", "used") for one in found[at + 1 :])


def _lost_at(found: Sequence[Stage], life: Life, fate: Fate) -> StageKind | None:
    kind = _LOST_AT.get(fate.kind)
    never = found[0].mark == "none"
    if kind and never and not life.texts:
        return "before the model"
    if kind == "before the model" and not never:
        return "opened again"
    return kind


def _lost(stage: Stage, fate: Fate) -> Stage:
    if fate.kind == "altered":
        return stage._replace(mark="altered", step=fate.step, decided=True)
    ref = "" if stage.kind == "in the answer" else fate.ref
    return Stage(stage.kind, "lost", ref, fate.step, decided=True)


def _carried(trace: Trace, life: Life, fate: Fate | None) -> Stage:
    """The text that the fate names, or of all that rest on the fact the one that says most of it, of equals the earliest."""
    number = refs.written(fate.before if fate.kind == "overwritten" else fate.ref) if fate else None
    if number not in life.texts:
        number = min(life.texts, key=lambda n: (VERDICTS.index(life.texts[n].verdict), n), default=None)
    if number is None:
        return Stage("carried")
    return Stage("carried", _MARKS[life.texts[number].verdict], refs.wrote(number), trace.written_at(number))


def _opened_again(life: Life, raw: Sequence[Moment], fate: Fate | None) -> Stage:
    """Shown raw after a memory was built from it; or an earlier memory that says it, after a later one did not."""
    again = [one for one in raw if not one.building] if any(one.building for one in raw) else []
    if again:
        return Stage("opened again", "raw", step=again[0].step)
    if fate and fate.back:
        return Stage("opened again", "written", fate.before, fate.back[0])
    back = next(filter(None, (_brought_back(life, one) for one in life.of("carried", "answering"))), None)
    return Stage("opened again", "written", back.ref, back.step) if back else Stage("opened again")


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
    return Stage("in the answering call", _MARKS[last.verdict] if last.ref else "raw", last.ref, last.step)
