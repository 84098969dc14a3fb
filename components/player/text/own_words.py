"""Where terms stand in what the player shows of our own words: the sentences of the steps, and fixed words. Pure.

A sentence about a step also names and quotes what a model or a text said. Those words are never marked as terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from components.html import terms
from components.player.text import browser_text
from readers.engine.record.events import Chose, CutOff, Ended, Misread
from readers.engine.record.narrative import Narrative, StepRecord
from readers.engine.text import refs

Marks = list[tuple[int, int, str]]  # start and end in the browser's units, and the term's id
_FIXED = ("caption", "walk_caption", "hint", "note")


def in_sentence(sentence: str, record: StepRecord, narrative: Narrative) -> Marks:
    """The terms in the sentence of a step, without those in the words of a model or a text."""
    return _marks(sentence, quoted(record, narrative))


def quoted(record: StepRecord, narrative: Narrative) -> Iterator[str]:
    """What a sentence about a step may repeat of a model's or a text's words: reasons, problems, and the names of what was
    written, an entity's for instance."""
    for event in record.events:
        if isinstance(event, Chose):
            yield from _with_and_without_stop(event.because)
            for named in (event.picked, *event.among):
                yield from _others_name(named, record, narrative)
        elif isinstance(event, (Misread, CutOff)):
            yield from _with_and_without_stop(event.problem)
        elif isinstance(event, Ended):
            yield from _with_and_without_stop(event.reason)


def _with_and_without_stop(words: str) -> tuple[str, str]:
    return words, words.rstrip(".")


def _others_name(named: str, record: StepRecord, narrative: Narrative) -> Iterator[str]:
    """The name of what a decision picked, unless the name is the reader's own (`segment 3`)."""
    if refs.span(named) is not None or named in narrative.offers:
        return
    number = refs.written(named)
    wrote = None if number is None else record.trace.wrote.get(number)
    if wrote is None or wrote.role in narrative.roles_in_decisions:
        yield record.name(named)


def fixed(picture: Mapping[str, Any] | None, heads: Iterable[str]) -> dict[str, Marks]:
    """The terms in the fixed words of a picture (its captions, its legend, the heads of its panels) and in other `heads`."""
    drawn = picture or {}
    words = [str(drawn.get(name) or "") for name in _FIXED]
    words += [str(meaning) for meaning in drawn.get("meanings", {}).values()]
    words += [str(group["head"]) for groups in drawn.get("panels", {}).values() for group in groups]
    return {each: found for each in dict.fromkeys([*words, *heads]) if (found := _marks(each))}


def _marks(words: str, protected: Iterable[str] = ()) -> Marks:
    unit = browser_text.counter(words)
    return [(unit(start), unit(end), term) for start, end, term in terms.marks(words, protected=protected)]
