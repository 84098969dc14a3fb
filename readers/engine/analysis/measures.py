"""Figures of one reading, under the same names for every reader; None for a figure that does not apply. Pure.

Shares are of the document's characters, 0 to 1. *Read* is what was shown raw in a prompt after the memory was built (while
reading, for a reader that builds none); *covered* includes what a summary in such a prompt represented. Both are what the reading
map shows at the last step (`coverage.py`). Not here: whether an answer is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from readers.engine.analysis import coverage
from readers.engine.analysis.memory_snapshots import kept, size, snapshots
from readers.engine.questions.grading import grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Answered
from readers.engine.record.journal import Record
from readers.engine.record.trace import Trace
from readers.engine.run.reader import Reader
from readers.engine.store import Reading

NAMES = (
    "outcome", "calls_live", "calls_reused", "tokens_in", "tokens_out", "tokens_processed", "cost_usd", "seconds",
    "read_fraction", "coverage_fraction",
    "reverts", "stray", "recovered", "processed_fraction",
    "lookups", "lookups_allowed", "words_reread", "compression_rate",
    "trials", "edges_considered", "segments_added", "segments_filtered", "questions_kept", "questions_dropped",
    "memory_tokens", "memory_kept", "truncations", "recalls",
    "misreads", "fallbacks",
)  # fmt: skip


def measures(
    reader: Reader, trace: Trace, records: Sequence[Record], *, seconds: float | None = None, known: KnownAnswer | None = None
) -> dict[str, Any]:
    """Every figure by its name, those that only this reader has included.

    Tokens and cost are those of live calls; the cost is None as soon as one price is unknown. `tokens_processed` counts the
    prompts of every call of the reading, reused ones, too, but not those whose reply a person put in. `recovered`
    needs the known answer.
    """
    calls_live, calls_reused = calls_counted(records)
    paid = [r for r in records if r.origin == "live" and r.reply is not None]
    costs = [r.cost_usd for r in paid]
    found: dict[str, Any] = dict.fromkeys(NAMES)
    found |= {
        "outcome": trace.outcome,
        "calls_live": calls_live,
        "calls_reused": calls_reused,
        "tokens_in": sum(r.tokens_in or 0 for r in paid),
        "tokens_out": sum(r.tokens_out or 0 for r in paid),
        "tokens_processed": sum(r.tokens_in or 0 for r in records if r.reply is not None and r.task != "score"),
        "cost_usd": None if None in costs else sum(cost or 0.0 for cost in costs),
        "seconds": seconds,
        "misreads": len(trace.misreads),
        "fallbacks": len(trace.decisions("fallback")),
    }
    found |= _coverage(trace) | _memories(trace) | dict(reader.measures(trace, records))
    return found | {"recovered": recovered(trace, known) if found["stray"] else None}


def calls_counted(records: Sequence[Record]) -> tuple[int, int]:
    """How often the model replied in a reading, without scores, and how many of its calls were reused."""
    live = sum(r.origin == "live" and r.reply is not None and r.task != "score" for r in records)
    return live, sum(r.origin != "live" for r in records)


def measures_of(reading: Reading, reader: Reader, *, known: KnownAnswer | None = None) -> dict[str, Any]:
    """The measures of a stored reading, with the outcome as it is shown: an answer that says there is none is `none_given`."""
    run, _, trace, records = reading
    return measures(reader, trace, records, seconds=run.seconds, known=known) | {"outcome": run.shown_outcome}


def recovered(trace: Trace, known: KnownAnswer | None) -> bool | None:
    """Whether a reading that strayed answered rightly all the same; None if nobody knows, or no rule can tell."""
    answer = trace.end.text if isinstance(trace.end, Answered) else None
    graded = grade(trace.outcome, answer, known.choices, known) if known and known.answerable else None
    return None if graded is None or graded.outcome == "not_judgeable" else graded.outcome == "correct"


def _coverage(trace: Trace) -> dict[str, float]:
    cells, length = coverage.cells(trace), len(trace.document.text)
    return {
        "read_fraction": coverage.share(cells, coverage.RAW, length),
        "coverage_fraction": coverage.share(cells, coverage.REPRESENTED, length),
    }


def _memories(trace: Trace) -> dict[str, Any]:
    """For readers that overwrite one memory: its size after each chunk, the share of its words that the next one still has (None
    if it had no words), and how often it was cut."""
    found = snapshots(trace)
    if not found:
        return {}
    return {
        "memory_tokens": [size(one.text) for one in found],
        "memory_kept": [kept(before.text, after.text) for before, after in pairwise(found)],
        "truncations": sum(one.truncated for one in found),
    }
