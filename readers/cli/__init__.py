"""The command line: the same engine without a browser, for scripts and batch work.

    python -m readers read FILE --question "..."     and runs, show, resume, fork, export, publish, import, prompts, questions,
    batch, batches, batch-resume, serve, profiles, readers, new, models, doctor

Exit status: 0 answered (or done), 3 ended without an answer, 2 wrong use or bad input, 1 failure. Results go to standard output,
progress and notes to standard error.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from readers.cli.output import DONE, FAILED, WRONG_USE, harmless_output
from readers.cli.parser import build_parser
from readers.engine.errors import BadInput, NotFound, ReadingError
from readers.engine.faults import of_file

CALLING = ("read", "batch", "evaluate", "serve", "fork")  # the commands that call the model that they name


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    with harmless_output():
        try:
            return _run(argv)
        except Exception:  # printed here, because the traceback may also quote hostile text
            traceback.print_exc()
            return FAILED


def _run(argv: Sequence[str] | None) -> int:
    try:
        calls = argv is None and _calls_a_model(sys.argv[1:])
        if calls and (named := _models_named(sys.argv[1:])):
            from readers.engine.models.loading import load_for

            load_for(named)
        parser = build_parser()
        arguments = parser.parse_args(argv)
        if getattr(arguments, "profile", ""):
            from readers.cli.profiles import with_profile

            arguments = with_profile(parser, argv, calls=calls)
        status = int(arguments.command(arguments))
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader of the output closed it, such as `head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except (BadInput, NotFound) as error:
        print(f"palimpsest: {error}", file=sys.stderr)
        return WRONG_USE
    except ReadingError as error:
        print(f"palimpsest: {error}", file=sys.stderr)
        return FAILED
    except OSError as error:  # a full disk behind standard output, for one
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"palimpsest: {of_file(error, Path('standard output'))}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("\npalimpsest: stopped; `python -m readers runs` lists the reading, `resume` resumes it", file=sys.stderr)
        return FAILED


def _calls_a_model(words: Sequence[str]) -> bool:
    """Whether a command will call the model that its words or its profile name."""
    return bool(words) and words[0] in CALLING and not {"-h", "--help", "--price", "--estimate"} & set(words)


def _models_named(words: Sequence[str]) -> list[str]:
    """The models that a command's words name; the usual one if they name none, and no profile."""
    named = [after for word, after in pairwise(words) if word == "--model"]
    named += [word.partition("=")[2] for word in words if word.startswith("--model=")]
    has_another = words[0] == "fork" or any(word.partition("=")[0] == "--profile" for word in words)
    usual = os.environ.get("PALIMPSEST_MODEL", "")
    return named or ([usual] if usual and not has_another else [])
