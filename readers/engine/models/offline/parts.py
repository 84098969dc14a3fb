"""Which parts of a prompt each task of the offline model works on, which fields of a reply it fills, and what a prompt lacks.

A model of words takes any prompt; the offline model knows parts only by their names. A reader whose prompts it cannot handle may
still run with another model. Not here: what the tasks do with the parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from readers.engine.prompts.formats.form import Form
from readers.engine.prompts.prompt import Prompt
from readers.engine.text.phrases import listed


class Parts(NamedTuple):
    """`needed`: a task needs all the parts of one of these sets, and then fills these fields of the reply ("" is its main field,
    under any name); `also`: parts that it also reads, if a prompt has them."""

    needed: Mapping[tuple[str, ...], tuple[str, ...]]
    also: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*(name for names in self.needed for name in names), *self.also]))


_MAIN = ("",)
_ACTION = ("reasoning", "action")
PARTS = {
    "summarise": Parts({("segment",): _MAIN, ("summaries",): _MAIN}),
    "choose": Parts(
        {("memory", "question"): _ACTION, ("summaries", "question"): _ACTION}, ("choices", "opened", "refused", "back")
    ),
    "choose_many": Parts({("gists", "question"): ("pages", "reasoning")}, ("choices", "limit")),
    "answer_or_decline": Parts(
        {("segment", "question"): (*_ACTION, "answer"), ("segments", "question"): (*_ACTION, "answer")}, ("memory", "choices")
    ),
    "answer": Parts(
        {("segments", "question"): _MAIN, ("memory", "question"): _MAIN, ("memory", "problem"): _MAIN}, ("recalled", "choices")
    ),
    "entities": Parts(
        {("segment",): ("entities",), ("segments",): ("entities",), ("question",): ("entities",)}, ("entities", "questions")
    ),
    "relate": Parts({("segment", "entities"): ("relations",)}, ("relations", "questions")),
    "question": Parts({("segment",): ("questions",), ("one", "a", "b"): _MAIN}, ("relations",)),
    "merge": Parts({("names",): ("same",), ("one", "other"): _MAIN}),
    "elaborate": Parts({("question",): _MAIN}, ("entities", "relations")),
    "pause": Parts({("opening", "offered"): ("label",), ("second",): ("answer",)}),
    "update_memory": Parts(
        {("memory", "section", "problem"): ("", "recall"), ("memory", "section", "question"): ("", "recall")},
        ("recalled", "choices"),
    ),
    "shorten": Parts({("page",): _MAIN}, ("question", "choices")),
    "act": Parts(
        {
            ("segment", "question"): (*_ACTION, "argument", "parts"),
            ("seen", "answers", "question"): (*_ACTION, "argument", "parts"),
        },
        ("parts", "choices"),
    ),
}


def lacking(prompt: Prompt) -> str:
    """Why the offline model cannot do a prompt's task, because of its parts or its reply form, and what it needs; empty if it
    can."""
    return _lacking(prompt.id, prompt.task, prompt.names, reply=prompt.reply)


@lru_cache(maxsize=256)
def _lacking(prompt: str, task: str, names: tuple[str, ...], *, reply: Form) -> str:
    if task not in PARTS:
        return (
            f"the offline model cannot do the task {task!r} of the prompt {prompt!r} (it can do {', '.join(sorted(PARTS))}); "
            "choose another model for this reader"
        )
    works_on = [(needed, gives) for needed, gives in PARTS[task].needed.items() if set(needed) <= set(names)]
    if not works_on:
        wanted = ", or ".join(f"on {_named(needed)}" for needed in PARTS[task].needed)
        return (
            f"the offline model knows parts by their names, and the task {task!r} works {wanted}; its prompt {prompt!r} has "
            f"{_named(names) or 'none'}: name the parts so, or choose another model for this reader"
        )
    for _, gives in works_on:
        fields = [name or reply.main for name in gives]
        unfilled = [repr(name) for name in reply.required if name not in fields]
        if unfilled:
            return (
                f"the offline model's task {task!r} gives {listed([repr(name) for name in fields])}, and the form of the reply "
                f"to its prompt {prompt!r} asks for {listed(unfilled)}: give the form that name, or choose another model for "
                "this reader"
            )
    return ""


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
