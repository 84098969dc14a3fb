"""What the rules suggest for the field *Fate of the fact*, to annotators who ask for hints: the value, the reason, the step.

Off unless the project allows it, and off for blinded annotators until they have finished the reading, so that no suggestion
stands in for a judgement. Nothing is filled in here: an annotator accepts it in the panel.
"""

from __future__ import annotations

from components.annotate.bench.panel_data import Suggested
from components.session import process_cache
from readers.engine.analysis.facts.fate import of_all
from readers.engine.analysis.facts.follow import evidence_of
from readers.engine.labels.label import FATES, Turn
from readers.engine.labels.project import Settings
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.hint import Hint
from readers.engine.store import Reading


def may_suggest(settings: Settings, turn: Turn | None) -> bool:
    """Whether the project has suggestions, and this annotator may see them now."""
    committed = turn is not None and turn.standing == "done"
    return settings.suggest_fates and (committed or not settings.blind)


def suggested(reading: Reading, known: KnownAnswer) -> Suggested | None:
    """What the rules suggest for the fact that came least far; None where they cannot tell."""
    followed = process_cache.followed(reading, evidence_of(known, reading.document), known=known)
    least = of_all(one.fate for one in followed if one.fate)
    if least is None or not least.row.code:
        return None
    why = next(one.sentence for one in followed if one.fate is least)
    return Suggested(least.row.code, least.step + 1, least.row.decides, why)


def hint(one: Suggested) -> Hint:
    """The suggestion as a hint."""
    words = f"Suggested fate of the fact, by matching words: {FATES[one.fate]}. {one.why}"
    return Hint("fate", (one.step,), words, known=True)
