"""`follow RUN --mend`: what would mend the fate of a fact, with its price; with `--run`, one of these is tried and counted."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from readers import get
from readers.cli.output import ANSWERED, FAILED, one_line, takes
from readers.cli.progress import execute_rest
from readers.engine.analysis.facts.follow import Followed
from readers.engine.analysis.facts.mending import Offer, mend, result, tries
from readers.engine.errors import BadOptions, ReadingError
from readers.engine.forks import experiments, fork, resample
from readers.engine.forks.experiments import Experiment, Sampling
from readers.engine.questions.answers import normalise
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.text.phrases import capitalised
from readers.engine.text.shorten import shorten

REPEATS = 6  # readings of each kind, if not given
_EXCERPT = 160


# An offer, how it is sampled (None if it cannot be tried), and what that takes, or why not, in words.
_Priced = tuple[Offer, Sampling | None, str]


def mend_facts(
    reading: Reading, followed: Sequence[Followed], known: KnownAnswer | None, *, arguments: argparse.Namespace
) -> int:
    """Print what would mend each fact, with its price; try one of these, if that is asked for. The exit status."""
    with Store() as store:
        offered = _print_offers(store, reading, followed, arguments)
        if not arguments.try_mend:
            return ANSWERED
        number = arguments.offer or 1
        if not 1 <= number <= len(offered):
            raise BadOptions(f"there is no offer {number}; this reading has {len(offered)}, counted from 1")
        offer, sampling, words = offered[number - 1]
        if sampling is None:
            raise BadOptions(f"offer {number} cannot be tried: {words}")
        return _try(store, reading, (offer, sampling), known, arguments)


def _print_offers(store: Store, reading: Reading, followed: Sequence[Followed], arguments: argparse.Namespace) -> list[_Priced]:
    """The offers for all facts, in the order in which they are printed and counted."""
    offered: list[_Priced] = []
    prompts = store.runs.tape(reading.run.id).prompts()
    for one in followed:
        words = shorten(reading.document.text[one.fact.start : one.fact.end], _EXCERPT)
        print(f"“{one_line(words)}”\n  {one.fate.kind if one.fate else 'the reading goes on'}: {one.sentence}")
        found = mend(reading, get(reading.run.reader), one, prompts=prompts)
        if why := found.why():
            print(f"  {' '.join(why)}")
        for offer in found.offers:
            offered.append(_priced(store, reading, offer, arguments))
            note = f" ({offer.note})" if offer.note else ""
            print(f"  {len(offered)}. {offer.words}{note}: {offered[-1][2]}")
    return offered


def _priced(store: Store, reading: Reading, offer: Offer, arguments: argparse.Namespace) -> _Priced:
    reader, n = get(reading.run.reader), arguments.repeats or REPEATS
    try:
        first = offer.seq or 0 if offer.edit is None else fork.first_call(reading, offer.edit)
        heat = arguments.temperature
        sampling = Sampling(n, experiments.default_temperature(reading, first) if heat is None else heat)
        if offer.edit is None:
            return offer, sampling, takes(experiments.price_sampling(reading, first, sampling))
        plan = experiments.price(store, reading, reader, offer.edit, sampling)
    except ReadingError as error:
        return offer, None, str(error)
    price = f"{2 * n} readings, {takes(plan.samples(n))}"
    return offer, replace(sampling, max_calls=plan.most_calls), price


# Trying


def _try(
    store: Store, reading: Reading, chosen: tuple[Offer, Sampling], known: KnownAnswer | None, arguments: argparse.Namespace
) -> int:
    """Try an offer, or resume an interrupted trial, and print the result; returns the exit status."""
    offer, sampling = chosen
    made = _unfinished(store, reading, offer) or _begin(store, reading, offer, sampling)
    for number, run in enumerate(made.runs, 1):
        if run.status == "finished":
            continue
        done = execute_rest(store, run, arguments, asked_by=reading.run)
        print(f"{number} of {len(made.runs)}: {one_line(shorten(done.answer or done.error or '', _EXCERPT))}", file=sys.stderr)
        if done.status != "finished":
            print(f"palimpsest: {done.error or 'it was stopped'}; the same command resumes it", file=sys.stderr)
            return FAILED
    done_now = experiments.find_experiment(store, reading.run.id, made.id)
    if offer.edit is None:
        _print_replies(store, made.runs[0])
    elif done_now:
        print(f"{capitalised(result(reading.run, done_now.changed, done_now.unchanged, known=known))}.")
    return ANSWERED


def _unfinished(store: Store, reading: Reading, offer: Offer) -> Experiment | None:
    """The latest experiment with an offer, if it was interrupted."""
    for made in experiments.experiments_of(store, reading.run.id):
        if tries(made, offer):
            if made.resumable:
                print("Resuming the experiment that was interrupted.", file=sys.stderr)
            return made if made.resumable else None
    return None


def _begin(store: Store, reading: Reading, offer: Offer, sampling: Sampling) -> Experiment:
    reader = get(reading.run.reader)
    if offer.edit is None:
        run = resample.sample_call(store, reading, reader, offer.seq or 0, sampling)
        return Experiment(run.experiment or "", (run,))
    return experiments.leave_one_out(store, reading, reader, offer.edit, sampling)


def _print_replies(store: Store, run: Run) -> None:
    """How often each reply came, in its first wording."""
    replies = [record.reply for record in open_reading(store, run.id).records if record.reply is not None]
    first: Mapping[str, str] = {normalise(reply): reply for reply in reversed(replies)}
    for key, times in Counter(map(normalise, replies)).most_common():
        print(f"{times} of {len(replies)}: {one_line(shorten(first[key], _EXCERPT))}")
