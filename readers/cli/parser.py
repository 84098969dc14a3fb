"""The commands and their options."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from readers import READERS
from readers.cli import batches, evaluate, export, follow, inventory, profiles, project, question_sets, read, settings, show
from readers.cli.arguments import (
    cap_arguments,
    per_reader_arguments,
    positive,
    profile_argument,
    sampling_arguments,
    timeout_argument,
    working_arguments,
)
from readers.cli.follow_mend import REPEATS
from readers.cli.serve import command as serve
from readers.cli.settings import ALL
from readers.engine import ingest
from readers.engine.analysis.evaluate.evaluated import RATING_KINDS
from readers.engine.analysis.label_results import RULES
from readers.engine.forks.stands_on import USUAL_BUDGET
from readers.engine.models.profiles import DEFAULT_CONCURRENCY
from readers.engine.questions.made.needles import KINDS
from readers.engine.questions.made.planted import FACT_KINDS

_SEVERAL = f"{', '.join(reader.id for reader in READERS)}; may be given several times; {ALL!r} for the methods among them"


class Command(Protocol):
    """Adds a command: its name, the function that runs it, and a line of help."""

    def __call__(self, name: str, run: Callable[[argparse.Namespace], int], summary: str, /) -> argparse.ArgumentParser: ...


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    top = argparse.ArgumentParser(prog="python -m readers", description="Watch a language model read a long text.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], summary: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=summary, description=summary)
        sub.set_defaults(command=run, parser=sub)
        return sub

    _read_arguments(command("read", read.read, "Ask a question of a text."))
    command("runs", show.list_runs, "List the readings, newest first.").add_argument(
        "--json", action="store_true", help="as JSON"
    )
    finder = command("search", show.search, "Find words in what models were shown, wrote and replied in all readings.")
    finder.add_argument("words", nargs="+", metavar="WORDS", help="words that stand close together; several in one argument "
                        "are a phrase")  # fmt: skip
    finder.add_argument("--limit", type=positive, default=20, metavar="N", help="readings to list, 20 if not given")
    finder.add_argument("--json", action="store_true", help="as JSON, with every passage")
    command("show", show.show, "Show a reading step by step.").add_argument("run", help="the id of a reading, or a run file")
    resume_parser = command("resume", read.resume, "Resume a reading that was stopped or failed.")
    resume_parser.add_argument("run")
    resume_parser.add_argument("--api-base", metavar="URL", help="the server that a reading from a run file may use")
    resume_parser.add_argument("--concurrency", type=positive, default=DEFAULT_CONCURRENCY, metavar="N")
    timeout_argument(resume_parser)
    resume_parser.add_argument("--json", metavar="OUT", type=Path, help="write the run file to this file")
    _follow_arguments(
        command("follow", follow.follow_facts, "Follow a fact of the text: where a reading carried it, and lost it.")
    )
    _fork_arguments(command("fork", read.fork_reading, "Change one thing in a reading and continue from there."))
    _export_arguments(command("export", export.export, "Write a reading, or a batch for training or for Inspect, to a file."))
    galleries = command("gallery", export.write_gallery, "Write a folder of replays with a front page, for any web server.")
    galleries.add_argument("folder", metavar="FOLDER", type=Path, help="new or empty")
    galleries.add_argument("run", metavar="RUN", nargs="*", help="ids of readings; if none is named, the recordings that "
                           "come with Palimpsest")  # fmt: skip
    importer = command("import", show.import_files, "Import readings from run files; prints their new ids.")
    importer.add_argument("files", nargs="+", metavar="FILE", type=Path)
    _prompts_arguments(
        command("prompts", settings.prompts, "Print a reader's prompts as a prompt set, or save sets of your own.")
    )
    _batch_commands(command)
    _project_arguments(
        command("project", project.list_projects, "List the projects, their annotators' agreement and their results.")
    )
    _serve_arguments(command("serve", serve.serve, "Answer OpenAI's chat completions with readings, on this machine."))
    _profiles_arguments(command("profiles", profiles.list_profiles, "List the saved models with their terms, or save one."))
    command("readers", inventory.list_readers, "List the readers, with the origin of your own.")
    maker = command("new", inventory.new_reader, "Start a reader of your own from a template, with its test.")
    maker.add_argument("name", metavar="NAME", help="its id: a word in lower-case letters, digits and _")
    maker.add_argument(
        "folder", metavar="FOLDER", nargs="?", type=Path, help="the folder to write to; PALIMPSEST_HOME/readers if not given"
    )
    _models_arguments(command("models", inventory.list_models, "List the models that can be used, or test one with a reader."))
    command("doctor", inventory.doctor, "Check the installation and the database.")
    return top


def _models_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--test", metavar="ID", help="try each form of a reader once with this model: read, misread or slow")
    sub.add_argument("--reader", metavar="READER", help="the reader whose forms are tried; the first if not given")
    sub.add_argument("--api-base", metavar="URL", help="the server of the model to test")
    sub.add_argument(
        "--reply-form", choices=("auto", "words", "schema"), default="auto", help="how replies in a form are asked for"
    )


def _project_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--json", action="store_true", help="as JSON")
    acts = sub.add_subparsers(metavar="ACT")
    new = acts.add_parser("new", help="make a project of finished readings")
    new.set_defaults(command=project.new)
    new.add_argument("name")
    new.add_argument("--readings", nargs="+", default=[], metavar="RUN", help="ids of readings")
    new.add_argument("--batch", metavar="BATCH", help="all finished readings of a batch")
    new.add_argument(
        "--owner",
        default="",
        metavar="NAME",
        help="the owner, who sees everything until they label; if not given, everybody does",
    )
    new.add_argument("--notes-first", action="store_true", help="annotators take notes before they see the codebook")
    new.add_argument("--open", action="store_true", help="annotators see each other's labels at once: not blind")
    new.add_argument(
        "--share",
        type=float,
        default=0.2,
        metavar="S",
        help="share of the readings that several people label: 0 to 1, 0.2 if not given",
    )
    new.add_argument("--annotators", type=positive, default=2, metavar="N", help="people for each of these, 2 if not given")
    new.add_argument("--seed", type=int, default=0, metavar="N", help="fixes each annotator's order, and who labels what")
    new.add_argument(
        "--codebook", type=Path, metavar="FILE", help="a codebook that was exported; the codes of Palimpsest if not given"
    )
    exporter = acts.add_parser("export", help="write a project with its readings, labels, codebooks and decisions to a file")
    exporter.set_defaults(command=project.export_command)
    exporter.add_argument("project", help="its id or name")
    exporter.add_argument("-o", "--out", required=True, type=Path, metavar="FILE.zip")
    importer = acts.add_parser("import", help="import such a file, or merge it with the project's copy here")
    importer.set_defaults(command=project.import_command)
    importer.add_argument("file", type=Path, metavar="FILE.zip")
    agreement = acts.add_parser("agreement", help="how far annotators agree, each figure with its interval")
    agreement.set_defaults(command=project.agreement_command)
    results = acts.add_parser(
        "results", help="what annotators found in the readings, and codes by reader, model and kind of step"
    )
    results.set_defaults(command=project.results_command)
    groups = ("reader", "model", "both", "length")
    results.add_argument("--by", choices=groups, default="reader", help="how whole readings are grouped")
    results.add_argument("--count", choices=tuple(RULES), help="which codes of a step count if annotators differ; by default "
    "the decided ones if anything was decided, otherwise any")  # fmt: skip
    for act in (new, exporter, importer, agreement, results):
        act.add_argument("--json", action="store_true", help="as JSON")
    forms = "as csv, json, tex, html, svg or pdf; several times for several"
    for act in (agreement, results):
        act.add_argument("project", help="its id or name")
        act.add_argument("--save", action="append", default=[], type=Path, metavar="FILE", help=forms)


def _export_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "run", nargs="+", help="the id of a reading, of several for a replay; for training and Inspect also of a batch"
    )
    sub.add_argument("--format", choices=export.FORMATS, default=export.FORMATS[0],
                     help="json: a run file; html: a replay, a page that shows the readings step by step without Palimpsest; for "
                     "training, as JSON lines with rewards and advantages: a line for each prompt and reply (training), or for "
                     "each reading (trajectories); eval: a log of Inspect")  # fmt: skip
    sub.add_argument("-o", "--out", metavar="OUT", type=Path, help="the file to write; standard output if not given")


def _follow_arguments(sub: argparse.ArgumentParser) -> None:
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


def _fork_arguments(sub: argparse.ArgumentParser) -> None:
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


def _prompts_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("reader", help=", ".join(reader.id for reader in READERS))
    what = sub.add_mutually_exclusive_group()
    what.add_argument("--save", nargs=2, metavar=("NAME", "FILE"), help="save a prompt set's file for read --prompts NAME")
    what.add_argument("--from-code", metavar="FILE", type=Path, help="print the prompt set contained in a published loop's code")
    what.add_argument("--list", action="store_true", help="list the saved sets, each with its prompts")
    what.add_argument("--delete", metavar="NAME", help="delete a saved set")


def _read_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("file", metavar="FILE", help=ingest.IN_WORDS)
    sub.add_argument("--question", required=True)
    sub.add_argument("--reader", action="append", default=[], help=_SEVERAL)
    sub.add_argument("--choice", action="append", default=[], metavar="TEXT", help="a possible answer; give two or more")
    per_reader_arguments(sub)
    sub.add_argument("--json", metavar="OUT", type=Path, help="write the run file to this file; with one reader only")
    sub.add_argument("--model", metavar="ID", help="a model id of litellm, or offline/extractive")
    profile_argument(sub)
    sub.add_argument("--api-base", metavar="URL", help="the base URL of a server of your own")
    sampling_arguments(sub)
    timeout_argument(sub)
    sub.add_argument("--concurrency", type=positive, default=DEFAULT_CONCURRENCY, metavar="N", help="calls at once")
    cap_arguments(sub)
    sub.add_argument("--no-cache", action="store_true", help="do not reuse replies from earlier readings of the same text")


def _profiles_arguments(sub: argparse.ArgumentParser) -> None:
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


def _serve_arguments(sub: argparse.ArgumentParser) -> None:
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


def _batch_commands(command: Command) -> None:
    _questions_arguments(command("questions", question_sets.list_sets, "List the question sets, or import one."))
    _batch_arguments(command("batch", batches.start_batch, "Let readers read all questions of a set."))
    _evaluate_arguments(
        command(
            "evaluate",
            evaluate.evaluate_command,
            "Show readers' scores on questions: those of a batch, or of a new one that is read first.",
        )
    )
    command("recipes", evaluate.list_recipes, "List papers' settings for `evaluate`, with the papers' figures.")
    lister = command("batches", batches.list_batches, "List the batches, or the readings of one.")
    lister.add_argument("batch", nargs="?", help="the id of a batch")
    lister.add_argument("--fates", action="store_true", help="show what became of the evidence in its readings")
    lister.add_argument("--json", action="store_true", help="as JSON, with measures")
    lister.add_argument("--csv", action="store_true", help="the readings of a batch as CSV, with measures")
    resumer = command("batch-resume", batches.resume_batch, "Resume a batch that was stopped, was killed, or had failures.")
    resumer.add_argument("batch")
    working_arguments(resumer)


def _questions_arguments(sub: argparse.ArgumentParser) -> None:
    acts = sub.add_subparsers(metavar="ACT")
    importer = acts.add_parser("import", help="import question files as one set; prints its id")
    importer.add_argument("files", nargs="+", type=Path, metavar="FILE", help="jsonl, csv or json, or a benchmark's own files "
    "or folder; texts may be given along with them")  # fmt: skip
    importer.add_argument("--name", default="", help="the name of the set")
    importer.add_argument("--first", type=positive, metavar="N", help="only the first N questions")
    importer.add_argument("--only", action="append", default=[], metavar="NAME=VALUE",
                          help="only the questions of a benchmark whose field has this value, such as difficult=1")  # fmt: skip
    importer.set_defaults(command=question_sets.import_set)
    _making_arguments(acts)
    deleter = acts.add_parser("delete", help="delete a set; its texts and readings stay")
    deleter.add_argument("set", help="its id or name")
    deleter.set_defaults(command=question_sets.delete_set)
    sub.add_argument("--json", action="store_true", help="as JSON")


def _making_arguments(acts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    sweep = acts.add_parser("make-sweep", help="write each question's paragraphs among others, in texts of 7K to 3.5M tokens")
    sweep.add_argument("files", nargs="+", type=Path, metavar="FILE", help="questions with marked paragraphs, such as HotpotQA's")
    sweep.add_argument(
        "--distractors", action="append", default=[], type=Path, metavar="TEXT", help="a text to take distractors from"
    )
    sweep.add_argument("--questions", type=positive, metavar="N", help="only the first N questions")
    sweep.add_argument("--repeat", action="store_true", help="reuse distractors if they run out")
    sweep.set_defaults(command=question_sets.make_sweep)
    needles = acts.add_parser(
        "make-needles", help="write texts with sentences inserted at chosen depths, and questions about them"
    )
    needles.add_argument("files", nargs="+", type=Path, metavar="TEXT", help=ingest.IN_WORDS)
    needles.add_argument(
        "--kind",
        choices=KINDS,
        default="one",
        help="one in each text, several, a scattered chain, or one that is contradicted later",
    )
    needles.add_argument(
        "--depth", action="append", default=[], type=float, metavar="PERCENT", help="0 to 100 in tens if not given"
    )
    needles.add_argument("--samples", type=positive, default=1, metavar="N", help="different needles for each depth")
    needles.set_defaults(command=question_sets.make_needles)
    planted = acts.add_parser("make-planted", help="write texts with the same fact at each depth, and its question")
    planted.add_argument("files", nargs=1, type=Path, metavar="TEXT", help=ingest.IN_WORDS)
    planted.add_argument(
        "--kind", choices=FACT_KINDS, default="one", help="once, in two sentences, contradicted later, in a table, in a footnote"
    )
    planted.add_argument("--sentence", default="", help="a fact of your own, with --question and --answer")
    planted.add_argument("--question", default="", help="the question that the sentence answers")
    planted.add_argument("--answer", default="", help="the right answer")
    planted.add_argument(
        "--depth", action="append", default=[], type=float, metavar="PERCENT", help="0, 25, 50, 75 and 100 if not given"
    )
    planted.set_defaults(command=question_sets.make_planted)
    for maker in (sweep, needles, planted):
        maker.add_argument(
            "--length", action="append", default=[], type=positive, metavar="TOKENS", help="may be given several times"
        )
        maker.add_argument("--seed", type=int, default=0, metavar="N")
        maker.add_argument("-o", "--out", type=Path, required=True, metavar="OUT", help="a file that ends in .jsonl")


def _batch_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("set", help="the id or name of a question set")
    _reading_arguments(sub)


def _reading_arguments(sub: argparse.ArgumentParser) -> None:
    """Which readers read the questions, how, and how many at once."""
    sub.add_argument("--reader", action="append", default=[], help=_SEVERAL)
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


def _evaluate_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("what", help="a batch's id; or a question set's id or name, or its files, to read as a batch first")
    _reading_arguments(sub)
    sub.add_argument(
        "--recipe", metavar="NAME", help="a paper's readers and presets, see `recipes`; options that you give override them"
    )
    sub.add_argument("--rate", action="append", default=[], choices=RATING_KINDS,
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
