"""Steps over a graph of entities in words: how it was built, and what was weighed, followed, added and filtered on the walk.

Pure, as all of `narrate.py`, which takes these sentences for the steps that `tells` claims. A reason is quoted as the model's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from readers.engine.record.events import Asked, Chose, Event, Looked, Wrote
from readers.engine.text import refs

_BUILT = ("graph", "questions", "merging")
_WALKED = ("start", "trial", "hop", "retrieve", "answer")
_ASKED = {
    "graph": "It looked in each part for entities, and asked how they are related",
    "questions": "It asked which questions each part leaves open, and what they bring up",
    "merging": "It asked which of the names mean the same",
}
LONGEST_QUOTE, MOST_NAMED, MOST_SEGMENTS = 240, 4, 6


def tells(names: Sequence[str]) -> bool:
    """Whether a step of these names is one of these."""
    if len(names) < 2:
        return False
    if names[0] == "build":
        return names[1] in _BUILT
    return names[0] == "walk" and names[1].partition(" ")[0] in _WALKED


def decisions(step: Sequence[str], events: Sequence[Event], names: Mapping[str, str]) -> Iterator[str]:
    """The sentences of one step, whose names are `step`."""
    chosen = [event for event in events if isinstance(event, Chose)]
    inner = step[-1].partition(" ")[0]
    if inner == "segment":
        yield from _in_segment(step, chosen)
    elif inner == "entities":
        yield from _merged(chosen, names)
    elif inner == "relations":
        fused = sum(isinstance(event, Wrote) for event in events)
        linked = _count(chosen, "link")
        yield f"The graph has {_some(linked, 'relation')}" + (f"; {fused} put two descriptions together." if fused else ".")
        yield from _fallen_back(chosen)
    elif step[0] == "build":
        calls = sum(isinstance(event, Asked) for event in events)
        yield f"{_ASKED[inner]} ({_some(calls, 'call')})."
        yield from (f"Names were also looked for by {event.picked}." for event in chosen if event.action == "recognise")
        yield from _dropped(chosen)
        yield from _fallen_back(chosen)
    else:
        yield from _walked(inner, events, chosen, names)


def _in_segment(step: Sequence[str], chosen: Sequence[Chose]) -> Iterator[str]:
    kept, refused = _count(chosen, "keep"), [event for event in chosen if event.action == "drop_question"]
    if kept or refused:
        nearest = max((event.because for event in refused), default="")
        like = f" and dropped {len(refused)} that {_were(len(refused))} too much like kept ones (ROUGE-L {nearest})"
        yield f"It kept {_some(kept, 'question')}{like if refused else ''}."
    yield from _fallen_back(chosen)
    found = [(event.because, len(event.among)) for event in chosen if event.action == "find"]
    if found:
        by = {"model": "by the model alone", "rules": "by rules alone", "both": "by both the model and rules"}
        how = ", ".join(f"{count} {by.get(source, source)}" for source, count in found)
        yield f"It found {_some(sum(count for _, count in found), 'name')} in {step[-1]}: {how}."
    yield from _dropped(chosen)
    if told := _count(chosen, "relate"):
        yield f"It described {_some(told, 'relation')}."
    if not chosen:
        yield f"It found nothing{' more' if step[1] == 'questions' else ''} in {step[-1]}."


def _merged(chosen: Sequence[Chose], names: Mapping[str, str]) -> Iterator[str]:
    yield f"The graph has {_some(_count(chosen, 'place'), 'entity')}, each with the segments it stands in."
    merges = [event for event in chosen if event.action == "same"]
    for event in merges[:MOST_NAMED]:
        yield f"{listed(event.among)} are taken for one: {names.get(event.picked, event.picked)}."
    if len(merges) > MOST_NAMED:
        yield f"The names of {_some(len(merges) - MOST_NAMED, 'other entity')} were put together, too."


def _walked(inner: str, events: Sequence[Event], chosen: Sequence[Chose], names: Mapping[str, str]) -> Iterator[str]:
    started = [names.get(event.picked, event.picked) for event in chosen if event.action == "start"]
    if started:
        yield f"The question names {listed(started)}."
    for event in chosen:
        yield from _decided(event, names)
    yield from _dropped(chosen)
    yield from _followed(inner, chosen, names)
    yield from _fallen_back(chosen)
    added = [event.picked for event in chosen if event.action == "add"]
    if added and not any(event.action == "expand" for event in chosen):
        yield f"{_upper(_segments(added, names))} came into view."
    if filtered := [event.picked for event in chosen if event.action == "filter"]:
        yield f"{_upper(_segments(filtered, names))} went out of view again: the window is full."
    for event in chosen:
        if event.action == "stop":
            yield f"It stopped there: {event.because}."
    if inner == "answer":
        looked = next((event for event in reversed(events) if isinstance(event, Looked)), Looked(()))
        shown = [refs.place(*span) for span in looked.spans]
        yield f"It was asked for an answer with {_segments(shown, names)} in view."


def _decided(event: Chose, names: Mapping[str, str]) -> Iterator[str]:
    match event.action:
        case "commit":
            yield "It could answer from what was in view."
        case "decline":
            yield f"It could not answer yet: “{_quoted(event.because)}”" if event.because.strip() else "It could not answer yet."
        case "revise":
            yield f"It looked for {listed([names.get(ref, ref) for ref in event.among], most=MOST_NAMED)} then."


def _followed(inner: str, chosen: Sequence[Chose], names: Mapping[str, str]) -> Iterator[str]:
    followed = [event for event in chosen if event.action == "expand"]
    weighed = _count(chosen, "consider")
    if not followed:
        return
    to = list(dict.fromkeys(names.get(ref, ref) for event in followed for ref in event.among))
    if inner == "hop":
        yield f"It weighed {_some(weighed, 'relation')} and followed {len(followed)}, to {listed(to, most=MOST_NAMED)}."
        return
    best = "the only one" if weighed == 1 else f"the best of {weighed} relations"
    added = _count(chosen, "add")
    brought = f"and added {_some(added, 'segment')}" if added else "which brought no segment that was not in view"
    yield f"It followed {names.get(followed[0].picked, 'a relation')} to {listed(to)}, {best}, {brought}."


def _fallen_back(chosen: Sequence[Chose]) -> Iterator[str]:
    for event in chosen:
        if event.action == "fallback":
            yield f"It fell back on {event.picked}, for {event.because}."


def _dropped(chosen: Sequence[Chose]) -> Iterator[str]:
    """What was left out, by reason: a few by name, more than that by their number."""
    dropped = sorted((event for event in chosen if event.action == "drop"), key=lambda event: event.because)
    for because, several in groupby(dropped, key=lambda event: event.because):
        left_out = [event.picked for event in several]
        what = listed([f"“{_quoted(name)}”" for name in left_out if refs.written(name) is None], most=MOST_NAMED)
        what = what or _some(len(left_out), "relation")
        yield f"It left out {what}: {because}."


def _count(chosen: Iterable[Chose], action: str) -> int:
    return sum(event.action == action for event in chosen)


def _segments(several: Iterable[str], names: Mapping[str, str]) -> str:
    """`segment 3`, `segments 1, 5 and 8`; of many their number alone."""
    called = [names.get(ref, ref) for ref in dict.fromkeys(several)]
    if len(called) > MOST_SEGMENTS:
        return f"{len(called)} segments"
    if len(called) == 1 or not all(name.startswith("segment ") for name in called):
        return listed(called) or "nothing"
    return f"segments {listed([name.removeprefix('segment ') for name in called])}"


def listed(names: Iterable[str], *, most: int | None = None) -> str:
    """`a`, `a and b`, `a, b and c`; beyond `most`, `a, b and 7 others`."""
    found = list(names)
    if most is not None and len(found) > most + 1:
        found = [*found[:most], f"{len(found) - most} others"]
    *first, last = found or [""]
    return f"{', '.join(first)} and {last}" if first else last


def _quoted(words: str) -> str:
    """A model's words on one line, shortened."""
    line = " ".join(words.split())
    return line if len(line) <= LONGEST_QUOTE else line[:LONGEST_QUOTE].rstrip() + " …"


def _upper(words: str) -> str:
    return words[:1].upper() + words[1:]


def _some(count: int, what: str) -> str:
    if count == 1:
        return f"one {what}"
    return f"{count or 'no'} {what[:-1] + 'ies' if what.endswith('y') else what + 's'}"


def _were(count: int) -> str:
    return "was" if count == 1 else "were"
