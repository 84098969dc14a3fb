"""The command line: the same engine without a browser, for scripts and batch work.

    python -m readers read FILE --question "..."     and runs, show, resume, fork, export, import, prompts, models, doctor,
    questions, batch, batches, batch-resume (`batch_cli.py`)

Exit status: 0 answered (or done), 3 ended without an answer, 2 wrong use or bad input, 1 failure. Results go to standard output,
progress and remarks to standard error.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from readers import READERS, get, offered
from readers.cli import batches
from readers.engine.analysis.measures import measures
from readers.engine.analysis.narrate import ENDINGS, narrate
from readers.engine.errors import BadFile, BadInput, BadOptions, BadRunFile, NotFound, ReadingError
from readers.engine.files.import_run import import_run
from readers.engine.files.run_file import APP_VERSION, read_run_file, run_file
from readers.engine.forks import fork
from readers.engine.ingest import from_path
from readers.engine.models import catalogue, local_server
from readers.engine.models.call import Call, Reply, ServedModel
from readers.engine.models.model import Model
from readers.engine.prompts.prompt import prompt_set
from readers.engine.record import edits
from readers.engine.record.edits import models_called
from readers.engine.record.events import Wrote
from readers.engine.run.execute import (
    DEFAULT_CONCURRENCY,
    Execution,
    RunSpec,
    changed_templates,
    check_servers,
    create_run,
    edited_prompts,
    execute,
    models_still_needed,
)
from readers.engine.run.reader import Reader
from readers.engine.store import Run, Store
from readers.engine.store.prompt_sets import PromptSet
from readers.engine.store.reading import Reading, open_reading
from readers.engine.text import refs, tokens

ANSWERED, FAILED, WRONG, UNANSWERED = 0, 1, 2, 3
EXCERPT = 300
LINGER = 10.0  # seconds that replies on their way have to get on record when a reading fails or is stopped
PACKAGES = ("streamlit", "pyvis", "plotly", "litellm", "tiktoken", "networkx", "sqlite-utils")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    arguments = parser().parse_args(argv)
    try:
        status = int(arguments.command(arguments))
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # whoever read the output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ANSWERED
    except (BadInput, NotFound) as error:
        print(f"palimpsest: {error}", file=sys.stderr)
        return WRONG
    except ReadingError as error:
        print(f"palimpsest: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("\npalimpsest: stopped; `python -m readers runs` lists the reading, `resume` goes on with it", file=sys.stderr)
        return FAILED


def parser() -> argparse.ArgumentParser:
    """Every command with its options."""
    top = argparse.ArgumentParser(prog="python -m readers", description="Watch a language model read a long text.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Any, help: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=help, description=help)
        sub.set_defaults(command=run)
        return sub

    _read_arguments(command("read", read, "Ask a question of a text."))
    command("runs", runs, "List the readings, newest first.").add_argument("--json", action="store_true", help="as JSON")
    command("show", show, "Tell a reading step by step.").add_argument("run", help="the id of a reading, or a run file")
    resume_parser = command("resume", resume, "Go on with a reading that was stopped or failed.")
    resume_parser.add_argument("run")
    resume_parser.add_argument("--api-base", metavar="URL", help="the server that a reading from a run file may ask")
    resume_parser.add_argument("--concurrency", type=_positive, default=DEFAULT_CONCURRENCY, metavar="N")
    resume_parser.add_argument("--json", metavar="OUT", type=Path, help="write the run file there")
    _fork_arguments(command("fork", fork_reading, "Change one thing in a reading and read on from there."))
    exporter = command("export", export, "Write a reading to a file.")
    exporter.add_argument("run")
    exporter.add_argument("--format", choices=["json"], default="json")
    exporter.add_argument("-o", "--out", metavar="OUT", type=Path, help="where to; standard output if not given")
    importer = command("import", take_in_files, "Take in readings from run files; prints their new ids.")
    importer.add_argument("files", nargs="+", metavar="FILE", type=Path)
    _prompts_arguments(command("prompts", prompts, "Print a reader's prompts as a prompt set, or keep sets of your own."))
    batches.add_commands(command)
    command("models", models, "Which models can be used, and which keys are set.")
    command("doctor", doctor, "Check the installation and the database.")
    return top


def _fork_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("run", help="the reading to be changed; it stays as it is")
    at = sub.add_mutually_exclusive_group(required=True)
    at.add_argument("--at", type=int, metavar="SEQ", help="the number of a call, as `export` and the page give it")
    at.add_argument("--wrote", nargs=2, metavar=("EVENT", "FILE"), help="what the reader wrote at this event reads as this file")
    what = sub.add_mutually_exclusive_group()
    what.add_argument("--reply", metavar="FILE", type=Path, help="the call got this reply")
    what.add_argument("--prompt", metavar="FILE", type=Path, help="the call was sent this")
    what.add_argument("--model", metavar="ID", help="from this call on another model answers")
    what.add_argument("--leave-out", nargs=2, type=int, metavar=("START", "END"), help="from this call on no prompt shows these "
                      "characters of the text")  # fmt: skip
    sub.add_argument("--attempt", type=int, default=0, metavar="N", help="with --reply: which of the call's replies, from 0")
    sub.add_argument("--api-base", metavar="URL", help="the base URL of a server of your own")
    sub.add_argument("--name", metavar="TEXT", help="what to call the fork")
    sub.add_argument("--concurrency", type=_positive, default=DEFAULT_CONCURRENCY, metavar="N")
    sub.add_argument("--json", metavar="OUT", type=Path, help="write the run file there")


def _prompts_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("reader", help=", ".join(reader.id for reader in READERS))
    what = sub.add_mutually_exclusive_group()
    what.add_argument("--save", nargs=2, metavar=("NAME", "FILE"), help="save a prompt set's file for read --prompts NAME")
    what.add_argument("--list", action="store_true", help="the saved sets by name, each with the prompts it words")
    what.add_argument("--delete", metavar="NAME", help="delete a saved set")


def _read_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("file", metavar="FILE", help="txt, md, html, pdf, epub or docx")
    sub.add_argument("--question", required=True)
    sub.add_argument("--reader", default=READERS[0].id, help=", ".join(reader.id for reader in READERS))
    sub.add_argument("--choice", action="append", default=[], metavar="TEXT", help="a possible answer; give two or more")
    sub.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="an option of the reader")
    sub.add_argument(
        "--prompts", metavar="SET", help="a prompt set: JSON with templates by prompt id, a file or a saved set of this reader"
    )
    sub.add_argument("--json", metavar="OUT", type=Path, help="write the run file there")
    sub.add_argument(
        "--model", metavar="ID", default=catalogue.default_model(), help="a model id of litellm, or offline/extractive"
    )
    sub.add_argument("--api-base", metavar="URL", help="the base URL of a server of your own")
    sub.add_argument("--window", type=_positive, metavar="N", help="the tokens that go into the model with its reply")
    sub.add_argument("--temperature", type=float, default=0.0, metavar="T")
    sub.add_argument("--concurrency", type=_positive, default=DEFAULT_CONCURRENCY, metavar="N", help="calls at once")
    sub.add_argument("--max-calls", type=_positive, metavar="N", help="stop before more live calls than this")
    sub.add_argument("--max-cost", type=float, metavar="USD", help="stop when this much is spent")
    sub.add_argument("--no-cache", action="store_true", help="ask again what earlier readings of the same text have asked")


def read(arguments: argparse.Namespace) -> int:
    _check_out(arguments.json)
    reader = get(arguments.reader)
    model = catalogue.open_model(arguments.model)
    spec = RunSpec(
        reader=reader.id,
        version=reader.version,
        question=arguments.question,
        choices=tuple(arguments.choice),
        options=dict(_pair(setting) for setting in arguments.set),
        model=arguments.model,
        api_base=arguments.api_base,
        temperature=arguments.temperature,
        window=arguments.window or catalogue.window_for(arguments.model),
        caps={"max_calls": arguments.max_calls, "max_cost": arguments.max_cost},
        prompts=_prompt_set(reader, arguments.prompts) if arguments.prompts is not None else {},
        reuse=not arguments.no_cache,
    )
    taken = from_path(arguments.file)
    for note in taken.notes:
        print(f"note: {note}", file=sys.stderr)
    with Store() as store:
        run = create_run(store, taken.document, reader, spec)
        return _execute(store, run, model, arguments)


def resume(arguments: argparse.Namespace) -> int:
    _check_out(arguments.json)
    with Store() as store:
        run = store.run(arguments.run)
        return _execute(store, run, _opened(run, models_still_needed(store, run), arguments.api_base), arguments)


def _opened(run: Run, models: Sequence[ServedModel], api_base: str | None) -> Model:
    """What answers a reading that is on record. Raises BadOptions where a file names a server that was not named here."""
    check_servers(run, models, api_base)
    return catalogue.open_models(models)


def fork_reading(arguments: argparse.Namespace) -> int:
    _check_out(arguments.json)
    with Store() as store:
        reading = open_reading(store, arguments.run)
        reader = get(reading.run.reader)
        edit = _edit(reading, arguments)
        terms = fork.ForkTerms(name=arguments.name)
        prepared = fork.prepare(store, reading, reader, edit, terms=terms)
        model = _opened(reading.run, prepared.models, arguments.api_base)
        run = fork.add(store, reading, reader, prepared)
        taken = run.fork_at or 0
        over = "no call is" if not taken else "call 0 is" if taken == 1 else f"calls 0 to {taken - 1} are"
        print(f"Fork {run.id} of {reading.run.id}: {over} taken over.", file=sys.stderr)
        return _execute(store, run, model, arguments)


def _edit(reading: Reading, arguments: argparse.Namespace) -> edits.Edit:
    """The change that the command line tells of."""
    if arguments.wrote:
        number, file = arguments.wrote
        event = reading.trace.events[int(number)] if number.isdecimal() and int(number) < len(reading.trace.events) else None
        if not isinstance(event, Wrote):
            raise BadOptions(
                f"nothing was written at event {number}; `export` numbers the events from 0, take one of the kind wrote"
            )
        return edits.WrittenEdit(event.n, event.role, event.text, _words(Path(file)))
    seq = arguments.at
    if arguments.reply:
        return edits.ReplyEdit(seq, arguments.attempt, _words(arguments.reply))
    if arguments.prompt:
        return edits.PromptEdit(seq, ({"role": "user", "content": _words(arguments.prompt)},))
    if arguments.leave_out:
        return edits.LeaveOutEdit(seq, *arguments.leave_out)
    if arguments.model:
        spec = RunSpec.from_json(reading.run.spec)
        window = catalogue.window_for(arguments.model)
        return edits.ModelEdit(seq, arguments.model, arguments.api_base, spec.temperature, spec.top_p, window)
    raise BadOptions("--at SEQ takes one of --reply, --prompt, --model and --leave-out: what is to be changed there")


def _words(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").removesuffix("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"the file {str(path)!r} cannot be read as text: {error}") from None


def _execute(store: Store, run: Run, model: Model, arguments: argparse.Namespace) -> int:
    """Do a reading, and print what came of it."""
    counted = Progress(model) if sys.stderr.isatty() else model
    done = execute(store, run.id, get(run.reader), Execution(counted, concurrency=arguments.concurrency, linger=LINGER))
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    if done.status != "finished":
        print(f"palimpsest: reading {done.id} {done.status}: {done.error or 'it was stopped'}", file=sys.stderr)
        print(f"What is recorded is kept; `python -m readers resume {done.id}` goes on from there.", file=sys.stderr)
        return FAILED
    if arguments.json:
        _write(arguments.json, run_file(store, done.id, get(done.reader)))
    _print_result(open_reading(store, done.id))
    return ANSWERED if done.outcome == "answered" else UNANSWERED


def _print_result(reading: Reading) -> None:
    run = reading.run
    if run.outcome == "answered":
        print(f"Answer: {run.answer}")
        print("Evidence:" if run.evidence else "Evidence: none stood in the answering call.")
        called = get(run.reader).names(reading.trace)
        for start, end in run.evidence:
            words = " ".join(reading.document.text[start:end].split())
            where = called.get(refs.place(start, end), "the text")
            print(f"  {where}, characters {start} to {end}: “{words[:EXCERPT]}{'…' if len(words) > EXCERPT else ''}”")
    else:
        print(f"No answer. {ENDINGS[run.outcome or 'no_answer']}: {run.error}.")
    print(f"Reading: {run.id}   (step by step: python -m readers show {run.id})")


def runs(arguments: argparse.Namespace) -> int:
    with Store() as store:
        rows = [_row(run) for run in store.runs()]
    if arguments.json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
    elif not rows:
        print('No readings yet. Begin with: python -m readers read FILE --question "..."')
    for row in [] if arguments.json else rows:
        ended = row["status"] if row["status"] != "finished" else row["outcome"]
        print(f"{row['id']}  {row['created'][:16].replace('T', ' ')}  {row['reader']:<10} {ended:<12} {row['question'][:80]}")
    return ANSWERED


def _row(run: Run) -> dict[str, Any]:
    keys = ("id", "status", "outcome", "reader", "question", "document", "parent", "created")
    return {key: getattr(run, key) for key in keys}


def show(arguments: argparse.Namespace) -> int:
    reading = _open(arguments.run)
    run, document, trace, records = reading
    model = ", then ".join(map(catalogue.title, models_called(run.spec)))
    reader = get(run.reader)
    print(f"{run.question}\n{reader.title} · {model} · {document.title} · {run.status}\n")
    sentences = narrate(trace, reader)
    for step, sentence in zip(trace.steps, sentences, strict=True):
        print(f"{step.number + 1:>4}  {' › '.join(step.names):<22} {sentence}")
    print()
    if run.status == "finished":
        _print_result(reading)
    elif run.error:
        print(f"Stopped: {run.error}")
    figures = measures(reader, trace, records, seconds=run.seconds)
    print(
        f"{figures['calls_live']} calls, {figures['calls_reused']} reused · {figures['read_fraction']:.0%} of the text read raw"
    )
    return ANSWERED


def _open(name: str) -> Reading:
    """A reading by its id, or from a run file."""
    if name.endswith(".json"):
        return read_run_file(Path(name))
    with Store() as store:
        return open_reading(store, name)


def export(arguments: argparse.Namespace) -> int:
    _check_out(arguments.out)
    with Store() as store:
        run = store.run(arguments.run)
        data = run_file(store, run.id, get(run.reader))
    if arguments.out:
        _write(arguments.out, data)
    else:
        print(json.dumps(data, ensure_ascii=False, indent=1))
    return ANSWERED


def take_in_files(arguments: argparse.Namespace) -> int:
    """Each by itself: a bad one is told, and keeps no other out."""
    status = ANSWERED
    for file in arguments.files:
        try:
            with Store() as store:
                print(import_run(store, file, str(file), readers=offered).id)
        except BadRunFile as error:
            print(f"palimpsest: {error}", file=sys.stderr)
            status = WRONG
    return status


def prompts(arguments: argparse.Namespace) -> int:
    reader = get(arguments.reader)
    if arguments.save:
        name, file = arguments.save
        templates = _prompt_file(Path(file))
        edited_prompts(reader, templates)
        with Store() as store:
            kept = store.prompt_sets.save(reader.id, name, templates)
        print(f"Saved. Read with it: python -m readers read FILE --reader {reader.id} --prompts {shlex.quote(kept.name)} ...")
    elif arguments.list:
        for kept in _saved(reader):
            print(f"{kept.name}: {', '.join(kept.templates) or 'no prompt'}")
    elif arguments.delete is not None:
        with Store() as store:
            store.prompt_sets.delete(reader.id, arguments.delete)
        print(f"Deleted {arguments.delete!r}.")
    else:
        words = {prompt.id: prompt.template for prompt in reader.prompts}
        print(json.dumps(words, ensure_ascii=False, indent=1))
    return ANSWERED


def models(arguments: argparse.Namespace) -> int:
    print(f"{catalogue.OFFLINE:<46} {catalogue.OFFLINE_TITLE}; always there")
    print(
        f"{catalogue.LOCAL:<46} {local_server.TITLE}; {'fetched' if local_server.is_installed() else local_server.INSTALL_HINT}"
    )
    print(f"{catalogue.HUMAN:<46} yourself; in the app alone, where each prompt is put to you")
    keys = catalogue.configured_keys()
    for variable, example in catalogue.PROVIDERS.values():
        print(f"{example:<46} {variable} is {'set' if keys[variable] else 'not set'}")
    print(f"{'ollama/<name>, openai/<name> --api-base URL':<46} a server of your own; a key only if it asks for one")
    print(f"\nTaken when none is named: {catalogue.default_model()}. Any other model id of litellm can be used as well.")
    return ANSWERED


def doctor(arguments: argparse.Namespace) -> int:
    print(f"Palimpsest {APP_VERSION} · Python {sys.version.split()[0]}")
    for package in PACKAGES:
        print(f"  {package:<14} {version(package)}")
    print(f"Token tables: {tokens.ENCODING}, {tokens.count('offline')} token counted without a network")
    for variable, there in catalogue.configured_keys().items():
        print(f"  {variable:<20} {'set' if there else 'not set'}")
    with Store() as store:
        state = store.check()
        print(f"Database: {store.path}")
        print(f"  schema {store.schema()[-1]} · {len(store.runs())} readings, {len(store.documents())} documents")
        print(f"  {'sound' if state == 'ok' else 'DAMAGED: ' + state}")
    return ANSWERED if state == "ok" else FAILED


@dataclass
class Progress:
    """Counts the replies on a terminal's standard error."""

    model: Model
    calls: list[str] = field(default_factory=list)

    def complete(self, call: Call) -> Reply:
        reply = self.model.complete(call)
        self.calls.append(call.prompt.id)
        print(f"\r\033[K{len(self.calls)} replies · {call.prompt.id}", end="", file=sys.stderr, flush=True)
        return reply


def _pair(setting: str) -> tuple[str, str]:
    name, equals, value = setting.partition("=")
    if not equals:
        raise BadOptions(f"--set takes NAME=VALUE, not {setting!r}")
    return name.strip(), value.strip()


def _positive(word: str) -> int:
    number = int(word)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{word} is not 1 or more")
    return number


def _prompt_set(reader: Reader, named: str) -> dict[str, str]:
    """The templates of a prompt set: of a file, or else of the saved set of this name."""
    if os.path.exists(named):  # which takes any words for a name, as Path.exists does not
        return changed_templates(reader, _prompt_file(Path(named)))
    saved = {kept.name: kept.templates for kept in _saved(reader)}
    if named not in saved:
        known = f"saved are {', '.join(map(repr, saved))}" if saved else "none is saved"
        raise NotFound(f"there is no file {named!r}, and no saved prompt set of {reader.title} by this name; {known}")
    return changed_templates(reader, saved[named])


def _prompt_file(path: Path) -> dict[str, str]:
    try:
        return prompt_set(path.read_bytes(), path.name)
    except OSError as error:
        raise BadFile(f"the prompt set {str(path)!r} cannot be read: {error.strerror}") from None


def _saved(reader: Reader) -> list[PromptSet]:
    with Store() as store:
        return store.prompt_sets.of_reader(reader.id)


def _check_out(path: Path | None) -> None:
    """Better now than after the reading."""
    if path and (path.is_dir() or not path.parent.is_dir()):
        raise BadOptions(f"{str(path)!r} cannot be written: its folder must exist, and it must not be one itself")


def _write(path: Path, data: dict[str, Any]) -> None:
    try:
        path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadOptions(f"{str(path)!r} cannot be written: {error.strerror}") from None
