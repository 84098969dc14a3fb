"""What options and their choices are called in forms, and which do nothing beside another one's value. Pure.

By the names of options and values, which readers share. What is not named here is called by its name, and always shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# Short, for two stand in a row; what they mean stands in their help.
LABELS = {
    "as_published": "As the checkpoint was trained",
    "chunk_tokens": "Longest chunk, in tokens",
    "compared": "What is compared",
    "conditional": "Gists see the question",
    "depth": "How deep it may ask",
    "direction": "Chunks are read",
    "embedding_model": "Embedding model",
    "fill": "As many as fit",
    "fill_window": "More where they fit",
    "gather": "The most relevant together at last",
    "gist_percent": "Longest gist, in % of its page",
    "graph_update": "Questions add to the graph",
    "hit_tokens": "Shown of each place, in tokens",
    "keep": "What is kept",
    "max_actions": "Most actions in a slice",
    "max_calls": "Most calls in all",
    "max_children": "Most parts under a node",
    "max_hits": "Most places a search shows",
    "max_hops": "Most hops",
    "max_lookups": "Most pages opened again",
    "max_parts": "Most parts of a split",
    "max_steps": "Most nodes visited",
    "max_trials": "Most trials",
    "max_words": "Longest page, in words",
    "memory_tokens": "Longest memory, in tokens",
    "message_tokens": "Longest message, in tokens",
    "min_similarity": "Least score to follow",
    "min_words": "Shortest page, in words",
    "mode": "Pages are looked up",
    "model_entities": "The model finds names, too",
    "navigate": "Follow relations at all",
    "order": "Order of the pieces",
    "pagination": "Pages end",
    "peek_tokens": "Shown by a peek, in tokens",
    "previous_page": "Show the page before, too",
    "reasoning": "Reasons before decisions",
    "recall": "Memories found by",
    "recall_query": "What is looked for",
    "reflection": "Its reason guides the next",
    "room": "Room beside the gists",
    "segment_tokens": "Longest segment, in tokens",
    "similarity": "Compared by",
    "slice_tokens": "Slice read as a whole, in tokens",
    "stop_after_unchanged": "Unchanged chunks to stop at",
    "strategy": "Segments are found",
    "summary_limit_tokens": "Longest joined summaries",
    "summary_tokens": "Longest summary, in tokens",
    "tokenizer": "Tokenizer file",
    "top_k": "Best ones taken",
    "tree": "What is below what",
    "window_tokens": "Room for text, in tokens",
    "with_gists": "Show other pages’ gists",
    "worker_tokens": "A worker’s window, in tokens",
    "working_memory": "What is carried along",
}
_COMPARED = {
    "bm25": "Shared words (BM25)",
    "tfidf": "Word weights (TF-IDF)",
    "word_recall": "Word recall",
    "jaccard": "Jaccard’s index",
    "embedding": "Embeddings",
}
CHOICES: dict[str, dict[str, str]] = {
    "similarity": _COMPARED,
    "recall": {**_COMPARED, "token_tfidf": "Token weights (TF-IDF)", "off": "Nothing: never"},
    "recall_query": {"learned": "What it asks for", "question": "The question"},
    "direction": {"forward": "From the beginning", "backward": "From the end"},
    "keep": {"left": "The beginning", "right": "The end", "both": "Beginning and end"},
    "order": {"document": "As in the text", "rank": "Best one first"},
    "mode": {"parallel": "All at once", "sequential": "One after another", "retrieval": "By similarity", "none": "Not at all"},
    "pagination": {"model": "Where it would pause", "uniform": "At even lengths"},
    "compared": {"pages": "Pages", "gists": "Gists"},
    "working_memory": {"path": "Way from the root", "visited": "All nodes visited", "off": "Nothing"},
    "room": {"lookups": "For all pages it may open", "page": "For one page"},
    "tree": {"even": "Even groups", "headings": "The text’s headings"},
    "strategy": {"navigation": "One by one", "expansion": "Hop by hop", "trial": "By names alone"},
}
# An option that does something only beside these values of another one that the reader has.
_ONLY: dict[str, tuple[tuple[str, tuple[Any, ...]], ...]] = {
    "embedding_model": (("similarity", ("embedding",)), ("recall", ("embedding",))),
    "max_hops": (("strategy", ("expansion",)),),
    "compared": (("mode", ("retrieval",)),),
    "max_lookups": (("mode", ("parallel", "sequential", "retrieval")),),
    "min_similarity": (("strategy", ("expansion",)),),
    "recall_query": (("recall", ("tfidf", "token_tfidf", "word_recall", "jaccard", "bm25", "embedding")),),
    "room": (("mode", ("parallel", "sequential")),),
    "similarity": (("mode", ("retrieval",)),),
    "top_k": (("fill", (False,)),),
    "window_tokens": (("fill", (True,)),),
    "with_gists": (("mode", ("retrieval",)),),
}


def label(name: str) -> str:
    """What a form calls an option."""
    return LABELS.get(name, name.replace("_", " ").capitalize())


def choice(name: str, value: str) -> str:
    """What a form calls one of the values of an option."""
    return CHOICES.get(name, {}).get(value, value.replace("_", " ").capitalize())


def value(name: str, given: Any) -> Any:
    """A value of an option as a form calls it; one that is no named choice unchanged."""
    return CHOICES.get(name, {}).get(given, given) if isinstance(given, str) else given


def help_in_form(name: str, words: str) -> str:
    """The help on an option, in which other options and its choices have the names that the form gives them; the command line
    has the same help with the names that it takes."""
    words = re.sub(r"\((\w+)\)", lambda m: f"(“{choice(name, m[1])}”)" if m[1] in CHOICES.get(name, {}) else m[0], words)
    words = re.sub(r"\b([Ww]ith) (\w+) '(\w+)'", lambda m: f"{m[1]} “{label(m[2])}” set to “{choice(m[2], m[3])}”", words)
    words = re.sub(r"\b([Ww]ith) (\w+)(?=[:,])", lambda m: f"{m[1]} “{LABELS[m[2]]}”" if m[2] in LABELS else m[0], words)
    words = re.sub(r"\A([A-Z]\w+)(?=: )", lambda m: _chosen(m[1].lower()) or m[0], words)
    return re.sub(r"\b[a-z]+(?:_[a-z]+)+\b", lambda m: _in_quotes(name, m[0]), words)


def _chosen(value: str) -> str:
    """The choice that an option needs for another one to do anything, in quotation marks; empty if there is none."""
    return next((f"“{CHOICES[other][value]}”" for other in ("mode", "strategy") if value in CHOICES[other]), "")


def _in_quotes(name: str, word: str) -> str:
    own = CHOICES.get(name, {}).get(word)
    return f"“{own or LABELS[word]}”" if own or word in LABELS else word


def idle(name: str, values: Mapping[str, Any]) -> bool:
    """Whether an option does nothing beside these values of the others of its reader."""
    rules = [(other, wanted) for other, wanted in _ONLY.get(name, ()) if other in values]
    return bool(rules) and not any(values[other] in wanted for other, wanted in rules)
