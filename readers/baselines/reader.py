"""The simple readers that the papers compare with: the whole text as far as it fits, retrieval, and recurrence.

`whole` is MemWalker's *full context window* (section 4.3): one call with the text, cut where it is longer than the window; the
beginning is kept (keep left), the end (keep right), or, which is ours, both. `retrieval` is the papers' retrieval: segments are
scored against the question and the best of them answer, so many (ReadAgent, section "Retrieval-Augmented Generation"; QRMeM,
appendix B) or as many as fill the window (MemWalker, section 4.3); in document order they are a stronger baseline than in the
order of their ranks (arXiv 2506.03989). `recurrence` is MemWalker's (section 4.3): one summary is carried from chunk to chunk.

Where the papers are silent, these readers
  - count the window in tokens of text alone: question, instructions and reply come on top;
  - break no word and no grapheme where a text is cut, and put its two ends into the prompt apart from each other;
  - score with the question alone, without its choices; of pieces with equal scores the first in the text is the better one;
  - fill a window from the best piece down, and stop at the first that does not fit;
  - make what is shown smaller where a prompt does not fit into the model's own window, on record;
  - show the question while the running summary is written (section 4.3 does not say whether it is seen), and hold the summary to
    its limit in code: an over-long one is asked for again once, then cut at a sentence end, on record. It is the reading's
    `memory`, so it is told and measured like those of other readers that keep one;
  - end without an answer where no reply could be read: there is nothing else they could fall back on.
Not here: Contriever, in whose place any embedding model can be named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, Literal

from readers.engine.analysis import memory_snapshots
from readers.engine.errors import Ended, PromptTooLong
from readers.engine.models.similarity import Scored
from readers.engine.prompts.memory_formats import Memory
from readers.engine.prompts.options import option
from readers.engine.prompts.prompt import Prompt
from readers.engine.prompts.reply_formats import Lettered
from readers.engine.record.events import Chose, Cut, Looked
from readers.engine.record.trace import Trace
from readers.engine.run.bounded_memory import Bounded
from readers.engine.run.desk import Desk, Got, Row, Unread
from readers.engine.text import split, tokens, trim
from readers.engine.text.document import DOCUMENT, Document, Question, Span, Text

NOTHING_YET = "No previous memory"
LEAST = 32  # tokens of text: less is not shown for want of room
TOO_LONG = "the prompt did not fit into the model's window"
WHOLE, BEGINNING, MIDDLE, END, REST = "the whole", "the beginning", "the middle", "the end", "the rest"

_QUESTION = "<question>\n$question\n\n$choices\n</question>\n\n"
_QUOTED = {"segments": '"""\n$text\n"""'}
_FREELY = "Answer the question from {}, briefly and to the point."
_BY_LETTER = "Which of the choices is right, by {}?\n\nReply in exactly this form:\n$format"


def _answering(id: str, shown: str, source: str, **more: Any) -> tuple[Prompt, Prompt]:
    """The answering prompt of a reader, and that for a question with choices."""
    free = Prompt(f"{id}.answer", "answer", shown + _QUESTION + _FREELY.format(source), max_tokens=512, **more)
    by_letter = replace(
        free, id=f"{id}.answer_choice", template=shown + _QUESTION + _BY_LETTER.format(source), reply=Lettered("choices")
    )
    return free, by_letter


WHOLE_PROMPTS = _answering(
    "whole", "A text, or of a longer one what there was room for:\n\n$segments\n\n", "this text", each=_QUOTED
)
RETRIEVAL_PROMPTS = _answering(
    "retrieval", "Some parts of a long text, picked for the question:\n\n$segments\n\n", "these parts", each=_QUOTED
)
RECURRENCE_PROMPTS = _answering(
    "recurrence", "All that is left of a long text is this summary:\n\n<memory>\n$memory\n</memory>\n\n", "the summary"
)

CARRY = Prompt(
    id="recurrence.carry",
    task="update_memory",
    template=(
        "You are summarising a long text part by part. Later there will be a question about it:\n\n"
        + _QUESTION
        + "<memory>\n$memory\n</memory>\n\n<part>\n$section\n</part>\n\n"
        "The memory is your summary of everything before this part. Write one summary of everything up to the end of this part: "
        "put what is new into the old summary, and shorten what matters less to the question. Do not answer the question. Write "
        "nothing but the summary: $format.\n\nThe summary:"
    ),
    reply=Memory(500),
)


def _ask(desk: Desk, prompts: tuple[Prompt, Prompt], question: Question, shown: Sequence[Text]) -> Text:
    """The answer from what is shown; raises Ended where no reply could be read."""
    prompt = prompts[1] if question.choices else prompts[0]
    return _read(desk.ask(prompt, segments=shown, question=question.asked, choices=question.offered))


def _read(got: Got | Unread) -> Text:
    if isinstance(got, Unread):
        raise Ended("no_answer", f"{len(got.problems)} replies in a row could not be read; the last one: {got.problems[-1]}")
    return got


def _spans(event: Looked) -> list[Span]:
    return [Span(piece.begin, piece.stop) for piece in event.pieces if piece.origin == DOCUMENT]


def _ref(span: Span) -> str:
    return f"{DOCUMENT}:{span.start}-{span.end}"


def _together(trace: Trace, name: str) -> dict[str, str]:
    """What to call several places that stood in view together; `{}` in the name is their number."""
    looked = (event for event in trace.events if isinstance(event, Looked) and len(event.pieces) > 1)
    return {Text("", event.pieces).ref: name.format(len(event.pieces)) for event in looked}


# The whole text


@dataclass(frozen=True)
class WholeOptions:
    window_tokens: int = option(4096, "The most tokens of the text that stand before the model.", lowest=32)
    keep: Literal["left", "right", "both"] = option(
        "left", "What is kept of a longer text: its beginning (left), its end (right), or half of the window of each (both)."
    )


class Whole:
    """Puts the text before the model as it stands, cut to the window, and asks once."""

    id, title, version = "whole", "Whole text", 1
    prompts = WHOLE_PROMPTS
    Options = WholeOptions
    presets: ClassVar[dict[str, dict[str, Any]]] = {}

    def read(self, document: Document, question: Question, desk: Desk, options: WholeOptions) -> Text:
        if not document.text:
            raise Ended("no_answer", "there is no text")
        limit = options.window_tokens
        with desk.step("fit"):
            kept = self._kept(document, desk, options, f"there is room for {limit:,} tokens")
        with desk.step("answer"):
            while True:
                desk.look(Text.join("\n\n", kept))
                try:
                    return _ask(desk, self.prompts, question, kept)
                except PromptTooLong:
                    limit = min(limit, sum(tokens.count(text.text) for text in kept)) * 3 // 4
                    if limit < LEAST:
                        raise
                kept = self._kept(
                    document, desk, replace(options, window_tokens=limit), f"{TOO_LONG}, so there is room for {limit:,} tokens"
                )

    def _kept(self, document: Document, desk: Desk, options: WholeOptions, why: str) -> list[Text]:
        """What is shown of the text; what is left out is on record."""
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
        """What stood before the model, as it was cut last, and what was left out."""
        shown = next((_spans(event) for event in reversed(trace.events) if isinstance(event, Looked)), [])
        return {"kept": [span._asdict() for span in shown], "chars": len(trace.document.text)}

    def names(self, trace: Trace) -> dict[str, str]:
        called: dict[str, str] = {}
        for event in trace.events:
            if isinstance(event, Cut):
                called |= {_ref(span): name for span, name in zip(event.spans, _called(trace, event.spans), strict=True)}
        return called | _together(trace, f"{BEGINNING} and {END}")


def _fitted(text: str, limit: int, keep: str) -> list[Span]:
    """The text cut into what fits and what does not, in its order; one span, where all of it fits."""
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
    left_out = {event.picked for event in trace.chose("leave_out")}
    return (REST, END) if _ref(spans[0]) in left_out else (BEGINNING, REST)


# Retrieval


@dataclass(frozen=True)
class RetrievalOptions(Scored):
    segment_tokens: int = option(300, "The longest piece, in tokens.", lowest=32)
    similarity: Literal["bm25", "tfidf", "word_recall", "jaccard", "embedding"] = option(
        "bm25", "What compares the pieces with the question."
    )
    embedding_model: str = option("", "With similarity 'embedding': the model's id, such as text-embedding-3-small.")
    top_k: int = option(5, "How many of the best pieces are taken.", lowest=1)
    fill: bool = option(False, "Take as many of the best pieces as fit into the window, instead of so many.")
    window_tokens: int = option(4096, "With fill: the most tokens of pieces that stand before the model.", lowest=32)
    order: Literal["document", "rank"] = option(
        "document", "The order in which the model sees them: that of the text (document), or the best one first (rank)."
    )

    @property
    def longest(self) -> int:
        """A piece is never larger than a window that is to be filled."""
        return min(self.segment_tokens, self.window_tokens) if self.fill else self.segment_tokens


class Retrieval:
    """Finds the pieces most like the question, and answers from those alone."""

    id, title, version = "retrieval", "Retrieval", 1
    prompts = RETRIEVAL_PROMPTS
    Options = RetrievalOptions
    presets: ClassVar[dict[str, dict[str, Any]]] = {}

    def read(self, document: Document, question: Question, desk: Desk, options: RetrievalOptions) -> Text:
        if not document.text:
            raise Ended("no_answer", "there is no text")
        with desk.step("search"):
            taken = self._search(document, question, desk, options)
        with desk.step("answer"):
            while True:
                shown = taken if options.order == "rank" else sorted(taken, key=lambda piece: piece.spans[0])
                desk.look(Text.join("\n\n", shown))
                try:
                    return _ask(desk, self.prompts, question, shown)
                except PromptTooLong:
                    if len(taken) == 1:
                        raise
                *taken, last = taken
                desk.choose("put_back", last, because=f"{TOO_LONG}, and it was the last in rank")

    def _search(self, document: Document, question: Question, desk: Desk, options: RetrievalOptions) -> list[Text]:
        """The pieces that are taken, best first."""
        with desk.step("scores"):
            pieces = desk.cut(document, split.segments(document.text, options.longest))
            scores = desk.score(question.asked, pieces, by=options.scorer)
            desk.choose("score", options.scorer, pieces, " ".join(map(str, scores)))
            ranked = sorted(range(len(pieces)), key=lambda n: (-scores[n], n))
            taken = list(_filled(pieces, ranked, options)) if options.fill else ranked[: options.top_k]
            room = f"as many as fit into {options.window_tokens:,} tokens" if options.fill else f"the best {options.top_k:,}"
            for number in taken:
                desk.choose("take", pieces[number], because=room)
        for rank, number in enumerate(taken, 1):
            with desk.step(f"rank {rank}"):
                desk.look(pieces[number], f"rank {rank} of {len(pieces)}, with a score of {scores[number]:.4f}")
        return [pieces[number] for number in taken]

    def view(self, trace: Trace) -> dict[str, Any]:
        """Every piece with its score, its rank from 1, and whether it stood before the model in the end."""
        return {"pieces": list(_rows(trace))}

    def names(self, trace: Trace) -> dict[str, str]:
        spans = next((event.spans for event in trace.events if isinstance(event, Cut)), ())
        called = {_ref(span): f"piece {number}" for number, span in enumerate(spans, 1)}
        return called | _together(trace, "{} pieces")


def _filled(pieces: Sequence[Text], ranked: Iterable[int], options: RetrievalOptions) -> Iterator[int]:
    room = options.window_tokens
    for number in ranked:
        room -= tokens.count(pieces[number].text)
        if room < 0:
            return
        yield number


def _rows(trace: Trace) -> Iterator[dict[str, Any]]:
    scored: Chose | None = next(iter(trace.chose("score")), None)
    spans = next((event.spans for event in trace.events if isinstance(event, Cut)), ())
    if scored is None:
        return
    scores = [float(score) for score in scored.because.split()]
    ranks = {number: rank for rank, number in enumerate(sorted(range(len(scores)), key=lambda n: (-scores[n], n)), 1)}
    taken = {event.picked for event in trace.chose("take")} - {event.picked for event in trace.chose("put_back")}
    for number, (span, score) in enumerate(zip(spans, scores, strict=True)):
        yield {"id": number + 1, **span._asdict(), "score": score, "rank": ranks[number], "taken": _ref(span) in taken}


# Recurrence


@dataclass(frozen=True)
class RecurrenceOptions:
    chunk_tokens: int = option(2500, "The longest chunk, in tokens.", lowest=32)
    summary_tokens: int = option(500, "The longest running summary, in tokens.", lowest=32)


class Recurrence:
    """Carries one running summary from chunk to chunk, and answers from the last."""

    id, title, version = "recurrence", "Recurrence", 1
    prompts = (CARRY, *RECURRENCE_PROMPTS)
    Options = RecurrenceOptions
    presets: ClassVar[dict[str, dict[str, Any]]] = {}

    def read(self, document: Document, question: Question, desk: Desk, options: RecurrenceOptions) -> Text:
        asked: Row = {"question": question.asked, "choices": question.offered}
        memory = Bounded(desk, Text(NOTHING_YET), options.summary_tokens, room=0)
        for number, chunk in enumerate(desk.cut(document, split.segments(document.text, options.chunk_tokens)), 1):
            with desk.step(f"chunk {number}"):
                desk.look(chunk)
                memory.update(CARRY, {**asked, "section": chunk})
        with desk.step("answer"):
            return _read(memory.ask(RECURRENCE_PROMPTS[1 if question.choices else 0], asked))

    def view(self, trace: Trace) -> dict[str, Any]:
        """The running summary after each chunk."""
        return {"snapshots": memory_snapshots.rows(memory_snapshots.snapshots(trace, first=NOTHING_YET))}

    def names(self, trace: Trace) -> dict[str, str]:
        return memory_snapshots.names(trace)
