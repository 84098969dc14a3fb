"""ReMemR1's options, with the paper's defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from readers.engine.errors import BadOptions
from readers.engine.models.tokenizer_files import PublishedOptions
from readers.engine.prompts.options import Preset, option


@dataclass(frozen=True)
class ReMemR1Options(PublishedOptions):
    chunk_tokens: int = option(5000, "The longest chunk, in tokens.", lowest=32)
    memory_tokens: int = option(2048, "The longest memory, in tokens.", lowest=32)
    stop_after_unchanged: int = option(
        0, "Stop reading after this many chunks in a row that leave the memory unchanged; 0 reads to the end.", lowest=0
    )
    recall: Literal["tfidf", "token_tfidf", "word_recall", "jaccard", "bm25", "embedding", "off"] = option(
        "tfidf", "How an earlier memory is found for a query; token_tfidf needs a tokenizer; off never looks back."
    )
    recall_query: Literal["learned", "question"] = option(
        "learned", "What is looked for: what the model asks for, or always the question."
    )
    embedding_model: str = option("text-embedding-3-small", "The model that embeds, where memories are found by embeddings.")
    as_published: bool = option(
        False,
        "Send what the published checkpoint was trained on: each prompt once, texts unchanged, memory_tokens as the room of "
        "every reply, the reply without its query as the memory. Its wording is a prompt set of your own.",
    )
    tokenizer: str = option("", "The path of a checkpoint's tokenizer.json: chunks are then slices of its tokens.")

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
