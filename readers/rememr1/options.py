"""ReMemR1's options, with the paper's defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from readers.engine.prompts.options import option


@dataclass(frozen=True)
class ReMemR1Options:
    chunk_tokens: int = option(5000, "The longest chunk, in tokens.", lowest=32)
    memory_tokens: int = option(2048, "The longest memory, in tokens.", lowest=32)
    stop_after_unchanged: int = option(
        0, "Stop reading after this many chunks in a row that leave the memory unchanged; 0 reads to the end.", lowest=0
    )
    recall: Literal["tfidf", "word_recall", "jaccard", "bm25", "embedding", "off"] = option(
        "tfidf", "How an earlier memory is found for a query; off never looks back."
    )
    recall_query: Literal["learned", "question"] = option(
        "learned", "What is looked for: what the model asks for, or always the question."
    )
    embedding_model: str = option("text-embedding-3-small", "The model that embeds, where memories are found by embeddings.")
