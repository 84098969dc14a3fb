"""ReadAgent's algorithm (section 3), line by line, and which lines a step ran."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from readers.engine.record.events import Asked
from readers.engine.record.narrative import StepRecord
from readers.engine.record.pseudo_code import OURS, Line, PseudoCode, Ran
from readers.engine.record.trace import BUILD
from readers.engine.text.phrases import counted, listed
from readers.readagent.narrative import LOOK_UP_PHASE

PAGES, ANSWERING = "readers.readagent.pages:Build.", "readers.readagent.look_up:Answering."
FITTING = "readers.readagent.fitting:Fitting."
GISTING, LOOKING_UP, TOO_LONG = "section 3.1", "section 3.2", "appendix I"


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
            yield Ran("parallel", f"pages ← model(question, {counted(_shown(record, 'gists'), 'gist')}): {taken}")
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


def _shown(record: StepRecord, part: str) -> int:
    """How many texts the last prompt of a step showed under this name."""
    asked: list[Asked] = record.asked
    return sum(len(texts) for name, texts in asked[-1].parts if name == part) if asked else 0
