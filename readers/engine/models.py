"""The way out: a `Model` answers calls. Here are the one that goes through litellm, the scripted one, and bounded retry.

litellm is imported at the first call, not before: it takes seconds. A key is passed with each call, held in no field that is
shown, and cut out of every message of an error. Not here: the offline model (`offline.py`), the cache across readings and the
budget (`journal.py`, `flight.py`), which need the record.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from readers.engine.calls import Call, Reply
from readers.engine.errors import BadOptions, KeyRefused, ModelFailed

TRIES = 4
FIRST_WAIT = 0.5
LONGEST_WAIT = 4.0
LONGEST_RETRY_AFTER = 10.0
UNKNOWN_WINDOW = 8192


class Model(Protocol):
    def complete(self, call: Call) -> Reply:
        """The reply to one call. Raises ModelFailed (after its own bounded tries) or KeyRefused. Called from several threads at once."""
        ...


def is_immediate(model: Model, call: Call) -> bool:
    """Whether the model answers this call by itself in milliseconds, so that a thread would only cost time.

    A model says so by a method `immediate(call)`; one without it is taken to be slow.
    """
    immediate = getattr(model, "immediate", None)
    return immediate is not None and bool(immediate(call))


class Transient(ModelFailed):
    """A failure worth another try. `retry_after` is what the provider asked for, in seconds; `limited` marks a rate limit."""

    def __init__(self, message: str, *, retry_after: float | None = None, limited: bool = False) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.limited = limited


@dataclass(frozen=True)
class Retry:
    """Tries again what failed in passing: four tries a call, waiting 0.5 s doubling to 4 s; a provider's Retry-After is honoured up to 10 s."""

    model: Model
    stopped: Callable[[], bool] = lambda: False
    sleep: Callable[[float], None] = time.sleep

    def immediate(self, call: Call) -> bool:
        return is_immediate(self.model, call)

    def complete(self, call: Call) -> Reply:
        wait, limited = FIRST_WAIT, 0
        for tried in range(1, TRIES + 1):
            try:
                return replace(reply, limited=limited) if (reply := self.model.complete(call)) and limited else reply
            except Transient as failure:
                limited += failure.limited
                if tried == TRIES or self.stopped():
                    raise ModelFailed(f"{failure} (tried {tried} times)") from None
                asked_for = min(failure.retry_after or 0.0, LONGEST_RETRY_AFTER)
                self.sleep(max(wait, asked_for))
                wait = min(wait * 2, LONGEST_WAIT)
        raise AssertionError("unreachable")


@dataclass
class Scripted:
    """Replies from a list (in the order of the calls' numbers, attempts after one another) or from a function of the call."""

    replies: Iterable[str] | Callable[[Call], str]
    calls: list[Call] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._script = self.replies if callable(self.replies) else None
        self._list = [] if callable(self.replies) else list(self.replies)

    def complete(self, call: Call) -> Reply:
        self.calls.append(call)
        if self._script:
            return Reply(self._script(call), tokens_in=0, tokens_out=0, cost_usd=0.0)
        if len(self.calls) > len(self._list):
            raise ModelFailed(f"the script has {len(self._list)} replies, and call {call.seq} asks for one more")
        return Reply(self._list[len(self.calls) - 1], tokens_in=0, tokens_out=0, cost_usd=0.0)


class Refusing:
    """A model that may not be asked: for looking at a finished reading again."""

    def complete(self, call: Call) -> Reply:
        raise ModelFailed(f"call {call.seq} is not in the record, and this reading may not ask a model")


@dataclass(frozen=True)
class LiteLLM:
    """Any model litellm knows, by litellm's own id. `timeout` is in seconds, a try."""

    api_key: str | None = field(default=None, repr=False)
    timeout: float = 120.0

    def complete(self, call: Call) -> Reply:
        litellm = load_litellm()
        settings = call.settings
        began = time.monotonic()
        try:
            response = litellm.completion(
                model=settings.model,
                messages=call.messages,
                api_base=settings.api_base,
                api_key=self._key(settings.api_base),
                temperature=settings.temperature,
                top_p=settings.top_p,
                max_tokens=call.prompt.max_tokens,
                timeout=self.timeout,
                max_retries=0,
                num_retries=0,
                drop_params=True,
            )
        except litellm.exceptions.AuthenticationError as error:
            raise KeyRefused(self._said(settings.model, error, hint=_which_key(settings.model))) from None
        except (litellm.exceptions.BadRequestError, litellm.exceptions.NotFoundError, litellm.exceptions.PermissionDeniedError) as error:
            raise ModelFailed(self._said(settings.model, error)) from None
        except (
            Exception
        ) as error:  # litellm raises its own errors, httpx's and, on odd replies, builtin ones: all are passing failures here
            raise self._transient(settings.model, error) from None
        return self._reply(litellm, response, settings.model, began)

    def _key(self, api_base: str | None) -> str | None:
        """A server of one's own often takes no key, but the client library insists on one."""
        return self.api_key or ("no-key" if api_base and not os.environ.get("OPENAI_API_KEY") else None)

    def _reply(self, litellm: Any, response: Any, model: str, began: float) -> Reply:
        choices = getattr(response, "choices", None)
        text = choices[0].message.content if choices else None
        if not isinstance(text, str):
            raise Transient(f"model {model!r} sent a reply without text; ask again, or try another model")
        usage = getattr(response, "usage", None)
        cost = getattr(response, "_hidden_params", {}).get("response_cost")  # None for a model litellm has no price for
        tokens = (getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None))
        return Reply(text, *tokens, cost_usd=cost, ms=round(1000 * (time.monotonic() - began)))

    def _transient(self, model: str, error: Exception) -> Transient:
        status = getattr(error, "status_code", None)
        return Transient(self._said(model, error), retry_after=_retry_after(error), limited=status == 429)

    def _said(self, model: str, error: Exception, *, hint: str = "") -> str:
        """The provider's own words, short and without any key."""
        words = " ".join(f"{type(error).__name__}: {error}".split())
        return scrub(f"model {model!r} gave no reply: {words[:600]}" + (f". {hint}" if hint else ""), self.api_key)


def load_litellm() -> Any:
    """litellm, told to fetch nothing at import and to keep quiet."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    return litellm


def window_of(model: str) -> int:
    """The tokens that go into a model with a reply, as litellm knows them; 8,192 for a model it does not know."""
    try:
        info = load_litellm().get_model_info(model)
    except Exception:  # an unknown model raises a bare Exception
        return UNKNOWN_WINDOW
    return int(info.get("max_input_tokens") or info.get("max_tokens") or UNKNOWN_WINDOW)


def check_api_base(url: str) -> str:
    """A base URL that is one and carries no secret. Raises BadOptions."""
    if not url.startswith(("http://", "https://")):
        raise BadOptions(f"the base URL {url!r} must begin with http:// or https://, like http://localhost:8000/v1")
    if "@" in url.partition("://")[2].partition("/")[0] or "?" in url:
        raise BadOptions(
            "the base URL holds a user name, password or query; give the key through the environment instead, it would be stored here"
        )
    return url


def secrets() -> list[str]:
    """The values of every key in the environment, to be kept out of messages."""
    names = (name for name in os.environ if name.upper().endswith(("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")))
    return [value for name in sorted(names) if len(value := os.environ[name]) >= 8]


def scrub(words: str, key: str | None = None) -> str:
    """`words` with every known key cut out."""
    for secret in [key, *secrets()]:
        if secret:
            words = words.replace(secret, "[key]")
    return words


def _retry_after(error: Exception) -> float | None:
    response = getattr(error, "response", None)
    headers = getattr(response, "headers", None) or getattr(error, "litellm_response_headers", None) or {}
    try:
        return float(headers.get("retry-after", ""))
    except (TypeError, ValueError):
        return None


def _which_key(model: str) -> str:
    provider = model.partition("/")[0] if "/" in model else "openai"
    return f"Set the key in the environment ({provider.upper()}_API_KEY for most providers) or in the app's password field, and check that it is valid"
