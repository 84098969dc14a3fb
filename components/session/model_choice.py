"""The model a visitor reads with, and its settings. Pure: no Streamlit, no storage.

It lives only in the visitor's session, and so does the key: they are never stored, logged or shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

from readers.engine.errors import BadOptions
from readers.engine.models import catalogue, reply_forms, speed, timeouts
from readers.engine.models.call import Call, ModelSettings, Reply
from readers.engine.models.local.other_servers import OfferedModel
from readers.engine.models.model import LiteLLM, Model
from readers.engine.models.profiles import Profile
from readers.engine.models.received import take_thoughts
from readers.engine.models.speed import Speed
from readers.engine.prompts.prompt import Prompt
from readers.engine.text.document import Text

TRY_SECONDS = 30.0  # a tiny call that takes longer than this will make no reading either
_TRIAL = Prompt(
    id="models.trial",
    task="summarise",
    template="Say in one sentence what this text says.\n\n<text>\n$segment\n</text>",
    max_tokens=256,  # a model that thinks before it speaks needs room for that
)
_TEXT = "The lighthouse keeper painted the door green. Everybody in the harbour could see it."


@dataclass(frozen=True)
class ModelChoice(Profile):
    """A model on its terms, with the session's key."""

    api_key: str | None = field(default=None, repr=False)

    @classmethod
    def of(cls, profile: Profile) -> ModelChoice:
        """The choice of a saved profile, without a key."""
        return cls(**{one.name: getattr(profile, one.name) for one in fields(Profile)})

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

    def key_for(self, model: str, api_base: str | None) -> str | None:
        """The key, only for the model and server that it was entered for."""
        return self.api_key if (self.id, self.api_base) == (model, api_base) else None

    def after(self, before: ModelChoice) -> ModelChoice:
        """This choice after another: a key that was not typed again stays, but only for the same model and server."""
        return replace(self, api_key=self.api_key or before.key_for(self.id, self.api_base))

    def checked(self) -> Self:
        """Tidied up. Raises BadOptions for invalid values, without repeating a key or a URL."""
        key = (self.api_key or "").strip() or None
        if key is not None and (len(key.split()) > 1 or not key.isascii() or not key.isprintable()):
            raise BadOptions("a key contains only plain letters, digits and signs, and no blanks; copy all of it again")
        if key and catalogue.needs_nothing(self.id.strip()):
            raise BadOptions(f"{self.id!r} needs no key and no server: leave both fields empty, or choose another model")
        return replace(super().checked(), api_key=key)


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
    model = tried_once(choice)
    holds = reply_forms.holds_to_schema(within(choice.id, model), trial_settings(choice))
    reply_forms.store_found(choice.id, choice.api_base, holds)
    return holds


def try_out(choice: ModelChoice, within: Callable[[str, Model], Model] = lambda model_id, model: model) -> Reply:
    """One tiny call, tried once, by the model as it may be called `within` a budget. Raises ModelFailed, or BadOptions for a
    model that is not there."""
    call = Call(0, 0, _TRIAL, _TRIAL.parts({"segment": Text(_TEXT)}), trial_settings(choice))
    return take_thoughts(call, within(choice.id, tried_once(choice)).complete(call))


def tried_once(choice: ModelChoice) -> Model:
    model = catalogue.open_model(choice.id, api_key=choice.api_key)
    return replace(model, timeout=TRY_SECONDS) if isinstance(model, LiteLLM) else model


def trial_settings(choice: ModelChoice) -> ModelSettings:
    return ModelSettings(
        choice.id, choice.api_base, choice.temperature, choice.top_p,
        reply_tokens=choice.reply_tokens, room_factor=catalogue.room_factor_for(choice.id),
        reply_form=catalogue.reply_form_for(choice.reply_form, choice.id, choice.api_base),
    )  # fmt: skip
