"""What the three baselines share: how each asks for the answer, and how several places in view are described together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from readers.engine.prompts.prompt import Prompt
from readers.engine.record.events import Looked
from readers.engine.record.narrative import StepRecord
from readers.engine.record.trace import Trace
from readers.engine.run.desk import Desk, Got, Unread
from readers.engine.text import refs
from readers.engine.text.document import Question, Text
from readers.engine.text.phrases import listed_by_number

LEAST = 32  # tokens of text; a prompt that does not fit is never cut to fewer
TOO_LONG = "the prompt did not fit into the model's window"
WHOLE, PIECE = "the whole", "piece"
MOST_NAMED = 6
MEMWALKER, BASELINES = "Chen et al., 2023, arXiv 2310.05029", "section 4.3"  # the paper that has all three, and where


def ask(desk: Desk, prompts: tuple[Prompt, Prompt], question: Question, shown: Sequence[Text]) -> Text:
    """The answer from the texts shown. Raises Ended where no reply could be read."""
    prompt = prompts[1] if question.choices else prompts[0]
    return read(desk.ask(prompt, segments=shown, question=question.asked, choices=question.offered))


def read(got: Got | Unread) -> Text:
    """The reply. Raises Ended where none could be read: a baseline has nothing to fall back on."""
    if isinstance(got, Unread):
        raise got.no_answer
    return got


def together(trace: Trace, name: str) -> dict[str, str]:
    """The names of several places that were in view together; `{}` in `name` is replaced by their number."""
    looked = (event for event in trace.events if isinstance(event, Looked) and len(event.pieces) > 1)
    return {event.ref: name.format(len(event.pieces)) for event in looked}


def asked_with(record: StepRecord) -> Iterator[str]:
    """What was in view when the answer was asked for, in a sentence."""
    looked = record.opened_last
    if record.step.names == ("answer",) and looked and (shown := _shown(looked.spans, record)):
        yield f"It was asked for an answer with {shown} in view."


def _shown(spans: Sequence[tuple[int, int]], record: StepRecord) -> str:
    """What was raw in view, in that order; if it is much, only its number."""
    places = [refs.place(*span) for span in spans]
    called = [record.names[ref] for ref in places if ref in record.names]
    if called == [WHOLE]:
        return "the whole text"
    if len(called) > MOST_NAMED:
        return f"{len(called):,} pieces of the text"
    return listed_by_number(called, PIECE)
