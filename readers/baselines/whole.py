"""The whole text, MemWalker's *full context window* (section 4.3): one call with the text, cut to the window where it is longer.

What is kept of a longer text is its beginning (keep left), its end (keep right), or, which is ours, both. Where the paper is
silent, this reader
  - counts the window in tokens of text alone: question, instructions and reply come on top;
  - breaks no word and no grapheme where it cuts the text, and shows its two ends apart from each other;
  - shows less of the text where a prompt does not fit into the model's own window, on record;
  - ends without an answer where no reply could be read: there is nothing else to fall back on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

from readers.baselines.answering import LEAST, QUOTED, TOO_LONG, answer_prompts, ask, together
from readers.baselines.narrative import WHOLE, WholeAction, WholeNarrative
from readers.baselines.pseudo_code import WholeCode
from readers.engine.errors import Ended, PromptTooLong
from readers.engine.prompts.options import option
from readers.engine.record.events import Cut, Looked
from readers.engine.record.trace import Trace
from readers.engine.run.desk import Desk
from readers.engine.run.reader import Reader
from readers.engine.text import refs, tokens, trim
from readers.engine.text.document import Document, Question, Span, Text

BEGINNING, MIDDLE, END, REST = "the beginning", "the middle", "the end", "the rest"

PROMPTS = answer_prompts(
    "whole", "A text, or of a longer one what there was room for:\n\n$segments\n\n", "this text", each=QUOTED
)


@dataclass(frozen=True)
class WholeOptions:
    window_tokens: int = option(4096, "The most tokens of the text that the model is shown.", lowest=32)
    keep: Literal["left", "right", "both"] = option(
        "left", "What is kept of a longer text: its beginning (left), its end (right), or half of the window of each (both)."
    )


class Whole(Reader):
    """Shows the model the text, cut to the window, and asks once."""

    id, title, version = "whole", "Whole text", 2
    prompts = PROMPTS
    Options = WholeOptions
    baseline = True
    narrative = WholeNarrative()
    pseudo_code = WholeCode()

    def read(self, document: Document, question: Question, desk: Desk[WholeAction], options: WholeOptions) -> Text:
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

    def _kept(self, document: Document, desk: Desk[WholeAction], options: WholeOptions, why: str) -> list[Text]:
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

    def view(self, trace: Trace) -> dict[str, Any]:
        """What was shown to the model in the end, out of how many characters."""
        shown = next((event.spans for event in reversed(trace.events) if isinstance(event, Looked)), ())
        return {"kept": [span._asdict() for span in shown], "chars": len(trace.document.text)}

    def names(self, trace: Trace) -> dict[str, str]:
        called: dict[str, str] = {}
        for event in trace.events:
            if isinstance(event, Cut):
                called |= {refs.place(*span): name for span, name in zip(event.spans, _called(trace, event.spans), strict=True)}
        return called | together(trace, f"{BEGINNING} and {END}")


def _fitted(text: str, limit: int, keep: str) -> list[Span]:
    """The text cut into parts that fit and a part that does not, in order; one span if all of it fits."""
    length = len(text)
    if tokens.prefix(text, limit) == length:
        return [Span(0, length)]
    if keep == "left":
        cuts = [trim.beginning(text, limit)]
    elif keep == "right":
        cuts = [trim.ending(text, limit)]
    else:
        cuts = [trim.beginning(text, limit - limit // 2), trim.ending(text, limit // 2)]
    edges = [0, *cuts, length]
    return [Span(start, end) for start, end in pairwise(edges)]


def _called(trace: Trace, spans: Sequence[Span]) -> Sequence[str]:
    if len(spans) == 1:
        return (WHOLE,)
    if len(spans) == 3:
        return BEGINNING, MIDDLE, END
    left_out = {event.picked for event in trace.decisions("leave_out")}
    return (REST, END) if refs.place(*spans[0]) in left_out else (BEGINNING, REST)
