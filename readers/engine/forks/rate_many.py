"""Ratings of the answers of many readings: which a model has still to rate, what that takes, and what was said of all of them.

Each answer is rated by an experiment of its own (`rater.py`), so a rating that was interrupted is resumed, and none is asked
twice. An answer that changed since, because its reading was resumed, is rated again. Not here: what the ratings amount to in a
table (`analysis/evaluate/rated.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readers.engine.forks import rater
from readers.engine.forks.rater import Rated, RatingKind, ToRate, ask_rater, rated, to_rate
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run.batches import CellResult
from readers.engine.store import AT_WORK, Run, Store, open_reading
from readers.engine.work import Price, Work


@dataclass(frozen=True)
class AnswerToRate:
    """The answer of a reading, with what there is to rate of it."""

    run: Run
    asked: ToRate


@dataclass(frozen=True)
class RatingPlan:
    """How far a model is in rating answers: those it has rated, the ratings under way and those to be resumed, and the answers
    it was not asked about yet."""

    kind: RatingKind
    model: str
    done: int
    going: tuple[Run, ...]
    stopped: tuple[Run, ...]
    new: tuple[AnswerToRate, ...]

    @property
    def work(self) -> Work:
        going, stopped, new = len(self.going), len(self.stopped), len(self.new)
        return Work(self.done, self.done + going + stopped + new, going=going, stopped=stopped, left=new)

    @property
    def price(self) -> Price:
        """What the answers take that the model was not asked about yet."""
        return rater.price([one.asked for one in self.new], self.model)


def answers(results: Iterable[CellResult], kind: RatingKind) -> list[AnswerToRate]:
    """The answers that can be rated: of readings that ended, to questions whose answer is known."""
    ended = [one for one in results if one.run and one.run.status == "finished"]
    found = ((one.run, to_rate(kind, one.run.answer, KnownAnswer.of(one.question))) for one in ended if one.run)
    return [AnswerToRate(run, asked) for run, asked in found if asked]


def plan(store: Store, found: Sequence[AnswerToRate], kind: RatingKind, model: str) -> RatingPlan:
    """How far a model is in rating these answers."""
    before = _latest(store, [one.run.id for one in found])
    done, new = 0, []
    going: list[Run] = []
    stopped: list[Run] = []
    for one in found:
        run = before.get((one.run.id, kind, model))
        if run is None or run.spec["options"]["asked"] != rater.encode(one.asked):
            new.append(one)
        elif run.status == "finished":
            done += 1
        else:
            (going if run.status in AT_WORK else stopped).append(run)
    return RatingPlan(kind, model, done, tuple(going), tuple(stopped), tuple(new))


def ask(store: Store, planned: RatingPlan, terms: Mapping[str, Any]) -> list[Run]:
    """Put the ratings that are left on record, queued, after those to be resumed. Raises BadOptions for a model that cannot
    rate."""
    return [*planned.stopped, *(ask_rater(store, one.run, one.asked, terms) for one in planned.new)]


def said_of(store: Store, runs: Collection[str]) -> dict[str, list[Rated]]:
    """What raters said of the answers of these readings: of each kind and model the latest that came to its end."""
    found: dict[str, list[Rated]] = {}
    for (reading, _, _), run in _latest(store, runs, status="finished").items():
        if one := rated(run, open_reading(store, run.id).trace):
            found.setdefault(reading, []).append(one)
    return found


def stands(store: Store, runs: Collection[str]) -> list[str]:
    """Changes when a rating of one of these readings begins or ends."""
    return [f"{run.id} {run.status}" for run in _ratings(store, runs)]


def _ratings(store: Store, runs: Collection[str]) -> list[Run]:
    """The ratings of these readings that the store's user may see, oldest first."""
    return [run for run in store.run_list.children(runs, reader=rater.ID) if store.visits.may_see(run.id)]


def _latest(store: Store, runs: Collection[str], *, status: str = "") -> dict[tuple[str, RatingKind, str], Run]:
    """The latest rating of each reading by each model, of each kind; of those in one state, if it is given."""
    found: dict[tuple[str, RatingKind, str], Run] = {}
    for run in _ratings(store, runs):
        if not status or run.status == status:
            found[run.parent or "", rater.kind_of(run), str(run.spec["model"])] = run
    return found
