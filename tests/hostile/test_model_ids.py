"""A model id or a base URL that leads to a server of a stranger's choice: it would be sent the keys of the environment."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from threading import Thread

import pytest

from readers.engine.errors import BadOptions, ModelFailed
from readers.engine.models import catalogue
from readers.engine.models.call import Call, ModelSettings
from readers.engine.models.loading import load_litellm
from readers.engine.models.model import LiteLLM
from readers.engine.models.similarity import EMBEDDING, SCORE, WithScores
from readers.engine.prompts.prompt import Prompt
from readers.engine.text.document import Text

HOST = "evil.example"
REFUSED = (
    "http://{}/x", "https://{}/x", "HTTP://{}", "x://{}", r"http:\\{}\x", "x\r\nHost: {}", "x {}", " {}", "{}\u2028", "{}\x00",
)  # fmt: skip
ODD = ("{}/x", "//{}/x", "http:{}/x", "x@{}")
MARKER = "sk-marker-0123456789"
# How litellm reads what looks like a secret from the environment.
READ = re.compile(
    r"""(?:get_secret(?:_str)?|os\.getenv|environ\.get)\(\s*["']([A-Z][A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|PAT|JWT|CREDENTIALS|KEY_ID))["']"""
)
PROMPT = Prompt(id="t", task="summarise", template="$segment")


def ask(model: str, api_base: str | None = None) -> None:
    settings = ModelSettings(model, api_base=api_base)
    LiteLLM(timeout=1.0).complete(Call(0, 0, PROMPT, PROMPT.parts({"segment": Text("A lamp.")}), settings))


def embed(model: str, api_base: str | None = None) -> None:
    parts = SCORE.parts({"query": Text("oil"), "texts": [Text("A lamp.")]})
    WithScores(LiteLLM()).complete(Call(0, 0, SCORE, parts, ModelSettings(EMBEDDING + model, api_base=api_base)))


def providers() -> list[str]:
    return [str(getattr(one, "value", one)) for one in load_litellm().provider_list]


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("provider", ["", "openai/", "huggingface/", "oobabooga/"])
def test_an_address_is_no_model_id_wherever_one_is_taken(provider: str, name: str) -> None:
    for take in (ask, embed, catalogue.open_model):
        with pytest.raises(BadOptions, match="is not a model id"):
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

    every = providers()
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    for provider in every:
        with monkeypatch.context() as environment:
            environment.setenv(f"{provider.upper().replace('-', '_')}_API_KEY", MARKER)
            for take, name in [*product((ask,), ODD), (embed, ODD[0])]:
                with pytest.raises((ModelFailed, BadOptions)):
                    take(f"{provider}/{name.format(HOST)}")
    assert len(every) > 100
    assert "api.openai.com" in looked_up
    assert not [host for host in looked_up if HOST in host]


class Stranger(BaseHTTPRequestHandler):
    """Notes all that it is sent."""

    received: list[str]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode("latin-1")
        self.received.append(f"{self.path}\n{self.headers}\n{body}")
        self.send_response(400)
        self.end_headers()

    do_GET = do_PUT = do_POST

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def stranger() -> Iterator[tuple[str, list[str]]]:
    """The base URL of somebody else's server, and what it was sent."""
    Stranger.received = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Stranger) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", Stranger.received
        server.shutdown()
        thread.join()


def secrets_read() -> set[str]:
    """The variables of the environment in which litellm looks for secrets."""
    sources = Path(load_litellm().__file__).parent.rglob("*.py")
    return {name for source in sources for name in READ.findall(source.read_text(encoding="utf-8"))}


@pytest.mark.scale  # some 170 providers
def test_no_secret_goes_to_a_server_that_the_environment_does_not_name(
    stranger: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, received = stranger
    look_up = socket.getaddrinfo

    def only_here(host: str | bytes, *given: object, **more: object) -> object:
        if host in ("127.0.0.1", b"127.0.0.1"):
            return look_up(host, *given, **more)  # type: ignore[arg-type]
        raise socket.gaierror

    names = secrets_read()
    assert len(names) > 200
    for name in names:
        monkeypatch.setenv(name, f"{MARKER}-{name}")
    for name in ("AZURE_API_VERSION", "WATSONX_PROJECT_ID", "SNOWFLAKE_ACCOUNT_ID", "CLOUDFLARE_ACCOUNT_ID", "AWS_REGION_NAME"):
        monkeypatch.setenv(name, "us-east-1")
    monkeypatch.setattr(socket, "getaddrinfo", only_here)
    for provider in providers():
        for take in (ask, embed):
            with pytest.raises((ModelFailed, BadOptions)):
                take(f"{provider}/x", address)
    assert len(received) > 100
    assert not [words for words in received if MARKER in words]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "name"),
    [("watsonx/x", "WATSONX_TOKEN"), ("watsonx_text/x", "WATSONX_ZENAPIKEY"), ("gigachat/x", "GIGACHAT_ACCESS_TOKEN")],
)
def test_a_secret_that_litellm_sends_anywhere_is_named(model: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, MARKER)
    for take in (ask, embed):
        with pytest.raises(BadOptions, match=f"{name} from the environment would be sent"):
            take(model, "http://127.0.0.1:9/v1")
    monkeypatch.setenv(f"{model.partition('/')[0].partition('_')[0].upper()}_API_BASE", "http://127.0.0.1:9/v1")
    for take in (ask, embed):
        with pytest.raises(ModelFailed):
            take(model, "http://127.0.0.1:9/v1")
