"""Calls to the offline model with plain strings as parts, and what any model's parser reads from its replies."""

from __future__ import annotations

from typing import Any

from readers.engine.models.call import Call, ModelSettings
from readers.engine.models.offline import Offline
from readers.engine.prompts.formats.form import Parsed
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.text.document import Text


def call(prompt: Prompt, **parts: Any) -> Call:
    """A call with these strings as parts; missing parts are empty."""
    given = {name: parts.get(name, ()) for name in prompt.names}
    texts = {name: (value,) if isinstance(value, str) else tuple(value) for name, value in given.items()}
    return Call(
        0,
        0,
        prompt,
        tuple(Part(name, tuple(map(Text, texts[name]))) for name in prompt.names),
        ModelSettings("offline/extractive"),
    )


def fields(prompt: Prompt, **parts: Any) -> dict[str, str | int]:
    """The fields that any model's parser reads from the reply."""
    asked = call(prompt, **parts)
    parsed = asked.parse(Offline().complete(asked).text)
    assert isinstance(parsed, Parsed), parsed
    return {name: field.value for name, field in parsed.fields.items()}
