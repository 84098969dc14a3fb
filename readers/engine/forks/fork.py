"""Forks: a recorded reading with one thing changed, read on from there (DESIGN section 5, rule 9).

A fork begins with its parent's calls before the change, as they are; later calls take over the parent's reply where exactly the
same is asked, and the rest goes to the model. So a fork shows the effect of the change and nothing else. Its parent is never
touched. Samples (`experiments.py`) are forks that take over nothing after the change. What a change is, is `edits.py`.
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
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.prompts.reply import Parsed
from readers.engine.prompts.reply_formats import Free
from readers.engine.record import edits as kinds
from readers.engine.record.edits import LEFT_OUT, Edit, LeaveOutEdit, ModelEdit, PromptEdit, ReplyEdit, RerunEdit, WrittenEdit
from readers.engine.record.events import Asked, Wrote
from readers.engine.record.journal import MemoryTape, Record, decode_parts, recorded_messages
from readers.engine.record.trace import Trace
from readers.engine.run.estimate import PROMPT_SPREAD, REPLY_SPREAD, WALK_SPREAD, CallTally, Range, TrialModel, cost_of, estimate
from readers.engine.run.execute import RunSpec, check_spec, rehearse
from readers.engine.run.reader import Reader
from readers.engine.store import AT_WORK, Run, Store
from readers.engine.store.reading import Reading
from readers.engine.store.run_list import name_of
from readers.engine.store.run_tape import Copied

# Longer readings are priced by how many calls are left, for trying them out would be felt.
MAX_TRIED_CALLS = 1_500
MAX_EDIT_LENGTH = 1_000_000


@dataclass(frozen=True)
class ForkTerms:
    """On what terms a fork is made besides its edit. Samples of an `experiment` have a `sample_base` of their own; `also` are
    further edits that go with the first; `caps` stand in for the parent's."""

    name: str | None = None
    experiment: str | None = None
    sample_base: int | None = None
    also: tuple[Edit, ...] = ()
    caps: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class ForkPlan:
    """A fork that could be made: its spec, the number of the call it begins at, what it begins with, the models it may ask."""

    parent: Run
    edit: Edit
    terms: ForkTerms
    spec: RunSpec
    at: int
    rows: tuple[Record, ...] = ()
    models: tuple[ServedModel, ...] = ()


@dataclass(frozen=True)
class ForkPrice:
    """What a fork takes: calls it has from its parent (`kept` before the change, `inherited` after it, so far as they were met),
    and those it will make, with tokens and US dollars (None: unknown). `tried`: found by trying it out."""

    kept: int
    inherited: int
    calls: Range
    tokens_in: Range
    tokens_out: Range
    cost: Range | None
    tried: bool


def prepare(store: Store, reading: Reading, reader: Reader, edit: Edit, *, terms: ForkTerms | None = None) -> ForkPlan:
    """Check a change. Raises BadOptions for one that cannot be made, Busy while the reading is under way."""
    terms = terms or ForkTerms()
    run = reading.run
    if run.status in AT_WORK:
        raise Busy(f"reading {run.id!r} is under way; wait for its end, or cancel it, and change it then")
    if run.spec["version"] != reader.version:
        raise BadOptions(
            f"reading {run.id!r} was made by version {run.spec['version']} of {reader.title}, and this is version "
            f"{reader.version}: it can be viewed, but not read on; ask its question anew, and change that reading"
        )
    edit = _cleaned(edit)
    at = _fork_point(reading, edit)
    if isinstance(edit, PromptEdit):
        edit = replace(edit, asked=_record(reading, edit.seq).asked)
    own = (edit, *terms.also)
    before = RunSpec.from_json(run.spec)
    base = before.sample_base if terms.sample_base is None else terms.sample_base
    kept = [item for item in before.edits if not _is_superseded(item, edit)]
    spec = replace(
        before,
        edits=(*kept, *(kinds.to_json(one) for one in own if not isinstance(one, (ReplyEdit, RerunEdit)))),
        sample_base=base,
        caps=before.caps if terms.caps is None else terms.caps,
        reuse=before.reuse and terms.experiment is None,
    )
    check_spec(reader, spec)
    rows = _edited_rows(store, reading, edit) if isinstance(edit, ReplyEdit) else ()
    whole = len({record.seq for record in reading.records if record.seq < at and record.reply is not None}) == at
    return ForkPlan(run, edit, terms, spec, at, rows, spec.models_from(at if whole else 0))


def _is_superseded(item: Mapping[str, Any], edit: Edit) -> bool:
    """Whether an edit of the parent's has no say beside a new one: other words for the same call, another model from there on."""
    if isinstance(edit, PromptEdit):
        return item["kind"] == PromptEdit.kind and bool(item["seq"] == edit.seq)
    return isinstance(edit, ModelEdit) and item["kind"] == ModelEdit.kind and bool(item["seq"] >= edit.seq)


def fork(store: Store, reading: Reading, reader: Reader, edit: Edit, *, terms: ForkTerms | None = None) -> Run:
    """Prepare a fork and add it, queued. Executing it reads on. Raises like `prepare`."""
    return add(store, reading, reader, prepare(store, reading, reader, edit, terms=terms))


def add(store: Store, reading: Reading, reader: Reader, made: ForkPlan) -> Run:
    """Add a prepared fork of a reading, queued."""
    run, terms = made.parent, made.terms
    new = Run(
        "", run.document, run.reader, run.question, asdict(made.spec), "queued",
        parent=run.id, fork_at=made.at, edit=edit_with_description(store, reading, reader, made.edit),
        experiment=terms.experiment, name=name_of(terms.name or "") or None,
    )  # fmt: skip
    return store.add_run(new, copied=Copied(made.at, made.rows))


def edit_with_description(store: Store, reading: Reading, reader: Reader, edit: Edit) -> dict[str, Any]:
    """The edit as it is kept, with what it changed in words (`said`). Raises BadOptions for a call that is not there."""
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
    return kinds.to_json(edit) | ({"said": words} if words else {})


def price(store: Store, reading: Reading, reader: Reader, edit: Edit, *, terms: ForkTerms | None = None) -> ForkPrice:
    """What a fork takes, found by trying it out with the offline model in the place of any other; where that would take long, by
    how many calls are left. Comparisons of texts are no calls here. Changes nothing. Raises like `prepare`."""
    made = prepare(store, reading, reader, edit, terms=terms)
    kept = [record for record in reading.records if record.seq < made.at and record.reply is not None]
    had = sum(record.task != "score" for record in kept)
    tape = MemoryTape(() if terms and terms.experiment else reading.records)
    tape.records = {(record.seq, record.attempt): record for record in (*kept, *made.rows)}
    given, trial = set(tape.records), TrialModel(made.spec, None)
    if len(reading.records) <= MAX_TRIED_CALLS:
        with suppress(ModelFailed):  # then the price is that of the way until there
            rehearse(reading.document, reader, replace(made.spec, caps={"max_calls": MAX_TRIED_CALLS}), trial, tape=tape)
    count = trial.total
    if len(reading.records) > MAX_TRIED_CALLS or count.calls >= MAX_TRIED_CALLS:
        return _rough_price(made, reading, reader, had)
    found = [record for key, record in tape.records.items() if key not in given and record.origin != "live"]
    inherited = sum(record.task != "score" for record in found)
    return _price_of(made, count, kept=had, inherited=inherited, tried=True)


def _rough_price(made: ForkPlan, reading: Reading, reader: Reader, had: int) -> ForkPrice:
    """By the calls that a finished reading has from there on, or by what another reading of the whole text would take."""
    if reading.run.outcome is not None:
        left = [record for record in reading.records if record.seq >= made.at and record.task != "score"]
        sent, received = (sum(getattr(record, name) or 0 for record in left) for name in ("tokens_in", "tokens_out"))
        return _price_of(made, CallTally(len(left), sent, received), kept=had, inherited=0, tried=False)
    whole = estimate(reading.document, reader, replace(made.spec, edits=(), model=catalogue.OFFLINE, api_base=None))
    share = max(1.0, whole.calls.high - had) / max(1.0, whole.calls.high)
    sent, received = (found.high * share for found in (whole.tokens_in, whole.tokens_out))
    return _price_of(made, CallTally(round(whole.calls.high * share), sent, received), kept=had, inherited=0, tried=False)


def _price_of(made: ForkPlan, count: CallTally, *, kept: int, inherited: int, tried: bool) -> ForkPrice:
    model = _last_model(made.spec)
    sure = model == catalogue.OFFLINE and tried
    low, high = (1.0, 1.0) if sure or not count.calls else WALK_SPREAD
    calls = Range(max(1 if count.calls else 0, round(count.calls * low)), round(count.calls * high))
    each = Range(count.sent, count.sent).times(1 / count.calls) if count.calls else Range(0, 0)
    got = Range(count.received, count.received).times(1 / count.calls) if count.calls else Range(0, 0)
    loose = ((1.0, 1.0), (1.0, 1.0)) if sure else (PROMPT_SPREAD, REPLY_SPREAD)
    sent = Range(calls.low * each.low, calls.high * each.high).times(1, spread=loose[0])
    received = Range(calls.low * got.low, calls.high * got.high).times(1, spread=loose[1])
    return ForkPrice(kept, inherited, calls, sent, received, cost_of(model, sent, received), tried)


def _last_model(spec: RunSpec) -> str:
    switched = [item["model"] for item in spec.edits if item["kind"] == ModelEdit.kind]
    return str(switched[-1] if switched else spec.model)


def _cleaned(edit: Edit) -> Edit:
    """An edit that can be stored and sent: no half characters, not endless, and where all words are gone, a mark."""
    words = [edit.text] if isinstance(edit, (ReplyEdit, WrittenEdit)) else []
    words += [message["content"] for message in edit.messages] if isinstance(edit, PromptEdit) else []
    if any(len(each) > MAX_EDIT_LENGTH for each in words):
        raise BadOptions(f"the changed text is over {MAX_EDIT_LENGTH:,} characters; shorten it")
    if isinstance(edit, PromptEdit):
        if not any(each.strip() for each in words):
            raise BadOptions("the prompt is empty; write what the model is to be asked")
        messages = tuple({"role": encodable(m["role"]), "content": encodable(m["content"])} for m in edit.messages)
        return replace(edit, messages=messages)
    if isinstance(edit, WrittenEdit):
        return replace(edit, text=encodable(edit.text) if edit.text.strip() else LEFT_OUT)
    return replace(edit, text=encodable(edit.text)) if isinstance(edit, ReplyEdit) else edit


def _fork_point(reading: Reading, edit: Edit) -> int:
    """The number of the call from which a fork can differ."""
    trace = reading.trace
    last = max((record.seq for record in reading.records), default=-1)
    if isinstance(edit, WrittenEdit):
        return _call_after_writing(trace, edit)
    if not 0 <= edit.seq <= last:
        raise BadOptions(f"there is no call {edit.seq} in reading {reading.run.id!r}; its calls are 0 to {last}")
    if isinstance(edit, (ReplyEdit, PromptEdit)) and _record(reading, edit.seq).task == "score":
        raise BadOptions(f"call {edit.seq} compares texts by a rule or an embedding: no model was asked there")
    if isinstance(edit, LeaveOutEdit) and not 0 <= edit.start < edit.end <= len(trace.document.text):
        raise BadOptions(f"characters {edit.start} to {edit.end} are no passage of a text of {len(trace.document.text)}")
    return edit.seq


def _call_after_writing(trace: Trace, edit: WrittenEdit) -> int:
    """The first call that came after a writing. Calls that were on their way meanwhile have lower numbers, and did not see it."""
    number = next(
        (n for n, event in enumerate(trace.events) if isinstance(event, Wrote) and (event.n, event.role) == (edit.n, edit.role)),
        None,
    )
    if number is None or trace.wrote[edit.n].text != edit.before:
        raise BadOptions(f"the {edit.role} to be changed is not in this reading as it was read; open the reading anew")
    return max((event.seq + 1 for event in trace.events[:number] if isinstance(event, Asked)), default=0)


def _record(reading: Reading, seq: int, *, attempt: int = 0) -> Record:
    for record in reading.records:
        if (record.seq, record.attempt) == (seq, attempt):
            return record
    raise BadOptions(f"there is no reply {attempt + 1} to call {seq} in reading {reading.run.id!r}")


def _recorded_call(store: Store, reading: Reading, seq: int, attempt: int) -> tuple[Record, Prompt, tuple[Part, ...]]:
    """A recorded call: its row, its prompt as it was worded, and the prompt's parts."""
    record = _record(reading, seq, attempt=attempt)
    prompt = store.tape(reading.run.id).prompts()[record.prompt]
    return record, prompt, decode_parts(record.parts, reading.document, wrote=reading.trace.wrote)


def _edited_rows(store: Store, reading: Reading, edit: ReplyEdit) -> tuple[Record, ...]:
    """The call a fork differs at: replies that were misread before stay, this one is the person's, later ones are gone."""
    record, prompt, parts = _recorded_call(store, reading, edit.seq, edit.attempt)
    misread = [one for one in reading.records if one.seq == edit.seq and one.attempt < edit.attempt]
    before = [one if one.origin == "edited" else replace(one, origin="replayed") for one in misread]
    found = prompt.reply.parse(edit.text, {part.name: len(part.texts) for part in parts})
    whole = isinstance(prompt.reply, Free) or not isinstance(found, Parsed)
    parsed = None if whole else canonical(parsed_values(found))
    given = replace(
        record, origin="edited", reply=edit.text, parsed=parsed, tokens_in=None, tokens_out=None, cost_usd=0.0, ms=0, error=None
    )
    return (*before, given)


def first_call_showing(trace: Trace, start: int, end: int) -> int | None:
    """The first call whose prompt showed any of these characters of the document raw; None where none did."""
    seqs = [seq for seq in trace.asked if any(s < end and start < e for s, e in trace.spans_shown(seq))]
    return min(seqs, default=None)
