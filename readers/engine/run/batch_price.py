"""What a batch takes: some of its texts are tried with the offline model, and the others extrapolated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from readers.engine.questions.question_set import SetQuestion
from readers.engine.run.batches import BatchPlan, Readers, check_plan, is_warm, with_room
from readers.engine.run.estimate import Estimate, estimate_several
from readers.engine.run.execute import RunSpec
from readers.engine.run.reader import Reader
from readers.engine.store import Store
from readers.engine.text.document import Document
from readers.engine.work import NOTHING, Price, Range

MAX_TRIED_TEXTS = 3  # texts tried to price a variant, from the shortest to the longest
UNTRIED_SPREAD = (0.75, 1.5)  # how far the other texts may differ from those


def price(
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
            estimates.append((_try(store, text, reader, plan.spec(variant, first), questions * together), share))
            if others := plan.samples - together:
                again = _try(store, text, reader, plan.spec(variant, first, sample=1), questions)
                estimates.append((again, share * others))
            tried.add(document)
    return _total_price(estimates, plan.readings(len(asked)), tried=len(tried), texts=len(by_text))


def price_together(estimates: Sequence[Price]) -> Price:
    """What several readings of one text take in all, by the estimate of each."""
    return _total_price([(each, 1.0) for each in estimates], len(estimates), tried=1, texts=1)


def _sizes(store: Store, by_text: Mapping[str, Sequence[SetQuestion]], new: Mapping[str, Document]) -> dict[str, tuple[int, int]]:
    """The tokens of each text, and the number of questions on it."""
    stored = {one.id: one.tokens for one in store.documents.listed()} | {one.id: one.tokens for one in new.values()}
    return {text: (max(1, stored[text]), len(questions)) for text, questions in by_text.items() if text in stored}


class _TriedText(NamedTuple):
    """A text that is tried: the weight of its figures, and the mean number of questions on the texts it represents."""

    document: str
    share: float
    questions: int


def _texts_to_try(sizes: Mapping[str, tuple[int, int]]) -> list[_TriedText]:
    """The texts to try, from the shortest to the longest; each represents its nearest neighbours in that order."""
    ordered = sorted(sizes, key=lambda text: (sizes[text], text))
    count = min(MAX_TRIED_TEXTS, len(ordered))
    picked = sorted({round(n * (len(ordered) - 1) / max(1, count - 1)) for n in range(count)})
    represented: dict[int, list[str]] = {at: [] for at in picked}
    for position, text in enumerate(ordered):
        represented[min(picked, key=lambda at: abs(at - position))].append(text)
    return [
        _TriedText(
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
    )
