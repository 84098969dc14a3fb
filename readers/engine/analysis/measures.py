"""Figures of one reading, under the same names for every reader; None for a figure that does not apply. Pure.

Shares are of the document's characters, 0 to 1. *Read* is what was shown raw in a prompt after the memory was built (while
reading, for a reader that builds none); *covered* includes what a summary in such a prompt represented. Both are what the reading
map shows at the last step (`coverage.py`). A measure is one `Measure`: files, pages and tables of many readings take it from
there. A reader computes its own measures in `Reader.measures`. Not here: whether an answer is right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from readers.engine.analysis import coverage
from readers.engine.analysis.memory_snapshots import kept, size, snapshots
from readers.engine.questions.grading import grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Answered
from readers.engine.record.journal import Record
from readers.engine.record.trace import Trace
from readers.engine.report.values import Unit, dollars, duration, small_dollars
from readers.engine.run.reader import Reader, ReadingState
from readers.engine.statistics.intervals import SHARE, Bounds
from readers.engine.store import Reading
from readers.engine.text.phrases import capitalised, counted, percent, plural

if TYPE_CHECKING:
    from readers.engine.analysis.facts.evidence import EvidenceFate

MeasureChip = tuple[str, str, str]  # the mark, the words, and what they mean (each but the words may be empty)
Fold = Callable[[Mapping[str, Any], "EvidenceFate | None"], float | None]
Figure = Callable[[Trace, Sequence[Record]], Any]


def _plain(value: Any) -> str:
    """Any value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _mean(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None


def _known(shares: Sequence[float | None] | None) -> list[float]:
    return [one for one in shares or () if one is not None]


def _kept_on_average(shares: Sequence[float | None]) -> str:
    average = _mean(_known(shares))
    return "not known" if average is None else f"{percent(average)} on average"


def _recalls(recalls: Sequence[Mapping[str, Any]]) -> str:
    average = _mean([one["distance"] for one in recalls])
    return "none" if average is None else f"{len(recalls):,}, {average:.1f} steps back on average"


def _passed(station: str) -> Fold:
    """Whether the evidence passed a station, if there is that station."""
    return lambda found, fate: float(station in fate.passed) if fate and station in fate.possible else None


def _sufficient(fate: EvidenceFate | None) -> float | None:
    """Whether all evidence stood in a call that looked for the answer; None where that cannot be told."""
    stood = fate.sufficiency.standing if fate and fate.sufficiency else None
    return None if stood in (None, "cannot be told") else float(stood == "stated")


def _right(fate: EvidenceFate | None, *, sufficient: bool) -> float | None:
    """Whether the answer is right, if all evidence stood in a call, or if it did not; None where one of the two is unknown."""
    return float(fate.right) if fate and fate.right is not None and _sufficient(fate) == float(sufficient) else None


@dataclass(frozen=True)
class Measure:
    """A figure of a reading: its name in files, its title, how it is `computed` from a trace and its calls, and how its value is
    `written` in words. Without `computed`, a reader's own `measures` have the value. Every measure that a reading has is in its
    run file and among the measures of Trace; one with a `chip`, made from all values, is at the top of Trace, too, and in `show`.

    With a `row` it is also in tables of many readings (Evaluate, CSV), where 1 is the top row, and equal ones are in the order of
    this file; 0 is for none. There it is one number: the value, or what `fold` makes of all values and the fate of the evidence.
    `heading` is its name there if the title is too long or says another thing, `unit` how the number and the mean are written
    ("share": 0.25 as 25.0 %), `source` the paper that reports it, and `bounds` what an interval of the mean may not leave (SHARE:
    0 to 1; None: nothing). A measure that is `made` from others is only in tables.
    """

    name: str
    title: str
    written: Callable[[Any], str] = _plain
    row: int = 0
    fold: Fold | None = None
    heading: str = ""
    unit: Unit = "mean"
    source: str = ""
    bounds: Bounds | None = None
    made: bool = False
    computed: Figure | None = None
    chip: Callable[[Mapping[str, Any]], MeasureChip | None] | None = None


def _calls_chip(found: Mapping[str, Any]) -> MeasureChip:
    calls = counted(found["calls_live"], "call")
    reused = f"{calls}, {found['calls_reused']:,} reused" if found["calls_reused"] else calls
    return "", reused, "How often the model was asked something; reused replies come from an earlier reading of the same text."


IN_PROMPTS = "stood_raw_in_prompts_fraction"  # of a watched program, of which nobody knows what it read for the answer


def _read_chip(found: Mapping[str, Any]) -> MeasureChip | None:
    if (stood := found.get(IN_PROMPTS)) is not None:
        return "■", f"{percent(stood)} stood raw in prompts", "The share of the text that was found word for word in the prompts."
    words = f"{percent(found['read_fraction'])} read raw"
    raw = "The share of the text that the model was shown word for word while it looked for the answer, not while it prepared."
    return ("■", words, raw) if found["outcome"] else None


def _reverts_chip(found: Mapping[str, Any]) -> MeasureChip | None:
    times = "once" if found["reverts"] == 1 else f"{found['reverts']} times"
    meaning = "It opened a part, found nothing there, and went back up the tree."
    return ("↩", f"turned back {times}", meaning) if found["reverts"] else None


def _recalls_chip(found: Mapping[str, Any]) -> MeasureChip | None:
    times = "once" if (recalls := len(found["recalls"])) == 1 else f"{recalls:,} times"
    meaning = "The most similar earlier memory was looked up, for the next call to show; at first that may be the empty one."
    return ("⤺", f"looked back {times}", meaning) if recalls else None


def _paid(records: Sequence[Record]) -> list[Record]:
    return [record for record in records if record.origin == "live" and record.reply is not None]


def _cost(_: Trace, records: Sequence[Record]) -> float | None:
    """The cost of live calls; None as soon as one price is unknown."""
    costs = [record.cost_usd for record in _paid(records)]
    return None if None in costs else sum(cost or 0.0 for cost in costs)


def _processed(_: Trace, records: Sequence[Record]) -> int:
    """The tokens in the prompts of every call, including reused calls, but not calls whose reply was written by a person."""
    return sum(record.tokens_in or 0 for record in records if record.reply is not None and record.task != "score")


def calls_counted(records: Sequence[Record]) -> tuple[int, int]:
    """How often the model replied in a reading, without scores, and how many replies were reused: not those of a person."""
    live = sum(record.task != "score" for record in _paid(records))
    return live, sum(record.origin not in ("live", "edited") for record in records)


class _Covered(ReadingState):
    """What was covered of the text, folded once for both shares of it."""

    def share(self, least: int) -> float:
        return coverage.share(self._cells, least, len(self.trace.document.text))

    @cached_property
    def _cells(self) -> list[coverage.CoverageCell]:
        return coverage.cells(self.trace)


# In the order in which files have them.
MEASURES: Mapping[str, Measure] = {
    one.name: one
    for one in (
        Measure("outcome", "Outcome", computed=lambda trace, _: trace.outcome),
        Measure("calls_live", "Calls made", computed=lambda _, records: calls_counted(records)[0], chip=_calls_chip),
        Measure("calls_reused", "Calls reused", computed=lambda _, records: calls_counted(records)[1]),
        Measure("tokens_in", "Tokens sent", computed=lambda _, records: sum(r.tokens_in or 0 for r in _paid(records))),
        Measure("tokens_out", "Tokens received", computed=lambda _, records: sum(r.tokens_out or 0 for r in _paid(records))),
        Measure(
            "tokens_processed", "Tokens in all prompts, including reused calls", row=12, heading="Tokens of all prompts",
            unit="tokens", computed=_processed,
        ),
        Measure(
            "cost_usd", "Cost", small_dollars, row=14, unit="usd", computed=_cost,
            chip=lambda found: ("", dollars(found["cost_usd"]), "") if found["cost_usd"] else None,
        ),
        Measure(
            "seconds", "Seconds", row=15, heading="Time", unit="seconds",
            chip=lambda found: ("", duration(found["seconds"]), "From its start to its end; calls may be in progress together."),
        ),
        Measure(
            "read_fraction", "Share of the text read raw on the way to the answer", percent, row=11, unit="share", bounds=SHARE,
            computed=lambda trace, _: _Covered.of(trace).share(coverage.RAW), chip=_read_chip,
        ),
        Measure(
            "coverage_fraction", "Share shown raw or through a summary", percent,
            computed=lambda trace, _: _Covered.of(trace).share(coverage.REPRESENTED),
        ),
        Measure("reverts", "Turned back", chip=_reverts_chip),
        Measure(
            "stray", "Strayed at all", row=1, heading="Strayed", unit="share", bounds=SHARE,
            source="Chen et al. 2023, table 4: readings that turned back",
        ),
        Measure(
            "recovered", "Answered rightly after straying", row=2, unit="share", bounds=SHARE,
            source="Chen et al. 2023, table 4: of those, right",
        ),
        Measure(
            "processed_fraction", "Tokens in the prompts of the walk, as a share of the text’s", percent, row=3, unit="share",
            heading="Tokens of the walk, as a share of the text’s", source="Chen et al. 2023, figure 4",
        ),
        Measure("lookups", "Pages looked up", row=5, source="Lee et al. 2024, tables 1 to 4 (#LU)"),
        Measure("lookups_allowed", "Pages it could have looked up"),
        Measure("words_reread", "Words read again"),
        Measure(
            "compression_rate", "Of the text's words left out", row=4, unit="share", heading="Compression rate after look-up",
            written=lambda rates: ", ".join(f"{percent(rate)} {when} look-up" for when, rate in rates.items()),
            fold=lambda found, _: (found.get("compression_rate") or {}).get("after"), source="Lee et al. 2024, section 4.1",
        ),
        Measure("trials", "Trials", row=6, source="Wang et al. 2024"),
        Measure("edges_considered", "Relations weighed"),
        Measure("segments_added", "Segments brought into view"),
        Measure("segments_filtered", "Segments left out again"),
        Measure("questions_kept", "Questions kept"),
        Measure("questions_dropped", "Questions dropped"),
        Measure(
            "memory_tokens", "Memory, in tokens", row=8, heading="Largest memory", unit="tokens",
            written=lambda sizes: f"{sizes[-1]:,} at the end, {max(sizes):,} at most",
            fold=lambda found, _: max(found.get("memory_tokens") or (), default=None),
        ),
        Measure(
            "memory_kept", "Kept of each memory in the next", _kept_on_average, row=7, unit="share",
            fold=lambda found, _: _mean(_known(found.get("memory_kept"))),
        ),
        Measure("truncations", "Memories cut at the limit"),
        Measure("recalls", "Looked back", _recalls, chip=_recalls_chip),
        Measure("misreads", "Replies misread", computed=lambda trace, _: len(trace.misreads)),
        Measure("fallbacks", "Fallbacks", computed=lambda trace, _: len(trace.decisions("fallback"))),
        Measure(
            "callbacks", "Callbacks", row=9, made=True,
            fold=lambda found, _: None if found.get("recalls") is None else len(found["recalls"]),
        ),
        Measure(
            "callback_distance", "Steps back of a callback", row=10, unit="steps", made=True,
            fold=lambda found, _: _mean([one["distance"] for one in found.get("recalls") or ()]),
        ),
        Measure("calls", "Calls", row=13, made=True, fold=lambda found, _: _all_calls(found)),
        Measure(
            "evidence_raw", "The model was shown the evidence", row=16, unit="share", bounds=SHARE, made=True,
            fold=_passed("reached"),
        ),
        Measure(
            "evidence_carried", "A text it wrote carried the evidence", row=17, unit="share", bounds=SHARE, made=True,
            fold=_passed("carried"),
        ),
        Measure(
            "evidence_answering", "The answering call contained the evidence", row=18, unit="share", bounds=SHARE, made=True,
            fold=_passed("in the answering call"),
        ),
        Measure(
            "evidence_sufficient", "One call had all of the evidence", row=19, unit="share", bounds=SHARE, made=True,
            fold=lambda _, fate: _sufficient(fate),
        ),
        Measure(
            "right_if_sufficient", "Right, where one had", row=20, unit="share", bounds=SHARE, made=True,
            fold=lambda _, fate: _right(fate, sufficient=True),
        ),
        Measure(
            "right_if_not", "Right, where none had", row=21, unit="share", bounds=SHARE, made=True,
            fold=lambda _, fate: _right(fate, sufficient=False),
        ),
    )
}  # fmt: skip
NAMES = tuple(one.name for one in MEASURES.values() if not one.made)
FIGURES: Mapping[str, Measure] = {one.name: one for one in sorted(MEASURES.values(), key=lambda one: one.row) if one.row}
"""Those in tables of many readings, by name."""


def _all_calls(found: Mapping[str, Any]) -> int | None:
    live = found.get("calls_live")
    return None if live is None else live + (found.get("calls_reused") or 0)


def figures(measures: Mapping[str, Any], fate: EvidenceFate | None = None) -> dict[str, float]:
    """One number of each figure that a reading has, in the order of `FIGURES`; those that it does not have are left out."""
    found = {name: one.fold(measures, fate) if one.fold else measures.get(name) for name, one in FIGURES.items()}
    return {name: float(value) for name, value in found.items() if value is not None}


def rows(found: Mapping[str, Any], *, memory: str) -> list[tuple[str, str]]:
    """The measures of a reading as titles and values in words, without those that are not known; `memory` is what its reader
    calls that."""
    unknown = {"read_fraction"} if IN_PROMPTS in found else set()
    known = {name: value for name, value in found.items() if value is not None and name not in unknown}
    return [(title(name, memory=memory), in_words(name, value)) for name, value in known.items()]


def chips(found: Mapping[str, Any]) -> list[MeasureChip]:
    """The few measures that say most, in words: those with a mark first."""
    made = [one.chip(found) for name, one in MEASURES.items() if one.chip and found.get(name) is not None]
    return sorted((chip for chip in made if chip), key=lambda chip: not chip[0])


def title(name: str, *, memory: str) -> str:
    """The title of a measure, with the reader's word for its memory. Plug-ins have measures of their own."""
    words = MEASURES[name].title if name in MEASURES else capitalised(name.removesuffix("_fraction").replace("_", " "))
    return words.replace("Memories", capitalised(plural(memory))).replace("Memory", capitalised(memory)).replace("memory", memory)


def in_words(name: str, value: Any) -> str:
    """The value of a measure in words; a plug-in's `..._fraction` is a share."""
    if name in MEASURES:
        return MEASURES[name].written(value)
    return percent(value) if name.endswith("_fraction") else _plain(value)


def measures(
    reader: Reader, trace: Trace, records: Sequence[Record], *, seconds: float | None = None, known: KnownAnswer | None = None
) -> dict[str, Any]:
    """Every figure by its name, including those that only this reader has. `recovered` needs the known answer."""
    found: dict[str, Any] = dict.fromkeys(NAMES) | {"seconds": seconds}
    found |= {name: one.computed(trace, records) for name, one in MEASURES.items() if one.computed}
    found |= _memories(trace) | dict(reader.measures(trace, records))
    return found | {"recovered": recovered(trace, known) if found["stray"] else None}


def measures_of(reading: Reading, reader: Reader, *, known: KnownAnswer | None = None) -> dict[str, Any]:
    """The measures of a stored reading, with the outcome as it is shown: an answer that says there is none is `none_given`."""
    run, _, trace, records = reading
    return measures(reader, trace, records, seconds=run.seconds, known=known) | {"outcome": run.shown_outcome}


def recovered(trace: Trace, known: KnownAnswer | None) -> bool | None:
    """Whether a reading that strayed gave the right answer anyway; None if the right answer is unknown or no rule can decide."""
    answer = trace.end.text if isinstance(trace.end, Answered) else None
    graded = grade(trace.outcome, answer, known.choices, known) if known and known.answerable else None
    return None if graded is None or graded.outcome == "not_judgeable" else graded.outcome == "correct"


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
