"""A chosen model: what cannot be used is refused in a sentence that repeats no key."""

from __future__ import annotations

import pytest

from components.session.model_choice import ModelChoice
from readers.engine.errors import BadOptions

KEY = "sk-of-this-test-0123456789"
USELESS = [
    (ModelChoice("gpt 4o"), "without blanks"),
    (ModelChoice("offline/other"), "no model"),
    (ModelChoice("openai/x", "localhost:8000"), "must begin with http"),
    (ModelChoice("openai/x", "http://"), "no server in it"),
    (ModelChoice("openai/x", "http://a b/v1"), "no server in it, or blanks"),
    (ModelChoice("openai/x", "http://h:port/v1"), "no server in it"),
    (ModelChoice("openai/x", f"http://me:{KEY}@h/v1"), "would be stored"),
    (ModelChoice("openai/x", api_key=f"{KEY} x"), "holds no blanks"),
    (ModelChoice("offline/extractive", api_key=KEY), "needs no key"),
    (ModelChoice("openai/x", top_p=0.0), "top p is above 0"),
]


@pytest.mark.parametrize(("choice", "words"), USELESS, ids=[words for _, words in USELESS])
def test_what_cannot_be_used_is_refused_in_a_sentence(choice: ModelChoice, words: str) -> None:
    with pytest.raises(BadOptions) as refused:
        choice.checked()
    assert words in str(refused.value)
    assert KEY not in str(refused.value)


def test_what_is_typed_is_tidied_up() -> None:
    typed = ModelChoice(" openai/x ", " http://h/v1\n", f" {KEY} ")
    assert typed.checked() == ModelChoice("openai/x", "http://h/v1", KEY)
    assert ModelChoice("openai/x", " ", "").checked() == ModelChoice("openai/x")
