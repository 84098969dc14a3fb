"""Retrieval, as the papers compare with it: pieces of the text are scored against the question, and the best of them answer.

So many are taken (ReadAgent, section "Retrieval-Augmented Generation"; QRMeM, appendix B), or as many as fill the window
(MemWalker, section 4.3). In document order they are a stronger baseline than in the order of their ranks (arXiv 2506.03989).
Where the papers are silent, this reader
  - scores with the question alone, without its choices; of pieces with equal scores the first in the text is the better one;
  - fills a window from the best piece down, and stops at the first that does not fit;
  - counts that window in tokens of text alone: question, instructions and reply come on top;
  - leaves out the last in rank where a prompt does not fit into the model's own window, on record;
  - ends without an answer where no reply could be read: there is nothing else to fall back on.
Not here: Contriever. Any embedding model can be named instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from readers.baselines.answering import QUOTED, TOO_LONG, answer_prompts, ask, together
from readers.baselines.hints import retrieval_hints
from readers.baselines.narrative import PIECE, RetrievalAction, RetrievalNarrative
from readers.baselines.pseudo_code import RetrievalCode
from readers.engine.errors import Ended, PromptTooLong
from readers.engine.models.similarity import SimilarityOptions
from readers.engine.prompts.options import PartSize, option
from readers.engine.record.events import Chose, Cut
from readers.engine.record.hint import Hint, HintSource
from readers.engine.record.trace import Trace
from readers.engine.run.desk import Desk
from readers.engine.run.reader import Reader
from readers.engine.text import refs, split, tokens
from readers.engine.text.document import Document, Question, Text

PROMPTS = answer_prompts(
    "retrieval", "Some parts of a long text, picked for the question:\n\n$segments\n\n", "these parts", each=QUOTED
)


@dataclass(frozen=True)
class RetrievalOptions(SimilarityOptions):
    segment_tokens: int = option(300, "The longest piece, in tokens.", lowest=32)
    similarity: Literal["bm25", "tfidf", "word_recall", "jaccard", "embedding"] = option(
        "bm25", "What compares the pieces with the question."
    )
    embedding_model: str = option("", "With similarity 'embedding': the model's id, such as text-embedding-3-small.")
    top_k: int = option(5, "How many of the best pieces are taken.", lowest=1)
    fill: bool = option(False, "Take as many of the best pieces as fit into the window, instead of a fixed number.")
    window_tokens: int = option(4096, "With fill: the most tokens of pieces that the model is shown.", lowest=32)
    order: Literal["document", "rank"] = option(
        "document", "The order in which the model sees them: that of the text (document), or the best one first (rank)."
    )

    @property
    def longest(self) -> int:
        """A piece is never larger than a window that is to be filled."""
        return min(self.segment_tokens, self.window_tokens) if self.fill else self.segment_tokens


class Retrieval(Reader):
    """Finds the pieces most like the question, and answers from those alone."""

    id, title, version = "retrieval", "Retrieval", 2
    prompts = PROMPTS
    Options = RetrievalOptions
    part_size = PartSize("segment_tokens", "piece", at_once=5)
    baseline = True
    narrative = RetrievalNarrative()
    pseudo_code = RetrievalCode()

    def read(self, document: Document, question: Question, desk: Desk[RetrievalAction], options: RetrievalOptions) -> Text:
        if not document.text:
            raise Ended("no_answer", "there is no text")
        with desk.step("search"):
            taken = self._search(document, question, desk, options)
        with desk.step("answer"):
            while True:
                shown = taken if options.order == "rank" else sorted(taken, key=lambda piece: piece.spans[0])
                desk.look(Text.join("\n\n", shown))
                try:
                    return ask(desk, self.prompts, question, shown)
                except PromptTooLong:
                    if len(taken) == 1:
                        raise
                *taken, last = taken
                desk.choose("put_back", last, because=f"{TOO_LONG}, and it was the last in rank")

    def _search(
        self, document: Document, question: Question, desk: Desk[RetrievalAction], options: RetrievalOptions
    ) -> list[Text]:
        """The pieces that are taken, best first."""
        with desk.step("scores"):
            pieces = desk.cut(document, split.segments(document.text, options.longest), join_blank_end=True)
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
        """Every piece with its score, its rank from 1, and whether it was shown to the model in the end."""
        return {"pieces": list(_rows(trace))}

    def names(self, trace: Trace) -> dict[str, str]:
        spans = next((event.spans for event in trace.events if isinstance(event, Cut)), ())
        called = {refs.place(*span): f"{PIECE} {number}" for number, span in enumerate(spans, 1)}
        return called | together(trace, "{} pieces")

    def hints(self, source: HintSource) -> Iterable[Hint]:
        return retrieval_hints(source)


def _filled(pieces: Sequence[Text], ranked: Iterable[int], options: RetrievalOptions) -> Iterator[int]:
    room = options.window_tokens
    for number in ranked:
        room -= tokens.count(pieces[number].text)
        if room < 0:
            return
        yield number


def _rows(trace: Trace) -> Iterator[dict[str, Any]]:
    scored: Chose | None = next(iter(trace.decisions("score")), None)
    spans = next((event.spans for event in trace.events if isinstance(event, Cut)), ())
    if scored is None:
        return
    scores = [float(score) for score in scored.because.split()]
    ranks = {number: rank for rank, number in enumerate(sorted(range(len(scores)), key=lambda n: (-scores[n], n)), 1)}
    taken = {event.picked for event in trace.decisions("take")} - {event.picked for event in trace.decisions("put_back")}
    for number, (span, score) in enumerate(zip(spans, scores, strict=True)):
        yield {"id": number + 1, **span._asdict(), "score": score, "rank": ranks[number], "taken": refs.place(*span) in taken}
