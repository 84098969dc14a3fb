"""One request to a model and its reply, as values, with the two keys that decide on replay and reuse (DESIGN section 5).

asked     is a recorded reply still valid? Hashes the prompt's wording and the texts of its parts.
identity  are two requests the same? Hashes the rendered messages and every other parameter sent to the model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

from readers.engine.canonical import canonical, digest
from readers.engine.prompts.formats.form import Parsed, Sizes, Unreadable
from readers.engine.prompts.prompt import Part, Prompt

Origin = Literal["live", "cached", "replayed", "inherited", "edited"]
Message = dict[str, str]
ReplyForm = Literal["auto", "words", "schema"]
TokenPrice = tuple[float, float]  # US dollars for a million tokens sent, and received
REPLY_RULES = 4  # raised whenever a reply on record would be read otherwise, or asked for otherwise
CUT_SUMMARIES, CUT_MEMORIES, NO_NULLS = 2, 3, 3  # the first rules by which a cut summary is used at once, cut memories and
# lists are, and words of JSON that are not called for are empty
BOUNDED_BY = ("local", "ollama", "ollama_chat", "lm_studio", "llamafile", "hosted_vllm")  # providers whose grammars take bounds
LONGEST_SCHEMA_NAME = 64  # characters that servers take
LENGTH = "length"  # a reply's `finish` if it was cut off for its length


class ServedModel(NamedTuple):
    """A model id and the base URL that serves it (None: the provider's own)."""

    model: str
    api_base: str | None = None


@dataclass(frozen=True)
class ModelSettings:
    """Parameters sent with every call. Never holds a key.

    `window` is the room for prompt and reply together, in tokens (None: no limit), `reply_tokens` the room for every reply (None:
    each prompt's own, `room_factor` times: models that think before they reply need more). `reply_form`: replies in a form are
    asked for in words, or as data that the server holds the model to; "auto" is words again where a server refuses that.
    `reply_rules` are those by which replies are read and asked for.
    `price` is what the tokens cost, where litellm's table is not meant.
    """

    model: str
    api_base: str | None = None
    temperature: float = 0.0
    top_p: float | None = None
    window: int | None = None
    sample_base: int = 0
    reply_tokens: int | None = None
    room_factor: int = 1
    reply_form: ReplyForm = "words"
    reply_rules: int = REPLY_RULES
    price: TokenPrice | None = None

    def form_of(self, prompt: Prompt) -> Prompt:
        """The prompt as these settings ask it: in words, or as data."""
        return prompt if self.reply_form == "words" else prompt.held(nulls=self.reply_rules < NO_NULLS)

    def room_for_reply(self, prompt: Prompt) -> int:
        """The room for a reply to this prompt, in tokens. More than the prompt's own takes at most half of the window; an exact
        prompt gets its own."""
        if prompt.exact:
            return prompt.max_tokens
        if self.reply_tokens is not None and prompt.max_tokens:
            return self.reply_tokens
        room = prompt.max_tokens * self.room_factor
        return room if self.window is None else max(prompt.max_tokens, min(room, self.window // 2))


@dataclass(frozen=True)
class Call:
    """One attempt (from 0) at call number `seq` of a reading. `note` tells the model what was wrong with its previous reply."""

    seq: int
    attempt: int
    prompt: Prompt
    parts: tuple[Part, ...]
    settings: ModelSettings
    sample: int = 0
    note: str = ""
    edited: tuple[Message, ...] = ()
    asked: str = ""
    """The `asked` key; computed from prompt and parts if not given."""
    room: int | None = None
    """Room for the reply in tokens, where the settings do not decide."""
    refused: str = ""
    """Why the server did not take a schema, where the call asks in words instead."""

    def __post_init__(self) -> None:
        if not self.asked:
            object.__setattr__(self, "asked", asked_key(self.prompt, self.parts))

    @cached_property
    def messages(self) -> list[Message]:
        """The rendered prompt, or the messages a person put in its place."""
        return list(self.edited) or build_messages(self.prompt, self.parts, note=self.note)

    @cached_property
    def identity(self) -> str:
        """The `identity` key."""
        settings = self.settings
        parameters = [settings.model, settings.api_base, settings.temperature, settings.top_p, self.max_tokens]
        roles = [message["role"] for message in self.messages]
        held = [self.response_format] if self.response_format else []
        header = canonical([*parameters, self.sample, self.attempt, roles, *held])
        return digest("\0".join([header, *(message["content"] for message in self.messages)]))

    @cached_property
    def response_format(self) -> dict[str, Any] | None:
        """What holds the model to the form of its reply; None if nothing does."""
        return response_format(self.prompt, self.parts, self.settings.model)

    @property
    def max_tokens(self) -> int:
        """The room for the reply, in tokens, as sent."""
        return self.settings.room_for_reply(self.prompt) if self.room is None else self.room

    @property
    def is_last(self) -> bool:
        """Whether there is no further attempt if this one is misread."""
        return self.attempt + 1 >= self.prompt.tries

    def with_room(self, room: int) -> Call:
        """The same call with this much room for its reply."""
        return replace(self, room=room)

    def part(self, name: str) -> tuple[str, ...]:
        """The texts of one part as plain strings; empty if the prompt has no such part."""
        return next((tuple(text.text for text in part.texts) for part in self.parts if part.name == name), ())

    @cached_property
    def sizes(self) -> Sizes:
        """The number of texts in each part."""
        return self.prompt.shown(self.parts).sizes

    def parse(self, reply: str) -> Parsed | Unreadable:
        """Parse a reply by the prompt's reply format."""
        return self.prompt.reply.parse(reply, self.sizes)

    def parse_leniently(self, reply: str) -> Parsed | Unreadable:
        """Parse a reply; on the last attempt, accept a malformed but usable one."""
        parsed = self.parse(reply)
        if isinstance(parsed, Unreadable) and parsed.usable is not None and self.is_last:
            return parsed.usable
        return parsed


class Sampled(NamedTuple):
    """The id of each token of a reply, and its natural log-probability; None for values that the server did not give."""

    token_ids: tuple[int, ...] | None = None
    logprobs: tuple[float, ...] | None = None

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of the missing values."""
        return tuple(name for name, value in self._asdict().items() if value is None)

    def to_json(self) -> str | None:
        """As stored; None if nothing was given."""
        return None if len(self.missing) == len(self) else json.dumps(self._asdict(), separators=(",", ":"))

    @classmethod
    def of(cls, stored: str | None) -> Sampled:
        """What `to_json` returned."""
        found: dict[str, Any] = json.loads(stored) if stored else {}
        ids, logprobs = (found.get(name) for name in cls._fields)
        return cls(tuple(ids) if ids else None, tuple(logprobs) if logprobs else None)


NOT_GIVEN = Sampled()


@dataclass(frozen=True)
class Reply:
    """A model's reply. Token counts are None if the provider does not report them, `cost_usd` is None if the price is unknown.
    `ms` is the duration of the call.

    `thoughts` is what the model wrote for itself; `finish` says why it stopped: "stop", "length" if it was cut off, another
    reason in the provider's words, or empty if unknown. `sampled` has the tokens of the reply as the server gave them.
    """

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    ms: int = 0
    rate_limits: int = 0
    """How many times the provider answered "too many requests" before this reply."""
    tokens_cached: int | None = None
    """How many tokens of the prompt the server had from an earlier one; None if it does not say."""
    at_once: float = 1.0
    """The milliseconds of the call by those that the reading waited for it alone, each moment divided by all calls in flight: how
    many were in flight at once, on average, and under 1 if the call had to wait before it was sent."""
    thoughts: str = ""
    finish: str = ""
    sampled: Sampled = NOT_GIVEN


def build_messages(prompt: Prompt, parts: tuple[Part, ...], *, note: str = "") -> list[Message]:
    """Rebuild the messages of a call from its prompt, its parts and the note on the last misread reply."""
    return list(with_note(tuple(prompt.messages(parts)), note))


def response_format(prompt: Prompt, parts: tuple[Part, ...], model: str) -> dict[str, Any] | None:
    """The JSON schema that is sent to a model beside a prompt with these parts, as OpenAI names it; None if its reply is no
    data."""
    if prompt.schema is None:
        return None
    name = re.sub(r"[^A-Za-z0-9_-]", "_", prompt.id)[:LONGEST_SCHEMA_NAME]
    schema = prompt.schema.schema(prompt.shown(parts), bounded=model.partition("/")[0] in BOUNDED_BY)
    return {"type": "json_schema", "json_schema": {"name": name, "schema": schema, "strict": True}}


def with_note(messages: tuple[Message, ...], note: str) -> tuple[Message, ...]:
    """Append a note to the last of these messages."""
    if not note or not messages:
        return messages
    *others, last = messages
    return (*others, {**last, "content": f"{last['content']}\n\n{note}"})


def correction(prompt: Prompt, problem: str) -> str:
    """The note that asks the model to reply again, with the reason."""
    shape = prompt.reply.describe()
    return f"Your last reply to this could not be used: {problem}. Reply again" + (
        f", in exactly this form:\n{shape}" if shape else "."
    )


def asked_key(prompt: Prompt, parts: tuple[Part, ...]) -> str:
    """Hash a prompt's wording with the names and texts of its parts, regardless of where the texts come from."""
    texts = canonical([[part.name, [text.text for text in part.texts]] for part in parts])
    return digest(f"[{prompt.canonical_wording},{texts}]")


def parsed_values(parsed: Parsed | Unreadable) -> Mapping[str, str | int] | None:
    """The parsed values by field name; None for an unreadable reply."""
    return {name: field.value for name, field in parsed.fields.items()} if isinstance(parsed, Parsed) else None
