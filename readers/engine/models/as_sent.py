"""A completion's text, thoughts, finish reason and tokens as the provider sent them, past litellm's own changes.

litellm moves `<think>` and `<thinking>` at the beginning of a text into a separate field and does not record which of the two it
was, so a `<thinking>` that a reply must have would be lost. It shows each response to a logging function before that. Servers
with OpenAI's API give log-probabilities of tokens; llama.cpp adds each token's id to it, vLLM gives the ids separately. They are
of all that the model wrote, its thoughts among it. What a server sends is untrusted: anything else counts as not given.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from readers.engine.models.call import LENGTH, NOT_GIVEN, Sampled

LONGEST_FINISH = 40
MOST_TOKENS = 200_000  # of one reply

# What providers call an ordinary end.
_STOPPED = frozenset({"stop", "end_turn", "stop_sequence", "complete", "eos", "eos_token", "finish_reason_unspecified"})


class AsSent:
    """Notes one response of litellm's as it came; pass it to litellm as `logger_fn`."""

    def __init__(self) -> None:
        self._response: object = None

    def __call__(self, details: Mapping[str, Any]) -> None:
        if details.get("log_event_type") == "post_api_call":
            self._response = details.get("original_response")

    @property
    def sampled(self) -> Sampled:
        """The tokens of the reply, if the response gives them."""
        return sampled_in(self._response)

    def message_of(self, answer: Any) -> tuple[str | None, str, str]:
        """The text of litellm's answer (None if there was none) as it was sent if litellm removed thoughts from it; the thoughts
        sent with it; and why the model stopped."""
        if not answer.choices:
            return None, "", ""
        choice = answer.choices[0]
        text, thoughts = choice.message.content, getattr(choice.message, "reasoning_content", None)
        text = text if isinstance(text, str) else None
        thoughts = thoughts.strip() if isinstance(thoughts, str) else ""
        if thoughts and (whole := _text_in(self._response)) and whole != text and whole.endswith(text or ""):
            text, thoughts = whole, ""
        return text, thoughts, _finish(choice)


def _text_in(response: object) -> str | None:
    """The text in a response of OpenAI's or Ollama's form; None in any other."""
    try:
        found = json.loads(response) if isinstance(response, (str, bytes)) else response
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None
    choices = found.get("choices")
    first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else found
    message = first.get("message")
    text = message.get("content") if isinstance(message, dict) else first.get("response")
    return text if isinstance(text, str) else None


def _finish(choice: Any) -> str:
    """Why the model stopped: "length", "stop", or the provider's own word for another reason."""
    told = getattr(choice, "finish_reason", None)
    fields = getattr(choice, "provider_specific_fields", None)
    own = fields.get("native_finish_reason") if isinstance(fields, dict) else None
    if told == LENGTH or not isinstance(own or told, str):
        return LENGTH if told == LENGTH else ""
    reason = str(own or told)
    return "stop" if reason.lower() in _STOPPED else reason[:LONGEST_FINISH]


# Tokens and their log-probabilities


def sampled_in(response: object) -> Sampled:
    """What a response of OpenAI's form, as data or JSON, gives of its first choice."""
    try:
        found = json.loads(response) if isinstance(response, (str, bytes)) else response
    except ValueError:
        return NOT_GIVEN
    choice = _first(_get(found, "choices"))
    rows = _get(_get(choice, "logprobs"), "content")
    rows = rows if isinstance(rows, list) else []
    logprobs = _all(_is_logprob, [_get(row, "logprob") for row in rows])
    ids = _all(_is_id, [_get(row, "id") for row in rows]) or _all(_is_id, _get(choice, "token_ids"))
    if ids and logprobs and len(ids) != len(logprobs):
        ids = None  # their position does not distinguish them
    return Sampled(tuple(map(int, ids)) if ids else None, tuple(map(float, logprobs)) if logprobs else None)


def _get(found: object, name: str) -> Any:
    return found.get(name) if isinstance(found, dict) else None


def _first(found: object) -> Any:
    return found[0] if isinstance(found, list) and found else None


def _all(fits: Any, values: object) -> list[Any] | None:
    """The values, if there are some and each fits."""
    given = isinstance(values, list) and 0 < len(values) <= MOST_TOKENS and all(map(fits, values))
    return list(values) if given and isinstance(values, list) else None


def _is_id(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 32


def _is_logprob(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value <= 0
