"""How similar texts are to a query: BM25, TF-IDF, word recall, Jaccard, or any embedding model through litellm.

A scorer answers calls as a model does, so scores are journaled, replayed and paid for in the same way. Lexical scorers treat the
given texts as the whole collection, need no network and cost nothing. Scores are comparable only within one call; higher is more
similar. Vectors are kept in this process, so that no text is embedded twice: each look-back compares a new query with the same
memories. That assumes that a model name at an address means the same model for the life of the process.
"""

from __future__ import annotations

import json
import math
import threading
import time
from array import array
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from readers.engine.errors import BadOptions
from readers.engine.models.call import Call, Reply, ServedModel
from readers.engine.models.keys import check_model_id, check_server, key_for
from readers.engine.models.loading import load_litellm
from readers.engine.models.model import Model, Transient, is_immediate, reply_limit, to_model_failure, usage_of
from readers.engine.models.tokenizer_files import SLICES, TOKEN_TFIDF, slices, token_tfidf
from readers.engine.prompts.options import option
from readers.engine.prompts.prompt import Prompt
from readers.engine.text.words import terms

SCORE = Prompt(id="score", task="score", template="$query\n\n$texts", tries=1, max_tokens=0)
EMBEDDING = "embedding/"
EMBEDDING_SECONDS = 120
_K1, _B = 1.5, 0.75
_MAX_TEXTS_PER_REQUEST, _MAX_CHARACTERS_PER_REQUEST = 128, 400_000  # of a request for embeddings
TokenUsage = tuple[int | None, int | None, float | None]  # tokens in, tokens out and cost in US dollars; None where unknown


class SimilarityOptions:
    """The fields of a reader's options that choose the scorer: its name, or `embedding` with a model.

    The reader's options declare the fields. Raises BadOptions for embeddings without a model.
    """

    similarity: str
    embedding_model: str

    def __post_init__(self) -> None:
        if self.similarity == "embedding" and not self.embedding_model:
            raise BadOptions(
                "embeddings need an embedding model: set embedding_model to its name, such as text-embedding-3-small"
            )

    @property
    def scorer(self) -> str:
        """The scorer's name as `Desk.score` takes it."""
        return f"{EMBEDDING}{self.embedding_model}" if self.similarity == "embedding" else self.similarity


def embedding_option() -> Any:
    """The option of a reader that may compare by embeddings: the model that embeds."""
    return option(
        "",
        "With similarity 'embedding': the model's id, such as text-embedding-3-small.",
        title="Embedding model",
        beside={"similarity": ("embedding",)},
    )


def bm25(query: str, texts: Sequence[str]) -> list[float]:
    """Okapi BM25 (k1 1.5, b 0.75) with the smoothed inverse document frequency that is never negative."""
    bags = [_term_counts(text) for text in texts]
    mean = sum(bag.total() for bag in bags) / len(bags) or 1.0
    rarity = _idf(bags)
    wanted = Counter(terms(query))

    def score(bag: Counter[str]) -> float:
        norm = _K1 * (1 - _B + _B * bag.total() / mean)
        return sum(n * rarity.get(t, 0.0) * bag[t] * (_K1 + 1) / (bag[t] + norm) for t, n in wanted.items() if t in bag)

    return [score(bag) for bag in bags]


def tfidf(query: str, texts: Sequence[str]) -> list[float]:
    """Cosine of TF-IDF vectors, 0 to 1."""
    bags = [_term_counts(text) for text in texts]
    rarity = _idf(bags)
    wanted = Counter(terms(query))
    length = _norm(wanted, rarity)

    def cosine(bag: Counter[str]) -> float:
        shared = sum(n * bag[t] * rarity.get(t, 0.0) ** 2 for t, n in wanted.items())
        return shared / (length * _norm(bag, rarity)) if shared else 0.0

    return [cosine(bag) for bag in bags]


def word_recall(query: str, texts: Sequence[str]) -> list[float]:
    """The share of the query's distinct words that occur in the text, 0 to 1 (Shi et al., 2025)."""
    wanted = set(terms(query))
    return [len(wanted & _term_counts(text).keys()) / len(wanted) if wanted else 0.0 for text in texts]


def jaccard(query: str, texts: Sequence[str]) -> list[float]:
    """Distinct words in common over all distinct words of both texts, 0 to 1."""
    wanted = set(terms(query))
    bags = [_term_counts(text).keys() for text in texts]
    return [len(wanted & bag) / len(wanted | bag) if wanted | bag else 0.0 for bag in bags]


# What a form calls what compares, as names of an option.
COMPARED = {
    "bm25": "Shared words (BM25)",
    "tfidf": "Word weights (TF-IDF)",
    "word_recall": "Word recall",
    "jaccard": "Jaccard’s index",
    "embedding": "Embeddings",
}
LEXICAL: dict[str, Callable[[str, Sequence[str]], list[float]]] = {
    "bm25": bm25,
    "tfidf": tfidf,
    "word_recall": word_recall,
    "jaccard": jaccard,
}


@dataclass(frozen=True)
class WithScores:
    """Answers scoring calls and passes all others on to `model`: lexical scores are computed here, `embedding/<litellm id>` by
    litellm; slices of a tokenizer's tokens, and scores over them, from its file.

    A model that replays recorded scores sets the attribute `has_scores`; then nothing is computed or sent here.
    """

    model: Model
    api_key: str | None = field(default=None, repr=False)

    def immediate(self, call: Call) -> bool:
        return call.settings.model in LEXICAL if self._is_scored_here(call) else is_immediate(self.model, call)

    def complete(self, call: Call) -> Reply:
        if not self._is_scored_here(call):
            return self.model.complete(call)
        name = call.settings.model
        if name.startswith(SLICES):
            (size,), (text,) = call.part("size"), call.part("text")
            return Reply(json.dumps(slices(text, int(size), name.removeprefix(SLICES))), 0, 0, 0.0)
        (query,), texts = call.part("query"), call.part("texts")
        if name.startswith(TOKEN_TFIDF):
            return Reply(json.dumps(token_tfidf(query, texts, name.removeprefix(TOKEN_TFIDF))), 0, 0, 0.0)
        if name.startswith(EMBEDDING):
            name = getattr(self.model, "embeds_by", name)  # a trial model also replaces embeddings, at no cost
        if name.startswith(EMBEDDING):
            return self._embed(ServedModel(name.removeprefix(EMBEDDING), call.settings.api_base), [query, *texts])
        if name not in LEXICAL:
            raise BadOptions(f"unknown similarity {name!r}; use one of {', '.join(LEXICAL)} or {EMBEDDING}<model id>")
        return Reply(json.dumps(LEXICAL[name](query, texts)), 0, 0, 0.0)

    def _is_scored_here(self, call: Call) -> bool:
        return call.prompt.task == "score" and not getattr(self.model, "has_scores", False)

    def _embed(self, served: ServedModel, texts: list[str]) -> Reply:
        """The cosine of the first text with each of the others. Only texts without a cached vector are sent and paid for."""
        began = time.monotonic()
        vectors = VECTORS.find(served, texts)
        missing = [text for text in dict.fromkeys(texts) if text not in vectors]
        used: TokenUsage = (0, 0, 0.0)
        for batch in _batches(missing):  # a resumed reading may have hundreds to send
            embedded, more = self._fetch(served, batch)
            VECTORS.add(served, embedded)
            vectors = {**vectors, **embedded}
            used = _add_usage(used, more)
        if len({len(vector) for vector in vectors.values()}) > 1:
            VECTORS.forget(served)  # the server now runs another model: a retry embeds every text again
            raise Transient(f"embedding model {served.model!r} gave no vectors: they have different lengths")
        first = vectors[texts[0]]
        scores = [_cosine(first, vectors[text]) for text in texts[1:]]
        return Reply(json.dumps(scores), *used, ms=round(1000 * (time.monotonic() - began)))

    def _fetch(self, served: ServedModel, texts: list[str]) -> tuple[dict[str, list[float]], TokenUsage]:
        """Embed these texts; returns their vectors and what the request used."""
        model, api_base = check_model_id(served.model), served.api_base
        check_server(model, api_base)
        litellm = load_litellm()
        what = f"embedding model {model!r} gave no vectors"
        limit = reply_limit(EMBEDDING_SECONDS)
        try:
            with limit.held():
                answer = litellm.embedding(
                    model=model,
                    input=texts,
                    api_base=api_base,
                    api_key=key_for(model, api_base, self.api_key),
                    timeout=EMBEDDING_SECONDS,
                    max_retries=0,
                    num_retries=0,
                )
            vectors = [[float(x) for x in row["embedding"]] for row in answer.data]
            used = usage_of(answer, model)
        except Exception as error:  # as in LiteLLM.complete
            failed = limit.failure(what) or to_model_failure(what, error, served=served, key=self.api_key)
        else:
            if len(vectors) == len(texts):
                return dict(zip(texts, vectors, strict=True)), used
            failed = Transient(f"{what}: it returned {len(vectors)} for {len(texts)} texts")
        answer = None
        raise failed  # raised here so that no frame or answer attached to the traceback can hold a key


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Split texts into requests; providers limit both the number of texts and their tokens."""
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == _MAX_TEXTS_PER_REQUEST or size + len(text) > _MAX_CHARACTERS_PER_REQUEST):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch


def _add_usage(first: TokenUsage, second: TokenUsage) -> TokenUsage:
    """Add two usages; a figure unknown in either is unknown in the sum."""
    a, b = ((None if x is None or y is None else x + y) for x, y in zip(first[:2], second[:2], strict=True))
    cost = None if first[2] is None or second[2] is None else first[2] + second[2]
    return a, b, cost


@lru_cache(maxsize=1024)
def _term_counts(text: str) -> Counter[str]:
    """The terms of a text with their counts; treat as read-only. Cached because each look-back goes over the same texts."""
    return Counter(terms(text))


def _idf(bags: Sequence[Counter[str]]) -> dict[str, float]:
    """Inverse document frequency of every term in the collection, above 0."""
    holding = Counter(term for bag in bags for term in bag)
    return {term: math.log(1 + (len(bags) - n + 0.5) / (n + 0.5)) for term, n in holding.items()}


def _norm(bag: Counter[str], rarity: dict[str, float]) -> float:
    return math.sqrt(sum((n * rarity.get(term, 0.0)) ** 2 for term, n in bag.items()))


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    lengths = math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b))
    return dot / lengths if lengths else 0.0


MAX_FLOATS = 8_000_000  # of 8 bytes: some 2,600 vectors of 3,072 dimensions


class VectorCache:
    """Vectors by model and text, at most `max_floats` numbers in total."""

    def __init__(self, max_floats: int = MAX_FLOATS) -> None:
        self._max_floats = max_floats
        self._vectors: OrderedDict[tuple[ServedModel, str], array[float]] = OrderedDict()
        self._floats = 0
        self._lock = threading.Lock()

    def find(self, model: ServedModel, texts: Iterable[str]) -> dict[str, Sequence[float]]:
        """The cached vectors among these texts."""
        cached: dict[str, Sequence[float]] = {}
        with self._lock:
            for text in texts:
                vector = self._vectors.get((model, text))
                if vector is not None:
                    self._vectors.move_to_end((model, text))
                    cached[text] = vector
        return cached

    def add(self, model: ServedModel, vectors: Mapping[str, Sequence[float]]) -> None:
        with self._lock:
            for text, vector in vectors.items():
                self._drop((model, text))
                self._vectors[model, text] = array("d", vector)
                self._floats += len(vector)
            while self._floats > self._max_floats:
                self._drop(next(iter(self._vectors)))

    def forget(self, model: ServedModel | None = None) -> None:
        """Drop the vectors of one model, or all."""
        with self._lock:
            for key in [key for key in self._vectors if model is None or key[0] == model]:
                self._drop(key)

    def _drop(self, key: tuple[ServedModel, str]) -> None:
        self._floats -= len(self._vectors.pop(key, ()))


VECTORS = VectorCache()
