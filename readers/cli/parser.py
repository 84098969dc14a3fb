"""The commands, with a line on each. A command gets its arguments when it is chosen (`command_arguments.py`), so that what one
needs is not imported for another, nor for `--help`.
"""

from __future__ import annotations

import argparse
from typing import Any

from readers.engine import APP_VERSION

COMMANDS = {
    "read": "Ask a question of a text.",
    "runs": "List the readings, newest first.",
    "search": "Find words in what models were shown, wrote and replied in all readings.",
    "show": "Show a reading step by step.",
    "resume": "Resume a reading that was stopped or failed.",
    "follow": "Follow a fact of the text: where a reading carried it, and lost it.",
    "fork": "Change one thing in a reading and continue from there.",
    "export": "Write a reading, or a batch for training or for Inspect, to a file.",
    "publish": "Write readings as a site: a folder of static files, for any web server or none.",
    "import": "Import readings from run files; prints their new ids.",
    "prompts": "Print a reader's prompts as a prompt set, or save sets of your own.",
    "questions": "List the question sets, or import one.",
    "batch": "Let readers read all questions of a set.",
    "evaluate": "Show readers' scores on questions: those of a batch, or of a new one that is read first.",
    "recipes": "List papers' settings for `evaluate`, with the papers' figures.",
    "batches": "List the batches, or the readings of one.",
    "batch-resume": "Resume a batch that was stopped, was killed, or had failures.",
    "project": "List the projects, their annotators' agreement and their results.",
    "watch": "Record how a program of yours, or anybody's, reads a text: every call that it makes to a model.",
    "serve": "Answer OpenAI's chat completions with readings, on this machine.",
    "profiles": "List the saved models with their terms, or save one.",
    "readers": "List the readers, with the origin of your own.",
    "new": "Start a reader of your own from a template, with its test.",
    "models": "List the models that can be used, or test one with a reader.",
    "doctor": "Check the installation and the database.",
}


class _CommandParser(argparse.ArgumentParser):
    """The parser of one command, or of an act of it. A command's gets its arguments when it is first asked to parse. What stands
    after `--` is the value `after_dashes`, where that is not empty: the words of another program."""

    waits = False
    after_dashes = ""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self.waits:
            from readers.cli.command_arguments import ADDERS

            self.waits = False
            self.set_defaults(parser=self)
            ADDERS[self.prog.rpartition(" ")[2]](self)
        if self.after_dashes:
            at = args.index("--") if "--" in args else len(args)
            self.set_defaults(**{self.after_dashes: args[at + 1 :]})
            args = args[:at]
        return super().parse_known_args(args, namespace)


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    top = argparse.ArgumentParser(prog="python -m readers", description="Watch a language model read a long text.")
    top.add_argument("--version", action="version", version=f"Palimpsest {APP_VERSION}")
    commands = top.add_subparsers(required=True, metavar="COMMAND", parser_class=_CommandParser)
    for name, summary in COMMANDS.items():
        commands.add_parser(name, help=summary, description=summary).waits = True
    return top
