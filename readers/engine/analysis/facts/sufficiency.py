"""Sufficiency: the first call that looked for the answer and had all of the evidence; the first text that carried all of it; and
what the calls had taken by then.

A fact *stands* in a call if its prompt has the fact raw, or a text that still states it: the rules of its life (`life.py`). Calls
that build a memory do not count, because they are not asked to answer; a reader that builds none looks for the answer all along.
In a call, all of the evidence is *stated*, *not stated*, or *cannot be told*: then at least one fact stands only in words that do
not settle it. The first call in which all is certainly stated counts, even if an earlier one may have had it. That the model used
it is not said; only a fork can show that. A call counts at its full price, also if its reply was reused; its time is that of its
own reply, so calls at the same time add up.

Pure. Not here: one fact's fate (`fate.py`), and many readings (`analysis/evaluate/post_mortem.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from readers.engine.analysis.facts.life import Life
from readers.engine.analysis.facts.matcher import Verdict
from readers.engine.record.costs import costs
from readers.engine.record.events import Answered, Asked
from readers.engine.record.journal import Record
from readers.engine.record.trace import BUILD, Trace

Standing = Literal["stated", "cannot be told", "not stated"]
STANDINGS: tuple[Standing, ...] = ("stated", "cannot be told", "not stated")


class Spent(NamedTuple):
    """What calls took: how many a model answered, their tokens, dollars and seconds; None where an amount is unknown."""

    calls: int
    tokens: int | None
    usd: float | None
    seconds: float


class Sufficiency(NamedTuple):
    """How the evidence stood in the calls of a reading. `standing`: in the call where it stood best, the first of them, which is
    `call` (its number) at `step` (from 0); None where it is *not stated*. `until`: what the calls took up to and including that
    one; `building` those that any question on this text shares, `asking` the rest. `noticed`: the step that wrote the first text
    that carries all of it; `answered`: the number of the call that gave the answer; None where there was none."""

    standing: Standing
    building: Spent
    asking: Spent
    call: int | None = None
    step: int | None = None
    until: Spent | None = None
    noticed: int | None = None
    answered: int | None = None

    @classmethod
    def of_json(cls, value: Any) -> Sufficiency:
        """The same from its `_asdict` after JSON."""
        spent = {name: value[name] and Spent(*value[name]) for name in ("building", "asking", "until")}
        return cls(**{**value, **spent})


def sufficiency(trace: Trace, lives: Sequence[Life], records: Sequence[Record]) -> Sufficiency | None:
    """How the evidence, of which these are the lives, stood in the calls of a reading; None without any evidence."""
    if not lives:
        return None
    standing: Standing = "not stated"
    call = None
    for seq in _calls(trace):
        found = _standing(life.calls.get(seq, "lost") for life in lives)
        if STANDINGS.index(found) < STANDINGS.index(standing):
            standing, call = found, seq
    stating = [{n for n, found in life.texts.items() if found.verdict == "carried"} for life in lives]
    noticed = min(set.intersection(*stating), default=None)
    return Sufficiency(
        standing,
        building=spent(record for record in records if record.shared),
        asking=spent(record for record in records if not record.shared),
        call=call,
        step=None if call is None else trace.asked_at(call),
        until=None if call is None else spent(record for record in records if record.seq <= call),
        noticed=None if noticed is None else trace.written_at(noticed),
        answered=max(trace.calls_behind(trace.end.pieces), default=None) if isinstance(trace.end, Answered) else None,
    )


def _standing(verdicts: Iterable[Verdict]) -> Standing:
    """How facts stand together that stand like this: as the one that stands worst."""
    said = {*verdicts}
    return "not stated" if said & {"lost", "altered"} else "cannot be told" if "unclear" in said else "stated"


def _calls(trace: Trace) -> list[int]:
    """The calls after building, in order."""
    return [event.seq for step, event in trace.by_step() if isinstance(event, Asked) and step.phase != BUILD]


def spent(records: Iterable[Record]) -> Spent:
    """The sum over these calls. What a person wrote instead of a model took nothing."""
    every = [one for one in records if one.origin != "edited"]
    both = costs(every)
    calls, tokens, usd = (
        both.building.calls + both.asking.calls,
        _sum(part.amount("tokens") for part in both),
        _sum(part.amount("dollars") for part in both),
    )
    seconds = sum(one.ms for one in every if one.reply is not None) / 1000
    return Spent(calls, None if tokens is None else int(tokens), None if usd is None else float(usd), seconds)


def _sum(amounts: Iterable[Any]) -> Any:
    every = list(amounts)
    return None if None in every else sum(every)
