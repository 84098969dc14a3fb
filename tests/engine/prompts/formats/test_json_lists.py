"""Lists in JSON are read as models write them, each string with its place in the reply; what is cut off is not read in part."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from readers.engine.prompts.formats import stored_form
from readers.engine.prompts.formats.form import Parsed, Unreadable
from readers.engine.prompts.formats.json_lists import LONGEST_STRING, MOST_ITEMS, Listed, rows, strings
from readers.engine.text.document import Piece, Text

NAMES = Listed("entities")
PAIRS = Listed("relations", ("a", "b", "relation"))


def field(form: Listed, reply: str) -> Text:
    """The list as a reader gets it: it knows its place in reply 7."""
    parsed = form.parse(reply, {})
    assert isinstance(parsed, Parsed), parsed
    value, start, end = parsed.fields[form.name]
    if len(str(value)) == end - start:
        assert reply[start:end] == value
    return Text(str(value), (Piece(0, len(str(value)), "reply:7", start, end),))


def read(reply: str) -> list[str]:
    return [text.text for text in strings(field(NAMES, reply))]


def problem(reply: str, form: Listed = NAMES) -> str:
    found = form.parse(reply, {})
    assert isinstance(found, Unreadable), found
    return found.problem


@pytest.mark.parametrize(
    "reply",
    [
        '{"entities": ["Hale", "Sarn"]}',
        '```json\n{"entities": ["Hale", "Sarn"]}\n```',
        'Here they are:\n{"entities" : [ "Hale" ,\n "Sarn" ] }\nThat is all.',
        '{"thoughts": "two", "entities": ["Hale", "Sarn"]}',
        '{"entities": ["Hale", "Sarn"], "count": 2}',
        '{"entities": ["Hale", "Sarn",]}',
        "{“entities”: [“Hale”, “Sarn”]}",
        '["Hale", "Sarn"]',
        'The names are ["Hale", "Sarn"].',
        '[1] says so:\n["Hale", "Sarn"]',
        '{"entities": ["Brough"]}\nNo, better:\n{"entities": ["Hale", "Sarn"]}',
        'Not \\"entities\\": [ but {"entities": ["Hale", "Sarn"]}',
    ],
)
def test_lists_are_read_as_models_write_them(reply: str) -> None:
    assert read(reply) == ["Hale", "Sarn"]


@pytest.mark.parametrize("reply", ['{"entities": []}', "[]", "```\n[ ]\n```", '{"entities": [ ]} none'])
def test_an_empty_list_is_a_list(reply: str) -> None:
    assert read(reply) == []


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("", "no JSON object"),
        ("Hale and Sarn", "no JSON object"),
        ('{"names": "Hale"}', "no JSON object"),
        ('{"entities": ["Hale", "Sa', "cut off"),
        ('{"entities": ["Hale",', "cut off"),
        ('{"entities": ["Hale"]}\n{"entities": ["Ha', "cut off"),
        ('{"entities": "Hale"}', "not a list"),
        ('{"entities": ["Hale" "Sarn"]}', "no ','"),
        ('{"entities": [null]}', "item 1 of its list is not a string"),
        ('{"entities": [true]}', "item 1 of its list is not a string"),
        ('{"entities": [["Hale"]]}', "item 1 of its list is not a string"),
        ('{"entities": ["C:\\q"]}', "backslash"),
        ('{"entities": ["…", "…"]}', "repeats the form"),
        ('{"entities": ["' + "x" * (LONGEST_STRING + 1) + '"]}', "longer than"),
        (json.dumps({"entities": ["x"] * (MOST_ITEMS + 1)}), "the most"),
        ('{"entities": ' + "[" * 100_000, "not a string"),
        ("{" * 100_000, "no JSON object"),
    ],
)
def test_anything_else_is_unreadable_and_says_why(reply: str, says: str) -> None:
    assert says in problem(reply)


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ('{"relations": [{"a": "x", "b": "y"}]}', 'an object with "a", "b" and "relation"'),
        ('{"relations": [{"a": "x", "a": "y", "relation": "z"}]}', "twice"),
        ('{"relations": [{"a": "x", "b": null, "relation": "z"}]}', "an object"),
        ('{"relations": ["x"]}', "an object"),
        ('{"relations": [{"a": "x", "b": "y", "relation": "z"', "cut off"),
        ('{"relations": [{"a" "x"}]}', "':'"),
    ],
)
def test_objects_have_all_their_keys(reply: str, says: str) -> None:
    assert says in problem(reply, PAIRS)


def test_an_item_of_no_use_is_left_out_and_the_others_keep_their_places() -> None:
    reply = '{"entities": ["Hale", null, {"name": "Sarn", "kind": "island"}, 1923, ""]}'
    found = strings(field(NAMES, reply))
    assert [text.text for text in found] == ["Hale", "Sarn", "1923"]
    assert [reply[text.pieces[0].begin : text.pieces[0].stop] for text in found] == ["Hale", "Sarn", "1923"]


def test_bullets_are_a_list_derived_from_their_lines() -> None:
    found = field(NAMES, "The entities:\n- **Hale**: the keeper\n- Sarn")
    assert [text.text for text in strings(found)] == ["Hale", "Sarn"]
    assert not found.pieces[0].exact


def test_each_string_knows_its_place() -> None:
    reply = 'So: {"relations": [{"relation": "kept \\"her\\"\\nwell", "b": "Sarn", "a": "Hale"},]}'
    (row,) = rows(field(PAIRS, reply), PAIRS.keys)
    assert {key: text.text for key, text in row.items()} == {"a": "Hale", "b": "Sarn", "relation": 'kept "her"\nwell'}
    for text in row.values():
        ((start, end, origin, begin, stop),) = text.pieces
        assert (start, end, origin) == (0, len(text), "reply:7")
        assert json.loads(f'"{reply[begin:stop]}"') == text.text
    assert [row[key].pieces[0].exact for key in ("a", "b", "relation")] == [True, True, False]


def test_half_a_character_is_none() -> None:
    (text,) = strings(field(NAMES, '{"entities": ["a\\ud800b"]}'))
    assert text.text == "a?b"
    assert not text.pieces[0].exact


def test_the_form_describes_itself_and_is_no_reply() -> None:
    assert "repeats the form" in problem(NAMES.describe())
    assert "repeats the form" in problem(PAIRS.describe(), PAIRS)


@given(st.lists(st.text(max_size=40).map(lambda words: f"Ned {words}"), max_size=8), st.booleans())
def test_what_is_rendered_is_read_back(names: list[str], plain: bool) -> None:
    reply = NAMES.render({"entities": json.dumps(names, ensure_ascii=not plain)})
    encodable = [name.encode("utf-8", "replace").decode() for name in names]
    assert read(reply) == encodable


@given(
    st.lists(st.sampled_from(['"', "“", "”", "{", "}", "[", "]", ",", ":", "\\", '"entities"', "a", " ", "\n", "…"]), max_size=40)
)
@example(["…", ",", "…"])
def test_no_reply_makes_it_break_down(marks: list[str]) -> None:
    reply = "".join(marks)
    for form in (NAMES, PAIRS):
        found = form.parse(reply, {})
        if isinstance(found, Parsed):
            value, start, end = found.fields[form.name]
            assert len(str(value)) != end - start or reply[start:end] == value
            assert rows(Text(str(value)), form.keys) or json.loads(str(value)) == []


def test_the_format_is_stored_as_data() -> None:
    for form in (NAMES, PAIRS):
        assert stored_form(json.loads(json.dumps(form.to_json()))) == form
