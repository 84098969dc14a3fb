"""A model as rater: how far the answer of a reading agrees with the known answer, for LR-1 and LR-2 or for HELMET's judge.

It is an experiment with the reading, like a judge of facts: one run by a reader that cannot be selected, so that it is recorded,
paid for, stopped and resumed like everything else. An empty answer is not rated. No answer is asked about twice: a rating that
was interrupted is resumed. An answer that changed since, because its reading was resumed, is rated again. Several models may rate
the same answer; how far they agree is a figure of `engine/statistics/agreement.py`. Not here: the prompts (`prompts/judging.py`),
and what the ratings amount to (`questions/scores/rated.py`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeVar

from readers.engine.errors import BadOptions
from readers.engine.forks.experiments import add_beside, spec_beside
from readers.engine.forks.judge import UNREAD, price_of, record_words
from readers.engine.models import catalogue
from readers.engine.prompts import judging
from readers.engine.prompts.options import option
from readers.engine.prompts.prompt import Prompt
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.scores import Scored
from readers.engine.questions.scores.rated import ComparedRatings, Quality, best_match, helmet_score, lr_scores
from readers.engine.record.trace import Trace
from readers.engine.run.batches import CellResult
from readers.engine.run.desk import Desk
from readers.engine.run.reader import Reader
from readers.engine.statistics.agreement import Coefficient, Item, alpha, kappa, percent
from readers.engine.store import AT_WORK, Run, Store, open_reading
from readers.engine.text import tokens
from readers.engine.text.document import Document, Question, Text
from readers.engine.work import Price, Work

ID = "rater"
MOST_REFERENCES = 20
Action = Literal["rated"]
RatingKind = Literal["lr", "helmet"]
T = TypeVar("T")


class ToRate(NamedTuple):
    """An answer, its question, and the references that it is rated against."""

    kind: RatingKind
    question: str
    references: tuple[str, ...]
    answer: str


class Rated(NamedTuple):
    """What a rater said about an answer: the words of its replies in the order of the calls, None for a reply that could not be
    read."""

    kind: RatingKind
    model: str
    words: tuple[str | None, ...]

    @property
    def compared(self) -> list[ComparedRatings]:
        """For LR-1 and LR-2: the rating for each reference."""
        half = len(self.words) // 2
        return [
            ComparedRatings(_meaning(judging.STRICT_WORDS, strict), _meaning(judging.PERMISSIVE_WORDS, permissive))
            for strict, permissive in zip(self.words[:half], self.words[half:], strict=True)
        ]

    @property
    def quality(self) -> Quality:
        """For HELMET's judge."""
        fluency, correctness = self.words
        return Quality(_meaning(judging.FLUENCY_WORDS, fluency), _meaning(judging.CORRECTNESS_WORDS, correctness))

    @property
    def scores(self) -> dict[str, Scored]:
        return lr_scores(self.compared) if self.kind == "lr" else helmet_score(self.quality)

    @property
    def said(self) -> str | None:
        """The rating in a word, to compare raters by; None where it could not be read."""
        if self.kind == "lr":
            return best_match(self.compared)
        quality = self.quality
        return None if None in quality else f"{quality.fluency} × {quality.correctness}"


def _meaning(words: Mapping[str, T], said: str | None) -> T | None:
    return None if said is None else words.get(said.upper())


@dataclass(frozen=True)
class RaterOptions:
    """`asked` is what `encode` returns."""

    asked: str = option("[]", "What is rated, as JSON.")


def encode(asked: ToRate) -> str:
    """What is rated, as stored in the option `asked`."""
    return json.dumps(asked, ensure_ascii=False)


def _decode(options: RaterOptions) -> ToRate:
    kind, question, references, answer = json.loads(options.asked)
    return ToRate(kind, question, tuple(references), answer)


class Rater(Reader):
    """Asks how far an answer agrees with its references: for LR twice for each reference, for HELMET twice in total."""

    id = ID
    title = "A rater of an answer"
    version = 1
    prompts = judging.RATING_PROMPTS
    Options = RaterOptions

    def read(self, document: Document, question: Question, desk: Desk[Action], options: RaterOptions) -> Text:
        asked = _decode(options)
        with desk.step("rate"):
            replies = [reply for prompt, rows in _calls(asked) for reply in desk.ask_all(prompt, iter(rows))]
            return record_words(desk, replies, "rated", str, "ratings")


def _calls(asked: ToRate) -> list[tuple[Prompt, list[dict[str, Text]]]]:
    """The prompts in the order in which they are asked, each with its rows."""
    shown = {"question": Text(asked.question), "answer": Text(asked.answer)}
    if asked.kind == "helmet":
        together = Text("\n".join(f"- {one}" for one in asked.references))
        return [(judging.FLUENCY, [shown]), (judging.CORRECTNESS, [{**shown, "reference": together}])]
    rows = [{**shown, "reference": Text(one)} for one in asked.references]
    return [(judging.STRICT, rows), (judging.PERMISSIVE, rows)]


def to_rate(kind: RatingKind, answer: str | None, known: KnownAnswer | None) -> ToRate | None:
    """What there is to rate of an answer; None without an answer or a known one. Values that are required together are one
    reference."""
    if not answer or not answer.strip() or known is None or not known.answerable or not known.answers:
        return None
    references = (", ".join(known.answers),) if known.all_required else known.answers[:MOST_REFERENCES]
    return ToRate(kind, known.question, references, answer)


def price(asked: Sequence[ToRate], model: str) -> Price:
    """The cost of rating these with this model, if every reply can be read."""
    calls = [(prompt, row) for one in asked for prompt, rows in _calls(one) for row in rows]
    return price_of([tokens.count(prompt.render(prompt.parts(row))) for prompt, row in calls], model)


def ask_rater(store: Store, run: Run, asked: ToRate, terms: Mapping[str, Any]) -> Run:
    """Put the rating of a reading's answer on record, queued. Raises BadOptions for a model that cannot rate."""
    check_rater(str(terms["model"]))
    spec = spec_beside(Rater(), "How right is it?", {"asked": encode(asked)}, terms)
    name = "LR-1 and LR-2" if asked.kind == "lr" else "HELMET's judge"
    return add_beside(store, run, spec, name=f"how right its answer is ({name})")


def check_rater(model: str) -> None:
    """Raise BadOptions for a model that cannot rate: the offline one has no task for it, and people grade on Annotate."""
    if model in (catalogue.OFFLINE, catalogue.HUMAN):
        raise BadOptions("a rater is a language model; choose one, or use the scores that need none")


def rated(run: Run, trace: Trace) -> Rated | None:
    """What a run by `Rater` said; None until it is complete."""
    asked = _decode(RaterOptions(**run.spec["options"]))
    words = tuple(None if one.picked == UNREAD else one.picked for one in trace.decisions("rated"))
    wanted = sum(len(rows) for _, rows in _calls(asked))
    return Rated(asked.kind, str(run.spec["model"]), words) if len(words) == wanted else None


def kind_of(run: Run) -> RatingKind:
    """Which kind of rating a run by `Rater` gives."""
    return _decode(RaterOptions(**run.spec["options"])).kind


def agreement(by_reading: Iterable[tuple[str, Sequence[Rated]]], kind: RatingKind) -> list[Coefficient]:
    """How far several raters agree on the answers of these readings: percent, Cohen's kappa, Krippendorff's alpha."""
    items = [Item(run, one.model, one.said) for run, every in by_reading for one in every if one.kind == kind and one.said]
    return [figure(items) for figure in (percent, kappa, alpha)]


# Of many answers

AnswerToRate = tuple[Run, ToRate]
"""A reading, with what there is to rate of its answer."""


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
        return price([asked for _, asked in self.new], self.model)


def answers_to_rate(results: Iterable[CellResult], kind: RatingKind) -> list[AnswerToRate]:
    """The answers that can be rated: those of finished readings whose right answer is known."""
    ended = [one for one in results if one.run and one.run.status == "finished"]
    found = ((one.run, to_rate(kind, one.run.answer, KnownAnswer.of(one.question))) for one in ended if one.run)
    return [(run, asked) for run, asked in found if asked]


def plan_ratings(store: Store, found: Sequence[AnswerToRate], kind: RatingKind, model: str) -> RatingPlan:
    """How far a model is in rating these answers."""
    before = _latest(store, [run.id for run, _ in found])
    done, new = 0, list[AnswerToRate]()
    going: list[Run] = []
    stopped: list[Run] = []
    for reading, asked in found:
        rating = before.get((reading.id, kind, model))
        if rating is None or rating.spec["options"]["asked"] != encode(asked):
            new.append((reading, asked))
        elif rating.status == "finished":
            done += 1
        else:
            (going if rating.status in AT_WORK else stopped).append(rating)
    return RatingPlan(kind, model, done, tuple(going), tuple(stopped), tuple(new))


def ask_all(store: Store, planned: RatingPlan, terms: Mapping[str, Any]) -> list[Run]:
    """Put the ratings that are left on record, queued, after those to be resumed. Raises BadOptions for a model that cannot
    rate."""
    return [*planned.stopped, *(ask_rater(store, run, asked, terms) for run, asked in planned.new)]


def said_of(store: Store, runs: Collection[str]) -> dict[str, list[Rated]]:
    """What raters said about the answers of these readings: for each kind and model, the latest finished rating."""
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
    return [run for run in store.run_list.children(runs, reader=ID) if store.visits.may_see(run.id)]


def _latest(store: Store, runs: Collection[str], *, status: str = "") -> dict[tuple[str, RatingKind, str], Run]:
    """The latest rating of each reading by each model, of each kind; only those in one state, if given."""
    found: dict[tuple[str, RatingKind, str], Run] = {}
    for run in _ratings(store, runs):
        if not status or run.status == status:
            found[run.parent or "", kind_of(run), str(run.spec["model"])] = run
    return found
