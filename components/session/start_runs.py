"""Setting readings going, and asking how they stand. The reading itself runs in `Jobs`, and knows nothing of the page."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from components.session import access, process_cache, state
from components.session import demo_limits as demos
from components.session.model_choice import ModelChoice
from readers import get
from readers.engine.errors import NotFound
from readers.engine.forks import fork
from readers.engine.models import catalogue
from readers.engine.models.call import ServedModel
from readers.engine.models.model import Model
from readers.engine.record.edits import Edit
from readers.engine.run import batches, human_model
from readers.engine.run.batches import BatchPlan
from readers.engine.run.execute import Execution, Reader, RunSpec, check_servers, create_run, models_still_needed
from readers.engine.store import AT_WORK, Run, Store
from readers.engine.store.reading import Reading
from readers.engine.text.document import Document

CLAIM_SECONDS = 2.0
QUICK_SECONDS = 0.6  # a reading that ends within this is shown at once, without a page that watches it


def with_choice(spec: RunSpec) -> RunSpec:
    """A reading's spec with the model this visitor has chosen, and on its terms."""
    choice = state.model_choice()
    return replace(
        spec,
        model=choice.id,
        api_base=choice.api_base,
        temperature=choice.temperature,
        top_p=choice.top_p,
        window=choice.window,
        caps=choice.caps,
        reuse=spec.reuse and not choice.human,
    )


def with_window(spec: RunSpec, question: str) -> RunSpec:
    """A spec to be tried out: with the model's window, and a question in the place of none."""
    return replace(spec, window=spec.window or process_cache.window_of(spec.model), question=spec.question or question)


def start(document: Document, reader: Reader, spec: RunSpec) -> str:
    """Set a new reading going; its id. Raises BadInput for what cannot be read or asked."""
    with access.opened() as store:
        if access.demo():
            demos.check_tokens(document.tokens)
            demos.check_readings(len(access.own_runs()))
            spec = replace(spec, caps=demos.capped(spec.caps))
        _check_models(spec.options, spec.models)
        if spec.model == catalogue.HUMAN:  # what a person replies is neither taken from other readings nor given to them
            spec = replace(spec, reuse=False)
        spec = replace(spec, window=spec.window or process_cache.window_of(spec.model))
        run = create_run(store, document, reader, spec)
        set_going(run, reader)
        _wait_while(lambda: store.run(run.id).status != "waiting" and going(store.run(run.id)), QUICK_SECONDS)
    return run.id


def set_going(run: Run, reader: Reader) -> None:
    """Let a reading that is on record begin as soon as there is room: its models as this visitor may use them."""
    how = execution(run, state.model_choice())
    process_cache.begun()[run.id] = datetime.now(UTC), 0
    process_cache.jobs().start(run.id, reader, how)


def start_fork(reading: Reading, edit: Edit, terms: fork.ForkTerms) -> str:
    """Set a fork going; its id. Raises like `fork.prepare`, and what a demo does not allow."""
    run = reading.run
    reader = get(run.reader)
    with access.opened() as store:
        check_asked(run, fork.prepare(store, reading, reader, edit, terms=terms).models)
        if access.demo():
            terms = replace(terms, caps=demos.capped(run.spec["caps"] if terms.caps is None else terms.caps))
        made = fork.fork(store, reading, reader, edit, terms=terms)
        set_going(made, reader)
        _wait_while(lambda: going(store.run(made.id)), QUICK_SECONDS)
    return made.id


def start_samples(runs: Sequence[Run]) -> None:
    """Set the samples of an experiment going, those that were broken off anew; returns at once, but for the quickest."""
    for run in runs:
        set_going(run, get(run.reader))
    with Store() as store:
        _wait_while(lambda: any(going(store.run(run.id)) for run in runs), QUICK_SECONDS)


def start_batch(set: str, plan: BatchPlan, *, numbers: Sequence[int]) -> str:
    """Set a batch of a question set going; its id. Raises like `batches.add`, and what a demo does not allow."""
    with access.opened() as store:
        every = store.question_sets.questions(set)
        access.check_batch(plan, [every[n] for n in numbers])
        if access.demo():
            plan = replace(plan, variants=tuple(replace(one, caps=demos.capped(one.caps)) for one in plan.variants))
        made = batches.add(store, set, plan, readers=get, numbers=numbers)
    _go_on(made.id)
    return made.id


def resume_batch(id: str) -> None:
    """Go on with a batch that was stopped or had failures. Raises NotFound where it is not this visitor's, and what a demo does
    not allow."""
    if not access.may_change(id):
        raise NotFound("this is a public demo: a batch can be gone on with by who began it; begin one of your own")
    with access.opened() as store:
        batch = store.batches.get(id)
        if access.demo():
            access.check_batch(BatchPlan.of(batch.plan), [])
    _go_on(batch.id)


def cancel_batch(id: str) -> None:
    """Raises NotFound where it is not this visitor's."""
    if not access.may_change(id):
        raise NotFound("this is a public demo: a batch is stopped by who began it")
    with access.opened() as store:
        batches.cancel(process_cache.jobs(), store, id)


def batch_going(id: str, progress: batches.BatchProgress) -> bool:
    """Whether a batch is worked on, here or by another process."""
    return process_cache.jobs().is_following(id) or progress.going > 0


def _go_on(id: str) -> None:
    """Work on a batch outside the page, with what this visitor may do and the key of their session."""
    choice = state.model_choice()
    how = batches.BatchExecution(get, lambda run: execution(run, choice), access.may_begin(), visitor=access.visitor())
    with access.opened() as store:
        process_cache.begun()[id] = datetime.now(UTC), batches.progress(store, id).done
    batches.start(process_cache.jobs(), id, how)


def check_asked(run: Run, models: Sequence[ServedModel], *, forks: int = 1) -> None:
    """Raises for models that a fork of a reading would ask and that cannot be opened, for servers that only a file has named, and
    in a demo for what its visitors may not do."""
    _check_models(run.spec["options"], models)
    check_servers(run, models, state.model_choice().api_base)
    if access.demo():
        demos.check_readings(len(access.own_runs()) + forks - 1)


def _check_models(options: Mapping[str, Any], models: Sequence[ServedModel]) -> None:
    for id, api_base in models:
        if access.demo():
            demos.check_model(id, api_base, options)
        if id != catalogue.HUMAN:
            catalogue.open_model(id)


def resume(run: Run) -> None:
    """Go on with a reading that was stopped or failed; returns when that shows in the database or in the queue."""
    if not access.may_change(run.id):
        raise NotFound("this is a public demo: a reading can be gone on with by who began it; begin one of your own")
    choice = state.model_choice()
    with Store() as store:
        models = models_still_needed(store, run)
    _check_models(run.spec["options"], models)
    check_servers(run, models, choice.api_base)
    how = execution(run, choice)
    process_cache.window_of(run.spec["model"])
    with Store() as store:
        process_cache.begun()[run.id] = datetime.now(UTC), store.tape(run.id).spent().calls
    process_cache.jobs().start(run.id, get(run.reader), how)
    with Store() as store:
        _wait_while(
            lambda: (
                process_cache.jobs().queue_position(run.id) is None
                and process_cache.stamp(store.run(run.id)) == process_cache.stamp(run)
            ),
            CLAIM_SECONDS,
        )


def execution(run: Run, choice: ModelChoice) -> Execution:
    """Who answers a reading, and on what terms: its models, or the person at the page, one call at a time. Raises BadOptions."""
    with Store() as store:
        models = models_still_needed(store, run)

    def opened(id: str, api_base: str | None) -> Model:
        return (
            human_model.Human(run.id)
            if id == catalogue.HUMAN
            else catalogue.open_model(id, api_key=_key_for(choice, id, api_base))
        )

    key = _key_for(choice, run.spec["model"], run.spec["api_base"])  # texts are compared where the reading itself is at home
    waits = any(id == catalogue.HUMAN for id, _ in models)
    return Execution(
        catalogue.open_models(models, open_one=opened), key, concurrency=1 if waits else choice.at_once, waits_for_person=waits
    )


def _key_for(choice: ModelChoice, model: str, api_base: str | None) -> str | None:
    """The session's key, for the model and server it was given for and no other that a reading may name."""
    return choice.api_key if (choice.id, choice.api_base) == (model, api_base) else None


def _wait_while(holds: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and holds():
        time.sleep(0.02)


def going(run: Run) -> bool:
    """Whether a reading is under way. One that is resumed waits in the queue while its record still tells the old end."""
    return run.status in AT_WORK or process_cache.jobs().queue_position(run.id) is not None


def seconds_so_far(run: Run) -> float | None:
    """How long it has been reading this time; None before it begins."""
    if run.started is None:
        return None
    began = max(datetime.fromisoformat(run.started), process_cache.begun().get(run.id, (datetime.min.replace(tzinfo=UTC), 0))[0])
    return max(0.0, (datetime.now(UTC) - began).total_seconds())
