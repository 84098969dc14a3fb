"""What the offline model needs of a prompt is told in words, before a reading ends in "not given" because of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from readers import BUILT_IN
from readers.engine.errors import ModelFailed
from readers.engine.models.offline import TASKS, Offline
from readers.engine.models.offline.parts import PARTS, lacking, overlooked
from readers.engine.prompts.formats.json_lists import Listed
from readers.engine.prompts.formats.pages import PageOrStop, Pages
from readers.engine.prompts.prompt import Prompt
from tests.support.models.offline_calls import call

PIECE = Prompt(id="odd.note", task="summarise", template="Sum up $piece.")


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        (
            PIECE,
            "the task 'summarise' works on $segment, or on $summaries; its prompt 'odd.note' has $piece: "
            "name the parts so, or choose another model for this reader",
        ),
        (Prompt(id="odd.end", task="answer", template="$memory $query"), "$segments and $question, or on $memory and $question"),
        (Prompt(id="odd.bare", task="answer", template="Say it."), "its prompt 'odd.bare' has none"),
    ],
    ids=lambda value: value.id if isinstance(value, Prompt) else "",
)
def test_parts_that_a_task_cannot_do_without_are_named(prompt: Prompt, words: str) -> None:
    assert words in lacking(prompt)
    with pytest.raises(ModelFailed, match=r"the offline model .*its prompt 'odd\."):
        Offline().complete(call(prompt, **dict.fromkeys(prompt.names, "The lamp.")))


def test_a_form_of_reply_that_a_task_does_not_fill_is_named_before_any_call() -> None:
    prompt = Prompt(id="odd.name", task="entities", template="$segment $format", reply=Listed("elements"))
    problem = "the offline model's task 'entities' gives 'entities', and the form of the reply to its prompt 'odd.name' asks for "
    assert lacking(prompt).startswith(f"{problem}'elements': ")
    with pytest.raises(ModelFailed, match="gives 'entities'"):
        Offline().complete(call(prompt, segment="Doris kept the lamp."))
    pages = Prompt(id="odd.pages", task="choose", template="$memory $question $format", reply=Pages())
    assert "asks for 'pages'" in lacking(pages)
    assert lacking(replace(pages, reply=PageOrStop())) == ""


def test_an_unknown_task_is_named_with_those_there_are() -> None:
    assert "cannot do the task 'judge' of the prompt 'odd.judge' (it can do act, answer, " in lacking(
        Prompt(id="odd.judge", task="judge", template="$question")
    )


def test_a_part_that_a_task_does_not_look_at_is_named() -> None:
    prompt = Prompt(id="odd.note", task="summarise", template="$segment, after $before, in $limit words")
    assert lacking(prompt) == ""
    assert overlooked(prompt) == (
        "the offline model does not look at $before and $limit of its prompt 'odd.note': the task 'summarise' reads $segment and "
        "$summaries"
    )
    assert overlooked(Prompt(id="odd.note", task="summarise", template="$segment")) == ""


@pytest.mark.parametrize("task", TASKS)
def test_the_prompts_of_the_readers_here_have_what_each_task_works_on(task: str) -> None:
    prompts = [prompt for reader in BUILT_IN for prompt in reader.prompts if prompt.task == task]
    assert PARTS.keys() == TASKS.keys()
    assert [words for prompt in prompts if (words := lacking(prompt))] == []
    assert prompts
