"""Hints that rest on the known answer to a question, or on where the text gives it. They give both away, so they are only for
people who may know.

Pure. Evidence "stood in a prompt" when some of its characters did; a text "has none of its words" when it shares no less common
word with it, compared by stems.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from readers.engine.analysis.memory_snapshots import Snapshot, snapshots
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.hint import Hint, HintSource, content_words, overlap, steps_of
from readers.engine.run.reader import Reader
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.engine.text.phrases import listed, some
from readers.engine.text.words import terms


def hints_from_answer(source: HintSource, reader: Reader, known: KnownAnswer) -> list[Hint]:
    """Every such hint, in no order that matters. Evidence outside the text is ignored."""
    length = len(source.trace.document.text)
    evidence = [Span(*span) for span in known.evidence if 0 <= span[0] < span[1] <= length]
    found = list(_in_memories(source, known.answers))
    if evidence:
        found += [*_in_prompts(source, evidence), *_lacking(source, evidence), *reader.hints_from_evidence(source, evidence)]
    return [hint._replace(known=True) for hint in found]


def _in_prompts(source: HintSource, evidence: Sequence[Span]) -> Iterator[Hint]:
    """Which of the evidence the model ever saw, and at which steps."""
    asked = [(step, source.trace.spans_shown(event.seq)) for step, event in source.asked()]
    there = [[step for step, spans in asked if overlap(spans, [span])] for span in evidence]
    after = " after the memory was built" if source.trace.built_until else ""
    seen = sum(map(bool, there))
    if seen < len(evidence):
        never = len(evidence) - seen
        which = "the known evidence" if seen == 0 else f"{some(never, 'passage')} of the known evidence"
        yield Hint("evidence_unseen", (), f"{which[0].upper()}{which[1:]} never stood in a prompt{after}.")
    if seen:
        steps = tuple(sorted({step for found in there for step in found}))
        told = "The known evidence" if len(evidence) == 1 else f"{seen} of {len(evidence)} passages of the known evidence"
        yield Hint("evidence_seen", steps, f"{told} stood in the prompt here.")


def _lacking(source: HintSource, evidence: Sequence[Span]) -> Iterator[Hint]:
    """Gists and summaries that stand for evidence and have none of its words."""
    text = source.trace.document.text
    lacking = []
    role = ""
    for step, event in source.wrote("gist", "summary"):
        sources = source.trace.sources(event.pieces)
        inside = [text[max(a.start, b.start) : min(a.end, b.end)] for a in sources for b in evidence]
        about = content_words(" ".join(inside))
        if about and not about & set(terms(event.text)):
            role = event.role
            lacking.append((step, source.name_of(refs.wrote(event.n), "")))
    if lacking:
        named = listed([name for _, name in lacking if name], most=4)
        where = f": {named}" if named else ""
        told = (
            f"{some(len(lacking), role)} of a part with known evidence {'has' if len(lacking) == 1 else 'have'} none of its words"
        )
        yield Hint("evidence_lost", steps_of(lacking), f"{told[0].upper()}{told[1:]}{where}.")


def _in_memories(source: HintSource, answers: Sequence[str]) -> Iterator[Hint]:
    """When the words of a known answer came into the memory, and when they went. Of several, any one is enough."""
    every = [about for answer in answers if (about := content_words(answer) or frozenset(terms(answer)))]
    found = snapshots(source.trace)
    if not found or not every:
        return
    which = "the known answer" if len(every) == 1 else "any known answer"
    held = [set(terms(snapshot.text)) for snapshot in found]
    having = [number for number, there in enumerate(held) if any(about <= there for about in every)]
    if not having:
        yield Hint("never_remembered", (), f"No memory has all the words of {which}.")
        return
    which = which.replace("any", "a")
    came = [number for number in having if number - 1 not in having]
    lost = [number + 1 for number in having if number + 1 not in having and number + 1 < len(found)]
    steps = tuple(found[number].step + 1 for number in came)
    yield Hint("remembered", steps, f"All the words of {which} came into the memory at {_chunks(found, came)}.")
    if lost:
        steps = tuple(found[number].step + 1 for number in lost)
        last = "" if having[-1] + 1 == len(found) else ", and the last memory does not have them all"
        yield Hint("forgotten", steps, f"Words of {which} went out of the memory at {_chunks(found, lost)}{last}.")


def _chunks(found: Sequence[Snapshot], numbers: Sequence[int]) -> str:
    return listed((f"chunk {found[number].number}" for number in numbers), most=4)
