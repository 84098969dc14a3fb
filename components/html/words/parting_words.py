"""Where two readings diverge, in words. Pure.

Not here: where that is (`readers/engine/analysis/differences.py`), and how it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from readers import get
from readers.engine.analysis.differences import LEADS, Difference, Divergence, first_difference, where_paths_diverge
from readers.engine.store import Reading
from readers.engine.text.document import Document, Span

# The step of each of the two, from 0, at which they diverge: the last step of a reading without such a step; None if they do not
# diverge.
Steps = tuple[int | None, int | None]
NOT_PARTED: Steps = (None, None)
NOTHING_MORE = "It opened nothing more word for word."
_Names = Sequence[Mapping[str, str]]
SAME_WAY = "what each opened word for word after its memory was built, in the order it opened it"


class Parting(NamedTuple):
    """Where two readings diverge, in words: for each its step (from 0), what happened there, and what it wrote or was shown. They
    do not part without `sides`."""

    lead: str
    sides: tuple[tuple[int | None, str, str], ...] = ()
    note: str = ""


ALIKE = Parting("They do not differ: every step, prompt and reply is the same.")


def part(one: Reading, other: Reading, sentences: Callable[[Reading], Sequence[str]]) -> tuple[Parting, Steps]:
    """Where two readings of the same text part, in words, and the step of each. `sentences` are the steps of a reading in
    words, which are wanted only of readings by the same reader."""
    if one.run.reader != other.run.reader:
        told = ways_told(where_paths_diverge(one.trace, other.trace), one.document)
        return told, (_step_of(told, 0, one), _step_of(told, 1, other)) if told.sides else NOT_PARTED
    difference = first_difference(one, other)
    names = [get(reading.run.reader).names(reading.trace) for reading in (one, other)]
    told = parting(difference, (one, other), [sentences(reading) for reading in (one, other)], names)
    return told, (_step_of(told, 0, one), _step_of(told, 1, other)) if difference else NOT_PARTED


def _step_of(told: Parting, which: int, reading: Reading) -> int:
    step = told.sides[which][0] if told.sides else None
    return max(0, len(reading.trace.steps) - 1) if step is None else step


def parting(found: Difference | None, both: Sequence[Reading], told: Sequence[Sequence[str]], names: _Names) -> Parting:
    """Where two readings by the same reader part. `told` are the steps of each in sentences, `names` the names of each one's
    texts."""
    if found is None:
        return ALIKE
    sides = []
    for n in (0, 1):
        at = found.steps[n]
        sentence = told[n][at] if at is not None and at < len(told[n]) else "It has no steps."
        sides.append((at, sentence, found.words[n]))
    place = (
        next((names[n].get(found.about[n], "") for n in (0, 1) if found.about[n] in names[n]), "")
        if found.kind == "wrote"
        else ""
    )
    if both[0].run.question != both[1].run.question and found.kind == "asked":
        return Parting(f"{LEADS['asked']}: the questions are not the same.", tuple(sides))
    return Parting(f"{LEADS[found.kind]}{f', for {place}' if place else ''}.", tuple(sides))


def ways_told(found: Divergence | None, document: Document) -> Parting:
    """Where the ways of two different readers through a text part."""
    if found is None:
        return Parting("They opened the same places, or nearly the same, in the same order.", note=f"Compared is {SAME_WAY}.")
    before = max(found.before)
    if found.overlap:
        lead = "Their places overlap, but they are not the same"
        lead += "; the ones before were, or nearly." if before else ", from the first one on."
    elif before:
        lead = "After places that overlap, in the same order, they went to different ones."
    else:
        lead = "They went to different places from the first one on."
    sides = tuple(
        (opened.step if opened else None, f"It opened {place(opened.span, document)}." if opened else NOTHING_MORE, "")
        for opened in found.places
    )
    return Parting(
        lead,
        sides,
        f"Compared is {SAME_WAY}. Two places overlap if the part they share is longer than what comes before it, and are "
        f"nearly the same if the other reading also opened three quarters of each.",
    )


def stepping(same_reader: bool, first: int | None) -> str:
    """How two players step when they are locked together. `first` is the step, from 0, of the first one where they part."""
    if not same_reader:
        return "Locked together, both are equally far through their own steps, because they have no steps in common."
    rule = "Locked together, both show the step with the same number"
    if first is None:
        return f"{rule}."
    return f"{rule}: alike before step {first + 1:,}, where they part, and in step after it."


def place(span: Span, document: Document) -> str:
    """Where in a text a place is: its pages, or else its share of the way."""
    if pages := document.pages_of(span):
        return pages
    length = len(document.text)
    start, end = (100 * edge / max(1, length) for edge in span)
    exact = 1 if length > 100_000 or end - start < 1 else 0
    return f"{start:.{exact}f}% to {end:.{exact}f}% of the text"
