"""The model a visitor reads with, and its settings. Pure: no Streamlit, no storage.

It lives only in the visitor's session, and so does the key: they are never stored, logged or shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from readers.engine.errors import BadOptions
from readers.engine.models import catalogue, reply_forms, speed, timeouts
from readers.engine.models.call import Call, ModelSettings, Reply, ReplyForm
from readers.engine.models.local.other_servers import OfferedModel
from readers.engine.models.model import LiteLLM, Model, check_api_base
from readers.engine.models.received import take_thoughts
from readers.engine.models.speed import Speed
from readers.engine.prompts.prompt import Prompt
from readers.engine.run.execute import DEFAULT_CONCURRENCY
from readers.engine.text.document import Text

LEAST_WINDOW = 256
MOST_AT_ONCE = 64
TRY_SECONDS = 30.0  # a tiny call that takes longer than this will make no reading either
_TRIAL = Prompt(
    id="models.trial",
    task="summarise",
    template="Say in one sentence what this text says.\n\n<text>\n$segment\n</text>",
    max_tokens=256,  # a model that thinks before it speaks needs room for that
)
_TEXT = "The lighthouse keeper painted the door green. Everybody in the harbour could see it."


@dataclass(frozen=True)
class ModelChoice:
    """A model id, where it is served, the session's key, and the limits of a reading. None leaves a limit or parameter open."""

    id: str
    api_base: str | None = None
    api_key: str | None = field(default=None, repr=False)
    temperature: float = 0.0
    top_p: float | None = None
    window: int | None = None
    reply_tokens: int | None = None
    timeout: float | None = None
    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    calls_per_minute: float | None = None
    at_once: int = DEFAULT_CONCURRENCY
    reply_form: ReplyForm = "auto"

    @classmethod
    def default(cls) -> ModelChoice:
        """What PALIMPSEST_MODEL names, else the offline model."""
        return cls(catalogue.default_model())

    @property
    def offline(self) -> bool:
        return self.id == catalogue.OFFLINE

    @property
    def here(self) -> bool:
        """Whether it runs in this program or on this machine, so that no text leaves this machine and no key is needed."""
        return catalogue.needs_nothing(self.id)

    @property
    def on_this_machine(self) -> bool:
        """Whether it is a neural network that this machine computes, so that its speed here can be measured."""
        if self.offline or self.human:
            return False
        return self.here or timeouts.served_here(self.id, self.api_base)

    @property
    def human(self) -> bool:
        """Whether the person at the page is the model."""
        return self.id == catalogue.HUMAN

    @property
    def caps(self) -> dict[str, Any]:
        """The limits that are set, as a reading's spec holds them."""
        names = ("max_calls", "max_tokens", "max_cost", "calls_per_minute")
        return {name: value for name in names if (value := getattr(self, name)) is not None}

    @property
    def terms(self) -> dict[str, Any]:
        """The fields of a reading's spec that the choice sets. A person's replies are not shared between readings."""
        return {
            "model": self.id, "api_base": self.api_base, "temperature": self.temperature, "top_p": self.top_p,
            "window": self.window, "reply_tokens": self.reply_tokens, "caps": self.caps, "reuse": not self.human,
            "reply_form": self.reply_form,
        }  # fmt: skip

    def after(self, before: ModelChoice) -> ModelChoice:
        """This choice after another: a key that was not typed again stays, but only for the same model and server."""
        same = (self.id, self.api_base) == (before.id, before.api_base)
        return replace(self, api_key=self.api_key or (before.api_key if same else None))

    def checked(self) -> ModelChoice:
        """Tidied up. Raises BadOptions for invalid values, without repeating a key or a URL."""
        model_id, base, key = self.id.strip(), (self.api_base or "").strip() or None, (self.api_key or "").strip() or None
        if not model_id or len(model_id.split()) > 1 or not model_id.isprintable():
            raise BadOptions("a model id is one word without blanks, such as 'gpt-4o-mini' or 'ollama/llama3.1'; write it again")
        if model_id != catalogue.HUMAN:
            catalogue.open_model(model_id)
        if base is not None:
            _check_base(base)
        if key is not None and (len(key.split()) > 1 or not key.isascii() or not key.isprintable()):
            raise BadOptions("a key contains only plain letters, digits and signs, and no blanks; copy all of it again")
        tidy = replace(self, id=model_id, api_base=base, api_key=key)
        if tidy.here and (base or key):
            raise BadOptions(f"{model_id!r} needs no key and no server: leave both fields empty, or choose another model")
        _check_numbers(tidy)
        return tidy


def _check_base(base: str) -> None:
    try:
        there = urlsplit(check_api_base(base))
        whole = bool(there.hostname) and (there.port is None or there.port > 0)
    except ValueError:  # a port that is not a number, a single bracket
        whole = False
    if not whole or len(base.split()) > 1 or not base.isprintable():
        raise BadOptions("the base URL names no server, or contains blanks; write one like http://localhost:8000/v1")


def _check_numbers(choice: ModelChoice) -> None:
    if not 0 <= choice.temperature <= 2:
        raise BadOptions(f"the temperature must be from 0 to 2, not {choice.temperature:g}")
    if choice.top_p is not None and not 0 < choice.top_p <= 1:
        raise BadOptions(f"top p is above 0 and at most 1, not {choice.top_p:g}; leave it empty for the model's own")
    if choice.window is not None and choice.window < LEAST_WINDOW:
        raise BadOptions(f"a context window of {choice.window} tokens has no room for a question; set {LEAST_WINDOW} or more")
    if choice.reply_tokens is not None and choice.reply_tokens < 1:
        raise BadOptions(
            f"room for {choice.reply_tokens} tokens is too small for a reply; leave the field empty to use each prompt's own"
        )
    if choice.timeout is not None and not timeouts.LEAST_SECONDS <= choice.timeout <= timeouts.MOST_SECONDS:
        most = f"{timeouts.MOST_SECONDS:,.0f} seconds"
        raise BadOptions(f"the timeout of a call must be from {timeouts.LEAST_SECONDS:g} to {most}, not {choice.timeout:g}")
    if not 1 <= choice.at_once <= MOST_AT_ONCE:
        raise BadOptions(f"requests at once must be from 1 to {MOST_AT_ONCE}, not {choice.at_once}")
    limits = (choice.max_calls, choice.max_tokens, choice.max_cost, choice.calls_per_minute)
    if any(limit is not None and limit <= 0 for limit in limits):
        raise BadOptions("a limit must be more than 0; leave the field empty for no limit")


def with_its_server(given: dict[str, Any], offered: Sequence[OfferedModel]) -> dict[str, Any]:
    """The typed model, with the server and window of a model that another program on this machine offers, and without those of a
    model chosen before."""
    base, window = (given.get("api_base") or "").strip(), given.get("window")
    known = next((one for one in offered if one.server.api_base == base), None)
    if known and given["id"].partition("/")[0] != known.server.provider:
        base, window = "", None if window == known.window else window
    found = next((one for one in offered if one.id == given["id"].strip()), None)
    if found and not base:
        base, window = found.server.api_base, window or found.window
    return {**given, "api_base": base, "window": window}


def measure_speed(choice: ModelChoice) -> Speed:
    """Measure how fast a model on this machine is, and store it for estimates. Raises ModelFailed."""
    settings = ModelSettings(choice.id, choice.api_base, choice.temperature, choice.top_p)
    found = speed.measure(catalogue.open_model(choice.id, api_key=choice.api_key), settings)
    speed.store_speed(choice.id, choice.api_base, found)
    return found


def try_schema(choice: ModelChoice, within: Callable[[str, Model], Model] = lambda model_id, model: model) -> bool:
    """One more tiny call, which tells whether the model can be held to a JSON schema; stored for readings. Raises ModelFailed."""
    model = _tried_once(choice)
    holds = reply_forms.holds_to_schema(within(choice.id, model), _trial_settings(choice))
    reply_forms.store_found(choice.id, choice.api_base, holds)
    return holds


def try_out(choice: ModelChoice, within: Callable[[str, Model], Model] = lambda model_id, model: model) -> Reply:
    """One tiny call, tried once, by the model as it may be called `within` a budget. Raises ModelFailed, or BadOptions for a
    model that is not there."""
    call = Call(0, 0, _TRIAL, _TRIAL.parts({"segment": Text(_TEXT)}), _trial_settings(choice))
    return take_thoughts(call, within(choice.id, _tried_once(choice)).complete(call))


def _tried_once(choice: ModelChoice) -> Model:
    model = catalogue.open_model(choice.id, api_key=choice.api_key)
    return replace(model, timeout=TRY_SECONDS) if isinstance(model, LiteLLM) else model


def _trial_settings(choice: ModelChoice) -> ModelSettings:
    return ModelSettings(
        choice.id, choice.api_base, choice.temperature, choice.top_p,
        reply_tokens=choice.reply_tokens, room_factor=catalogue.room_factor_for(choice.id),
    )  # fmt: skip
