"""QRMeM's algorithm (sections 2.1 and 2.2, Algorithm 1), line by line, and which lines a step ran."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from readers.engine.record.events import Cut
from readers.engine.record.narrative import StepRecord
from readers.engine.record.pseudo_code import OURS, Line, PseudoCode, Ran, number_in, quoted
from readers.engine.record.trace import BUILD
from readers.engine.text.phrases import counted, listed
from readers.qrmem.narrative import DECLINED
from readers.qrmem.navigate import MOST_SIMILAR
from readers.qrmem.segments_in_view import TOGETHER

SEGMENTS, MERGED = "readers.qrmem.segment_graphs:Construction.", "readers.qrmem.merged_graph:Combination."
WALK, VIEW = "readers.qrmem.navigate:Navigation.", "readers.qrmem.segments_in_view:SegmentsInView."
BUILDING, WALKING, ALGORITHM = "section 2.1", "section 2.2", "section 2.2, Algorithm 1"
MOST_NAMED = 3


class QRMeMCode(PseudoCode):
    paper = "Wang et al., 2024, arXiv 2406.13167"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("cut", "segments ← cut(text); summary ← model(segments)", BUILDING, f"{SEGMENTS}_summary"),
        Line("each", "for each segment:", BUILDING, f"{SEGMENTS}graphs"),
        Line("entities", "entities ← model(question, segment) ∪ rules(segment)", BUILDING, f"{SEGMENTS}_initial", 1),
        Line("relations", "relations ← model(segment, entities)", BUILDING, f"{SEGMENTS}_relate", 1),
        Line("questions", "questions ← model(segment); find what new ones bring up", BUILDING, f"{SEGMENTS}_update", 1),
        Line("same", "names that mean the same, by the model: one entity", BUILDING, f"{MERGED}_disambiguated"),
        Line("fuse", "relations of the same two entities: put together by the model", BUILDING, f"{MERGED}_relations"),
        Line("start", "E ← the entities that the question names; S ← their segments", WALKING, f"{WALK}_start"),
        Line("trial", "repeat, max_trials times at most:", ALGORITHM, f"{WALK}answer"),
        Line("ask", "(answer, reason) ← model(question, S)", ALGORITHM, f"{WALK}_try", 1),
        Line("commit", "if it can answer: return the answer", ALGORITHM, f"{WALK}_try", 1),
        Line("follow", "r ← the relation of E most like (question, reason, E)", ALGORITHM, f"{WALK}_walk_on", 1),
        Line("revise", "or, without relations: E ← model(question, reason, E)", WALKING, f"{WALK}_revise", 1),
        Line("add", "E ← E ∪ its far end; S ← S ∪ the segments of that", ALGORITHM, f"{WALK}_add", 1),
        Line("instead", "if the graph gives nothing: segments most like the question", OURS, f"{WALK}_fall_back", 1),
        Line("filter", "if S is over the window: drop segments with low scores", ALGORITHM, f"{VIEW}make_room", 1),
        Line("hop", "or, hop by hop: E ← E ∪ far ends of relations like the question", WALKING, f"{WALK}_hop"),
        Line("retrieve", "then S ← segments most like model(question, E)", WALKING, f"{WALK}_elaborated"),
        Line("together", "S ← the segments most like (question, reasons, E), if some left S", OURS, f"{WALK}_gather"),
        Line("answer", "answer ← model(question, S)", WALKING, f"{WALK}_answer"),
    )

    def ran(self, record: StepRecord) -> Iterator[Ran]:
        if record.step.phase == BUILD:
            yield from self._built(record)
        else:
            yield from self._walked(record)

    def _built(self, record: StepRecord) -> Iterator[Ran]:
        _, stage, *inner = (*record.step.names, "")
        if stage == "summary":
            cut = next((event for event in record.events if isinstance(event, Cut)), None)
            yield Ran("cut", f"{counted(len(cut.spans), 'segment')} ← cut(text); summary ← model(segments)" if cut else "")
        elif stage == "merging":
            yield from self._merged(record, inner[0])
        elif inner[0]:
            yield from self._segment(record, stage, number_in(inner[0]))
        else:
            asked = {event.prompt.rpartition(".")[2] for event in record.asked}
            yield Ran("each")
            if stage == "questions":
                yield Ran("questions")
                return
            yield Ran("entities")
            if "relations" in asked:
                yield Ran("relations")

    def _merged(self, record: StepRecord, inner: str) -> Iterator[Ran]:
        if inner == "relations":
            yield Ran("fuse", f"{counted(len(record.decisions_of('link')), 'relation')}, one for any two entities")
        elif inner == "entities":
            yield Ran("same", f"{counted(len(record.decisions_of('place')), 'entity')}, each with its segments")
        else:
            yield Ran("same")

    def _segment(self, record: StepRecord, stage: str, number: int) -> Iterator[Ran]:
        found = sum(len(event.among) for event in record.decisions_of("find"))
        related = len(record.decisions_of("relate"))
        yield Ran("each", f"for segment {number}:")
        if stage == "questions":
            kept = len(record.decisions_of("keep"))
            asked = kept + len(record.decisions_of("drop_question"))
            yield Ran(
                "questions",
                f"{counted(asked, 'question')}, {kept} kept: {counted(found, 'entity')}, {counted(related, 'relation')} more",
            )
            return
        yield Ran("entities", f"{counted(found, 'entity')} ← model(question, segment {number}) ∪ rules(segment {number})")
        if related:
            yield Ran("relations", f"{counted(related, 'relation')} ← model(segment {number}, entities)")

    def _walked(self, record: StepRecord) -> Iterator[Ran]:
        name = record.step.names[-1]
        if name == "start":
            found = [quoted(event.because) for event in record.decisions_of("start")]
            first = f"; S ← {_segments(record, 'add')}" if found and record.decisions_of("add") else ""
            named = listed(found, most=MOST_NAMED) if found else "∅: the question names no entity of the graph"
            yield Ran("start", f"E ← {named}{first}")
        elif name.startswith("trial"):
            yield from self._tried(record, number_in(name))
        elif name.startswith("hop"):
            followed = len(record.decisions_of("expand"))
            what = f"{counted(followed, 'relation')} followed" if followed else "no relation is left to follow"
            yield Ran("hop", f"hop {number_in(name)}: {what}")
        elif name == "retrieve":
            yield Ran("retrieve", f"S ← {_segments(record, 'add')}, the most like model(question, E)")
        if name != "retrieve":
            yield from self._into_view(record, name)
        yield from self._left_out(record)
        if name == "answer" and record.asked:
            yield Ran("answer")

    def _tried(self, record: StepRecord, number: int) -> Iterator[Ran]:
        yield Ran("trial", f"trial {number}:")
        if record.asked:
            yield Ran("ask", _verdict(record))
        for _ in record.decisions_of("commit"):
            yield Ran("commit", "it can answer: return the answer")
        for event in record.decisions_of("expand"):
            yield Ran("follow", f"r ← {quoted(record.name(event.picked))}; {event.because}")
        for event in record.decisions_of("revise"):
            named = [record.name(ref) for ref in event.among]
            yield Ran("revise", f"E ← model(question, reason, E): {listed(named, most=MOST_NAMED)}")

    def _into_view(self, record: StepRecord, name: str) -> Iterator[Ran]:
        instead = [event for event in record.decisions_of("fallback") if event.picked in (MOST_SIMILAR, TOGETHER)]
        for event in instead:
            yield Ran("together" if name == "answer" else "instead", f"{event.because}: S ← S ∪ {_segments(record, 'add')}")
        brought = record.decisions_of("add")
        if name.startswith("trial") and brought and not instead:
            yield Ran("add", f"S ← S ∪ {_segments(record, 'add')}")

    def _left_out(self, record: StepRecord) -> Iterator[Ran]:
        if record.decisions_of("filter"):
            yield Ran("filter", f"over the window: drop {_segments(record, 'filter')}")


def _verdict(record: StepRecord) -> str:
    """The model's verdict at a trial."""
    if record.decisions_of("commit"):
        return "(answer, reason) ← model(question, S): it can answer"
    declined = next(iter(record.decisions_of("decline")), None)
    if declined is None:
        return f"(answer, reason) ← model(question, S): {DECLINED}, for no reply could be read"
    return f"reason ← model(question, S): {quoted(declined.because)}"


def _segments(record: StepRecord, action: str) -> str:
    """The segments that a step picked by this action: `segments 2, 5 and 7`."""
    names = [record.name(event.picked) for event in record.decisions_of(action)]
    if len(names) > 2 * MOST_NAMED:
        return counted(len(names), "segment")
    return listed(names) if names else "nothing"
