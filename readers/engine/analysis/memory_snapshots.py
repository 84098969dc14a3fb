"""The memory after each chunk, only from events, what a step changed in it, in words, and which of its sentences may be kept at
the next one, for readers that overwrite one memory chunk by chunk (`run/bounded_memory.py`). Pure.

The step of a chunk has a name such as `chunk 3`; the n-th chunk is the n-th span that was cut. Not here: what became of each
sentence of the memory (`sentence_history.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, zip_longest
from typing import Any, ClassVar, NamedTuple

from readers.engine.analysis.sentence_history import CAME, CHANGED, SentenceHistories, sentence_histories
from readers.engine.record.events import Chose, Event, Wrote
from readers.engine.record.narrative import Narrative, StepOption, StepRecord
from readers.engine.record.trace import Trace
from readers.engine.run.bounded_memory import MEMORY, NOTHING_YET, stayed
from readers.engine.run.reader import ReadingState
from readers.engine.text import refs, split, tokens, words
from readers.engine.text.document import Span
from readers.engine.text.phrases import counted
from readers.engine.text.shorten import shorten_at_word

CHUNK = "chunk"
LONGEST_EXCERPT = 120  # characters that are quoted of a memory
LIMITS = ("memory_tokens", "summary_tokens", "message_tokens")  # what options call the limit of a memory


class Snapshot(NamedTuple):
    """The memory after chunk `number` (from 1), which was read at step `step`; `ref` names it, and is empty for the memory that a
    reading begins with."""

    step: int
    number: int
    chunk: Span
    text: str
    ref: str
    truncated: bool
    events: tuple[Event, ...]


class MemoryState(ReadingState):
    """The results of the events of a reader that reads chunk by chunk into one memory. `first` is what its prompts hold in place
    of a memory at the beginning, `carried` its word for a memory."""

    first: ClassVar[str] = NOTHING_YET
    carried: ClassVar[str] = MEMORY

    @cached_property
    def snapshots(self) -> list[Snapshot]:
        """One for each chunk that was read to its end."""
        found: list[Snapshot] = []
        text, ref = "", ""
        for step in self.trace.steps if self.trace.first_cut else ():
            kind, _, number = step.names[-1].partition(" ") if step.names else ("", "", "")
            if kind != CHUNK:
                continue
            events = self.trace.of(step)
            wrote = next((event for event in events if isinstance(event, Wrote) and event.role == MEMORY), None)
            if wrote:
                text, ref = wrote.text, refs.wrote(wrote.n)
            elif not any(isinstance(event, Chose) and stayed(event) for event in events):
                continue
            cut = any(isinstance(event, Chose) and event.action == "truncate" for event in events)
            found.append(Snapshot(step.number, int(number), self.trace.first_cut[int(number) - 1], text, ref, cut, events))
        return found or list(self._uncut())

    def _uncut(self) -> Iterator[Snapshot]:
        """The memories of a reading that cut no chunks, each with what its step was shown raw, from the first place to the
        last."""
        for step, event in self.trace.by_step() if not self.trace.first_cut else ():
            if isinstance(event, Wrote) and event.role == MEMORY:
                raw = self.trace.raw_at[step.number] or (Span(0, 0),)
                shown = Span(raw[0].start, raw[-1].end)
                yield Snapshot(step.number, step.number + 1, shown, event.text, refs.wrote(event.n), False, self.trace.of(step))

    @cached_property
    def histories(self) -> SentenceHistories:
        """The history of every sentence, by memory: what a step changed is told and drawn from this alone."""
        return sentence_histories(snapshot.text for snapshot in self.snapshots)

    @cached_property
    def number_of(self) -> Mapping[str, int]:
        """The number of a memory, from 0, by its ref."""
        return {one.ref: number for number, one in reversed([*enumerate(self.snapshots)])}

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The snapshots as the run file has them."""
        return [
            {
                "step": snapshot.step,
                "start": snapshot.chunk.start,
                "end": snapshot.chunk.end,
                "memory": (memory := snapshot.text if snapshot.ref else self.first),
                "tokens": size(memory),
                "truncated": snapshot.truncated,
                "callback": self.callback(snapshot),
            }
            for snapshot in self.snapshots
        ]

    def callback(self, snapshot: Snapshot) -> dict[str, Any] | None:
        """The look back at a snapshot, where the reader looks back."""
        return None

    def view(self) -> dict[str, Any]:
        """The memory after each chunk."""
        return {"snapshots": self.rows}

    def names(self) -> dict[str, str]:
        """`chunk 3` and `memory after chunk 3`, by the refs of the chunk and of the memory written after it."""
        called = {refs.place(start, end): f"{CHUNK} {number}" for number, (start, end) in enumerate(self.trace.first_cut, 1)}
        return called | {one.ref: f"{self.carried} after {CHUNK} {one.number}" for one in reversed(self.snapshots) if one.ref}


def snapshots(trace: Trace) -> list[Snapshot]:
    """The memory after each chunk, of any reading; none where no memory is kept."""
    return MemoryState.of(trace).snapshots


def kept(before: str, after: str) -> float | None:
    """The share of a memory's words that the next one still has, 0 to 1; None if it had no words."""
    had = _terms(before)
    return (had & _terms(after)).total() / had.total() if had else None


@lru_cache(maxsize=2)
def _terms(text: str) -> Counter[str]:
    """Cached because each memory is compared with its predecessor and its successor."""
    return Counter(words.terms(text))


@lru_cache(maxsize=2048)
def size(text: str) -> int:
    """The tokens of a memory; cached because the page asks for the same memories repeatedly."""
    return tokens.count(text)


class MemoryNarrative(Narrative):
    """What readers have in common that read chunk by chunk into one memory."""

    phases: ClassVar[Mapping[str, str]] = {CHUNK: "Reading"}

    def sentence(self, decision: Chose, record: StepRecord) -> Iterator[str]:
        if decision.action == "stop":
            yield f"It stopped reading at {decision.picked}, because {decision.because}."
        else:
            yield from super().sentence(decision, record)

    def may_be_kept(self, record: StepRecord) -> Iterator[StepOption]:
        return may_be_kept(record, self.carried)


def rewritten(before: str | None, wrote: Wrote, record: StepRecord, narrative: Narrative) -> Iterator[str]:
    """What a step changed in the memory; `before` is None if there was no memory yet."""
    read = narrative.read(record)
    if before is None:
        yield f"{read} and wrote its first {narrative.carried}."
    elif before.split() == wrote.text.split():
        yield f"{read} and left the {narrative.carried} as it was."
    else:
        yield f"{read} and wrote the {narrative.carried} anew{_came_in(record.trace, wrote)}."
    for event in record.decisions_of("truncate"):
        yield f"It was cut at the end of a sentence: {event.because}."


def _came_in(trace: Trace, wrote: Wrote) -> str:
    """How many sentences of a memory came in and how many changed, the first of them quoted, and how many stayed; nothing of a
    memory that no chunk gave."""
    state = MemoryState.of(trace)
    number = state.number_of.get(refs.wrote(wrote.n))
    if number is None:
        return ""
    row = state.histories.memories[number]
    came, changed = ([place for place in row if place.how in hows] for hows in (CAME, CHANGED))
    told = [f"{counted(len(some), 'sentence')} {verb}" for some, verb in ((came, "came in"), (changed, "changed")) if some]
    if told:
        told[0] += f" (“{excerpt(state.histories.words((came or changed)[0]))}”)"
    stayed = len(row) - len(came) - len(changed)
    as_it_stood = f"{counted(stayed, 'sentence')} stayed as {'it' if stayed == 1 else 'they'} stood"
    return f": {', '.join([*told, as_it_stood if stayed else 'nothing stayed as it stood'])}"


def written_over(trace: Trace, wrote: Wrote) -> Iterator[str]:
    """How many sentences of the previous memory are gone, the first of them quoted; nothing if none is."""
    state = MemoryState.of(trace)
    number = state.number_of.get(refs.wrote(wrote.n))
    if number is not None and (gone := state.histories.lost(number)):
        yield f"{counted(len(gone), 'sentence')} {'is' if len(gone) == 1 else 'are'} written over (“{excerpt(gone[0])}”)."


def excerpt(words: str) -> str:
    """Words on one line, shortened."""
    return shorten_at_word(words, LONGEST_EXCERPT)


# What a person predicts of a memory that is rewritten

MOST, MOST_KEPT = 6, 3  # sentences in total, and those of them that are kept
FEWEST_WORDS = 8  # a shorter sentence, such as a heading, says too little
COMPARED = 12  # sentences of the memory, and as many of the chunk, that are matched at most: the nearest
_Sentence = tuple[str, str, str]  # of the memory before or of the chunk: its name, its text, its ref if it is of the chunk


def may_be_kept(record: StepRecord, carried: str) -> Iterator[StepOption]:
    """The sentences that a memory may keep, in order, those of the memory before first; none if no call rewrote it at this step.
    `carried` is the reader's word for the memory.

    They are the most similar in words, among those that the new memory states and among those that it does not. The rules of
    `facts/matcher.py` decide; a sentence that they cannot decide is left out.
    """
    after = next((event.text for event in record.wrote if event.role == MEMORY), "")
    if not after or not record.asked:
        return
    events, document = record.trace.events[: record.step.start], record.trace.document.text
    before = next((event.text for event in reversed(events) if isinstance(event, Wrote) and event.role == MEMORY), "")
    chunk = record.opened.spans[0] if record.opened and record.opened.spans else Span(0, 0)
    sources = (
        [(name, text, "") for name, text, _ in _sentences_in(before, Span(0, len(before)), f"the {carried}")],
        list(_sentences_in(document, chunk, record.place_name("the text"))),
    )
    around = f"{before}\n\n{document[slice(*chunk)]}"
    kept: list[_Sentence] = []
    gone: list[_Sentence] = []
    for one, is_stated in filter(None, chain.from_iterable(zip_longest(*(_stated(each, after, around) for each in sources)))):
        (kept if is_stated else gone).append(one)
        if len(kept) >= MOST_KEPT and len(gone) >= MOST - MOST_KEPT:
            break
    offered = {*kept[:MOST_KEPT], *gone[: MOST - min(len(kept), MOST_KEPT)]}
    shown = [one for sentences in sources for one in sentences if one in offered]
    for number, (name, text, ref) in enumerate(shown, 1):
        yield StepOption(name, str(number), name, (name, text, ref) in kept, ref, text)


def _sentences_in(text: str, within: Span, where: str) -> Iterator[_Sentence]:
    for number, span in enumerate(split.sentences(text, within), 1):
        said = " ".join(text[slice(*span)].split())
        if words.count(said) >= FEWEST_WORDS:
            yield f"sentence {number} of {where}", said, refs.place(*span)


def _stated(sentences: Sequence[_Sentence], after: str, around: str) -> Iterator[tuple[_Sentence, bool]]:
    """Whether a memory states each of the sentences nearest to it, the nearest first; without those that the rules cannot
    decide."""
    # Needed only for predictions, so no command waits for them.
    from readers.engine.analysis.facts.matcher import ComparableFact, match
    from readers.engine.analysis.sentence_history import weights

    own = weights(after)
    shared = {one: sum(weight for word, weight in weights(one[1]).items() if word in own) for one in sentences}
    for one in sorted({one[1]: one for one in sentences}.values(), key=lambda one: -shared[one])[:COMPARED]:
        verdict = match(ComparableFact.of(one[1], around), after).verdict
        if verdict != "unclear":
            yield one, verdict == "carried"
