"""Options that several commands share: the model by a profile, limits, presets, sampling, workers, and the time of a call."""

from __future__ import annotations

import argparse
from typing import get_args

from readers.engine.models import timeouts
from readers.engine.models.call import ReplyForm
from readers.engine.models.profiles import DEFAULT_CONCURRENCY


def profile_argument(sub: argparse.ArgumentParser) -> None:
    """The model by the name that it was saved under; what the arguments leave open is as the profile says."""
    sub.add_argument("--profile", metavar="NAME", default="", help="a saved model with its terms, in the place of --model")
    sub.set_defaults(price=None, max_tokens=None, calls_per_minute=None, window=None, reply_tokens=None, profile_sampling={})


def cap_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--max-calls", type=positive, metavar="N", help="stop a reading before more live calls than this")
    sub.add_argument("--max-cost", type=float, metavar="USD", help="stop a reading when this many dollars are spent")
    sub.add_argument("--max-minutes", type=above_zero, metavar="N", help="stop a reading when its calls took this many minutes")


def per_reader_arguments(sub: argparse.ArgumentParser) -> None:
    """Settings for all readers or for one of them."""
    sub.add_argument("--set", dest="settings", action="append", default=[], metavar="[READER.]NAME=VALUE",
                     help="an option of all readers, or of one")  # fmt: skip
    sub.add_argument("--preset", action="append", default=[], metavar="[READER=]NAME",
                     help="a paper's settings by name, or auto: sizes for 8 to 20 parts; --set overrides them")  # fmt: skip
    sub.add_argument("--prompts", action="append", default=[], metavar="[READER=]SET",
                     help="a prompt set: JSON with templates by prompt id, a file or a saved set of this reader")  # fmt: skip


def working_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--concurrency", type=positive, default=DEFAULT_CONCURRENCY, metavar="N", help="calls of a reading at once")
    sub.add_argument("--at-once", type=positive, metavar="N", help="readings at once; with --workers in each of them")
    who = sub.add_mutually_exclusive_group()
    who.add_argument("--workers", type=positive, metavar="N", help="read in N processes on this machine")
    who.add_argument(
        "--cluster", metavar="ADDRESS", help="read on a cluster of dask.distributed, by the address of its scheduler"
    )
    sub.add_argument("--listen", metavar="HOST[:PORT]", help="with --cluster: where its workers reach this machine; 127.0.0.1 if "
                     "not given")  # fmt: skip
    for what in ("requests", "tokens"):
        sub.add_argument(f"--{what}-per-minute", type=positive, metavar="N", help=f"the most {what} of all workers together")
    sub.add_argument(
        "--log-probs", action="store_true", help="ask servers for the tokens of each reply, for `export --format training`"
    )
    timeout_argument(sub)


def sampling_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--window", type=positive, metavar="N", help="the model's context window in tokens, with its reply")
    sub.add_argument(
        "--reply-tokens",
        type=positive,
        metavar="N",
        help="room for a reply in tokens; by default each prompt's own, 8 times if a model thinks first",
    )
    sub.add_argument("--temperature", type=float, metavar="T", help="from 0 to 2; 0 or the preset's if not given")
    sub.add_argument("--top-p", type=float, metavar="P", help="above 0 and at most 1; the model's own if not given")

    sub.add_argument(
        "--reply-form",
        choices=get_args(ReplyForm),
        help="ask for replies in words, hold the model to a JSON schema, or (auto) hold it where its server is known to do so; "
        "auto if not given, words with a paper's preset",
    )


def timeout_argument(sub: argparse.ArgumentParser) -> None:
    how = "seconds that one call may take; 600 by default, 1800 if the model runs on this machine"
    sub.add_argument("--timeout", type=seconds, metavar="SECONDS", help=how)


def seconds(word: str) -> float:
    number = float(word)
    if not timeouts.LEAST_SECONDS <= number <= timeouts.MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{word} is not from {timeouts.LEAST_SECONDS:g} to {timeouts.MOST_SECONDS:g} seconds")
    return number


def above_zero(word: str) -> float:
    number = float(word)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{word} is not above 0")
    return number


def positive(word: str) -> int:
    number = int(word)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{word} is not 1 or more")
    return number
