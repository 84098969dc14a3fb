"""The decision card of a step: what was offered, what was chosen, and the stated reason. Pure.

A reason is what the model said, not what made it choose. Not here: how the card is drawn (`assets/js/player/decision.js`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from readers.engine.record import options
from readers.engine.record.events import Chose, CutOff, Event, Misread
from readers.engine.record.narrative import (
    WHAT_HELPS,
    Narrative,
    Ranking,
    StepOption,
    StepRecord,
    in_plain_words,
    reason_in_plain_words,
)
from readers.engine.record.scores import shortened
from readers.engine.record.trace import Trace
from readers.engine.text import refs
from readers.engine.text.phrases import call_number
from readers.engine.text.shorten import shorten_at_word, truncate_at_word

LONGEST_OPTION, LONGEST_STRETCH = 700, 120
Replies = Mapping[tuple[int, int], str]  # by call and attempt
MOST_PLACES, MOST_LEFT = 40, 5  # of a ranking: places in all, and rejected places


def decision(record: StepRecord, narrative: Narrative, *, before: Mapping[str, str], replies: Replies) -> dict[str, Any] | None:
    """The card of one step; None if nothing was decided, misread or refused. `before`: the fate of each place opened earlier;
    `replies`: the words of replies."""
    notes = [_with_reply(note, event, record, replies) for event in record.events for note in _notes(event, record, narrative)]
    if last_misread := next((note for note in reversed(notes) if note["head"] == "Misread"), None):
        last_misread["help"] = WHAT_HELPS
    offer, ranking = options.decided(record, narrative), narrative.ranking(record)
    if not offer and not notes and not ranking:
        return None
    card: dict[str, Any] = {"notes": notes, "options": [], "reason": "", "by_model": False}
    if not offer and (refused := options.refused(record, narrative)):
        card |= {"at": record.place_name(), "action": "refused", "options": [_refused(one, narrative, before) for one in refused]}
    if offer and (last := offer.decision):
        card |= {
            "at": record.place_name(),
            "action": last.action,
            "options": [
                _offered(one) if one.ref in narrative.offers else _place(one, before, of_label=offer.of_labels)
                for one in offer.options
            ],
            "reason": _reason(last, record, narrative),
            "counting": narrative.counting(last, record) if record.asked else "",
            "by_model": offer.by_model,
        }
    return card | _ranked(ranking, record) if ranking else card


def _reason(last: Chose, record: StepRecord, narrative: Narrative) -> str:
    """What was stated as the reason; empty for a decision whose words are none, as what a look back asked for."""
    if not narrative.decision(last.action).reasoned:
        return ""
    return last.because if record.asked else shortened(last.because)


def _notes(event: Event, record: StepRecord, narrative: Narrative) -> Iterator[dict[str, str]]:
    """Notes beside the decision: misread replies, and decisions made by a rule."""
    if isinstance(event, Misread):
        yield {
            "head": "Misread",
            "text": f"Reply {event.attempt + 1}{_to_call(event.seq, record)} could not be used: {in_plain_words(event.problem)}.",
        }
    elif isinstance(event, CutOff):
        yield {"head": "Cut off", "text": f"Reply {event.attempt + 1} was used as far as it went: {event.problem}."}
    elif isinstance(event, Chose) and options.by_rule(event, narrative):
        head = narrative.decision(event.action).note
        yield {"head": head, "text": f"{record.name(event.picked)}: {shortened(reason_in_plain_words(event.because))}."}


def _to_call(seq: int, record: StepRecord) -> str:
    """Which call of the reading it was, at a step with several; a place may have no name yet at a step that builds."""
    calls = {asked.seq for asked in record.asked}
    return f" to {call_number(seq)}" if len(calls) > 1 and seq in calls else ""


def _with_reply(note: dict[str, str], event: Event, record: StepRecord, replies: Replies) -> dict[str, str]:
    """The note on a reply that could not be used, or of which a rule made nothing, with the reply beside it."""
    asked = next((one for one in record.asked if one.attempt is not None), None)
    if isinstance(event, Misread):
        reply = replies.get((event.seq, event.attempt))
    elif isinstance(event, Chose) and event.action == "unchanged" and asked and asked.attempt is not None:
        reply = replies.get((asked.seq, asked.attempt))
    else:
        return note
    return note | ({"reply": shorten_at_word(reply, LONGEST_OPTION)} if reply else {})


def _offered(one: StepOption) -> dict[str, Any]:
    """A word that was offered beside texts."""
    return {"mark": one.mark, "name": one.name, "picked": one.taken, "note": "chosen" if one.taken else "offered"}


def _refused(one: StepOption, narrative: Narrative, before: Mapping[str, str]) -> dict[str, Any]:
    """What was offered where the choice was refused: nothing was taken."""
    made = _offered(one) if one.ref in narrative.offers else _place(one, before, of_label=False)
    return made | ({"picked": False, "struck": True, "note": "chosen, and refused"} if one.taken else {})


def _place(one: StepOption, before: Mapping[str, str], *, of_label: bool) -> dict[str, Any]:
    """A text that was offered; of a label, the text that comes after it."""
    note = "chosen" if one.taken else before.get(one.name, "not taken" if of_label else "not opened")
    struck = not one.taken and one.name in before
    name = f"{one.name}, before" if of_label and one.shows else one.name
    shown = {"mark": one.mark, "name": name, "picked": one.taken, "note": note, "struck": struck}
    return shown | ({"ref": one.shows} if one.shows else {})


def _ranked(ranking: Ranking, record: StepRecord) -> dict[str, Any]:
    """The card of places that a rule took or left; only the first of many."""
    most = min(MOST_PLACES, sum(place.taken for place in ranking.places) + MOST_LEFT)
    places = [
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
    return {"at": "", "action": "ranked", "options": places, "reason": ranking.rule, "by_model": False}


def texts(trace: Trace, cards: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The beginning of every option's text, by its ref. The same options come up at many steps."""
    shown = {option["ref"]: None for card in cards for option in card["options"] if "ref" in option}
    return {ref: words for ref in shown if (words := _words(trace, ref))}


def _words(trace: Trace, ref: str) -> str:
    """The beginning of the text that a ref names."""
    return truncate_at_word(options.text_of(trace, ref), LONGEST_STRETCH if refs.span(ref) else LONGEST_OPTION)
