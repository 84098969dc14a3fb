"""What the rules suggest for the field *Fate of the fact*, to annotators who ask for hints: the value, the reason, the step.

Off unless the project allows it, and off for blinded annotators until they have finished the reading, so that no suggestion
stands in for a judgement. Nothing is filled in here: an annotator accepts it in the panel.
"""

from __future__ import annotations

from collections.abc import Mapping

from components.annotate.bench import panel_data
from components.annotate.bench.panel_data import Suggested
from components.session import process_cache
from readers.engine.analysis.facts.fate import FateKind, of_all
from readers.engine.analysis.facts.follow import evidence_of
from readers.engine.analysis.opening import LOSSES
from readers.engine.labels.label import Turn
from readers.engine.labels.project import Settings
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.hint import Hint
from readers.engine.store.reading import Reading

# The codebook's value for each fate; where the rules cannot tell, there is none.
VALUES: Mapping[FateKind, str] = {
    "cut off": "never_indexed",
    "never read": "never_indexed",
    "never offered": "never_offered",
    "left out": "never_offered",
    "passed over": "not_chosen",
    "lost in a text": "not_extracted",
    "not written down": "not_extracted",
    "overwritten": "later_lost",
    "opened, then left": "later_lost",
    "taken out of view": "later_lost",
    "in view, declined": "unused",
    "in view, not used": "unused",
    "used": "used",
}
DECIDED = LOSSES | {"in view, declined", "in view, not used"}  # the fates whose step is where the reading went wrong


def may_suggest(settings: Settings, turn: Turn | None) -> bool:
    """Whether the project has suggestions, and this annotator may see them now."""
    committed = turn is not None and turn.standing == "done"
    return settings.suggest_fates and (committed or not settings.blind)


def suggested(reading: Reading, known: KnownAnswer) -> Suggested | None:
    """What the rules suggest for the fact that came least far; None where they cannot tell."""
    followed = process_cache.followed(reading, evidence_of(known, reading.document), known=known)
    least = of_all(one.fate for one in followed if one.fate)
    if least is None or least.kind not in VALUES:
        return None
    why = next(one.sentence for one in followed if one.fate is least)
    return Suggested(VALUES[least.kind], least.step + 1, least.kind in DECIDED, why)


def hint(one: Suggested) -> Hint:
    """The suggestion as a hint."""
    words = f"Suggested fate of the fact, by matching words: {panel_data.fate_title(one.fate)}. {one.why}"
    return Hint("fate", (one.step,), words, known=True)
