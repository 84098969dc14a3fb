"""A chosen model: what cannot be used is refused in a sentence that repeats no key."""

from __future__ import annotations

import pytest

from components.session.model_choice import ModelChoice, with_its_server
from readers.engine.errors import BadOptions
from readers.engine.models.local.other_servers import LM_STUDIO, OLLAMA, OfferedModel

KEY = "sk-of-this-test-0123456789"
USELESS = [
    (ModelChoice("gpt 4o"), "without blanks"),
    (ModelChoice("offline/other"), "no model"),
    (ModelChoice("openai/x", "localhost:8000"), "must begin with http"),
    (ModelChoice("openai/x", "http://"), "names no server"),
    (ModelChoice("openai/x", "http://a b/v1"), "names no server, or contains blanks"),
    (ModelChoice("openai/x", "http://h:port/v1"), "names no server"),
    (ModelChoice("openai/x", f"http://me:{KEY}@h/v1"), "would be stored"),
    (ModelChoice("openai/x", api_key=f"{KEY} x"), "and no blanks"),
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
    typed = ModelChoice(" openai/x ", " http://h/v1\n", api_key=f" {KEY} ")
    assert typed.checked() == ModelChoice("openai/x", "http://h/v1", api_key=KEY)
    assert ModelChoice("openai/x", " ", api_key="").checked() == ModelChoice("openai/x")


OFFERED = [OfferedModel("llama3.1:latest", OLLAMA), OfferedModel("a/b", LM_STUDIO)]
HERE, THERE = OLLAMA.api_base, LM_STUDIO.api_base


@pytest.mark.parametrize(
    ("given", "becomes"),
    [
        (("ollama_chat/llama3.1:latest", "", None), (HERE, 4096)),
        (("ollama_chat/llama3.1:latest", "", 16_384), (HERE, 16_384)),
        (("ollama_chat/llama3.1:latest", "http://10.0.0.9:11434", None), ("http://10.0.0.9:11434", None)),
        (("lm_studio/a/b", HERE, 4096), (THERE, 4096)),
        (("gpt-4o-mini", HERE, 4096), ("", None)),
        (("gpt-4o-mini", "http://127.0.0.1:8000/v1", 4096), ("http://127.0.0.1:8000/v1", 4096)),
        (("ollama_chat/new", HERE, 4096), (HERE, 4096)),
    ],
)
def test_a_model_of_another_program_comes_with_its_server(
    given: tuple[str, str, int | None], becomes: tuple[str, int | None]
) -> None:
    model_id, base, window = given
    found = with_its_server({"id": model_id, "api_base": base, "window": window}, OFFERED)
    assert (found["id"], (found["api_base"], found["window"])) == (model_id, becomes)


def test_a_neural_network_on_this_machine_can_be_measured() -> None:
    here = [ModelChoice("local/smollm2"), ModelChoice("openai/x", "http://127.0.0.1:8000/v1"), ModelChoice("ollama/llama3.1")]
    there = [
        ModelChoice("offline/extractive"),
        ModelChoice("human/you"),
        ModelChoice("gpt-4o-mini"),
        ModelChoice("openai/x", "http://h/v1"),
    ]
    assert [choice.on_this_machine for choice in here + there] == [True] * 3 + [False] * 4
