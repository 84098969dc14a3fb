"""ReMemR1: read once with one bounded memory, and look back into earlier memories (Shi et al., 2025, arXiv 2509.23040).

State (section 3): a memory and a callback query. At each chunk the model sees the problem, the recalled memory, the memory so far
and the chunk. It replies with `<update>`, the new memory, and, if something is missing, `<recall>`, a query. The earlier memory
nearest to the query is shown in the next prompt; after the last chunk, that is the final prompt, whose answer is in `\\boxed{}`.
As with MemAgent, every prompt contains the problem, and readings share nothing.

Where the paper is silent, or paper and code disagree, this reader
  - takes the last well-formed `<recall>` outside `<thinking>`, also over several lines, and only the content of `<update>` as the
    memory (the paper's code keeps the thoughts and the tags in it);
  - asks once more if there is no `<update>`, and then takes the reply without its other blocks, on record as `format_error`; an
    empty one leaves the memory unchanged, a recorded fallback;
  - keeps the memories in an ordered list (the paper's code has a set), without the first, empty one. The memory that the next
    prompt shows as current, or one with the same words, is not a candidate; of equal scores the earliest step wins;
  - recalls the best candidate however low its score, as the paper does, and records the score of every candidate;
  - cuts chunks, keeps the memory within `memory_tokens` and the window, and treats an answer without a box as MemAgent does here;
    if a prompt does not fit, both memories become shorter, never the chunk, and recalling continues.
With `as_published` it does none of that, and sends what the paper's code sends to the published checkpoint. Chunks and prompts
are there as with MemAgent; the memory is the whole reply without `<recall>`, tags and thoughts and all; a query is the text on
one line between the first `<recall>` and the last `</recall>`; the new memory is also a candidate. Their memories are a set in no
order: here the earliest of equal scores wins. Where no memory has a word, the next prompt says `None`, as theirs does. Not here:
the training with rewards on several levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from readers.engine.errors import BadOptions
from readers.engine.models.similarity import COMPARED, EMBEDDING
from readers.engine.models.tokenizer_files import TOKEN_TFIDF, PublishedOptions, tokenizer_option
from readers.engine.prompts.formats.published import ReplyWithoutRecall
from readers.engine.prompts.options import PartSize, Preset, option
from readers.engine.prompts.prompt import Prompt
from readers.engine.run.bounded_memory import NOTHING_YET, WHOLE_REPLY, BoundedMemory, FreeMemory, cut_chunks
from readers.engine.run.desk import Desk, Got
from readers.engine.run.reader import Reader
from readers.engine.text.document import Document, Question, Text
from readers.rememr1.narrative import NOTHING_EARLIER, Action, ReMemR1Code, ReMemR1Narrative
from readers.rememr1.prompts import ANSWER, UPDATE, answer_prompt
from readers.rememr1.state import ReMemR1State

NOTHING_RECALLED = "No memory was recalled."
NO_WORDS = "None"  # what the published loop writes where no memory has a word
THOUGHTS = 512  # tokens of a reply for everything but the memory


@dataclass(frozen=True)
class ReMemR1Options(PublishedOptions):
    chunk_tokens: int = option(5000, "The longest chunk, in tokens.", lowest=32, title="Longest chunk, in tokens")
    memory_tokens: int = option(2048, "The longest memory, in tokens.", lowest=32, title="Longest memory, in tokens")
    stop_after_unchanged: int = option(
        0,
        "Stop reading after this many chunks in a row that leave the memory unchanged; 0 reads to the end.",
        lowest=0,
        title="Unchanged chunks to stop at",
    )
    recall: Literal["tfidf", "token_tfidf", "word_recall", "jaccard", "bm25", "embedding", "off"] = option(
        "tfidf",
        "How an earlier memory is found for a query; token_tfidf needs a tokenizer; off never looks back.",
        title="Memories found by",
        names={**COMPARED, "token_tfidf": "Token weights (TF-IDF)", "off": "Nothing: never"},
    )
    recall_query: Literal["learned", "question"] = option(
        "learned",
        "What is looked for: what the model asks for, or always the question.",
        title="What is looked for",
        names={"learned": "What it asks for", "question": "The question"},
        beside={"recall": ("tfidf", "token_tfidf", "word_recall", "jaccard", "bm25", "embedding")},
    )
    embedding_model: str = option(
        "text-embedding-3-small",
        "The model that embeds, where memories are found by embeddings.",
        title="Embedding model",
        beside={"recall": ("embedding",)},
    )
    as_published: bool = option(
        False,
        "Send what the published checkpoint was trained on: each prompt once, texts unchanged, memory_tokens as the room of "
        "every reply, the reply without its query as the memory. Its wording is a prompt set of your own.",
        title="As the checkpoint was trained",
    )
    tokenizer: str = tokenizer_option()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.recall == "token_tfidf" and not self.tokenizer:
            raise BadOptions("recall=token_tfidf compares a checkpoint's own tokens: set tokenizer to its tokenizer.json")


# How the published checkpoint is evaluated; `tokenizer` is the user's.
PRESETS: dict[str, Preset] = {
    "as_published": Preset(
        {
            "chunk_tokens": 5000, "memory_tokens": 2048, "stop_after_unchanged": 0,
            "recall": "token_tfidf", "recall_query": "learned", "as_published": True,
        },
        temperature=0.7,
        top_p=0.95,
    )
}  # fmt: skip


class ReMemR1(Reader):
    """Reads once, overwriting one bounded memory, and looks back into earlier ones by a query."""

    id, title, version = "rememr1", "ReMemR1", 2
    prompts = (UPDATE, ANSWER)
    Options = ReMemR1Options
    presets = PRESETS
    part_size = PartSize("chunk_tokens", "chunk", memory="memory_tokens")
    narrative = ReMemR1Narrative()
    pseudo_code = ReMemR1Code()
    State = ReMemR1State

    def read(self, document: Document, question: Question, desk: Desk[Action], options: ReMemR1Options) -> Text:
        problem = (question.asked.strip(), *question.offered)
        memory, update, final = _way_of_reading(desk, question, options)
        back = LookingBack(desk, question, options)
        unchanged = 0
        chunks = cut_chunks(document, desk, options)
        for number, chunk in enumerate(chunks, 1):
            with desk.step(f"chunk {number}"):
                desk.look(chunk)
                got, changed = memory.update(update, {"problem": problem, "recalled": back.recalled, "section": chunk})
                if got is not None and (error := got.field("format_error").text):
                    desk.choose("format_error", WHOLE_REPLY, because=error)
                back.after(got, memory.text)
                unchanged = 0 if changed else unchanged + 1
                if 0 < options.stop_after_unchanged <= unchanged and number < len(chunks):
                    desk.choose("stop", f"chunk {number}", because=f"{unchanged} chunks in a row left the memory as it was")
                    break
        with desk.step("answer"):
            return memory.answer(final, {"problem": problem, "recalled": back.recalled})


class LookingBack:
    """The memories so far, earliest first, and the recalled one."""

    def __init__(self, desk: Desk[Action], question: Question, options: ReMemR1Options) -> None:
        self.recalled = Text(NOTHING_RECALLED)
        self._desk = desk
        self._question = question
        self._options = options
        self._history: list[Text] = []

    def after(self, got: Got | None, current: Text) -> None:
        """Look back at the end of a step whose memory is `current`, then add that memory to the history; as published, it is
        added first."""
        query = self._query(got)
        if self._options.as_published:
            self._history += [current] if current.text not in {memory.text for memory in self._history} else []
            self.recalled = self._recall_published(query) if query.text else Text(NOTHING_RECALLED)
            return
        self.recalled = self._recall(query, current) if query else Text(NOTHING_RECALLED)
        if got is not None:
            self._history.append(current)

    def _query(self, got: Got | None) -> Text:
        if self._options.recall == "off":
            return Text("")
        if self._options.recall_query == "question":
            return self._question.asked
        return got.field("recall") if got is not None else Text("")

    def _recall(self, query: Text, current: Text) -> Text:
        """The earlier memory nearest to the query, of equal scores the earliest; fixed words if there is none."""
        candidates = [memory for memory in self._history if memory.text != current.text]
        if not candidates:
            self._desk.choose("recall", NOTHING_EARLIER, because=query)
            return Text(NOTHING_RECALLED)
        return self._best(query, candidates, self._desk.score(query, candidates, by=self._scorer))

    def _recall_published(self, query: Text) -> Text:
        """The memory nearest to the query, the current one among them."""
        scores = self._desk.score(query, self._history, by=self._scorer)
        nearest = self._history[scores.index(max(scores))] if scores else Text(NO_WORDS)
        if not nearest.pieces:
            self._desk.choose("recall", NOTHING_EARLIER, because=query)
            return nearest
        found = [(memory, score) for memory, score in zip(self._history, scores, strict=True) if memory.text]
        return self._best(query, [memory for memory, _ in found], [score for _, score in found])

    def _best(self, query: Text, candidates: Sequence[Text], scores: Sequence[float]) -> Text:
        """The candidate with the highest score, of equal ones the earliest, on record."""
        best = candidates[scores.index(max(scores))]
        self._desk.choose("score", self._scorer, candidates, " ".join(f"{score:.4g}" for score in scores))
        self._desk.choose("recall", best, (), query)
        self._desk.look(best, query.text)
        return best

    @property
    def _scorer(self) -> str:
        match self._options.recall:
            case "embedding":
                return EMBEDDING + self._options.embedding_model
            case "token_tfidf":
                return TOKEN_TFIDF + self._options.tokenizer
            case other:
                return other


def _way_of_reading(desk: Desk[Action], question: Question, options: ReMemR1Options) -> tuple[FreeMemory, Prompt, Prompt]:
    """The memory, and the prompts that rewrite it and answer from it."""
    answer = answer_prompt(question)
    if not options.as_published:
        bounded = BoundedMemory(desk, Text(NOTHING_YET), options.memory_tokens, room=THOUGHTS, carried=("recalled",))
        return bounded, UPDATE, answer
    update = UPDATE.exactly(ReplyWithoutRecall(), max_tokens=options.memory_tokens)
    return FreeMemory(desk, Text(NOTHING_YET)), update, answer.exactly(answer.reply, max_tokens=options.memory_tokens)
