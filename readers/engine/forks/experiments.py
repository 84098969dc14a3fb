"""Experiments with a recorded reading: what happens without one thing, and how firm one choice was. Several samples each.

*Leave one out* reads on from a change `n` times, and `n` times from the same call without it: what differs among the unchanged
ones is the noise that the change is held against. *How firm* asks one prompt again and again
(`readers/engine/forks/resample.py`). Samples are readings of their own, children of the reading, with one `experiment` in common;
so they are recorded, paid for, stopped, resumed and deleted like any other. What came of them is counted in `outcomes.py`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, NamedTuple

from readers.engine.errors import BadOptions, Busy
from readers.engine.forks import fork
from readers.engine.forks.fork import ForkPrice, ForkTerms
from readers.engine.models import catalogue
from readers.engine.models.call import Call, ModelSettings, Reply
from readers.engine.record import edits as kinds
from readers.engine.record.edits import Edit, Edits, ModelEdit, RerunEdit
from readers.engine.record.journal import MemoryTape, Record
from readers.engine.run import human_model
from readers.engine.run.estimate import REPLY_SPREAD, Range, cost_of
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.run.reader import Reader
from readers.engine.store import AT_WORK, Run, Store
from readers.engine.store.reading import Reading

MIN_SAMPLES, DEFAULT_SAMPLES, MAX_SAMPLES = 1, 5, 20
SAMPLE_STRIDE = 10_000  # more calls than any reading asks alike, so that no two samples share a request
WARM_TEMPERATURE = 0.7


@dataclass(frozen=True)
class Sampling:
    """How many samples (of each arm), at what temperature (None: the reading's own there), and how many calls each of them may
    make (None: as many as the reading itself)."""

    n: int = DEFAULT_SAMPLES
    temperature: float | None = None
    max_calls: int | None = None


class ExperimentPrice(NamedTuple):
    """What leaving one out takes: `n` readings of each arm from call `at` on."""

    n: int
    at: int
    changed: ForkPrice
    unchanged: ForkPrice

    @property
    def calls(self) -> Range:
        return self.changed.calls.plus(self.unchanged.calls).times(self.n)

    @property
    def tokens_in(self) -> Range:
        return self.changed.tokens_in.plus(self.unchanged.tokens_in).times(self.n)

    @property
    def cost(self) -> Range | None:
        """US dollars; None for a model whose price is unknown."""
        if self.changed.cost is None or self.unchanged.cost is None:
            return None
        return self.changed.cost.plus(self.unchanged.cost).times(self.n)

    @property
    def most_each(self) -> int:
        """A limit for the calls of one sample that leaves room for a longer way than expected."""
        return max(5, round(1.5 * max(self.changed.calls.high, self.unchanged.calls.high)))


@dataclass(frozen=True)
class Experiment:
    """The samples of one experiment, in the order they were made."""

    id: str
    kind: Literal["leave_out", "firm"]
    runs: tuple[Run, ...]

    @property
    def at(self) -> int:
        """The number of the call from which the samples differ, or which was asked again."""
        return self.runs[0].fork_at or 0

    @property
    def edit(self) -> Edit | None:
        """What was changed in the one arm; None where nothing was."""
        return next((kinds.from_json(run.edit) for run in self.changed if run.edit), None)

    @property
    def changed(self) -> tuple[Run, ...]:
        return tuple(run for run in self.runs if run.edit and run.edit["kind"] != RerunEdit.kind)

    @property
    def unchanged(self) -> tuple[Run, ...]:
        return tuple(run for run in self.runs if run.edit and run.edit["kind"] == RerunEdit.kind)

    @property
    def under_way(self) -> tuple[Run, ...]:
        return tuple(run for run in self.runs if run.status in AT_WORK)

    @property
    def resumable(self) -> tuple[Run, ...]:
        """Those that can be gone on with."""
        return tuple(run for run in self.runs if run.status in ("interrupted", "failed", "cancelled"))

    @property
    def temperature(self) -> float:
        spec = RunSpec.from_json(self.runs[0].spec)
        return Edits.of(spec.edits).settings(self.at, spec.settings).temperature


def experiments_of(store: Store, run: str) -> list[Experiment]:
    """The experiments with a reading that whoever opened the store may see, the latest first."""
    samples = [one for one in store.family(run) if one.parent == run and one.experiment and store.may_see(one.id)]
    by_id: dict[str, list[Run]] = {}
    for sample in sorted(samples, key=lambda one: (one.created, one.spec["sample_base"])):
        by_id.setdefault(sample.experiment or "", []).append(sample)
    found = [Experiment(id, "leave_out" if runs[0].edit else "firm", tuple(runs)) for id, runs in by_id.items()]
    return found[::-1]


def delete_experiment(store: Store, experiment: Experiment) -> None:
    """Delete all samples of an experiment. Raises Busy, and deletes none, while one of them or a fork of one is under way."""
    ids = [run.id for run in experiment.runs]
    if store.run_list.undeletable(ids):
        raise Busy("samples of this experiment, or forks of them, are under way; cancel them first, and delete it afterwards")
    store.run_list.delete(ids)


# Leave one out


def price(store: Store, reading: Reading, reader: Reader, edit: Edit, trials: Sampling) -> ExperimentPrice:
    """What it takes, found by trying both arms out. Changes nothing. Raises like `leave_one_out`."""
    at = _check_experiment(store, reading, reader, edit, trials)
    terms = replace(_terms(reading, at, trials), experiment="plan")
    changed = fork.price(store, reading, reader, edit, terms=terms)
    return ExperimentPrice(trials.n, at, changed, fork.price(store, reading, reader, RerunEdit(at), terms=terms))


def leave_one_out(store: Store, reading: Reading, reader: Reader, edit: Edit, trials: Sampling) -> str:
    """Put `n` samples with a change and `n` without it on record, queued, by turns; the experiment they belong to.

    Raises BadOptions for a change or a number that cannot be, and for a reading without an end to compare with; Busy for one
    under way.
    """
    at = _check_experiment(store, reading, reader, edit, trials)
    terms = replace(_terms(reading, at, trials), experiment=_new_id())
    base = _next_sample_base(store, reading.run)
    for number in range(trials.n):
        for arm, (called, one) in enumerate((("without it", edit), ("unchanged", RerunEdit(at)))):
            own = replace(
                terms,
                name=f"{called}, {number + 1} of {trials.n}",
                sample_base=base + (2 * number + arm) * SAMPLE_STRIDE,
            )
            fork.fork(store, reading, reader, one, terms=own)
    return str(terms.experiment)


def default_temperature(reading: Reading, seq: int) -> float:
    """The reading's own at a call; where that is 0, at which most models repeat themselves, 0.7, but for the offline model, which
    always does."""
    told = settings_at(reading, seq)
    return WARM_TEMPERATURE if told.temperature == 0 and told.model != catalogue.OFFLINE else told.temperature


def settings_at(reading: Reading, seq: int) -> ModelSettings:
    """What goes to the model with a call of this reading."""
    spec = RunSpec.from_json(reading.run.spec)
    return Edits.of(spec.edits).settings(seq, spec.settings)


def _check_experiment(store: Store, reading: Reading, reader: Reader, edit: Edit, trials: Sampling) -> int:
    """The number of the call from which the samples read."""
    if reading.run.outcome is None:
        raise BadOptions(f"reading {reading.run.id!r} has come to no end to compare with: go on with it first")
    made = fork.prepare(store, reading, reader, edit)
    check_sampling(reading, trials, first=made.at)
    if made.at > max((record.seq for record in reading.records), default=-1):
        raise BadOptions("no call came after what is to be left out: nothing can differ without it")
    return made.at


def check_sampling(reading: Reading, trials: Sampling, *, first: int) -> None:
    """Raise BadOptions for a number of samples, a temperature or a limit that cannot be, and where a person would be asked from
    call `first` on."""
    if not MIN_SAMPLES <= trials.n <= MAX_SAMPLES:
        raise BadOptions(f"samples are from {MIN_SAMPLES} to {MAX_SAMPLES}, not {trials.n}")
    if trials.temperature is not None and not 0 <= trials.temperature <= 2:
        raise BadOptions(f"the temperature is from 0 to 2, not {trials.temperature}")
    if trials.max_calls is not None and trials.max_calls < 1:
        raise BadOptions("a limit of calls is 1 or more")
    if human_model.may_ask_person(reading.run.spec, first=first):
        raise BadOptions("a person replies in this reading, and samples would ask them everything again; take a model's reading")


def _terms(reading: Reading, at: int, trials: Sampling) -> ForkTerms:
    caps = dict(reading.run.spec.get("caps", {}))
    if trials.max_calls is not None:
        caps["max_calls"] = trials.max_calls
    return ForkTerms(also=_temperature_edits(reading, at, trials.temperature), caps=caps)


def _temperature_edits(reading: Reading, at: int, temperature: float | None) -> tuple[Edit, ...]:
    """What makes both arms ask at this temperature, whichever models the reading was switched to on its way."""
    own = settings_at(reading, at)
    made = [edit for edit in Edits.of(RunSpec.from_json(reading.run.spec).edits).items if isinstance(edit, ModelEdit)]
    later = [edit for edit in made if edit.seq > at]
    if temperature is None or {own.temperature, *(edit.temperature for edit in later)} == {temperature}:
        return ()
    first = ModelEdit(at, own.model, own.api_base, temperature, own.top_p, own.window)
    return (first, *(replace(edit, temperature=temperature) for edit in later))


def _next_sample_base(store: Store, run: Run) -> int:
    """The first sample number that no sample of this reading has taken."""
    taken = [one.spec["sample_base"] for one in store.family(run.id) if one.parent == run.id and one.experiment]
    return max([int(run.spec.get("sample_base", 0)), *map(int, taken)]) + SAMPLE_STRIDE


def _new_id() -> str:
    return secrets.token_hex(5)


# How firm


class SamplingPrice(NamedTuple):
    """What asking one prompt several times takes."""

    calls: int
    tokens_in: int
    tokens_out: Range
    cost: Range | None


def price_sampling(reading: Reading, seq: int, trials: Sampling) -> SamplingPrice:
    """By what the call took when it was recorded. Raises BadOptions for a call that has no reply."""
    check_sampling(reading, trials, first=seq)
    record = answered_record(reading, seq)
    sent, received = trials.n * (record.tokens_in or 0), trials.n * (record.tokens_out or 0)
    out = (
        Range(received, received)
        if record.model == catalogue.OFFLINE
        else Range(received, received).times(1, spread=REPLY_SPREAD)
    )
    return SamplingPrice(trials.n, sent, out, cost_of(record.model, Range(sent, sent), out))


def answered_record(reading: Reading, seq: int) -> Record:
    """The reply of a call that was read, else its first. Raises BadOptions for a call without one, and for a comparison."""
    event = reading.trace.asked.get(seq)
    rows = [record for record in reading.records if record.seq == seq and record.reply is not None]
    if not rows or rows[0].task == "score":
        raise BadOptions(f"no model replied to call {seq} of reading {reading.run.id!r}: choose another call")
    return next((row for row in rows if event and row.attempt == event.attempt), rows[0])


def recorded_call(reading: Reading, reader: Reader, seq: int) -> Call:
    """A recorded call as it went out the first time, found by reading up to it once more from the record. Raises BadOptions for a
    reading of another version of its reader."""
    answered_record(reading, seq)
    spec = RunSpec.from_json(reading.run.spec)
    if spec.version != reader.version:
        raise BadOptions(
            f"reading {reading.run.id!r} was made by version {spec.version} of {reader.title}, and this is version "
            f"{reader.version}: its calls can be viewed, but not asked again"
        )
    tape = MemoryTape()
    tape.records = {(record.seq, record.attempt): record for record in reading.records if record.seq != seq}
    try:
        rehearse(reading.document, reader, replace(spec, caps={}), _CallCatcher(seq), tape=tape)
    except _CallFound as caught:
        return caught.call
    raise BadOptions(f"reading {reading.run.id!r} does not come to call {seq} again; open it anew")


def create_samples(store: Store, reading: Reading, call: Call, *, reader: Reader, options: Mapping[str, Any]) -> Run:
    """Put samples of one call on record, queued: a reading by `reader` with these options, on the terms of `call`."""
    run, told = reading.run, call.settings
    sent: Sequence[dict[str, Any]] = [kinds.to_json(kinds.PromptEdit(n, call.edited)) for n in range(options["count"])]
    spec = RunSpec(
        reader.id, reader.version, run.question, tuple(run.spec.get("choices", ())), options, told.model, told.api_base,
        told.temperature, told.top_p, told.window, _next_sample_base(store, run), {"max_calls": options["count"]}, reuse=False,
        edits=tuple(sent) if call.edited else (),
    )  # fmt: skip
    name = f"call {call.seq}, asked {options['count']} times"
    return store.add_run(
        Run(
            "", run.document, reader.id, run.question, asdict(spec), "queued",
            parent=run.id, fork_at=call.seq, experiment=_new_id(), name=name,
        )
    )  # fmt: skip


class _CallFound(BaseException):
    """The call that was looked for. No error: it ends the search."""

    def __init__(self, call: Call) -> None:
        self.call = call


@dataclass(frozen=True)
class _CallCatcher:
    seq: int

    def immediate(self, call: Call) -> bool:
        return True

    def complete(self, call: Call) -> Reply:
        if call.seq == self.seq:
            raise _CallFound(call)
        raise BadOptions(f"call {call.seq} has no reply on record: go on with the reading first")
