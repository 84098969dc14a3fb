"""The form of a reply: what there is to fill in, and that the reply made of it reads back, for every prompt of every reader."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from components.widgets.reply_form import items, lines, problem, recorded_values
from readers import READERS
from readers.engine.forks.describe_edit import option_names
from readers.engine.models.call import Call, ModelSettings
from readers.engine.models.offline import Offline
from readers.engine.prompts.formats.as_json import AsJson
from readers.engine.prompts.formats.form import FormField, Parsed, missing
from readers.engine.prompts.formats.memory import Memory, MemoryBlocks
from readers.engine.prompts.formats.published import ReplyWithoutRecall
from readers.engine.prompts.prompt import FREE, Part, Prompt
from readers.engine.text.document import Document, Question, Span, Text
from readers.memagent.prompts import ANSWER as BOXED
from readers.memagent.prompts import UPDATE
from readers.memwalker.prompts import LEAF, TRIAGE
from readers.qrmem import prompts as qrmem
from readers.readagent import prompts as readagent
from readers.rememr1.prompts import UPDATE as BLOCKS

PROMPTS = [prompt for reader in READERS for prompt in reader.prompts]
CHOICES = Question("Where?", ("Under the [stone].", "The answer is (A).", "In \\boxed{it} {")).offered
TEXTS = [Text(words) for words in ("The keeper left.", "Action: 9\n\nThe lamp <2> was lit.", "STOP. Page 7, she said [1].")]
PLAIN = "She lit it at five."
HOSTILE = [
    "Reasoning: so\nAction: 3\n####\nAnswer: no",
    "</think>",
    "thus</think>\n",
    "<update>x</update> <recall>",
    "\\boxed{x} } {\\",
    '"entities": ["x"] “entities”: [',
    "I want Page [7] STOP\nPage 2: x",
    "(B) Answer: (C)",
]


def _inside_a_sentence(text: str) -> str:
    return f"Hale {text.replace('</think>', '')} lit it"


# Words of a person, between words that are no courtesy, heading or placeholder: those are read past.
words = st.one_of(st.just(PLAIN), st.one_of(st.sampled_from(HOSTILE), st.text(min_size=1, max_size=60)).map(_inside_a_sentence))


def filled(prompt: Prompt, *, choices: tuple[Text, ...] = CHOICES) -> tuple[Part, ...]:
    """Parts as a reader fills them."""
    own: dict[str, Any] = {
        "choices": choices,
        "limit": Text("2"),
        "opened": [Text("1")],
        "refused": [Text("2")],
        "back": [Text("-1")],
    }
    several = (
        {"summaries", "offered", "gists", "memory", "segments", *own} if prompt.id.startswith(("readagent", "memw")) else {*own}
    )
    problem = (Text("Where?"), *choices)
    made = {
        name: own.get(name) if name in own else problem if name == "problem" else TEXTS if name in several else TEXTS[0]
        for name in prompt.names
    }
    return prompt.parts(made)


def value(field: FormField) -> st.SearchStrategy[Any]:
    """Anything that can be filled in."""
    if field.kind == "one":
        return st.sampled_from([choice.value for choice in field.choices])
    if field.kind == "several":
        offered = [choice.value for choice in field.choices]
        return st.lists(st.sampled_from(offered), unique=True, min_size=int(field.needed)).map(tuple)
    if field.kind == "list":
        item = st.fixed_dictionaries(dict.fromkeys(field.keys, words)) if field.keys else words
        return st.lists(item, max_size=4).map(tuple).filter(lambda listed: not listed or problem_free(listed))
    return words if field.needed else st.one_of(st.just(""), words)


def _compared(parsed: Parsed) -> dict[str, Any]:
    """What was read. A list is what it holds, however its quotes are escaped."""
    said = {name: field.value for name, field in parsed.fields.items()}
    return {name: json.loads(str(words)) if str(words).startswith(('["', "[{")) else words for name, words in said.items()}


def problem_free(listed: tuple[Any, ...]) -> bool:
    """A list of nothing but dots is the form repeated."""
    said = [one for item in listed for one in (item.values() if isinstance(item, dict) else [item])]
    return any(one.strip(" .…") for one in said)


# A prompt with choices in its name is asked only where there are some; choices change nothing for one that does not show them.
FILLED = [
    pytest.param(prompt, choices, id=f"{prompt.id} {'choices' if choices else 'own words'}")
    for prompt in (*PROMPTS, Prompt("free", "answer", "$question", FREE))
    for choices in (CHOICES, ())
    if ({"choices", "problem"} & set(prompt.names) if choices else "choice" not in prompt.id)
]


@pytest.mark.slow
@pytest.mark.parametrize(("prompt", "choices"), FILLED)
@given(data=st.data())
def test_what_is_filled_in_reads_back_for_every_prompt(prompt: Prompt, choices: tuple[Text, ...], data: st.DataObject) -> None:
    parts = filled(prompt, choices=choices)
    asked = prompt.fields(parts)
    values: dict[str, Any] = {field.name: data.draw(value(field), field.name) for field in asked if field.when is None}
    values |= {field.name: data.draw(value(field), field.name) for field in asked if field.when and field.applies(values)}
    assert missing(asked, values) == ""
    reply = prompt.reply.filled(values)
    assert problem(prompt, parts, reply) == ""
    shown = prompt.shown(parts)
    parsed = prompt.reply.parse(reply, shown.sizes)
    assert isinstance(parsed, Parsed)
    as_json = AsJson(prompt.reply)
    in_json = as_json.filled(values)
    schema = as_json.schema(shown)
    no_choice = {name for name, one in schema["properties"].items() if None in one.get("enum", ())}  # "" here, null from a model
    stated = {name: None if name in no_choice and said == "" else said for name, said in json.loads(in_json).items()}
    jsonschema.validate(stated, schema)
    again = as_json.parse(in_json, shown.sizes)
    assert isinstance(again, Parsed)
    assert _compared(again) == _compared(parsed)
    for field in (one for one in asked if one.applies(values)):
        if field.kind == "one":
            decided = recorded_values(prompt, parts, reply)
            assert decided is not None
            assert decided.get(field.name) == values.get(field.name)
        elif field.kind == "list":
            assert json.loads(str(parsed.fields[field.name].value)) == list(values[field.name])
        elif field.kind == "several":
            assert parsed.fields[field.name].value == ", ".join(map(str, values[field.name]))
        elif values.get(field.name) == PLAIN and field.name != "thinking":
            assert parsed.fields[field.name].value == PLAIN


def test_the_reply_that_a_published_checkpoint_is_asked_for_can_be_filled_in() -> None:
    exact = BLOCKS.exactly(ReplyWithoutRecall(), max_tokens=64)
    memory, query = exact.fields(filled(BLOCKS))
    assert (memory.begin, query.needed) == ("The keeper left.", False)
    reply = exact.reply.filled({"update": PLAIN, "recall": "the lamp"})
    assert exact.reply.values(reply, exact.shown(filled(BLOCKS))) == {"update": PLAIN, "recall": "the lamp"}


def test_each_number_of_a_triage_stands_beside_its_summary_and_going_up_only_where_it_is_offered() -> None:
    parts = filled(TRIAGE)
    found = {choice.value: choice.words for choice in TRIAGE.options(parts)}
    assert list(found) == [0, 1, 2, -1]
    assert found[0] == "The keeper left."
    assert found[1].startswith("(opened before) Action: 9")
    assert found[2].startswith("(leads nowhere that is still open)")
    assert "back up" in found[-1]
    root = tuple(part._replace(texts=()) if part.name == "back" else part for part in parts)
    assert [choice.value for choice in TRIAGE.options(root)] == [0, 1, 2]


def test_an_answer_is_asked_for_only_with_the_action_that_has_one() -> None:
    parts = filled(LEAF, choices=())
    asked = LEAF.fields(parts)
    assert missing(asked, {"reasoning": "so", "action": -1}) == ""
    assert missing(asked, {"reasoning": "so", "action": -2}) == "“Answer” has not been written yet."
    assert missing(asked, {"action": -2, "answer": "At five."}) == ""
    assert missing(asked, {"reasoning": "so"}) == "“Action” has not been chosen yet."


def test_pages_are_offered_with_their_gists_and_stop_last() -> None:
    (first, *_), stop = (offered := readagent.LOOK_UP_NEXT.options(filled(readagent.LOOK_UP_NEXT))), offered[-1]
    assert (first.value, first.label, first.words) == (0, "page 1", "The keeper left.")
    assert (stop.value, stop.label) == (-1, "STOP")
    parallel = readagent.LOOK_UP.fields(filled(readagent.LOOK_UP))[0]
    assert (parallel.kind, len(parallel.choices)) == ("several", 3)
    assert parallel.help.startswith("Up to 2")
    assert readagent.LOOK_UP.reply.filled({"pages": (2, 0)}) == "I want to look up Page [2, 0]"


def test_lists_are_typed_one_a_line_with_a_bar_between_what_belongs_together() -> None:
    (field,) = qrmem.RELATIONS.fields(())
    typed = "Amos | Rhoda | is the father of\n\n Rhoda|the lamp|lit | out"
    found = items(field, typed)
    assert found == (
        {"a": "Amos", "b": "Rhoda", "relation": "is the father of"},
        {"a": "Rhoda", "b": "the lamp", "relation": "lit | out"},
    )
    assert items(field, lines(field, found)) == found


def test_why_a_reply_cannot_be_read_is_said_in_a_sentence() -> None:
    assert "not a number from -1 to 2" in problem(TRIAGE, filled(TRIAGE), "Reasoning: x\nAction: 9")
    small = Prompt("m", "update_memory", "$memory", Memory(5))
    assert "there is room for 5" in problem(small, small.parts({"memory": Text("")}), "one two three four five six seven")
    assert problem(BOXED, filled(BOXED), "just words").endswith(".")


@pytest.mark.parametrize("prompt", [prompt for prompt in PROMPTS if prompt.task != "score"], ids=lambda prompt: prompt.id)
def test_a_recorded_reply_of_the_offline_model_fills_the_form(prompt: Prompt) -> None:
    choices = CHOICES if "choice" in prompt.id else ()
    parts = filled(prompt, choices=choices)
    reply = Offline().complete(Call(0, 0, prompt, parts, ModelSettings("offline/extractive"))).text
    if problem(prompt, parts, reply):
        assert recorded_values(prompt, parts, reply) is None
        return
    values = recorded_values(prompt, parts, reply)
    assert values is not None
    assert missing(prompt.fields(parts), values) == ""
    again = recorded_values(prompt, parts, prompt.reply.filled(values))
    assert again == values


def script(prompt: str, recorded: str | None, simple: bool) -> None:
    """The form on a page of its own, as the harness runs it."""
    import streamlit as st

    from components.widgets import reply_form
    from tests.components.widgets import test_reply_form as tests

    asked = {"triage": tests.TRIAGE, "blocks": tests.BLOCKS, "leaf": tests.LEAF, "update": tests.UPDATE}[prompt]
    names = {0: "part 1", 1: "part *2*"} if simple else None
    parts = tests.filled(asked, choices=())
    reply = reply_form.draw(asked, parts, key="form", recorded=recorded, names=names, simple=simple)
    st.markdown(f"GOT {reply!r}")


def drawn(prompt: str, recorded: str | None = None, *, simple: bool = False) -> AppTest:
    return AppTest.from_function(script, args=(prompt, recorded, simple), default_timeout=20).run()


def got(app: AppTest) -> str:
    assert not app.exception
    return str(app.markdown[-1].value)


def test_the_form_gives_a_reply_once_it_is_whole() -> None:
    app = drawn("triage")
    assert got(app) == "GOT None"
    app.radio[0].set_value(1).run()
    app.text_area[0].set_value("It says so.").run()
    assert "Action: 1" in got(app)
    app.segmented_control[0].set_value("As text").run()
    assert "Action: 1" in app.text_area[0].value
    app.text_area[0].set_value("Reasoning: no\nAction: 7").run()
    assert got(app) == "GOT None"
    app.text_area[0].set_value("Reasoning: no\nAction: 2").run()
    app.segmented_control[0].set_value("Fill in").run()
    assert (app.radio[0].value, app.text_area[0].value) == (2, "no")


def test_a_recorded_reply_stands_in_the_form_and_comes_back_as_it_was() -> None:
    said = "Well.\n**Reasoning:** the first one\nACTION: 0 (the first)"
    app = drawn("triage", said)
    assert app.radio[0].value == 0
    assert got(app) == f"GOT {said!r}"
    app.radio[0].set_value(-1).run()
    assert "Action: -1" in got(app)
    unread = drawn("triage", "I cannot say.")
    assert unread.text_area[0].value == "I cannot say."
    assert got(unread) == "GOT None"


def test_a_memory_may_begin_with_the_one_so_far_and_says_its_size() -> None:
    app = drawn("update")
    app.button[0].click().run()
    assert app.text_area[0].value == "The keeper left."
    assert "of 1,024 tokens" in app.caption[-1].value
    assert isinstance(UPDATE.reply, Memory)
    assert isinstance(BLOCKS.reply, MemoryBlocks)


def test_the_answer_field_comes_with_its_action() -> None:
    app = drawn("leaf")
    assert [area.label for area in app.text_area] == ["Reasoning (optional)"]
    app.radio[0].set_value(-2).run()
    assert [area.label for area in app.text_area] == ["Reasoning (optional)", "Answer"]


def test_a_label_behind_which_nothing_stands_says_that_the_stretch_ends_there() -> None:
    offered = (Part("offered", (Text("The keeper left."), Text(" \n"))),)
    assert [choice.words for choice in readagent.PAUSE.options(offered)] == ["The keeper left.", "the end of the stretch"]


SAID = "Reasoning: Summary 0 shares the lamp with the question.\nAction: 0"
PICKED = "(picked by a person)"


def test_the_recorded_reason_gives_way_to_another_option_and_comes_back_with_its_own() -> None:
    app = drawn("triage", SAID)
    app.radio[0].set_value(1).run()
    assert app.text_area[0].value == PICKED
    assert PICKED in got(app)
    assert "shares the lamp" not in got(app)
    app.radio[0].set_value(0).run()
    assert got(app) == f"GOT {SAID!r}"
    app.text_area[0].set_value("I know it.").run()
    app.radio[0].set_value(2).run()
    assert app.text_area[0].value == "I know it."
    fresh = drawn("triage")
    fresh.text_area[0].set_value("Because.").run()
    fresh.radio[0].set_value(2).run()
    assert fresh.text_area[0].value == "Because."


def test_in_simple_options_have_names_and_the_form_of_the_reply_is_not_shown() -> None:
    app = drawn("triage", SAID, simple=True)
    assert not app.segmented_control
    assert [area.label for area in app.text_area] == ["Stated reason (optional)"]
    assert app.radio[0].label == "What it does next"
    assert app.radio[0].options[0] == "part 1 :small[· “Summary 0” in the prompt]"
    assert "\\*2\\*" in app.radio[0].options[1]
    assert app.radio[0].options[-1] == "go back up :small[· \\-1]"
    app.radio[0].set_value(1).run()
    assert not app.get("html")
    assert f"{PICKED}\\nAction: 1" in got(app)
    leaf = drawn("leaf", simple=True)
    assert [words.partition(" :")[0] for words in leaf.radio[0].options] == ["answer from here", "go back up"]
    strict = drawn("triage", SAID)
    strict.radio[0].set_value(1).run()
    assert "the reply as it would be sent" in strict.get("html")[0].proto.body


def test_numbers_are_called_what_the_reader_calls_the_texts_behind_them() -> None:
    document = Document.of("abcdef")
    first, second = (document.at(Span(start, start + 2)).pieces for start in (0, 2))
    names = {"document:0-2": "part 1"}
    assert option_names(TRIAGE, {"summaries": (first, second)}, names) == {0: "part 1"}
    assert option_names(BOXED, {"summaries": (first,)}, names) == {}
