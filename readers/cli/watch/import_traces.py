"""Readings from what other tools recorded (`traces.py`): found, told and written. The text is given, or found as the longest part
that prompts share. The cost is bounded: a file that is not small is read in a separate process, with limits on time and memory.

Not here: run files (`engine/files/runs/import_run.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from readers.cli.watch.recording import UNKNOWN_MODEL, in_order, spec_for
from readers.cli.watch.retelling import READER, reading_of, retold
from readers.cli.watch.traces import TracedReading, traced
from readers.engine import own_process
from readers.engine.errors import BadRunFile, OverLimit
from readers.engine.files.runs.import_run import SMALL, Incoming
from readers.engine.files.runs.run_file_schema import read_bounded
from readers.engine.ingest import from_paste
from readers.engine.store import Run
from readers.engine.text.document import Document
from readers.observed.calls import ObservedCall
from readers.observed.script import write_script

LEAST_SHARED = 400  # characters of a text that is found
SEED, STRIDE = 64, 32
MOST_SEARCHED = 5_000_000  # characters of prompts in which the text is looked for
NAME_IT = "`python -m readers import FILE --text TEXT` names it"
NOT_ON_RECORD = "The question is not on record."


def read_traces(path: Path, *, text: Document | None = None, question: str = "") -> tuple[list[Incoming], list[str]] | None:
    """The readings in a file of another tool, and notes on what was not understood; None if it is none. Raises BadRunFile."""
    try:
        data = read_bounded(path)
    except BadRunFile as error:
        raise BadRunFile(f"{path.name!r} is not imported: {error}") from None
    return check_traces(data, path.name, text=text, question=question)


def check_traces(
    data: bytes, name: str, *, text: Document | None = None, question: str = ""
) -> tuple[list[Incoming], list[str]] | None:
    """The same of the bytes of a file."""
    if len(data) <= SMALL:
        return made_of(data, name, text, question)
    try:
        return own_process.run(made_of, data, name, text, question)
    except OverLimit as error:
        raise BadRunFile(f"{name!r} is not imported: reading it takes too much time or memory ({error.limit})") from None


def made_of(data: bytes, name: str, text: Document | None, question: str) -> tuple[list[Incoming], list[str]] | None:
    """The readings in the bytes of a file, without a limit."""
    found = traced(data, name)
    if found is None:
        return None
    notes = [
        f"{one.name or name}: left out {', '.join(f'{what} ({n:,})' for what, n in one.left.items())}"
        for one in found
        if one.left
    ]
    readings = [_reading(one, name, text, question or one.question) for one in found if one.calls]
    if not readings:
        raise BadRunFile(f"{name!r} is not imported: there is no call of a model in it that can be read")
    return readings, notes


def _reading(one: TracedReading, name: str, text: Document | None, question: str) -> Incoming:
    document = text or shared_text(one.calls, title=one.name or Path(name).stem)
    if document is None:
        raise BadRunFile(f"{name!r} is not imported: its prompts share no text of {LEAST_SHARED} characters; {NAME_IT}")
    calls = in_order(one.calls)
    model = next((call.model for call in calls if call.model), UNKNOWN_MODEL)
    spec = spec_for(question.strip() or NOT_ON_RECORD, model=model)
    last = next((call.reply for call in reversed(calls) if call.reply), "")
    answer, reason = one.answer.strip() or last, "" if last else "no reply is on record"
    script = retold(document, spec, calls, answer=answer, reason=reason)
    spec = replace(spec, options={"script": write_script(script)})
    made = reading_of(document, spec, calls)
    ended = made.ended
    run = Run(
        "", document.id, READER.id, spec.question, asdict(spec), ended["status"], outcome=ended.get("outcome"),
        answer=ended.get("answer"), evidence=ended.get("evidence", ()), error=ended.get("error"),
        seconds=calls[-1].answered - calls[0].asked,
    )  # fmt: skip
    records, prompts = zip(*made.calls, strict=True)
    return Incoming(run, document, records, prompts, tuple(made.tape.lines))


def shared_text(calls: Sequence[ObservedCall], *, title: str) -> Document | None:
    """The longest part that the prompts of two calls share; None if it is short."""
    texts: list[str] = []
    repeated = ""
    for call in calls:
        for said in call.messages:
            if said.role == "assistant" or len(said.text) < LEAST_SHARED:
                continue
            if said.text in texts:
                repeated = max(repeated, said.text, key=len)
            elif sum(map(len, texts)) < MOST_SEARCHED:
                texts.append(said.text)
    longest = max([repeated, *_shared(texts)], key=len).strip()
    if len(longest) < LEAST_SHARED:
        return None
    return from_paste(longest, title=title).document


def _shared(texts: Sequence[str]) -> Iterable[str]:
    """For each text, the longest part that it has in common with one before it."""
    seeds: dict[str, tuple[int, int]] = {}
    for number, text in enumerate(texts):
        best = ""
        at = 0
        while at + SEED <= len(text):
            found = seeds.get(text[at : at + SEED])
            if found is None:
                at += 1
                continue
            other, start = texts[found[0]], found[1]
            begin, end = at, at + SEED
            while begin and start and text[begin - 1] == other[start - 1]:
                begin, start = begin - 1, start - 1
            last = start + end - begin
            while end < len(text) and last < len(other) and text[end] == other[last]:
                end, last = end + 1, last + 1
            best, at = max(best, text[begin:end], key=len), end
        yield best
        for start in range(0, len(text) - SEED + 1, STRIDE):
            seeds.setdefault(text[start : start + SEED], (number, start))
