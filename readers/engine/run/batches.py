"""Batches: every question of a set, read by every variant. Planned, executed, stopped, resumed.

A variant is a reader with its options and a model: a `RunSpec` without a question. `Jobs` keeps some runs of a batch going and
starts the next when one stops, however it ended, so a failed run does not delay the others. Progress lives only in the database:
after its process is killed, a batch continues there; a database that fails for a minute, such as on a full disk, ends it. A
finished run is not repeated, a broken one resumes, and no answered call is made again. Two processes on the same batch make no
run twice. If a reader shares work between the questions on one text, the first question goes ahead by itself, so that nothing is
paid for twice. A plan with several samples has each variant read each question as often; where its sampling is warm, no sample
uses a reply of another. Not here: the tables (`store/batches.py`), the price (`estimate.py`), grading (`questions/grading/`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from readers.engine.draws import drawn
from readers.engine.errors import AlreadyFinished, BadOptions, Busy, NotFound, ReadingError, StoreError
from readers.engine.models import catalogue
from readers.engine.questions.grading import Grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_set import SetQuestion
from readers.engine.run.execute import SAMPLE_STRIDE, Execution, RunSpec, check_spec, in_effect
from readers.engine.run.jobs import Jobs
from readers.engine.run.part_sizes import TextLength, suited
from readers.engine.run.reader import Reader
from readers.engine.store import AT_WORK, Run, Store
from readers.engine.store.batches import Batch, BatchCell
from readers.engine.text.document import Document
from readers.engine.text.phrases import counted
from readers.engine.work import Work

MAX_VARIANTS, MAX_SAMPLES, MAX_CELLS, MAX_AT_ONCE = 16, 64, 20_000, 64
_DRAWN = re.compile(r"([\d,]+) of .* under seed (-?\d+)$", re.DOTALL)
_ANY_QUESTION = "What is this about?"

Readers = Callable[[str], Reader]


@dataclass(frozen=True)
class Draw:
    """How the questions of a batch were drawn from the set's: how many, under which seed, and both in words."""

    questions: int
    seed: int
    words: str

    @classmethod
    def of(cls, data: Mapping[str, Any] | str) -> Draw:
        """A stored draw; version 0.1 stored its words alone."""
        if not isinstance(data, str):
            return cls(int(data["questions"]), int(data["seed"]), str(data["words"]))
        found = _DRAWN.match(data)
        return cls(int(found[1].replace(",", "")), int(found[2]), data) if found else cls(0, 0, data)


@dataclass(frozen=True)
class BatchPlan:
    """The variants that read every question of a set, whether they see the choices, the batch's name (empty: the set's), and how
    often each variant reads each question. With `log_probs`, servers are asked for the tokens of each reply. `at_once` is the
    most calls that a reading has under way (0: the setting of whoever starts it). `recipe` names the recipe it follows; where its
    questions were `drawn` from the set's, it says how. The variants numbered in `auto` read each text in parts of a
    size that suits it, unless their options say another."""

    variants: tuple[RunSpec, ...]
    give_choices: bool = True
    name: str = ""
    samples: int = 1
    log_probs: bool = False
    at_once: int = 0
    recipe: str = ""
    drawn: Draw | None = None
    auto: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        data = asdict(self)
        return {name: value for name, value in data.items() if value or name not in ("drawn", "auto")}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> BatchPlan:
        variants = tuple(RunSpec.from_json(spec) for spec in data["variants"])
        return cls(
            variants, bool(data["give_choices"]), data["name"], int(data.get("samples", 1)), bool(data.get("log_probs", False)),
            int(data.get("at_once", 0)), str(data.get("recipe", "")),
            Draw.of(data["drawn"]) if data.get("drawn") else None, tuple(data.get("auto", ())),
        )  # fmt: skip

    @property
    def drawn_in_words(self) -> str:
        """How its questions were drawn; empty if all of the set's were taken."""
        return self.drawn.words if self.drawn else ""

    def spec(self, variant: int, asked: SetQuestion, *, sample: int = 0) -> RunSpec:
        """The spec for one question and one sample of a variant. With warm sampling, each sample makes its own requests and
        shares no reply; at temperature 0, samples share the same replies as questions on one text."""
        spec = self.variants[variant]
        choices = asked.choices if self.give_choices else ()
        base = spec.sample_base + (sample * SAMPLE_STRIDE if is_warm(spec) else 0)
        return replace(spec, question=asked.question, choices=choices, sample_base=base)

    def spec_for(self, text: Document, variant: int, asked: SetQuestion, *, reader: Reader, sample: int = 0) -> RunSpec:
        """The spec for a question about this text, with sizes that suit it. Readings by one reader have the same ones with every
        model: those for the smallest of their windows."""
        spec = self.spec(variant, asked, sample=sample)
        if variant not in self.auto:
            return spec
        windows = [with_room(one).window for one in self.variants if one.reader == spec.reader]
        window = min((window for window in windows if window), default=None)
        return replace(spec, options={**suited(reader, TextLength.of(text), window=window).options, **spec.options})

    def readings(self, questions: int) -> int:
        """How many readings there are for this many questions."""
        return questions * len(self.variants) * self.samples


def draw(questions: Sequence[SetQuestion], size: int, *, seed: int) -> tuple[list[int], Draw | None]:
    """The numbers of this many questions of a set, spread over the texts as evenly as possible, and the draw; None if all are
    taken. The first questions of a set are often about two texts, and their figures say little
    about others."""
    numbers = drawn([str(n) for n in range(len(questions))], [one.document for one in questions], size, seed=seed)
    texts = len({questions[int(n)].document for n in numbers})
    of = f"{len(numbers):,} of {counted(len(questions), 'question')}, about {counted(texts, 'text')}"
    made = Draw(len(numbers), seed, f"{of}: drawn at random, as many of each text, under seed {seed}")
    return [int(n) for n in numbers], made if len(numbers) < len(questions) else None


def is_warm(spec: RunSpec) -> bool:
    """Whether a model may reply otherwise each time it is asked the same."""
    return spec.temperature > 0


def with_room(spec: RunSpec) -> RunSpec:
    """The spec with the model's window, and the room for its replies and their form, where they are not given."""
    return replace(
        spec,
        window=spec.window or catalogue.window_for(spec.model),
        room_factor=spec.room_factor or catalogue.room_factor_for(spec.model),
        reply_form=catalogue.reply_form_for(spec.reply_form, spec.model, spec.api_base),
    )


def variant_names(plan: BatchPlan, title: Callable[[str], str]) -> list[str]:
    """The name of each variant: reader and model, and the options that differ where two names would be equal. `title` is a
    reader's."""
    names = [f"{title(one.reader)} · {catalogue.title(one.model)}" for one in plan.variants]
    labels = []
    for name, one in zip(names, plan.variants, strict=True):
        others = [other.options for other, called in zip(plan.variants, names, strict=True) if called == name]
        own = {key: value for key, value in sorted(one.options.items()) if any(other.get(key) != value for other in others)}
        labels.append(f"{name} ({', '.join(f'{key} {value}' for key, value in own.items())})" if own else name)
    return labels


class CellResult(NamedTuple):
    """One cell of a batch: its question, its run if there is one, and how its answer is graded."""

    cell: BatchCell
    question: SetQuestion
    run: Run | None
    grade: Grade | None

    @property
    def problem(self) -> str:
        """Why there is nothing to grade: what made the run fail, or kept it from starting or resuming; empty if unknown."""
        if self.grade or (self.run and self.run.status in AT_WORK):
            return ""
        failure, obstacle = (self.run.error or "" if self.run else ""), self.cell.error or ""
        both = f"{failure.removesuffix('.')}. It could not be resumed: {obstacle}"
        return both if failure and obstacle else failure or obstacle


@dataclass(frozen=True)
class BatchExecution:
    """How to execute a batch: the readers and each run's execution; `may_begin` raises if no more runs may start; the store's
    `path`, and the visitor it is opened for."""

    readers: Readers
    execution: Callable[[Run], Execution]
    may_begin: Callable[[Store], None] = lambda store: None
    path: Path | None = None
    visitor: str | None = None

    def open_store(self) -> Store:
        return Store(self.path, visitor=self.visitor)


def check_plan(plan: BatchPlan, readers: Readers) -> None:
    """Raise BadOptions if a variant cannot read at all, NotFound if its reader is unknown."""
    if not 1 <= len(plan.variants) <= MAX_VARIANTS:
        raise BadOptions(f"a batch has 1 to {MAX_VARIANTS} variants, not {len(plan.variants)}")
    if not 1 <= plan.samples <= MAX_SAMPLES:
        raise BadOptions(f"a batch reads each question 1 to {MAX_SAMPLES} times with each variant, not {plan.samples}")
    if not 0 <= plan.at_once <= MAX_AT_ONCE:
        raise BadOptions(f"a reading has 1 to {MAX_AT_ONCE} calls under way at once, not {plan.at_once}")
    for number, spec in enumerate(plan.variants):
        reader = readers(spec.reader)
        if spec.model == catalogue.HUMAN:
            raise BadOptions("a batch is read by models; to reply yourself, start each reading separately")
        catalogue.open_model(spec.model)
        check_spec(reader, replace(spec, question=_ANY_QUESTION))
        if spec.edits or spec in plan.variants[:number]:
            raise BadOptions(f"{reader.title} with {spec.model!r} and the same options is listed twice; remove one")


def add(store: Store, set_id: str, plan: BatchPlan, *, readers: Readers, numbers: Sequence[int] | None = None) -> Batch:
    """Put a batch on record without starting it: all questions of a set, or those with these `numbers` (from 0). Raises
    BadOptions and NotFound."""
    check_plan(plan, readers)
    question_set = store.question_sets.get(set_id)
    count = question_set.questions
    chosen = list(range(count)) if numbers is None else sorted({n for n in numbers if 0 <= n < count})
    if not chosen:
        raise BadOptions(f"there is no question to read in {question_set.name!r}; choose some")
    if (readings := plan.readings(len(chosen))) > MAX_CELLS:
        raise BadOptions(f"a batch has at most {MAX_CELLS:,} readings, and this would have {readings:,}")
    name = plan.name or question_set.name
    return store.batches.add(name, question_set.id, plan.to_json(), variants=len(plan.variants), numbers=chosen)


def start(jobs: Jobs, batch: str, execution: BatchExecution) -> None:
    """Start or resume a batch: every run that is not finished is executed, failed ones once more.

    Returns at once. Raises NotFound.
    """
    with execution.open_store() as store:
        batch_id = store.batches.get(batch).id
        store.batches.set_cancelled(batch_id, False)
    jobs.follow(batch_id, _BatchWorker(jobs, batch_id, execution).step)


def cancel(jobs: Jobs, store: Store, batch: str) -> None:
    """Start no more runs, and stop the active ones before their next call, even those of another process."""
    store.batches.set_cancelled(batch, True)
    for cell in store.batches.cells(batch):
        if cell.run and cell.status in AT_WORK:
            jobs.cancel(cell.run)


def progress(store: Store, batch: str) -> Work:
    """The number of runs by state; those `refused` could not start. One query that reads no answer."""
    counts = Counter[str]()
    for status, has_error, count in store.batches.states(batch):
        counts[_state(status, has_error)] += count
    return Work(
        counts["done"], counts.total(), counts["going"], counts["failed"], counts["stopped"], counts["refused"], counts["left"]
    )


def _state(status: str | None, has_error: bool) -> str:
    if status is None:
        return "refused" if has_error else "left"
    if status == "finished":
        return "done"
    return "going" if status in AT_WORK else "failed" if status == "failed" else "stopped"


def unanswered(store: Store, batch: str) -> int:
    """How many runs ended without an answer. Reads every answer."""
    return sum(cell.status == "finished" and cell.outcome != "answered" for cell in store.batches.cells(batch))


def results(store: Store, batch: Batch) -> list[CellResult]:
    """Every cell of a batch, question by question, with each answer graded."""
    asked = store.question_sets.questions(batch.question_set)
    runs = {run.id: run for run in store.batches.runs_of(batch.id)}
    listed = []
    for cell in store.batches.cells(batch.id):
        if cell.number >= len(asked):
            continue  # the set was deleted
        run = runs.get(cell.run or "")
        known = KnownAnswer.of(asked[cell.number])
        graded = run.graded(known) if run else None
        listed.append(CellResult(cell, asked[cell.number], run, graded))
    return listed


@dataclass
class _BatchWorker:
    """One pass over a batch: every unfinished cell is started or resumed once.

    It reads the cells when it begins, and again when no cell that it knows is left or under way: another process may work on them
    as well, and cells that it left half done are then resumed.
    """

    jobs: Jobs
    batch: str
    execution: BatchExecution
    tried: set[tuple[int, int, int]] = field(default_factory=set)
    pending: list[BatchCell] = field(default_factory=list)
    active: dict[str, BatchCell] = field(default_factory=dict)
    asked: Sequence[SetQuestion] = ()
    leads: _LeadQuestions = field(init=False)

    def step(self) -> bool:
        """Start as many runs as there is room for; returns whether there is more to do."""
        with self.execution.open_store() as store:
            try:
                batch = store.batches.get(self.batch)
            except NotFound:  # it was deleted
                return False
            if batch.cancelled:
                return False
            self._note_ended(store)
            plan = BatchPlan.of(batch.plan)
            tried = self._start(store, plan)
            if not tried and not self.active:
                self._read(store, batch, plan)
                tried = self._start(store, plan)
            return bool(tried or self.pending or self.active)

    def _room(self) -> int:
        return max(1, self.jobs.places - 1) - len(self.active)  # one place stays free for other runs

    def _read(self, store: Store, batch: Batch, plan: BatchPlan) -> None:
        cells = store.batches.cells(batch.id)
        self.active = {cell.run: cell for cell in cells if cell.run and cell.status in AT_WORK}
        unfinished = [cell for cell in cells if cell.status != "finished" and cell.status not in AT_WORK]
        self.pending = [cell for cell in unfinished if _place(cell) not in self.tried]
        self.asked = store.question_sets.questions(batch.question_set) if self.pending else []
        self.leads = _LeadQuestions(self.execution.readers, plan, cells)

    def _note_ended(self, store: Store) -> None:
        """Forget the runs that no live process works on any more. Raises StoreError while the end of one cannot be recorded."""
        self.jobs.check_settled(self.active)
        statuses = store.batches.statuses(self.active)
        for run, cell in list(self.active.items()):
            if statuses.get(run) not in AT_WORK:
                del self.active[run]
                self.leads.mark_ended(cell, finished=statuses.get(run) == "finished")

    def _start(self, store: Store, plan: BatchPlan) -> bool:
        """Start pending cells while there is room; returns whether any was tried."""
        held: list[BatchCell] = []
        before, at = len(self.tried), 0
        while at < len(self.pending) and self._room() > 0:
            cell = self.pending[at]
            at += 1
            if not self.leads.may_start(cell):
                held.append(cell)
                continue
            self.tried.add(_place(cell))
            if run := self._begin(store, plan, cell):
                self.active[run] = cell
                self.leads.mark_started(cell)
        self.pending = [*held, *self.pending[at:]]
        return len(self.tried) > before

    def _begin(self, store: Store, plan: BatchPlan, cell: BatchCell) -> str:
        """Start a cell's run; returns its id if it runs. What prevents that is noted in the cell, and the batch continues, unless
        it is the database."""
        try:
            reader = self.execution.readers(plan.variants[cell.variant].reader)
            run = store.runs.get(cell.run) if cell.run else _new_run(store, plan, cell, asked=self.asked, reader=reader)
            if not run.is_of_version(reader.version):
                raise BadOptions(
                    f"it was planned for {run.version_in_words} of {reader.title}, and this is version {reader.version}: "
                    "make a new batch"
                )
            check_spec(reader, RunSpec.from_json(run.spec))
            execution = self.execution.execution(run)
            if not cell.run:
                self.execution.may_begin(store)
                created = store.batches.begin(self.batch, cell, run)
                if created is None:
                    return ""
                run = created
                self.jobs.start(run.id, reader, execution)
            else:
                self.jobs.resume(store, run.id, reader, execution)
                if cell.error:
                    store.batches.note_error(self.batch, cell, None)
        except (AlreadyFinished, Busy):  # another process was faster
            return ""
        except StoreError:
            raise
        except ReadingError as error:
            store.batches.note_error(self.batch, cell, str(error))
            return ""
        if _is_stopped(store, self.batch):
            self.jobs.cancel(run.id)
        return run.id


def _place(cell: BatchCell) -> tuple[int, int, int]:
    return cell.number, cell.variant, cell.sample


def _new_run(store: Store, plan: BatchPlan, cell: BatchCell, *, asked: Sequence[SetQuestion], reader: Reader) -> Run:
    """The run of a cell, not yet on record."""
    if cell.number >= len(asked):
        raise NotFound("its question set was deleted")
    question = asked[cell.number]
    try:
        text = store.documents.get(question.document)
    except NotFound:
        raise NotFound("its text is no longer in the library; add it again, then resume the batch") from None
    spec = in_effect(reader, with_room(plan.spec_for(text, cell.variant, question, reader=reader, sample=cell.sample)))
    return Run("", question.document, spec.reader, spec.question, asdict(spec), "queued")


def _is_stopped(store: Store, batch: str) -> bool:
    try:
        return store.batches.get(batch).cancelled
    except NotFound:
        return True


class _LeadQuestions:
    """The first reading that one variant makes of a text goes ahead by itself if its replies serve the others; each warm sample
    has its own first reading."""

    def __init__(self, readers: Readers, plan: BatchPlan, cells: Iterable[BatchCell]) -> None:
        self._shares = [_shares_work(readers, spec) for spec in plan.variants]
        self._warm = [is_warm(spec) for spec in plan.variants]
        cells = list(cells)
        self._done = {self._key(cell) for cell in cells if cell.status == "finished"}
        self._started = {self._key(cell) for cell in cells if cell.status in AT_WORK}

    def _key(self, cell: BatchCell) -> tuple[str, int, int]:
        """What the readings that share replies have in common."""
        return cell.document, cell.variant, cell.sample if self._warm[cell.variant] else 0

    def may_start(self, cell: BatchCell) -> bool:
        key = self._key(cell)
        return not self._shares[cell.variant] or key in self._done or key not in self._started

    def mark_started(self, cell: BatchCell) -> None:
        self._started.add(self._key(cell))

    def mark_ended(self, cell: BatchCell, *, finished: bool) -> None:
        """After a first reading that did not finish, another reading goes ahead."""
        if finished:
            self._done.add(self._key(cell))
        self._started.discard(self._key(cell))


def _shares_work(readers: Readers, spec: RunSpec) -> bool:
    try:
        return spec.reuse and any(prompt.shared for prompt in readers(spec.reader).prompts)
    except NotFound:
        return False
