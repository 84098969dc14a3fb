"""Which sentences a memory may keep when it is rewritten, and which it keeps: what a person predicts of it. Pure.

They come from the memory before and from the chunk that was read there: the nearest by their words of those that the new memory
states, and of those that it does not. The rules of `facts/matching` decide; where they cannot tell, a sentence is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple

from readers.engine.analysis.facts.matcher import ComparableFact, match
from readers.engine.analysis.sentence_history import weights
from readers.engine.record.events import Wrote
from readers.engine.record.narrative import StepOption, StepRecord
from readers.engine.run.bounded_memory import MEMORY
from readers.engine.text import refs, split, words
from readers.engine.text.document import Span

MOST, MOST_KEPT = 6, 3  # sentences in all, and of these such as are kept
FEWEST_WORDS = 8  # a shorter sentence, such as a heading, says too little
COMPARED = 12  # sentences of the memory, and as many of the chunk, that are matched at most: the nearest


class _SourceSentence(NamedTuple):
    """A sentence of the memory before or of the chunk; `ref` is its place in the document, if it is of the chunk."""

    name: str
    text: str
    ref: str = ""


def may_be_kept(record: StepRecord, carried: str) -> Iterator[StepOption]:
    """The sentences in order, those of the memory first; none if no call rewrote it at this step. `carried` is what the memory is
    called."""
    after = next((event.text for event in record.wrote if event.role == MEMORY), "")
    if not after or not record.asked:
        return
    events, document = record.trace.events[: record.step.start], record.trace.document.text
    before = next((event.text for event in reversed(events) if isinstance(event, Wrote) and event.role == MEMORY), "")
    chunk = record.opened.spans[0] if record.opened and record.opened.spans else Span(0, 0)
    sources = (
        [one._replace(ref="") for one in _sentences(before, Span(0, len(before)), f"the {carried}")],
        list(_sentences(document, chunk, record.place_name("the text"))),
    )
    around = f"{before}\n\n{document[slice(*chunk)]}"
    kept: list[_SourceSentence] = []
    gone: list[_SourceSentence] = []
    for one, is_stated in filter(None, chain.from_iterable(zip_longest(*(_stated(each, after, around) for each in sources)))):
        (kept if is_stated else gone).append(one)
        if len(kept) >= MOST_KEPT and len(gone) >= MOST - MOST_KEPT:
            break
    offered = {*kept[:MOST_KEPT], *gone[: MOST - min(len(kept), MOST_KEPT)]}
    shown = [one for sentences in sources for one in sentences if one in offered]
    for number, one in enumerate(shown, 1):
        yield StepOption(one.name, str(number), one.name, one in kept, one.ref, one.text)


def _sentences(text: str, within: Span, where: str) -> Iterator[_SourceSentence]:
    for number, span in enumerate(split.sentences(text, within), 1):
        said = " ".join(text[slice(*span)].split())
        if words.count(said) >= FEWEST_WORDS:
            yield _SourceSentence(f"sentence {number} of {where}", said, refs.place(*span))


def _stated(sentences: Sequence[_SourceSentence], after: str, around: str) -> Iterator[tuple[_SourceSentence, bool]]:
    """Whether a memory states each of the sentences nearest to it, the nearest first; without those where rules cannot tell."""
    own = weights(after)
    shared = {one: sum(weight for word, weight in weights(one.text).items() if word in own) for one in sentences}
    for one in sorted({one.text: one for one in sentences}.values(), key=lambda one: -shared[one])[:COMPARED]:
        verdict = match(ComparableFact.of(one.text, around), after).verdict
        if verdict != "unclear":
            yield one, verdict == "carried"
