"""Forks: a recorded run with one thing changed, executed on from there (DESIGN section 5, rule 9).

A fork copies its parent's calls before the change. Later calls inherit the parent's reply if the request is identical; all others
go to the model. So a fork shows the effect of the change and nothing else. The parent is never modified. Samples
(`experiments.py`) are forks that inherit nothing after the change. The kinds of change are in `record/edits.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any

from readers.engine.canonical import canonical, encodable
from readers.engine.errors import BadOptions, Busy, ModelFailed
from readers.engine.forks import describe_edit
from readers.engine.models import catalogue
from readers.engine.models.call import ServedModel, parsed_values
from readers.engine.prompts.formats.form import Parsed
from readers.engine.prompts.formats.free_text import Free
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.record import edits
from readers.engine.record.edits import (
    LEFT_OUT,
    Edit,
    Edits,
    LeaveOutEdit,
    ModelEdit,
    PromptEdit,
    ReplyEdit,
    RerunEdit,
    WrittenEdit,
)
from readers.engine.record.events import Asked, Wrote
from readers.engine.record.journal import MemoryTape, Record, decode_parts, recorded_messages
from readers.engine.record.trace import Trace
from readers.engine.run.estimate import PROMPT_SPREAD, REPLY_SPREAD, WALK_SPREAD, cost_of, estimate, speed_of
from readers.engine.run.execute import RunSpec, check_spec, rehearse
from readers.engine.run.reader import Reader
from readers.engine.run.trial import CallCount, TrialModel
from readers.engine.store import AT_WORK, Reading, Run, Store
from readers.engine.store.run_list import name_of
from readers.engine.store.run_tape import Copied
from readers.engine.text.phrases import call_number
from readers.engine.work import NOTHING, Price, Range

# Runs with more calls than this are priced by the remaining calls, because trying them takes too long.
MAX_TRIED_CALLS = 1_500
MAX_EDIT_LENGTH = 1_000_000


@dataclass(frozen=True)
class ForkTerms:
    """Options of a fork in addition to its edit. Samples of an `experiment` have their own `sample_base`; `also` are further
    edits that go with the first; `caps` replace the parent's."""

    name: str | None = None
    experiment: str | None = None
    sample_base: int | None = None
    also: tuple[Edit, ...] = ()
    caps: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class ForkPlan:
    """A checked fork that is not on record yet: its spec, the call it begins at, the rows it begins with, and the models it may
    call."""

    parent: Run
    edit: Edit
    terms: ForkTerms
    spec: RunSpec
    at: int
    rows: tuple[Record, ...] = ()
    models: tuple[ServedModel, ...] = ()


def prepare(store: Store, reading: Reading, reader: Reader, edit: Edit, *, terms: ForkTerms | None = None) -> ForkPlan:
    """Check an edit and plan the fork. Raises BadOptions for an invalid edit, Busy while the run is active."""
    terms = terms or ForkTerms()
    run = reading.run
    if run.status in AT_WORK:
        raise Busy(f"reading {run.id!r} is still running; wait until it ends, or cancel it, and fork it then")
    if not run.is_of_version(reader.version):
        raise BadOptions(
            f"reading {run.id!r} was made by {run.version_in_words} of {reader.title}, and this is version "
            f"{reader.version}: it can be viewed but not forked; ask its question again and fork that reading"
        )
    edit = _cleaned(edit)
    at = first_call(reading, edit)
    if isinstance(edit, PromptEdit):
        edit = replace(edit, asked=_record(reading, edit.seq).asked)
    new_edits = (edit, *terms.also)
    parent_spec = RunSpec.from_json(run.spec)
    base = parent_spec.sample_base if terms.sample_base is None else terms.sample_base
    inherited_edits = [item for item in parent_spec.edits if not any(_is_superseded(item, new) for new in new_edits)]
    spec = replace(
        parent_spec,
        edits=(*inherited_edits, *(edits.to_json(item) for item in new_edits if not isinstance(item, (ReplyEdit, RerunEdit)))),
        sample_base=base,
        caps=parent_spec.caps if terms.caps is None else terms.caps,
        reuse=parent_spec.reuse and terms.experiment is None,
    )
    check_spec(reader, spec)
    rows = _edited_rows(store, reading, edit) if isinstance(edit, ReplyEdit) else ()
    has_all_replies = len({record.seq for record in reading.records if record.seq < at and record.reply is not None}) == at
    return ForkPlan(run, edit, terms, spec, at, rows, spec.models_from(at if has_all_replies else 0))


def _is_superseded(item: Mapping[str, Any], edit: Edit) -> bool:
    """Whether the new edit supersedes this inherited one (same prompt, or a later model switch)."""
    if isinstance(edit, PromptEdit):
        return item["kind"] == PromptEdit.kind and bool(item["seq"] == edit.seq)
    return isinstance(edit, ModelEdit) and item["kind"] == ModelEdit.kind and bool(item["seq"] >= edit.seq)


def fork(store: Store, reading: Reading, reader: Reader, edit: Edit, *, terms: ForkTerms | None = None) -> Run:
    """Plan a fork and put it on record, queued. Executing it continues the run. Raises like `prepare`."""
    return add(store, reading, reader, prepare(store, reading, reader, edit, terms=terms))


def add(store: Store, reading: Reading, reader: Reader, plan: ForkPlan) -> Run:
    """Put a planned fork on record, queued."""
    run, terms = plan.parent, plan.terms
    new = Run(
        "", run.document, run.reader, run.question, asdict(plan.spec), "queued",
        parent=run.id, fork_at=plan.at, edit=edit_with_description(store, reading, reader, plan.edit),
        experiment=terms.experiment, name=name_of(terms.name or "") or None,
    )  # fmt: skip
    return store.runs.add(new, copied=Copied(plan.at, plan.rows))


def edit_with_description(store: Store, reading: Reading, reader: Reader, edit: Edit) -> dict[str, Any]:
    """The edit in stored form, with its description (`said`). Raises BadOptions for a missing call."""
    names = reader.names(reading.trace)
    if isinstance(edit, ReplyEdit):
        record, prompt, _ = _recorded_call(store, reading, edit.seq, edit.attempt)
        event = reading.trace.asked.get(edit.seq)
        words = describe_edit.describe_reply(edit, record.reply, prompt, dict(event.parts) if event else {}, names)
    elif isinstance(edit, PromptEdit):
        record, prompt, _ = _recorded_call(store, reading, edit.seq, 0)
        words = describe_edit.describe_prompt(
            recorded_messages(record, prompt, reading.document)[-1]["content"], edit.messages[-1]["content"]
        )
    else:
        words = describe_edit.describe_removal(edit, names, reading.document.text)
    return edits.to_json(edit) | ({"said": words} if words else {})


def price(store: Store, reading: Reading, reader: Reader, edit: Edit, *, terms: ForkTerms | None = None) -> Price:
    """What a fork takes, from a trial with the offline model or, if that would take long, from the number of calls left. The
    calls `reused` are those it has from its parent.

    Comparisons of texts do not count as calls. Changes nothing. Raises like `prepare`.
    """
    plan = prepare(store, reading, reader, edit, terms=terms)
    copied = sum(record.task != "score" for record in _kept(plan, reading))
    tried = _try(plan, reading, reader)
    if tried is None:
        return _timed(store, plan, _rough_price(plan, reading, reader, copied))
    calls, added = tried
    inherited = sum(record.task != "score" for record in added if record.origin != "live")
    note = f"{inherited:,} of them after the change, where the same is asked" if inherited else ""
    return _timed(store, plan, _price_of(plan, calls, reused=copied + inherited, note=note))


def _timed(store: Store, plan: ForkPlan, price: Price) -> Price:
    """The price with the seconds that the calls take one after another, if it is known how fast the model is."""
    asked = _model_of(plan)
    before = store.runs.timed_calls(asked.model, asked.api_base)
    fast, _ = speed_of(asked.model, asked.api_base, before)
    if fast is None or asked.model == catalogue.OFFLINE:
        return price
    low, high = (fast.seconds(price.calls[end], price.tokens_in[end], price.tokens_out[end]) for end in (0, 1))
    return replace(price, seconds=Range(low, high + fast.load))


def _model_of(plan: ForkPlan) -> ModelEdit | RunSpec:
    """What says which model answers the last calls."""
    switches = [edit for edit in Edits.of(plan.spec.edits).items if isinstance(edit, ModelEdit)]
    return switches[-1] if switches else plan.spec


def models_needed(plan: ForkPlan, reading: Reading, reader: Reader) -> tuple[ServedModel, ...]:
    """The models that a planned fork of this reading may call: none if the record has every reply."""
    tried = _try(plan, reading, reader)
    return () if tried and not tried[0].calls else plan.models


def _kept(plan: ForkPlan, reading: Reading) -> list[Record]:
    return [record for record in reading.records if record.seq < plan.at and record.reply is not None]


def _try(plan: ForkPlan, reading: Reading, reader: Reader) -> tuple[CallCount, list[Record]] | None:
    """Try a fork with the offline model: the calls it made, and the records it added to those it begins with; None if that would
    take long. Stores nothing."""
    if len(reading.records) > MAX_TRIED_CALLS:
        return None
    tape = MemoryTape(() if plan.terms.experiment else reading.records)
    tape.records = {(record.seq, record.attempt): record for record in (*_kept(plan, reading), *plan.rows)}
    copied, trial = set(tape.records), TrialModel(plan.spec, None)
    with suppress(ModelFailed):  # then the calls up to the failure count
        rehearse(reading.document, reader, replace(plan.spec, caps={"max_calls": MAX_TRIED_CALLS}), trial, tape=tape)
    if trial.total.calls >= MAX_TRIED_CALLS:
        return None
    return trial.total, [record for key, record in tape.records.items() if key not in copied]


def _rough_price(plan: ForkPlan, reading: Reading, reader: Reader, copied: int) -> Price:
    """From the calls that a finished run has after the fork point, or from an estimate of another run on the whole text."""
    if reading.run.outcome is not None:
        left = [record for record in reading.records if record.seq >= plan.at and record.task != "score"]
        sent, received = (sum(getattr(record, name) or 0 for record in left) for name in ("tokens_in", "tokens_out"))
        return _price_of(plan, CallCount(len(left), sent, received), reused=copied, whole=False)
    whole = estimate(reading.document, reader, replace(plan.spec, edits=(), model=catalogue.OFFLINE, api_base=None))
    share = max(1.0, whole.calls.high - copied) / max(1.0, whole.calls.high)
    sent, received = (found.high * share for found in (whole.tokens_in, whole.tokens_out))
    return _price_of(plan, CallCount(round(whole.calls.high * share), sent, received), reused=copied, whole=False)


def _price_of(plan: ForkPlan, count: CallCount, *, reused: int, note: str = "", whole: bool = True) -> Price:
    asked = _model_of(plan)
    sure = asked.model == catalogue.OFFLINE and whole
    low, high = (1.0, 1.0) if sure or not count.calls else WALK_SPREAD
    calls = Range(max(1 if count.calls else 0, round(count.calls * low)), round(count.calls * high))
    per_prompt = Range(count.sent, count.sent).times(1 / count.calls) if count.calls else NOTHING
    per_reply = Range(count.received, count.received).times(1 / count.calls) if count.calls else NOTHING
    thought = count.thought / count.calls if count.calls else 0.0
    spreads = ((1.0, 1.0), (1.0, 1.0)) if sure else (PROMPT_SPREAD, REPLY_SPREAD)
    sent = Range(calls.low * per_prompt.low, calls.high * per_prompt.high).times(1, spread=spreads[0])
    received = Range(calls.low * per_reply.low, calls.high * per_reply.high).times(1, spread=spreads[1])
    received = received.plus(Range(0, calls.high * thought))
    note = note if whole else "as many as the reading has left"
    return Price(
        calls, sent, received, cost_of(asked.model, sent, received, price=asked.price), reused=reused, whole=whole, note=note
    )


def _cleaned(edit: Edit) -> Edit:
    """The edit with valid, bounded text; a text that was emptied becomes a mark."""
    words = [edit.text] if isinstance(edit, (ReplyEdit, WrittenEdit)) else []
    words += [message["content"] for message in edit.messages] if isinstance(edit, PromptEdit) else []
    if any(len(each) > MAX_EDIT_LENGTH for each in words):
        raise BadOptions(f"the changed text is over {MAX_EDIT_LENGTH:,} characters; shorten it")
    if isinstance(edit, PromptEdit):
        if not any(each.strip() for each in words):
            raise BadOptions("the prompt is empty; write what to ask the model")
        messages = tuple({"role": encodable(m["role"]), "content": encodable(m["content"])} for m in edit.messages)
        return replace(edit, messages=messages)
    if isinstance(edit, WrittenEdit):
        return replace(edit, text=encodable(edit.text) if edit.text.strip() else LEFT_OUT)
    return replace(edit, text=encodable(edit.text)) if isinstance(edit, ReplyEdit) else edit


def first_call(reading: Reading, edit: Edit) -> int:
    """The first call of a fork that can differ from the parent's. Raises BadOptions for an edit that is not of this reading."""
    trace = reading.trace
    last = max((record.seq for record in reading.records), default=-1)
    if isinstance(edit, WrittenEdit):
        return _call_after_writing(trace, edit)
    if not 0 <= edit.seq <= last:
        raise BadOptions(
            f"there is no {call_number(edit.seq)} in reading {reading.run.id!r}; it has {last + 1:,} (--at counts them from 0)"
        )
    if isinstance(edit, (ReplyEdit, PromptEdit)) and _record(reading, edit.seq).task == "score":
        raise BadOptions(f"{call_number(edit.seq)} compares texts by a rule or an embedding; no model replied there")
    if isinstance(edit, LeaveOutEdit) and not 0 <= edit.start < edit.end <= len(trace.document.text):
        raise BadOptions(f"characters {edit.start} to {edit.end} are not in a text of {len(trace.document.text)} characters")
    return edit.seq


def _call_after_writing(trace: Trace, edit: WrittenEdit) -> int:
    """The first call after a text was written. Calls in flight at that time have lower numbers and did not contain it."""
    number = next(
        (n for n, event in enumerate(trace.events) if isinstance(event, Wrote) and (event.n, event.role) == (edit.n, edit.role)),
        None,
    )
    if number is None or trace.wrote[edit.n].text != edit.before:
        raise BadOptions(f"the {edit.role} to be changed is not in this reading; reload the reading and try again")
    return max((event.seq + 1 for event in trace.events[:number] if isinstance(event, Asked)), default=0)


def _record(reading: Reading, seq: int, *, attempt: int = 0) -> Record:
    for record in reading.records:
        if (record.seq, record.attempt) == (seq, attempt):
            return record
    raise BadOptions(f"there is no reply {attempt + 1} to {call_number(seq)} in reading {reading.run.id!r}")


def _recorded_call(store: Store, reading: Reading, seq: int, attempt: int) -> tuple[Record, Prompt, tuple[Part, ...]]:
    """A recorded call: its row, its prompt as it was worded, and its parts."""
    record = _record(reading, seq, attempt=attempt)
    prompt = store.runs.tape(reading.run.id).prompts()[record.prompt]
    return record, prompt, decode_parts(record.parts, reading.document, wrote=reading.trace.wrote)


def _edited_rows(store: Store, reading: Reading, edit: ReplyEdit) -> tuple[Record, ...]:
    """The call at which the fork differs: misread replies before the edited one stay, later attempts are dropped."""
    record, prompt, parts = _recorded_call(store, reading, edit.seq, edit.attempt)
    misread = [row for row in reading.records if row.seq == edit.seq and row.attempt < edit.attempt]
    before = [row if row.origin == "edited" else replace(row, origin="replayed") for row in misread]
    reply = prompt.reply.parse(edit.text, {part.name: len(part.texts) for part in parts})
    whole = isinstance(prompt.reply, Free) or not isinstance(reply, Parsed)
    parsed = None if whole else canonical(parsed_values(reply))
    edited = replace(
        record, origin="edited", reply=edit.text, parsed=parsed, tokens_in=None, tokens_out=None, cost_usd=0.0, ms=0, error=None,
        thoughts=None, finish=None, sampled=None,
    )  # fmt: skip
    return (*before, edited)
