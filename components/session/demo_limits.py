"""The limits of a public demo: which models, how large a text, how many readings. Pure: no Streamlit, no storage.

PALIMPSEST_DEMO turns the demo on. The host pays for the API keys in the environment, so visitors may use only the models that
cost nothing (a person among them) and the one the host has named.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from readers.engine.errors import BadFile, BadOptions
from readers.engine.models import catalogue

MOST_BYTES = 2_000_000
MOST_FILE_BYTES = 20_000_000  # of a run file, which holds the text many times over
MOST_TOKENS = 200_000
MOST_READINGS = 20
MOST_CALLS = 2_000
OFF = ("", "0", "no", "off", "false")


def on() -> bool:
    return os.environ.get("PALIMPSEST_DEMO", "").strip().lower() not in OFF


def models() -> tuple[str, ...]:
    """The models visitors may use: the host's first, if one is named."""
    there = [
        catalogue.default_model(),
        catalogue.OFFLINE,
        *catalogue.installed_local(),
        catalogue.HUMAN,
    ]
    return tuple(dict.fromkeys(there))


def check_bytes(data: bytes) -> None:
    if len(data) > MOST_BYTES:
        raise BadFile(f"this is a public demo: a text may have {MOST_BYTES // 1_000_000} MB; {OWN_COPY}")


def check_file(data: bytes) -> None:
    if len(data) > MOST_FILE_BYTES:
        raise BadFile(f"this is a public demo: a run file may have {MOST_FILE_BYTES // 1_000_000} MB; {OWN_COPY}")


def check_upload(size: int) -> None:
    """Files that are given together."""
    if size > MOST_BYTES:
        raise BadFile(f"this is a public demo: files given at once may have {MOST_BYTES // 1_000_000} MB in all; {OWN_COPY}")


def check_batch(planned: int) -> None:
    """All readings of a visit, those that are planned but not begun among them."""
    if planned > MOST_READINGS:
        raise BadOptions(
            f"this is a public demo: a visit may have {MOST_READINGS} readings, and with these it would have {planned:,}; take "
            f"fewer questions or readers, or {OWN_COPY}"
        )


def check_tokens(tokens: int) -> None:
    if tokens > MOST_TOKENS:
        raise BadFile(f"this is a public demo: a text may have {MOST_TOKENS:,} tokens, and this one has {tokens:,}; {OWN_COPY}")


def check_readings(count: int) -> None:
    if count >= MOST_READINGS:
        raise BadOptions(f"this is a public demo: a visit may have {MOST_READINGS} readings; delete one first, or {OWN_COPY}")


def check_model(model: str, api_base: str | None, options: Mapping[str, Any]) -> None:
    """Nothing goes out but to the host's own model: no other model, server, or embedding on the host's key."""
    if model not in models() or api_base is not None:
        raise BadOptions(f"this is a public demo, and it reads with {' or '.join(map(repr, models()))} alone; {OWN_COPY}")
    if any(isinstance(value, str) and value.startswith("embedding") for value in options.values()):
        raise BadOptions(f"this is a public demo: texts are not compared by embeddings here; choose another way, or {OWN_COPY}")
    check_options(options)


def check_options(options: Mapping[str, Any]) -> None:
    """No visitor names a file of the host's."""
    if options.get("tokenizer"):
        raise BadOptions(f"this is a public demo: no tokenizer's file can be named here; leave the field empty, or {OWN_COPY}")


def capped(caps: Mapping[str, Any]) -> dict[str, Any]:
    """A reading's limits, with the demo's own for calls."""
    return {**caps, "max_calls": min(caps.get("max_calls") or MOST_CALLS, MOST_CALLS)}


OWN_COPY = "run Palimpsest on your own machine for more"
