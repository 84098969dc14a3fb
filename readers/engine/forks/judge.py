"""A model as judge: whether the texts that a reader wrote still say a sentence of the document, one call for each.

It is an experiment with a reading, like samples of a call: one run by a reader that cannot be selected, so that it is recorded,
paid for, stopped and resumed like everything else. Its verdict is shown next to the matcher's and never replaces it. How often it
agrees with people's labels is measured by `make bench-judge` on this machine, and stored next to the database. Labels without a
matching verdict (a part of the fact is still said) and pairs with two different labels are left out of the agreement; a verdict
on such a pair is not right. Not here: the prompt (`prompts/judging.py`), and the labelled pairs (`tests/facts`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, NamedTuple

from pydantic import TypeAdapter

from readers.engine.errors import BadOptions
from readers.engine.forks.experiments import add_beside, experiments_of, spec_beside
from readers.engine.home import read_figures, write_figures
from readers.engine.models import catalogue
from readers.engine.prompts.judging import JUDGE, JUDGEMENTS, Judgement, judgement
from readers.engine.prompts.options import option
from readers.engine.record.trace import Trace
from readers.engine.run.desk import Desk, Got, Unread
from readers.engine.run.estimate import PROMPT_SPREAD, cost_of
from readers.engine.run.reader import Reader
from readers.engine.statistics.agreement import Item, kappa
from readers.engine.statistics.intervals import wilson
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.text import tokens
from readers.engine.text.document import Document, Question, Span, Text
from readers.engine.work import Price, Range

ID = "judge"
MOST_PAIRS = 500
_REPLY = Range(4, 24)  # tokens of a verdict
UNREAD = "unread"
QUESTION = "Does it still say this?"
Action = Literal["judged"]
JUDGED: Mapping[Judgement | None, str] = {
    "says it": "still said",
    "says another": "something else in its place",
    "does not say it": "no longer said",
    "cannot tell": "cannot be told",
    None: "nothing that could be read",
}
"""A verdict in words: a clause."""


class Pair(NamedTuple):
    """A sentence of the document, its place, and a text that the reader wrote, with its number."""

    fact: Span
    sentence: str
    number: int
    writing: str


class Judged(NamedTuple):
    """What a judge said about a pair; `verdict` is None if no reply could be read."""

    fact: Span
    number: int
    model: str
    verdict: Judgement | None


@dataclass(frozen=True)
class JudgeOptions:
    """`pairs` is what `encode` returns."""

    pairs: str = option("[]", "The sentences and the writings, as JSON.")


def encode(pairs: Sequence[Pair]) -> str:
    """Pairs, as stored in the option `pairs`."""
    return json.dumps(pairs, ensure_ascii=False)


class Judge(Reader):
    """Asks for each pair whether the writing still says the sentence."""

    id = ID
    title = "A judge of whether texts still say it"
    version = 1
    prompts = (JUDGE,)
    Options = JudgeOptions

    def read(self, document: Document, question: Question, desk: Desk[Action], options: JudgeOptions) -> Text:
        with desk.step("judge"):
            replies = desk.ask_all(JUDGE, map(_row, _decode(options)))
            return record_words(desk, replies, "judged", judgement, "verdicts")


def record_words(desk: Desk[Any], replies: Sequence[Got | Unread], action: str, word: Callable[[str], str], what: str) -> Text:
    """Record what each reply says in a word, and say how many could be read."""
    for reply in replies:
        desk.choose(action, word(reply.text) if isinstance(reply, Got) else UNREAD)
    return Text(f"{sum(isinstance(reply, Got) for reply in replies)} of {len(replies)} {what} could be read.")


def _decode(options: JudgeOptions) -> list[Pair]:
    return [Pair(Span(*fact), sentence, number, writing) for fact, sentence, number, writing in json.loads(options.pairs)]


def pairs_of(trace: Trace, fact: Span, numbers: Sequence[int]) -> list[Pair]:
    """The pairs of a fact with these texts of a reading, except empty ones."""
    words = trace.document.text[fact.start : fact.end]
    return [Pair(fact, words, number, text) for number in numbers if (text := trace.wrote[number].text).strip()]


def price(pairs: Sequence[Pair], model: str) -> Price:
    """The cost of the judge with this model, one call for each pair, if every reply can be read."""
    return price_of([tokens.count(JUDGE.render(JUDGE.parts(_row(one)))) for one in pairs], model)


def price_of(sizes: Sequence[int], model: str) -> Price:
    """What calls with prompts of these sizes (in tokens) take that are each answered with a verdict of a word."""
    sent = Range(sum(sizes), sum(sizes)).times(1, spread=PROMPT_SPREAD)
    received = _REPLY.times(len(sizes))
    return Price(Range(len(sizes), len(sizes)), sent, received, cost_of(model, sent, received))


def _row(pair: Pair) -> dict[str, Text]:
    return {"sentence": Text(pair.sentence), "writing": Text(pair.writing)}


def ask_judge(store: Store, reading: Reading, pairs: Sequence[Pair], terms: Mapping[str, Any]) -> Run:
    """Put the judging on record, queued. Raises BadOptions if there are no pairs or too many, or if the model cannot judge."""
    check_judge(str(terms["model"]))
    if not 1 <= len(pairs) <= MOST_PAIRS:
        raise BadOptions(f"a judge takes 1 to {MOST_PAIRS} texts at once, not {len(pairs)}: follow one fact, or choose a step")
    spec = spec_beside(Judge(), QUESTION, {"pairs": encode(pairs)}, terms)
    name = f"whether {len(pairs)} {'text' if len(pairs) == 1 else 'texts'} still say it"
    return add_beside(store, reading.run, spec, name=name)


def check_judge(model: str) -> None:
    """Raise BadOptions for a model that cannot judge: the offline one has no task for it, a person marks it on Annotate."""
    if model in (catalogue.OFFLINE, catalogue.HUMAN):
        raise BadOptions("a judge is a language model: the offline model only compares words, as the word match already does")


def judged(run: Run, trace: Trace) -> list[Judged]:
    """What a run by `Judge` said, once it has ended; empty before."""
    pairs = _decode(JudgeOptions(**run.spec["options"]))
    model = str(run.spec["model"])
    return [Judged(pair.fact, pair.number, model, said) for pair, said in zip(pairs, judged_in(trace), strict=False)]


def judged_in(trace: Trace) -> list[Judgement | None]:
    """The verdicts of a run by `Judge`, in the order of its pairs; None where no reply could be read."""
    said = (decision.picked for decision in trace.decisions("judged"))
    return [next((one for one in JUDGEMENTS if one == words), None) for words in said]


def all_judged(store: Store, run_id: str) -> dict[tuple[Span, int], list[Judged]]:
    """What judges said about a reading, by fact and text: the latest verdict of each model."""
    found: dict[tuple[Span, int], dict[str, Judged]] = {}
    for run in (run for experiment in reversed(experiments_of(store, run_id, reader=ID)) for run in experiment.runs):
        for one in judged(run, open_reading(store, run.id).trace):
            found.setdefault((one.fact, one.number), {})[one.model] = one
    return {pair: list(said.values()) for pair, said in found.items()}


def judge_says(judged: Sequence[Judged]) -> str:
    """What judges say about a text, shown next to the matcher: `the judge MODEL says: still said`; empty if there is no
    verdict."""
    return "; ".join(f"the judge {catalogue.title(one.model)} says: {JUDGED[one.verdict]}" for one in judged)


_FILE = "judges.json"
LABELS: Mapping[Judgement, str] = {"says it": "carried", "says another": "altered", "does not say it": "lost"}


class Share(NamedTuple):
    """A count of a total."""

    right: int
    of: int

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of Wilson (1927)."""
        return wilson(self.right, self.of)


@dataclass(frozen=True)
class JudgeFigures:
    """Of the `pairs` judged, `agreed` and `kappa` (Cohen, 1960; None if chance by itself would always agree) compare those whose
    label has a matching verdict. `verdicts` says of each verdict how often it was right. `prompt` is the prompt's hash. Raises
    ValueError for an invalid share."""

    model: str
    prompt: str
    pairs: int
    unread: int
    agreed: Share
    kappa: float | None
    verdicts: Mapping[str, Share]

    def __post_init__(self) -> None:
        for right, of in (self.agreed, *self.verdicts.values()):
            if not 0 <= right <= of:
                raise ValueError(f"{right} of {of} is not a share")

    @property
    def current(self) -> bool:
        """Whether it was measured with the present prompt."""
        return self.prompt == JUDGE.hash


def figures_of(model: str, pairs: Sequence[tuple[str | None, Judgement | None]]) -> JudgeFigures:
    """The figures of a model that judged pairs: the label that each was given twice (None if there were two), and what the judge
    said (None: no reply could be read)."""
    meant = [(label, LABELS.get(said, "other") if said else "other") for label, said in pairs if label in LABELS.values()]
    verdicts: dict[str, Share] = {
        verdict: Share(pairs.count((label, verdict)), sum(said == verdict for _, said in pairs))
        for verdict, label in LABELS.items()
    }
    agreed = Share(sum(label == said for label, said in meant), len(meant))
    found = kappa(
        Item(str(n), by, one) for n, both in enumerate(meant) for by, one in zip(("people", "judge"), both, strict=True)
    )
    unread = sum(said is None for _, said in pairs)
    return JudgeFigures(model, JUDGE.hash, len(pairs), unread, agreed, found.value, verdicts)


def stored_figures() -> list[JudgeFigures]:
    """The figures that were measured here, the latest of each model, by name. What cannot be read was never measured."""
    return [one for _, value in sorted(read_figures(_FILE).items()) if (one := _figures_from(value))]


def find_figures(model: str) -> JudgeFigures | None:
    """The figures of a model; None if it was never measured here."""
    return next((one for one in stored_figures() if one.model == model), None)


def store_figures(new: JudgeFigures) -> None:
    """Store the figures of a model in place of earlier ones."""
    write_figures(_FILE, {one.model: asdict(one) for one in (*stored_figures(), new)})


def _figures_from(value: object) -> JudgeFigures | None:
    with suppress(ValueError):
        found = TypeAdapter(JudgeFigures).validate_python(value)
        return replace(found, verdicts={name: share for name, share in found.verdicts.items() if name in LABELS})
    return None
