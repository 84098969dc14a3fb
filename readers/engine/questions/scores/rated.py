"""What the ratings of a model amount to: LR-1 and LR-2, and HELMET's judge. Pure.

LR-1 and LR-2 (Lee et al. 2024, section 4.1 and appendix): two raters compare an answer with each reference in turn. It matches if
either says so; it matches in part if only the permissive one says so; the best reference counts. LR-1 is the share of matches,
LR-2 that of matches and partial ones. HELMET's judge (Yen et al. 2025, `scripts/eval_gpt4_longqa.py`) rates fluency 0 or 1 and
correctness 0 to 3 against all references together; the score is their product. Not here: asking a model (`forks/rater.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, NamedTuple

from readers.engine.questions.scores.score import UNRATED_DROPPED, Scored, same

Match = Literal["exact", "partial", "none"]
_BEST: tuple[Match, ...] = ("exact", "partial", "none")


@dataclass(frozen=True)
class RatedScore:
    """A score that needs a model as rater. `most` is its highest value."""

    name: str
    title: str
    source: str
    most: float = 1.0


_RATERS = "Lee et al. 2024, section 4.1 and appendix"
RATED: Mapping[str, RatedScore] = {
    one.name: one
    for one in (
        RatedScore("lr_1", "LR-1", f"{_RATERS}: exact matches by a strict or a permissive rater"),
        RatedScore("lr_2", "LR-2", f"{_RATERS}: exact and partial matches"),
        RatedScore("helmet", "HELMET's judge", "Yen et al. 2025, HELMET, scripts/eval_gpt4_longqa.py, check_metrics", 3.0),
    )
}


class ComparedRatings(NamedTuple):
    """What two raters said about an answer and one reference: the strict rater whether they match, the permissive rater how far.
    None where no reply could be read."""

    strict: bool | None
    permissive: Match | None

    @property
    def match(self) -> Match | None:
        """None if the reply leaves it open."""
        if self.strict or self.permissive == "exact":
            return "exact"
        return None if self.strict is None or self.permissive is None else self.permissive


class Quality(NamedTuple):
    """What HELMET's judge said about an answer; None if no reply could be read."""

    fluency: int | None
    correctness: int | None


def best_match(compared: Sequence[ComparedRatings]) -> Match | None:
    """The best match with a reference; None where a reply that could not be read might have said a better one."""
    found = [one.match for one in compared]
    if "exact" in found:
        return "exact"
    return None if None in found or not found else min((one for one in found if one), key=_BEST.index)


def lr_scores(compared: Sequence[ComparedRatings]) -> dict[str, Scored]:
    """LR-1 and LR-2 of one answer by one rater. The paper counts over all examples, so what could not be read counts as no match;
    so does an answer that was not rated because it is empty (no `compared`)."""
    exact = any(one.match == "exact" for one in compared)
    return {"lr_1": same(exact), "lr_2": same(exact or any(one.permissive == "partial" for one in compared))}


def helmet_score(quality: Quality | None) -> dict[str, Scored]:
    """HELMET's score of one answer, 0 to 3. As published, replies that could not be read are left out of the denominator. None is
    an empty answer, which is neither fluent nor correct."""
    if quality is None:
        return {"helmet": same(0)}
    if quality.fluency is None or quality.correctness is None:
        return {"helmet": Scored(0.0, None, (UNRATED_DROPPED,))}
    return {"helmet": same(quality.fluency * quality.correctness)}


def mean_of_raters(by_rater: Sequence[Mapping[str, Scored]]) -> dict[str, Scored]:
    """The mean over several raters of the same answer; as published, over those whose rating counts."""
    names = dict.fromkeys(name for scores in by_rater for name in scores)
    found: dict[str, Scored] = {}
    for name in names:
        given = [scores[name] for scores in by_rater if name in scores]
        told = [one.published for one in given if one.published is not None]
        traps = tuple(dict.fromkeys(trap for one in given for trap in one.traps))
        found[name] = Scored(fmean(one.value or 0.0 for one in given), fmean(told) if told else None, traps)
    return found
