"""What could be chosen at a step: the options, the choice, and whether a person can predict it. Pure.

Lessons, the player's stops and classes all ask `options`, so the same steps can be predicted everywhere, with the same options. A
memory that is rewritten is also such a step: the options are sentences that the new memory may keep. Not here: how options are
shown (`components/player/decision_card.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import Literal

from readers.engine.record.events import Chose
from readers.engine.record.narrative import Narrative, StepOption, StepRecord
from readers.engine.record.trace import Trace
from readers.engine.text import refs
from readers.engine.text.document import Text
from readers.engine.text.shorten import truncate_at_word

REFUSED = "Refused"  # what heads the note on a choice that was refused
LONGEST_TEXT = 4_000  # characters: some 600 words, more than a summary or a page has
Verb = Literal["chose", "kept"]


@dataclass(frozen=True)
class StepOptions:
    """What was on offer at step `step` (from 0). `asks` is the question for those who predict it, `verb` what the model did with
    the options it took. `decision` is what decided, None for a memory; `of_labels`: labels between paragraphs were offered."""

    step: int
    options: tuple[StepOption, ...]
    by_model: bool
    decision: Chose | None = None
    of_labels: bool = False
    asks: str = "What will the model choose?"
    verb: Verb = "chose"

    @property
    def predictable(self) -> bool:
        """Whether a person can predict it: the model took some of the options, but not all. Nothing can be seen before the first
        step, so that is never predicted."""
        taken = [one.taken for one in self.options]
        return self.step > 0 and self.by_model and any(taken) and not all(taken)


def options(record: StepRecord, narrative: Narrative) -> StepOptions | None:
    """What could be chosen at a step, with the texts of the options if it can be predicted; None where nothing was on offer."""
    offer = decided(record, narrative)
    if offer is None or not offer.predictable:
        kept = tuple(narrative.may_be_kept(record))
        asks = f"What will the new {narrative.carried} keep?"
        return StepOptions(record.step.number, kept, by_model=True, asks=asks, verb="kept") if kept else offer
    texts = (truncate_at_word(text_of(record.trace, one.shows).strip(), LONGEST_TEXT) for one in offer.options)
    return replace(offer, options=tuple(one._replace(text=text) for one, text in zip(offer.options, texts, strict=True)))


def decided(record: StepRecord, narrative: Narrative) -> StepOptions | None:
    """What the last decision of a step chose from, without the texts of the options; None where only rules decided."""
    made = [event for event in record.decisions if not by_rule(event, narrative) and not narrative.decision(event.action).listed]
    if not made:
        return None
    last = made[-1]
    picked = {event.picked for event in made if event.among == last.among}  # some readers may choose several at once
    options = tuple(_options_of(last, picked, record, narrative))
    stretches = _labelled(record, narrative)
    if len(stretches) == len(options):
        options = tuple(one._replace(shows=ref or one.shows) for one, ref in zip(options, stretches, strict=True))
    return StepOptions(record.step.number, options, bool(record.asked), last, of_labels=bool(stretches))


def refused(record: StepRecord, narrative: Narrative) -> tuple[StepOption, ...]:
    """What was offered where a choice was refused, those that were chosen taken."""
    made = [event for event in record.decisions if event.among and narrative.decision(event.action).note == REFUSED]
    return tuple(_options_of(made[-1], {event.picked for event in made}, record, narrative)) if made else ()


def by_rule(event: Chose, narrative: Narrative) -> bool:
    """Whether a rule made this decision. Stopping is the model's decision if it was among the options offered."""
    return bool(narrative.decision(event.action).note) and not (event.action == "stop" and event.picked in narrative.offers)


def _options_of(decision: Chose, picked: Set[str], record: StepRecord, narrative: Narrative) -> Iterator[StepOption]:
    number = 0
    for ref in dict.fromkeys([*decision.among, *picked]):
        if ref in narrative.offers:
            yield StepOption(ref, *narrative.offers[ref], ref in picked)
            continue
        number += 1
        yield StepOption(ref, str(number), record.name(ref), ref in picked, ref if refs.written(ref) is not None else "")


def _labelled(record: StepRecord, narrative: Narrative) -> Sequence[str]:
    """What comes after each label between paragraphs that was offered, by its ref: a label is taken, and not opened."""
    parts = (texts for event in record.asked for part, texts in event.parts if part == narrative.labelled_part)
    return [Text("", pieces).ref for pieces in next(parts, ())]


def text_of(trace: Trace, ref: str) -> str:
    """The whole text that a ref names: something written, or a place of the document; empty for words."""
    if (number := refs.written(ref)) in trace.wrote:
        return trace.wrote[number].text
    start, end = refs.span(ref) or (0, 0)
    return trace.document.text[start:end]
