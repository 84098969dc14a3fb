"""Which forms of reply a reading's model fails at: two misread replies to one prompt, or more, and what can be done about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from readers.engine.prompts.prompt import name_of
from readers.engine.record.events import Asked, Event, Misread
from readers.engine.record.narrative import in_plain_words

LEAST = 2  # misread replies of a kind; one is an accident


def failing_forms(events: Iterable[Event]) -> dict[str, list[Misread]]:
    """The misread replies to each prompt that has several, by the id of the prompt; the one with most comes first."""
    prompts: dict[int, str] = {}
    misread: defaultdict[str, list[Misread]] = defaultdict(list)
    for event in events:
        if isinstance(event, Asked):
            prompts[event.seq] = event.prompt
        elif isinstance(event, Misread):
            misread[prompts[event.seq]].append(event)
    several = [(prompt, found) for prompt, found in misread.items() if len(found) >= LEAST]
    return dict(sorted(several, key=lambda one: -len(one[1])))


def in_words(prompt_id: str, misread: list[Misread]) -> str:
    """A sentence on a form that fails."""
    return (
        f"The model fails at the form of the prompt “{name_of(prompt_id)}”: {len(misread)} replies could not be read, the last "
        f"one because {in_plain_words(misread[-1].problem)}."
    )


def remedies(reply_form: str) -> str:
    """What can be done: with a reading whose replies are asked for so."""
    held = "" if reply_form == "schema" else "hold it to a schema (reply form “schema”), "
    return f"You can {held}take another model, or be the model for this call."
