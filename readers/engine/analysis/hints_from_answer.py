"""Hints that rest on the known answer to a question, or on where the text gives it. They give both away, so they are only for
people who may know.

Pure. Evidence "stood in a prompt" when some of its characters did. A summary "no longer says" it when the matcher of facts calls
every sentence of it lost, whatever other words survive. A memory "has" the known answer when one sentence has all of its words;
long answers, yes and no, choices, and answers made of the question's own words have no such hint, for their words say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from readers.engine.analysis.facts.follow import evidence_of
from readers.engine.analysis.facts.matcher import ComparableFact, match
from readers.engine.analysis.memory_snapshots import Snapshot, snapshots
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.normalise_answer import comparable_words
from readers.engine.record.hint import Hint, HintSource, overlap, steps_of
from readers.engine.run.reader import Reader
from readers.engine.text import refs, split
from readers.engine.text.document import Span
from readers.engine.text.phrases import listed, some
from readers.engine.text.words import term

_LONGEST = 6  # words of a known answer; a longer one may be said in other words
_SAYING_NOTHING = frozenset({"yes", "no", "true", "false"})


def hints_from_answer(source: HintSource, reader: Reader, known: KnownAnswer) -> list[Hint]:
    """Every such hint, in no order that matters. Evidence outside the text is ignored."""
    length = len(source.trace.document.text)
    evidence = [Span(*span) for span in known.evidence if 0 <= span[0] < span[1] <= length]
    found = list(_in_memories(source, known))
    if evidence:
        facts = evidence_of(known, source.trace.document)
        found += [*_in_prompts(source, evidence), *_lacking(source, facts), *reader.hints_from_evidence(source, evidence)]
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
        if 1 < seen == len(evidence):
            told = f"{'Both' if seen == 2 else f'All {seen}'} passages of the known evidence"
        yield Hint("evidence_seen", steps, f"{told} stood in the prompt here.")


def _lacking(source: HintSource, facts: Sequence[Span]) -> Iterator[Hint]:
    """Gists and summaries of a part with evidence that no longer say any of it."""
    lacking = []
    role = ""
    for step, event in source.wrote("gist", "summary"):
        inside = [
            fact for fact in facts if any(a.start <= fact.start and fact.end <= a.end for a in source.trace.sources(event.pieces))
        ]
        if inside and all(_lost(source, fact, event.text) for fact in inside):
            role = event.role
            lacking.append((step, source.name_of(refs.wrote(event.n), "")))
    if lacking:
        named = listed([name for _, name in lacking if name], most=4)
        where = f": {named}" if named else ""
        told = f"{some(len(lacking), role)} of a part with known evidence no longer {'says' if len(lacking) == 1 else 'say'} it"
        yield Hint("evidence_lost", steps_of(lacking), f"{told[0].upper()}{told[1:]}{where}.")


def _lost(source: HintSource, fact: Span, text: str) -> bool:
    whole = source.trace.document.text
    return match(ComparableFact.of(whole[fact.start : fact.end], whole), text).verdict == "lost"


def _in_memories(source: HintSource, known: KnownAnswer) -> Iterator[Hint]:
    """When a sentence with the words of a known answer came into the memory, and when it went. Of several, any one is enough,
    unless all are required."""
    answers = [answer for answer in known.answers if _words(answer)]
    every = [about for answer in answers if (about := _telling(answer, known))]
    found = snapshots(source.trace)
    if not found or len(every) < len(answers) or not every:
        return
    which = "any known answer" if len(every) > 1 and not known.all_required else "the known answer"
    enough = all if known.all_required else any
    held = [[_words(snapshot.text[start:end]) for start, end in split.sentences(snapshot.text)] for snapshot in found]
    having = [number for number, there in enumerate(held) if enough(any(about <= one for one in there) for about in every)]
    if not having:
        yield Hint("never_remembered", (), f"No sentence of a {source.carried} has all the words of {which}.")
        return
    which = which.replace("any", "a")
    came = [number for number in having if number - 1 not in having]
    lost = [number + 1 for number in having if number + 1 not in having and number + 1 < len(found)]
    steps = tuple(found[number].step + 1 for number in came)
    kept = source.carried
    yield Hint("remembered", steps, f"A sentence with all the words of {which} came into the {kept} at {_chunks(found, came)}.")
    if lost:
        steps = tuple(found[number].step + 1 for number in lost)
        last = "" if having[-1] + 1 == len(found) else f", and the last {kept} has no such sentence"
        yield Hint("forgotten", steps, f"The words of {which} went out of the {kept} at {_chunks(found, lost)}{last}.")


def _telling(answer: str, known: KnownAnswer) -> frozenset[str]:
    """The words of a known answer by which a memory can be seen to have it; none where they say nothing."""
    about = _words(answer)
    lettered = bool(known.choices) or len(answer.strip(" ().")) == 1
    if lettered or len(comparable_words(answer)) > _LONGEST or about <= _SAYING_NOTHING or about <= _words(known.question):
        return frozenset()
    return about


def _words(text: str) -> frozenset[str]:
    return frozenset(term(word) for word in comparable_words(text))


def _chunks(found: Sequence[Snapshot], numbers: Sequence[int]) -> str:
    return listed((f"chunk {found[number].number}" for number in numbers), most=4)
