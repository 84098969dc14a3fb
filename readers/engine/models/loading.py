"""Loads litellm, which takes seconds: when something of it is first needed, or before, in a thread beside other work.

An import finds no garbage, and the looking for it takes a fifth of the time; so nothing is collected meanwhile, and what was
loaded is never looked through again. Not here: what is asked of litellm (`model.py`).
"""

from __future__ import annotations

import gc
import logging
import os
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from typing import Any

from readers.engine import on_first_use

# Below WARNING these log headers and bodies, which may contain a key.
VERBOSE_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "openai", "httpx", "httpcore")
# What litellm itself imports within the first call, most of it the client of OpenAI: over 500 modules, a third of a second.
OF_FIRST_CALL = (
    "openai.resources", "httpcore", "readers.engine.models.reply_limit", "litellm.proxy.openai_files_endpoints.common_utils",
    "litellm.llms.openai.chat.gpt_audio_transformation", "litellm.llms.litellm_proxy.chat.transformation",
    "litellm.llms.vertex_ai.vertex_ai_partner_models.anthropic.transformation", "litellm.llms.openai_like.dynamic_config",
    "litellm._service_logger", "litellm.integrations.prometheus_services",
)  # fmt: skip
# What both litellm and this program import, of packages whose modules are loaded when they are first named.
SHARED = ("pydantic.main", "pydantic.fields", "pydantic.types", "pydantic.type_adapter", "pydantic.functional_validators")


@contextmanager
def without_collecting() -> Iterator[None]:
    """Within this, no garbage is looked for, in all threads."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@cache
def load_litellm() -> Any:
    """Import litellm, set to fetch nothing at import, to send no reports and to log only warnings."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    with without_collecting():
        import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.DEFAULT_MAX_RETRIES = 0  # embeddings fall back on this where `max_retries=0` is passed
    for name in VERBOSE_LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)
    # These warnings print malformed replies to standard error.
    warnings.filterwarnings("ignore", "Pydantic serializer warnings", UserWarning)
    return litellm


def load_for_calls() -> None:
    """Load litellm with what its first call imports."""
    with without_collecting():
        load_litellm()
        for name in OF_FIRST_CALL:
            with suppress(ImportError):  # another version may be made of other modules, and then imports them itself
                import_module(name)
        gc.freeze()


def load_for(models: Iterable[str]) -> None:
    """Load all that calls of these models need, if one of them is called by litellm, as soon as it is known."""
    if any(not model.startswith(("offline/", "human/")) for model in models):
        load_soon()


@cache
def load_soon() -> None:
    """Load all that calls need, in a thread beside what this one does next.

    pydantic, which both import, is imported here: its modules import one another when they are first named, and two threads in
    the middle of it could each wait for the other."""
    for name in SHARED:
        import_module(name)
    on_first_use.soon(load_for_calls)
