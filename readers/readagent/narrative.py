"""ReadAgent's own actions, how pauses, look-ups and merged pages are described, and its algorithm (section 3): which lines a step
ran."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import ClassVar, Literal

from readers.engine.record.events import Chose
from readers.engine.record.narrative import ActionDisplay, Narrative, Ranking, StepRecord, ranked_by_score, scorer_name
from readers.engine.record.pseudo_code import OURS, Line, PseudoCode, Ran
from readers.engine.record.trace import BUILD
from readers.engine.text.phrases import capitalised, counted, listed, listed_by_number

Action = Literal["hold", "look_up", "merge", "pause"]
LOOK_UP_PHASE = "look-up"  # the phase in which pages are opened for the question
STOP, NO_PAGE = "STOP", "no page"
PAGES, ANSWERING = "readers.readagent.pages:Build.", "readers.readagent.look_up:Answering."
FITTING = "readers.readagent.fitting:Fitting."
GISTING, LOOKING_UP, TOO_LONG = "section 3.1", "section 3.2", "appendix I"


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
    phases: ClassVar[Mapping[str, str]] = {LOOK_UP_PHASE: "Looking pages up"}
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
                pages = listed_by_number((record.name(decision.picked) for decision in several), "page")
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


class ReadAgentCode(PseudoCode):
    paper = "Lee et al., 2024, arXiv 2402.09727"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("each", "until the text ends, from where the last page ended:", GISTING, f"{PAGES}_cut_pages"),
        Line("pause", "pause ← model(text, the places to pause)", GISTING, f"{PAGES}_pause", 1),
        Line("only", "if no reply can be read, or there is no choice: the rule’s", OURS, f"{PAGES}_pause", 1),
        Line("page", "page ← the text up to the pause", GISTING, f"{PAGES}cut", 1),
        Line("gist", "for each page: gist ← model(page)", GISTING, f"{PAGES}gisted"),
        Line("shrink", "while the gists do not fit into the model’s window:", TOO_LONG, f"{FITTING}shrink"),
        Line("hold", "hold each gist to its share of the room", OURS, f"{FITTING}_shorten", 1),
        Line("merge", "or merge pages where no new section begins; gist again", TOO_LONG, f"{FITTING}_merge", 1),
        Line("parallel", "parallel: pages ← model(question, gists)", LOOKING_UP, f"{ANSWERING}_parallel"),
        Line("sequential", "one at a time: page ← model(question, memory), or STOP", LOOKING_UP, f"{ANSWERING}_sequential"),
        Line(
            "retrieve",
            "retrieval: pages ← those most like the question",
            "Retrieval-Augmented Generation",
            f"{ANSWERING}_retrieve",
        ),
        Line("drop", "drop what does not exist, comes twice or is too many", OURS, f"{ANSWERING}_take"),
        Line("open", "memory ← the gists, each opened page in place of its gist", LOOKING_UP, f"{ANSWERING}_look"),
        Line("put_back", "put pages back that do not fit into the window", TOO_LONG, f"{ANSWERING}_put_back"),
        Line("answer", "answer ← model(question, memory)", LOOKING_UP, f"{ANSWERING}answer"),
    )

    def ran(self, record: StepRecord) -> Iterator[Ran]:
        if record.step.phase == BUILD:
            yield from self._built(record)
        elif record.step.phase == LOOK_UP_PHASE:
            yield from self._looked_up(record)
        for event in record.decisions_of("put_back"):
            yield Ran("put_back", f"put {record.name(event.picked)} back")
        if record.step.phase == "answer" and record.asked:
            yield Ran("answer")

    def _built(self, record: StepRecord) -> Iterator[Ran]:
        inner = record.step.names[1] if len(record.step.names) > 1 else ""
        if inner in ("merging pages", "shorter gists"):
            yield Ran("shrink")
        for event in record.decisions_of("merge"):
            yield Ran("merge", f"merge {event.picked}; gist again")
        for event in record.decisions_of("hold"):
            yield Ran("hold", f"hold {event.picked}")
        if inner == "pages and gists":
            yield from self._paged(record) if len(record.step.names) > 2 else self._gisted(record)
        elif inner == "merging pages" and not record.decisions_of("merge", "hold"):
            yield Ran("merge")

    def _paged(self, record: StepRecord) -> Iterator[Ran]:
        here = record.place_name("page")
        yield Ran("each")
        for event in record.decisions_of("pause", "fallback"):
            if event.action == "pause" and event.among:
                yield Ran("pause", f"pause ← model(text, {counted(len(event.among), 'place')} to pause): {event.picked}")
            elif event.action == "fallback":
                yield Ran("only", f"no reply could be read: {event.picked}")
            else:
                yield Ran("only", event.because)
        if record.opened is not None:
            yield Ran("page", f"{here} ← the text up to the pause")

    def _gisted(self, record: StepRecord) -> Iterator[Ran]:
        gists = sum(event.role == "gist" for event in record.wrote)
        yield Ran("gist", f"for each of {counted(gists, 'page')}: gist ← model(page)" if gists else "")

    def _looked_up(self, record: StepRecord) -> Iterator[Ran]:
        name = record.step.names[-1]
        pages = [record.name(event.picked) for event in record.decisions_of("look_up")]
        taken = listed(pages) if pages else "none"
        if name == "request":
            shown = sum(len(texts) for event in record.asked[-1:] for part, texts in event.parts if part == "gists")
            yield Ran("parallel", f"pages ← model(question, {counted(shown, 'gist')}): {taken}")
        elif name == "scores":
            yield Ran("retrieve", f"pages ← those most like the question: {taken}")
        elif name.startswith("request"):
            chosen = "STOP" if record.decisions_of("stop", "fallback") else taken
            yield Ran("sequential", f"page ← model(question, memory): {chosen}")
        for event in record.decisions_of("drop"):
            yield Ran("drop", f"drop {record.name(event.picked)}: {event.because}")
        if record.opened is not None:
            here = record.place_name("a page")
            yield Ran("open", f"memory ← the gists, {here} in place of its gist")
