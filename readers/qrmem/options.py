"""QRMeM's options. Where the paper gives no value (look-ahead, threshold, retrieval), the default is ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from readers.engine.models.similarity import COMPARED, SimilarityOptions, embedding_option
from readers.engine.prompts.options import option


@dataclass(frozen=True)
class QRMeMOptions(SimilarityOptions):
    strategy: Literal["navigation", "expansion", "trial"] = option(
        "navigation",
        "How segments are found: one relation at a time with a reason for each failure (navigation), hop by hop before one "
        "answer (expansion), or by naming entities without relations (trial).",
        title="Segments are found",
        names={"navigation": "One by one", "expansion": "Hop by hop", "trial": "By names alone"},
    )
    segment_tokens: int = option(600, "The longest segment, in tokens.", lowest=32, title="Longest segment, in tokens")
    max_trials: int = option(5, "The most times the model is asked whether it can answer.", lowest=1, title="Most trials")
    window_tokens: int = option(
        4096,
        "The most tokens of segments that the model is shown at once; the rest of the prompt comes on top.",
        lowest=32,
        title="Room for text, in tokens",
    )
    max_hops: int = option(
        2, "Expansion: the most hops from the first entities.", lowest=1, title="Most hops", beside={"strategy": ("expansion",)}
    )
    min_similarity: float = option(
        0.1,
        "Expansion: relations that score less than this are not followed.",
        lowest=0,
        title="Least score to follow",
        beside={"strategy": ("expansion",)},
    )
    top_k: int = option(
        3,
        "How many segments are retrieved, by expansion or if the graph gives none; with fill_window, the fewest.",
        lowest=1,
        title="Best ones taken",
    )
    fill_window: bool = option(
        True, "Retrieve more than top_k segments where the window has room for them.", title="More where they fit"
    )
    similarity: Literal["tfidf", "bm25", "embedding"] = option(
        "tfidf", "What compares relations and segments with the question.", title="Compared by", names=COMPARED
    )
    embedding_model: str = embedding_option()
    graph_update: bool = option(
        True,
        "Ask for questions on each segment, and for the entities and relations they bring up.",
        title="Questions add to the graph",
    )
    model_entities: bool = option(
        True, "Ask the model for entities; without it, only the rules find them.", title="The model also finds names"
    )
    reflection: bool = option(
        True, "Let the reason for declining guide which relation is followed next.", title="Its reason guides the next"
    )
    gather: bool = option(
        True,
        "Before the last answer, put the segments together that are most relevant to the question and to the reasons of all "
        "trials, if one that was shown has left the view.",
        title="The most relevant together at last",
    )
    navigate: bool = option(
        True, "Go beyond the segments of the question's own entities at all.", title="Follow relations at all"
    )
