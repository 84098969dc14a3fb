"""The measures of a reading in words: what each is called, and its value. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from readers.engine.report.values import percent, small_dollars
from readers.engine.text.phrases import capitalised, plural

TITLES = {
    "outcome": "Outcome",
    "calls_live": "Calls made",
    "calls_reused": "Calls reused",
    "tokens_in": "Tokens sent",
    "tokens_out": "Tokens received",
    "tokens_processed": "Tokens in all prompts, reused ones too",
    "cost_usd": "Cost",
    "seconds": "Seconds",
    "read_fraction": "Share of the text shown raw",
    "coverage_fraction": "Share shown raw or through a summary",
    "reverts": "Turned back",
    "stray": "Strayed at all",
    "recovered": "Answered rightly after straying",
    "processed_fraction": "Tokens in the prompts of the walk, as a share of the text’s",
    "lookups": "Pages looked up",
    "lookups_allowed": "Pages it could have looked up",
    "words_reread": "Words read again",
    "compression_rate": "Of the text's words left out",
    "trials": "Trials",
    "memory_tokens": "Memory, in tokens",
    "memory_kept": "Kept of each memory in the next",
    "truncations": "Memories cut at the limit",
    "recalls": "Looked back",
    "edges_considered": "Relations weighed",
    "segments_added": "Segments brought into view",
    "segments_filtered": "Segments left out again",
    "questions_kept": "Questions kept",
    "questions_dropped": "Questions dropped",
    "misreads": "Replies misread",
    "fallbacks": "Fallbacks",
}


def rows(found: Mapping[str, Any], *, memory: str) -> list[tuple[str, str]]:
    """The measures of a reading as names and values, without those that are not known; `memory` is what its reader calls that."""
    return [(title(name, memory=memory), in_words(name, value)) for name, value in found.items() if value is not None]


def title(name: str, *, memory: str) -> str:
    """What a measure is called, for a reader whose memory is called so."""
    words = TITLES.get(name, capitalised(name.replace("_", " ")))
    return words.replace("Memories", capitalised(plural(memory))).replace("Memory", capitalised(memory)).replace("memory", memory)


def in_words(name: str, value: Any) -> str:
    """A measure in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "cost_usd":
        return small_dollars(value)
    if name == "compression_rate":
        return ", ".join(f"{percent(rate)} {when} look-up" for when, rate in value.items())
    if name in ("memory_tokens", "memory_kept", "recalls"):
        return _series(name, value)
    if name.endswith("_fraction"):
        return percent(value)
    if isinstance(value, float):
        return f"{value:,.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _series(name: str, values: Sequence[Any]) -> str:
    """Figures by step in a few words."""
    if name == "memory_tokens":
        return f"{values[-1]:,} at the end, {max(values):,} at most"
    if name == "recalls":
        steps = [recall["distance"] for recall in values]
        return f"{len(steps):,}, {sum(steps) / len(steps):.1f} steps back on average" if steps else "none"
    known = [value for value in values if value is not None]
    return f"{percent(sum(known) / len(known))} on average" if known else "not known"
