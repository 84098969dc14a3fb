"""The baselines' own actions, and how they are described: what was kept, what was scored and taken, what was in view."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from readers.engine.record.events import Chose
from readers.engine.record.narrative import (
    ActionDisplay,
    Narrative,
    RankedPlace,
    Ranking,
    StepRecord,
    ranked_by_score,
    scorer_name,
)
from readers.engine.record.scores import shortened
from readers.engine.text import refs
from readers.engine.text.phrases import capitalised, listed

WholeAction = Literal["fit", "leave_out"]
RetrievalAction = Literal["take"]
WHOLE, PIECE = "the whole", "piece"
MOST_NAMED = 6


class WholeNarrative(Narrative):
    actions: ClassVar[Mapping[str, ActionDisplay]] = {
        "fit": ActionDisplay(listed=True, names_the_cut=True),
        "leave_out": ActionDisplay(listed=True, reasoned=False, names_the_cut=True, leaves_out=True, out_of_view=True),
    }
    phases: ClassVar[Mapping[str, str]] = {"fit": "Making the text fit"}
    limits: ClassVar[Mapping[str, str]] = {"leave_out": "window_tokens"}

    def sentences(self, record: StepRecord) -> Iterator[str]:
        yield from super().sentences(record)
        yield from _asked(record)

    def sentence(self, decision: Chose, record: StepRecord) -> Iterator[str]:
        match decision.action:
            case "fit":
                yield f"All of the text fits, so nothing was left out: {decision.because}."
            case "leave_out":
                yield _kept(decision, record)
            case _:
                yield from super().sentence(decision, record)

    def ranking(self, record: StepRecord) -> Ranking | None:
        """What was kept and what was left out, in the order of the text."""
        for cut in reversed(record.decisions_of("leave_out")):
            places = sorted([*cut.among, cut.picked], key=lambda ref: refs.span(ref) or (0, 0))
            rows = [RankedPlace(ref, "", "left out" if ref == cut.picked else "kept", ref != cut.picked) for ref in places]
            return Ranking(rows, f"{capitalised(cut.because)}.")
        return None


class RetrievalNarrative(Narrative):
    actions: ClassVar[Mapping[str, ActionDisplay]] = {"take": ActionDisplay(listed=True, reasoned=False)}
    phases: ClassVar[Mapping[str, str]] = {"search": "Searching the text"}
    steps: ClassVar[Mapping[str, str]] = {"scores": "every piece scored"}
    limits: ClassVar[Mapping[str, str]] = {"take": "top_k"}

    def limit(self, action: str, options: Mapping[str, Any]) -> str:
        """Where the window is filled, its size says how many pieces are taken."""
        return "window_tokens" if action in self.limits and options.get("fill") else super().limit(action, options)

    def sentences(self, record: StepRecord) -> Iterator[str]:
        yield from super().sentences(record)
        yield from _scored(record)
        looked = record.opened_last
        if record.step.phase == "search" and looked and looked.pieces:
            yield f"It took {record.names.get(looked.ref, 'a piece')}: {shortened(looked.why)}."
        yield from _asked(record)

    def ranking(self, record: StepRecord) -> Ranking | None:
        """Every piece with its score."""
        taken = record.decisions_of("take")
        return ranked_by_score(record, "take", f"By rank: {taken[0].because} were taken.") if taken else None


def _kept(cut: Chose, record: StepRecord) -> str:
    """What was kept, and how much of the text that is."""
    start, end = refs.span(cut.picked) or (0, 0)
    share = 1 - (end - start) / len(record.trace.document.text)
    percent = "under 1%" if share < 0.01 else f"{share:.0%}"
    kept = listed(map(record.name, cut.among))
    return f"It kept {kept} ({percent} of the text) and left out {record.names.get(cut.picked, 'the rest')}: {cut.because}."


def _scored(record: StepRecord) -> Iterator[str]:
    taken = len(record.decisions_of("take"))
    for scored in record.decisions_of("score") if taken else ():
        scores = sorted(map(float, scored.because.split()), reverse=True)
        count = f"{len(scores):,} pieces" if len(scores) > 1 else "the one piece"
        yield f"It scored {count} against the question by {scorer_name(scored.picked)} and took {_taken(taken, len(scores))}."
        if taken < len(scores) and scores[taken - 1] == scores[taken]:
            yield f"Others scored {scores[taken]:.2f} as well; of equals the first in the text were taken."


def _taken(taken: int, scored: int) -> str:
    if taken == scored:
        return "it" if scored == 1 else "all of them"
    return "the best one" if taken == 1 else f"the best {taken:,}"


def _asked(record: StepRecord) -> Iterator[str]:
    looked = record.opened_last
    if record.step.names == ("answer",) and looked and (shown := _shown(looked.spans, record)):
        yield f"It was asked for an answer with {shown} in view."


def _shown(spans: Sequence[tuple[int, int]], record: StepRecord) -> str:
    """What was raw in view, in its order there; of much its number alone."""
    places = [refs.place(*span) for span in spans]
    called = [record.names[ref] for ref in places if ref in record.names]
    if called == [WHOLE]:
        return "the whole text"
    if len(called) > MOST_NAMED:
        return f"{len(called):,} pieces of the text"
    if len(called) > 1 and all(name.startswith(f"{PIECE} ") for name in called):
        return f"pieces {listed(name.removeprefix(f'{PIECE} ') for name in called)}"
    return listed(called)
