"""What a step made, beside what it was made of: the texts it wrote, the cuts of the text, and the places to pause that it was
offered. Pure.

`wrote`: { "head", "items": [{ "ref", "role", "name", "text", "spans", "of" }], "more": n }. `head` counts several texts, `spans`
are the places that the call which wrote a text held raw, `of` the names of the earlier texts in it. What only says what was
decided, a query or a name for instance, has nothing `of` its prompt, and is not there if a rule copied it. A reply that was
refused, or by which the text was cut, of which nothing was written, is there without a ref.
`cuts`: where the parts begin. `pauses`: [place, whether it was taken], in order. Not here: what was decided, and out of what
(`decision_card.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from components.player import browser_text
from components.player.decision_card import Replies
from readers.engine.analysis.coverage import own_sources
from readers.engine.record.events import Chose, Cut, Wrote
from readers.engine.record.narrative import Narrative, StepRecord, reason_in_plain_words
from readers.engine.record.trace import SCORE_PROMPT, Trace
from readers.engine.text import refs
from readers.engine.text.document import Text
from readers.engine.text.phrases import capitalised, counted, listed, singular
from readers.engine.text.shorten import truncate_at_word

MOST, LONGEST = 8, 400  # texts of a step, and characters of each; more are counted
MOST_OF = 4  # names of what a text was made of


def step_texts(record: StepRecord, narrative: Narrative, replies: Replies) -> dict[str, Any]:
    """What a step made, by name; empty if it made nothing. `replies`: the words of replies, by call and attempt."""
    unit = browser_text.counter(record.trace.document.text)
    cuts = [event.spans for event in record.events if isinstance(event, Cut) and len(event.spans) > 1]
    wrote = [event for event in record.wrote if event.role not in narrative.roles_in_decisions or _has_reply(event)]
    found = {
        "wrote": _written(wrote, record, narrative) or _unrecorded(record, narrative, replies),
        "cuts": [unit(start) for start, _ in cuts[0]] if cuts else None,
        "pauses": [(unit(place), taken) for place, taken in _pauses(record, narrative)],
    }
    return {name: value for name, value in found.items() if value}


def rules_on_texts(trace: Trace) -> dict[str, str]:
    """What a rule did to texts before they were written, by ref: cut them, or put something in the place of a reply. The decision
    that was made just before a text was written says so."""
    found = {}
    for step in trace.steps:
        made: Chose | None = None
        for event in trace.of(step):
            if isinstance(event, Chose) and event.action in ("truncate", "fallback"):
                made = event
            elif isinstance(event, Wrote):
                if made and (made.action == "truncate" or not _has_reply(event)):
                    done = "cut to " if made.action == "truncate" else ""
                    found[refs.wrote(event.n)] = f"{done}{made.picked}, because {reason_in_plain_words(made.because)}"
                made = None
    return found


def _written(wrote: Sequence[Wrote], record: StepRecord, narrative: Narrative) -> dict[str, Any] | None:
    if not wrote:
        return None
    roles = Counter(singular(event.role) for event in wrote)
    head = f"{listed([counted(count, role) for role, count in roles.items()])} written here" if len(wrote) > 1 else ""
    items = [_item(event, record, narrative) for event in wrote[:MOST]]
    return {"head": head, "items": items, "more": len(wrote) - len(items)}


def _item(wrote: Wrote, record: StepRecord, narrative: Narrative) -> dict[str, Any]:
    trace, decides = record.trace, wrote.role in narrative.roles_in_decisions
    ref, parents = refs.wrote(wrote.n), () if decides else trace.parent_texts(wrote.pieces)
    called = record.names.get(ref, singular(wrote.role))
    names = dict.fromkeys(record.names.get(refs.wrote(n), singular(trace.wrote[n].role)) for n in parents if n in trace.wrote)
    return {
        "ref": ref,
        "role": singular(wrote.role),
        "name": capitalised(singular(wrote.role) if wrote.text[:20] in called else called),
        "text": truncate_at_word(wrote.text, LONGEST),
        "spans": browser_text.spans(trace.document.text, own_sources(trace, wrote.pieces)),
        "of": list(names)[:MOST_OF],
        "of_more": max(0, len(names) - MOST_OF),
    }


def _unrecorded(record: StepRecord, narrative: Narrative, replies: Replies) -> dict[str, Any] | None:
    """The reply of a step whose choice was refused, or by which the text was cut: no event has all of its words."""
    asked = next((one for one in reversed(record.asked) if one.prompt != SCORE_PROMPT), None)
    refused = any(narrative.decision(event.action).mark == "warn" for event in record.decisions[-1:])
    cut = any(isinstance(event, Cut) and len(event.spans) > 1 for event in record.events)
    if record.wrote or not (refused or cut) or asked is None or asked.attempt is None:
        return None
    reply = truncate_at_word(replies.get((asked.seq, asked.attempt), ""), LONGEST)
    name = "The reply that was refused" if refused else "The reply"
    item = {"ref": "", "role": "reply", "name": name, "text": reply, "spans": [], "of": [], "of_more": 0}
    return {"head": "", "items": [item], "more": 0} if reply else None


def _has_reply(wrote: Wrote) -> bool:
    return any(refs.kind(piece.origin) == "reply" for piece in wrote.pieces)


def _pauses(record: StepRecord, narrative: Narrative) -> list[tuple[int, bool]]:
    """Where the labels stand that the model could choose from, and which was taken: by it, or by the rule that took the last."""
    offered = next((texts for event in record.asked for part, texts in event.parts if part == narrative.labelled_part), ())
    end = len(record.trace.document.text)  # a label may stand after the last words
    places = [min((span.start for span in Text("", pieces).spans), default=end) for pieces in offered]
    chose = next((event for event in reversed(record.decisions) if len(event.among) == len(places)), None)
    if not places or chose is None:
        return []
    taken = chose.among.index(chose.picked) if chose.picked in chose.among else len(places) - 1
    return [(place, number == taken) for number, place in enumerate(places)]
