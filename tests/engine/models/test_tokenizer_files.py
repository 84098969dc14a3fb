"""A checkpoint's own tokenizer: slices as it decodes them, with their places, and TF-IDF over its tokens."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, normalizers

from readers.engine.errors import BadOptions
from readers.engine.models.tokenizer_files import slices, token_tfidf
from tests.support.texts_and_files import tiny_tokenizer


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny_tokenizer.save(tmp_path_factory.mktemp("tokenizer") / "tokenizer.json")


@given(text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1), size=st.integers(5, 12))
def test_a_slice_shows_what_the_tokenizer_decodes_and_slices_follow_each_other(tokenizer: str, text: str, size: int) -> None:
    own = Tokenizer.from_file(tokenizer)
    ids = own.encode(text).ids
    found = slices(text, size, tokenizer)
    decoded = [own.decode(ids[at : at + size], skip_special_tokens=False) for at in range(0, len(ids), size)]
    assert [one.before + text[one.start : one.end] + one.after for one in found] == decoded
    at = 0
    for one in found:
        assert one.start == at + bool(one.before)
        at = one.end
    assert at == len(text)


def test_a_tokenizer_that_changes_the_text_is_refused(tokenizer: str, tmp_path: Path) -> None:
    other = Tokenizer.from_file(tokenizer)
    other.normalizer = normalizers.Lowercase()
    other.save(str(tmp_path / "other.json"))
    with pytest.raises(BadOptions, match="does not give back the text"):
        slices("The Lamp", 32, str(tmp_path / "other.json"))


@pytest.mark.parametrize("content", [None, "", "{}", '{"version": "1.0", "model": {"secret": 1}}', "\udcff"])
def test_a_file_that_is_no_tokenizer_is_refused_and_nothing_of_it_repeated(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "tokenizer.json"
    if content is not None:
        path.write_text(content, errors="surrogateescape")
    with pytest.raises(BadOptions, match=r"tokenizer\.json") as caught:
        slices("The lamp", 32, str(path))
    assert "secret" not in str(caught.value)


def test_scores_weigh_the_lower_cased_tokens(tokenizer: str) -> None:
    texts = ["xXx", "the ledger ledger", "zzz"]
    assert token_tfidf("X", texts, tokenizer) == pytest.approx([1, 0, 0])
    assert token_tfidf("zzz", texts, tokenizer) == pytest.approx([0, 0, 1])
    a, b = math.log(3 / 2) + 1, math.log(3 / 3) + 1  # of two texts one has "x", both have "y"
    assert token_tfidf("x", ["xy", "yy"], tokenizer) == pytest.approx([a / math.hypot(a, b), 0])
    assert token_tfidf("lamp", ["", ""], tokenizer) == []
