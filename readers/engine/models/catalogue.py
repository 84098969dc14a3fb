"""Which model a model id means, its context window, and which API keys are set (never their values).

Ids are litellm's own plus three kinds of ours: `offline/extractive`, which needs nothing; `local/...`, weights on this machine;
and `human/you`, which works only in the app. Not here: answering calls (`model.py`, `offline/`, `local/`, `run/human_model.py`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from readers.engine.errors import BadOptions, KeyRefused
from readers.engine.models import reply_forms
from readers.engine.models.call import ReplyForm, ServedModel
from readers.engine.models.keys import check_model_id, key_hint, provider
from readers.engine.models.local import server as local_server
from readers.engine.models.local import weights
from readers.engine.models.model import LiteLLM, Model, ModelRouter, litellm_window, thinks_first
from readers.engine.models.offline import Offline
from readers.engine.models.received import THINKING_ROOM

OFFLINE = "offline/extractive"
OFFLINE_TITLE = "offline model (no neural network)"
LOCAL = f"{weights.PREFIX}{weights.SMOLLM2.name}"
HUMAN = "human/you"
HUMAN_TITLE = "you"
HUMAN_WRONG_USE = (
    f"{HUMAN!r} is you, and works only in the app: start it (streamlit run app.py) and choose 'Be the model yourself' on the "
    "page Read; it then shows you each prompt"
)

# Providers listed for users; litellm knows many more.
PROVIDERS = {
    "openai": ("OPENAI_API_KEY", "gpt-4o-mini"),
    "anthropic": ("ANTHROPIC_API_KEY", "anthropic/claude-3-5-haiku-latest"),
    "gemini": ("GEMINI_API_KEY", "gemini/gemini-2.0-flash"),
    "mistral": ("MISTRAL_API_KEY", "mistral/mistral-small-latest"),
    "groq": ("GROQ_API_KEY", "groq/llama-3.1-8b-instant"),
    "openrouter": ("OPENROUTER_API_KEY", "openrouter/meta-llama/llama-3.1-8b-instruct"),
    "together_ai": ("TOGETHERAI_API_KEY", "together_ai/meta-llama/Llama-3-8b-chat-hf"),
}


def default_model() -> str:
    """PALIMPSEST_MODEL if set, else the offline model."""
    return os.environ.get("PALIMPSEST_MODEL") or OFFLINE


def open_model(model_id: str, *, api_key: str | None = None, timeout: float | None = None, log_probs: bool = False) -> Model:
    """Return a client for a model id; `timeout` is in seconds, for each try of a call (None: `timeouts.seconds_for`). With
    `log_probs`, servers are asked for the tokens of each reply.

    Raises BadOptions for an invalid id, and for `human/you`, which is created per run (`human_model.Human`).
    """
    if model_id == OFFLINE:
        return Offline()
    if is_local(model_id):
        return local_server.open_local(model_id, timeout=timeout, log_probs=log_probs)
    if model_id == HUMAN:
        raise BadOptions(HUMAN_WRONG_USE)
    family = model_id.partition("/")[0]
    if family in ("offline", "scripted", "human"):
        raise BadOptions(
            f"there is no model {model_id!r}; without a key and a network use {OFFLINE!r} or {LOCAL!r}, any other id must be one "
            "that litellm knows"
        )
    if not model_id:
        raise BadOptions(f"the model id is empty; use one such as 'gpt-4o-mini' or {OFFLINE!r}")
    check_model_id(model_id)
    return LiteLLM(api_key, timeout, log_probs=log_probs)


def open_models(
    models: Sequence[ServedModel],
    *,
    open_one: Callable[[str, str | None], Model] | None = None,
    timeout: float | None = None,
    log_probs: bool = False,
) -> Model:
    """Return a client for a reading that may call several models. `open_one` opens each of them, for instance with a key; without
    it, the other arguments say how."""

    def opened(served: ServedModel) -> Model:
        return open_one(*served) if open_one else open_model(served.model, timeout=timeout, log_probs=log_probs)

    clients = {served: opened(served) for served in models}
    return next(iter(clients.values())) if len(clients) == 1 else ModelRouter(clients)


def window_for(model_id: str) -> int | None:
    """The model's context window in tokens, prompt and reply together; None for no limit."""
    if is_local(model_id):
        return weights.window(model_id)
    return None if model_id in (OFFLINE, HUMAN) else litellm_window(model_id)


def server_of(model_id: str, api_base: str | None) -> str | None:
    """The address of the user's own server that serves a model; None for a provider's, or if it is not running."""
    if not is_local(model_id):
        return api_base
    there = next((one for one in weights.installed() if one.id == model_id), None)
    server = local_server.running_server(there) if there else None
    return server.address if server else None


def room_factor_for(model_id: str) -> int:
    """How many times its own room a prompt's reply gets by default: more for a model that thinks before it replies."""
    return THINKING_ROOM if not needs_nothing(model_id) and thinks_first(model_id) else 1


def reply_form_for(wanted: ReplyForm, model_id: str, api_base: str | None) -> ReplyForm:
    """How replies in a form are asked for by default, or as it is wanted; in words of models that need no form to be held to."""
    if is_local(model_id) or not needs_nothing(model_id):
        return reply_forms.in_effect(wanted, model_id, api_base)
    return "words"


def title(model_id: str) -> str:
    """The model's display name."""
    if is_local(model_id):
        return weights.title(model_id)
    return {OFFLINE: OFFLINE_TITLE, HUMAN: HUMAN_TITLE}.get(model_id, model_id)


def is_local(model_id: str) -> bool:
    """Whether the id means weights on this machine, there or not."""
    return model_id.startswith(weights.PREFIX)


def is_here(model_id: str) -> bool:
    """Whether a reading can call it: weights must be on this machine."""
    return not is_local(model_id) or any(one.goes_by(model_id) for one in weights.installed())


def needs_nothing(model_id: str) -> bool:
    """Whether it runs in this program or on this machine, so that no text leaves the machine and no key is needed."""
    return model_id in (OFFLINE, HUMAN) or is_local(model_id)


def installed_local() -> list[str]:
    """The ids of the models whose weights are on this machine."""
    return [one.id for one in weights.installed()]


def configured_keys() -> dict[str, bool]:
    """The environment variables of the listed providers' API keys, and whether each is set. Never a value."""
    return {variable: bool(os.environ.get(variable)) for variable, _ in PROVIDERS.values()}


def check_key(model_id: str, api_base: str | None, api_key: str | None) -> None:
    """Raise KeyRefused if a call to a listed provider would go without a key: none is given, and the environment names neither
    one nor another server. An id without a provider lacks a key if no listed provider has one: only litellm knows whose it is."""
    named = [provider(model_id)] if "/" in model_id else list(PROVIDERS)
    if api_key or api_base is not None or not all(name in PROVIDERS for name in named):
        return
    begins = (*(PROVIDERS[name][0].removesuffix("API_KEY") for name in named), "GOOGLE_")  # which Gemini takes, too
    if not any(name.startswith(begins) and value for name, value in os.environ.items()):
        raise KeyRefused(f"there is no API key for {model_id!r}. {key_hint(model_id, api_base)}")
