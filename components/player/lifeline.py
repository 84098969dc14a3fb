"""The lifelines of a reading: for each followed fact a mark at every step that did something with it, and its fate. Pure.

What happened, and what it came to, is computed by the engine (`analysis/facts`); here it gets the player's marks and words.
A line is { "fact": its place as the browser counts, "place": in characters, "words", "marks", "fate", "carriers" }, a mark {
"from", "to": its steps from 0, "shape", "raw": it stood raw before the model there, too, "answering": in the answering call,
"say" }, a fate { "kind", "step", "sentence", "end": "alive", "unclear" or "dead", "mends": the page says what would mend it };
carriers are { "marks": by ref, pairs of a step and the mark from then on, "died": the refs of what it died in }. The player
hides what is later than its step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from components.player import browser_text
from readers import get
from readers.engine.analysis.facts.fates import called
from readers.engine.analysis.facts.follow import Followed, follow
from readers.engine.analysis.facts.life import Moment, State, carriers
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Event
from readers.engine.record.trace import Trace
from readers.engine.store import Reading, Run
from readers.engine.text.document import Document, Span
from readers.engine.text.phrases import capitalised
from readers.engine.text.shorten import shorten_at_word

MOST_FACTS = 5
LONGEST = 1_000  # characters of a fact
MOST_MARKS = 200  # of a line; of more, equal ones in a row are one
_EXCERPT = 160
Mark = dict[str, Any]


def allowed(document: Document, places: Sequence[Span]) -> list[Span]:
    """The first places that a visitor marked, without those that are not in the text, or too long."""
    length = len(document.text)
    return [one for one in places[:MOST_FACTS] if 0 <= one.start < one.end <= length and one.end - one.start <= LONGEST]


def lines(reading: Reading, found: Sequence[Followed]) -> list[dict[str, Any]]:
    """The lifelines of facts that were followed."""
    trace, text = reading.trace, reading.document.text
    names = get(reading.run.reader).names(trace)
    places = browser_text.spans(text, [one.fact for one in found])
    return [
        {
            "fact": [*drawn],
            "place": [*one.fact],
            "words": shorten_at_word(text[one.fact.start : one.fact.end], _EXCERPT),
            "marks": list(_marks(one, trace, names)),
            "fate": _fate(one),
            "carriers": dict(zip(("marks", "died"), carriers(trace, one.life, one.fate), strict=True)),
        }
        for one, drawn in zip(found, places, strict=True)
    ]


def known_places(text: str, known: KnownAnswer) -> dict[str, list[tuple[int, int]]]:
    """Where the text gives a known answer, and the distractors: places that speak for a wrong one."""
    return {"evidence": browser_text.spans(text, known.evidence), "distractors": browser_text.spans(text, known.distractors)}


def so_far(run: Run, document: Document, events: Sequence[Event], places: Sequence[Span]) -> list[dict[str, Any]]:
    """The lifelines of places that a visitor marked, in a reading that goes on: without a fate."""
    reading = Reading(run, document, Trace(document, tuple(events), run.question), [])
    return lines(reading, follow(reading, get(run.reader), allowed(document, places)))


def _fate(one: Followed) -> dict[str, Any] | None:
    if one.fate is None:
        return None
    fate, row = one.fate, one.fate.row
    return {"kind": capitalised(row.id), "step": fate.step, "sentence": one.sentence, "end": row.end, "mends": row.mends}


def _marks(one: Followed, trace: Trace, names: Mapping[str, str]) -> Iterator[Mark]:
    """The marks of a line in the order of steps; of very many, equal ones in a row are one, except for the deciding step."""
    raw = {moment.step for moment in one.life.of("raw")}
    marks = [_mark(moment, called(moment.ref, trace, names), raw=moment.step in raw) for moment in one.life.by_step.values()]
    deciding = one.fate.step if one.fate else -1
    if one.fate and deciding not in one.life.by_step:
        marks.append(
            {"from": deciding, "to": deciding, "shape": "none", "raw": False, "answering": False, "say": "nothing of it"}
        )
    marks.sort(key=lambda mark: mark["from"])
    if len(marks) <= MOST_MARKS:
        yield from marks
        return
    for _, group in groupby(marks, key=lambda mark: (mark["shape"], mark["raw"], mark["answering"], mark["from"] == deciding)):
        same = list(group)
        yield {**same[0], "to": same[-1]["to"]}


def _mark(moment: Moment, text: str, *, raw: bool) -> Mark:
    """The mark of a moment; `text` is the noun phrase for the text that carried or lost the fact, `raw`: it stood raw there."""
    shape = moment.state if moment.state != "answering" else moment.verdict if moment.ref else "raw"
    too = raw and moment.state not in ("raw", "answering")
    said = f"stood raw before the model; {_said(moment, text)}" if too else _said(moment, text)
    return {
        "from": moment.step, "to": moment.step, "shape": shape, "raw": too, "answering": moment.answering, "say": said,
    }  # fmt: skip


def _said(moment: Moment, text: str) -> str:
    if moment.state == "answering":
        return f"in the answering call, {f'in {text}' if moment.ref else 'raw'}"
    before = "" if moment.written else ", in the answering call," if moment.answering else ", before the model,"
    sentences: Mapping[State, str] = {
        "raw": "stood raw before the model",
        "carried": f"{text}{before} says it",
        "altered": f"{text}{before} says it with another value",
        "unclear": f"whether {text}{before if moment.answering else ''} says it cannot be told by its words",
        "lost": f"{text}{before} does not say it",
        "not opened": f"{text} was {'offered, and ' if moment.shown else ''}not opened",
        "left out": f"{text} was taken out of view",
    }
    return sentences[moment.state]
