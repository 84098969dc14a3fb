"""Reply forms, by the `kind` that is stored with a call. A form is a class in a module here, and a line in `FORMS`; each can also
be asked for as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from readers.engine.prompts.formats.as_json import AsJson
from readers.engine.prompts.formats.blocks import Block
from readers.engine.prompts.formats.choices import BreakPoint, OneAction, OneOf
from readers.engine.prompts.formats.form import Form
from readers.engine.prompts.formats.free_text import Free
from readers.engine.prompts.formats.json_lists import Listed
from readers.engine.prompts.formats.letters import Boxed, Lettered
from readers.engine.prompts.formats.memory import Memory, MemoryBlocks
from readers.engine.prompts.formats.pages import PageOrStop, Pages
from readers.engine.prompts.formats.published import ReplyWithoutRecall, WholeReply

_FORMS: tuple[type[Form], ...] = (
    Free, Block, BreakPoint, Pages, PageOrStop, Lettered, OneOf, Memory, MemoryBlocks, Boxed, Listed, OneAction, WholeReply,
    ReplyWithoutRecall,
)  # fmt: skip
FORMS: Mapping[str, type[Form]] = {form.kind: form for form in _FORMS}


def stored_form(data: Mapping[str, Any]) -> Form:
    """The form that `Form.to_json` wrote. Raises ValueError for an unknown kind."""
    if data["kind"] == AsJson.kind:
        return AsJson(stored_form(data["form"]), nulls=data.get("nulls", True))
    if data["kind"] not in FORMS:
        raise ValueError(f"no reply form of the kind {data['kind']!r} is known here")
    return FORMS[data["kind"]].stored(data)
