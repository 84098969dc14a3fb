"""Experiments on a recorded run, with several samples each: what happens with one change, and how firm a choice was.

*Leave one out* executes a change `n` times, and `n` times the same run without it from the same call on; so does any other
change, such as one that would mend a lost fact. The differences among the unchanged samples are the noise that the change is
compared with. *How firm* repeats one prompt (`resample.py`). Samples are runs of their own, children of the run with a common
`experiment`, so they are recorded, paid for, stopped, resumed and deleted like any other. Their results are counted in
`experiment_results.py`. What an answer *depends on* is tested by one run that repeats its prompt many times without some of the
sentences (`stands_on.py`).
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from readers.engine.errors import BadOptions, Busy
from readers.engine.forks import fork
from readers.engine.forks.fork import ForkTerms
from readers.engine.forks.removable import leaves_out
from readers.engine.models import catalogue
from readers.engine.models.call import Call, ModelSettings, Reply
from readers.engine.record import edits
from readers.engine.record.edits import Edit, Edits, ModelEdit, RerunEdit
from readers.engine.record.journal import MemoryTape, Record
from readers.engine.run import human_model
from readers.engine.run.estimate import REPLY_SPREAD, cost_of
from readers.engine.run.execute import SAMPLE_STRIDE, RunSpec, check_spec, rehearse
from readers.engine.run.reader import Reader
from readers.engine.store import AT_WORK, Reading, Run, Store
from readers.engine.text.phrases import call_number
from readers.engine.work import Price, Range

MIN_SAMPLES, DEFAULT_SAMPLES, MAX_SAMPLES = 1, 5, 20
WARM_TEMPERATURE = 0.7


@dataclass(frozen=True)
class Sampling:
    """The number of samples (in each arm), their temperature (None: the run's own), and the most calls each may make (None: the
    run's own limit)."""

    n: int = DEFAULT_SAMPLES
    temperature: float | None = None
    max_calls: int | None = None


class ArmPrices(NamedTuple):
    """What one sample of each arm takes."""

    changed: Price
    unchanged: Price

    def samples(self, n: int) -> Price:
        """What `n` samples of each arm take: `of` readings."""
        one, other = self
        cost = None if one.cost is None or other.cost is None else one.cost.plus(other.cost)
        sent, received = one.tokens_in.plus(other.tokens_in), one.tokens_out.plus(other.tokens_out)
        return Price(one.calls.plus(other.calls), sent, received, cost, of=2).times(n)

    @property
    def most_calls(self) -> int:
        """A limit on the calls of one sample that allows for a longer way than expected."""
        return max(5, round(1.5 * max(price.calls.high for price in self)))


@dataclass(frozen=True)
class Experiment:
    """The samples of one experiment, in the order they were made."""

    id: str
    runs: tuple[Run, ...]

    @property
    def reader(self) -> str:
        """Who made them: the reader of the original run, or a reader that cannot be selected, which is the kind of experiment."""
        return self.runs[0].reader

    @property
    def at(self) -> int:
        """The call from which the samples differ, or which was repeated."""
        return self.runs[0].fork_at or 0

    @property
    def edit(self) -> Edit | None:
        """What was changed in one arm; None if nothing was."""
        return next((edits.from_json(run.edit) for run in self.changed if run.edit), None)

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
        """The samples that can be resumed."""
        return tuple(run for run in self.runs if run.status in ("interrupted", "failed", "cancelled"))

    @property
    def temperature(self) -> float:
        spec = RunSpec.from_json(self.runs[0].spec)
        return Edits.of(spec.edits).settings(self.at, spec.settings).temperature


def experiments_of(store: Store, run: str, *, reader: str = "") -> list[Experiment]:
    """The experiments on a run that the store's user may see, latest first; those of one kind, if its `reader` is given."""
    family = store.runs.family(run)
    samples = [member for member in family if member.parent == run and member.experiment and store.visits.may_see(member.id)]
    by_id: dict[str, list[Run]] = {}
    for sample in sorted(samples, key=lambda sample: (sample.created, sample.spec["sample_base"])):
        by_id.setdefault(sample.experiment or "", []).append(sample)
    experiments = [Experiment(key, tuple(runs)) for key, runs in by_id.items()]
    return [one for one in reversed(experiments) if reader in ("", one.reader)]


def find_experiment(store: Store, run: str, experiment: str) -> Experiment | None:
    """An experiment on a run; None if there is none that the store's user may see."""
    return next((one for one in experiments_of(store, run) if one.id == experiment), None)


def delete_experiment(store: Store, experiment: Experiment) -> None:
    """Delete all samples of an experiment. Raises Busy, and deletes nothing, while one of them or one of their forks is
    active."""
    ids = [run.id for run in experiment.runs]
    if store.run_list.undeletable(ids):
        raise Busy("samples of this experiment, or forks of them, are still running; cancel them first, then delete it")
    store.run_list.delete(ids)


# Leave one out


def price(store: Store, reading: Reading, reader: Reader, edit: Edit, sampling: Sampling) -> ArmPrices:
    """What a sample of each arm takes, from trials of both. Changes nothing. Raises like `leave_one_out`."""
    at = _check_experiment(store, reading, reader, edit, sampling)
    terms = replace(_terms(reading, at, sampling), experiment="plan")
    changed = fork.price(store, reading, reader, edit, terms=terms)
    return ArmPrices(changed, fork.price(store, reading, reader, RerunEdit(at), terms=terms))


def leave_one_out(store: Store, reading: Reading, reader: Reader, edit: Edit, sampling: Sampling) -> Experiment:
    """Put `n` samples with a change and `n` without it on record, queued, alternating.

    Raises BadOptions for an invalid change or number and for a run without an end to compare with, Busy for an active one.
    """
    at = _check_experiment(store, reading, reader, edit, sampling)
    experiment, runs = new_id(), []
    terms = replace(_terms(reading, at, sampling), experiment=experiment)
    base = _next_sample_base(store, reading.run)
    changed = "without it" if leaves_out(edit) else "with it"
    for number in range(sampling.n):
        for arm, (label, arm_edit) in enumerate(((changed, edit), ("unchanged", RerunEdit(at)))):
            sample_terms = replace(
                terms,
                name=f"{label}, {number + 1} of {sampling.n}",
                sample_base=base + (2 * number + arm) * SAMPLE_STRIDE,
            )
            runs.append(fork.fork(store, reading, reader, arm_edit, terms=sample_terms))
    return Experiment(experiment, tuple(runs))


def default_temperature(reading: Reading, seq: int) -> float:
    """The run's own temperature at a call; or 0.7 where that is 0, at which most models repeat themselves. The offline model
    always does."""
    settings = settings_at(reading, seq)
    return WARM_TEMPERATURE if settings.temperature == 0 and settings.model != catalogue.OFFLINE else settings.temperature


def settings_at(reading: Reading, seq: int) -> ModelSettings:
    """The parameters of a call of this run."""
    spec = RunSpec.from_json(reading.run.spec)
    return Edits.of(spec.edits).settings(seq, spec.settings)


def _check_experiment(store: Store, reading: Reading, reader: Reader, edit: Edit, sampling: Sampling) -> int:
    """Check the experiment; returns the call from which the samples differ."""
    if reading.run.outcome is None:
        raise BadOptions(f"reading {reading.run.id!r} has not ended, so there is nothing to compare with; resume it first")
    plan = fork.prepare(store, reading, reader, edit)
    check_sampling(reading, sampling, first=plan.at)
    if plan.at > max((record.seq for record in reading.records), default=-1):
        raise BadOptions("no call follows the change, so it cannot make a difference")
    return plan.at


def check_sampling(reading: Reading, sampling: Sampling, *, first: int) -> None:
    """Raise BadOptions for an invalid number of samples, temperature or limit, or if a person would be asked from call `first`
    on."""
    if not MIN_SAMPLES <= sampling.n <= MAX_SAMPLES:
        raise BadOptions(f"the number of samples must be from {MIN_SAMPLES} to {MAX_SAMPLES}, not {sampling.n}")
    if sampling.temperature is not None and not 0 <= sampling.temperature <= 2:
        raise BadOptions(f"the temperature must be from 0 to 2, not {sampling.temperature}")
    if sampling.max_calls is not None and sampling.max_calls < 1:
        raise BadOptions("the limit of calls must be 1 or more")
    if human_model.may_ask_person(reading.run.spec, first=first):
        raise BadOptions("a person replies in this reading, and samples would ask them everything again; take a model's reading")


def _terms(reading: Reading, at: int, sampling: Sampling) -> ForkTerms:
    caps = dict(reading.run.spec.get("caps", {}))
    if sampling.max_calls is not None:
        caps["max_calls"] = sampling.max_calls
    return ForkTerms(also=_temperature_edits(reading, at, sampling.temperature), caps=caps)


def _temperature_edits(reading: Reading, at: int, temperature: float | None) -> tuple[Edit, ...]:
    """The edits that make both arms use this temperature, whichever models the run was switched to."""
    own = settings_at(reading, at)
    switches = [edit for edit in Edits.of(RunSpec.from_json(reading.run.spec).edits).items if isinstance(edit, ModelEdit)]
    later = [edit for edit in switches if edit.seq > at]
    if temperature is None or {own.temperature, *(edit.temperature for edit in later)} == {temperature}:
        return ()
    first = ModelEdit(
        at,
        own.model,
        own.api_base,
        temperature,
        own.top_p,
        own.window,
        own.reply_tokens,
        own.room_factor,
        own.reply_form,
        own.price,
    )
    return (first, *(replace(edit, temperature=temperature) for edit in later))


def _next_sample_base(store: Store, run: Run) -> int:
    """A sample base that no sample of this run has used, among those that the store's user may see."""
    family = (other for other in store.runs.family(run.id) if other.parent == run.id and other.experiment)
    samples = (other for other in family if store.visits.may_see(other.id))
    used = [sample.spec["sample_base"] for sample in samples]
    return max([int(run.spec.get("sample_base", 0)), *map(int, used)]) + SAMPLE_STRIDE


def new_id() -> str:
    """The id of a new experiment."""
    return secrets.token_hex(5)


# How firm


def price_sampling(reading: Reading, seq: int, sampling: Sampling) -> Price:
    """What repeating one prompt takes, estimated from the recorded call. Raises BadOptions for a call without a reply."""
    check_sampling(reading, sampling, first=seq)
    record = answered_record(reading, seq)
    calls, sent, received = (Range(n, n).times(sampling.n) for n in (1, record.tokens_in or 0, record.tokens_out or 0))
    received = received if record.model == catalogue.OFFLINE else received.times(1, spread=REPLY_SPREAD)
    return Price(calls, sent, received, cost_of(record.model, sent, received))


def answered_record(reading: Reading, seq: int) -> Record:
    """The reply of a call that was parsed, else its first. Raises BadOptions for a call without a reply and for a scoring
    call."""
    event = reading.trace.asked.get(seq)
    rows = [record for record in reading.records if record.seq == seq and record.reply is not None]
    if not rows or rows[0].task == "score":
        raise BadOptions(f"no model replied to {call_number(seq)} of reading {reading.run.id!r}; choose another call")
    return next((row for row in rows if event and row.attempt == event.attempt), rows[0])


def recorded_call(reading: Reading, reader: Reader, seq: int) -> Call:
    """A recorded call as it was first sent, found by re-executing the run up to it. Raises BadOptions for a run of another reader
    version."""
    answered_record(reading, seq)
    spec = RunSpec.from_json(reading.run.spec)
    if spec.version != reader.version:
        raise BadOptions(
            f"reading {reading.run.id!r} was made by version {spec.version} of {reader.title}, and this is version "
            f"{reader.version}: its calls can be viewed but not repeated"
        )
    tape = MemoryTape()
    tape.records = {(record.seq, record.attempt): record for record in reading.records if record.seq != seq}
    try:
        rehearse(reading.document, reader, replace(spec, caps={}), _CallCatcher(seq), tape=tape)
    except _CallFound as caught:
        return caught.call
    raise BadOptions(f"reading {reading.run.id!r} does not reach {call_number(seq)} again; reload it and try again")


def create_samples(
    store: Store, reading: Reading, call: Call, reader: Reader, *, options: Mapping[str, Any], most: int, name: str
) -> Run:
    """Record samples of one call, queued: a run by this reader with the call's settings, with at most this many calls."""
    run, settings = reading.run, call.settings
    sent: Sequence[dict[str, Any]] = [edits.to_json(edits.PromptEdit(n, call.edited)) for n in range(most)]
    spec = RunSpec(
        reader.id, reader.version, run.question, tuple(run.spec.get("choices", ())), options, settings.model,
        settings.api_base, settings.temperature, settings.top_p, settings.window, _next_sample_base(store, run),
        {"max_calls": most}, reuse=False, edits=tuple(sent) if call.edited else (), reply_tokens=settings.reply_tokens,
        room_factor=settings.room_factor, reply_form=settings.reply_form, price=settings.price,
    )  # fmt: skip
    return add_beside(store, run, spec, name=name, at=call.seq)


def spec_beside(reader: Reader, question: str, options: Mapping[str, Any], terms: Mapping[str, Any]) -> RunSpec:
    """The spec of a run of a reader that cannot be selected; `terms` are its fields for the model and its settings. Raises
    BadOptions like `check_spec`."""
    spec = RunSpec(reader.id, reader.version, question, (), options, **{**terms, "reuse": False})
    check_spec(reader, spec)
    return spec


def add_beside(store: Store, run: Run, spec: RunSpec, *, name: str, at: int = 0) -> Run:
    """Record a run of a reader that cannot be selected, queued, as an experiment on call `at` of another run."""
    made = Run("", run.document, spec.reader, spec.question, asdict(spec), "queued", fork_at=at, name=name)
    return store.runs.add(replace(made, parent=run.id, experiment=new_id()))


class _CallFound(BaseException):
    """Carries the call that was searched for. Not an error: it ends the search."""

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
        raise BadOptions(f"{call_number(call.seq)} has no reply on record; resume the reading first")
