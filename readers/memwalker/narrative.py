"""MemWalker's own actions, how a walk down a tree is described, and its algorithm (section 3): which lines a step ran."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from readers.engine.record.events import Chose, Ended
from readers.engine.record.narrative import ActionDisplay, Narrative, StepRecord
from readers.engine.record.pseudo_code import OURS, Line, PseudoCode, Ran
from readers.engine.record.trace import BUILD
from readers.engine.text.phrases import counted

Action = Literal["enter", "refuse", "revert"]
UP, ANSWER = "back up", "answer"
TREE, WALK = "readers.memwalker.tree:", "readers.memwalker.reader:Walk."
BUILDING, WALKING = "section 3.1", "section 3.2"


class MemWalkerNarrative(Narrative):
    actions: ClassVar[Mapping[str, ActionDisplay]] = {
        "enter": ActionDisplay(),
        "refuse": ActionDisplay(note="Refused", reasoned=False, mark="warn"),
        "revert": ActionDisplay(mark="back"),
    }
    phases: ClassVar[Mapping[str, str]] = {"walk": "Looking for the answer"}
    steps: ClassVar[Mapping[str, str]] = {
        "segments": "cutting it into parts",
        "level 1": "a summary of each part",
        "level": "summaries",  # of any level, where steps are counted by their kind
        "root": "the whole text",
    }
    own_numbers: ClassVar[str] = "Summary"
    offers: ClassVar[Mapping[str, tuple[str, str]]] = {
        UP: ("↩", "go back up"),
        ANSWER: ("◆", "answer from what is shown here"),
    }

    def step(self, name: str) -> str:
        """Levels of the tree are numbered from its leaves."""
        return self.steps.get(name, name.replace("level", "summaries put together, level"))

    def sentence(self, decision: Chose, record: StepRecord) -> Iterator[str]:
        picked, place = record.name(decision.picked), record.place_name("this part")
        below = sum(option in record.names for option in decision.among)
        at_a_leaf = record.opened is not None and bool(record.opened.spans)
        match decision.action:
            case "enter":
                yield f"It compared {below} parts and opened {picked}." if below > 1 else f"It opened {picked}."
            case "revert" if at_a_leaf:
                carried = sum(len(texts) for event in record.asked[-1:] for part, texts in event.parts if part == "memory")
                beside = f" Its prompt also had {counted(carried, 'summary')}." if carried else ""
                yield f"Nothing in {place} answered the question, so it went back up.{beside}"
            case "revert":
                yield _went_back(record, below, place)
            case "refuse":
                yield f"It chose {picked}, which was refused because {decision.because}."
            case _:
                yield from super().sentence(decision, record)


def _went_back(record: StepRecord, below: int, place: str) -> str:
    """Why it went back up from an inner node with so many parts: by a rule where all had been left, or by the model's choice."""
    parts = "The one part" if below == 1 else "Both parts" if below == 2 else f"All {below} parts"
    if not record.asked:
        return f"{parts} of {place} had been opened and left, so it went back up."
    before = sum(len(texts) for name, texts in record.asked[-1].parts if name == "opened")
    if before == below:
        return f"{parts} of {place} had been opened before, and it went back up."
    if before:
        return f"Of the {below} parts of {place}, it had opened {before} before; no other looked right, so it went back up."
    return f"None of the {below} parts of {place} looked right, so it went back up."


class MemWalkerCode(PseudoCode):
    paper = "Chen et al., 2023, arXiv 2310.05029"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("cut", "segments ← cut(text)", BUILDING, f"{TREE}build"),
        Line("leaf", "for each segment: summary ← model(segment)", BUILDING, f"{TREE}_leaves"),
        Line("join", "until there is one root: join neighbours under a parent", BUILDING, f"{TREE}_parents"),
        Line("compress", "if too long: its summary ← model(their summaries)", "appendix A.1.1", f"{TREE}_parent_summary", 1),
        Line("start", "here ← root; memory ← nothing", WALKING, f"{WALK}__init__"),
        Line("repeat", "repeat, max_steps times at most:", WALKING, f"{WALK}run"),
        Line("inner", "if there are parts below here:", WALKING, f"{WALK}_triage", 1),
        Line("closed", "if all were left again: back up, or end at the root", OURS, f"{WALK}_triage", 2),
        Line("triage", "action ← model(question, their summaries)", WALKING, f"{WALK}_compare", 2),
        Line("refuse", "if that part was left again: refuse it, ask again", OURS, f"{WALK}_triage", 2),
        Line("enter", "if a part: here ← that part; add its summary to memory", WALKING, f"{WALK}_enter", 2),
        Line("up", "if back up: here ← the part above; at temperature 0, for good", WALKING, f"{WALK}_back", 2),
        Line("at_leaf", "else, at a segment:", WALKING, f"{WALK}_leaf", 1),
        Line("read", "action ← model(question, memory, segment)", WALKING, f"{WALK}_leaf", 2),
        Line("commit", "if it can answer: return the answer", WALKING, f"{WALK}_leaf", 2),
        Line("leave", "else: close it; here ← the part above", WALKING, f"{WALK}_back", 2),
        Line("end", "end without an answer", WALKING, f"{WALK}run"),
    )

    def ran(self, record: StepRecord) -> Iterator[Ran]:
        if record.step.phase == BUILD:
            yield from self._built(record)
        else:
            yield from self._walked(record)
        for event in record.events:
            if isinstance(event, Ended):
                yield Ran("end", f"end without an answer: {event.reason}")

    def _built(self, record: StepRecord) -> Iterator[Ran]:
        level = record.step.names[-1]
        if level == "segments":
            yield Ran("cut", f"{counted(len(record.cut), 'segment')} ← cut(text)" if record.cut else "")
        elif level == "level 1":
            yield Ran("leaf", f"{counted(len(record.wrote), 'summary')} ← model(segment) for each")
        else:
            yield Ran("join", f"{counted(len(record.wrote), 'parent')} ← neighbours joined")
            if record.asked:
                yield Ran("compress", f"too long, so {counted(len(record.asked), 'call')}: summary ← model(their summaries)")

    def _walked(self, record: StepRecord) -> Iterator[Ran]:
        before = record.trace.steps[record.step.number - 1] if record.step.number else None
        if before is None or before.phase == BUILD:
            yield Ran("start")
        yield Ran("repeat")
        if record.opened is None:
            return
        yield from self._at_segment(record) if record.opened.spans else self._above(record)

    def _above(self, record: StepRecord) -> Iterator[Ran]:
        here = record.place_name("here")
        yield Ran("inner", f"there are parts below {here}:")
        if record.asked:
            below = sum(len(texts) for name, texts in record.asked[0].parts if name == "summaries")
            yield Ran("triage", f"action ← model(question, {counted(below, 'summary')})")
        for event in record.decisions_of("refuse"):
            yield Ran("refuse", f"{record.name(event.picked)}: refused, {event.because}; ask again")
        for event in record.decisions_of("enter"):
            yield Ran("enter", f"here ← {record.name(event.picked)}; add its summary to memory")
        left = not record.asked and not record.decisions_of("refuse")
        for _ in record.decisions_of("revert"):
            yield Ran("closed", f"all parts below {here} were left again: back up") if left else Ran("up", f"back up from {here}")
        if left and any(isinstance(event, Ended) for event in record.events):
            yield Ran("closed", "all parts of the text were left again: end")

    def _at_segment(self, record: StepRecord) -> Iterator[Ran]:
        here = record.place_name("here")
        yield Ran("at_leaf", f"at a segment, {here}:")
        if record.asked:
            carried = sum(len(texts) for name, texts in record.asked[0].parts if name == "memory")
            memory = f"memory of {counted(carried, 'summary')}" if carried else "no memory"
            yield Ran("read", f"action ← model(question, {memory}, {here})")
        if record.decisions_of("commit"):
            yield Ran("commit", f"{here} can answer: return the answer")
        if record.decisions_of("revert"):
            yield Ran("leave", f"close {here}; here ← the part above")
