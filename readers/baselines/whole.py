"""The whole text, MemWalker's *full context window* (section 4.3): one call with the text, cut to the window where it is longer.

What is kept of a longer text is its beginning (keep left), its end (keep right), or, which is ours, both. Where the paper is
silent, this reader
  - counts the window in tokens of text only: question, instructions and reply are extra;
  - breaks no word and no grapheme where it cuts the text, and shows its two ends apart from each other;
  - shows less of the text where a prompt does not fit into the model's own window, on record;
  - ends without an answer where no reply could be read: there is nothing else to fall back on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, Literal

from readers.baselines.answering import BASELINES, LEAST, MEMWALKER, TOO_LONG, WHOLE, ask, asked_with, together
from readers.engine.errors import Ended, PromptTooLong
from readers.engine.prompts.answering import QUOTED, answer_prompts
from readers.engine.prompts.options import option
from readers.engine.record.events import Asked, Chose, Cut, Looked
from readers.engine.record.narrative import ActionDisplay, Narrative, RankedPlace, Ranking, StepRecord
from readers.engine.record.pseudo_code import OURS, Line, PseudoCode, Ran
from readers.engine.record.trace import Trace
from readers.engine.run.desk import Desk
from readers.engine.run.reader import Reader, ReadingState
from readers.engine.text import refs, split, tokens
from readers.engine.text.document import Document, Question, Span, Text
from readers.engine.text.phrases import capitalised, listed, percent

BEGINNING, MIDDLE, END, REST = "the beginning", "the middle", "the end", "the rest"

PROMPTS = answer_prompts(
    "whole.answer", "A text, or of a longer one what there was room for:\n\n$segments\n\n", "this text", each=QUOTED
)


Action = Literal["fit", "leave_out"]
READ, KEPT, FITTED = ("readers.baselines.whole:" + name for name in ("Whole.read", "Whole._kept", "_fitted"))


@dataclass(frozen=True)
class WholeOptions:
    window_tokens: int = option(
        4096, "The most tokens of the text that the model is shown.", lowest=32, title="Room for text, in tokens"
    )
    keep: Literal["left", "right", "both"] = option(
        "left",
        "What is kept of a longer text: its beginning (left), its end (right), or half of the window of each (both).",
        title="What is kept",
        names={"left": "The beginning", "right": "The end", "both": "Beginning and end"},
    )


class WholeNarrative(Narrative):
    actions: ClassVar[Mapping[str, ActionDisplay]] = {
        "fit": ActionDisplay(listed=True, names_the_cut=True),
        "leave_out": ActionDisplay(listed=True, reasoned=False, names_the_cut=True, leaves_out=True, out_of_view=True),
    }
    phases: ClassVar[Mapping[str, str]] = {"fit": "Making the text fit"}
    limits: ClassVar[Mapping[str, str]] = {"leave_out": "window_tokens"}

    def sentences(self, record: StepRecord) -> Iterator[str]:
        yield from super().sentences(record)
        yield from asked_with(record)

    def sentence(self, decision: Chose, record: StepRecord) -> Iterator[str]:
        match decision.action:
            case "fit":
                yield f"All of the text fits, so nothing was left out: {decision.because}."
            case "leave_out":
                yield _told(decision, record)
            case _:
                yield from super().sentence(decision, record)

    def ranking(self, record: StepRecord) -> Ranking | None:
        """What was kept and what was left out, in the order of the text."""
        for cut in reversed(record.decisions_of("leave_out")):
            places = sorted([*cut.among, cut.picked], key=lambda ref: refs.span(ref) or (0, 0))
            rows = [RankedPlace(ref, "", "left out" if ref == cut.picked else "kept", ref != cut.picked) for ref in places]
            return Ranking(rows, f"{capitalised(cut.because)}.")
        return None


def _told(cut: Chose, record: StepRecord) -> str:
    """What was kept, and how much of the text that is."""
    start, end = refs.span(cut.picked) or (0, 0)
    share = 1 - (end - start) / len(record.trace.document.text)
    kept = listed(map(record.name, cut.among))
    return (
        f"It kept {kept} ({percent(share)} of the text) and left out {record.names.get(cut.picked, 'the rest')}: {cut.because}."
    )


class WholeCode(PseudoCode):
    paper = MEMWALKER
    lines: ClassVar[tuple[Line, ...]] = (
        Line("room", "room ← window_tokens", BASELINES, READ),
        Line("fits", "if the text fits into it: shown ← the text", BASELINES, KEPT),
        Line("cut", "else: shown ← its beginning, its end, or half of each", BASELINES, FITTED),
        Line("answer", "answer ← model(question, shown)", BASELINES, READ),
        Line("less", "if that is over the model’s window: less room; cut again", OURS, READ),
    )

    def ran(self, record: StepRecord) -> Iterator[Ran]:
        for event in record.events:
            if isinstance(event, Cut) and record.step.phase == "fit":
                yield Ran("room")
            elif isinstance(event, Chose) and record.step.phase == "answer":
                yield Ran("less", f"{event.because}: cut again")
            elif isinstance(event, Chose) and event.action == "fit":
                yield Ran("fits", "the text fits into it: shown ← the text")
            elif isinstance(event, Chose) and event.action == "leave_out":
                yield Ran("cut", f"shown ← the text without {record.name(event.picked)}")
            elif isinstance(event, Asked):
                yield Ran(
                    "answer",
                    f"answer ← model(question, {(record.opened_last and record.name(record.opened_last.ref)) or 'shown'})",
                )


class WholeState(ReadingState):
    """What was kept, and its name."""

    def view(self) -> dict[str, Any]:
        """What was shown to the model in the end, out of how many characters."""
        shown = next((event.spans for event in reversed(self.trace.events) if isinstance(event, Looked)), ())
        return {"kept": [span._asdict() for span in shown], "chars": len(self.trace.document.text)}

    def names(self) -> dict[str, str]:
        called: dict[str, str] = {}
        for event in self.trace.events:
            if isinstance(event, Cut):
                called |= {
                    refs.place(*span): name for span, name in zip(event.spans, _called(self.trace, event.spans), strict=True)
                }
        return called | together(self.trace, f"{BEGINNING} and {END}")


class Whole(Reader):
    """Shows the model the text, cut to the window, and asks once."""

    id, title, version = "whole", "Whole text", 2
    prompts = PROMPTS
    Options = WholeOptions
    baseline = True
    narrative = WholeNarrative()
    pseudo_code = WholeCode()
    State = WholeState

    def read(self, document: Document, question: Question, desk: Desk[Action], options: WholeOptions) -> Text:
        if not document.text:
            raise Ended("no_answer", "there is no text")
        limit = options.window_tokens
        with desk.step("fit"):
            kept = self._kept(document, desk, options, f"there is room for {limit:,} tokens")
        with desk.step("answer"):
            while True:
                desk.look(Text.join("\n\n", kept))
                try:
                    return ask(desk, self.prompts, question, kept)
                except PromptTooLong:
                    limit = min(limit, sum(tokens.count(text.text) for text in kept)) * 3 // 4
                    if limit < LEAST:
                        raise
                kept = self._kept(
                    document, desk, replace(options, window_tokens=limit), f"{TOO_LONG}, so there is room for {limit:,} tokens"
                )

    def _kept(self, document: Document, desk: Desk[Action], options: WholeOptions, why: str) -> list[Text]:
        """The parts of the text that are shown; the part left out is recorded."""
        spans = _fitted(document.text, options.window_tokens, options.keep)
        texts = desk.cut(document, spans)
        if len(spans) == 1:
            desk.choose("fit", texts[0], because=why)
            return texts
        left_out = {"left": 1, "right": 0, "both": 1}[options.keep]
        kept = [text for number, text in enumerate(texts) if number != left_out]
        desk.choose("leave_out", texts[left_out], kept, why)
        return kept


def _fitted(text: str, limit: int, keep: str) -> list[Span]:
    """The text cut into parts that fit and a part that does not, in order; one span if all of it fits."""
    length = len(text)
    if tokens.prefix(text, limit) == length:
        return [Span(0, length)]
    if keep == "left":
        cuts = [split.beginning(text, limit)]
    elif keep == "right":
        cuts = [split.ending(text, limit)]
    else:
        cuts = [split.beginning(text, limit - limit // 2), split.ending(text, limit // 2)]
    edges = [0, *cuts, length]
    return [Span(start, end) for start, end in pairwise(edges)]


def _called(trace: Trace, spans: Sequence[Span]) -> Sequence[str]:
    if len(spans) == 1:
        return (WHOLE,)
    if len(spans) == 3:
        return BEGINNING, MIDDLE, END
    left_out = {event.picked for event in trace.decisions("leave_out")}
    return (REST, END) if refs.place(*spans[0]) in left_out else (BEGINNING, REST)
