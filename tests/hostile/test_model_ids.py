"""A model id that leads to a server of a stranger's choice: it would be sent the key of the environment."""

from __future__ import annotations

import socket

import pytest

from readers.engine.errors import BadOptions, ModelFailed
from readers.engine.models import catalogue
from readers.engine.models.call import Call, ModelSettings
from readers.engine.models.model import LiteLLM, load_litellm
from readers.engine.models.similarity import EMBEDDING, SCORE, WithScores
from readers.engine.prompts.prompt import Prompt
from readers.engine.text.document import Text

HOST = "evil.example"
REFUSED = (
    "http://{}/x", "https://{}/x", "HTTP://{}", "x://{}", r"http:\\{}\x", "x\r\nHost: {}", "x {}", " {}", "{}\u2028", "{}\x00",
)  # fmt: skip
ODD = ("{}/x", "//{}/x", "http:{}/x", "x@{}")
PROMPT = Prompt(id="t", task="summarise", template="$segment")


def ask(model: str) -> None:
    LiteLLM(timeout=1.0).complete(Call(0, 0, PROMPT, PROMPT.parts({"segment": Text("A lamp.")}), ModelSettings(model)))


def embed(model: str) -> None:
    parts = SCORE.parts({"query": Text("oil"), "texts": [Text("A lamp.")]})
    WithScores(LiteLLM()).complete(Call(0, 0, SCORE, parts, ModelSettings(EMBEDDING + model)))


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("provider", ["", "openai/", "huggingface/", "oobabooga/"])
def test_an_address_is_no_model_id_wherever_one_is_taken(provider: str, name: str) -> None:
    for take in (ask, embed, catalogue.open_model):
        with pytest.raises(BadOptions, match="is no model id"):
            take(provider + name.format(HOST))


@pytest.mark.parametrize("name", ["gpt-4o", "ollama/llama3.1:8b", "vertex_ai/claude-3@20240307", "openai/ab.c/D-e_f"])
def test_the_names_of_models_are(name: str) -> None:
    assert catalogue.open_model(name) == LiteLLM()


@pytest.mark.scale  # some 170 providers
def test_no_provider_that_litellm_knows_sends_a_key_to_a_host_named_by_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: set[str] = set()

    def look_up(host: str | bytes, *_: object, **__: object) -> None:
        looked_up.add(host.decode() if isinstance(host, bytes) else str(host))
        raise socket.gaierror

    providers = [str(getattr(one, "value", one)) for one in load_litellm().provider_list]
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    for provider in providers:
        with monkeypatch.context() as environment:
            environment.setenv(f"{provider.upper().replace('-', '_')}_API_KEY", "sk-marker-0123456789")
            for name in ODD:
                for take in (ask, embed):
                    with pytest.raises((ModelFailed, BadOptions)):
                        take(f"{provider}/{name.format(HOST)}")
    assert len(providers) > 100
    assert "api.openai.com" in looked_up
    assert not [host for host in looked_up if HOST in host]
