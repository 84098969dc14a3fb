"""`read`, `resume` and `fork`: do a reading, and print its answer.

With several readers `read` asks each the same question, some at a time, with one estimate before and all answers at the end.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from readers import get
from readers.cli import settings
from readers.cli.output import ANSWERED, FAILED, UNANSWERED, check_writable, one_line, print_price, read_text, write_json
from readers.cli.profiles import caps
from readers.cli.progress import execute_shown, read_file, watch_runs
from readers.cli.settings import TextToRead, print_failures, print_wording_note, sampling
from readers.cli.show import known_answer, print_result
from readers.engine.errors import BadOptions
from readers.engine.files.runs.run_file import run_file
from readers.engine.forks import fork
from readers.engine.models import catalogue
from readers.engine.models.call import ServedModel
from readers.engine.models.loading import load_for
from readers.engine.models.model import Model
from readers.engine.record import edits
from readers.engine.record.events import Wrote
from readers.engine.run.estimate import estimate, price_together
from readers.engine.run.execute import (
    Execution,
    RunSpec,
    check_servers,
    check_spec,
    create_run,
    models_still_needed,
    spec_to_execute,
)
from readers.engine.run.jobs import Jobs, configured_at_once
from readers.engine.run.part_sizes import TextLength
from readers.engine.run.reader import Reader
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.text.document import Document
from readers.engine.text.notices import notices


def read(arguments: argparse.Namespace) -> int:
    """Do one reading, or with several readers one reading each, together."""
    check_writable(arguments.json)
    arguments.model = arguments.model or catalogue.default_model()
    readers = settings.named_readers(arguments.reader)
    if len(readers) > 1 and arguments.json:
        raise BadOptions("--json writes one reading; with several readers leave it out, and `export` those you want")
    model = catalogue.open_model(arguments.model, timeout=arguments.timeout)
    ingested = read_file(arguments.file)
    for note in ingested.notes:
        print(f"note: {note}", file=sys.stderr)
    for notice in notices(ingested.document.text):
        first = notice.places[0]
        print(f"note: {notice.what} First at characters {first.start:,} to {first.end:,}. {notice.why}", file=sys.stderr)
    length = TextLength.of(ingested.document)  # before the window is asked for, which may wait for litellm
    specs = _specs(readers, arguments, TextToRead(length, arguments.window or catalogue.window_for(arguments.model)))
    for spec in specs:
        print_wording_note(get(spec.reader), spec)
    print_failures(readers)
    with Store() as store:
        if arguments.estimate:
            _print_estimate(store, ingested.document, specs, arguments.concurrency)
            return ANSWERED
        if len(specs) > 1:
            return _read_together(store, ingested.document, specs, Execution(model, concurrency=arguments.concurrency))
        run = create_run(store, ingested.document, get(specs[0].reader), specs[0])
        return _execute(store, run, model, arguments)


def _specs(readers: Sequence[Reader], arguments: argparse.Namespace, text: TextToRead) -> list[RunSpec]:
    """A spec for each of these readers, of this text."""
    presets = settings.presets(readers, arguments.preset, text=text)
    options = settings.options(presets, arguments.settings)
    prompts = settings.prompt_sets(readers, arguments.prompts)
    room_factor = catalogue.room_factor_for(arguments.model)
    specs = [
        RunSpec(
            reader.id, reader.version, arguments.question, tuple(arguments.choice), options[reader.id], model=arguments.model,
            api_base=arguments.api_base, **{"reply_form": "auto", **sampling(presets[reader.id], arguments)}, window=text.window,
            reply_tokens=arguments.reply_tokens, room_factor=room_factor, caps=caps(arguments), prompts=prompts[reader.id],
            reuse=not arguments.no_cache, price=arguments.price, profile=arguments.profile,
        )
        for reader in readers
    ]  # fmt: skip
    return [replace(spec, reply_form=catalogue.reply_form_for(spec.reply_form, spec.model, spec.api_base)) for spec in specs]


def resume(arguments: argparse.Namespace) -> int:
    check_writable(arguments.json)
    with Store() as store:
        run = store.runs.get(arguments.run)
        spec_to_execute(run, get(run.reader))  # before its models are opened: they may not be here
        return _execute(store, run, _open_models(run, models_still_needed(store, run), arguments), arguments)


def _open_models(run: Run, models: Sequence[ServedModel], arguments: argparse.Namespace) -> Model:
    """Clients for the models of a stored reading, which it will call now. Raises BadOptions if its file names a server that the
    user did not name."""
    check_servers(run, models, arguments.api_base)
    load_for(served.model for served in models)
    return catalogue.open_models(models, timeout=arguments.timeout)


def fork_reading(arguments: argparse.Namespace) -> int:
    check_writable(arguments.json)
    with Store() as store:
        reading = open_reading(store, arguments.run)
        reader = get(reading.run.reader)
        edit = _edit(reading, arguments)
        taken_over = arguments.model and not isinstance(edit, edits.ModelEdit)
        also = (_model_edit(reading, fork.first_call(reading, edit), arguments),) if taken_over else ()
        terms = fork.ForkTerms(name=arguments.name, also=also)
        prepared = fork.prepare(store, reading, reader, edit, terms=terms)
        models = fork.models_needed(prepared, reading, reader)
        model = _open_models(reading.run, models, arguments)
        run = fork.add(store, reading, reader, prepared)
        inherited = run.fork_at or 0
        which = "no call is" if not inherited else "the first call is" if inherited == 1 else f"the first {inherited:,} calls are"
        free = "" if models else " The later replies are also on record: no model is called, and it costs nothing."
        print(f"Fork {run.id} of {reading.run.id}: {which} copied.{free}", file=sys.stderr)
        return _execute(store, run, model, arguments)


def _edit(reading: Reading, arguments: argparse.Namespace) -> edits.Edit:
    """The edit that the arguments describe."""
    if arguments.wrote:
        number, file = arguments.wrote
        event = reading.trace.events[int(number)] if number.isdecimal() and int(number) < len(reading.trace.events) else None
        if not isinstance(event, Wrote):
            raise BadOptions(
                f"nothing was written at event {number}; `export` numbers the events from 0, take one of the kind wrote"
            )
        return edits.WrittenEdit(event.n, event.role, event.text, read_text(Path(file)))
    seq = arguments.at
    if arguments.reply:
        return edits.ReplyEdit(seq, arguments.attempt, read_text(arguments.reply))
    if arguments.prompt:
        return edits.PromptEdit(seq, ({"role": "user", "content": read_text(arguments.prompt)},))
    if arguments.leave_out:
        return edits.LeaveOutEdit(seq, *arguments.leave_out)
    if arguments.model:
        return _model_edit(reading, seq, arguments)
    raise BadOptions("--at SEQ takes one of --reply, --prompt, --model and --leave-out: what to change there")


def _model_edit(reading: Reading, seq: int, arguments: argparse.Namespace) -> edits.ModelEdit:
    """From call `seq` on, the model that the arguments name answers."""
    model, spec = arguments.model, RunSpec.from_json(reading.run.spec)
    window, factor = arguments.window or catalogue.window_for(model), catalogue.room_factor_for(model)
    own = {"temperature": spec.temperature, "top_p": spec.top_p, "reply_form": spec.reply_form, **arguments.profile_sampling}
    form = catalogue.reply_form_for(own["reply_form"], model, arguments.api_base)
    return edits.ModelEdit(
        seq, model, arguments.api_base, own["temperature"], own["top_p"], window, arguments.reply_tokens or spec.reply_tokens,
        factor, form, arguments.price,
    )  # fmt: skip


def _execute(store: Store, run: Run, model: Model, arguments: argparse.Namespace) -> int:
    """Execute a reading and print its result; the exit status."""
    done = execute_shown(store, run, model, arguments)
    if done.status != "finished":
        print(f"palimpsest: reading {done.id} {done.status}: {done.error or 'it was stopped'}", file=sys.stderr)
        print(f"The record is kept; `python -m readers resume {done.id}` resumes it.", file=sys.stderr)
        return FAILED
    if arguments.json:
        write_json(arguments.json, run_file(store, done.id, get(done.reader), known=known_answer(store, done)))
    print_result(open_reading(store, done.id))
    return ANSWERED if done.outcome == "answered" else UNANSWERED


def _read_together(store: Store, document: Document, specs: Sequence[RunSpec], execution: Execution) -> int:
    """Read a text with each of these specs, and print each result; the exit status. Raises BadInput, before any has started."""
    _print_estimate(store, document, specs, execution.concurrency)
    ids = [create_run(store, document, get(spec.reader), spec).id for spec in specs]
    _work_together(store, ids, execution)
    return _print_results(store, [store.runs.get(run_id) for run_id in ids])


def _print_estimate(store: Store, document: Document, specs: Sequence[RunSpec], concurrency: int) -> None:
    """Print what the readings take together, to standard error, with what will make one of them fail. Raises BadInput."""
    for spec in specs:
        check_spec(get(spec.reader), spec)
    found = [estimate(document, get(spec.reader), spec, store=store, concurrency=concurrency) for spec in specs]
    print_price(price_together(found), texts=1)
    for spec, one in zip(specs, found, strict=True):
        for problem in one.problems:
            print(f"note: {get(spec.reader).title}: {problem}", file=sys.stderr)


def _work_together(store: Store, ids: Sequence[str], execution: Execution) -> None:
    """Run the readings to their ends and show how far they are; Ctrl+C cancels them."""
    jobs = Jobs(store.path, at_once=configured_at_once())
    for run_id in ids:
        jobs.start(run_id, get(store.runs.get(run_id).reader), execution)
    watch_runs(jobs, store, ids, done="readings ended")


def _print_results(store: Store, runs: Sequence[Run]) -> int:
    for run in runs:
        print(f"\n{get(run.reader).title}")
        if run.status == "finished":
            print_result(open_reading(store, run.id))
        else:
            print(f"{run.status.capitalize()}: {one_line(run.error or 'it was stopped')}")
            print(f"Reading: {run.id}   (`python -m readers resume {run.id}` resumes it)")
    print(f"\nSide by side in the app: /Compare?runs={','.join(run.id for run in runs)}")
    if any(run.status != "finished" for run in runs):
        return FAILED
    return ANSWERED if all(run.outcome == "answered" for run in runs) else UNANSWERED
