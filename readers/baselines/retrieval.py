"""Retrieval, as the papers compare with it: pieces of the text are scored against the question, and the best of them answer.

So many are taken (ReadAgent, section "Retrieval-Augmented Generation"; QRMeM, appendix B), or as many as fill the window
(MemWalker, section 4.3). In document order they are a stronger baseline than in the order of their ranks (arXiv 2506.03989).
Where the papers are silent, this reader
  - scores only with the question, without its choices; of pieces with equal scores the first in the text is the better one;
  - fills a window from the best piece down, and stops at the first that does not fit;
  - counts that window in tokens of text only: question, instructions and reply are extra;
  - leaves out the last in rank where a prompt does not fit into the model's own window, on record;
  - ends without an answer where no reply could be read: there is nothing else to fall back on.
Not here: Contriever. Any embedding model can be named instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from readers.baselines.answering import BASELINES, MEMWALKER, PIECE, TOO_LONG, ask, asked_with, together
from readers.engine.errors import Ended, PromptTooLong
from readers.engine.models.similarity import COMPARED, SimilarityOptions, embedding_option
from readers.engine.prompts.answering import QUOTED, answer_prompts
from readers.engine.prompts.options import PartSize, option
from readers.engine.record.hint import Hint, HintSource
from readers.engine.record.narrative import ActionDisplay, Narrative, Ranking, StepRecord, ranked_by_score, scorer_name
from readers.engine.record.pseudo_code import OURS, Line, PseudoCode, Ran
from readers.engine.record.scores import best_first, clearness, fitting, shortened
from readers.engine.run.desk import Desk
from readers.engine.run.reader import Reader, ReadingState
from readers.engine.text import refs, split, tokens
from readers.engine.text.document import Document, Question, Text
from readers.engine.text.phrases import counted

PROMPTS = answer_prompts(
    "retrieval.answer", "Some parts of a long text, picked for the question:\n\n$segments\n\n", "these parts", each=QUOTED
)


Action = Literal["take"]
SEARCH, READ = "readers.baselines.retrieval:Retrieval._search", "readers.baselines.retrieval:Retrieval.read"


@dataclass(frozen=True)
class RetrievalOptions(SimilarityOptions):
    segment_tokens: int = option(300, "The longest piece, in tokens.", lowest=32, title="Longest segment, in tokens")
    similarity: Literal["bm25", "tfidf", "word_recall", "jaccard", "embedding"] = option(
        "bm25", "What compares the pieces with the question.", title="Compared by", names=COMPARED
    )
    embedding_model: str = embedding_option()
    top_k: int = option(5, "How many of the best pieces are taken.", lowest=1, title="Best ones taken", beside={"fill": (False,)})
    fill: bool = option(
        False, "Take as many of the best pieces as fit into the window, instead of a fixed number.", title="As many as fit"
    )
    window_tokens: int = option(
        4096,
        "With fill: the most tokens of pieces that the model is shown.",
        lowest=32,
        title="Room for text, in tokens",
        beside={"fill": (True,)},
    )
    order: Literal["document", "rank"] = option(
        "document",
        "The order in which the model sees them: that of the text (document), or the best one first (rank).",
        title="Order of the pieces",
        names={"document": "As in the text", "rank": "Best one first"},
    )

    @property
    def longest(self) -> int:
        """A piece is never larger than a window that is to be filled."""
        return min(self.segment_tokens, self.window_tokens) if self.fill else self.segment_tokens


class RetrievalNarrative(Narrative):
    actions: ClassVar[Mapping[str, ActionDisplay]] = {"take": ActionDisplay(listed=True, reasoned=False)}
    phases: ClassVar[Mapping[str, str]] = {"search": "Searching the text"}
    steps: ClassVar[Mapping[str, str]] = {"scores": "every piece scored"}
    limits: ClassVar[Mapping[str, str]] = {"take": "top_k"}

    def limit(self, action: str, options: Mapping[str, Any]) -> str:
        """Where the window is filled, its size says how many pieces are taken."""
        return "window_tokens" if action in self.limits and options.get("fill") else super().limit(action, options)

    def sentences(self, record: StepRecord) -> Iterator[str]:
        yield from super().sentences(record)
        yield from _scored(record)
        looked = record.opened_last
        if record.step.phase == "search" and looked and looked.pieces:
            yield f"It took {record.names.get(looked.ref, 'a piece')}: {shortened(looked.why)}."
        yield from asked_with(record)

    def ranking(self, record: StepRecord) -> Ranking | None:
        """Every piece with its score."""
        taken = record.decisions_of("take")
        return ranked_by_score(record, "take", f"By rank: {taken[0].because} were taken.") if taken else None


def _scored(record: StepRecord) -> Iterator[str]:
    taken = len(record.decisions_of("take"))
    for scored in record.decisions_of("score") if taken else ():
        scores = sorted(map(float, scored.because.split()), reverse=True)
        count = f"{len(scores):,} pieces" if len(scores) > 1 else "the one piece"
        yield f"It scored {count} against the question by {scorer_name(scored.picked)} and took {_taken(taken, len(scores))}."
        if taken < len(scores) and scores[taken - 1] == scores[taken]:
            yield f"Others scored {scores[taken]:.2f} as well; of equals the first in the text were taken."


def _taken(taken: int, scored: int) -> str:
    if taken == scored:
        return "it" if scored == 1 else "all of them"
    return "the best one" if taken == 1 else f"the best {taken:,}"


class RetrievalCode(PseudoCode):
    paper = MEMWALKER
    lines: ClassVar[tuple[Line, ...]] = (
        Line("cut", "pieces ← cut(text)", BASELINES, SEARCH),
        Line("score", "for each piece: score ← likeness(question, piece)", BASELINES, SEARCH),
        Line("take", "taken ← the best top_k, or as many as fill the window", BASELINES, "readers.engine.record.scores:fitting"),
        Line("show", "for each taken piece: show it, in the order of the text", BASELINES, READ),
        Line("answer", "answer ← model(question, taken)", BASELINES, READ),
        Line("less", "if that is over the model’s window: leave out the last in rank", OURS, READ),
    )

    def ran(self, record: StepRecord) -> Iterator[Ran]:
        name = record.step.names[-1]
        if name == "scores":
            yield from self._searched(record)
        elif record.opened is not None and name != "answer":
            yield Ran("show", f"show {record.place_name('a piece')}: {record.opened.why}")
        for event in record.decisions_of("put_back"):
            yield Ran("less", f"over the model’s window: leave out {record.name(event.picked)}")
        if record.asked and name == "answer":
            shown = record.name(record.opened_last.ref) if record.opened_last else "what is shown"
            yield Ran("answer", f"answer ← model(question, {shown})")

    def _searched(self, record: StepRecord) -> Iterator[Ran]:
        yield Ran("cut", f"{counted(len(record.cut), 'piece')} ← cut(text)")
        for event in record.decisions_of("score"):
            yield Ran("score", f"for each of {counted(len(event.among), 'piece')}: score ← {event.picked}(question, piece)")
        if taken := record.decisions_of("take"):
            yield Ran("take", f"taken ← {taken[0].because}: {counted(len(taken), 'piece')}")


class RetrievalState(ReadingState):
    """The pieces with their scores."""

    def view(self) -> dict[str, Any]:
        """Every piece with its score, its rank from 1, and whether it was shown to the model in the end."""
        return {"pieces": list(self._rows())}

    def _rows(self) -> Iterator[dict[str, Any]]:
        trace = self.trace
        for scored in trace.decisions("score")[:1]:
            scores = [float(score) for score in scored.because.split()]
            ranks = {number: rank for rank, number in enumerate(best_first(scores), 1)}
            taken, back = ({event.picked for event in trace.decisions(action)} for action in ("take", "put_back"))
            for number, (span, score) in enumerate(zip(self.trace.first_cut, scores, strict=True)):
                about = {"score": score, "rank": ranks[number], "taken": refs.place(*span) in taken - back}
                yield {"id": number + 1, **span._asdict(), **about}

    def names(self) -> dict[str, str]:
        called = {refs.place(*span): f"{PIECE} {number}" for number, span in enumerate(self.trace.first_cut, 1)}
        return called | together(self.trace, "{} pieces")

    def hints(self, source: HintSource) -> Iterator[Hint]:
        """The last piece that was taken was hardly better than the first that was not."""
        taken = source.decisions("take")
        for step, event in source.decisions("score") if taken else []:
            scores = sorted(map(float, event.because.split()), reverse=True)
            if len(taken) < len(scores):
                last, first = scores[len(taken) - 1], scores[len(taken)]
                if clearness(last, first) != "clear":
                    told = f"The last piece that was taken scored {last:.4f}, the first that was not {first:.4f}."
                    yield Hint("close_cut", (step,), told)


class Retrieval(Reader):
    """Finds the pieces most like the question, and answers only from those."""

    id, title, version = "retrieval", "Retrieval", 2
    prompts = PROMPTS
    Options = RetrievalOptions
    part_size = PartSize("segment_tokens", "piece", at_once=5)
    baseline = True
    narrative = RetrievalNarrative()
    pseudo_code = RetrievalCode()
    State = RetrievalState

    def read(self, document: Document, question: Question, desk: Desk[Action], options: RetrievalOptions) -> Text:
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

    def _search(self, document: Document, question: Question, desk: Desk[Action], options: RetrievalOptions) -> list[Text]:
        """The pieces that are taken, best first."""
        with desk.step("scores"):
            pieces = desk.cut(document, split.segments(document.text, options.longest), join_blank_end=True)
            scores = desk.score(question.asked, pieces, by=options.scorer)
            desk.choose("score", options.scorer, pieces, " ".join(map(str, scores)))
            ranked = best_first(scores)
            if options.fill:
                taken = fitting(ranked, lambda number: tokens.count(pieces[number].text), options.window_tokens)
            else:
                taken = ranked[: options.top_k]
            room = f"as many as fit into {options.window_tokens:,} tokens" if options.fill else f"the best {options.top_k:,}"
            for number in taken:
                desk.choose("take", pieces[number], because=room)
        for rank, number in enumerate(taken, 1):
            with desk.step(f"rank {rank}"):
                desk.look(pieces[number], f"rank {rank} of {len(pieces)}, with a score of {scores[number]:.4f}")
        return [pieces[number] for number in taken]
