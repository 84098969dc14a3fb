"""ReadAgent's own actions, and how pauses, look-ups and merged pages are described."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import ClassVar, Literal

from readers.engine.record.events import Chose
from readers.engine.record.narrative import ActionDisplay, Narrative, Ranking, StepRecord, ranked_by_score, scorer_name
from readers.engine.text.phrases import capitalised

Action = Literal["hold", "look_up", "merge", "pause"]
LOOK_UP_PHASE = "look-up"  # the phase in which pages are opened for the question
STOP, NO_PAGE = "STOP", "no page"


def page_name(number: int) -> str:
    """What people call a page; `number` is the model's, from 0."""
    return f"page {number + 1}"


class ReadAgentNarrative(Narrative):
    actions: ClassVar[Mapping[str, ActionDisplay]] = {
        "hold": ActionDisplay(names_the_cut=True),
        "look_up": ActionDisplay(),
        "merge": ActionDisplay(names_the_cut=True),
        "pause": ActionDisplay(names_the_cut=True),
    }
    phases: ClassVar[Mapping[str, str]] = {LOOK_UP_PHASE: "Looking pages up again"}
    steps: ClassVar[Mapping[str, str]] = {"request": "the pages it asks for", "scores": "every page compared with the question"}
    offers: ClassVar[Mapping[str, tuple[str, str]]] = {
        STOP: ("■", "open no more, and answer"),
        NO_PAGE: ("–", "no page: answer from the gists"),
    }
    labelled_part: ClassVar[str] = "offered"
    own_numbers: ClassVar[str] = "Page"
    limits: ClassVar[Mapping[str, str]] = {"drop": "max_lookups"}
    stands_for: ClassVar[Mapping[str, str]] = {"gist": "page"}

    def step(self, name: str) -> str:
        """Steps at a page are recorded with the model's number of it; requests, where several are made, are numbered from 1."""
        word, _, number = name.partition(" ")
        if word == "request" and number:
            return f"{self.steps[word]}, {number}"
        return page_name(int(number)) if word == "page" and number.isdecimal() else super().step(name)

    def sentences(self, record: StepRecord) -> Iterator[str]:
        """The sentences about a step; pages that one reply asks for share one."""
        scored = record.decisions_of("score")
        for action, several in groupby(record.decisions, key=lambda decision: decision.action):
            if action == "look_up":
                pages = _pages([record.name(decision.picked) for decision in several])
                yield f"It took {pages}, the most similar." if scored else f"It asked for {pages}."
            elif action == "score":
                pages = f"{len(scored[0].among):,} pages" if len(scored[0].among) > 1 else "the one page"
                yield f"It compared {pages} with the question by {scorer_name(scored[0].picked)}."
            else:
                for decision in several:
                    yield from self.sentence(decision, record)

    def ranking(self, record: StepRecord) -> Ranking | None:
        """Every page with its score, after a retrieval."""
        return ranked_by_score(record, "look_up", "By rank: the pages most like the question were taken.")

    def sentence(self, decision: Chose, record: StepRecord) -> Iterator[str]:
        picked, place, because = record.name(decision.picked), record.place_name("the page"), decision.because
        match decision.action:
            case "pause" if decision.among:
                yield f"It was offered {len(decision.among)} places to pause and took {picked}, where {place} ends."
            case "pause":
                yield f"{capitalised(place)} ended without a question to the model: {because}."
            case "drop":
                yield f"{capitalised(picked)} was asked for and dropped: {because}."
            case "stop":
                yield "It stopped looking pages up." if decision.picked == STOP else "It asked for no page."
            case "hold":
                yield f"It held {picked}: {because}."
            case "merge":
                yield f"It merged {picked}: {because}."
            case _:
                yield from super().sentence(decision, record)


def _pages(called: Sequence[str]) -> str:
    """`page 2`, `pages 2 and 5`."""
    if len(called) == 1 or not all(name.startswith("page ") for name in called):
        return " and ".join(called)
    *first, last = (name.removeprefix("page ") for name in called)
    return f"pages {', '.join(first)} and {last}"
