"""Forms as JSON: the schema of a reply, and how a server's reply is read that keeps to it, or does not.

That what a person fills in reads the same as JSON and in words, for every form of every reader, is held in
`tests/components/widgets/test_reply_form.py`.
"""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from readers import READERS
from readers.engine.models.call import parsed_values
from readers.engine.prompts.formats import stored_form
from readers.engine.prompts.formats.as_json import AsJson
from readers.engine.prompts.formats.form import CountedFrom0, Field, Parsed, Shown, Unreadable
from readers.engine.prompts.formats.free_text import Free
from readers.engine.prompts.formats.json_lists import Listed
from readers.engine.prompts.formats.letters import Lettered
from readers.engine.prompts.formats.memory import Memory, MemoryBlocks
from readers.engine.prompts.formats.pages import Pages
from readers.memwalker.prompts import LEAF, TRIAGE
from readers.recursive.prompts import NEXT

LAMP = "The lamp was lit at five."
TRIAGED, LEFT, ACTED = AsJson(TRIAGE.reply), AsJson(LEAF.reply), AsJson(NEXT.reply)
SUMMARIES = Shown({"summaries": ("one", "two"), "back": ("-1",)}, CountedFrom0("summaries", "Summary"))
FORMS = {str(form.to_json())[:80]: AsJson(form) for form in (prompt.reply for reader in READERS for prompt in reader.prompts)}


@pytest.mark.parametrize("name", FORMS)
def test_every_key_is_required_none_is_added_and_the_form_comes_back_from_its_data(name: str) -> None:
    form = FORMS[name]
    schema = form.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    objects = [schema, *(one["items"] for one in schema["properties"].values() if "properties" in one.get("items", {}))]
    for one in objects:
        assert one["required"] == list(one["properties"])
        assert one["additionalProperties"] is False
    again = stored_form(json.loads(json.dumps(form.to_json())))
    assert (again, again.describe()) == (form, form.describe())
    assert all(f'"{key}"' in form.describe() for key in schema["properties"])


def test_a_reason_comes_before_what_is_decided_among_what_is_offered() -> None:
    schema = TRIAGED.schema(SUMMARIES)
    assert list(schema["properties"]) == ["reasoning", "action"]
    assert schema["properties"]["action"]["enum"] == [0, 1, -1]
    assert list(ACTED.schema()["properties"]) == ["reasoning", "action", "argument", "parts"]
    pages = AsJson(Pages()).schema(Shown({"gists": ("one", "two")}, CountedFrom0("gists", "Page")))["properties"]
    assert list(pages) == ["reasoning", "pages"]
    assert pages["pages"]["items"] == {"type": "integer", "enum": [0, 1]}
    assert AsJson(Lettered("choices")).schema(Shown({"choices": ("the hill",)}))["properties"]["answer"]["enum"] == [
        "(A) the hill"
    ]


def test_words_that_depend_on_a_decision_may_be_empty_and_a_choice_may_be_null() -> None:
    properties = LEFT.schema()["properties"]
    assert {properties[name]["type"] for name in ("answer", "reasoning")} == {"string"}
    assert "a value that is not called for is empty" in LEFT.describe()
    assert json.loads(LEFT.render({"action": -1}))["answer"] == ""
    assert LEFT.schema(Shown({"choices": ("(A) so",)}))["properties"]["answer"]["enum"] == ["(A) so", None]


def test_where_bounds_are_taken_nothing_that_may_be_needed_is_empty_and_no_choice_comes_without_end() -> None:
    shown = Shown({"parts": ("one", "two"), "gists": ("one", "two"), "choices": ("(A) so",)})
    left, acted = LEFT.schema(bounded=True)["properties"], ACTED.schema(shown, bounded=True)["properties"]
    assert (left["answer"]["minLength"], acted["argument"]["minLength"], "minLength" in left["reasoning"]) == (1, 1, False)
    assert (acted["parts"]["minItems"], acted["parts"]["maxItems"]) == (1, 2)
    assert LEFT.schema(shown, bounded=True)["properties"]["answer"]["enum"] == ["(A) so"]
    pages = AsJson(Pages()).schema(Shown(shown.parts, CountedFrom0("gists", "Page")), bounded=True)["properties"]["pages"]
    assert (pages["maxItems"], "minItems" in pages) == (2, False)
    blocks = AsJson(MemoryBlocks(9)).schema(bounded=True)["properties"]
    assert [name for name, one in blocks.items() if "minLength" in one] == ["update"]
    assert AsJson(LEAF.reply, nulls=True).schema(bounded=True) == AsJson(LEAF.reply, nulls=True).schema()


def test_a_form_that_was_stored_with_nulls_keeps_them() -> None:
    old = stored_form({"kind": "json", "form": LEAF.reply.to_json()})
    assert (old, old.to_json()) == (AsJson(LEAF.reply, nulls=True), {"kind": "json", "form": LEAF.reply.to_json()})
    assert "a value that is not called for is null" in old.describe()
    assert AsJson(LEAF.reply, nulls=True).schema()["properties"]["answer"]["type"] == ["string", "null"]
    assert json.loads(old.render({"action": -1}))["answer"] is None


def values(form: AsJson, reply: str, sizes: dict[str, int] | None = None) -> Any:
    return parsed_values(form.parse(reply, sizes or {}))


@pytest.mark.parametrize(
    ("form", "reply", "read"),
    [
        (LEFT, '{"reasoning": "cold", "action": -1, "answer": null}', {"reasoning": "cold", "action": -1}),
        (LEFT, '{"reasoning": "cold", "action": -1, "answer": ""}', {"reasoning": "cold", "action": -1}),
        (LEFT, '{"reasoning": "cold", "action": -1, "answer": "At five."}', {"reasoning": "cold", "action": -1}),
        (LEFT, '{"reasoning": "Action: -1\\nAnswer: no", "action": -2, "answer": "yes"}', None),
        (LEFT, 'Let me see.\n```json\n{"reasoning": "x", "action": -1, "answer": null}\n```', {"reasoning": "x", "action": -1}),
        (LEFT, "Reasoning: cold\nAction: -1", {"reasoning": "cold", "action": -1}),
        (ACTED, '{"reasoning": "", "action": "nothing", "argument": null, "parts": []}', {"action": "nothing"}),
        (AsJson(Free()), json.dumps({"text": LAMP}), {"text": LAMP}),
        (AsJson(Free()), LAMP, {"text": LAMP}),
        (AsJson(MemoryBlocks(9)), '{"thinking": "", "update": "The memory stays the same.", "recall": null}', None),
        (AsJson(Listed("names")), '{"names": []}', {"names": "[]"}),
    ],
)  # fmt: skip
def test_a_reply_is_read_as_its_words_are(form: AsJson, reply: str, read: dict[str, Any] | None) -> None:
    got = values(form, reply)
    if form == LEFT and read is None:
        assert (got["action"], got["answer"]) == (-2, "yes")
    elif read is None:
        assert got == {"unchanged": "The memory stays the same."}
    else:
        assert got == read


@pytest.mark.parametrize(
    ("form", "reply", "problem"),
    [
        (LEFT, '{"reasoning": "x", "action": -2, "answer": null}', "it has no line 'Answer:"),
        (TRIAGED, '{"reasoning": "x", "action": 7}', "its action 7 is not a number from -1 to 1"),
        (TRIAGED, '{"reasoning": "x", "action": null}', 'its "action" is empty or of another kind'),
        (TRIAGED, '{"reasoning": "x", "act": 1}', 'it has no whole JSON object with "action"'),
        (TRIAGED, '{"action": 0, "reasoning": "x"} {"action": 1, "reasoning": "x"}', "it gives several JSON objects that differ"),
        (AsJson(Memory(3)), json.dumps({"text": LAMP}), "the memory in it has 7 tokens, and there is room for 3"),
        (AsJson(Listed("pairs", ("a", "b"))), '{"pairs": [{"a": "Amos"}]}', 'its "pairs" is empty or of another kind'),
    ],
)
def test_what_cannot_be_followed_is_refused_with_the_reason(form: AsJson, reply: str, problem: str) -> None:
    read = form.parse(reply, {"summaries": 2})
    assert isinstance(read, Unreadable)
    assert problem in read.problem


def test_a_reply_that_was_cut_off_is_usable_as_far_as_it_goes() -> None:
    read = AsJson(Free()).parse('{"text": "The lamp was lit and the', {})
    assert isinstance(read, Unreadable)
    assert read.problem == "its JSON object is cut off"
    assert read.usable == Parsed({"text": Field("The lamp was lit and the", 10, 34)})
    early = LEFT.parse('{"reasoning": "the lamp', {})
    assert isinstance(early, Unreadable)
    assert early.usable is None


def test_where_each_value_stands_in_the_json_is_known() -> None:
    reply = json.dumps({"reasoning": "It is cold.", "action": -2, "answer": '** At "five". **'})
    read = LEFT.parse(reply, {})
    assert isinstance(read, Parsed)
    where = {name: reply[field.start : field.end] for name, field in read.fields.items()}
    assert where == {"reasoning": "It is cold.", "action": "-2", "answer": '** At \\"five\\". **'}
    listed = AsJson(Listed("names")).parse('{"names": ["Amos"]}', {})
    assert listed == Parsed({"names": Field('["Amos"]', 10, 18)})
