"""Figures of one reading, pure, under the same names for every reader; None where a figure does not apply.

Shares are of the document's characters, 0 to 1. *Read* is what stood raw in a prompt after the memory was built (during reading,
for a reader that builds none); *covered* counts what a summary stood for, too. Whether an answer is right is not measured here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from readers.engine.analysis import narrate_graph
from readers.engine.analysis.memory_snapshots import kept, rows, size, snapshots
from readers.engine.record.events import Answered, Asked
from readers.engine.record.journal import Record, decode_parts
from readers.engine.record.trace import SCORE_PROMPT, Trace, merge_spans
from readers.engine.text import words
from readers.engine.text.document import Document, Span

NAMES = (
    "outcome", "calls_live", "calls_reused", "tokens_in", "tokens_out", "cost_usd", "seconds",
    "read_fraction", "coverage_fraction",
    "reverts", "stray", "recovered",
    "lookups", "lookups_allowed", "words_reread", "compression_rate",
    "trials", "edges_considered", "segments_added", "segments_filtered", "questions_kept", "questions_dropped",
    "memory_tokens", "memory_kept", "truncations", "recalls",
    "misreads", "fallbacks",
)  # fmt: skip


def measures(trace: Trace, records: Sequence[Record], *, seconds: float | None = None) -> dict[str, Any]:
    """Every figure by its name. Tokens and cost are those of live calls; the cost is None as soon as one price is unknown."""
    live = [r for r in records if r.origin == "live" and r.reply is not None and r.task != "score"]
    paid = [r for r in records if r.origin == "live" and r.reply is not None]
    costs = [r.cost_usd for r in paid]
    found: dict[str, Any] = dict.fromkeys(NAMES)
    found |= {
        "outcome": trace.outcome,
        "calls_live": len(live),
        "calls_reused": sum(r.origin != "live" for r in records),
        "tokens_in": sum(r.tokens_in or 0 for r in paid),
        "tokens_out": sum(r.tokens_out or 0 for r in paid),
        "cost_usd": None if None in costs else sum(cost or 0.0 for cost in costs),
        "seconds": seconds,
        "misreads": len(trace.misreads),
        "fallbacks": len(trace.decisions("fallback")),
    }
    return found | _coverage(trace) | _turns(trace) | _look_ups(trace, records) | _trials(trace) | _memories(trace)


def _coverage(trace: Trace) -> dict[str, float]:
    asked = [event for event in trace.events[trace.built_until :] if isinstance(event, Asked) and event.prompt != SCORE_PROMPT]
    raw = [span for event in asked for span in trace.spans_shown(event.seq)]
    pieces = {piece for event in asked for _, texts in event.parts for text in texts for piece in text}
    covered = trace.sources(tuple(sorted(pieces)))
    return {"read_fraction": _share(raw, trace), "coverage_fraction": _share([*raw, *covered], trace)}


def _share(spans: Iterable[Span], trace: Trace) -> float:
    length = len(trace.document.text)
    return sum(end - start for start, end in merge_spans(spans)) / length if length else 0.0


def _turns(trace: Trace) -> dict[str, int | bool | None]:
    """MemWalker's: how often it went back up; whether it strayed at all; and whether it then still answered (section 4 of the
    paper)."""
    if not trace.decisions("enter"):
        return {}
    reverts = len(trace.decisions("revert"))
    return {"reverts": reverts, "stray": reverts > 0, "recovered": isinstance(trace.end, Answered) if reverts else None}


def _trials(trace: Trace) -> dict[str, int]:
    """QRMeM's: how often the model was asked whether it can answer, and what was weighed, brought into view and taken out of it;
    and how many of the questions it asked itself were kept."""
    steps = [step for step in trace.steps if narrate_graph.tells(step.names)]
    if not steps:
        return {}
    counts = {"edges_considered": "consider", "segments_added": "add", "segments_filtered": "filter"}
    counts |= {"questions_kept": "keep", "questions_dropped": "drop_question"}
    trials = sum(step.names[-1].startswith("trial ") for step in steps)
    return {"trials": trials, **{name: len(trace.decisions(action)) for name, action in counts.items()}}


def _look_ups(trace: Trace, records: Sequence[Record]) -> dict[str, Any]:
    """ReadAgent's: how many pages were opened of how many allowed, their words, and how much shorter than the text what was
    remembered is, before the look-up and after it."""
    gists = _gists(trace)
    if not gists:
        return {}
    asked = [event for event in trace.events[trace.built_until :] if isinstance(event, Asked)]
    shown = trace.spans_shown(asked[-1].seq) if asked else ()
    reread = sum(_words(trace, span) for span in shown)
    gisted = sum(words.count(text) for text in gists.values())
    closed = [text for page, text in gists.items() if not any(start < page.end and page.start < end for start, end in shown)]
    still = sum(map(words.count, closed))
    whole = words.count(trace.document.text) or 1
    return {
        "lookups": len(trace.decisions("look_up")) - len(trace.decisions("put_back")),
        "lookups_allowed": _allowed(records, trace.document),
        "words_reread": reread,
        "compression_rate": {"before": 1 - gisted / whole, "after": 1 - (still + reread) / whole},
    }


def _gists(trace: Trace) -> dict[Span, str]:
    """The gists by what they stand for; without those that were put into a later one."""
    found: dict[Span, str] = {}
    until = 0
    for wrote in trace.wrote.values():
        if wrote.role == "gist" and (sources := trace.sources(wrote.pieces)):
            page = Span(sources[0].start, sources[-1].end)
            if page.start < until:
                found = {span: text for span, text in found.items() if not page.start <= span.start < page.end}
            found[page] = wrote.text
            until = max(until, page.end)
    return found


def _memories(trace: Trace) -> dict[str, Any]:
    """MemAgent's and ReMemR1's: the size of the memory after each chunk, the share of its words that the next one still has (None
    where it had none), how often it was cut, and for ReMemR1 how many steps back each recall went, by its step."""
    found = snapshots(trace)
    if not found:
        return {}
    still = [kept(before.text, after.text) for before, after in pairwise(found)]
    recalls = [{"step": row["step"], "distance": row["callback"]["distance"]} for row in rows(found) if row["callback"]]
    return {
        "memory_tokens": [size(one.text) for one in found],
        "memory_kept": still,
        "truncations": sum(one.truncated for one in found),
        "recalls": [recall for recall in recalls if recall["distance"] is not None] if trace.decisions("recall") else None,
    }


def _words(trace: Trace, span: Span) -> int:
    return words.count(trace.document.text[span.start : span.end])


def _allowed(records: Sequence[Record], document: Document) -> int | None:
    """The number of pages that the first request for any was allowed; None where none was asked for."""
    for record in records:
        if record.task in ("choose", "choose_many"):
            limits = [part.texts for part in decode_parts(record.parts, document) if part.name == "limit"]
            return int(limits[0][0].text) if limits else None
    return None
