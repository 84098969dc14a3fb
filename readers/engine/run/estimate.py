"""The cost of a run, before anything is spent: calls, tokens, money, time, and where the text will be cut.

The estimate is that of a trial with the offline model (`trial.py`), so it works for any reader. It is exact for the offline model
on a text that was tried from end to end. A trial shows how often the text must be read through; the length of another model's
walk and replies is a guess, and so is the rest of a text that was tried on its beginnings: these are given as ranges. Providers
count thoughts as written: a model that thinks before it replies may leave them out, and may fill the room for a reply with them,
so they are a range from nothing to all the room that the reply leaves. In a batch, some texts are tried, and the others are
extrapolated. Not here: how an estimate is displayed (`components/widgets/start/estimate.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial, reduce
from statistics import mean

from readers.engine.errors import PromptTooLong
from readers.engine.models import catalogue, learnt_speed, speed, timeouts
from readers.engine.models.call import TokenPrice
from readers.engine.models.learnt_speed import TimedCall
from readers.engine.models.model import token_cost
from readers.engine.questions.question_set import SetQuestion
from readers.engine.record.costs import Costs, Tally
from readers.engine.run import part_sizes
from readers.engine.run.batches import BatchPlan, Readers, check_plan, is_warm, with_room
from readers.engine.run.execute import RunSpec
from readers.engine.run.reader import Reader
from readers.engine.run.trial import CallCount, CallKind, Group, Trial, try_out
from readers.engine.store import Store
from readers.engine.text.document import Document, Span
from readers.engine.work import NOTHING, Price, Range

BUILD_SPREAD = (0.75, 2.0)  # how much less or more another model may bring to a memory that is built for one question
WALK_SPREAD = (0.5, 3.0)  # how much shorter or longer another model's way to an answer may be
PROMPT_SPREAD = (0.8, 1.25)  # the same for the tokens it is sent, because its summaries differ in length
REPLY_SPREAD = (0.5, 2.0)
KNOWN_SPREAD = (0.8, 1.25)  # of replies to prompts that the model has replied to before
FEWEST_REPLIES = 4  # to a prompt, to know how long they are
MIN_PASS_SHARE = 0.8  # the share of a question's calls that must go over the text for their number to depend only on the text
PASS_SPREAD = (1.0, 1.2)  # calls that go over the text: the same number with any model, plus retries
MAX_TRIED_TEXTS = 3  # texts tried to price a variant, from the shortest to the longest
UNTRIED_SPREAD = (0.75, 1.5)  # how far the other texts may differ from those


@dataclass(frozen=True)
class Estimate(Price):
    """The price of a run, and how the reader will cut the text.

    `cuts` are the parts the reader makes of the text, or of as much of it as was tried; `parts` is how many there will be in
    total. `left_out` are cuts the reader drops for lack of room. `measured`: the seconds are from the speed that the model was
    measured to have here. `tried`: what the calls of the trial would take, split into building and asking.
    """

    cuts: tuple[Span, ...] = ()
    parts: int = 0
    left_out: tuple[Span, ...] = ()
    measured: bool = False
    likely: float | None = None
    tried: Costs | None = None


def estimate(document: Document, reader: Reader, spec: RunSpec, *, store: Store | None = None, concurrency: int = 8) -> Estimate:
    """Estimate a run. Raises BadOptions if it cannot run at all; changes nothing."""
    trial = try_out(document, reader, spec, store)
    return _advised(_estimate_from(trial, store, concurrency, sure=spec.model == catalogue.OFFLINE), document, reader, spec)


def estimate_several(
    document: Document, reader: Reader, spec: RunSpec, questions: int, *, store: Store | None = None
) -> Estimate:
    """What this many questions to one text take, one after another, if each takes as much as this one and shared calls are made
    once. The results are ranges even with the offline model, because questions differ."""
    trial = try_out(document, reader, spec, store).of_several(questions)
    sure = questions == 1 and spec.model == catalogue.OFFLINE
    return _advised(_estimate_from(trial, store, 1, sure=sure), document, reader, spec)


def _advised(found: Estimate, document: Document, reader: Reader, spec: RunSpec) -> Estimate:
    measure = partial(part_sizes.TextLength.of, document)
    return replace(found, advice=part_sizes.larger(reader, spec.options, measure, calls=found.calls.low, window=spec.window))


def _estimate_from(trial: Trial, store: Store | None, concurrency: int, *, sure: bool) -> Estimate:
    """The estimate that a trial amounts to. `sure`: the run makes the calls of the trial."""
    calls_before = store.runs.timed_calls(trial.spec.model, trial.spec.api_base) if store and not sure else []
    lengths = _reply_lengths(calls_before)
    groups: tuple[Group, ...] = ("shared", "building", "own")
    counts = [_as_long_as_before(trial, lengths).total(group) for group in groups]
    spreads = ((1.0, 1.0), BUILD_SPREAD, PASS_SPREAD if trial.pass_share >= MIN_PASS_SHARE else WALK_SPREAD)
    ranges = [
        _range_of(count if sure or group == "shared" else _spread(count, spread), least=0 if group == "shared" else 1)
        for group, count, spread in zip(groups, counts, spreads, strict=True)
    ]
    known = {kind.prompt for kind in trial.counts} <= lengths.keys()
    sent, received = [], []
    for calls, count in zip(ranges, counts, strict=True):
        spread_in, spread_out = ((1.0, 1.0), (1.0, 1.0)) if sure else (PROMPT_SPREAD, KNOWN_SPREAD if known else REPLY_SPREAD)
        sent.append(_token_range(calls, count.calls, count.sent).times(1, spread=spread_in))
        written = _token_range(calls, count.calls, count.received).times(1, spread=spread_out)
        received.append(written if known else written.plus(Range(0, _token_range(calls, count.calls, count.thought).high)))
    too_long = isinstance(trial.failed, PromptTooLong)
    free = trial.spec.model == catalogue.OFFLINE
    fast, measured = speed_of(trial.spec.model, trial.spec.api_base, calls_before)
    widths = [_width(trial, group, calls_before, concurrency) for group in groups]
    took = Range(trial.seconds, 2 * trial.seconds) if free else _time(fast, ranges, sent, received, widths) if fast else None
    tokens_in, tokens_out = (reduce(Range.plus, each) for each in (sent, received))
    return Estimate(
        calls=reduce(Range.plus, ranges),
        reused=round(trial.reused),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        seconds=took,
        cost=cost_of(trial.spec.model, tokens_in, tokens_out, price=trial.spec.price),
        cuts=trial.cuts,
        parts=len(trial.cuts) if trial.parts is None else trial.parts,
        whole=trial.parts is None,
        open_end=trial.failed is not None and not too_long and not free,
        problems=(str(trial.failed),) if trial.failed and (too_long or free) else (),
        left_out=trial.left_out,
        measured=measured,
        likely=_likely(fast, counts, widths) if fast and not free else None,
        tried=Costs(*(_tally(trial, of) for of in (("shared",), ("building", "own")))),
    )


def _tally(trial: Trial, groups: Sequence[Group]) -> Tally:
    """What the calls of these groups would take, if the model's replies were as long as those of the trial."""
    count = trial.total(*groups)
    sent, received = round(count.sent), round(count.received)
    cost = cost_of(trial.spec.model, Range(sent, sent), Range(received, received), price=trial.spec.price)
    return Tally(round(count.calls), sent, received, None if cost is None else Fraction(str(cost.low)))


def speed_of(model: str, api_base: str | None, calls: Sequence[TimedCall]) -> tuple[speed.Speed | None, bool]:
    """How fast a model is by its calls on record, if these are enough, or as it was measured here; None if neither is known. Then
    whether it was measured."""
    here = catalogue.is_local(model) or timeouts.served_here(model, api_base)
    measured = speed.find_speed(model, api_base)
    if measured and len(calls) < learnt_speed.FEWEST_CALLS:
        return measured, True
    return learnt_speed.learn_speed(calls, shares=1.0 if here else 0.0), False


def _time(
    fast: speed.Speed, calls: Sequence[Range], sent: Sequence[Range], received: Sequence[Range], widths: Sequence[float]
) -> Range:
    """The seconds of a run by its groups of calls, so many of each at once. The model may have to be loaded first."""
    low, high = (
        sum(fast.seconds(calls[n][end], sent[n][end], received[n][end], at_once=width) for n, width in enumerate(widths))
        for end in (0, 1)
    )
    return Range(low, high + fast.load)


def _width(trial: Trial, group: Group, calls: Sequence[TimedCall], concurrency: int) -> float:
    """How many calls of a group are in flight at once, on average: as with the same prompts before, because a few calls do not
    fill all places. Else those that build a memory are taken to fill them, and those of the question to follow one another."""
    prompts = {kind.prompt for kind in trial.counts if kind.group == group}
    before = [call for call in calls if call.prompt in prompts]
    if len(before) < FEWEST_REPLIES:
        return 1.0 if group == "own" else concurrency
    return min(concurrency, sum(call.seconds for call in before) / sum(call.seconds / call.at_once for call in before))


def _likely(fast: speed.Speed, counts: Sequence[CallCount], widths: Sequence[float]) -> float:
    exact = [[Range(value, value) for value in (count.calls, count.sent, count.received)] for count in counts]
    calls, sent, received = zip(*exact, strict=True)
    return _time(fast, calls, sent, received, widths).low


def _reply_lengths(calls: Sequence[TimedCall]) -> dict[str, float]:
    """How long a model's replies to a prompt were, in tokens, if it replied to it often enough; by the prompt's hash."""
    found: dict[str, list[int]] = {}
    for call in calls:
        found.setdefault(call.prompt, []).append(call.received)
    return {prompt: mean(lengths) for prompt, lengths in found.items() if len(lengths) >= FEWEST_REPLIES}


def _as_long_as_before(trial: Trial, lengths: Mapping[str, float]) -> Trial:
    """The trial with replies as long as this model's were, its thoughts included, where that is known."""

    def counted(kind: CallKind, count: CallCount) -> CallCount:
        return replace(count, received=count.calls * lengths[kind.prompt], thought=0) if kind.prompt in lengths else count

    return replace(trial, counts={kind: counted(kind, count) for kind, count in trial.counts.items()})


def _spread(count: CallCount, by: tuple[float, float]) -> CallCount:
    """The calls as another model may make them: no surer than the trial, and no surer than `by`."""
    (low, high), (less, more) = count.spread, by
    return replace(count, spread=(min(low, less), max(high, more)))


def _range_of(count: CallCount, *, least: int = 0) -> Range:
    low, high = (round(count.calls * end) for end in count.spread)
    return Range(max(least if count.calls else 0, low), high)


def _token_range(calls: Range, tried: float, counted: float) -> Range:
    return calls.times(counted / tried) if tried else NOTHING


def cost_of(model: str, sent: Range, received: Range, *, price: TokenPrice | None = None) -> Range | None:
    """The cost of these tokens in US dollars, at this `price` if there is one, nothing for a model on this machine; None if it is
    unknown."""
    if catalogue.needs_nothing(model):
        return NOTHING
    low, high = (token_cost(model, *tokens, price=price) for tokens in ((sent.low, received.low), (sent.high, received.high)))
    return None if low is None or high is None else Range(low, high)


# A batch


def price_batch(
    store: Store, asked: Sequence[SetQuestion], plan: BatchPlan, *, readers: Readers, texts: Iterable[Document] = ()
) -> Price:
    """Try some texts with the offline model and extrapolate to the others. `texts` are those that are not stored yet. Changes
    nothing. Raises like `check_plan`."""
    check_plan(plan, readers)
    new = {text.id: text for text in texts}
    by_text: dict[str, list[SetQuestion]] = {}
    for question in asked:
        by_text.setdefault(question.document, []).append(question)
    estimates: list[tuple[Price, float]] = []
    tried: set[str] = set()
    for variant, spec in enumerate(plan.variants):
        reader = readers(spec.reader)
        sizes = _sizes(store, by_text, new)
        for document, share, questions in _texts_to_try(sizes):
            text, first = new.get(document) or store.documents.get(document), by_text[document][0]
            together = 1 if is_warm(spec) else plan.samples  # samples that share work are more questions on the text
            spec_for = partial(plan.spec_for, text, variant, first, reader=reader)
            estimates.append((_try(store, text, reader, spec_for(), questions * together), share))
            if others := plan.samples - together:
                again = _try(store, text, reader, spec_for(sample=1), questions)
                estimates.append((again, share * others))
            tried.add(document)
    return _total_price(estimates, plan.readings(len(asked)), tried=len(tried), texts=len(by_text))


def price_together(estimates: Sequence[Price]) -> Price:
    """What several readings of one text take in total, by the estimate of each."""
    return _total_price([(each, 1.0) for each in estimates], len(estimates), tried=1, texts=1)


def _sizes(store: Store, by_text: Mapping[str, Sequence[SetQuestion]], new: Mapping[str, Document]) -> dict[str, tuple[int, int]]:
    """The tokens of each text, and the number of questions on it."""
    stored = {one.id: one.tokens for one in store.documents.listed()} | {one.id: one.tokens for one in new.values()}
    return {text: (max(1, stored[text]), len(questions)) for text, questions in by_text.items() if text in stored}


def _texts_to_try(sizes: Mapping[str, tuple[int, int]]) -> list[tuple[str, float, int]]:
    """The texts to try, from the shortest to the longest; each represents its nearest neighbours in that order. With each, the
    weight of its figures, and the mean number of questions on the texts it represents."""
    ordered = sorted(sizes, key=lambda text: (sizes[text], text))
    count = min(MAX_TRIED_TEXTS, len(ordered))
    picked = sorted({round(n * (len(ordered) - 1) / max(1, count - 1)) for n in range(count)})
    represented: dict[int, list[str]] = {at: [] for at in picked}
    for position, text in enumerate(ordered):
        represented[min(picked, key=lambda at: abs(at - position))].append(text)
    return [
        (
            ordered[at],
            sum(sizes[text][0] for text in texts) / sizes[ordered[at]][0],
            max(1, round(sum(sizes[text][1] for text in texts) / len(texts))),
        )
        for at, texts in represented.items()
    ]


def _try(store: Store, text: Document, reader: Reader, spec: RunSpec, questions: int) -> Estimate:
    return estimate_several(text, reader, with_room(spec), questions, store=store)


def _total_price(estimates: Sequence[tuple[Price, float]], readings: int, *, tried: int, texts: int) -> Price:
    spread = (1.0, 1.0) if tried == texts else UNTRIED_SPREAD

    def total(ranges: Iterable[tuple[Range | None, float]]) -> Range | None:
        added = NOTHING
        for amount, share in ranges:
            if amount is None:
                return None
            added = added.plus(amount.times(share, spread=spread))
        return added

    return Price(
        calls=total((each.calls, share) for each, share in estimates) or NOTHING,
        tokens_in=total((each.tokens_in, share) for each, share in estimates) or NOTHING,
        tokens_out=total((each.tokens_out, share) for each, share in estimates) or NOTHING,
        cost=total((each.cost, share) for each, share in estimates),
        seconds=total((each.seconds, share) for each, share in estimates),
        of=readings,
        reused=sum(each.reused for each, _ in estimates),
        whole=tried == texts,
        open_end=any(each.open_end for each, _ in estimates),
        note="" if tried == texts else f"{tried} of {texts:,} texts sampled",
        problems=tuple(dict.fromkeys(problem for each, _ in estimates for problem in each.problems)),
        advice=next((each.advice for each, _ in estimates if each.advice), ""),
    )
