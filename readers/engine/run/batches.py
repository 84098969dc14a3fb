"""Batches: the questions of a set, each read by every variant. Planned, priced, done, stopped, resumed.

A variant is a reader with its options and a model: a `RunSpec` without a question. A batch is worked on by `Jobs`, which keeps
some of its readings going and begins the next one when one has stopped, whichever way: a failed one holds up no other. What is
done stands in the database alone, so a batch whose process was killed goes on from there: a finished reading is not read again, a
broken one goes on where its record ends, and no answered call is made again. Two processes that work on the same batch make no
reading twice. Where a reader shares work between the questions of one text, the first of them goes ahead alone, so that nothing
is paid for twice. Not here: the tables (`store/questions.py`), judging answers (`judged.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from readers.engine.errors import BadOptions, Busy, NotFound, ReadingError
from readers.engine.models import catalogue
from readers.engine.questions.grading import Grade, grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_set import SetQuestion
from readers.engine.run.estimate import Estimate, Range, estimate_several
from readers.engine.run.execute import Execution, RunSpec, check_spec
from readers.engine.run.jobs import Jobs
from readers.engine.run.reader import Reader
from readers.engine.store import AT_WORK, Run, Store
from readers.engine.store.batches import Batch, Cell
from readers.engine.text.document import Document

MAX_VARIANTS, MAX_CELLS = 16, 20_000
MAX_TRIED_TEXTS = 3  # texts that are tried out for the price of a variant, from the shortest to the longest
UNTRIED_SPREAD = (0.75, 1.5)  # how far the texts that were not tried out may differ from those
_ANY_QUESTION = "What is this about?"

Readers = Callable[[str], Reader]


@dataclass(frozen=True)
class BatchPlan:
    """What every question of a set is read by, whether the readers are given the choices, and what to call the batch (empty: like
    its set)."""

    variants: tuple[RunSpec, ...]
    give_choices: bool = True
    name: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"variants": [asdict(one) for one in self.variants], "give_choices": self.give_choices, "name": self.name}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> BatchPlan:
        return cls(tuple(RunSpec.from_json(one) for one in data["variants"]), bool(data["give_choices"]), data["name"])

    def spec(self, variant: int, asked: SetQuestion) -> RunSpec:
        """The reading of one question by one variant."""
        choices = asked.choices if self.give_choices else ()
        return replace(self.variants[variant], question=asked.question, choices=choices)


class BatchPrice(NamedTuple):
    """What a batch takes. `cost` is in US dollars, None where a price is unknown; `tried` of `texts` were tried out, and the
    others worked out from these. `problems` are sentences about what will make readings fail."""

    readings: int
    calls: Range
    tokens_in: Range
    tokens_out: Range
    cost: Range | None
    seconds: Range | None
    tried: int
    texts: int
    open_end: bool
    problems: tuple[str, ...]


class BatchProgress(NamedTuple):
    """How the readings of a batch stand. `stopped` can be gone on with, like those that `failed` or are `left`; `refused` could
    not even begin."""

    total: int
    answered: int
    unanswered: int
    failed: int
    stopped: int
    refused: int
    going: int
    left: int

    @property
    def done(self) -> int:
        return self.answered + self.unanswered

    @property
    def resumable(self) -> int:
        """Those that resuming the batch goes on with, or begins."""
        return self.failed + self.stopped + self.refused + self.left


class CellResult(NamedTuple):
    """One cell of a batch with its question, its reading as far as there is one, and what a rule makes of the answer."""

    cell: Cell
    question: SetQuestion
    run: Run | None
    grade: Grade | None

    @property
    def problem(self) -> str:
        """Why there is nothing to judge: what the reading failed of, and what kept it from beginning or going on; empty for
        nothing that is known."""
        if self.grade or (self.run and self.run.status in AT_WORK):
            return ""
        failed, kept = (self.run.error or "" if self.run else ""), self.cell.error or ""
        return f"{failed.removesuffix('.')}. It could not be gone on with: {kept}" if failed and kept else failed or kept


@dataclass(frozen=True)
class BatchExecution:
    """How a batch is worked on: who the readers are and who answers a reading; `may_begin` raises where no further reading may be
    begun; the store's `path`, and whose eyes it is opened with."""

    readers: Readers
    execution: Callable[[Run], Execution]
    may_begin: Callable[[Store], None] = lambda store: None
    path: Path | None = None
    visitor: str | None = None

    def open_store(self) -> Store:
        return Store(self.path, visitor=self.visitor)


def check_plan(plan: BatchPlan, readers: Readers) -> None:
    """Raise BadOptions, or NotFound for a reader, where a variant cannot be read by at all."""
    if not 1 <= len(plan.variants) <= MAX_VARIANTS:
        raise BadOptions(f"a batch reads in 1 to {MAX_VARIANTS} ways, not {len(plan.variants)}")
    for number, one in enumerate(plan.variants):
        reader = readers(one.reader)
        if one.model == catalogue.HUMAN:
            raise BadOptions("a batch is read by models: where you reply yourself, begin each reading by itself")
        catalogue.open_model(one.model)
        check_spec(reader, replace(one, question=_ANY_QUESTION))
        if one.edits or one in plan.variants[:number]:
            raise BadOptions(f"{reader.title} with {one.model!r} and the same options is there twice; leave one out")


def add(store: Store, set_id: str, plan: BatchPlan, *, readers: Readers, numbers: Sequence[int] | None = None) -> Batch:
    """Put a batch of a set's questions (all, or these, from 0) on record; it does not begin. Raises BadOptions, and NotFound."""
    check_plan(plan, readers)
    kept = store.question_sets.get(set_id)
    chosen = list(range(kept.questions)) if numbers is None else sorted({n for n in numbers if 0 <= n < kept.questions})
    if not chosen:
        raise BadOptions(f"there is no question to read in {kept.name!r}; choose some")
    if len(chosen) * len(plan.variants) > MAX_CELLS:
        raise BadOptions(f"a batch has up to {MAX_CELLS:,} readings, and this would be {len(chosen) * len(plan.variants):,}")
    return store.batches.add(plan.name or kept.name, kept.id, plan.to_json(), variants=len(plan.variants), numbers=chosen)


# What it takes


def price(store: Store, asked: Sequence[SetQuestion], plan: BatchPlan, *, readers: Readers) -> BatchPrice:
    """Try some texts out with the offline model, and work out the others from them. Changes nothing. Raises like `check_plan`."""
    check_plan(plan, readers)
    by_text: dict[str, list[SetQuestion]] = {}
    for one in asked:
        by_text.setdefault(one.document, []).append(one)
    found: list[tuple[Estimate, float]] = []
    tried: set[str] = set()
    for variant, spec in enumerate(plan.variants):
        reader = readers(spec.reader)
        sizes = _sizes(store, by_text)
        for document, share, questions in _texts_to_try(sizes):
            text, first = store.document(document), by_text[document][0]
            found.append((_try(store, text, reader, plan.spec(variant, first), questions), share))
            tried.add(document)
    return _total_price(found, len(asked) * len(plan.variants), tried=len(tried), texts=len(by_text))


def _sizes(store: Store, by_text: Mapping[str, Sequence[SetQuestion]]) -> dict[str, tuple[int, int]]:
    """The tokens of each text that is there, and how many questions it has."""
    shelved = {one.id: one.tokens for one in store.documents()}
    return {id: (max(1, shelved[id]), len(questions)) for id, questions in by_text.items() if id in shelved}


class _TriedText(NamedTuple):
    """A text that is tried out: how often its figures count, and how many questions the texts it stands for have in the mean."""

    document: str
    share: float
    questions: int


def _texts_to_try(sizes: Mapping[str, tuple[int, int]]) -> list[_TriedText]:
    """The texts to try out, from the shortest to the longest; each stands for those nearest to it in that order."""
    ordered = sorted(sizes, key=lambda id: (sizes[id], id))
    count = min(MAX_TRIED_TEXTS, len(ordered))
    picked = sorted({round(n * (len(ordered) - 1) / max(1, count - 1)) for n in range(count)})
    stood_for: dict[int, list[str]] = {at: [] for at in picked}
    for place, id in enumerate(ordered):
        stood_for[min(picked, key=lambda at: abs(at - place))].append(id)
    return [
        _TriedText(
            ordered[at],
            sum(sizes[id][0] for id in others) / sizes[ordered[at]][0],
            max(1, round(sum(sizes[id][1] for id in others) / len(others))),
        )
        for at, others in stood_for.items()
    ]


def _try(store: Store, text: Document, reader: Reader, spec: RunSpec, questions: int) -> Estimate:
    window = spec.window or catalogue.window_for(spec.model)
    return estimate_several(text, reader, replace(spec, window=window), questions, store=store)


def _total_price(found: Sequence[tuple[Estimate, float]], readings: int, *, tried: int, texts: int) -> BatchPrice:
    loose = (1.0, 1.0) if tried == texts else UNTRIED_SPREAD

    def total(ranges: Iterable[tuple[Range | None, float]]) -> Range | None:
        sum = Range(0, 0)
        for one, share in ranges:
            if one is None:
                return None
            sum = sum.plus(one.times(share, spread=loose))
        return sum

    nothing = Range(0, 0)
    return BatchPrice(
        readings,
        total((one.calls, share) for one, share in found) or nothing,
        total((one.tokens_in, share) for one, share in found) or nothing,
        total((one.tokens_out, share) for one, share in found) or nothing,
        total((one.cost, share) for one, share in found),
        total((one.seconds, share) for one, share in found),
        tried,
        texts,
        any(one.open_end for one, _ in found),
        tuple(dict.fromkeys(one.problem for one, _ in found if one.problem)),
    )


# Doing it


def start(jobs: Jobs, batch: str, how: BatchExecution) -> None:
    """Begin a batch, or go on with one that was stopped: every reading that is not finished is done, failed ones once more.

    Returns at once. Raises NotFound."""
    with how.open_store() as store:
        found = store.batches.get(batch)
        store.batches.set_cancelled(found.id, False)
    jobs.follow(found.id, _BatchWorker(jobs, found.id, how).step)


def cancel(jobs: Jobs, store: Store, batch: str) -> None:
    """Begin no further reading, and stop those under way before their next calls; also where another process works on them."""
    store.batches.set_cancelled(batch, True)
    for cell in store.batches.cells(batch):
        if cell.run and cell.status in AT_WORK:
            jobs.cancel(cell.run)


def progress(store: Store, batch: str) -> BatchProgress:
    """How its readings stand. Asks the database once."""
    counts = Counter(_state(cell) for cell in store.batches.cells(batch))
    return BatchProgress(counts.total(), *(counts[name] for name in BatchProgress._fields[1:]))


def _state(cell: Cell) -> str:
    if cell.run is None or cell.status is None:
        return "refused" if cell.error else "left"
    if cell.status == "finished":
        return "answered" if cell.outcome == "answered" else "unanswered"
    return "going" if cell.status in AT_WORK else "failed" if cell.status == "failed" else "stopped"


def results(store: Store, batch: Batch) -> list[CellResult]:
    """Every cell of a batch, question by question, each answer held against what is known."""
    asked = store.question_sets.questions(batch.question_set)
    runs = {run.id: run for run in store.batches.runs_of(batch.id)}
    found = []
    for cell in store.batches.cells(batch.id):
        if cell.number >= len(asked):
            continue  # the set is gone
        run = runs.get(cell.run or "")
        known = KnownAnswer.of(asked[cell.number])
        graded = grade(run.outcome, run.answer, run.spec.get("choices", ()), known) if run else None
        found.append(CellResult(cell, asked[cell.number], run, graded))
    return found


@dataclass
class _BatchWorker:
    """One pass over a batch: every cell that is not finished is begun, or gone on with, once."""

    jobs: Jobs
    batch: str
    how: BatchExecution
    tried: set[tuple[int, int]] = field(default_factory=set)

    def step(self) -> bool:
        """Begin as many readings as there is room for; whether there is more to come."""
        with self.how.open_store() as store:
            try:
                batch = store.batches.get(self.batch)
            except NotFound:  # it was deleted
                return False
            if batch.cancelled:
                return False
            cells, plan = store.batches.cells(batch.id), BatchPlan.of(batch.plan)
            going = [cell for cell in cells if cell.status in AT_WORK]
            pending = [c for c in cells if c.status != "finished" and c not in going and (c.number, c.variant) not in self.tried]
            asked = store.question_sets.questions(batch.question_set) if pending else []
            room = max(1, self.jobs.places - 1) - len(going)  # one place stays free for whoever begins a reading meanwhile
            first = _LeadQuestions(self.how.readers, plan, cells)
            for cell in pending:
                if room <= 0:
                    break
                if first.may_go(cell):
                    self.tried.add((cell.number, cell.variant))
                    if self._begin(store, plan, cell, asked):
                        first.goes(cell)
                        room -= 1
            return bool(pending or going)

    def _begin(self, store: Store, plan: BatchPlan, cell: Cell, asked: Sequence[SetQuestion]) -> bool:
        """Set a cell's reading going; whether it goes. What keeps it from that is noted, and the batch goes on."""
        try:
            reader = self.how.readers(plan.variants[cell.variant].reader)
            run = store.run(cell.run) if cell.run else _new_run(store, plan, cell, asked)
            if run.spec["version"] != reader.version:
                raise BadOptions(
                    f"it was planned for version {run.spec['version']} of {reader.title}, and this is version {reader.version}: "
                    "make a new batch"
                )
            check_spec(reader, RunSpec.from_json(run.spec))
            how = self.how.execution(run)
            if not cell.run:
                self.how.may_begin(store)
                begun = store.batches.begin(self.batch, cell, run)
                if begun is None:
                    return False
                run = begun
                self.jobs.start(run.id, reader, how)
            else:
                self.jobs.resume(store, run.id, reader, how)
                if cell.error:
                    store.batches.note_error(self.batch, cell, None)
        except Busy:  # another process was quicker
            return False
        except ReadingError as error:
            store.batches.note_error(self.batch, cell, str(error))
            return False
        if _is_stopped(store, self.batch):
            self.jobs.cancel(run.id)
        return True


def _new_run(store: Store, plan: BatchPlan, cell: Cell, asked: Sequence[SetQuestion]) -> Run:
    """The reading of a cell, not yet on record."""
    if cell.number >= len(asked):
        raise NotFound("its question set was deleted")
    question = asked[cell.number]
    if not store.documents(question.document):
        raise NotFound("its text is no longer in the library; add it again, and go on")
    spec = plan.spec(cell.variant, question)
    spec = replace(spec, window=spec.window or catalogue.window_for(spec.model))
    return Run("", question.document, spec.reader, spec.question, asdict(spec), "queued")


def _is_stopped(store: Store, batch: str) -> bool:
    try:
        return store.batches.get(batch).cancelled
    except NotFound:
        return True


class _LeadQuestions:
    """Of the questions to one text by one variant, the first goes ahead alone where its replies serve the others."""

    def __init__(self, readers: Readers, plan: BatchPlan, cells: Iterable[Cell]) -> None:
        self._shares = [_shares_work(readers, one) for one in plan.variants]
        every = list(cells)
        self._done = {(cell.document, cell.variant) for cell in every if cell.status == "finished"}
        self._going = {(cell.document, cell.variant) for cell in every if cell.status in AT_WORK}

    def may_go(self, cell: Cell) -> bool:
        here = (cell.document, cell.variant)
        return not self._shares[cell.variant] or here in self._done or here not in self._going

    def goes(self, cell: Cell) -> None:
        self._going.add((cell.document, cell.variant))


def _shares_work(readers: Readers, spec: RunSpec) -> bool:
    try:
        return spec.reuse and any(prompt.shared for prompt in readers(spec.reader).prompts)
    except NotFound:
        return False
