"""The lexical scorers, worked out by hand for a query and two or three texts; embeddings, sent once each."""

from __future__ import annotations

import json
import math
import sys
import threading
from collections.abc import Sequence

import pytest

from readers.engine.errors import ModelFailed
from readers.engine.models import similarity
from readers.engine.models.call import Call, ModelSettings, Reply
from readers.engine.models.model import RefusingModel
from readers.engine.models.similarity import SCORE, VectorCache, WithScores
from readers.engine.text import words
from readers.engine.text.document import Text
from tests.support.servers.model_server import Answer, ModelServer, embeddings, letters, replying


def test_bm25() -> None:
    # "lamp" is in one of two texts: rarity ln(1 + 1.5/1.5). It occurs twice in three words; texts have two on average.
    first = math.log(2) * 2 * 2.5 / (2 + 1.5 * (0.25 + 0.75 * 3 / 2))
    assert similarity.bm25("lamp", ["lamp lamps oil", "oil"]) == pytest.approx([first, 0.0])
    assert first == pytest.approx(0.8531, abs=1e-4)


def test_tfidf() -> None:
    lamp, oil = math.log(2), math.log(1.2)
    query, text = math.hypot(lamp, oil), math.hypot(2 * lamp, oil)
    assert similarity.tfidf("lamp oil", ["lamp lamp oil", "oil"]) == pytest.approx(
        [(2 * lamp * lamp + oil * oil) / (query * text), oil / query]
    )
    assert oil / query == pytest.approx(0.2544, abs=1e-4)


def test_word_recall_is_the_share_of_the_querys_words() -> None:
    assert similarity.word_recall("red red lamp at sea", ["the red lamp", "SEA", "none"]) == pytest.approx([2 / 4, 1 / 4, 0])


def test_jaccard_is_shared_words_over_all_words() -> None:
    assert similarity.jaccard("red lamp", ["red lamp red", "red sea", "none of it"]) == pytest.approx([1, 1 / 3, 0])


@pytest.mark.parametrize("scorer", similarity.LEXICAL)
def test_a_scorer_gives_a_number_for_any_text(scorer: str) -> None:
    for query in ("", "…", "灯台", "lamp"):
        scores = similarity.LEXICAL[scorer](query, ["", " \n", "灯台守", "lamp", "\ud800"])
        assert len(scores) == 5
        assert all(math.isfinite(score) and score >= 0 for score in scores)


# Embeddings

HEALTHY = replying(str)


def score(server: ModelServer, query: str, texts: Sequence[str], *, model: str = "openai/test", key: str | None = None) -> Reply:
    parts = SCORE.parts({"query": Text(query), "texts": [Text(text) for text in texts]})
    return WithScores(RefusingModel(), key).complete(
        Call(0, 0, SCORE, parts, ModelSettings(f"embedding/{model}", server.base_url))
    )


def sent(server: ModelServer) -> list[list[str]]:
    return [request.body["input"] for request in server.requests]


def by_hand(query: str, text: str) -> float:
    a, b = letters(query), letters(text)
    return sum(x * y for x, y in zip(a, b, strict=True)) / (math.hypot(*a) * math.hypot(*b))


@pytest.mark.slow  # loads litellm
def test_a_text_is_embedded_once_with_unchanged_scores() -> None:
    with ModelServer(HEALTHY) as server:
        first = score(server, "oil lamp", ["red sea", "old lamp"])
        second = score(server, "lamp oil", ["red sea", "old lamp", "sea wall", "sea wall"])
    assert sent(server) == [["oil lamp", "red sea", "old lamp"], ["lamp oil", "sea wall"]]
    assert (first.tokens_in, second.tokens_in) == (3, 2)
    assert json.loads(first.text) == pytest.approx([by_hand("oil lamp", text) for text in ("red sea", "old lamp")])
    with ModelServer(HEALTHY) as anew:
        assert score(anew, "lamp oil", ["red sea", "old lamp", "sea wall", "sea wall"]).text == second.text
    assert len(sent(anew)[0]) == 4


@pytest.mark.slow  # loads litellm
def test_cached_texts_are_neither_sent_nor_paid_for() -> None:
    with ModelServer(HEALTHY) as server:
        first = score(server, "oil lamp", ["red sea"])
        again = score(server, "oil lamp", ["red sea"])
    assert len(server.requests) == 1
    assert again.text == first.text
    assert (again.tokens_in, again.tokens_out, again.cost_usd) == (0, 0, 0.0)


@pytest.mark.slow  # loads litellm
def test_vectors_of_another_model_or_server_are_not_used() -> None:
    with ModelServer(HEALTHY) as server, ModelServer(HEALTHY) as other:
        score(server, "oil", ["sea"])
        score(server, "oil", ["sea"], model="openai/another")
        score(other, "oil", ["sea"])
    assert [len(inputs) for inputs in sent(server) + sent(other)] == [2, 2, 2]


@pytest.mark.slow  # loads litellm
def test_a_failed_call_caches_nothing() -> None:
    answers = [Answer(embeddings([letters("one")])), Answer(embeddings([[1.0], [1.0, 2.0]]))]
    with ModelServer(lambda request: answers[request.number] if request.number < 2 else HEALTHY(request)) as server:
        for _ in answers:
            with pytest.raises(ModelFailed, match="vectors"):
                score(server, "oil", ["sea"])
        assert json.loads(score(server, "oil", ["sea"]).text) == pytest.approx([0.0])
    assert sent(server) == [["oil", "sea"]] * 3


@pytest.mark.slow  # loads litellm
def test_when_the_model_at_an_address_changes_every_text_is_embedded_again() -> None:
    def script(request: object) -> Answer:
        number, count = request.number, len(request.body["input"])  # type: ignore[attr-defined]
        return Answer(embeddings([[1.0, 0.0] if number == 0 else [1.0, 0.0, 0.0]] * count))

    with ModelServer(script) as server:
        score(server, "oil", ["sea"])
        with pytest.raises(ModelFailed, match="different lengths"):
            score(server, "oil", ["sea", "wall"])
        assert json.loads(score(server, "oil", ["sea", "wall"]).text) == [1.0, 1.0]
    assert sent(server) == [["oil", "sea"], ["wall"], ["oil", "sea", "wall"]]


@pytest.mark.slow  # loads litellm
def test_the_cache_stores_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = VectorCache()
    monkeypatch.setattr(similarity, "VECTORS", kept)
    with ModelServer(HEALTHY) as server:
        score(server, "oil", ["sea"], key="sk-marker-0123456789")
    assert set(kept._vectors) == {(("openai/test", server.base_url), text) for text in ("oil", "sea")}


def test_the_cache_is_bounded_and_keeps_the_most_recently_used_vectors() -> None:
    place, vectors = ("m", None), VectorCache(6)
    vectors.add(place, {"a": [1.0, 2.0], "b": [3.0, 4.0], "c": [5.0, 6.0]})
    vectors.find(place, ["a"])
    vectors.add(place, {"d": [7.0, 8.0]})
    assert {text: list(vector) for text, vector in vectors.find(place, "abcd").items()} == {
        "a": [1.0, 2.0], "c": [5.0, 6.0], "d": [7.0, 8.0],
    }  # fmt: skip
    vectors.add(place, {"d": [9.0]})
    vectors.add(place, {"e": [0.0]})
    assert set(vectors.find(place, "abcde")) == {"a", "c", "d", "e"}
    vectors.add(place, {"too long": [0.0] * 7})
    assert vectors.find(place, ["too long", *"abcde"]) == {}
    vectors.add(("m", "http://there"), {"a": [1.0]})
    vectors.forget(place)
    assert set(vectors.find(("m", "http://there"), "a")) == {"a"}


def test_the_cache_is_thread_safe() -> None:
    vectors, wrong = VectorCache(400), []

    def work(n: int) -> None:
        for i in range(400):
            text = str((i * 7 + n) % 150)
            vectors.add(("m", None), {text: [float(text)] * 4})
            for known, vector in vectors.find(("m", None), map(str, range(0, 150, 13))).items():
                if list(vector) != [float(known)] * 4:
                    wrong.append(known)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert vectors._floats == sum(map(len, vectors._vectors.values())) <= 400


@pytest.mark.slow  # loads litellm
def test_many_texts_are_embedded_in_requests_of_bounded_size() -> None:
    texts = [f"memory {n}" for n in range(300)]
    with ModelServer(HEALTHY) as server:
        found = score(server, "oil lamp", texts)
    assert [len(batch) for batch in sent(server)] == [128, 128, 45]
    assert [text for batch in sent(server) for text in batch] == ["oil lamp", *texts]
    assert len(json.loads(found.text)) == 300
    assert found.tokens_in == 301


@pytest.mark.slow
def test_words_are_stemmed_alike_by_concurrent_threads() -> None:
    """Readings run side by side, and the stemmer handles one word at a time."""
    ends = [b + c for b in ("ional", "iveness", "fully", "ization") for c in ("", "s", "ly", "ing", "ed", "ism", "er", "ness")]
    every = [stem + end for stem in ("relat", "nation", "hop", "generous") for end in ends]
    alone = [words.term.__wrapped__(word) for word in every]
    found: list[list[str]] = []
    wrong: list[Exception] = []

    def run() -> None:
        try:
            for _ in range(20):
                found.append([words.term.__wrapped__(word) for word in every])
        except Exception as error:
            wrong.append(error)

    switching = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(switching)
    assert not wrong
    assert all(one == alone for one in found)
