"""Runs: what to do (`RunSpec`), doing or resuming it (`execute`), and trying it out (`rehearse`).

Executing a finished run again makes no call and yields the same events; an interrupted one continues where its record ends. The
spec contains model, base URL, parameters and caps, never a key: the caller of `execute` supplies the model.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, get_args

from readers.engine.canonical import encodable
from readers.engine.errors import (
    AlreadyFinished,
    BadFile,
    BadOptions,
    Cancelled,
    Diverged,
    Ended,
    ReaderFailed,
    ReadingError,
    in_words,
)
from readers.engine.models.call import REPLY_RULES, ModelSettings, ReplyForm, ServedModel, TokenPrice
from readers.engine.models.model import Model, RefusingModel, Retry, check_api_base
from readers.engine.models.profiles import DEFAULT_CONCURRENCY
from readers.engine.models.similarity import WithScores
from readers.engine.prompts.options import read_options
from readers.engine.prompts.prompt import Prompt
from readers.engine.record import events
from readers.engine.record.edits import Edits
from readers.engine.record.journal import Journal, MemoryTape, Tape
from readers.engine.record.trace import Trace
from readers.engine.run.calls_in_flight import CallsInFlight, Caps
from readers.engine.run.desk import Desk
from readers.engine.run.reader import Reader
from readers.engine.store import Run, Status, Store
from readers.engine.text.document import Document, Question, Span

SAMPLE_STRIDE = 10_000  # more equal calls than any run makes, so that no two samples share a request
_CANCEL_CHECK_SECONDS = 0.25


@dataclass(frozen=True)
class RunSpec:
    """Everything that determines a run, except the document. All JSON data; `prompts` holds edited templates by prompt id,
    `edits` the changes of a fork (`edits.py`)."""

    reader: str
    version: int
    question: str
    choices: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    model: str = "offline/extractive"
    api_base: str | None = None
    temperature: float = 0.0
    top_p: float | None = None
    window: int | None = None
    sample_base: int = 0
    caps: Mapping[str, Any] = field(default_factory=dict)
    prompts: Mapping[str, str] = field(default_factory=dict)
    reuse: bool = True
    edits: tuple[Mapping[str, Any], ...] = ()
    reply_tokens: int | None = None
    room_factor: int | None = None
    blank_end: bool = False
    """Whether white space at a text's end may be a segment of its own, as in readings without this setting."""
    reply_form: ReplyForm = "words"
    """How replies in a form are asked for, as in `ModelSettings`; readings without this setting asked in words."""
    price: TokenPrice | None = None
    """What the profile said that tokens cost, as in `ModelSettings`."""
    profile: str = ""
    """The name of the profile that these settings come from; only for people."""
    reply_rules: int = REPLY_RULES
    """The rules by which its replies were read and asked for again; readings without this setting had the first ones."""

    @property
    def settings(self) -> ModelSettings:
        return ModelSettings(
            self.model, self.api_base, self.temperature, self.top_p, self.window, self.sample_base,
            reply_tokens=self.reply_tokens, room_factor=self.room_factor or 1,
            reply_form=self.reply_form, price=self.price, reply_rules=self.reply_rules,
        )  # fmt: skip

    @property
    def full_question(self) -> Question:
        return Question(self.question, self.choices)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RunSpec:
        """Raises BadOptions for a setting that this version does not know."""
        given = {
            "blank_end": True,
            "reply_rules": 1,
            **data,
            "choices": tuple(data["choices"]),
            "edits": tuple(data.get("edits", ())),
        }
        if unknown := sorted(given.keys() - cls.__dataclass_fields__.keys()):
            raise BadOptions(f"there is no setting {unknown[0]!r}: another version of Palimpsest made this reading")
        return cls(**{**given, "price": tuple(given["price"]) if given.get("price") else None})

    def asking(self, question: str, *, version: int) -> RunSpec:
        """Another question with the same model and settings, by this version of the reader: in the model's own words, without the
        changes of a fork, and with replies on record reused."""
        return replace(self, version=version, question=question.strip(), choices=(), edits=(), reuse=True)

    @property
    def models(self) -> tuple[ServedModel, ...]:
        """The models of the run with their base URLs: its own, and those it was switched to."""
        own = ServedModel(self.model, self.api_base)
        return tuple(dict.fromkeys([own, *self.models_from(0)]))

    def models_from(self, first: int) -> tuple[ServedModel, ...]:
        """The models that may be called from call `first` on."""
        return Edits.of(self.edits).models_from(first, ServedModel(self.model, self.api_base))


def models_still_needed(store: Store, run: Run) -> tuple[ServedModel, ...]:
    """The models that a run may still call. For a fork that has all its parent's replies, those from where it begins."""
    first = run.fork_at or 0
    has_all_replies = store.runs.tape(run.id).answered_below(first) == first
    return RunSpec.from_json(run.spec).models_from(first if has_all_replies else 0)


def check_servers(run: Run, models: Sequence[ServedModel], *chosen: str | None) -> None:
    """Raise BadOptions if an imported run would call a server that is not `chosen` here, because that server would receive the
    API key from the environment."""
    for api_base in (run.spec["api_base"], *(base for _, base in models)):  # texts are compared on its own server
        if run.taken_in and api_base is not None and api_base not in chosen:
            raise BadOptions(
                f"reading {run.id!r} was imported, and its calls would go to the server {api_base!r} named in the run file; to "
                "resume it there, choose that server on the page Models, or name it with --api-base"
            )


def create_run(store: Store, document: Document, reader: Reader, spec: RunSpec) -> Run:
    """Check a spec and put the run on record, queued. Raises BadOptions for an invalid spec, BadFile for an empty document."""
    check_spec(reader, spec)
    spec = in_effect(reader, spec)
    if not document.text.strip():
        raise BadFile(f"there is no text in {document.title!r}; choose a document that has some")
    return store.runs.add(Run("", document.id, reader.id, spec.question, asdict(spec), "queued"), document=document)


def in_effect(reader: Reader, spec: RunSpec) -> RunSpec:
    """The spec with every option of the reader, including those at their defaults, so that the record says what was in effect."""
    return replace(spec, options=asdict(read_options(reader.Options, spec.options)))


def check_spec(reader: Reader, spec: RunSpec) -> None:
    """Raise BadOptions if the question, choices, options, prompts or base URL are unusable."""
    words = json.dumps(asdict(spec), ensure_ascii=False)
    if encodable(words) != words:
        raise BadOptions("the question, a choice or a setting contains half a character (mostly a broken emoji): type it again")
    if not spec.question.strip():
        raise BadOptions("there is no question; ask one as you would ask somebody who has just read the text")
    if len(spec.choices) == 1 or len(spec.choices) > 26 or any(not choice.strip() for choice in spec.choices):
        raise BadOptions(f"a multiple-choice question needs 2 to 26 choices, none of them empty; there are {len(spec.choices)}")
    if not 0 <= spec.temperature <= 2:
        raise BadOptions(f"the temperature must be from 0 to 2, not {spec.temperature}")
    if spec.top_p is not None and not 0 < spec.top_p <= 1:
        raise BadOptions(f"top p must be above 0 and at most 1, not {spec.top_p}")
    if any(room is not None and room < 1 for room in (spec.reply_tokens, spec.room_factor)):
        raise BadOptions("the room for replies must be 1 token or more; leave it out for each prompt's own")
    if spec.reply_form not in get_args(ReplyForm):
        raise BadOptions(f"the reply form is one of {', '.join(get_args(ReplyForm))}, not {spec.reply_form!r}")
    if not 1 <= spec.reply_rules <= REPLY_RULES:
        raise BadOptions(
            f"its replies were read by rules {spec.reply_rules}, and these are rules {REPLY_RULES}: update Palimpsest"
        )
    Edits.of(spec.edits)
    for _, api_base in spec.models:
        if api_base is not None:
            check_api_base(api_base)
    read_options(reader.Options, spec.options)
    edited_prompts(reader, spec.prompts)


@dataclass(frozen=True)
class Execution:
    """How to execute a run: the model, the key for embeddings, the number of concurrent calls, a stop signal, how long to wait
    for late replies, a callback for when the status is settled, and whether the run waits for a person (and then occupies no
    place in `Jobs`)."""

    model: Model
    api_key: str | None = field(default=None, repr=False)
    concurrency: int = DEFAULT_CONCURRENCY
    stopped: Callable[[], bool] = lambda: False
    linger: float = 0.0
    on_settled: Callable[[], None] = lambda: None
    waits_for_person: bool = False


def execute(store: Store, run_id: str, reader: Reader, execution: Execution) -> Run:
    """Start or resume a run, and settle its status. What is recorded stays, however it ends.

    Raises Busy if another live process is working on it, and like `spec_to_execute`; the run is then as it was. Later, a
    ReadingError ends the run as failed; so does any other exception, which is then raised again.
    """
    run = store.runs.get(run_id)
    spec = spec_to_execute(run, reader)
    store.runs.claim(run.id)
    inherits_from = "" if run.experiment else run.parent or ""  # samples inherit nothing
    carry_out(
        spec,
        reader,
        execution,
        document=partial(store.documents.get, run.document),
        tape=store.runs.tape(run.id, parent=inherits_from),
        settle=partial(store.runs.settle, run.id),
        cancel_asked=partial(store.runs.cancel_asked, run.id),
        reuse=spec.reuse and not execution.waits_for_person,
    )
    return store.runs.get(run.id)


def spec_to_execute(run: Run, reader: Reader) -> RunSpec:
    """The checked spec of a run to be started or resumed.

    Raises Diverged if another version of the reader made the run, AlreadyFinished, and BadOptions for a spec that cannot be read,
    such as after an option was renamed, and for a reading that only the program which made it could resume.
    """
    if not run.is_of_version(reader.version):
        raise Diverged(
            f"reading {run.id!r} was made by {run.version_in_words} of {reader.title}, and this is version {reader.version}: "
            "it can be viewed but not resumed; start a new reading"
        )
    if run.status == "finished":
        raise AlreadyFinished(run.id)
    if not reader.starts and run.parent is None:
        raise BadOptions(f"reading {run.id!r} was made by a program that is not here: run that again to watch another reading")
    try:
        spec = RunSpec.from_json(run.spec)
        check_spec(reader, spec)
    except BadOptions as error:
        raise BadOptions(f"reading {run.id!r} cannot be resumed: {error}") from error
    return spec


def carry_out(
    spec: RunSpec,
    reader: Reader,
    execution: Execution,
    *,
    document: Callable[[], Document],
    tape: Tape,
    settle: Callable[..., None],
    cancel_asked: Callable[[], bool],
    reuse: bool,
) -> None:
    """Let the reader read as far as it gets, and record the end: see `execute`. Its record is on `tape`, wherever that is kept;
    `settle` takes its status, with `seconds` and the columns of its end; `reuse` says whether shared replies may be used."""
    began = time.monotonic()

    def end(status: Status, **columns: Any) -> None:
        settle(status, seconds=time.monotonic() - began, **columns)

    journal = Journal(tape, reuse=reuse, edits=Edits.of(spec.edits))
    calls = calls_for(journal, spec, execution, _StopCheck(cancel_asked, execution.stopped))
    try:
        run_reader(journal, calls, document(), reader, spec)
        end("finished", **outcome_columns(journal.emitted[-1]))
    except ReadingError as error:
        end("failed", error=encodable(str(error)))
    except Cancelled:
        end("cancelled")
    except KeyboardInterrupt:
        end("cancelled")
        raise
    except BaseException as error:
        broken = encodable(f"the reader {reader.id!r} broke down: {in_words(error)}")
        end("failed", error=broken)
        if isinstance(error, SystemExit):  # which would end the whole program
            raise ReaderFailed(broken) from error
        raise
    finally:
        execution.on_settled()
        calls.close(execution.linger)


def rehearse(document: Document, reader: Reader, spec: RunSpec, model: Model, *, tape: Tape | None = None) -> Trace:
    """Execute a spec without storing anything: for estimates, figures and tests. Errors are raised. Nobody can stop it, so the
    model is called on this thread: to hand each call to another one takes a fifth more of the processor."""
    check_spec(reader, spec)
    journal = Journal(tape or MemoryTape(), reuse=False, edits=Edits.of(spec.edits))
    read_through(journal, Execution(model, concurrency=0), document, reader, spec)
    return Trace(document, tuple(journal.emitted), spec.question)


def cut_before_asking(document: Document, reader: Reader, spec: RunSpec) -> tuple[Span, ...]:
    """The spans that a reader cuts before its first call; no call is made."""
    journal = Journal(MemoryTape(), reuse=False)
    with suppress(Cancelled):
        read_through(journal, Execution(RefusingModel(), stopped=lambda: True), document, reader, replace(spec, caps={}))
    return tuple(span for event in journal.emitted if isinstance(event, events.Cut) for span in event.spans)


def read_through(journal: Journal, execution: Execution, document: Document, reader: Reader, spec: RunSpec) -> None:
    """Let the reader read to its end, with nothing settled. Errors are raised."""
    calls = calls_for(journal, spec, execution, execution.stopped)
    try:
        run_reader(journal, calls, document, reader, spec)
    finally:
        calls.close()


def calls_for(journal: Journal, spec: RunSpec, execution: Execution, stopped: Callable[[], bool]) -> CallsInFlight:
    """The call queue for an execution, with scoring and retries."""
    model = Retry(WithScores(execution.model, execution.api_key), stopped=lambda: calls.closing)
    calls = CallsInFlight(journal, model, concurrency=execution.concurrency, caps=Caps(**spec.caps), stopped=stopped)
    return calls


def run_reader(journal: Journal, calls: CallsInFlight, document: Document, reader: Reader, spec: RunSpec) -> None:
    """Let the reader read, and emit how it ended."""
    prompts = edited_prompts(reader, spec.prompts)
    desk: Desk[str] = Desk(journal, calls, spec.settings, prompts=prompts, blank_end=spec.blank_end)
    try:
        answer = reader.read(document, spec.full_question, desk, read_options(reader.Options, spec.options))
        evidence = Trace(document, tuple(journal.emitted)).evidence(answer.pieces)
        journal.emit(events.Answered(answer.text, answer.pieces, evidence))
    except Ended as end:
        journal.emit_ended(events.Ended(end.outcome, end.reason))
    finally:
        journal.flush()


def outcome_columns(last: events.Event) -> dict[str, Any]:
    """The columns of a run that finished with this event."""
    if isinstance(last, events.Answered):
        return {"outcome": "answered", "answer": last.text, "evidence": last.evidence}
    assert isinstance(last, events.Ended)
    return {"outcome": last.outcome, "error": last.reason}


def edited_prompts(reader: Reader, templates: Mapping[str, str]) -> dict[str, Prompt]:
    """The reader's prompts with these templates, by prompt id. Raises BadOptions for a prompt the reader does not have, or a
    template that lacks a part."""
    own = {prompt.id: prompt for prompt in reader.prompts}
    unknown = sorted(set(templates) - set(own))
    if unknown:
        raise BadOptions(f"{reader.title} has no prompt {unknown[0]!r}; it has {', '.join(own)}")
    return {prompt_id: own[prompt_id].edited(template) for prompt_id, template in templates.items()}


def changed_templates(reader: Reader, templates: Mapping[str, str]) -> dict[str, str]:
    """These templates without those equal to the reader's own."""
    own = {prompt.id: prompt.template for prompt in reader.prompts}
    return {prompt_id: template for prompt_id, template in templates.items() if own.get(prompt_id) != template}


class _StopCheck:
    """Whether to stop: the caller says so, or somebody has asked to cancel, checked at most four times a second."""

    def __init__(self, cancel_asked: Callable[[], bool], stopped: Callable[[], bool]) -> None:
        self._cancel_asked = cancel_asked
        self._stopped = stopped
        self._next = time.monotonic() + _CANCEL_CHECK_SECONDS

    def __call__(self) -> bool:
        if self._stopped():
            return True
        if time.monotonic() < self._next:
            return False
        self._next = time.monotonic() + _CANCEL_CHECK_SECONDS
        return self._cancel_asked()
