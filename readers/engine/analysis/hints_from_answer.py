"""Hints that rest on what is known of a question: where the evidence stands, and the right answer. They give away both, so they
are only for those who may know.

Pure, as `signals.py`, which calls this when it is asked to reveal. Evidence "stood in a prompt" when some of its characters did;
a text "has none of its words" when it shares no less common word with it, by their stems.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from readers.engine.analysis import memory_snapshots, narrate_graph
from readers.engine.analysis.hint import Shown, Signal, content, meet, some, steps_of, times
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Chose, Looked
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.engine.text.words import terms


def with_known(shown: Shown, known: KnownAnswer) -> list[Signal]:
    """Every such hint, in no order that matters. Evidence outside the text is not looked at."""
    length = len(shown.trace.document.text)
    evidence = [Span(*span) for span in known.evidence if 0 <= span[0] < span[1] <= length]
    found = list(_in_memories(shown, known.answers))
    if evidence:
        found += [*_in_prompts(shown, evidence), *_lacking(shown, evidence), *_walked(shown, evidence)]
        found += [*_opened(shown, evidence), *_answerable(shown, evidence)]
    return [signal._replace(known=True) for signal in found]


def _in_prompts(shown: Shown, evidence: Sequence[Span]) -> Iterator[Signal]:
    """Which of the evidence ever stood before the model, and at which steps."""
    asked = [(step, shown.trace.spans_shown(event.seq)) for step, event in shown.asked()]
    there = [[step for step, spans in asked if meet(spans, [span])] for span in evidence]
    after = " after the memory was built" if shown.trace.built_until else ""
    seen = sum(map(bool, there))
    if seen < len(evidence):
        never = len(evidence) - seen
        which = "the known evidence" if seen == 0 else f"{some(never, 'passage')} of the known evidence"
        yield Signal("evidence_unseen", (), f"{which[0].upper()}{which[1:]} never stood in a prompt{after}.")
    if seen:
        steps = tuple(sorted({step for found in there for step in found}))
        told = "The known evidence" if len(evidence) == 1 else f"{seen} of {len(evidence)} passages of the known evidence"
        yield Signal("evidence_seen", steps, f"{told} stood in the prompt here.")


def _lacking(shown: Shown, evidence: Sequence[Span]) -> Iterator[Signal]:
    """Gists and summaries that stand for evidence and have none of its words."""
    text = shown.trace.document.text
    lacking = []
    role = ""
    for step, event in shown.wrote("gist", "summary"):
        sources = shown.trace.sources(event.pieces)
        inside = [text[max(a.start, b.start) : min(a.end, b.end)] for a in sources for b in evidence]
        about = content(" ".join(inside))
        if about and not about & set(terms(event.text)):
            role = event.role
            lacking.append((step, shown.called(refs.wrote(event.n), "")))
    if lacking:
        named = narrate_graph.listed([name for _, name in lacking if name], most=4)
        where = f": {named}" if named else ""
        told = (
            f"{some(len(lacking), role)} of a part with known evidence {'has' if len(lacking) == 1 else 'have'} none of its words"
        )
        yield Signal("evidence_lost", steps_of(lacking), f"{told[0].upper()}{told[1:]}{where}.")


def _walked(shown: Shown, evidence: Sequence[Span]) -> Iterator[Signal]:
    """Down a tree: evidence passed over, left again, or not where the answer came from."""
    entered = shown.chose("enter")
    if not entered:
        return
    passed = [(step, event) for step, event in entered if _passed_over(shown, event, evidence)]
    if passed:
        told = f"An option that stands for known evidence was offered, and another was taken, {times(len(passed))}."
        yield Signal("passed_over", steps_of(passed), told)
    places = dict(_places(shown))
    left = [(step, event) for step, event in shown.chose("revert") if meet(places.get(step, ()), evidence)]
    if left:
        told = f"It went back up from a part of the text that holds known evidence, {times(len(left))}."
        yield Signal("left_evidence", steps_of(left), told)
    elsewhere = [(step, event) for step, event in shown.chose("commit") if not meet(places.get(step, ()), evidence)]
    if elsewhere:
        yield Signal("answered_elsewhere", steps_of(elsewhere), "It answered from a part of the text without known evidence.")


def _passed_over(shown: Shown, event: Chose, evidence: Sequence[Span]) -> bool:
    if meet(shown.stands_for(event.picked), evidence):
        return False
    return any(meet(shown.stands_for(ref), evidence) for ref in event.among)


def _places(shown: Shown) -> Iterator[tuple[int, list[Span]]]:
    """What stood open as it is in the text, by step."""
    for step, event in shown.of(Looked):
        if event.spans:
            yield step, list(event.spans)


def _opened(shown: Shown, evidence: Sequence[Span]) -> Iterator[Signal]:
    """Of pages and gists: the pages with evidence that were not opened for the question."""
    gists = shown.wrote("gist")
    if not gists or not any(step.phase == "look-up" for step in shown.trace.steps):
        return
    kept = {event.picked for _, event in shown.chose("look_up")} - {event.picked for _, event in shown.chose("put_back")}
    closed = [
        shown.called(refs.wrote(event.n), "a page")
        for _, event in gists
        if refs.wrote(event.n) not in kept and meet(shown.trace.sources(event.pieces), evidence)
    ]
    if closed:
        steps = tuple(step.number + 1 for step in shown.trace.steps if step.names[-1].startswith("request"))
        told = f"Known evidence stands on what was not opened: {narrate_graph.listed(dict.fromkeys(closed), most=4)}."
        yield Signal("evidence_closed", steps, told)


def _answerable(shown: Shown, evidence: Sequence[Span]) -> Iterator[Signal]:
    """Over a graph: said to be answerable with no evidence in view."""
    trials = {step.number + 1 for step in shown.trace.steps if narrate_graph.tells(step.names)}
    views = dict(_places(shown))
    early = [(step, event) for step, event in shown.chose("commit") if step in trials and not meet(views.get(step, ()), evidence)]
    if early:
        yield Signal("answerable_early", steps_of(early), "It said it could answer with no known evidence in view.")


def _in_memories(shown: Shown, answers: Sequence[str]) -> Iterator[Signal]:
    """When the words of a known answer came into the memory, and when they went. Of several, any one is enough."""
    every = [about for answer in answers if (about := content(answer) or frozenset(terms(answer)))]
    found = memory_snapshots.snapshots(shown.trace)
    if not found or not every:
        return
    which = "the known answer" if len(every) == 1 else "any known answer"
    held = [set(terms(snapshot.text)) for snapshot in found]
    having = [number for number, there in enumerate(held) if any(about <= there for about in every)]
    if not having:
        yield Signal("never_remembered", (), f"No memory has all the words of {which}.")
        return
    which = which.replace("any", "a")
    came = [number for number in having if number - 1 not in having]
    lost = [number + 1 for number in having if number + 1 not in having and number + 1 < len(found)]
    steps = tuple(found[number].step + 1 for number in came)
    yield Signal("remembered", steps, f"All the words of {which} came into the memory at {_chunks(found, came)}.")
    if lost:
        steps = tuple(found[number].step + 1 for number in lost)
        last = "" if having[-1] + 1 == len(found) else ", and the last memory does not have them all"
        yield Signal("forgotten", steps, f"Words of {which} went out of the memory at {_chunks(found, lost)}{last}.")


def _chunks(found: Sequence[memory_snapshots.Snapshot], numbers: Sequence[int]) -> str:
    return narrate_graph.listed((f"chunk {found[number].number}" for number in numbers), most=4)
