"""The arguments of each command, and the function that does it: the module of a command is imported when it is chosen."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from readers import READERS
from readers.cli.arguments import (
    above_zero,
    cap_arguments,
    per_reader_arguments,
    positive,
    profile_argument,
    sampling_arguments,
    timeout_argument,
    working_arguments,
)
from readers.engine import ingest
from readers.engine.models.profiles import DEFAULT_CONCURRENCY


def _runs(sub: argparse.ArgumentParser) -> None:
    from readers.cli import show

    sub.set_defaults(command=show.list_runs)
    sub.add_argument("--json", action="store_true", help="as JSON")


def _search(sub: argparse.ArgumentParser) -> None:
    from readers.cli import show

    sub.set_defaults(command=show.search)
    sub.add_argument("words", nargs="+", metavar="WORDS", help="words that stand close together; several in one argument "
                     "are a phrase")  # fmt: skip
    sub.add_argument("--limit", type=positive, default=20, metavar="N", help="readings to list, 20 if not given")
    sub.add_argument("--json", action="store_true", help="as JSON, with every passage")


def _show(sub: argparse.ArgumentParser) -> None:
    from readers.cli import show

    sub.set_defaults(command=show.show)
    sub.add_argument("run", help="the id of a reading, or a run file")


def _import(sub: argparse.ArgumentParser) -> None:
    from readers.cli import import_files

    sub.set_defaults(command=import_files.import_files)
    sub.add_argument("files", nargs="+", metavar="FILE", type=Path,
                     help="run files; a published site's folder, or a zip of it; or what "
                     "others recorded: OTLP JSON, Inspect's .eval, JSON lines, graphs")  # fmt: skip
    sub.add_argument("--text", type=Path, metavar="FILE", help="the text, where others recorded the reading; else it is found as "
                     "the longest part that prompts share")  # fmt: skip
    sub.add_argument("--question", default="", help="what was asked, where others recorded the reading and it is not in the file")


def _resume(sub: argparse.ArgumentParser) -> None:
    from readers.cli import read

    sub.set_defaults(command=read.resume)
    sub.add_argument("run")
    sub.add_argument("--api-base", metavar="URL", help="the server that a reading from a run file may use")
    sub.add_argument("--concurrency", type=positive, default=DEFAULT_CONCURRENCY, metavar="N")
    timeout_argument(sub)
    sub.add_argument("--json", metavar="OUT", type=Path, help="write the run file to this file")


def _publish(sub: argparse.ArgumentParser) -> None:
    from readers.cli import publish

    sub.set_defaults(command=publish.publish)
    sub.add_argument(
        "what",
        metavar="WHAT",
        nargs="*",
        help="the id of a batch, the id or name of a project, or ids of readings; if none is named, the recordings and lessons "
        "that come with Palimpsest",
    )
    sub.add_argument("-o", "--out", metavar="FOLDER", type=Path, required=True, help="new or empty")
    sub.add_argument("--title", metavar="WORDS", default="", help="what the site is called; otherwise as the batch or project")
    sub.add_argument("--lessons", action="store_true", help="with the lessons of Learn and their recordings; if nothing "
                     "is named, they are there in any case")  # fmt: skip
    sub.add_argument(
        "--names", action="store_true", help="name the people of a project, who are letters otherwise, and add its file"
    )
    sub.add_argument(
        "--author", metavar="NAME", action="append", default=[], help="to be cited as its author; several times for several"
    )
    sub.add_argument("--no-text", action="store_true", help="leave out of the texts all but the passages that are cited, "
                     "and the run files")  # fmt: skip
    sub.add_argument("--url", metavar="ADDRESS", default="", help="where the site will be: each reading then has a card, "
                     "which is shown where a link to it is shared")  # fmt: skip
    sub.add_argument("--checked", action="store_true", help="publish also what looks like a key, an address or a folder, "
                     "after you looked at the list")  # fmt: skip


def _readers(sub: argparse.ArgumentParser) -> None:
    from readers.cli import inventory

    sub.set_defaults(command=inventory.list_readers)


def _new(sub: argparse.ArgumentParser) -> None:
    from readers.cli import inventory

    sub.set_defaults(command=inventory.new_reader)
    sub.add_argument("name", metavar="NAME", help="its id: a word in lower-case letters, digits and _")
    sub.add_argument(
        "folder", metavar="FOLDER", nargs="?", type=Path, help="the folder to write to; PALIMPSEST_HOME/readers if not given"
    )


def _doctor(sub: argparse.ArgumentParser) -> None:
    from readers.cli import inventory

    sub.set_defaults(command=inventory.doctor)


def _models(sub: argparse.ArgumentParser) -> None:
    from readers.cli import inventory

    sub.set_defaults(command=inventory.list_models)
    sub.add_argument("--test", metavar="ID", help="try each form of a reader once with this model: read, misread or slow")
    sub.add_argument("--reader", metavar="READER", help="the reader whose forms are tried; the first if not given")
    sub.add_argument("--api-base", metavar="URL", help="the server of the model to test")
    sub.add_argument(
        "--reply-form", choices=("auto", "words", "schema"), default="auto", help="how replies in a form are asked for"
    )


def _export(sub: argparse.ArgumentParser) -> None:
    from readers.cli import export

    sub.set_defaults(command=export.export)
    sub.add_argument(
        "run", nargs="+", help="the id of a reading, of several for a replay; for training and Inspect also of a batch"
    )
    sub.add_argument("--format", choices=export.FORMATS, default=export.FORMATS[0],
                     help="json: a run file; html: a replay, a page that shows the readings step by step without Palimpsest; for "
                     "training, as JSON lines with rewards and advantages: a line for each prompt and reply (training), or for "
                     "each reading (trajectories); eval: a log of Inspect")  # fmt: skip
    sub.add_argument("-o", "--out", metavar="OUT", type=Path, help="the file to write; standard output if not given")


def _follow(sub: argparse.ArgumentParser) -> None:
    from readers.cli import follow
    from readers.cli.follow_mend import REPEATS
    from readers.engine.forks.stands_on import USUAL_BUDGET

    sub.set_defaults(command=follow.follow_facts)
    sub.add_argument("run")
    what = sub.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--span", nargs=2, type=int, metavar=("START", "END"), help="the characters of the text that state the fact"
    )
    what.add_argument("--answer", action="store_true", help="for each sentence of the answer, the nearest sentence of the text")
    what.add_argument("--evidence", action="store_true", help="where the text answers the question, as its question set says")
    what.add_argument("--planted", action="store_true", help="the sentence that was planted in the text")
    sub.add_argument("--embedding", metavar="MODEL", help="with --answer: also use this model's embeddings to find what is "
    "nearest; every sentence of the text is sent to it once")  # fmt: skip
    sub.add_argument("--try", dest="tried", action="store_true",
                     help="with --answer: leave sentences out of the call that answered, to see what changes it")  # fmt: skip
    sub.add_argument("--budget", type=positive, metavar="N", help=f"with --try: the most calls, {USUAL_BUDGET} if not given")
    sub.add_argument("--samples", type=positive, metavar="N", help="with --try: how often the unchanged prompt is asked")
    sub.add_argument(
        "--temperature", type=float, metavar="T", help="with --try or --mend: from 0 to 2; the reading's own if not given"
    )
    sub.add_argument("--mend", action="store_true", help="changes that might keep the fact, with their prices")
    sub.add_argument("--repeats", type=positive, metavar="N", help=f"with --mend: readings of each kind, {REPEATS} if not given")
    sub.add_argument(
        "--run", dest="try_mend", action="store_true", help="with --mend: try the first offer, and count its answers"
    )
    sub.add_argument("--offer", type=positive, metavar="K", help="with --run: try this offer instead")
    sub.add_argument("--judge", metavar="MODEL", help="also ask a model whether each text still states the fact; one call each")
    sub.add_argument(
        "--api-base",
        metavar="URL",
        help="with --judge or --embedding its server; with --try the one a run file's reading may ask",
    )
    sub.add_argument("--concurrency", type=positive, default=DEFAULT_CONCURRENCY, metavar="N")
    timeout_argument(sub)
    sub.add_argument("--json", action="store_true", help="as JSON")


def _fork(sub: argparse.ArgumentParser) -> None:
    from readers.cli import read

    sub.set_defaults(command=read.fork_reading)
    sub.add_argument("run", help="the reading to continue from; it stays unchanged")
    at = sub.add_mutually_exclusive_group(required=True)
    at.add_argument(
        "--at", type=int, metavar="SEQ", help="the number of a call as `export` gives it: from 0, one less than the page"
    )
    at.add_argument(
        "--wrote", nargs=2, metavar=("EVENT", "FILE"), help="replace the text that the reader wrote at this event by this file"
    )
    what = sub.add_mutually_exclusive_group()
    what.add_argument("--reply", metavar="FILE", type=Path, help="replace the call's reply by this file")
    what.add_argument("--prompt", metavar="FILE", type=Path, help="replace the call's prompt by this file")
    what.add_argument("--leave-out", nargs=2, type=int, metavar=("START", "END"), help="leave these characters of the text out "
    "of every prompt from this call on")  # fmt: skip
    sub.add_argument(
        "--model", metavar="ID", help="let another model answer from this call on; together with a change, from the next call on"
    )
    profile_argument(sub)
    sub.add_argument("--attempt", type=int, default=0, metavar="N", help="with --reply: which of the call's replies, from 0")
    sub.add_argument("--api-base", metavar="URL", help="the base URL of a server of your own")
    sub.add_argument("--name", metavar="TEXT", help="the name of the fork")
    timeout_argument(sub)
    sub.add_argument("--concurrency", type=positive, default=DEFAULT_CONCURRENCY, metavar="N")
    sub.add_argument("--json", metavar="OUT", type=Path, help="write the run file to this file")


def _prompts(sub: argparse.ArgumentParser) -> None:
    from readers.cli import settings

    sub.set_defaults(command=settings.prompts)
    sub.add_argument("reader", help=", ".join(reader.id for reader in READERS))
    what = sub.add_mutually_exclusive_group()
    what.add_argument("--save", nargs=2, metavar=("NAME", "FILE"), help="save a prompt set's file for read --prompts NAME")
    what.add_argument("--from-code", metavar="FILE", type=Path, help="print the prompt set contained in a published loop's code")
    what.add_argument("--list", action="store_true", help="list the saved sets, each with its prompts")
    what.add_argument("--delete", metavar="NAME", help="delete a saved set")


def _read(sub: argparse.ArgumentParser) -> None:
    from readers.cli import read

    sub.set_defaults(command=read.read)
    sub.add_argument("file", metavar="FILE", help=ingest.IN_WORDS)
    sub.add_argument("--question", required=True)
    sub.add_argument("--reader", action="append", default=[], help=_several())
    sub.add_argument("--choice", action="append", default=[], metavar="TEXT", help="a possible answer; give two or more")
    per_reader_arguments(sub)
    sub.add_argument("--json", metavar="OUT", type=Path, help="write the run file to this file; with one reader only")
    sub.add_argument("--estimate", action="store_true", help="only print what it would take")
    sub.add_argument("--model", metavar="ID", help="a model id of litellm, or offline/extractive")
    profile_argument(sub)
    sub.add_argument("--api-base", metavar="URL", help="the base URL of a server of your own")
    sampling_arguments(sub)
    timeout_argument(sub)
    sub.add_argument("--concurrency", type=positive, default=DEFAULT_CONCURRENCY, metavar="N", help="calls at once")
    cap_arguments(sub)
    sub.add_argument("--no-cache", action="store_true", help="do not reuse replies from earlier readings of the same text")


def _profiles(sub: argparse.ArgumentParser) -> None:
    from readers.cli import profiles

    sub.set_defaults(command=profiles.list_profiles)
    sub.add_argument("--json", action="store_true", help="as JSON")
    acts = sub.add_subparsers(metavar="ACT")
    adder = acts.add_parser("add", help="save a model with its terms under a name; its key is never saved")
    adder.set_defaults(command=profiles.add_profile)
    adder.add_argument("name")
    adder.add_argument("--model", required=True, metavar="ID", help="a model id of litellm, or local/NAME")
    adder.add_argument("--api-base", metavar="URL", help="the base URL of a server of your own")
    adder.add_argument("--replace", action="store_true", help="in place of the profile of this name")
    sampling_arguments(adder)
    timeout_argument(adder)
    adder.add_argument("--price-in", type=float, metavar="USD", help="the price of a million tokens sent; with --price-out")
    adder.add_argument("--price-out", type=float, metavar="USD", help="the price of a million tokens received")
    adder.add_argument("--concurrency", type=positive, metavar="N", help="calls of a reading at once")
    cap_arguments(adder)
    adder.add_argument("--max-tokens", type=positive, metavar="N", help="stop a reading when this many tokens are used")
    adder.add_argument("--calls-per-minute", type=float, metavar="N", help="the most live calls a minute")
    deleter = acts.add_parser("remove", help="delete a profile; readings keep what it held")
    deleter.set_defaults(command=profiles.delete_profile)
    deleter.add_argument("name")
    for act in (adder, deleter):
        act.add_argument("--json", action="store_true", help="as JSON")


def _project(sub: argparse.ArgumentParser) -> None:
    from readers.cli import project

    project.add_arguments(sub)


def _questions(sub: argparse.ArgumentParser) -> None:
    from readers.cli import question_sets

    question_sets.add_arguments(sub)


def _serve(sub: argparse.ArgumentParser) -> None:
    from readers.cli.serve import command as serve

    sub.set_defaults(command=serve.serve)
    sub.add_argument(
        "--port", type=int, default=serve.USUAL_PORT, metavar="N", help=f"{serve.USUAL_PORT} if not given; 0 for a free one"
    )
    sub.add_argument(
        "--key", help=f"what clients must send; else {serve.KEY_VARIABLE} of the environment, else one is made and printed"
    )
    sub.add_argument("--reader", action="append", default=[], help="a reader that clients may use; all readers if none is given")
    sub.add_argument("--model", action="append", default=[], metavar="ID",
                     help="the model for requests that name none; further ones are also listed")  # fmt: skip
    profile_argument(sub)
    sub.add_argument("--template", metavar="FILE", type=Path,
                     help="the layout of the messages: text with {document} and {question} in it, perhaps {choices}")  # fmt: skip
    per_reader_arguments(sub)
    sub.add_argument("--api-base", metavar="URL", help="the server of the models given here")
    sampling_arguments(sub)
    timeout_argument(sub)
    sub.add_argument("--concurrency", type=positive, default=DEFAULT_CONCURRENCY, metavar="N", help="calls of a reading at once")
    sub.add_argument("--at-once", type=positive, metavar="N", help="readings at once")
    cap_arguments(sub)
    sub.add_argument("--no-cache", action="store_true", help="do not reuse replies from earlier readings of the same text")


def _watch(sub: Any) -> None:
    from readers.cli.watch import command as watch

    sub.set_defaults(command=watch.watch)
    sub.add_argument("file", metavar="TEXT", nargs="?", help="the text that the program reads")
    sub.add_argument("--question", help="what it is asked")
    sub.add_argument("--questions", metavar="SET", help="in place of both: a question set, by its id or name; the command has "
                     "{text} and {question} in it, and is watched once for each question")  # fmt: skip
    sub.add_argument("--limit", type=positive, metavar="N", help="with --questions: only the first N")
    sub.add_argument("--choice", action="append", default=[], metavar="TEXT", help="an answer to choose from; give each")
    sub.add_argument("--to", default=watch.USUAL, metavar="URL|MODEL",
                     help=f"the server that its calls go on to, such as https://api.example.com/v1, or a model; "
                     f"{watch.USUAL} if not given")  # fmt: skip
    sub.add_argument("--answer", default="last", metavar="WHERE",
                     help="where its answer is: last (reply), stdout, a file, or a pattern with a group such as 'Answer: (.*)'; "
                     "last if not given")  # fmt: skip
    sub.add_argument(
        "--port", type=int, default=0, metavar="N", help="the port of this machine to listen on; a free one if not given"
    )
    sub.add_argument("--minutes", type=above_zero, metavar="M", help="end the program after this time")
    sub.after_dashes = "command_line"
    sub.usage = f"{sub.prog} (TEXT --question QUESTION | --questions SET) [--to URL|MODEL] [options] [-- COMMAND ...]"
    sub.epilog = "After -- is the program. Without one, whoever calls is recorded until Ctrl+C."


def _batches(sub: argparse.ArgumentParser) -> None:
    from readers.cli import batches

    sub.set_defaults(command=batches.list_batches)
    sub.add_argument("batch", nargs="?", help="the id of a batch")
    sub.add_argument("--fates", action="store_true", help="show what became of the evidence in its readings")
    sub.add_argument("--json", action="store_true", help="as JSON, with measures")
    sub.add_argument("--csv", action="store_true", help="the readings of a batch as CSV, with measures")


def _batch_resume(sub: argparse.ArgumentParser) -> None:
    from readers.cli import batches

    sub.set_defaults(command=batches.resume_batch)
    sub.add_argument("batches", nargs="+", metavar="batch")
    working_arguments(sub)


def _recipes(sub: argparse.ArgumentParser) -> None:
    from readers.cli import evaluate

    sub.set_defaults(command=evaluate.list_recipes)


def _batch(sub: argparse.ArgumentParser) -> None:
    from readers.cli import batches

    sub.set_defaults(command=batches.start_batch)
    sub.add_argument("sets", nargs="+", metavar="set", help="the id or name of a question set; several make a batch each")
    _reading_arguments(sub)


def _reading_arguments(sub: argparse.ArgumentParser) -> None:
    """Which readers read the questions, how, and how many at once."""
    sub.add_argument("--reader", action="append", default=[], help=_several())
    sub.add_argument("--model", action="append", default=[], metavar="ID", help="several may be given")
    profile_argument(sub)
    per_reader_arguments(sub)
    sub.add_argument("--api-base", metavar="URL", help="the base URL of a server of your own")
    sampling_arguments(sub)
    cap_arguments(sub)
    sub.add_argument("--no-cache", action="store_true", help="do not reuse replies from earlier readings of the same text")
    sub.add_argument("--no-choices", action="store_true", help="do not show the readers the choices")
    which = sub.add_mutually_exclusive_group()
    which.add_argument("--limit", type=positive, metavar="N", help="only the first N questions, which may be about few texts")
    which.add_argument(
        "--sample", type=positive, metavar="N", help="only N questions, drawn as equally from each text as possible"
    )
    sub.add_argument("--seed", type=int, default=0, metavar="S", help="with --sample: another seed draws others; 0 if not given")
    sub.add_argument(
        "--samples",
        type=positive,
        default=1,
        metavar="K",
        help="read each question this many times; above temperature 0, no reply is shared",
    )
    sub.add_argument("--name", default="", help="the name of the batch")
    sub.add_argument("--price", action="store_true", help="only print the estimate")
    working_arguments(sub)


def _evaluate(sub: argparse.ArgumentParser) -> None:
    from readers.cli import evaluate

    sub.set_defaults(command=evaluate.evaluate_command)
    sub.add_argument("what", help="a batch's id; or a question set's id or name, or its files, to read as a batch first")
    _reading_arguments(sub)
    sub.add_argument(
        "--recipe", metavar="NAME", help="a paper's readers and presets, see `recipes`; options that you give override them"
    )
    sub.add_argument("--rate", action="append", default=[], choices=evaluate.RATES,
                     help="models rate the answers: lr for LR-1 and LR-2, helmet for HELMET's judge; with --rater")  # fmt: skip
    sub.add_argument(
        "--rater", action="append", default=[], metavar="MODEL", help="a model that rates; may be given several times"
    )
    sub.add_argument("--score", action="append", default=[], metavar="NAME",
                     help="only this score, such as accuracy or f1; without it the recipe's or the benchmark's own")  # fmt: skip
    sub.add_argument("--save", action="append", default=[], type=Path, metavar="FILE",
                     help="write the table to this file; its ending sets the format: .csv, .json, .tex or .html")  # fmt: skip
    sub.add_argument("--figures", action="store_true", help="also show the methods' own figures and what became of the "
    "evidence; opens every reading")  # fmt: skip
    sub.add_argument("--post-mortem", action="store_true", help="also show whether readers found the evidence, used "
    "it, and what that took; opens every reading")  # fmt: skip


def _several() -> str:
    from readers.cli.settings import ALL

    return f"{', '.join(reader.id for reader in READERS)}; may be given several times; {ALL!r} for the methods among them"


ADDERS: Mapping[str, Callable[[argparse.ArgumentParser], None]] = {
    "read": _read,
    "runs": _runs,
    "search": _search,
    "show": _show,
    "resume": _resume,
    "follow": _follow,
    "fork": _fork,
    "export": _export,
    "publish": _publish,
    "import": _import,
    "prompts": _prompts,
    "questions": _questions,
    "batch": _batch,
    "evaluate": _evaluate,
    "recipes": _recipes,
    "batches": _batches,
    "batch-resume": _batch_resume,
    "project": _project,
    "watch": _watch,
    "serve": _serve,
    "profiles": _profiles,
    "readers": _readers,
    "new": _new,
    "models": _models,
    "doctor": _doctor,
}
