"""`follow`: what became of a fact of the text in a reading, and the possible basis of its answer.

Asking a model, repeating a call and comparing a text are experiments with the reading, priced before they start. Not here: what
would mend a fact (`follow_mend.py`), and the search for sentences (`engine/forks/stands_on.py`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from readers import get
from readers.cli.follow_mend import mend_facts
from readers.cli.output import ANSWERED, FAILED, one_line, print_json, takes
from readers.cli.progress import execute_rest, execute_shown
from readers.cli.show import known_answer
from readers.engine.analysis.facts.attribution import Attribution, attributions, fused, index_of
from readers.engine.analysis.facts.fate import of_all
from readers.engine.analysis.facts.fates import called
from readers.engine.analysis.facts.follow import Followed, evidence_of, follow, to_json
from readers.engine.analysis.facts.matcher import BY_ITS_WORDS
from readers.engine.errors import BadOptions, ModelFailed
from readers.engine.forks import experiments, judge, nearness, stands_on
from readers.engine.forks.experiments import Sampling
from readers.engine.forks.judge import Judged, judge_says
from readers.engine.forks.stands_on import Tried
from readers.engine.models import catalogue
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.engine.text.phrases import capitalised, listed
from readers.engine.text.shorten import shorten

_EXCERPT = 160
Said = Mapping[tuple[Span, int], Sequence[Judged]]


def follow_facts(arguments: argparse.Namespace) -> int:
    """Print the fate of each fact with its sentence, and the step by step of what happened to it."""
    with Store() as store:
        reading = open_reading(store, arguments.run)
        known = known_answer(store, reading.run)
        planted = store.planted.of(reading.document.id) if arguments.planted else None
    if arguments.answer and arguments.judge:
        raise BadOptions("--judge is about a fact: give it with --span START END or --evidence")
    if not arguments.answer and arguments.tried:
        raise BadOptions("--try is about the answer: give it with --answer")
    if arguments.embedding and (arguments.tried or not arguments.answer):
        raise BadOptions("--embedding ranks what the answer is nearest to: use it only with --answer")
    if arguments.answer and arguments.mend:
        raise BadOptions("--mend is about a fact: give it with --span or --evidence")
    if arguments.try_mend and not arguments.mend:
        raise BadOptions("--run tries what --mend offers: give both")
    if arguments.answer and arguments.tried:
        return try_answer(reading, arguments)
    if arguments.answer:
        return print_nearest(reading, arguments)
    if arguments.evidence and not (known and known.evidence):
        raise BadOptions(
            "it is not known where the text answers this question; name a place with --span START END, "
            "or import a question set with evidence"
        )
    if arguments.planted and planted is None:
        raise BadOptions("no sentence was planted in this text; name a place with --span START END")
    facts = evidence_of(known, reading.document) if arguments.evidence and known else [planted or _span(arguments.span, reading)]
    followed = follow(reading, get(reading.run.reader), facts, known=known)
    if arguments.mend:
        return mend_facts(reading, followed, known, arguments=arguments)
    said = ask_judge(reading, followed, arguments) if arguments.judge else {}
    if arguments.json:
        told = [{"judged": _judged_json(one, said)} if arguments.judge else {} for one in followed]
        print_json([{**row, **more} for row, more in zip(to_json(followed), told, strict=True)])
    else:
        _print_fates(reading, followed, said)
    return ANSWERED


def _span(given: list[int], reading: Reading) -> Span:
    start, end = given
    if not 0 <= start < end <= len(reading.document.text):
        raise BadOptions(f"--span {start} {end} is not a place in a text of {len(reading.document.text):,} characters")
    return Span(start, end)


def _print_fates(reading: Reading, followed: list[Followed], said: Said) -> None:
    reader = get(reading.run.reader)
    for one in followed:
        words = shorten(reading.document.text[one.fact.start : one.fact.end], _EXCERPT)
        print(f"“{one_line(words)}”\n  {one.fate.kind if one.fate else 'the reading goes on'}: {one.sentence}")
        for step, moment in sorted(one.life.by_step.items()):
            where = " › ".join(map(reader.narrative.step, reading.trace.steps[step].names))
            print(f"  {step + 1:>4}  {where:<28} {moment.state}")
        _print_judged(reading, one, said)
    together = of_all(one.fate for one in followed if one.fate)
    if together and len(followed) > 1:
        print(f"Together: {together.kind}")


# A judge


def ask_judge(reading: Reading, followed: Sequence[Followed], arguments: argparse.Namespace) -> Said:
    """Let a model judge every text derived from these facts, and return its verdicts. Raises ModelFailed if a call failed."""
    judge.check_judge(arguments.judge)
    pairs = [pair for one in followed for pair in judge.pairs_of(reading.trace, one.fact, sorted(one.life.texts))]
    if not pairs:
        print("No text of this reading is derived from it, so there is nothing to judge.", file=sys.stderr)
        return {}
    model = catalogue.open_model(arguments.judge, timeout=arguments.timeout)
    print(takes(judge.price(pairs, arguments.judge)), file=sys.stderr)
    terms = {
        "model": arguments.judge, "api_base": arguments.api_base, "temperature": arguments.temperature or 0.0,
        "window": catalogue.window_for(arguments.judge), "room_factor": catalogue.room_factor_for(arguments.judge),
    }  # fmt: skip
    with Store() as store:
        run = judge.ask_judge(store, reading, pairs, terms)
        done = _finished(execute_shown(store, run, model, arguments), "judging")
        found = judge.judged(done, open_reading(store, done.id).trace)
    return {(one.fact, one.number): [one] for one in found}


def _finished(done: Run, what: str) -> Run:
    """A run that was executed. Raises ModelFailed if it did not finish."""
    if done.status != "finished":
        raise ModelFailed(f"the {what} {done.id!r} {done.status}: {done.error or 'it was stopped'}; `resume` resumes it")
    return done


def _print_judged(reading: Reading, one: Followed, said: Said) -> None:
    """Print the verdicts of the words and of the judge for each judged text."""
    names = get(reading.run.reader).names(reading.trace)
    for number, match in sorted(one.life.texts.items()):
        if judges := said.get((one.fact, number)):
            text = capitalised(called(refs.wrote(number), reading.trace, names))
            print(f"  {text}: {BY_ITS_WORDS[match.verdict]}; {judge_says(judges)}")


def _judged_json(one: Followed, said: Said) -> list[dict[str, Any]]:
    """The texts that were judged, with the verdict of the matcher and of the judge."""
    return [
        {"ref": refs.wrote(number), "by_words": match.verdict, "judge": model.verdict, "model": model.model}
        for number, match in sorted(one.life.texts.items())
        for model in said.get((one.fact, number), ())
    ]


# What the answer is nearest to


def print_nearest(reading: Reading, arguments: argparse.Namespace) -> int:
    """Print for each sentence of the answer, the nearest sentence of the text; the exit status.

    With an embedding model the text is compared once, and what that takes is printed first; afterwards its record is used.
    Raises ModelFailed if the model gave no embeddings.
    """
    run, model = reading.run, arguments.embedding
    index, answer = index_of(reading.document), run.answer or ""
    if model:
        found = fused(index, run.question, answer, nearness.compared(_comparison(reading, model, arguments)))
    else:
        found = attributions(index, run.question, answer)
    if arguments.json:
        text = reading.document.text
        mark = {"embedding_model": model} if model else {}
        print_json([{**one._asdict(), "words": text[slice(*one.place)], **mark} for one in found])
    elif found:
        for one in found:
            _print_nearest(reading, one, model)
    else:
        print("No sentence of the answer shares a word with the text." if answer else "There is no answer.")
    return ANSWERED


def _print_nearest(reading: Reading, one: Attribution, model: str | None) -> None:
    lacks = f" ({listed(f'“{word}”' for word in one.missing)} not there)" if one.missing and not one.supports else ""
    print(f"“{one_line((reading.run.answer or '')[slice(*one.sentence)].strip())}”")
    words = one_line(reading.document.text[slice(*one.place)].strip())
    said, page = one.said_of("it", model=model or ""), reading.document.pages_of(one.place)
    pages = f"{page}, " if page else ""
    print(f"  {said}{lacks}: {pages}characters {one.place.start} to {one.place.end}: “{words}”")


def _comparison(reading: Reading, model: str, arguments: argparse.Namespace) -> Reading:
    """The comparison with this model that is on record, or else a new one."""
    with Store() as store:
        for run in nearness.comparisons(store, reading.run.id):
            if nearness.model_of(run) == model:
                return open_reading(store, run.id)
        price = nearness.price(reading, model)
        print(f"{price.of:,} sentences to {model}: {takes(price)}", file=sys.stderr)
        made = nearness.compare(store, reading, model, {"model": catalogue.OFFLINE, "api_base": arguments.api_base})
        return open_reading(store, _finished(execute_rest(store, made, arguments), "comparison").id)


# What the answer depends on, by trying


def try_answer(reading: Reading, arguments: argparse.Namespace) -> int:
    """Try the answer of a reading, or resume an interrupted search, and print the result; returns the exit status."""
    with Store() as store:
        run = _unfinished(store, reading) or _begin(store, reading, arguments)
        done = execute_rest(store, run, arguments, asked_by=reading.run)
        tried = stands_on.tried(done, open_reading(store, done.id).trace)
    if arguments.json:
        print_json(_tried_json(tried))
    else:
        _print_tried(tried, reading)
    if done.status == "finished":
        return ANSWERED
    print(f"palimpsest: {done.error or 'it was stopped'}; the same command resumes it", file=sys.stderr)
    return FAILED


def _unfinished(store: Store, reading: Reading) -> Run | None:
    """The last search that was started, if it was interrupted."""
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
    names = get(reading.run.reader).names(reading.trace)
    print(stands_on.noise(tried.search))
    for group in tried.groups:
        print(f"{capitalised(stands_on.group_sentence(group))}:")
        for one, words in zip(group.sentences, group.words, strict=True):
            where = stands_on.where(one, "" if one.place else called(one.origin, reading.trace, names))
            print(f"  {where}: “{one_line(shorten(words, _EXCERPT))}”")
        if group.came.changed:
            print(f"  {one_line(stands_on.instead(group, most=_EXCERPT))}")
    print(stands_on.ending(tried))


def _tried_json(tried: Tried) -> dict[str, object]:
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
