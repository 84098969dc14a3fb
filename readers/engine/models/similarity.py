"""How near texts are to a query: BM25, TF-IDF, word recall, Jaccard; or any embedding model through litellm.

A scorer answers a call like a model does, so that scores are journaled, replayed and paid for on one path. The lexical ones treat
the given texts as the whole collection, need no network and cost nothing. Scores compare texts within one call; higher is nearer.
"""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from readers.engine.errors import BadOptions
from readers.engine.models.call import Call, Reply
from readers.engine.models.embedding_cache import VECTORS, Place
from readers.engine.models.model import Model, Transient, failure, is_immediate, key_for, load_litellm, usage_of
from readers.engine.prompts.prompt import Prompt
from readers.engine.text.words import terms

SCORE = Prompt(id="score", task="score", template="$query\n\n$texts", tries=1, max_tokens=0)
EMBEDDING = "embedding/"
_K1, _B = 1.5, 0.75
_TEXTS_AT_ONCE, _CHARACTERS_AT_ONCE = 128, 400_000  # of a request for embeddings
Used = tuple[int | None, int | None, float | None]  # tokens in and out, and cost, as far as they are known


class Scored:
    """The part of a reader's options that says what compares texts: a scorer's name, or `embedding` and the model that makes
    them. The fields are the reader's own. Raises BadOptions for embeddings by no model."""

    similarity: str
    embedding_model: str

    def __post_init__(self) -> None:
        if self.similarity == "embedding" and not self.embedding_model:
            raise BadOptions(
                "embeddings need an embedding model: give its name, such as text-embedding-3-small, as embedding_model"
            )

    @property
    def scorer(self) -> str:
        """The scorer as the desk takes it."""
        return f"{EMBEDDING}{self.embedding_model}" if self.similarity == "embedding" else self.similarity


def bm25(query: str, texts: Sequence[str]) -> list[float]:
    """Okapi BM25 (k1 1.5, b 0.75) with the smoothed inverse document frequency that is never negative."""
    bags = [_bag(text) for text in texts]
    mean = sum(bag.total() for bag in bags) / len(bags) or 1.0
    rarity = _rarity(bags)
    wanted = Counter(terms(query))

    def score(bag: Counter[str]) -> float:
        norm = _K1 * (1 - _B + _B * bag.total() / mean)
        return sum(n * rarity.get(t, 0.0) * bag[t] * (_K1 + 1) / (bag[t] + norm) for t, n in wanted.items() if t in bag)

    return [score(bag) for bag in bags]


def tfidf(query: str, texts: Sequence[str]) -> list[float]:
    """Cosine of TF-IDF vectors, 0 to 1."""
    bags = [_bag(text) for text in texts]
    rarity = _rarity(bags)
    wanted = Counter(terms(query))
    length = _length(wanted, rarity)

    def cosine(bag: Counter[str]) -> float:
        shared = sum(n * bag[t] * rarity.get(t, 0.0) ** 2 for t, n in wanted.items())
        return shared / (length * _length(bag, rarity)) if shared else 0.0

    return [cosine(bag) for bag in bags]


def word_recall(query: str, texts: Sequence[str]) -> list[float]:
    """The share of the query's different words that occur in the text (ReMemR1), 0 to 1."""
    wanted = set(terms(query))
    return [len(wanted & _bag(text).keys()) / len(wanted) if wanted else 0.0 for text in texts]


def jaccard(query: str, texts: Sequence[str]) -> list[float]:
    """Shared different words over all different words of both, 0 to 1."""
    wanted = set(terms(query))
    bags = [_bag(text).keys() for text in texts]
    return [len(wanted & bag) / len(wanted | bag) if wanted | bag else 0.0 for bag in bags]


LEXICAL: dict[str, Callable[[str, Sequence[str]], list[float]]] = {
    "bm25": bm25,
    "tfidf": tfidf,
    "word_recall": word_recall,
    "jaccard": jaccard,
}


@dataclass(frozen=True)
class WithScores:
    """A model that also answers scoring calls: lexical ones here, `embedding/<litellm id>` by litellm, all else by `model`.

    A model that has the scores itself, because they are on record, says so by an attribute `scores`: then nothing is computed
    here, and nothing sent.
    """

    model: Model
    api_key: str | None = field(default=None, repr=False)

    def immediate(self, call: Call) -> bool:
        return call.settings.model in LEXICAL if self._scores(call) else is_immediate(self.model, call)

    def complete(self, call: Call) -> Reply:
        if not self._scores(call):
            return self.model.complete(call)
        (query,), texts = call.part("query"), call.part("texts")
        name = call.settings.model
        if name.startswith(EMBEDDING):
            name = getattr(self.model, "embeds_by", name)  # a trial stands in for the embedding model, too, and spends nothing
        if name.startswith(EMBEDDING):
            return self._embed((name.removeprefix(EMBEDDING), call.settings.api_base), [query, *texts])
        if name not in LEXICAL:
            raise BadOptions(f"unknown similarity {name!r}; there are {', '.join(LEXICAL)} and {EMBEDDING}<model id>")
        return Reply(json.dumps(LEXICAL[name](query, texts)), 0, 0, 0.0)

    def _scores(self, call: Call) -> bool:
        return call.prompt.task == "score" and not getattr(self.model, "scores", False)

    def _embed(self, place: Place, texts: list[str]) -> Reply:
        """Cosines of the first text and each of the others. Only what was not embedded yet is sent, and paid for."""
        began = time.monotonic()
        vectors = VECTORS.known(place, texts)
        missing = [text for text in dict.fromkeys(texts) if text not in vectors]
        used: Used = (0, 0, 0.0)
        for batch in _batches(missing):  # a reading that is taken up again may have hundreds to send
            fresh, more = self._fetch(place, batch)
            VECTORS.keep(place, fresh)
            vectors = {**vectors, **fresh}
            used = _added(used, more)
        if len({len(vector) for vector in vectors.values()}) > 1:
            VECTORS.forget(place)  # another model stands there now: asked again, everything is sent
            raise Transient(f"embedding model {place[0]!r} gave no vectors: some came in other lengths than the others")
        first = vectors[texts[0]]
        scores = [_cosine(first, vectors[text]) for text in texts[1:]]
        return Reply(json.dumps(scores), *used, ms=round(1000 * (time.monotonic() - began)))

    def _fetch(self, place: Place, texts: list[str]) -> tuple[dict[str, list[float]], Used]:
        """The vectors of texts, from the model, and what that took."""
        litellm = load_litellm()
        model, api_base = place
        what = f"embedding model {model!r} gave no vectors"
        try:
            answer = litellm.embedding(
                model=model,
                input=texts,
                api_base=api_base,
                api_key=key_for(model, api_base, self.api_key),
                timeout=120,
                max_retries=0,
                num_retries=0,
            )
            vectors = [[float(x) for x in row["embedding"]] for row in answer.data]
            used = usage_of(answer, model)
        except Exception as error:  # as with completions: litellm's own errors, httpx's and builtin ones
            failed = failure(what, error, model=model, key=self.api_key)
        else:
            if len(vectors) == len(texts):
                return dict(zip(texts, vectors, strict=True)), used
            failed = Transient(f"{what}: for {len(texts)} texts there came {len(vectors)}")
        answer = None
        raise failed  # out here no frame and no answer hangs on it where a key may stand


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """What one request may hold: providers bound both the texts and their tokens."""
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == _TEXTS_AT_ONCE or size + len(text) > _CHARACTERS_AT_ONCE):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch


def _added(one: Used, other: Used) -> Used:
    """Tokens in and out and cost together; unknown as soon as one of them is."""
    a, b = ((None if x is None or y is None else x + y) for x, y in zip(one[:2], other[:2], strict=True))
    cost = None if one[2] is None or other[2] is None else one[2] + other[2]
    return a, b, cost


@lru_cache(maxsize=1024)
def _bag(text: str) -> Counter[str]:
    """The terms of a text with their numbers, which nobody changes. Looking back goes over the same texts at every step."""
    return Counter(terms(text))


def _rarity(bags: Sequence[Counter[str]]) -> dict[str, float]:
    """Inverse document frequency of every term of the collection, above 0."""
    holding = Counter(term for bag in bags for term in bag)
    return {term: math.log(1 + (len(bags) - n + 0.5) / (n + 0.5)) for term, n in holding.items()}


def _length(bag: Counter[str], rarity: dict[str, float]) -> float:
    return math.sqrt(sum((n * rarity.get(term, 0.0)) ** 2 for term, n in bag.items()))


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    lengths = math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b))
    return dot / lengths if lengths else 0.0
