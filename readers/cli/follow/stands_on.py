"""`follow RUN --answer --try`: what the answer stands on, found by asking its call again without some of its sentences.

What that takes is printed before it begins. Not here: the search for the sentences (`engine/forks/stands_on.py`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from readers import get
from readers.cli.output import ANSWERED, FAILED, one_line, print_json, takes
from readers.cli.progress import execute_shown
from readers.engine.analysis.facts.fates import called
from readers.engine.forks import experiments, stands_on
from readers.engine.forks.experiments import Sampling
from readers.engine.forks.group_search import Count
from readers.engine.forks.stands_on import PromptSentence, Tried, TriedGroup
from readers.engine.models import catalogue
from readers.engine.run.execute import check_servers, models_still_needed
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.text.shorten import shorten

_EXCERPT = 160
_ENDS: Mapping[str, str] = {
    "settled": "leaving out all the rest does not change the answer",
    "differs by itself": "so nothing can be said of single sentences",
    "nothing changes it": "so nothing in this prompt is needed for it",
    "out of calls": "there may be more, for the calls were used up",
    "unfinished": "it was interrupted",
}


def try_answer(reading: Reading, arguments: argparse.Namespace) -> int:
    """Try the answer of a reading, or resume what was interrupted, and print what was found; the exit status."""
    with Store() as store:
        run = _unfinished(store, reading) or _begin(store, reading, arguments)
        models = models_still_needed(store, run)
        check_servers(reading.run, models, arguments.api_base)
        done = execute_shown(store, run, catalogue.open_models(models, timeout=arguments.timeout), arguments)
        tried = stands_on.tried(done, open_reading(store, done.id).trace)
    if arguments.json:
        print_json(_as_json(tried))
    else:
        _print_tried(tried, reading)
    if done.status == "finished":
        return ANSWERED
    print(f"palimpsest: {done.error or 'it was stopped'}; the same command resumes it", file=sys.stderr)
    return FAILED


def _unfinished(store: Store, reading: Reading) -> Run | None:
    """The search that was begun last, if it was interrupted."""
    made = experiments.experiments_of(store, reading.run.id, reader=stands_on.ID)
    found = next((run for one in made[:1] for run in one.resumable if run.is_of_version(stands_on.Tries.version)), None)
    if found:
        print("Resuming the search that was interrupted.", file=sys.stderr)
    return found


def _begin(store: Store, reading: Reading, arguments: argparse.Namespace) -> Run:
    usual = stands_on.usual_sampling(reading)
    temperature = usual.temperature if arguments.temperature is None else arguments.temperature
    sampling = Sampling(arguments.samples or usual.n, temperature, arguments.budget or usual.max_calls)
    reader = get(reading.run.reader)
    print(takes(stands_on.price_tries(reading, reader, sampling)), file=sys.stderr)
    return stands_on.try_answer(store, reading, reader, sampling)


def _print_tried(tried: Tried, reading: Reading) -> None:
    """Print the noise floor, each group of sentences with its count, and how the search ended."""
    search = tried.search
    names = get(reading.run.reader).names(reading.trace)
    print(f"Asked unchanged, the answer changed in {search.noise.changed} of {search.noise.of}.")
    for group in tried.groups:
        print(f"{_left_out(group)} {_changed(group.came)}:")
        for sentence, words in zip(group.sentences, group.words, strict=True):
            print(f"  {_where(sentence, reading, names)}: “{one_line(shorten(words, _EXCERPT))}”")
        if group.came.changed:
            print(f"  most often it was then: {one_line(shorten(group.instead, _EXCERPT)) or 'no answer'}")
    if not tried.groups or search.end == "differs by itself":
        print(f"{stands_on.sentence(search).capitalize()}.")
    print(f"{search.calls:,} calls of at most {tried.budget:,}; {_ENDS[search.end]}.")


def _left_out(group: TriedGroup) -> str:
    if len(group.sentences) == 1:
        return "Leaving this out"
    return f"Leaving these {len(group.sentences)} out{', only together,' if group.together else ' together'}"


def _changed(count: Count) -> str:
    return f"changed the answer in {count.changed} of {count.of}"


def _where(sentence: PromptSentence, reading: Reading, names: Mapping[str, str]) -> str:
    if sentence.place:
        return f"characters {sentence.place.start} to {sentence.place.end}"
    return called(sentence.origin, reading.trace, names)


def _as_json(tried: Tried) -> dict[str, object]:
    search = tried.search
    return {
        "end": search.end, "calls": search.calls, "budget": tried.budget, "sentences": tried.sentences,
        "unchanged": search.noise._asdict(), "without_all": search.everything._asdict(),
        "groups": [
            {
                "changed": one.came.changed, "of": one.came.of, "only_together": one.together, "instead": one.instead,
                "sentences": [
                    {"words": words, "place": sentence.place, "origin": sentence.origin}
                    for sentence, words in zip(one.sentences, one.words, strict=True)
                ],
            }
            for one in tried.groups
        ],
    }  # fmt: skip
