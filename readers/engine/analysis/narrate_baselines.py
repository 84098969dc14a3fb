"""Steps of the simple readers in words: what was kept of a text that did not fit, what was scored and taken, what stood in view.

Pure, as all of `narrate.py`, which takes these sentences beside the others. A step that has nothing of the kind has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from readers.engine.analysis.narrate_graph import listed
from readers.engine.record.events import Chose, Event, Looked
from readers.engine.text import refs

MOST_NAMED = 6
_BY = {"bm25": "BM25", "tfidf": "TF-IDF", "word_recall": "word recall", "jaccard": "Jaccard’s index"}


def decisions(step: Sequence[str], events: Sequence[Event], names: Mapping[str, str], length: int) -> Iterator[str]:
    """The sentences of one step, whose names are `step`; `length` is that of the document, in characters."""
    chosen = [event for event in events if isinstance(event, Chose)]
    looked = next((event for event in reversed(events) if isinstance(event, Looked)), Looked(()))
    for event in chosen:
        if event.action == "fit":
            yield f"All of the text fits, so nothing was left out: {event.because}."
        elif event.action == "leave_out":
            yield _kept(event, names, length)
    yield from _scored(chosen)
    if step[:1] == ("search",) and looked.pieces:
        yield f"It took {names.get(looked.ref, 'a piece')}: {looked.why}."
    elif step == ("answer",) and (shown := _shown(looked, names)):
        yield f"It was asked for an answer with {shown} in view."


def _kept(event: Chose, names: Mapping[str, str], length: int) -> str:
    """What was kept, and how much of the text that is."""
    kept = [names.get(ref, ref) for ref in event.among]
    start, end = refs.span(event.picked) or (0, 0)
    share = 1 - (end - start) / length
    percent = "under 1%" if share < 0.01 else f"{share:.0%}"
    return f"It kept {listed(kept)} ({percent} of the text) and left out {names.get(event.picked, 'the rest')}: {event.because}."


def _scored(chosen: Sequence[Chose]) -> Iterator[str]:
    taken = [event for event in chosen if event.action == "take"]
    for event in chosen:
        if event.action == "score" and taken:
            scores = sorted(map(float, event.because.split()), reverse=True)
            count = f"{len(scores):,} pieces" if len(scores) > 1 else "the one piece"
            yield f"It scored {count} against the question by {_by(event.picked)} and took {_taken(len(taken), len(scores))}."
            if len(taken) < len(scores) and scores[len(taken) - 1] == scores[len(taken)]:
                yield f"Others scored {scores[len(taken)]:.4f} as well; of equals the first in the text were taken."


def _by(scorer: str) -> str:
    """What scored, as it is called."""
    return _BY.get(scorer) or f"the embeddings of {scorer.partition('/')[2]}"


def _taken(taken: int, scored: int) -> str:
    if taken == scored:
        return "it" if scored == 1 else "all of them"
    return "the best one" if taken == 1 else f"the best {taken:,}"


def _shown(looked: Looked, names: Mapping[str, str]) -> str:
    """What stood raw in view, in its order there; of much its number alone."""
    shown = [refs.place(*span) for span in looked.spans]
    called = [names[ref] for ref in shown if ref in names]
    if called == ["the whole"]:
        return "the whole text"
    if len(called) > MOST_NAMED:
        return f"{len(called):,} pieces of the text"
    if len(called) > 1 and all(name.startswith("piece ") for name in called):
        return f"pieces {listed(name.removeprefix('piece ') for name in called)}"
    return listed(called)
