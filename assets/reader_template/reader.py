"""New reader: take a note of each part of the text, then answer from the notes.

Change it step by step, and run its test after each, in Palimpsest's folder: `python -m pytest FOLDER`. If this decides something
that a paper leaves open, say so here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from readers.engine.prompts.options import PartSize, option
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.events import Cut
from readers.engine.record.narrative import Narrative
from readers.engine.record.trace import BUILD, Trace
from readers.engine.run.desk import Desk, Unread
from readers.engine.run.reader import Reader
from readers.engine.text import refs, split
from readers.engine.text.document import Document, Question, Text

# A prompt names its task, by which the offline model knows what to do with the parts. It knows parts only by their names:
# CONTRIBUTING.md has those of each task. `shared`: its replies serve every question about a text, so it must not contain the
# question.
NOTE = Prompt(
    id="new_reader.note",
    task="summarise",
    template="Here is a part of a text.\n\n<text>\n$segment\n</text>\n\nNote who does what in it, with names and figures.",
    max_tokens=300,
    shared=True,
)
ANSWER = Prompt(
    id="new_reader.answer",
    task="answer",
    template="Notes on a text:\n\n$segments\n\n<question>\n$question\n\n$choices\n</question>\n\nAnswer from the notes.",
    max_tokens=300,
)


@dataclass(frozen=True)
class NewReaderOptions:
    """One field for each option: bool, int, float, str or a Literal of words. Forms and `--set` are made from them."""

    part_tokens: int = option(500, "How long a part is, in tokens.", lowest=32)


class NewReaderNarrative(Narrative):
    """The names of its steps, and what a written text represents."""

    phases: ClassVar[Mapping[str, str]] = {"answer": "Answering from the notes"}
    stands_for: ClassVar[Mapping[str, str]] = {"note": "part"}


class NewReader(Reader):
    """Takes a note of each part of the text, and answers from the notes."""

    id, title, version = "new_reader", "New reader", 1
    prompts = (NOTE, ANSWER)
    Options = NewReaderOptions
    part_size = PartSize("part_tokens", "part")
    narrative = NewReaderNarrative()

    def read(self, document: Document, question: Question, desk: Desk[str], options: NewReaderOptions) -> Text:
        """The method. It may use the document, the question, the options and the desk; no clock, files, network or randomness."""
        with desk.step(BUILD):
            parts = desk.cut(document, split.segments(document.text, options.part_tokens), join_blank_end=True)
            replies = desk.ask_all(NOTE, [{"segment": part} for part in parts])
            noted = [part if isinstance(reply, Unread) else reply for part, reply in zip(parts, replies, strict=True)]
            notes = [desk.write("note", note) for note in noted]
        with desk.step("answer"):
            answer = desk.ask(ANSWER, segments=notes, question=question.asked, choices=question.offered)
            if isinstance(answer, Unread):
                raise answer.no_answer
            return answer

    def view(self, trace: Trace) -> dict[str, Any]:
        """What the run file says about a reading in addition to its events."""
        return {"notes": [wrote.text for wrote in trace.wrote.values()]}

    def names(self, trace: Trace) -> dict[str, str]:
        """The names of its texts on every page."""
        spans = [span for event in trace.events if isinstance(event, Cut) for span in event.spans]
        parts = {refs.place(*span): f"part {number}" for number, span in enumerate(spans, 1)}
        return parts | {refs.wrote(number): f"the note on part {number + 1}" for number in trace.wrote}
