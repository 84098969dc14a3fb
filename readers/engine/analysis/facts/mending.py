"""What would mend the fate of a fact: the change with which it would not have been lost, or why none is offered; and the result
of an experiment with that change. Pure.

Offers are edits of one reading, for a fork or an experiment: only running them shows whether the answer changes. Each is made
where the fate was decided; where a text lost the fact, also where another choice would have opened its place. In an experiment,
right answers are counted by rule if the right answer is known, and the number that the rules cannot decide is given. If the rules
can decide none, or no answer is known, changed answers are counted, as every experiment does (`forks/experiment_results.py`).
Counts are reported as counts. Not here: the edits (`mending_edits.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, NamedTuple

from readers.engine.analysis.facts.fates import FactFate, called
from readers.engine.analysis.facts.follow import Followed, sentence_around
from readers.engine.analysis.facts.matcher import Match
from readers.engine.analysis.facts.mending_edits import (
    Calls,
    chosen_instead,
    over_its_limit,
    remembered_there,
    told_to_stay,
    written_with,
)
from readers.engine.forks import resample
from readers.engine.forks.experiment_results import compare_arms, has_finished
from readers.engine.forks.experiments import Experiment
from readers.engine.prompts.prompt import Prompt
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.edits import Edit, PromptEdit
from readers.engine.record.events import Chose
from readers.engine.run.reader import Reader
from readers.engine.store import Reading, Run
from readers.engine.text import refs

OfferKind = Literal["write", "choose", "stay", "ask again"]


@dataclass(frozen=True)
class Offer:
    """A change at a step (from 0) that would mend the fate of a fact, and its description in words. `edit`: None where the call
    `seq` is asked again unchanged. `note`: what to know before trying it."""

    kind: OfferKind
    step: int
    words: str
    edit: Edit | None = None
    seq: int | None = None
    note: str = ""


class Mending(NamedTuple):
    """The offers, nearest to the fate first; if there are none, the reason and, if a rule decided, the `option` of the reader
    that the rule follows, with its value. `reason` may also be given with *ask again*."""

    offers: tuple[Offer, ...] = ()
    reason: str = ""
    option: str = ""
    value: Any = None

    def why(self, name: Callable[[str], str] = str) -> list[str]:
        """The reason, and which option would mend the fate, by its name."""
        option = f"The option {name(self.option)} does it, which was {self.value}: read again with a larger one."
        return [one for one in (self.reason, option if self.option else "") if one]


@dataclass(frozen=True)
class _DecidedFact:
    """A fact whose fate is decided, with the calls of its reading."""

    calls: Calls
    reader: Reader
    followed: Followed
    fate: FactFate
    names: Mapping[str, str]

    def called(self, ref: str) -> str:
        return called(ref, self.calls.reading.trace, self.names)

    @property
    def words(self) -> str:
        """The sentence that the fact is part of, as one line: a few of its words would say nothing in another text."""
        document = self.calls.reading.document
        return " ".join(document.text[slice(*sentence_around(document, self.followed.fact))].split())


def mend(reading: Reading, reader: Reader, followed: Followed, *, prompts: Mapping[str, Prompt]) -> Mending:
    """What would mend the fate of a fact. `prompts`: those of the reading, by hash."""
    run = reading.run
    if run.outcome is None or followed.fate is None:
        how = {"failed": "failed", "cancelled": "was cancelled", "interrupted": "was interrupted"}.get(run.status)
        why = f"{how} before its end: resume it first" if how else "has not ended: changes are offered when it has"
        return Mending(reason=f"The reading {why}.")
    if not run.is_of_version(reader.version):
        return Mending(
            reason=f"The reading was made by {run.version_in_words} of {reader.title}, and this is version "
            f"{reader.version}: it cannot be continued from a change."
        )
    found = _DecidedFact(Calls(reading, prompts), reader, followed, followed.fate, reader.names(reading.trace))
    row = followed.fate.row
    return REMEDIES[row.remedy](found) if row.remedy else Mending(reason=row.reason)


def _lost_in_writing(found: _DecidedFact) -> Mending:
    """The text that lost the fact, as if it stated it; or the place opened, if a decision offered a derived text."""
    offers = [*(_rewritten(found, found.fate.ref) if found.fate.ref else _remembered(found)), *_opened_instead(found)]
    why = "" if offers else f"No text was written at step {found.fate.step + 1} that could say it."
    return Mending(tuple(offers[:2]), why)


def _remembered(found: _DecidedFact) -> list[Offer]:
    """The memory that was unchanged, as if the reply had kept it and stated the fact."""
    edit = remembered_there(found.calls, found.fate.step, found.words)
    if edit is None:
        return []
    words = f"Put the sentence into the {found.reader.narrative.carried} at step {found.fate.step + 1}"
    return [Offer("write", found.fate.step, words, edit, edit.seq)]


def _altered(found: _DecidedFact) -> Mending:
    """The text that was first written with another value, as if it stated the fact's value."""
    return Mending(tuple(_rewritten(found, found.fate.ref, instead=True)))


def _rewritten(found: _DecidedFact, ref: str, *, instead: bool = False) -> list[Offer]:
    number = refs.written(ref)
    wrote = found.calls.reading.trace.wrote.get(-1 if number is None else number)
    if wrote is None:
        return []
    near = found.followed.life.texts.get(wrote.n, Match("lost"))
    edit = written_with(wrote, found.words, near, instead=instead)
    if edit is None:
        return []
    what = "Correct the sentence in" if instead else "Put the sentence into"
    note = over_its_limit(found.calls, wrote, edit.text)
    return [Offer("write", found.fate.step, f"{what} {found.called(ref)}", edit, note=note)]


def _opened_instead(found: _DecidedFact) -> list[Offer]:
    """The last decision that offered a derived text, as if that text had been chosen."""
    for moment in reversed(found.followed.life.of("not opened")):
        if offers := _chosen(found, moment.step, moment.ref):
            return offers
    return []


def _chosen(found: _DecidedFact, step: int, ref: str) -> list[Offer]:
    edit = chosen_instead(found.calls, step, found.followed.life, ref=ref)
    if edit is None:
        return []
    what = found.names.get(ref) or found.called(ref)
    return [Offer("choose", step, f"Choose {what} at step {step + 1}", edit, edit.seq)]


def _passed_over(found: _DecidedFact) -> Mending:
    """The choice at the step made for what carries the fact; where a rule chose, the option that it follows."""
    offers = _chosen(found, found.fate.step, found.fate.ref)
    return Mending(tuple(offers)) if offers else _by_rule(found)


def _left_again(found: _DecidedFact) -> Mending:
    """The call that saw the fact, told to answer now and to open nothing else."""
    edit = told_to_stay(found.calls, found.fate.step)
    if edit is None:
        return Mending(reason=f"The reply at step {found.fate.step + 1} could not have said to stay there.")
    words = f"Tell the model at step {found.fate.step + 1} to answer from what it is shown"
    return Mending((Offer("stay", found.fate.step, words, edit, edit.seq),))


def _declined(found: _DecidedFact) -> Mending:
    """The call told to answer, if its reply could have said something else; otherwise asked again."""
    stays = _left_again(found)
    return stays if stays.offers else _asked_again(found)


def _asked_again(found: _DecidedFact) -> Mending:
    """Only chance can change the outcome of a fact that was in view."""
    asked = found.calls.of_step(found.fate.step)
    again = [Offer("ask again", found.fate.step, "Ask the answering call again", seq=asked[0].seq)] if asked else []
    return Mending(tuple(again), found.fate.row.reason)


def _by_rule(found: _DecidedFact) -> Mending:
    """Why no decision can be changed: a rule decided, by an option."""
    reading, step = found.calls.reading, found.fate.step
    there = reading.trace.steps[step]
    given = {field.name: field.default for field in fields(found.reader.Options)} | dict(reading.run.spec.get("options") or {})
    chose = [event for event in reading.trace.of(there) if isinstance(event, Chose)]
    limits = (found.reader.narrative.limit(event.action, given) for event in chose)
    option = next(filter(None, limits), "")
    why = f"A rule, not a reply of the model, decided this at step {step + 1}: there is no decision to change."
    return Mending(reason=why, option=option, value=given.get(option))


# By the remedy of a fate.
REMEDIES: Mapping[str, Callable[[_DecidedFact], Mending]] = {
    "write": _lost_in_writing,
    "correct": _altered,
    "choose": _passed_over,
    "option": _by_rule,
    "stay": _left_again,
    "stay or ask again": _declined,
    "ask again": _asked_again,
}


def tries(experiment: Experiment, offer: Offer) -> bool:
    """Whether an experiment tried an offer: the call asked again, or the same change."""
    if offer.edit is None:
        return experiment.reader == resample.ID and experiment.at == offer.seq
    edit = experiment.edit
    return (replace(edit, asked="") if isinstance(edit, PromptEdit) else edit) == offer.edit


def result(parent: Run, changed: Sequence[Run], unchanged: Sequence[Run], *, known: KnownAnswer | None) -> str:
    """`answered rightly in 5 of 6; unchanged 0 of 6`, or `the answer changed in 5 of 6; unchanged 1 of 6`; of the samples that
    finished."""
    with_it, without = ([run for run in runs if has_finished(parent, run)] for runs in (changed, unchanged))
    if not with_it:
        return "no sample with it has finished"
    graded = [[_outcome(run, known) for run in runs] for runs in (with_it, without)]
    untold = sum(outcomes.count("not_judgeable") for outcomes in graded)
    if untold < len(with_it) + len(without):
        said, counted = "answered rightly", [sum(outcome in _RIGHT for outcome in outcomes) for outcomes in graded]
    else:
        found = compare_arms(parent, with_it, without)
        said = "the answer changed" if found.answered else "the outcome changed"
        counted = [found.without.changed, found.unchanged.changed]
        untold = 0
    other = f"unchanged {counted[1]} of {len(without)}" if without else "no unchanged sample has finished"
    note = f"; {untold} answer{'s' * (untold > 1)} not decided by rule" if untold else ""
    return f"{said} in {counted[0]} of {len(with_it)}; {other}{note}"


_RIGHT = ("correct", "abstained_right")


def _outcome(run: Run, known: KnownAnswer | None) -> str:
    found = run.graded(known) if known else None
    return found.outcome if found else "not_judgeable"
