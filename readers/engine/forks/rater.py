"""A model as rater: how far the answer of a reading agrees with what is known, for LR-1 and LR-2 or for HELMET's judge.

It is an experiment with the reading, as a judge of facts is: one run by a reader that nobody can choose, so that it is recorded,
paid for, stopped and resumed like everything else. An empty answer is not rated. Several models may rate the same answer; how far
they agree is a figure of `engine/statistics/agreement.py`. Not here: the prompts (`prompts/rate.py`), and what the ratings amount
to (`questions/scores/rated.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeVar

from readers.engine.errors import BadOptions
from readers.engine.forks.experiments import add_beside, experiments_of
from readers.engine.forks.judge import price_of
from readers.engine.models import catalogue
from readers.engine.prompts import rate
from readers.engine.prompts.options import option
from readers.engine.prompts.prompt import Prompt
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.scores import Scored
from readers.engine.questions.scores.rated import ComparedRatings, Quality, best_match, helmet_score, lr_scores
from readers.engine.record.trace import Trace
from readers.engine.run.desk import Desk, Got
from readers.engine.run.execute import RunSpec, check_spec
from readers.engine.run.reader import Reader
from readers.engine.statistics.agreement import Coefficient, Item, alpha, kappa, percent
from readers.engine.store import Run, Store, open_reading
from readers.engine.text import tokens
from readers.engine.text.document import Document, Question, Text
from readers.engine.work import Price

ID = "rater"
MOST_REFERENCES = 20
_UNREAD = "unread"
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
    """What a rater said of an answer: the words of its replies in the order of the calls, None where one could not be read."""

    kind: RatingKind
    model: str
    words: tuple[str | None, ...]

    @property
    def compared(self) -> list[ComparedRatings]:
        """For LR-1 and LR-2: what was said of each reference."""
        half = len(self.words) // 2
        return [
            ComparedRatings(_meaning(rate.STRICT_WORDS, strict), _meaning(rate.PERMISSIVE_WORDS, permissive))
            for strict, permissive in zip(self.words[:half], self.words[half:], strict=True)
        ]

    @property
    def quality(self) -> Quality:
        """For HELMET's judge."""
        fluency, correctness = self.words
        return Quality(_meaning(rate.FLUENCY_WORDS, fluency), _meaning(rate.CORRECTNESS_WORDS, correctness))

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
    """Asks how far an answer agrees with its references: for LR twice for each reference, for HELMET twice in all."""

    id = ID
    title = "A rater of an answer"
    version = 1
    prompts = rate.RATING_PROMPTS
    Options = RaterOptions

    def read(self, document: Document, question: Question, desk: Desk[Action], options: RaterOptions) -> Text:
        asked = _decode(options)
        replies = []
        with desk.step("rate"):
            for prompt, rows in _calls(asked):
                replies += desk.ask_all(prompt, iter(rows))
            for reply in replies:
                desk.choose("rated", reply.text if isinstance(reply, Got) else _UNREAD)
        read = sum(isinstance(reply, Got) for reply in replies)
        return Text(f"{read} of {len(replies)} ratings could be read.")


def _calls(asked: ToRate) -> list[tuple[Prompt, list[dict[str, Text]]]]:
    """The prompts in the order in which they are asked, each with its rows."""
    shown = {"question": Text(asked.question), "answer": Text(asked.answer)}
    if asked.kind == "helmet":
        together = Text("\n".join(f"- {one}" for one in asked.references))
        return [(rate.FLUENCY, [shown]), (rate.CORRECTNESS, [{**shown, "reference": together}])]
    rows = [{**shown, "reference": Text(one)} for one in asked.references]
    return [(rate.STRICT, rows), (rate.PERMISSIVE, rows)]


def to_rate(kind: RatingKind, answer: str | None, known: KnownAnswer | None) -> ToRate | None:
    """What there is to rate of an answer; None without an answer or a known one. Values that are required together are one
    reference."""
    if not answer or not answer.strip() or known is None or not known.answerable or not known.answers:
        return None
    references = (", ".join(known.answers),) if known.all_required else known.answers[:MOST_REFERENCES]
    return ToRate(kind, known.question, references, answer)


def price(asked: Sequence[ToRate], model: str) -> Price:
    """What rating these takes with this model, as far as every reply can be read."""
    calls = [(prompt, row) for one in asked for prompt, rows in _calls(one) for row in rows]
    return price_of([tokens.count(prompt.render(prompt.parts(row))) for prompt, row in calls], model)


def spec_of(asked: ToRate, terms: Mapping[str, Any]) -> RunSpec:
    """The spec of a run that rates this; `terms` are a spec's fields that say which model and how it is asked."""
    return RunSpec(ID, Rater.version, "How right is it?", (), {"asked": encode(asked)}, **{**terms, "reuse": False})


def ask_rater(store: Store, run: Run, asked: ToRate, terms: Mapping[str, Any]) -> Run:
    """Put the rating of a reading's answer on record, queued. Raises BadOptions for a model that cannot rate."""
    check_rater(str(terms["model"]))
    spec = spec_of(asked, terms)
    check_spec(Rater(), spec)
    name = "LR-1 and LR-2" if asked.kind == "lr" else "HELMET's judge"
    return add_beside(store, run, spec, name=f"how right its answer is ({name})")


def check_rater(model: str) -> None:
    """Raise BadOptions for a model that cannot rate: the offline one has no task for it, and people grade on Annotate."""
    if model in (catalogue.OFFLINE, catalogue.HUMAN):
        raise BadOptions("a rater is a language model; choose one, or use the scores that need none")


def rated(run: Run, trace: Trace) -> Rated | None:
    """What a run by `Rater` said; None until it has said all."""
    asked = _decode(RaterOptions(**run.spec["options"]))
    words = tuple(None if one.picked == _UNREAD else one.picked for one in trace.decisions("rated"))
    wanted = sum(len(rows) for _, rows in _calls(asked))
    return Rated(asked.kind, str(run.spec["model"]), words) if len(words) == wanted else None


def kind_of(run: Run) -> RatingKind:
    """Which kind of rating a run by `Rater` gives."""
    return _decode(RaterOptions(**run.spec["options"])).kind


def all_rated(store: Store, run_id: str) -> list[Rated]:
    """What raters said of a reading's answer: of each kind and model the latest."""
    found: dict[tuple[RatingKind, str], Rated] = {}
    for run in (run for experiment in reversed(experiments_of(store, run_id, reader=ID)) for run in experiment.runs):
        if one := rated(run, open_reading(store, run.id).trace):
            found[one.kind, one.model] = one
    return list(found.values())


def agreement(by_reading: Iterable[tuple[str, Sequence[Rated]]], kind: RatingKind) -> list[Coefficient]:
    """How far several raters agree on the answers of these readings: percent, Cohen's kappa, Krippendorff's alpha."""
    items = [Item(run, one.model, one.said) for run, every in by_reading for one in every if one.kind == kind and one.said]
    return [figure(items) for figure in (percent, kappa, alpha)]
