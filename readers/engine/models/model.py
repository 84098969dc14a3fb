"""The `Model` interface, its litellm and scripted implementations, and bounded retry.

litellm is loaded by `loading.py`. API keys are passed with each call, kept out of reprs and
removed from every error message. Not here: which key that is (`keys.py`); the offline model (`offline/`); the cache across
readings and the budget (`record/journal.py`, `run/calls_in_flight.py`), which need the record.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from readers.engine.errors import BadOptions, KeyRefused, ModelFailed
from readers.engine.models import timeouts
from readers.engine.models.as_sent import AsSent
from readers.engine.models.call import LENGTH, Call, Reply, ServedModel, TokenPrice
from readers.engine.models.keys import check_model_id, check_server, key_for, key_hint, scrub
from readers.engine.models.loading import load_litellm
from readers.engine.text.phrases import call_number

if TYPE_CHECKING:
    from readers.engine.models.reply_limit import ReplyLimit

MAX_TRIES = 4
FIRST_WAIT = 0.5
MAX_WAIT = 4.0
MAX_RETRY_AFTER = 10.0
UNKNOWN_WINDOW = 8192

# Client errors that may pass: timeout, conflict with another request, too early, too many requests.
TRANSIENT_STATUSES = (408, 409, 425, 429)
KEY_STATUSES = (401, 402, 403)
OPENAI_FORM = ("openai/", "hosted_vllm/")  # the beginnings of ids that litellm sends to any server in OpenAI's form
TIMEOUT_STATUS = 408  # also of litellm's own timeouts


_EXCEPTION_PREFIX = re.compile(r"^(?:(?:litellm\.|openai\.)?\w*(?:Error|Exception)(?:: | - |:|$)\s*)+")
_MISSING_KEY = re.compile(r"^Missing [\w ]*(credentials|API key)", re.IGNORECASE)
_OF_SCHEMA = re.compile(r"response_?format|json_?schema|structured output|grammar", re.IGNORECASE)
_MESSAGE = re.compile(r"""["']message["']: ?(["'])((?:(?!\1).)+)\1""")


class Model(Protocol):
    def complete(self, call: Call) -> Reply:
        """Reply to one call. Raises ModelFailed (after bounded retries) or KeyRefused. Must be thread-safe."""
        ...


def is_immediate(model: Model, call: Call) -> bool:
    """Whether the model answers this call itself within milliseconds, so that a thread would only cost time.

    A model declares it with a method `immediate(call)`; one without it counts as slow.
    """
    immediate = getattr(model, "immediate", None)
    return immediate is not None and bool(immediate(call))


class Transient(ModelFailed):
    """A failure worth retrying. `retry_after` is the delay the provider asked for, in seconds; `rate_limited` marks a rate
    limit."""

    def __init__(self, message: str, *, retry_after: float | None = None, rate_limited: bool = False) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.rate_limited = rate_limited


class SchemaRefused(ModelFailed):
    """A server does not take the JSON schema that a request came with; `why` is what it said."""

    def __init__(self, why: str) -> None:
        advice = "It came with a JSON schema for the reply; with the reply form 'auto' or 'words', it is asked without one"
        super().__init__(f"{why}. {advice}")
        self.why = why


@dataclass(frozen=True)
class Retry:
    """Retries transient failures: four tries, waiting 0.5 s doubling to 4 s, or what Retry-After asks for, up to 10 s."""

    model: Model
    stopped: Callable[[], bool] = lambda: False
    sleep: Callable[[float], None] = time.sleep

    def immediate(self, call: Call) -> bool:
        return is_immediate(self.model, call)

    def complete(self, call: Call) -> Reply:
        wait, rate_limits = FIRST_WAIT, 0
        for tried in range(1, MAX_TRIES + 1):
            try:
                reply = self.model.complete(call)
                return replace(reply, rate_limits=rate_limits) if rate_limits else reply
            except Transient as failure:
                rate_limits += failure.rate_limited
                if tried < MAX_TRIES and not self.stopped():
                    self.sleep(max(wait, min(failure.retry_after or 0.0, MAX_RETRY_AFTER)))
                    wait = min(wait * 2, MAX_WAIT)
                if tried == MAX_TRIES or self.stopped():
                    raise Transient(f"{failure} (tried {tried} times)", rate_limited=failure.rate_limited) from None
        raise AssertionError("unreachable")


@dataclass(frozen=True)
class ModelRouter:
    """Sends each call to the model that it names, for a reading that was switched to another model partway."""

    models: Mapping[ServedModel, Model]

    def immediate(self, call: Call) -> bool:
        return is_immediate(self._model_for(call), call)

    def complete(self, call: Call) -> Reply:
        return self._model_for(call).complete(call)

    def _model_for(self, call: Call) -> Model:
        settings = call.settings
        model = self.models.get(ServedModel(settings.model, settings.api_base))
        if model is None:
            raise ModelFailed(f"{call_number(call.seq)} is for the model {settings.model!r}, which this reading no longer uses")
        return model


class RefusingModel:
    """Refuses every call: for re-executing a finished reading, which must not call a model."""

    def complete(self, call: Call) -> Reply:
        raise ModelFailed(f"{call_number(call.seq)} is not on record, and this reading may not call a model")


@dataclass(frozen=True)
class LiteLLM:
    """Any model litellm knows, by litellm's id. `timeout` is in seconds, for each try (None: as `timeouts.seconds_for` says).

    `sent_as` and `api_base` override the calls' model id and base URL, for a model that goes by another name here than in
    litellm. With `log_probs`, the server is asked for each token's log-probability, and your own server also for its id.
    """

    api_key: str | None = field(default=None, repr=False)
    timeout: float | None = None
    sent_as: str | None = None
    api_base: str | None = None
    log_probs: bool = False

    def complete(self, call: Call) -> Reply:
        settings = call.settings
        model, api_base = check_model_id(self.sent_as or settings.model), self.api_base or settings.api_base
        check_server(model, api_base)
        litellm = load_litellm()
        seconds = timeouts.seconds_for(model, api_base) if self.timeout is None else self.timeout
        began, sent = time.monotonic(), AsSent()
        limit = reply_limit(seconds)
        try:
            with limit.held():
                answer = litellm.completion(
                    model=model,
                    messages=call.messages,
                    api_base=api_base,
                    api_key=key_for(model, api_base, self.api_key),
                    temperature=settings.temperature,
                    top_p=settings.top_p,
                    max_tokens=call.max_tokens,
                    timeout=_httpx_timeout(seconds),
                    max_retries=0,
                    num_retries=0,
                    drop_params=True,
                    response_format=call.response_format,
                    logger_fn=sent,
                    **(_asks_for_tokens(model, api_base) if self.log_probs else {}),
                )
            (text, thoughts, finish), used = sent.message_of(answer), usage_of(answer, settings.model, price=settings.price)
        except Exception as error:  # litellm raises its own errors, httpx's and, on malformed replies, builtin ones
            what = f"model {settings.model!r} gave no reply"
            failed = limit.failure(what) or to_model_failure(
                what, error, served=ServedModel(settings.model, api_base), key=self.api_key
            )
            if call.response_format and _may_be_about_schema(error):
                failed = SchemaRefused(str(failed))
            if getattr(error, "status_code", None) == TIMEOUT_STATUS and time.monotonic() - began >= seconds:
                failed = timeouts.timed_out(what, seconds)
        else:
            if text is not None or thoughts or finish == LENGTH:
                words, thoughts = (scrub(found or "", self.api_key) for found in (text, thoughts))
                took = round(1000 * (time.monotonic() - began))
                return Reply(words, *used, ms=took, thoughts=thoughts, finish=finish, sampled=sent.sampled,
                             tokens_cached=_cached_of(answer))  # fmt: skip
            failed = Transient(f"model {settings.model!r} sent a reply without text; ask again, or try another model")
        answer = None
        raise failed  # raised here so that no frame or answer attached to the traceback can hold a key


def _may_be_about_schema(error: Exception) -> bool:
    """Whether a request may have been refused for the schema that it came with: as faulty, or in words that name it."""
    status = getattr(error, "status_code", None)
    if status in (*KEY_STATUSES, *TRANSIENT_STATUSES):
        return False
    return (isinstance(status, int) and 400 <= status < 500) or bool(_OF_SCHEMA.search(str(error)))


def _asks_for_tokens(model: str, api_base: str | None) -> dict[str, Any]:
    """What asks a server for the tokens of its reply. A provider may refuse a name that it does not know; litellm leaves out
    log-probabilities where it knows that a model has none."""
    own = api_base is not None and model.startswith(OPENAI_FORM)
    return {"logprobs": True, **({"extra_body": {"return_token_ids": True}} if own else {})}


def reply_limit(seconds: float) -> ReplyLimit:
    """What a server may send for a request of this many seconds. It loads httpx, so not before a request."""
    from readers.engine.models.reply_limit import ReplyLimit

    return ReplyLimit(seconds)


def _httpx_timeout(seconds: float) -> Any:
    """The timeout of one request; connecting may take no longer than an existing server needs."""
    import httpx

    return httpx.Timeout(seconds, connect=min(seconds, timeouts.CONNECT_SECONDS))


def usage_of(answer: Any, model: str, *, price: TokenPrice | None = None) -> tuple[int | None, int | None, float | None]:
    """Prompt tokens, reply tokens and price; None where the provider does not report numbers."""
    usage = getattr(answer, "usage", None)
    sent, received = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
    # litellm reports zero for missing counts.
    if isinstance(sent, int) and isinstance(received, int) and sent > 0 and received >= 0:
        return sent, received, token_cost(model, sent, received, price=price) if price else _cost_of_usage(model, usage)
    return None, None, None


def _cached_of(answer: Any) -> int | None:
    """The tokens of the prompt that the server had from an earlier one; None where it does not say."""
    cached = getattr(getattr(getattr(answer, "usage", None), "prompt_tokens_details", None), "cached_tokens", None)
    return cached if isinstance(cached, int) and cached >= 0 else None


def to_model_failure(what: str, error: Exception, *, served: ServedModel, key: str | None) -> ModelFailed:
    """Convert a provider's error: `what` happened, then the provider's own message, shortened and without keys."""
    model, api_base = served
    status = getattr(error, "status_code", None)
    words = scrub(" ".join(f"{type(error).__name__}: {error}".partition("Traceback (most recent call last)")[0].split()), key)
    words = _provider_message(words)[:600].rstrip(". ")
    if _MISSING_KEY.search(words):
        return KeyRefused(f"{what}: there is no API key for it. {key_hint(model, api_base)}")
    if "LLM Provider NOT provided" in words:
        return ModelFailed(f"{what}: litellm does not know this id; use one such as 'gpt-4o-mini' or 'ollama/llama3.1'")
    if status == 401 or not (key or "").isascii():
        return KeyRefused(f"{what}: {words}. {key_hint(model, api_base)}")
    if isinstance(status, int) and 400 <= status < 500 and status not in TRANSIENT_STATUSES:
        return ModelFailed(f"{what}: {words}")
    return Transient(f"{what}: {words}", retry_after=_retry_after(error), rate_limited=status == 429)


def _provider_message(words: str) -> str:
    """The provider's own sentence, without the exception classes it was wrapped in and the JSON around it.

    If nothing else remains, the class names stay; so does a builtin error, which means that the reply made no sense.
    """
    message = _EXCEPTION_PREFIX.sub("", words) if "litellm." in words else words
    quoted = _MESSAGE.search(message)
    return (quoted[2] if quoted else message) or words


def litellm_window(model: str) -> int:
    """The context window of a model, as litellm knows it; 8,192 tokens for an unknown model."""
    try:
        info = load_litellm().get_model_info(model)
    except Exception:  # an unknown model raises a bare Exception
        return UNKNOWN_WINDOW
    return int(info.get("max_input_tokens") or info.get("max_tokens") or UNKNOWN_WINDOW)


def takes_schema(model: str) -> bool:
    """Whether litellm knows that a model can be held to a JSON schema by its provider."""
    try:
        return bool(load_litellm().supports_response_schema(model))
    except Exception:  # as in `litellm_window`
        return False


def thinks_first(model: str) -> bool:
    """Whether litellm knows a model as one that thinks before it replies."""
    try:
        return bool(load_litellm().supports_reasoning(model))
    except Exception:  # as in `litellm_window`
        return False


def check_api_base(url: str) -> str:
    """Return a base URL that is valid and carries no secret. Raises BadOptions otherwise."""
    if not url.startswith(("http://", "https://")):
        raise BadOptions("the base URL must begin with http:// or https://, like http://localhost:8000/v1")
    if "@" in url.partition("://")[2].partition("/")[0] or "?" in url:
        raise BadOptions(
            "the base URL contains a user name, password or query, which would be stored; set the key in the environment instead"
        )
    return url


def _cost_of_usage(model: str, usage: Any) -> float | None:
    """The price of the requested model, no matter what name the server reports; None if litellm has none."""
    try:
        return float(sum(load_litellm().cost_per_token(model=model, usage_object=usage)))
    except Exception:  # litellm raises a bare Exception for a model it has no price for
        return None


def token_cost(model: str, tokens_in: float, tokens_out: float, *, price: TokenPrice | None = None) -> float | None:
    """The cost of these tokens in US dollars at this `price`, else by litellm's table; None if it has none for the model."""
    if price is not None:
        return (tokens_in * price[0] + tokens_out * price[1]) / 1_000_000
    try:
        prices = load_litellm().cost_per_token(model=model, prompt_tokens=round(tokens_in), completion_tokens=round(tokens_out))
    except Exception:  # see `_cost_of_usage`
        return None
    return float(sum(prices))


def _retry_after(error: Exception) -> float | None:
    response = getattr(error, "response", None)
    headers = getattr(response, "headers", None) or getattr(error, "litellm_response_headers", None) or {}
    try:
        return float(headers.get("retry-after", ""))
    except (TypeError, ValueError):
        return None
