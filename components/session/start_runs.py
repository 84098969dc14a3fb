"""Start, resume and stop readings and batches, and ask whether they are running. They run in `Jobs`, which knows no page."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from components.session import access, database, demos, process_cache, state
from components.session.model_choice import ModelChoice
from readers import get
from readers.engine.errors import BadOptions, LimitReached, NotFound
from readers.engine.forks import fork
from readers.engine.models import catalogue
from readers.engine.models.call import ServedModel
from readers.engine.models.model import Model
from readers.engine.record.edits import Edit
from readers.engine.run import batches, human_model
from readers.engine.run.batches import BatchPlan
from readers.engine.run.execute import Execution, RunSpec, check_servers, check_spec, create_run, models_still_needed
from readers.engine.run.reader import Reader
from readers.engine.store import AT_WORK, Reading, Run, Store
from readers.engine.text.document import Document
from readers.engine.work import Work

CLAIM_SECONDS = 2.0
QUICK_SECONDS = 0.6  # a reading that ends within this time is shown at once, without a page that watches it


def new_spec(
    reader: Reader,
    question: str,
    *,
    options: Mapping[str, Any],
    choices: tuple[str, ...] = (),
    prompts: Mapping[str, str] | None = None,
) -> RunSpec:
    """The spec of a new reading, with the model this visitor has chosen, on its terms. Raises BadOptions for
    options that a demo does not allow."""
    choice = state.model_choice()
    access.check_options(options)
    return RunSpec(
        reader.id,
        reader.version,
        question,
        choices,
        options,
        prompts=prompts or {},
        **{
            **choice.terms,
            "window": process_cache.window_of_choice(choice),
            "room_factor": process_cache.room_factor_of(choice.id),
            "reply_form": catalogue.reply_form_for(choice.reply_form, choice.id, choice.api_base),
        },
    )


def start(document: Document, *specs: RunSpec) -> list[str]:
    """Start a new reading of a text with each of these specs, and return their ids in that order. Starts all or none: raises
    BadInput for a text or question that cannot be used, and for anything that a demo does not allow."""
    with access.opened() as store:
        if access.demo():
            demos.check_tokens(document.tokens)
            specs = tuple(replace(spec, caps=demos.capped(spec.caps)) for spec in specs)
        for spec in specs:
            _check_models(spec.options, spec.models)
            check_spec(get(spec.reader), spec)
        with access.counted(store, len(specs)):
            runs = [create_run(store, document, get(spec.reader), spec) for spec in specs]
        ids = [run.id for run in runs]
        for run, spec in zip(runs, specs, strict=True):
            _start(run, spec.models_from(0))
        _wait_while(lambda: any(one.status != "waiting" and is_running(one) for one in map(store.runs.get, ids)), QUICK_SECONDS)
    return ids


def next_spec(run: Run, question: str) -> RunSpec:
    """The spec of another question after a reading. Raises ReadingError if such a reading cannot be started here: its model or
    key is missing, only a run file names its server, a demo does not allow it."""
    reader = get(run.reader)
    if not reader.starts:
        raise BadOptions("only the program that was watched can be asked: watch it again with another question")
    spec = RunSpec.from_json(run.spec).asking(question, version=reader.version)
    if spec.model == catalogue.HUMAN:
        raise BadOptions("with you as the model, each reading is started on the page Read")
    check_fork(run, spec.models, options=spec.options)
    catalogue.check_key(spec.model, spec.api_base, state.model_choice().key_for(spec.model, spec.api_base))
    return spec


def start_fork(reading: Reading, edit: Edit, terms: fork.ForkTerms) -> str:
    """Start a fork and return its id. Raises like `fork.prepare`, and for anything that a demo does not allow."""
    run, reader = reading.run, get(reading.run.reader)
    if access.demo():
        terms = replace(terms, caps=demos.capped(run.spec["caps"] if terms.caps is None else terms.caps))
    with access.opened() as store:
        prepared = fork.prepare(store, reading, reader, edit, terms=terms)
        models = fork.models_needed(prepared, reading, reader)
        check_fork(run, models)
        with access.counted(store):
            made = fork.add(store, reading, reader, prepared)
        _start(made, models)
        _wait_while(lambda: is_running(store.runs.get(made.id)), QUICK_SECONDS)
    return made.id


def start_samples(runs: Sequence[Run]) -> None:
    """Start the samples of an experiment, and resume those that were broken off. Returns when the quickest have ended."""
    new = [run for run in runs if run.status == "queued"]
    with access.opened() as store:
        try:
            access.count(store, len(new))
        except LimitReached:  # it was reached since these were put on record
            for run in new:
                store.runs.cancel(run.id)
                store.runs.delete(run.id)
            raise
        for run in runs:
            models = models_still_needed(store, run)
            if run.status == "queued":
                _start(run, models)
            else:
                _resume(store, run, models)
        _wait_while(lambda: any(is_running(store.runs.get(run.id)) for run in runs), QUICK_SECONDS)


def _start(run: Run, models: Sequence[ServedModel]) -> None:
    """Let a run that is queued on record begin as soon as there is room."""
    how = execution(run, models, state.model_choice())
    process_cache.last_started()[run.id] = datetime.now(UTC), 0
    process_cache.jobs().start(run.id, get(run.reader), how)


def _resume(store: Store, run: Run, models: Sequence[ServedModel]) -> None:
    """Let a run that has stopped go on as soon as there is room."""
    how = execution(run, models, state.model_choice())
    process_cache.last_started()[run.id] = datetime.now(UTC), store.runs.tape(run.id).spent().calls
    process_cache.jobs().resume(store, run.id, get(run.reader), how)


def start_batch(set_id: str, plan: BatchPlan, *, numbers: Sequence[int]) -> str:
    """Start a batch of a question set and return its id. Raises like `batches.add`, and for what a demo does not allow."""
    with access.opened() as store:
        every = store.question_sets.questions(set_id)
        access.check_batch(plan, [every[n] for n in numbers])
        if access.demo():
            plan = replace(plan, variants=tuple(replace(one, caps=demos.capped(one.caps)) for one in plan.variants))
        made = batches.add(store, set_id, plan, readers=get, numbers=numbers)
    _work_on(made.id)
    return made.id


def resume_batch(batch_id: str) -> None:
    """Resume a batch that was stopped or had failures. Raises NotFound unless it is this visitor's, and for what a demo does not
    allow."""
    if not access.may_change(batch_id):
        raise NotFound("this is a public demo: only the visitor who started this batch can resume it; start your own")
    with access.opened() as store:
        batch = store.batches.get(batch_id)
        if access.demo():
            access.check_batch(BatchPlan.of(batch.plan), [])
    _work_on(batch.id)


def cancel_batch(batch_id: str) -> None:
    """Stop a batch. Raises NotFound unless it is this visitor's."""
    if not access.may_change(batch_id):
        raise NotFound("this is a public demo: only the visitor who started this batch can stop it")
    with access.opened() as store:
        batches.cancel(process_cache.jobs(), store, batch_id)


def is_batch_running(batch_id: str, progress: Work) -> bool:
    """Whether this process or another one works on a batch."""
    return process_cache.jobs().is_following(batch_id) or (progress.going > 0 and not batch_trouble(batch_id))


def batch_trouble(batch_id: str) -> str:
    """Why the database does not let a batch go on, or made it end; empty if it does."""
    return process_cache.jobs().trouble(batch_id)


def _work_on(batch_id: str) -> None:
    """Work on a batch outside the page, with this visitor's rights and the API key of their session."""
    with access.opened() as store:
        plan = BatchPlan.of(store.batches.get(batch_id).plan)
    choice = state.model_choice()
    choice = replace(choice, at_once=plan.at_once or choice.at_once)

    def of_run(run: Run) -> Execution:  # on a thread of the batch's own
        with database.opened() as store:
            return execution(run, models_still_needed(store, run), choice, log_probs=plan.log_probs)

    how = batches.BatchExecution(get, of_run, access.start_limit(), visitor=access.visitor())
    with access.opened() as store:
        process_cache.last_started()[batch_id] = datetime.now(UTC), batches.progress(store, batch_id).done
    batches.start(process_cache.jobs(), batch_id, how)


def check_fork(run: Run, models: Sequence[ServedModel], *, forks: int = 1, options: Mapping[str, Any] | None = None) -> None:
    """Raise if a fork of a reading may not start: a model cannot be opened, only a run file names the server, or a demo does not
    allow it. `options` are the fork's, if it has its own."""
    _check_models(run.spec["options"] if options is None else options, models)
    check_servers(run, models, state.model_choice().api_base)
    access.check_readings(forks)


def _check_models(options: Mapping[str, Any], models: Sequence[ServedModel]) -> None:
    for model_id, api_base in models:
        if access.demo():
            demos.check_model(model_id, api_base, options)
        if model_id != catalogue.HUMAN:
            catalogue.open_model(model_id)


def resume(run: Run) -> None:
    """Resume a reading that was stopped or failed. Returns when the database or the queue shows it."""
    if not access.may_change(run.id):
        raise NotFound("this is a public demo: only the visitor who started this reading can resume it; start your own")
    with access.opened() as store:
        models = models_still_needed(store, run)
        _check_models(run.spec["options"], models)
        check_servers(run, models, state.model_choice().api_base)
        process_cache.window_of(run.spec["model"])
        _resume(store, run, models)
        _wait_while(
            lambda: (
                process_cache.jobs().queue_position(run.id) is None
                and process_cache.run_state(store.runs.get(run.id)) == process_cache.run_state(run)
            ),
            CLAIM_SECONDS,
        )


def execution(run: Run, models: Sequence[ServedModel], choice: ModelChoice, *, log_probs: bool = False) -> Execution:
    """How to execute a reading that may call these models. A person at the page answers one call at a time. With `log_probs`,
    servers are asked for the tokens of each reply. Raises BadOptions."""

    def opened(model_id: str, api_base: str | None) -> Model:
        if model_id == catalogue.HUMAN:
            return human_model.Human(run.id)
        key = choice.key_for(model_id, api_base)
        model = catalogue.open_model(model_id, api_key=key, timeout=choice.timeout, log_probs=log_probs)
        return demos.within_budget(model_id, model)

    key = choice.key_for(run.spec["model"], run.spec["api_base"])  # embeddings come from the server of the reading's own model
    waits = any(model_id == catalogue.HUMAN for model_id, _ in models)
    return Execution(
        catalogue.open_models(models, open_one=opened), key, concurrency=1 if waits else choice.at_once, waits_for_person=waits
    )


def _wait_while(holds: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and holds():
        time.sleep(0.02)


def is_running(run: Run) -> bool:
    """Whether a reading is queued, running or waiting. A resumed reading is in the queue while its record still shows the old
    end."""
    return run.status in AT_WORK or process_cache.jobs().queue_position(run.id) is not None


def seconds_so_far(run: Run) -> float | None:
    """For how long a reading has been running since it last started; None before it starts."""
    if run.started is None:
        return None
    first_started = datetime.fromisoformat(run.started)
    last_started, _ = process_cache.last_started().get(run.id, (first_started, 0))
    return max(0.0, (datetime.now(UTC) - max(first_started, last_started)).total_seconds())
