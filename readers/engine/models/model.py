"""The way out: a `Model` answers calls. Here are the one that goes through litellm, the scripted one, and bounded retry.

litellm is imported at the first call, not before: it takes seconds. A key is passed with each call, held in no field that is
shown, and cut out of every message of an error. Not here: the offline model (`offline.py`), the cache across readings and the
budget (`journal.py`, `flight.py`), which need the record.
"""

from __future__ import annotations

import logging
import os
import re
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Protocol

from readers.engine.errors import BadOptions, KeyRefused, ModelFailed
from readers.engine.models.call import Call, Reply

TRIES = 4
FIRST_WAIT = 0.5
LONGEST_WAIT = 4.0
LONGEST_RETRY_AFTER = 10.0
UNKNOWN_WINDOW = 8192
SHORTEST_KEY = 8

# Refusals that may pass: timed out, in conflict with another request, too early, too many requests.
PASSING = (408, 409, 425, 429)

# At lower levels these log headers and bodies, where a key may stand.
CHATTY = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "openai", "httpx", "httpcore")


_CLASSES = re.compile(r"^(?:(?:litellm\.|openai\.)?\w*(?:Error|Exception)(?:: | - |:|$)\s*)+")
_KEYLESS = re.compile(r"^Missing [\w ]*(credentials|API key)", re.IGNORECASE)
_MESSAGE = re.compile(r"""["']message["']: ?(["'])((?:(?!\1).)+)\1""")


class Model(Protocol):
    def complete(self, call: Call) -> Reply:
        """The reply to one call. Raises ModelFailed (after bounded tries) or KeyRefused. Several threads call it at once."""
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
    """Tries again what failed in passing: four tries, waiting 0.5 s doubling to 4 s, or as Retry-After says, up to 10 s."""

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
                if tried < TRIES and not self.stopped():
                    self.sleep(max(wait, min(failure.retry_after or 0.0, LONGEST_RETRY_AFTER)))
                    wait = min(wait * 2, LONGEST_WAIT)
                if tried == TRIES or self.stopped():
                    raise Transient(f"{failure} (tried {tried} times)", limited=failure.limited) from None
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


@dataclass(frozen=True)
class Switched:
    """Several models, each for the calls that name it and its base URL: a reading that was switched to another one in the
    middle."""

    models: Mapping[tuple[str, str | None], Model]

    def immediate(self, call: Call) -> bool:
        return is_immediate(self._of(call), call)

    def complete(self, call: Call) -> Reply:
        return self._of(call).complete(call)

    def _of(self, call: Call) -> Model:
        settings = call.settings
        found = self.models.get((settings.model, settings.api_base))
        if found is None:
            raise ModelFailed(f"call {call.seq} is for the model {settings.model!r}, which this reading was not to ask any more")
        return found


class Refusing:
    """A model that may not be asked: for looking at a finished reading again."""

    def complete(self, call: Call) -> Reply:
        raise ModelFailed(f"call {call.seq} is not in the record, and this reading may not ask a model")


@dataclass(frozen=True)
class LiteLLM:
    """Any model litellm knows, by litellm's own id. `timeout` is in seconds, a try.

    `sent_as` and `api_base` are for a model whose calls name it otherwise than litellm does, and not where it is served.
    """

    api_key: str | None = field(default=None, repr=False)
    timeout: float = 120.0
    sent_as: str | None = None
    api_base: str | None = None

    def complete(self, call: Call) -> Reply:
        litellm = load_litellm()
        settings = call.settings
        model, api_base = self.sent_as or settings.model, self.api_base or settings.api_base
        began = time.monotonic()
        try:
            answer = litellm.completion(
                model=model,
                messages=call.messages,
                api_base=api_base,
                api_key=key_for(model, api_base, self.api_key),
                temperature=settings.temperature,
                top_p=settings.top_p,
                max_tokens=call.prompt.max_tokens,
                timeout=self.timeout,
                max_retries=0,
                num_retries=0,
                drop_params=True,
            )
            text, used = _text(answer), usage_of(answer, settings.model)
        except Exception as error:  # litellm raises its own errors, httpx's and, on odd replies, builtin ones
            failed = failure(f"model {settings.model!r} gave no reply", error, model=settings.model, key=self.api_key)
        else:
            if text is not None:
                return Reply(scrub(text, self.api_key), *used, ms=round(1000 * (time.monotonic() - began)))
            failed = Transient(f"model {settings.model!r} sent a reply without text; ask again, or try another model")
        answer = None
        raise failed  # out here no frame and no answer hangs on it where a key may stand


def _text(answer: Any) -> str | None:
    """The words of a completion; None where it has none."""
    text = answer.choices[0].message.content if answer.choices else None
    return text if isinstance(text, str) else None


def usage_of(answer: Any, model: str) -> tuple[int | None, int | None, float | None]:
    """Tokens of the prompt and of the reply, and the price; None where the provider does not say so in numbers."""
    usage = getattr(answer, "usage", None)
    sent, received = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
    # litellm puts zeros where nothing is said.
    if isinstance(sent, int) and isinstance(received, int) and sent > 0 and received >= 0:
        return sent, received, _cost(model, usage)
    return None, None, None


def key_for(model: str, api_base: str | None, key: str | None) -> str | None:
    """The key as it goes out; None leaves it to litellm, which looks into the environment.

    A server of one's own often takes none, but the client library for OpenAI's protocol insists on one.
    """
    if key and key.strip():
        return key.strip()
    return "no-key" if api_base and _provider(model) == "openai" and not os.environ.get("OPENAI_API_KEY") else None


def failure(what: str, error: Exception, *, model: str, key: str | None) -> ModelFailed:
    """The error a call ends with: `what` happened, in the provider's own words, short and without any key."""
    status = getattr(error, "status_code", None)
    words = scrub(" ".join(f"{type(error).__name__}: {error}".partition("Traceback (most recent call last)")[0].split()), key)
    words = _plainly(words)[:600].rstrip(". ")
    if _KEYLESS.search(words):
        return KeyRefused(f"{what}: there is no key for it. {_which_key(model)}")
    if "LLM Provider NOT provided" in words:
        return ModelFailed(f"{what}: litellm knows no such id; take one such as 'gpt-4o-mini' or 'ollama/llama3.1'")
    if status == 401 or not (key or "").isascii():
        return KeyRefused(f"{what}: {words}. {_which_key(model)}")
    if isinstance(status, int) and 400 <= status < 500 and status not in PASSING:
        return ModelFailed(f"{what}: {words}")
    return Transient(f"{what}: {words}", retry_after=_retry_after(error), limited=status == 429)


def _plainly(words: str) -> str:
    """An error's words without the classes they were handed through, and without the JSON around the provider's own sentence.

    A class says something where nothing else does, or where Python's own error stands for a reply that made no sense.
    """
    said = _CLASSES.sub("", words) if "litellm." in words else words
    within = _MESSAGE.search(said)
    return (within[2] if within else said) or words


@cache
def load_litellm() -> Any:
    """litellm, told to fetch nothing at import and to keep quiet."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.DEFAULT_MAX_RETRIES = 0  # which embeddings take where `max_retries=0` is said
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
    warnings.filterwarnings("ignore", "Pydantic serializer warnings", UserWarning)  # they quote odd replies on standard error
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
        raise BadOptions("the base URL must begin with http:// or https://, like http://localhost:8000/v1")
    if "@" in url.partition("://")[2].partition("/")[0] or "?" in url:
        raise BadOptions(
            "the base URL holds a user name, password or query, and would be stored; give the key through the environment instead"
        )
    return url


def secrets() -> list[str]:
    """The values of every key in the environment, to be kept out of messages."""
    return [value for name, value in os.environ.items() if name.upper().endswith(("_KEY", "_TOKEN", "_SECRET", "_PASSWORD"))]


def scrub(words: str, key: str | None = None) -> str:
    """`words` with every known key cut out, the longest first. What is under eight characters is a placeholder, and no key."""
    known = {secret.strip() for secret in [key or "", *secrets()]}
    for secret in sorted(known, key=lambda secret: (-len(secret), secret)):
        if len(secret) >= SHORTEST_KEY:
            words = words.replace(secret, "[key]")
    return words


def _cost(model: str, usage: Any) -> float | None:
    """The price by the model that was asked for, whatever a server calls itself; None where litellm has none."""
    try:
        return float(sum(load_litellm().cost_per_token(model=model, usage_object=usage)))
    except Exception:  # litellm raises a bare Exception for a model it has no price for
        return None


def price(model: str, tokens_in: float, tokens_out: float) -> float | None:
    """What so many tokens cost in US dollars by litellm's table; None where it has no price, or none for a hosted model."""
    try:
        prices = load_litellm().cost_per_token(model=model, prompt_tokens=round(tokens_in), completion_tokens=round(tokens_out))
    except Exception:  # as above
        return None
    return float(sum(prices))


def _retry_after(error: Exception) -> float | None:
    response = getattr(error, "response", None)
    headers = getattr(response, "headers", None) or getattr(error, "litellm_response_headers", None) or {}
    try:
        return float(headers.get("retry-after", ""))
    except (TypeError, ValueError):
        return None


def _provider(model: str) -> str:
    return model.partition("/")[0] if "/" in model else "openai"


def _which_key(model: str) -> str:
    provider = {"together_ai": "togetherai"}.get(_provider(model), _provider(model))
    return (
        f"Set {provider.upper()}_API_KEY in the environment or give the key on the app's Models page, and check that it is valid"
    )
