"""The decision card of a step: what was offered, what was chosen, and the stated reason. Pure.

A reason is what the model said, not what made it choose. Not here: how the card is drawn (`assets/js/player/decision.js`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, NamedTuple

from readers.engine.record.events import Chose, CutOff, Event, Misread
from readers.engine.record.narrative import Narrative, Ranking, StepRecord, in_plain_words, reason_in_plain_words
from readers.engine.record.scores import shortened
from readers.engine.record.trace import Trace
from readers.engine.text import refs
from readers.engine.text.document import Text
from readers.engine.text.shorten import truncate

LONGEST_OPTION, LONGEST_STRETCH = 700, 120
MOST_PLACES, MOST_LEFT = 40, 5  # of a ranking: places in all, and rejected places


def decision(record: StepRecord, narrative: Narrative, before: Mapping[str, str]) -> dict[str, Any] | None:
    """The card of one step; None if nothing was decided, misread or refused. `before`: the fate of each place opened earlier."""
    notes = [note for event in record.events for note in _notes(event, record, narrative)]
    made = [event for event in record.decisions if not _by_rule(event, narrative) and not narrative.decision(event.action).listed]
    ranking = narrative.ranking(record)
    if not made and not notes and not ranking:
        return None
    card: dict[str, Any] = {"notes": notes, "options": [], "reason": "", "by_model": False}
    if made:
        last = made[-1]
        picked = {event.picked for event in made if event.among == last.among}  # some readers may choose several at once
        card |= {
            "at": record.place_name(),
            "action": last.action,
            "options": _options_with_places(last.among, picked, _Named(record, narrative, before)),
            "reason": last.because if record.asked else shortened(last.because),
            "counting": narrative.counting(last, record) if record.asked else "",
            "by_model": bool(record.asked),
        }
    return card | _ranked(ranking, record) if ranking else card


def _by_rule(event: Chose, narrative: Narrative) -> bool:
    """Whether a rule made this decision. Stopping is the model's decision if it was among the options offered."""
    return bool(narrative.decision(event.action).note) and not (event.action == "stop" and event.picked in narrative.offers)


def _notes(event: Event, record: StepRecord, narrative: Narrative) -> Iterator[dict[str, str]]:
    """Notes beside the decision: misread replies, and decisions made by a rule."""
    if isinstance(event, Misread):
        yield {"head": "Misread", "text": f"Reply {event.attempt + 1} could not be used: {in_plain_words(event.problem)}."}
    elif isinstance(event, CutOff):
        yield {"head": "Cut off", "text": f"Reply {event.attempt + 1} was used as far as it went: {event.problem}."}
    elif isinstance(event, Chose) and _by_rule(event, narrative):
        head = narrative.decision(event.action).note
        yield {"head": head, "text": f"{record.name(event.picked)}: {shortened(reason_in_plain_words(event.because))}."}


class _Named(NamedTuple):
    """What determines the name and the note of an option; `passed_by` is the note on one that was not chosen."""

    record: StepRecord
    narrative: Narrative
    before: Mapping[str, str]
    passed_by: str = "not opened"


def _options(among: Iterable[str], picked: Set[str], how: _Named) -> list[dict[str, Any]]:
    options = []
    number = 0
    for ref in dict.fromkeys([*among, *picked]):
        chosen = ref in picked
        if ref in how.narrative.offers:
            mark, name = how.narrative.offers[ref]
            options.append({"mark": mark, "name": name, "picked": chosen, "note": "chosen" if chosen else "offered"})
            continue
        number += 1
        name = how.record.name(ref)
        note = "chosen" if chosen else how.before.get(name, how.passed_by)
        option = {"mark": str(number), "name": name, "picked": chosen, "note": note, "struck": not chosen and name in how.before}
        options.append(option | ({"ref": ref} if refs.written(ref) is not None else {}))
    return options


def _options_with_places(among: Iterable[str], picked: Set[str], how: _Named) -> list[dict[str, Any]]:
    """The options. Labels between paragraphs, which are taken and not opened, get what comes after them in the text."""
    labelled = how.narrative.labelled_part
    offered = next((texts for event in how.record.asked for part, texts in event.parts if part == labelled), ())
    options = _options(among, picked, how._replace(passed_by="not taken") if offered else how)
    if len(offered) != len(options):
        return options
    stretches = [Text("", pieces).ref for pieces in offered]
    return [{**option, **({"ref": ref} if ref else {})} for option, ref in zip(options, stretches, strict=True)]


def _ranked(ranking: Ranking, record: StepRecord) -> dict[str, Any]:
    """The card of places that a rule took or left; only the first of many."""
    most = min(MOST_PLACES, sum(place.taken for place in ranking.places) + MOST_LEFT)
    options = [
        {
            "mark": place.mark,
            "name": record.name(place.ref),
            "picked": place.taken,
            "note": place.note,
            "struck": False,
            "ref": place.ref,
        }
        for place in ranking.places[:most]
    ]
    return {"at": "", "action": "ranked", "options": options, "reason": ranking.rule, "by_model": False}


def texts(trace: Trace, cards: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The beginning of every option's text, by its ref. The same options come up at many steps."""
    shown = {option["ref"]: None for card in cards for option in card["options"] if "ref" in option}
    return {ref: words for ref in shown if (words := _words(trace, ref))}


def _words(trace: Trace, ref: str) -> str:
    """The beginning of the text that a ref names: something written, or a span of the document."""
    if (number := refs.written(ref)) in trace.wrote:
        return truncate(trace.wrote[number].text, LONGEST_OPTION)
    start, end = refs.span(ref) or (0, 0)
    return truncate(trace.document.text[start:end], LONGEST_STRETCH)
