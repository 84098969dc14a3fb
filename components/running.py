"""Setting readings going, and asking how they stand. The reading itself runs in `Jobs`, and knows nothing of the page."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from components import access, shared, state
from components import demo as demos
from components.model_choice import ModelChoice
from readers import get
from readers.engine import catalogue
from readers.engine.errors import NotFound
from readers.engine.runs import Execution, Reader, RunSpec, begin
from readers.engine.store import AT_WORK, Run, Store
from readers.engine.text import Document

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
    )


def with_window(spec: RunSpec, question: str) -> RunSpec:
    """A spec to be tried out: with the model's window, and a question in the place of none."""
    return replace(spec, window=spec.window or shared.window_of(spec.model), question=spec.question or question)


def start(document: Document, reader: Reader, spec: RunSpec) -> str:
    """Set a new reading going; its id. Raises BadInput for what cannot be read or asked."""
    choice = state.model_choice()
    key = _key_for(choice, spec.model, spec.api_base)
    with access.opened() as store:
        if access.demo():
            demos.check_tokens(document.tokens)
            demos.check_model(spec.model, spec.api_base, spec.options)
            demos.check_readings(len(access.own_runs()))
            spec = replace(spec, caps=demos.capped(spec.caps))
        model = catalogue.open_model(spec.model, api_key=key)
        spec = replace(spec, window=spec.window or shared.window_of(spec.model))
        run = begin(store, document, reader, spec)
        shared.begun()[run.id] = datetime.now(UTC), 0
        shared.jobs().start(run.id, reader, Execution(model, key, width=choice.at_once))
        _wait_while(lambda: going(store.run(run.id)), QUICK_SECONDS)
    return run.id


def resume(run: Run) -> None:
    """Go on with a reading that was stopped or failed; returns when that shows in the database or in the queue."""
    choice = state.model_choice()
    key = _key_for(choice, run.spec["model"], run.spec.get("api_base"))
    if access.demo():
        if not access.may_change(run.id):
            raise NotFound("this is a public demo: a reading can be gone on with by who began it; begin one of your own")
        demos.check_model(run.spec["model"], run.spec.get("api_base"), run.spec.get("options", {}))
    model = catalogue.open_model(run.spec["model"], api_key=key)
    shared.window_of(run.spec["model"])
    with Store() as store:
        shared.begun()[run.id] = datetime.now(UTC), store.tape(run.id).spent().calls
    shared.jobs().start(run.id, get(run.reader), Execution(model, key, width=choice.at_once))
    with Store() as store:
        _wait_while(
            lambda: shared.jobs().ahead(run.id) is None and shared.stamp(store.run(run.id)) == shared.stamp(run), CLAIM_SECONDS
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
    return run.status in AT_WORK or shared.jobs().ahead(run.id) is not None


def seconds_so_far(run: Run) -> float | None:
    """How long it has been reading this time; None before it begins."""
    if run.started is None:
        return None
    began = max(datetime.fromisoformat(run.started), shared.begun().get(run.id, (datetime.min.replace(tzinfo=UTC), 0))[0])
    return max(0.0, (datetime.now(UTC) - began).total_seconds())
