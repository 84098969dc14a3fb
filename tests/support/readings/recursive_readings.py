"""Recursive readings of paragraphs of known words, with a model that takes given actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from readers import get
from readers.engine.models.call import Call
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text.document import Document
from tests.support.models.scripted_models import Scripted, parts_of

QUESTION = "Where is it?"
SMALL: dict[str, Any] = {"slice_tokens": 128, "peek_tokens": 32, "hit_tokens": 16}
Turn = str | tuple[str, str]


def model(turns: Sequence[Turn]) -> Scripted:
    """A model that takes these actions, each with its argument, in the order in which it is asked; a bare string is sent as it
    is."""
    left = list(turns)

    def reply(call: Call) -> str:
        turn = left.pop(0)
        if isinstance(turn, str):
            return turn
        return call.prompt.reply.render({"reasoning": f"because of {turn[0]}", "action": turn[0], "argument": turn[1]})

    return Scripted(reply)


def read(turns: Sequence[Turn], *, document: Document | None = None, scripted: Scripted | None = None, **options: Any) -> Trace:
    reader, choices, window = get("recursive"), options.pop("choices", ()), options.pop("window", None)
    spec = RunSpec(reader.id, reader.version, QUESTION, choices, {**SMALL, **options}, window=window)
    return rehearse(document or parts_of(8), reader, spec, scripted or model(turns))
