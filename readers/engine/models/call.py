"""One request to a model and its reply, as values, with the two keys that decide about replay and reuse (DESIGN section 5).

asked     whether a replay is still valid: the prompt's wording and the texts of its parts
identity  whether two requests are the same: the rendered message and everything the model is told besides
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from readers.engine.canonical import canonical, digest
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.prompts.reply import Parsed, Unreadable

Origin = Literal["live", "cached", "replayed", "inherited", "edited"]
Message = dict[str, str]
Served = tuple[str, str | None]  # a model's id and its base URL


@dataclass(frozen=True)
class Settings:
    """What goes to the model with every call. `window` is the room for prompt and reply in tokens, None for no limit. Never a
    key."""

    model: str
    api_base: str | None = None
    temperature: float = 0.0
    top_p: float | None = None
    window: int | None = None
    sample_base: int = 0


@dataclass(frozen=True)
class Call:
    """Attempt number `attempt` (from 0) at call number `seq` of a reading. `note` tells the model what was wrong with its last
    reply."""

    seq: int
    attempt: int
    prompt: Prompt
    parts: tuple[Part, ...]
    settings: Settings
    sample: int = 0
    note: str = ""
    edited: tuple[Message, ...] = ()
    asked: str = ""
    """The first of the two keys; found from prompt and parts where it is not given."""

    def __post_init__(self) -> None:
        if not self.asked:
            object.__setattr__(self, "asked", asked(self.prompt, self.parts))

    @cached_property
    def messages(self) -> list[Message]:
        """One user message; what a person edited stands in its place."""
        return list(self.edited) or messages(self.prompt, self.parts, note=self.note)

    @cached_property
    def identity(self) -> str:
        settings = self.settings
        told = [settings.model, settings.api_base, settings.temperature, settings.top_p, self.prompt.max_tokens]
        told_how = canonical([*told, self.sample, self.attempt, [message["role"] for message in self.messages]])
        return digest("\0".join([told_how, *(message["content"] for message in self.messages)]))

    def part(self, name: str) -> tuple[str, ...]:
        """The texts of one part, as plain strings; none if the prompt has no such part."""
        return next((tuple(text.text for text in part.texts) for part in self.parts if part.name == name), ())

    @cached_property
    def sizes(self) -> dict[str, int]:
        return {part.name: len(part.texts) for part in self.parts}

    def parse(self, reply: str) -> Parsed | Unreadable:
        return self.prompt.reply.parse(reply, self.sizes)


@dataclass(frozen=True)
class Reply:
    """What came back. Tokens are None where the provider does not say, `cost_usd` None where the price is unknown, `ms` the time
    it took."""

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    ms: int = 0
    limited: int = 0
    """How often the provider said "too many requests" before this reply."""


def messages(prompt: Prompt, parts: tuple[Part, ...], *, note: str = "") -> list[Message]:
    """The messages of a call, rebuilt from its prompt, its parts and the note on the last misread reply."""
    return list(noted(({"role": "user", "content": prompt.render(parts)},), note))


def noted(given: tuple[Message, ...], note: str) -> tuple[Message, ...]:
    """Messages with a note at the end of the last one."""
    if not note or not given:
        return given
    return (*given[:-1], {**given[-1], "content": f"{given[-1]['content']}\n\n{note}"})


def correction(prompt: Prompt, problem: str) -> str:
    """What the model is told when it is asked again."""
    shape = prompt.reply.describe()
    return f"Your last reply to this could not be used: {problem}. Reply again" + (
        f", in exactly this form:\n{shape}" if shape else "."
    )


def asked(prompt: Prompt, parts: tuple[Part, ...]) -> str:
    """The key of a prompt with these parts: their names and texts, wherever the texts come from."""
    texts = canonical([[part.name, [text.text for text in part.texts]] for part in parts])
    return digest(f"[{prompt.canonical_wording},{texts}]")


def parsed_json(parsed: Parsed | Unreadable) -> Mapping[str, str | int] | None:
    """The values read, by name; None for a reply that could not be read."""
    return {name: field.value for name, field in parsed.fields.items()} if isinstance(parsed, Parsed) else None
