"""`follow RUN ... --judge MODEL`: a model says of each text that rests on a fact whether it still says it. Priced first."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from readers import get
from readers.cli.output import takes
from readers.cli.progress import execute_shown
from readers.engine.analysis.facts.fates import called
from readers.engine.analysis.facts.follow import Followed
from readers.engine.analysis.facts.matcher import BY_ITS_WORDS
from readers.engine.errors import ModelFailed
from readers.engine.forks.judge import Judged, ask_judge, check_judge, judge_says, judged, pairs_of, price
from readers.engine.models import catalogue
from readers.engine.store import Reading, Store, open_reading
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.engine.text.phrases import capitalised

Said = Mapping[tuple[Span, int], Sequence[Judged]]


def ask(reading: Reading, followed: Sequence[Followed], arguments: argparse.Namespace) -> Said:
    """Let a model judge every text that rests on these facts, and return what it said. Raises ModelFailed if a call failed."""
    check_judge(arguments.judge)
    pairs = [pair for one in followed for pair in pairs_of(reading.trace, one.fact, sorted(one.life.texts))]
    if not pairs:
        print("No text of this reading rests on it, so there is nothing to judge.", file=sys.stderr)
        return {}
    model = catalogue.open_model(arguments.judge, timeout=arguments.timeout)
    print(takes(price(pairs, arguments.judge)), file=sys.stderr)
    terms = {
        "model": arguments.judge, "api_base": arguments.api_base, "temperature": arguments.temperature or 0.0,
        "window": catalogue.window_for(arguments.judge), "room_factor": catalogue.room_factor_for(arguments.judge),
    }  # fmt: skip
    with Store() as store:
        run = ask_judge(store, reading, pairs, terms)
        done = execute_shown(store, run, model, arguments)
        if done.status != "finished":
            raise ModelFailed(f"the judging {done.id!r} {done.status}: {done.error or 'it was stopped'}; `resume` resumes it")
        found = judged(done, open_reading(store, done.id).trace)
    return {(one.fact, one.number): [one] for one in found}


def print_judged(reading: Reading, one: Followed, said: Said) -> None:
    """Print for each text that was judged what its words say and, beside it, what the judge says."""
    names = get(reading.run.reader).names(reading.trace)
    for number, match in sorted(one.life.texts.items()):
        if judges := said.get((one.fact, number)):
            text = capitalised(called(refs.wrote(number), reading.trace, names))
            print(f"  {text}: {BY_ITS_WORDS[match.verdict]}; {judge_says(judges)}")


def as_json(one: Followed, said: Said) -> list[dict[str, Any]]:
    """The texts that were judged, with the verdict of the matcher and of the judge."""
    return [
        {"ref": refs.wrote(number), "by_words": match.verdict, "judge": judge.verdict, "model": judge.model}
        for number, match in sorted(one.life.texts.items())
        for judge in said.get((one.fact, number), ())
    ]
