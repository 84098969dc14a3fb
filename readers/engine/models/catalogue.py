"""Which model an id means, how much goes into it, and which keys there are, without showing them.

Ids are litellm's own, and Palimpsest's: `offline/extractive`, which needs nothing, `local/smollm2`, which is fetched once, and
`human/you`, whom only the app can ask. Not here: answering calls (`models.py`, `offline/`, `local.py`, `human.py`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from readers.engine.errors import BadOptions
from readers.engine.models import local_server
from readers.engine.models.call import Served
from readers.engine.models.model import LiteLLM, Model, Switched, window_of
from readers.engine.models.offline import Offline

OFFLINE = "offline/extractive"
OFFLINE_TITLE = "offline model (no neural network)"
LOCAL = local_server.ID
HUMAN = "human/you"
HUMAN_TITLE = "you"
HUMAN_WRONG_USE = (
    f"{HUMAN!r} is you, and is asked in the app alone: start it (streamlit run app.py), choose 'Be the model yourself' on the "
    "page Read, and each prompt is put to you there"
)

# The providers shown when somebody asks which models there are; litellm knows many more.
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
    """PALIMPSEST_MODEL, else the offline model."""
    return os.environ.get("PALIMPSEST_MODEL") or OFFLINE


def open_model(id: str, *, api_key: str | None = None) -> Model:
    """What answers the calls of this model. Raises BadOptions for an id that cannot be one, and for the person, who is asked for
    one reading alone (`human.Human`)."""
    if id == OFFLINE:
        return Offline()
    if id == LOCAL:
        return local_server.open_local()
    if id == HUMAN:
        raise BadOptions(HUMAN_WRONG_USE)
    family = id.partition("/")[0]
    if family in ("offline", "scripted", "human", "local"):
        raise BadOptions(
            f"there is no model {id!r} here; without a key and a network there are {OFFLINE!r} and {LOCAL!r}, all "
            "other ids are litellm's"
        )
    if not id.strip() or id != id.strip():
        raise BadOptions(f"the model id {id!r} is empty or has blanks around it; take one such as 'gpt-4o-mini' or {OFFLINE!r}")
    return LiteLLM(api_key)


def open_models(models: Sequence[Served], *, open: Callable[[str, str | None], Model] | None = None) -> Model:
    """What answers the calls of a reading that may ask these models, each with its base URL. `open` gives one of them a key."""
    opened = {(id, api_base): open(id, api_base) if open else open_model(id) for id, api_base in models}
    return next(iter(opened.values())) if len(opened) == 1 else Switched(opened)


def window_for(id: str) -> int | None:
    """The tokens that go into the model with its reply; None for no limit."""
    if id == LOCAL:
        return local_server.WINDOW
    return None if id in (OFFLINE, HUMAN) else window_of(id)


def title(id: str) -> str:
    """The model's name as it is shown everywhere."""
    return {OFFLINE: OFFLINE_TITLE, LOCAL: local_server.TITLE, HUMAN: HUMAN_TITLE}.get(id, id)


def keys_set() -> dict[str, bool]:
    """The variables that hold the providers' keys, and whether each is set. Never a value."""
    return {variable: bool(os.environ.get(variable)) for variable, _ in PROVIDERS.values()}
