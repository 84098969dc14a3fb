"""Hints for annotators, drawn from the record of one reading: never labels, and never more than the record shows.

Pure and deterministic. Hints for every reader are here, and those for every reader that keeps one memory; `Reader.hints` adds its
own. Unless asked to, no hint uses the right answer or the known evidence; the hints that do use them give both away
(`hints_from_answer.py`). Words are compared by their stems: a hint about words says "word", not "meaning". Not here: hints from
what the text says (`hints_from_text.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from readers.engine.analysis import hints_from_text
from readers.engine.analysis.hints_from_text import hints_from_answer
from readers.engine.analysis.memory_snapshots import LIMITS, Snapshot, size, snapshots
from readers.engine.analysis.memory_snapshots import kept as kept_share
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Asked, Chose, CutOff, Ended, Misread
from readers.engine.record.hint import Hint, HintSource, steps_of
from readers.engine.record.narrative import in_plain_words, reason_in_plain_words
from readers.engine.run.bounded_memory import stayed
from readers.engine.run.reader import Reader
from readers.engine.store import Reading
from readers.engine.text.phrases import percent, some, times, were
from readers.engine.text.shorten import shorten

# A rewriting that keeps less than this share of a memory's words changes it much; from this share of its limit on it is full.
CHANGED, FULL = 0.5, 0.95
_QUOTED = 120  # characters of the text, at most
_SHORTENED = {"truncate": "was cut for its length", "shorten": "was shown cut", "shrink": "was held to a smaller limit"}


def hints(reading: Reading, reader: Reader, *, known: KnownAnswer | None = None, reveal: bool = False) -> list[Hint]:
    """The hints of a reading by this reader, in the order of the steps they point at; those about the whole of it last.

    With `reveal`, also the hints that use what is `known`; without it, `known` has no effect.
    """
    trace = reading.trace
    options = reading.run.spec.get("options", {})
    source = HintSource(trace, reading.records, options, reader.names(trace), reader.narrative.carried)
    found = [*_of_every_reader(source, reader), *_of_memories(source), *reader.hints(source)]
    if reveal and known is not None:
        found += hints_from_answer(source, reader, known)
    return sorted(found, key=lambda hint: hint.steps[0] if hint.steps else len(trace.steps) + 1)


def _of_every_reader(source: HintSource, reader: Reader) -> Iterator[Hint]:
    """Replies and texts that were not as they should be, and an end without an answer."""
    if misread := source.events_of(Misread):
        warmer = any(prompt.warmer for prompt in reader.prompts)
        how = ", each time at a higher temperature" if warmer else ""
        what = "reply of the model could not be read, and was asked for again"
        if len(misread) > 1:
            what = f"replies of the model could not be read, and were asked for again{how}"
        count = "One" if len(misread) == 1 else str(len(misread))
        yield Hint("unreadable", steps_of(misread), f"{count} {what}; the last one: {in_plain_words(misread[-1][1].problem)}.")
    yield from _cut_off(source)
    if fallen := source.decisions("fallback"):
        last = fallen[-1][1]
        because = f", for {reason_in_plain_words(last.because)}" if last.because else ""
        yield Hint("fallback", steps_of(fallen), f"It fell back {times(len(fallen))}; the last time on {last.picked}{because}.")
    for action, what in _SHORTENED.items():
        if cut := source.decisions(action):
            yield Hint(action, steps_of(cut), f"A text of its own {what} {times(len(cut))}; the last time: {cut[-1][1].because}.")
    left_out = [
        (step, event)
        for step, event in source.events_of(Chose)
        if event.action == "put_back" or reader.narrative.decision(event.action).leaves_out
    ]
    if left_out:
        because = left_out[-1][1].because
        yield Hint("left_out", steps_of(left_out), f"Parts of the text were left out {times(len(left_out))}: {because}.")
    yield from _did_not_fit(source)
    if obeyed := list(hints_from_text.obeyed(source)):
        start, end = obeyed[-1][1][0]
        told = "The text itself tells a model what to reply here, and the reply does so"
        words = shorten(source.trace.document.text[start:end], _QUOTED)
        yield Hint("dictated", steps_of(obeyed), f"{told}: “{words}” (characters {start:,} to {end:,}).")
    yield from _stopped(source)


def _cut_off(source: HintSource) -> Iterator[Hint]:
    """Replies that were used though they were not whole."""
    found = source.events_of(CutOff)
    cut = [(step, event) for step, event in found if event.repeats_after is None]
    endless = [(step, event) for step, event in found if event.repeats_after is not None]
    if cut:
        count = some(len(cut), "reply").capitalize()
        told = f"{count} of the model {were(len(cut))} cut off for {'its' if len(cut) == 1 else 'their'} length and used as cut"
        yield Hint("cut_off", steps_of(cut), f"{told}; the last one had room for {cut[-1][1].room:,} tokens.")
    if endless:
        count = some(len(endless), "reply").capitalize()
        told = f"{count} of the model went on repeating the same without end"
        yield Hint("endless", steps_of(endless), f"{told}; only what came before was used.")


def _did_not_fit(source: HintSource) -> Iterator[Hint]:
    lost = [(step, sum(count for _, count in event.left_out)) for step, event in source.events_of(Asked) if event.left_out]
    if lost:
        count = sum(number for _, number in lost)
        told = f"{some(count, 'text')} that it carried along did not fit into the model's window and {were(count)} left out."
        yield Hint("did_not_fit", steps_of(lost), told[0].upper() + told[1:])


def _stopped(source: HintSource) -> Iterator[Hint]:
    at = {event.seq: step for step, event in source.events_of(Asked)}
    last = len(source.trace.steps)
    failed = [record for record in source.records if record.reply is None and record.error]
    if failed:
        steps = tuple(sorted({at.get(record.seq, last) for record in failed} - {0}))
        told = f"{some(len(failed), 'call').capitalize()} to the model failed; the last one: {failed[-1].error}"
        yield Hint("failed_call", steps, told if told.endswith(".") else f"{told}.")
    if isinstance(source.trace.end, Ended):
        why = reason_in_plain_words(source.trace.end.reason)
        yield Hint("no_answer", (last,) if last else (), f"It ended without an answer: {why}.")


# A memory that is rewritten at each chunk


def _of_memories(source: HintSource) -> Iterator[Hint]:
    """A memory that is full, changes much or not at all, or could not be written."""
    found = snapshots(source.trace)
    if not found:
        return
    yield from _at_its_limit(source, found)
    kept = [(kept_share(a.text, b.text), b) for a, b in pairwise(found)]
    shares = [(share, snapshot) for share, snapshot in kept if share is not None]
    if shares and (most := min(shares, key=lambda pair: (pair[0], pair[1].step)))[0] < CHANGED:
        told = f"The {source.carried} changed most at chunk {most[1].number}: {percent(most[0])} of the words before it stayed."
        yield Hint("changed_most", (most[1].step + 1,), told)
    still = tuple(b.step + 1 for a, b in pairwise(found) if a.text.split() == b.text.split() and a.text)
    if still:
        yield Hint("unchanged", still, f"The {source.carried} stayed word for word the same at {some(len(still), 'chunk')}.")
    if as_it_was := [(step, event) for step, event in source.decisions("fallback") if stayed(event)]:
        told = f"What was read at {some(len(as_it_was), 'chunk')} came into no {source.carried}: no reply could be read."
        yield Hint("not_written", steps_of(as_it_was), told)


def _at_its_limit(source: HintSource, found: Sequence[Snapshot]) -> Iterator[Hint]:
    options = source.options
    limit = next((options[name] for name in LIMITS if isinstance(options.get(name), int)), None)
    if limit:
        full = tuple(one.step + 1 for one in found if size(one.text) >= FULL * limit)
        if full:
            told = f"The {source.carried} was full, or nearly, after {some(len(full), 'chunk')} (its limit is {limit:,} tokens)."
            yield Hint("memory_full", full, told)


def kinds(found: Iterable[Hint]) -> list[str]:
    """The kinds of these hints, each once."""
    return list(dict.fromkeys(hint.kind for hint in found))
