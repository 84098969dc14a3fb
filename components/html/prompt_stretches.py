"""The message a call sent, cut by where its words come from, as `markup.prompt` draws it. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from components.html.markup import PromptStretch
from readers.engine.analysis import authorship
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.record.journal import Record, decode_parts
from readers.engine.run.human_model import DisplayedCall
from readers.engine.store import Reading
from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, QUESTION


def of_record(
    record: Record, prompt: Prompt, reading: Reading, *, authors: authorship.Authorship | None = None
) -> list[PromptStretch]:
    """The message of a recorded call. `authors`: of the reading, for a caller that has them already."""
    if record.messages and not record.asked:  # of a file that was not replayed
        return [PromptStretch(str(message["content"]), "template", "as recorded") for message in json.loads(record.messages)]
    if record.messages:
        return _edited(json.loads(record.messages))
    asked = reading.trace.asked.get(record.seq)
    pieces = dict(asked.parts) if asked else {}
    by = authors or authorship.of(reading.trace, reading.run, reading.records)

    def source(part: str, number: int) -> str:
        shown = next(iter(pieces.get(part, ())[number:]), ())
        found = _source({refs.kind(piece.origin) or "" for piece in shown})
        return "person" if found == "model" and by.text(shown) == authorship.PERSON else found

    return _cut(prompt, decode_parts(record.parts, reading.document, wrote=reading.trace.wrote), source, note=record.note)


def of_waiting(call: DisplayedCall, *, own: bool = False) -> list[PromptStretch]:
    """The message of a call that waits for a person. `own`: a person wrote everything that was written before."""
    if call.edited:
        return _edited(call.edited)

    def source(part: str, number: int) -> str:
        found = _source(next(iter(call.sources.get(part, [])[number:]), []))
        return "person" if own and found == "model" else found

    return _cut(call.prompt, call.parts, source, note=call.note)


def _edited(messages: Iterable[Mapping[str, Any]]) -> list[PromptStretch]:
    return [PromptStretch(str(message["content"]), "person", "edited by a person") for message in messages]


def _cut(prompt: Prompt, parts: Sequence[Part], source: Callable[[str, int], str], *, note: str) -> list[PromptStretch]:
    """The prompt's own words and its parts in order; `source` says where text `number` of a part comes from."""
    found = []
    for stretch in prompt.stretches(parts):
        if stretch.part:
            found.append(PromptStretch(stretch.text, source(stretch.part, stretch.number), stretch.part.replace("_", " ")))
        else:
            found.append(PromptStretch(stretch.text, "template", "the prompt’s own words"))
    if note:
        found.append(PromptStretch(f"\n\n{note}", "rule", "what was wrong with the last reply"))
    return found


def _source(origins: Iterable[str]) -> str:
    """Where words come from, by the kinds of place they are pieced together from."""
    origins = set(origins)
    if DOCUMENT in origins:
        return "document"
    if origins & {"wrote", "reply"}:
        return "model"
    return "question" if origins & {QUESTION, "choice"} else "rule"
