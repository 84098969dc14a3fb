"""A conversation about a text: its readings by one reader with one model and the same settings, in the order in which they began,
and what each answer rests on. Pure.

Nothing of it is stored: the specs of the readings say which belong together. Forks and samples of experiments are no questions of
their own, so they are left out. What was built is reused, because the prompts of building do not hold the question: the calls of
the next reading find those replies on record (`Journal.reuse_reply`). Not here: the spec of the next reading (`RunSpec.asking`)
and its price (`run/estimate.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from readers.engine.analysis.facts.attribution import attributions, index_of
from readers.engine.canonical import canonical
from readers.engine.record.trace import BUILD, Trace
from readers.engine.run.execute import RunSpec
from readers.engine.store import Reading, Run
from readers.engine.text.document import Span

# What may differ between the questions of a conversation.
ASIDE = ("question", "choices", "caps", "edits", "reuse", "price", "profile")
USUAL = asdict(RunSpec("", 0, "", blank_end=True))  # of a reading made before one of the settings existed


def conversations(runs: Iterable[Run]) -> list[list[Run]]:
    """The conversations that these readings, newest first, are: each with its oldest question first, the last continued one
    first."""
    found: dict[str, list[Run]] = {}
    for run in runs:
        if _is_question(run):
            found.setdefault(canonical([run.document, _terms(run)]), []).insert(0, run)
    return list(found.values())


def around(run: Run, runs: Iterable[Run]) -> list[Run]:
    """The conversation of a reading among these, newest first: its oldest question first. That of a fork is the one that its
    reader and settings belong to, without the fork."""
    terms = _terms(run)
    return [other for other in runs if _is_question(other) and other.document == run.document and _terms(other) == terms][::-1]


def _is_question(run: Run) -> bool:
    return run.experiment is None and run.parent is None and not run.edit


def _terms(run: Run) -> dict[str, Any]:
    return {name: value for name, value in {**USUAL, **run.spec}.items() if name not in ASIDE}


def passages(reading: Reading) -> tuple[Span, ...]:
    """The sentences of the text that support an answer by their words: of what the model was shown when it answered, or of all
    that it read if it answered from a memory; none where nothing supports it."""
    run = reading.run
    if not run.gives_answer or run.answer is None:
        return ()
    found = attributions(index_of(reading.document), run.question, run.answer, within=run.evidence or None)
    return tuple(dict.fromkeys(one.place for one in found if one.supports))


def deciding_step(trace: Trace, rests: Sequence[Span]) -> int | None:
    """The step (from 0) that first showed raw, after building, what an answer rests on; the last step if none did, None without
    steps."""
    for step, raw in zip(trace.steps, trace.raw_at, strict=True):
        if step.phase != BUILD and any(one.start < end and start < one.end for start, end in raw for one in rests):
            return step.number
    return len(trace.steps) - 1 if trace.steps else None
