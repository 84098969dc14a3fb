"""Hints for annotators about pages, gists and look-ups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from readers.engine.record.events import Answered, Looked, Wrote
from readers.engine.record.hint import Hint, HintSource, content_words, overlap, steps_of
from readers.engine.text import refs, words
from readers.engine.text.document import DOCUMENT, Span
from readers.engine.text.phrases import listed, times, were
from readers.engine.text.words import terms
from readers.readagent.narrative import LOOK_UP_PHASE, page_name
from readers.readagent.view import gists_at_the_end

# Hints about requested pages that were not opened, by the recorded reason.
_DROPPED = {
    "repeated": ("asked_again", "It asked {} for a page that was open already."),
    "over the cap": ("over_the_limit", "It asked {} for more pages than it was allowed."),
    "out of range": ("no_such_page", "It asked {} for a page that there is not."),
}


def hints(source: HintSource) -> Iterator[Hint]:
    """How far gists shorten, which requests were dropped, and which opened pages the answer does not use."""
    gists = _kept_gists(source)
    if not gists:
        return
    yield from _compressed(source, gists)
    for because, (kind, told) in _DROPPED.items():
        if dropped := [(step, event) for step, event in source.decisions("drop") if event.because == because]:
            yield Hint(kind, steps_of(dropped), told.format(times(len(dropped))))
    yield from _unused(source)


def _kept_gists(source: HintSource) -> list[tuple[int, Wrote]]:
    """The gists with their steps, without those of pages that were merged or shortened again."""
    kept = gists_at_the_end(source.trace)
    return [(step, event) for step, event in source.wrote("gist") if refs.wrote(event.n) in kept]


def _compressed(source: HintSource, gists: Sequence[tuple[int, Wrote]]) -> Iterator[Hint]:
    """How much of the words gists keep, and of which page the least."""
    pages: list[tuple[float, int, int, int, str]] = []
    for step, event in gists:
        sources = source.trace.sources(event.pieces)
        whole = sum(words.count(source.trace.document.text[start:end]) for start, end in sources)
        if whole:
            name = source.name_of(refs.wrote(event.n), f"the gist of {page_name(len(pages))}")
            pages.append((words.count(event.text) / whole, words.count(event.text), whole, step, name))
    if pages:
        least = min(pages)
        share = sum(page[1] for page in pages) / sum(page[2] for page in pages)
        name = least[4] if least[4].startswith("the gist") else f"the gist of {least[4]}"
        told = (
            f"Its gists keep {share:.0%} of the words; {name} keeps the least, {least[0]:.0%} ({least[1]} of {least[2]} words)."
        )
        yield Hint("compressed", (least[3],), told)


def _unused(source: HintSource) -> Iterator[Hint]:
    """Pages that were opened, and of whose words the answer has none."""
    if not isinstance(source.trace.end, Answered) or not (answer := content_words(source.trace.end.text)):
        return
    unused: list[tuple[int, str]] = []
    for step, event in source.events_of(Looked):
        page = "\n".join(source.trace.document.text[p.begin : p.stop] for p in event.pieces if p.origin == DOCUMENT)
        if source.trace.steps[step - 1].phase == LOOK_UP_PHASE and page and not answer & set(terms(page)):
            unused.append((step, source.name_of(event.ref, "a page")))
    if unused:
        names = listed(dict.fromkeys(name for _, name in unused), most=4)
        told = (
            f"{names[0].upper()}{names[1:]} {were(len(unused))} opened, and the answer has none of the less common words there."
        )
        yield Hint("opened_unused", steps_of(unused), told)


def hints_from_evidence(source: HintSource, evidence: Sequence[Span]) -> Iterator[Hint]:
    """Pages with evidence that were not opened for the question."""
    gists = _kept_gists(source)
    if not gists or not any(step.phase == LOOK_UP_PHASE for step in source.trace.steps):
        return
    kept = {event.picked for _, event in source.decisions("look_up")} - {
        event.picked for _, event in source.decisions("put_back")
    }
    closed = [
        source.name_of(refs.wrote(event.n), "a page")
        for _, event in gists
        if refs.wrote(event.n) not in kept and overlap(source.trace.sources(event.pieces), evidence)
    ]
    if closed:
        steps = tuple(step.number + 1 for step in source.trace.steps if step.names[-1].startswith("request"))
        told = f"Known evidence stands on what was not opened: {listed(dict.fromkeys(closed), most=4)}."
        yield Hint("evidence_closed", steps, told)
