"""QRMeM's own actions, and how the graph is described: how it was built, and what was weighed, followed, added and filtered.

A reason is quoted as the model's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import ClassVar, Literal

from readers.engine.record.events import Chose
from readers.engine.record.narrative import ActionDisplay, Narrative, StepRecord, reason_in_plain_words
from readers.engine.record.scores import shortened
from readers.engine.record.trace import BUILD
from readers.engine.text import refs
from readers.engine.text.phrases import capitalised, listed, listed_by_number, some, were
from readers.engine.text.shorten import shorten
from readers.qrmem.prompts import ENTITIES, MERGE_QUESTION

Action = Literal[
    "add", "consider", "decline", "drop_question", "expand", "filter", "find", "keep", "link", "place", "recognise", "relate",
    "revise", "same", "start",
]  # fmt: skip
ANSWERED, DECLINED = "answer", "decline"
WALK = "walk"
_BUILT = ("graph", "questions", "merging")
_WALKED = ("start", "trial", "hop", "retrieve", "answer")
_ASKED = {  # what a step did, and what an unfinished step began to do
    "graph": (
        "looked in each part for entities, and asked how they are related",
        "look in each part for entities and how they are related",
    ),
    "relate": (
        "asked in each part how the names found there are related",
        "ask in each part how the names found there are related",
    ),
    "questions": (
        "asked which questions each part leaves open, and what they bring up",
        "ask which questions each part leaves open",
    ),
    "merging": ("asked which of the names mean the same", "ask which of the names mean the same"),
}
LONGEST_QUOTE, MOST_NAMED, MOST_SEGMENTS = 240, 4, 6
_LISTED = ActionDisplay(listed=True)
NOT_OFFERED = "it was not offered"  # why a name that a reply gives is left out


class QRMeMNarrative(Narrative):
    actions: ClassVar[Mapping[str, ActionDisplay]] = {
        "add": _LISTED, "consider": _LISTED, "decline": ActionDisplay(), "drop_question": _LISTED, "expand": _LISTED,
        "filter": _LISTED._replace(out_of_view=True), "find": _LISTED, "keep": _LISTED, "link": _LISTED, "place": _LISTED,
        "recognise": _LISTED, "relate": _LISTED, "revise": _LISTED, "same": _LISTED, "start": _LISTED,
    }  # fmt: skip
    phases: ClassVar[Mapping[str, str]] = {WALK: "Looking for the answer"}
    steps: ClassVar[Mapping[str, str]] = {
        "graph": "entities and relations of each segment",
        "merging": "one net of them all",
        "start": "the question's own entities",
        "retrieve": "segments for the longer question",
    }
    offers: ClassVar[Mapping[str, tuple[str, str]]] = {
        ANSWERED: ("◆", "answer from what is shown here"),
        DECLINED: ("↩", "look further"),
    }
    roles_in_decisions: ClassVar[Collection[str]] = ("entity", "relation", "query")
    limits: ClassVar[Mapping[str, str]] = {"filter": "window_tokens"}

    def sentences(self, record: StepRecord) -> Iterator[str]:
        if not is_graph_step(record.step.names):
            yield from super().sentences(record)
            return
        inner = record.step.names[-1].partition(" ")[0]
        if inner == "segment":
            yield from _in_segment(record)
        elif inner == "entities":
            yield from _merged(record)
        elif inner == "relations":
            yield from _related(record)
            yield from _fallen_back(record)
        elif record.step.phase == BUILD:
            rules = record.decisions_of("recognise")
            alone = bool(rules and record.asked) and all(asked.prompt != ENTITIES.id for asked in record.asked)
            done, begun = _ASKED["relate" if alone else inner]
            what = f"began to {begun}" if record.unfinished else done
            yield f"It {what} ({some(len(record.asked), 'call')}{' answered' if record.unfinished else ''})."
            yield from (f"Names were {'' if alone else 'also '}looked for by {decision.picked}." for decision in rules)
            if rules and not record.unfinished:
                yield "What came of it stands at the step of each part."
            yield from _dropped(record)
            yield from _fallen_back(record)
        else:
            yield from _walked(inner, record)


def is_graph_step(names: Sequence[str]) -> bool:
    """Whether a step of these names builds the graph or walks over it."""
    if len(names) < 2:
        return False
    if names[0] == BUILD:
        return names[1] in _BUILT
    return names[0] == WALK and names[1].partition(" ")[0] in _WALKED


def _in_segment(record: StepRecord) -> Iterator[str]:
    kept, refused = len(record.decisions_of("keep")), record.decisions_of("drop_question")
    if kept or refused:
        nearest = max((decision.because for decision in refused), default="")
        like = f" and dropped {len(refused)} that {were(len(refused))} too much like kept ones (ROUGE-L {shortened(nearest)})"
        yield f"It kept {some(kept, 'question')}{like if refused else ''}."
    yield from _fallen_back(record)
    segment = record.step.names[-1]
    if found := [(decision.because, len(decision.among)) for decision in record.decisions_of("find")]:
        by = {"model": "by the model alone", "rules": "by rules alone", "both": "by both the model and rules"}
        names = some(sum(count for _, count in found), "name")
        if len(found) == 1:
            yield f"It found {names} in {segment}, {'all ' if found[0][1] > 1 else ''}{by.get(found[0][0], found[0][0])}."
        else:
            how = ", ".join(f"{count} {by.get(source, source)}" for source, count in found)
            yield f"It found {names} in {segment}: {how}."
    yield from _dropped(record)
    if (described := len(record.decisions_of("relate"))) or (
        record.step.names[1] == "graph" and not record.decisions_of("fallback")
    ):
        yield f"It described {some(described, 'relation')}."
    if not record.decisions:
        yield f"It found nothing{' more' if record.step.names[1] == 'questions' else ''} in {segment}."


def _merged(record: StepRecord) -> Iterator[str]:
    if not record.unfinished:
        yield f"The graph has {some(len(record.decisions_of('place')), 'entity')}, each with the segments it stands in."
    merges = record.decisions_of("same")
    for merge in merges[:MOST_NAMED]:
        yield f"{listed(merge.among)} are taken for one: {record.name(merge.picked)}."
    if len(merges) > MOST_NAMED:
        yield f"The names of {some(len(merges) - MOST_NAMED, 'other entity')} were put together, too."


def _related(record: StepRecord) -> Iterator[str]:
    if not record.unfinished:
        linked, made = record.decisions_of("link"), {refs.wrote(event.n) for event in record.wrote}
        fused = sum(decision.picked in made for decision in linked)
        together = f"; {some(fused, 'relation')} {were(fused)} put together from several descriptions." if fused else "."
        yield f"The graph has {some(len(linked), 'relation')}{together}"
        if questions := sum(call.prompt == MERGE_QUESTION.id and call.attempt is not None for call in record.asked):
            yield f"For that the model first wrote {some(questions, 'question')} to bring out what both parts say of the two."


def _walked(inner: str, record: StepRecord) -> Iterator[str]:
    if started := [record.name(decision.picked) for decision in record.decisions_of("start")]:
        yield f"The question names {listed(started)}."
    for decision in record.decisions:
        yield from _decided(decision, record)
    yield from _dropped(record)
    yield from _followed(inner, record)
    yield from _fallen_back(record)
    if added := _brought_otherwise(record):
        yield f"{capitalised(_segments(added, record))} came into view."
    if filtered := [decision.picked for decision in record.decisions_of("filter")]:
        yield f"{capitalised(_segments(filtered, record))} left the view to make room."
    for decision in record.decisions_of("stop"):
        yield f"It stopped there: {decision.because}."
    if inner == "answer":
        spans = record.opened_last.spans if record.opened_last else ()
        shown = [refs.place(*span) for span in spans]
        yield f"It was asked for an answer with {_segments(shown, record)} in view."


def _decided(decision: Chose, record: StepRecord) -> Iterator[str]:
    match decision.action:
        case "commit":
            yield "It could answer from what was in view."
        case "decline":
            reason = _quoted(decision.because)
            yield f"It could not answer yet: “{reason}”" if decision.because.strip() else "It could not answer yet."
        case "revise":
            yield f"It looked for {listed(map(record.name, decision.among), most=MOST_NAMED)} then."


def _followed(inner: str, record: StepRecord) -> Iterator[str]:
    followed = record.decisions_of("expand")
    if followed and inner == "hop":
        to = list(dict.fromkeys(record.name(ref) for decision in followed for ref in decision.among))
        considered = len(record.decisions_of("consider"))
        yield f"It weighed {some(considered, 'relation')} and followed {len(followed)}, to {listed(to, most=MOST_NAMED)}."
        return
    for number, (decision, weighed, added) in enumerate(_moves(record)):
        relation = record.names.get(decision.picked, "a relation")
        reached = listed(map(record.name, decision.among))
        best = "the only one" if weighed == 1 else f"the best of {weighed} relations"
        brought = f"and added {some(len(added), 'segment')}" if added else "which brought no segment that was not in view"
        yield f"{'Then it' if number else 'It'} followed {relation} to {reached}, {best}, {brought}."


def _moves(record: StepRecord) -> list[tuple[Chose, int, list[str]]]:
    """The relations followed in a trial, in order: the decision, how many were weighed, and the segments that it brought."""
    moves: list[tuple[Chose, int, list[str]]] = []
    weighed = 0
    for decision in record.decisions:
        if decision.action == "consider":
            weighed += 1
        elif decision.action == "expand":
            moves.append((decision, weighed, []))
            weighed = 0
        elif decision.action == "fallback":
            break
        elif decision.action == "add" and moves:
            moves[-1][2].append(decision.picked)
    return moves


def _brought_otherwise(record: StepRecord) -> list[str]:
    """The segments that came into view without a relation."""
    by_relations = {ref for *_, added in _moves(record) for ref in added}
    return [decision.picked for decision in record.decisions_of("add") if decision.picked not in by_relations]


def _fallen_back(record: StepRecord) -> Iterator[str]:
    for decision in record.decisions_of("fallback"):
        yield f"It fell back on {decision.picked}, for {reason_in_plain_words(decision.because)}."


def _dropped(record: StepRecord) -> Iterator[str]:
    """What was left out, by reason: a few by name, more than that by their number."""
    dropped = sorted(record.decisions_of("drop"), key=lambda decision: decision.because)
    for because, several in groupby(dropped, key=lambda decision: decision.because):
        left_out = [decision.picked for decision in several]
        what = listed([f"“{_quoted(name)}”" for name in left_out if refs.written(name) is None], most=MOST_NAMED)
        not_offered = f", which {were(len(left_out))} not among the names offered"
        why = not_offered if because == NOT_OFFERED else f": {because}"
        yield f"It left out {what or some(len(left_out), 'relation')}{why}."


def _segments(places: Iterable[str], record: StepRecord) -> str:
    """`segment 3`, `segments 1, 5 and 8`; of many their number alone."""
    called = [record.name(ref) for ref in dict.fromkeys(places)]
    if len(called) > MOST_SEGMENTS:
        return f"{len(called)} segments"
    return listed_by_number(called, "segment") or "nothing"


def _quoted(words: str) -> str:
    return shorten(words, LONGEST_QUOTE)
