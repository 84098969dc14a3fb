"""A model on its terms: where it is served, how it is asked, what it costs, and the limits of a reading. Under a name it is a
profile, which is saved and chosen again.

A profile never holds a key. A reading records what the profile held, and its name beside that: a profile that is changed later
changes no reading. Not here: where profiles are saved (`store/profiles.py`), and the key of a session
(`components/session/model_choice.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Self, get_args
from urllib.parse import urlsplit

from readers.engine.errors import BadOptions
from readers.engine.models import catalogue, timeouts
from readers.engine.models.call import ReplyForm, TokenPrice
from readers.engine.models.model import check_api_base

DEFAULT_CONCURRENCY = 8
LEAST_WINDOW = 256
MOST_AT_ONCE = 64
LONGEST_NAME = 60
CAPS = ("max_calls", "max_tokens", "max_cost", "max_minutes", "calls_per_minute")


@dataclass(frozen=True)
class Profile:
    """A model id, where it is served, and on what terms it reads. None leaves a limit or parameter open; `price_in` and
    `price_out` are US dollars for a million tokens sent and received, where litellm's table is not meant."""

    id: str
    api_base: str | None = None
    temperature: float = 0.0
    top_p: float | None = None
    window: int | None = None
    reply_tokens: int | None = None
    timeout: float | None = None
    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    max_minutes: float | None = None
    calls_per_minute: float | None = None
    at_once: int = DEFAULT_CONCURRENCY
    reply_form: ReplyForm = "auto"
    price_in: float | None = None
    price_out: float | None = None
    name: str = ""

    @property
    def caps(self) -> dict[str, Any]:
        """The limits that are set, as a reading's spec holds them."""
        return {name: value for name in CAPS if (value := getattr(self, name)) is not None}

    @property
    def price(self) -> TokenPrice | None:
        """What tokens cost by this profile; None to go by litellm's table."""
        return None if self.price_in is None or self.price_out is None else (self.price_in, self.price_out)

    @property
    def terms(self) -> dict[str, Any]:
        """The fields of a reading's spec that it sets. A person's replies are not shared between readings."""
        return {
            "model": self.id, "api_base": self.api_base, "temperature": self.temperature, "top_p": self.top_p,
            "window": self.window, "reply_tokens": self.reply_tokens, "caps": self.caps, "reuse": self.id != catalogue.HUMAN,
            "reply_form": self.reply_form, "price": self.price, "profile": self.name,
        }  # fmt: skip

    def checked(self) -> Self:
        """Tidied up. Raises BadOptions for invalid values, without repeating a URL."""
        model_id, base = self.id.strip(), (self.api_base or "").strip() or None
        if not model_id or len(model_id.split()) > 1 or not model_id.isprintable():
            raise BadOptions("a model id is one word without blanks, such as 'gpt-4o-mini' or 'ollama/llama3.1'; write it again")
        if model_id != catalogue.HUMAN:
            catalogue.open_model(model_id)
        if base is not None:
            _check_base(base)
            if catalogue.needs_nothing(model_id):
                raise BadOptions(f"{model_id!r} needs no key and no server: leave both fields empty, or choose another model")
        tidy = replace(self, id=model_id, api_base=base)
        _check_numbers(tidy)
        return tidy

    def to_json(self) -> dict[str, Any]:
        """As it is saved under its name: only its own terms, and what differs from a model of this id."""
        given = {field.name: getattr(self, field.name) for field in fields(Profile) if field.name != "name"}
        usual = asdict(Profile(self.id))
        return {name: value for name, value in given.items() if name == "id" or value != usual[name]}


def profile_of(name: str, saved: Mapping[str, Any]) -> Profile:
    """What `to_json` returned, under its name. Raises BadOptions for what no profile holds, as another version may save it."""
    known = {field.name for field in fields(Profile)} - {"name"}
    if unknown := sorted(saved.keys() - known):
        raise BadOptions(f"the profile {name!r} has a setting {unknown[0]!r}: another version of Palimpsest saved it")
    try:
        return Profile(**saved, name=name).checked()
    except BadOptions as error:
        raise BadOptions(f"the profile {name!r} cannot be used: {error}. Change or delete it, or choose another model") from error


def profile_name(name: str) -> str:
    """The name with its blanks tidied, 1 to 60 characters long. Raises BadOptions."""
    tidy = " ".join(name.split())
    if not 1 <= len(tidy) <= LONGEST_NAME or not tidy.isprintable():
        raise BadOptions(f"a profile has a name of 1 to {LONGEST_NAME} characters; choose another")
    return tidy


def _check_base(base: str) -> None:
    try:
        there = urlsplit(check_api_base(base))
        whole = bool(there.hostname) and (there.port is None or there.port > 0)
    except ValueError:  # a port that is not a number, a single bracket
        whole = False
    if not whole or len(base.split()) > 1 or not base.isprintable():
        raise BadOptions("the base URL names no server, or contains blanks; write one like http://localhost:8000/v1")


def _check_numbers(terms: Profile) -> None:
    if not 0 <= terms.temperature <= 2:
        raise BadOptions(f"the temperature must be from 0 to 2, not {terms.temperature:g}")
    if terms.top_p is not None and not 0 < terms.top_p <= 1:
        raise BadOptions(f"top p is above 0 and at most 1, not {terms.top_p:g}; leave it empty for the model's own")
    if terms.window is not None and terms.window < LEAST_WINDOW:
        raise BadOptions(f"a context window of {terms.window} tokens has no room for a question; set {LEAST_WINDOW} or more")
    if terms.reply_tokens is not None and terms.reply_tokens < 1:
        raise BadOptions(
            f"room for {terms.reply_tokens} tokens is too small for a reply; leave the field empty to use each prompt's own"
        )
    if terms.reply_form not in get_args(ReplyForm):
        raise BadOptions(f"the reply form is one of {', '.join(get_args(ReplyForm))}, not {terms.reply_form!r}")
    _check_limits(terms)


def _check_limits(terms: Profile) -> None:
    if terms.timeout is not None and not timeouts.LEAST_SECONDS <= terms.timeout <= timeouts.MOST_SECONDS:
        most = f"{timeouts.MOST_SECONDS:,.0f} seconds"
        raise BadOptions(f"the timeout of a call must be from {timeouts.LEAST_SECONDS:g} to {most}, not {terms.timeout:g}")
    if not 1 <= terms.at_once <= MOST_AT_ONCE:
        raise BadOptions(f"requests at once must be from 1 to {MOST_AT_ONCE}, not {terms.at_once}")
    if any(limit <= 0 for limit in terms.caps.values()):
        raise BadOptions("a limit must be more than 0; leave the field empty for no limit")
    prices = terms.price_in, terms.price_out
    if (None in prices) != (prices == (None, None)):
        raise BadOptions("a price is given for tokens sent and for tokens received, or for neither; fill in both fields")
    if any(price is not None and not 0 <= price < math.inf for price in prices):
        raise BadOptions("the price of a million tokens is a number of US dollars from 0")
