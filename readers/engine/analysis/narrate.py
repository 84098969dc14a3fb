"""One or two plain sentences for each step, made by rule from the events.

The same sentences are the player's caption, the table next to a graph, a screen reader's text and `show` on the command line.
Sentences that are the same for every reader are here; sentences about decisions come from the reader's own narrative. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from readers.engine.analysis import memory_snapshots
from readers.engine.questions.no_answer_given import none_given
from readers.engine.record.events import Answered, Asked, Chose, Cut, CutOff, Ended, Event, Misread, Wrote
from readers.engine.record.narrative import FIRST_SENTENCES, UNREAD, Narrative, StepRecord, in_plain_words, reason_in_plain_words
from readers.engine.record.trace import Trace
from readers.engine.run.bounded_memory import MEMORY
from readers.engine.run.reader import Reader
from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, Piece
from readers.engine.text.phrases import capitalised, listed, plural, singular, times, were, with_article
from readers.engine.text.shorten import shorten_at_word

LONGEST_ANSWER, MOST_NAMED = 240, 4
# The first words about a reading that ended without an answer.
ENDINGS = {
    "no_answer": "It ended without an answer",
    "exhausted": "It gave up",
    "over_budget": "It stopped, because the budget was used up",
}
NONE_ANSWERED = "The answer says that there is none."
_SIZED = re.compile(r"(.*?)(; there was room for | after its first )([\d,]+)( tokens| characters)")  # a problem that has a size


def narrate(trace: Trace, reader: Reader, *, names: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """What happened, a text for each step. `names` are the reader's names for its texts, for a caller that has them already."""
    called = reader.names(trace) if names is None else names
    asking = frozenset(prompt.id for prompt in reader.prompts if prompt.reply.asks_why)
    records = (StepRecord(trace, step, called) for step in trace.steps)
    return tuple(" ".join(_sentences(record, reader.narrative, asking)) for record in records)


def narrate_briefly(trace: Trace, reader: Reader, *, names: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """One sentence for each step: what the reader did there, without what went wrong on the way."""
    called = reader.names(trace) if names is None else names
    return tuple(_main_sentence(StepRecord(trace, step, called), reader.narrative) for step in trace.steps)


def _main_sentence(record: StepRecord, narrative: Narrative) -> str:
    """What was written; otherwise the last decision, that the text was cut, that it answered, or the last sentence there is."""
    answered, written, decided = _answered(record, narrative), [*_texts(record, narrative)], [*narrative.sentences(record)]
    none = [NONE_ANSWERED] if NONE_ANSWERED in answered else []
    cut = [] if record.began_to_read else _cut(record.events)
    for told in (none, written[:1], decided[-1:], cut, answered):
        if told:
            return told[0]
    done = [*_done(record, narrative, frozenset()), *_not_finished(record, narrative)]
    return (done or _went_wrong(record) or ["It went on."])[-1]


def _sentences(record: StepRecord, narrative: Narrative, asking: Collection[str]) -> list[str]:
    """The sentences of one step: what was done, what went wrong on the way, and that the step is not finished. `asking` are the
    prompts that ask for a reason."""
    done, wrong = _done(record, narrative, asking), _went_wrong(record)
    if done and wrong:
        wrong[0] = f"On the way, {wrong[0][0].lower()}{wrong[0][1:]}"
    return _counted([*done, *wrong, *_not_finished(record, narrative)]) or ["It went on."]


def _done(record: StepRecord, narrative: Narrative, asking: Collection[str]) -> list[str]:
    """What was done at a step."""
    told = [] if any(narrative.decision(event.action).names_the_cut for event in record.decisions) else _cut(record.events)
    if lost := sum(count for event in record.asked for _, count in event.left_out):
        told.append(f"{lost} of the texts it carried along did not fit into the model's window and {were(lost)} left out.")
    told += [*_texts(record, narrative), *narrative.sentences(record), *_written_over(record)]
    told += _unexplained(record.events, asking)
    if began := _began(record, narrative):
        told.append(f"It opened {began} and began to read it.")
    told += [
        f"{ENDINGS[event.outcome]}: {reason_in_plain_words(event.reason)}." for event in record.events if isinstance(event, Ended)
    ]
    told += _answered(record, narrative)
    if not told and not _went_wrong(record) and (place := record.place_name()):
        in_full = record.trace.raw_at[record.step.number]
        told.append(
            f"It opened {place} and read it in full." if in_full else f"It opened {place}, for its next call to show in full."
        )
    return told


def _began(record: StepRecord, narrative: Narrative) -> str:
    """The place that it began to read, where nothing else is told of the step."""
    happened = [*_texts(record, narrative), *narrative.sentences(record), *_answered(record, narrative)]
    return "" if happened else record.began_to_read


def _not_finished(record: StepRecord, narrative: Narrative) -> Iterator[str]:
    """For the last step of a record that stops there: that this step, or the step begun after it, is not finished."""
    open_steps = record.trace.open_steps
    if record.trace.end or not open_steps or record.step.number + 1 < len(record.trace.steps):
        return
    if not record.unfinished:
        begun = narrative.step(open_steps[-1]) if len(open_steps) > 1 else narrative.phase(open_steps[0])
        yield f"The step “{capitalised(begun)}” has begun and is not finished."
    elif not _began(record, narrative):
        yield "This step has begun and is not finished."


def _counted(told: Sequence[str]) -> list[str]:
    """Sentences, with repetitions in a row replaced by one sentence that says how often it happened."""
    counts = [(words, len(list(same))) for words, same in groupby(told)]
    return [f"{words} That happened {count} times." if count > 1 else words for words, count in counts]


def _texts(record: StepRecord, narrative: Narrative) -> Iterator[str]:
    """What was written: the memory, or other texts and what had to replace some of them."""
    memories = [event for event in record.wrote if event.role == MEMORY]
    for wrote in memories:
        yield from memory_snapshots.rewritten(_memory_before(record.trace, wrote), wrote, record, narrative)
    if not memories:
        yield from _written(record, narrative)
        yield from _replaced(record)


def _written_over(record: StepRecord) -> Iterator[str]:
    """What the memory lost when a step rewrote it: placed after what was added and what was searched for."""
    for wrote in record.wrote:
        if wrote.role == MEMORY:
            yield from memory_snapshots.written_over(record.trace, wrote)


def _cut(events: Sequence[Event]) -> list[str]:
    return [f"It cut the text into {_parts(len(event.spans))}." for event in events if isinstance(event, Cut)]


def _went_wrong(record: StepRecord) -> list[str]:
    """The replies that could not be used, and those that were not whole, each with every different reason. Those with which a
    reading ended are told as its end."""
    found = [event for event in record.events if isinstance(event, Misread)]
    ended = any(isinstance(event, Ended) and UNREAD in event.reason for event in record.events)
    misreads = [in_plain_words(event.problem) for event in found if not ended or event.seq != found[-1].seq]
    cut = [event.problem for event in record.events if isinstance(event, CutOff)]
    told = []
    if misreads:
        what = "A reply" if len(misreads) == 1 else f"{len(misreads)} replies"
        told.append(f"{what} of the model could not be used ({_reasons(misreads)}), so it was asked again.")
    if len(cut) == 1:
        told.append(f"A reply was not whole ({cut[0]}); it was used as far as it went.")
    elif cut:
        told.append(f"{len(cut)} replies were not whole ({_reasons(cut)}); they were used as far as they went.")
    return told


def _reasons(problems: Sequence[str]) -> str:
    """Every different problem, the most frequent first; where there are several, with how often each came. Problems that differ
    only in a size are one, with the least and the most."""
    sizes: dict[tuple[str, str, str], list[str]] = {}
    for problem in problems:
        found = _SIZED.fullmatch(problem)
        what, before, size, unit = found.groups() if found else (problem, "", "", "")
        sizes.setdefault((what, before, unit), []).append(size)
    if len(sizes) == 1:
        [((what, before, unit), found_sizes)] = sizes.items()
        return f"{what}{before}{_range(found_sizes)}{unit}"
    told = [
        f"{times(len(found_sizes))}, {what}{before.replace('; there was', ', with')}{_range(found_sizes)}{unit}"
        for (what, before, unit), found_sizes in sorted(sizes.items(), key=lambda item: -len(item[1]))
    ]
    return "; ".join(told)


def _range(sizes: Iterable[str]) -> str:
    ordered = sorted(sizes, key=lambda size: (len(size), size))
    least, most = ordered[0], ordered[-1]
    return least if least == most else f"{least} to {most}"


def _unexplained(events: Sequence[Event], asking: Collection[str]) -> list[str]:
    """Choices without the reason that was asked for. The first decision after a call is what its reply chose; where a rule
    overruled the reply, the decision has that as its reason."""
    found, waiting = 0, False
    for event in events:
        if isinstance(event, Asked):
            waiting = event.prompt in asking and event.attempt is not None
        elif isinstance(event, Chose):
            found += waiting and not event.because.strip()
            waiting = False
    if not found:
        return []
    return ["The reply gave no reason for it." if found == 1 else f"{found} replies gave no reason for their choice."]


def _written(record: StepRecord, narrative: Narrative) -> Iterator[str]:
    """How many texts were written, and what of: the document, one earlier text, or several put together."""
    wrote = [event for event in record.wrote if event.role not in narrative.roles_in_decisions]
    parents = {event.n: record.trace.parent_texts(event.pieces) for event in wrote}
    if fresh := [event for event in wrote if not parents[event.n]]:
        each = f", one for each {narrative.stands_for.get(fresh[0].role, 'part')}" if len(fresh) > 1 else ""
        yield f"It wrote {_some(len(fresh), fresh[0].role)}{each}."
    if built := [event for event in wrote if len(parents[event.n]) == 1]:
        earlier = record.trace.wrote[parents[built[0].n][0]].role
        which = " that builds" if len(built) == 1 else ", each of which builds"
        yield f"It wrote {_some(len(built), built[0].role)}{which} on an earlier {singular(earlier)}."
    if joined := [event for event in wrote if len(parents[event.n]) > 1]:
        yield _put_together(joined)


def _put_together(joined: Sequence[Wrote]) -> str:
    """Texts that were made of several earlier ones."""
    count, role = len(joined), joined[0].role
    shortened = sum(any(refs.kind(piece.origin) == "reply" for piece in event.pieces) for event in joined)
    how = "" if not shortened else " and shortened it" if count == 1 else f" and shortened {shortened} of them"
    return f"It put neighbouring {plural(role)} together into {'one' if count == 1 else _some(count, role)}{how}."


def _memory_before(trace: Trace, wrote: Wrote) -> str | None:
    """The memory that this one was written over; None for the first."""
    earlier = (trace.wrote[n] for n in range(wrote.n - 1, -1, -1))
    return next((event.text for event in earlier if event.role == MEMORY), None)


def _replaced(record: StepRecord) -> Iterator[str]:
    """What had to replace or shorten what the model wrote."""
    if count := sum(event.picked == FIRST_SENTENCES for event in record.decisions_of("fallback")):
        yield f"For {_parts(count)} nothing could be used of what the model wrote; the first sentences stand there instead."
    if count := len(record.decisions_of("truncate")):
        yield f"{_some(count, 'text').capitalize()} {were(count)} too long and {were(count)} cut at the end of a sentence."


def _answered(record: StepRecord, narrative: Narrative) -> list[str]:
    """The answer, and what it was made from; or that it says there is none."""
    for event in record.events:
        if isinstance(event, Answered):
            if none_given("answered", event.text):
                return [NONE_ANSWERED]
            made_from = _made_from(event, record, narrative)
            return [f"It answered “{shorten_at_word(event.text, LONGEST_ANSWER)}”{f', from {made_from}' if made_from else ''}."]
    return []


def _made_from(answer: Answered, record: StepRecord, narrative: Narrative) -> str:
    """What the model was shown in the calls that gave the answer: the places that were shown raw, then what was written."""
    trace = record.trace
    asked = (trace.asked[seq] for seq in sorted(trace.calls_behind(answer.pieces)))
    texts = [pieces for event in asked for _, texts in event.parts for pieces in texts]
    raw = _places([piece for pieces in texts for piece in pieces if piece.origin == DOCUMENT], record)
    written = dict.fromkeys(refs.written(piece.origin) for pieces in texts for piece in pieces)
    roles = Counter(trace.wrote[n].role for n in written if n is not None and n in trace.wrote)
    written_texts = []
    for role, count in roles.items():
        called = narrative.carried if role == MEMORY else role
        both = f"the {called}" if count == 1 else f"the {called} and an earlier one"
        written_texts.append(both if role == MEMORY and count < 3 else _some(count, called))
    shown = f"{raw}, shown raw" if raw else ""
    return ", and ".join(told for told in (shown, listed(written_texts)) if told)


def _listed_together(names: Sequence[str]) -> str:
    """`pages 4, 5 and 8` where all are so called; otherwise the names as they are; of many the first."""
    words = {name.rpartition(" ")[0] for name in names}
    numbered = len(names) > 1 and len(words) == 1 and all(name[-1:].isdigit() for name in names)
    if not numbered:
        return listed(names, most=MOST_NAMED)
    return f"{plural(words.pop())} {listed([name.rpartition(' ')[2] for name in names], most=MOST_NAMED)}"


def _places(pieces: Iterable[Piece], record: StepRecord) -> str:
    """The reader's names for what these pieces of the document are, in its order; or for what they are places in."""
    text = record.trace.document.text
    named = [
        (end - start, start, end, name) for ref, name in record.names.items() for start, end in filter(None, [refs.span(ref)])
    ]
    whole: dict[str, None] = {}
    inside: dict[str, None] = {}
    for piece in sorted(pieces, key=lambda piece: piece.begin):
        near = [place for place in named if place[1] < piece.stop and piece.begin < place[2]]
        held = [name for _, start, end, name in near if not (text[start : piece.begin] + text[piece.stop : end]).strip()]
        whole |= dict.fromkeys(held)
        if not held:
            inside[min(near)[3] if near else "the text"] = None
    places = [f"places in {_listed_together(list(inside))}"] if inside else []
    return listed([_listed_together(list(whole)), *places] if whole else places)


def _parts(count: int) -> str:
    return "one part" if count == 1 else f"{count} parts"


def _some(count: int, role: str) -> str:
    return with_article(role) if count == 1 else f"{count} {plural(role)}"
