"""`follow`: what became of a fact of the text in a reading, and what its answer may stand on."""

from __future__ import annotations

import argparse

from readers import get
from readers.cli.follow import judge
from readers.cli.follow.mend import mend_facts
from readers.cli.follow.nearest import print_nearest
from readers.cli.follow.stands_on import try_answer
from readers.cli.output import ANSWERED, one_line, print_json
from readers.cli.show import known_answer
from readers.engine.analysis.facts.fate import of_all
from readers.engine.analysis.facts.follow import Followed, evidence_of, follow, to_json
from readers.engine.errors import BadOptions
from readers.engine.store import Reading, Store, open_reading
from readers.engine.text.document import Span
from readers.engine.text.shorten import shorten

_EXCERPT = 160


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
        raise BadOptions("--embedding is about what the answer is nearest to: give it with --answer alone")
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
            "nobody has marked where the text answers this question; name a place with --span START END, "
            "or import a question set with evidence"
        )
    if arguments.planted and planted is None:
        raise BadOptions("no sentence was planted in this text; name a place with --span START END")
    facts = evidence_of(known, reading.document) if arguments.evidence and known else [planted or _span(arguments.span, reading)]
    followed = follow(reading, get(reading.run.reader), facts, known=known)
    if arguments.mend:
        return mend_facts(reading, followed, known, arguments=arguments)
    said = judge.ask(reading, followed, arguments) if arguments.judge else {}
    if arguments.json:
        told = [{"judged": judge.as_json(one, said)} if arguments.judge else {} for one in followed]
        print_json([{**row, **more} for row, more in zip(to_json(followed), told, strict=True)])
    else:
        _print(reading, followed, said)
    return ANSWERED


def _span(given: list[int], reading: Reading) -> Span:
    start, end = given
    if not 0 <= start < end <= len(reading.document.text):
        raise BadOptions(f"--span {start} {end} is not a place in a text of {len(reading.document.text):,} characters")
    return Span(start, end)


def _print(reading: Reading, followed: list[Followed], said: judge.Said) -> None:
    reader = get(reading.run.reader)
    for one in followed:
        words = shorten(reading.document.text[one.fact.start : one.fact.end], _EXCERPT)
        print(f"“{one_line(words)}”\n  {one.fate.kind if one.fate else 'the reading goes on'}: {one.sentence}")
        for step, moment in sorted(one.life.by_step.items()):
            where = " › ".join(map(reader.narrative.step, reading.trace.steps[step].names))
            print(f"  {step + 1:>4}  {where:<28} {moment.state}")
        judge.print_judged(reading, one, said)
    together = of_all(one.fate for one in followed if one.fate)
    if together and len(followed) > 1:
        print(f"Together: {together.kind}")
