"""Decisions in words: a sentence for each action that a reader's `choose` may record, in the order in which they were made.

Pure, as all of `narrate.py`, which puts these sentences among the others. An action that is told otherwise has none here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from readers.engine.record.events import Chose, Looked
from readers.engine.text.split import sentences

# What a fallback takes where several of a kind are told in one sentence; of the others each is told by itself.
FIRST_SENTENCES = "first sentences"
LONGEST_QUERY = 120


def decisions(chosen: Sequence[Chose], here: Looked, names: Mapping[str, str]) -> Iterator[str]:
    """The decisions of one step. `here` is the place that was opened at it."""
    for action, several in groupby(chosen, key=lambda event: event.action):
        events = list(several)
        if action == "look_up":
            yield f"It asked for {_pages([names.get(event.picked, event.picked) for event in events])}."
            continue
        for event in events:
            yield from _remembered(event, names)
            yield from _walked(event, here, names)
            yield from _paged(event, here, names)


def _walked(event: Chose, here: Looked, names: Mapping[str, str]) -> Iterator[str]:
    """Down a tree and back up."""
    picked = names.get(event.picked, event.picked)
    below = [option for option in event.among if option in names]
    raw = bool(here.spans)
    place = names.get(here.ref, "this part")
    match event.action:
        case "enter":
            yield f"It compared {len(below)} parts and opened {picked}." if len(below) > 1 else f"It opened {picked}."
        case "revert" if raw:
            yield f"Nothing in {place} answered the question, so it went back up."
        case "revert":
            yield f"None of the {len(below)} parts of {place} looked right, so it went back up."
        case "commit":
            yield f"It found its answer in {place}."
        case "refuse":
            yield f"It chose {picked}, which was refused because {event.because}, and was asked again."


def _paged(event: Chose, here: Looked, names: Mapping[str, str]) -> Iterator[str]:
    """Pauses between pages, and pages looked up again."""
    picked = names.get(event.picked, event.picked)
    place = names.get(here.ref, "the page")
    match event.action:
        case "pause" if event.among:
            yield f"It was offered {len(event.among)} places to pause and took {picked}, where {place} ends."
        case "pause":
            yield f"{place[:1].upper()}{place[1:]} ended without a question to the model: {event.because}."
        case "fallback" if event.picked != FIRST_SENTENCES:
            yield f"It fell back on {picked}, for {event.because}."
        case "drop":
            yield f"{picked[:1].upper()}{picked[1:]} was asked for and dropped: {event.because}."
        case "put_back":
            yield f"It put {picked} back: with it, the prompt does not fit into the model's window."
        case "stop" if not event.picked.startswith("chunk "):
            yield "It stopped looking pages up." if event.picked == "STOP" else "It asked for no page."
        case "merge":
            yield f"It merged {picked}: {event.because}."


def _remembered(event: Chose, names: Mapping[str, str]) -> Iterator[str]:
    """What becomes of a memory, and looking back into earlier ones."""
    match event.action:
        case "shrink":
            yield f"The prompt did not fit into the model's window, so the memory is held to {event.picked} from here on."
        case "shorten":
            yield f"What is shown of {event.picked} was cut at the end of a sentence: {event.because}."
        case "format_error":
            yield f"The reply was not in the form that was asked for: {event.because}."
        case "recall" if event.picked in names:
            yield f"It asked for “{_excerpt(event.because)}” and looked back at the {names[event.picked]}."
        case "recall":
            yield f"It asked for “{_excerpt(event.because)}”, and there was no earlier memory to look back at."
        case "stop" if event.picked.startswith("chunk "):
            yield f"It stopped reading at {event.picked}, because {event.because}."


def memory(before: str | None, after: str, chosen: Sequence[Chose], *, place: str) -> Iterator[str]:
    """What a step made of the memory; `before` is None where there was none yet."""
    read = f"It read {place}" if place else "It read on"
    if before is None:
        yield f"{read} and wrote its first memory."
    elif before.split() == after.split():
        yield f"{read} and left the memory as it was."
    else:
        yield f"{read} and wrote the memory anew: {_overwritten(before, after)}."
    for event in chosen:
        if event.action == "truncate":
            yield f"It was cut at the end of a sentence: {event.because}."


def _overwritten(before: str, after: str) -> str:
    """What became of the sentences of a memory, by their words alone, and one that is gone by name."""
    old, new = (Counter(" ".join(text[start:end].split()) for start, end in sentences(text)) for text in (before, after))
    came, gone = new - old, old - new
    stayed = (old & new).total()
    told = [f"{_sentences(stayed)} stayed as {_it(stayed)} stood" if stayed else "nothing stayed as it stood"]
    if came:
        told.append(f"{came.total()} came in or changed")
    if gone:
        example = f" (“{_excerpt(next(iter(gone)))}”)"
        told.append(f"{gone.total()} {'is' if gone.total() == 1 else 'are'} written over{example}")
    return ", ".join(told)


def _sentences(count: int) -> str:
    return "1 sentence" if count == 1 else f"{count} sentences"


def _it(count: int) -> str:
    return "it" if count == 1 else "they"


def _excerpt(query: str) -> str:
    words = " ".join(query.split())
    return words if len(words) <= LONGEST_QUERY else f"{words[: LONGEST_QUERY - 1]}…"


def _pages(called: Sequence[str]) -> str:
    """`page 2`, `pages 2 and 5`."""
    if len(called) == 1 or not all(name.startswith("page ") for name in called):
        return " and ".join(called)
    *first, last = (name.removeprefix("page ") for name in called)
    return f"pages {', '.join(first)} and {last}"
