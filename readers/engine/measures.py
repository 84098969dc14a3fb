"""Figures of one reading, pure, under the same names for every reader; None where a figure does not apply.

Shares are of the document's characters, 0 to 1. *Read* is what stood raw in a prompt after the memory was built (during reading,
for a
reader that builds none); *covered* counts what a summary stood for, too. Whether an answer is right is not measured here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from readers.engine.events import Answered, Asked
from readers.engine.journal import Record
from readers.engine.text import Span
from readers.engine.trace import Trace, merged

NAMES = (
    "outcome", "calls_live", "calls_reused", "tokens_in", "tokens_out", "cost_usd", "seconds",
    "read_fraction", "coverage_fraction",
    "reverts", "stray", "recovered", "lookups", "compression_rate", "trials", "memory_tokens", "recalls",
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
        "fallbacks": len(trace.chose("fallback")),
    }
    return found | _coverage(trace) | _turns(trace)


def _coverage(trace: Trace) -> dict[str, float]:
    asked = [event for event in trace.events[trace.built_until :] if isinstance(event, Asked)]
    raw = [span for event in asked for span in trace.shown(event.seq)]
    pieces = {piece for event in asked for _, texts in event.parts for text in texts for piece in text}
    covered = trace.sources(tuple(sorted(pieces)))
    return {"read_fraction": _share(raw, trace), "coverage_fraction": _share([*raw, *covered], trace)}


def _share(spans: Iterable[Span], trace: Trace) -> float:
    length = len(trace.document.text)
    return sum(end - start for start, end in merged(spans)) / length if length else 0.0


def _turns(trace: Trace) -> dict[str, int | bool | None]:
    """MemWalker's: how often it went back up; whether it strayed at all; and whether it then still answered (section 4 of the
    paper)."""
    if not trace.chose("enter"):
        return {}
    reverts = len(trace.chose("revert"))
    return {"reverts": reverts, "stray": reverts > 0, "recovered": isinstance(trace.end, Answered) if reverts else None}
