"""Which parts of a prompt each task of the offline model works on, and what a prompt lacks for its task, in a sentence.

A model of words takes any prompt; the offline model knows parts by their names alone. A reader whose prompts it cannot do may
still be read by another model. Not here: what the tasks do with the parts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from readers.engine.prompts.prompt import Prompt
from readers.engine.text.phrases import listed


class Parts(NamedTuple):
    """`needed`: a task works on all the parts of one of these; `also`: parts that it reads besides, where a prompt has them."""

    needed: tuple[tuple[str, ...], ...]
    also: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*(name for names in self.needed for name in names), *self.also]))


PARTS = {
    "summarise": Parts((("segment",), ("summaries",))),
    "choose": Parts((("memory", "question"), ("summaries", "question")), ("choices", "opened", "refused", "back")),
    "choose_many": Parts((("gists", "question"),), ("choices", "limit")),
    "answer_or_decline": Parts((("segment", "question"), ("segments", "question")), ("memory", "choices")),
    "answer": Parts((("segments", "question"), ("memory", "question"), ("memory", "problem")), ("recalled", "choices")),
    "entities": Parts((("segment",), ("segments",), ("question",)), ("entities", "questions")),
    "relate": Parts((("segment", "entities"),), ("relations", "questions")),
    "question": Parts((("segment",), ("one", "a", "b")), ("relations",)),
    "merge": Parts((("names",), ("one", "other"))),
    "elaborate": Parts((("question",),), ("entities", "relations")),
    "pause": Parts((("opening", "offered"), ("second",))),
    "update_memory": Parts((("memory", "section", "problem"), ("memory", "section", "question")), ("recalled", "choices")),
    "shorten": Parts((("page",),), ("question", "choices")),
    "act": Parts((("segment", "question"), ("seen", "answers", "question")), ("parts", "choices")),
}


def lacking(prompt: Prompt) -> str:
    """Why the offline model cannot do a prompt's task on its parts, and what it needs; empty if it can."""
    return _lacking(prompt.id, prompt.task, prompt.names)


@lru_cache(maxsize=256)
def _lacking(prompt: str, task: str, names: tuple[str, ...]) -> str:
    if task not in PARTS:
        return (
            f"the offline model cannot do the task {task!r} of the prompt {prompt!r} (it can do {', '.join(sorted(PARTS))}); "
            "choose another model for this reader"
        )
    if any(set(needed) <= set(names) for needed in PARTS[task].needed):
        return ""
    works_on = ", or ".join(f"on {_named(needed)}" for needed in PARTS[task].needed)
    return (
        f"the offline model knows parts by their names, and the task {task!r} works {works_on}; its prompt {prompt!r} has "
        f"{_named(names) or 'none'}: name the parts so, or choose another model for this reader"
    )


def overlooked(prompt: Prompt) -> str:
    """Which parts of a prompt the offline model does not look at; empty if there are none."""
    known = PARTS[prompt.task].names
    others = [name for name in prompt.names if name not in known]
    if not others:
        return ""
    return (
        f"the offline model does not look at {_named(others)} of its prompt {prompt.id!r}: the task {prompt.task!r} reads "
        f"{_named(known)}"
    )


def _named(names: tuple[str, ...] | list[str]) -> str:
    return listed([f"${name}" for name in names])
