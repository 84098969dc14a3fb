"""The methods' own figures of a reading, one number each, so that they stand in a table beside scores, with intervals.

They are the measures of a reading (`analysis/measures.py`), of lists by step the mean or the number, and what became of the
evidence (`analysis/facts/`). A figure that a reader does not have is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readers.engine.analysis.facts.evidence import EvidenceFate
from readers.engine.report.values import Unit
from readers.engine.statistics.intervals import SHARE, Bounds


@dataclass(frozen=True)
class OwnFigure:
    """What a figure is called, its unit, and the paper that reports it, if one does. A share that can be more than 1 or less than
    0 has no bounds."""

    name: str
    title: str
    unit: Unit
    source: str = ""
    bounds: Bounds | None = None


FIGURES: Mapping[str, OwnFigure] = {
    one.name: one
    for one in (
        OwnFigure("stray", "Strayed", "share", "Chen et al. 2023, table 4: readings that turned back", bounds=SHARE),
        OwnFigure(
            "recovered", "Answered rightly after straying", "share", "Chen et al. 2023, table 4: of those, right", bounds=SHARE
        ),
        OwnFigure("processed_fraction", "Tokens of the walk, as a share of the text’s", "share", "Chen et al. 2023, figure 4"),
        OwnFigure("compression_rate", "Compression rate after look-up", "share", "Lee et al. 2024, section 4.1"),
        OwnFigure("lookups", "Pages looked up", "mean", "Lee et al. 2024, tables 1 to 4 (#LU)"),
        OwnFigure("trials", "Trials", "mean", "Wang et al. 2024"),
        OwnFigure("memory_kept", "Kept of each memory in the next", "share"),
        OwnFigure("memory_tokens", "Largest memory", "tokens"),
        OwnFigure("callbacks", "Callbacks", "mean"),
        OwnFigure("callback_distance", "Steps back of a callback", "steps"),
        OwnFigure("read_fraction", "Share of the text shown raw", "share", bounds=SHARE),
        OwnFigure("tokens_processed", "Tokens processed", "tokens"),
        OwnFigure("calls", "Calls", "mean"),
        OwnFigure("cost_usd", "Cost", "usd"),
        OwnFigure("seconds", "Time", "seconds"),
        OwnFigure("evidence_raw", "Evidence was before the model", "share", bounds=SHARE),
        OwnFigure("evidence_carried", "Evidence was carried by a text it wrote", "share", bounds=SHARE),
        OwnFigure("evidence_answering", "Evidence stood in the answering call", "share", bounds=SHARE),
    )
}
_AS_THEY_ARE = (
    "stray", "recovered", "processed_fraction", "lookups", "trials", "read_fraction", "tokens_processed", "cost_usd", "seconds",
)  # fmt: skip
_STATIONS: Mapping[str, str] = {
    "evidence_raw": "reached",
    "evidence_carried": "carried",
    "evidence_answering": "in the answering call",
}


def figures(measures: Mapping[str, Any], fate: EvidenceFate | None = None) -> dict[str, float]:
    """The figures that a reading has, by name, in the order of `FIGURES`."""
    found: dict[str, float | None] = {name: measures.get(name) for name in _AS_THEY_ARE}
    found["compression_rate"] = (measures.get("compression_rate") or {}).get("after")
    found["memory_kept"] = _mean([one for one in measures.get("memory_kept") or () if one is not None])
    found["memory_tokens"] = max(measures.get("memory_tokens") or (), default=None)
    recalls = measures.get("recalls")
    found["callbacks"] = None if recalls is None else len(recalls)
    found["callback_distance"] = _mean([one["distance"] for one in recalls or ()])
    live, reused = measures.get("calls_live"), measures.get("calls_reused")
    found["calls"] = None if live is None else live + (reused or 0)
    if fate is not None:
        found |= {name: float(at in fate.passed) for name, at in _STATIONS.items() if at in fate.possible}
    return {name: float(value) for name in FIGURES if (value := found.get(name)) is not None}


def _mean(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
