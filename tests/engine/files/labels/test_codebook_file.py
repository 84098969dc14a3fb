"""A codebook as a file: what was exported comes back with where it is from, and nothing of an invalid file."""

from __future__ import annotations

import json
from typing import Any

import pytest

from readers.engine.errors import BadFile
from readers.engine.files.labels.codebook_file import MAX_BYTES, SCHEMA, as_json, read_codebook_file
from readers.engine.labels import codebook
from readers.engine.labels.codebook import begun
from readers.engine.labels.codes import Code
from readers.engine.labels.project import HOST, Project
from readers.engine.store import Store
from tests.support.labels import BOOK, HOSTILE, project, readings

HARM = tuple(words for words in HOSTILE if words.strip() and len(words) < 80)


def changed(store: Store) -> Project:
    """A project whose codebook is at version 3, with hostile words in it and a retired code."""
    made = project(store, 1, lead="Lea")
    more = BOOK.add(Code("X", HARM[0], definition="\n".join(HARM)))
    store.codebooks.add(made.id, more, HOST)
    store.codebooks.add(made.id, more.retire("N1"), HOST)
    return made


def test_a_codebook_comes_back_with_its_source_and_without_retired_codes() -> None:
    store = Store()
    made = changed(store)
    second, third = store.codebooks.versions(made.id, HOST)[1:]
    found = read_codebook_file("book.json", as_json(made, second))
    assert [code.id for code in found.codes] == ["N1", "=B2", "X"]
    assert found.codes[2].definition == "\n".join(HARM).strip().encode("utf-8", "replace").decode()
    assert (found.source.project, found.source.version, found.source.at) == ("Lamps", 2, second.at)
    assert len(found.source.hash) == 64
    assert not found.edited
    assert [code.id for code in read_codebook_file("b.json", as_json(made, third)).codes] == ["=B2", "X"]

    book = begun(found.codes, found.source)
    next_one = store.projects.create("Next", made.settings, runs=readings(store, 1), book=book, by="Lea")
    stored = store.codebooks.versions(next_one.id, HOST)[0]
    assert stored.book == book
    assert read_codebook_file("n.json", as_json(next_one, stored)).source.project == "Next"


def test_a_file_that_was_changed_after_its_export_is_told() -> None:
    store = Store()
    made = changed(store)
    data = json.loads(as_json(made, store.codebooks.versions(made.id, HOST)[0]))
    data["codes"][0]["definition"] = "Another."
    found = read_codebook_file("book.json", json.dumps(data, indent=4).encode())
    assert found.edited
    assert found.source.hash != data["hash"]
    assert not read_codebook_file("b.json", json.dumps({**data, "hash": found.source.hash}).encode()).edited


CODE = {"id": "A", "name": "Lamp"}
GOOD: dict[str, Any] = {"schema": SCHEMA, "project": "P", "version": 1, "at": "2026-01-01", "hash": "0", "codes": [CODE]}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "this is not JSON"), (b"\xff", "not UTF-8 from byte 0"), (b"[]", "is not a codebook"),
        (b'{"schema": 1}', "is not a codebook"), (b'{\n "schema": ]', "line 2, column 12"),
        (b"[" * 100_000, "nested too deep|not JSON"), (b'{"a": 1, "a": 2}', "'a' occurs twice"),
        (b'{"a": NaN}', "NaN is not a number"), (b"1" * 5_000, "cannot be read"), (b" " * (MAX_BYTES + 1), "up to 5 MB"),
    ],
)  # fmt: skip
def test_what_is_no_codebook_is_refused(data: bytes, says: str) -> None:
    with pytest.raises(BadFile, match=says):
        read_codebook_file("book.json", data)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"more": 1}, "has a field 'more'"), ({"project": 1}, "'project' of the source"),
        ({"version": 0}, "'version' of the source"), ({"version": 2**70}, "'version'"),
        ({"at": "x" * 81}, "'at' of the source"), ({"hash": "a\nb"}, "'hash' of the source"),
        ({"codes": {}}, "'codes' is a list"), ({"codes": [CODE, CODE]}, "two codes have the id 'A'"),
        ({"codes": [{"id": f"{n}", "name": f"{n}"} for n in range(501)]}, "up to 500 codes, and this has 501"),
        ({"codes": [CODE, {**CODE, "colour": 1}]}, r"1 invalid code: code 2 \(A\): a code has no field 'colour'"),
        ({"codes": [{**CODE, "definition": "x" * 2_001}, 3, {"id": "B"}]}, "3 invalid codes: code 1 .*the definition .*; code 2"),
        ({"codes": [{**CODE, "since": 2**70}]}, "'since' of code 'A'"), ({"codes": [{**CODE, "into": ["Z"]}]}, "replaced by 'Z'"),
        ({"codes": [{"id": "x", "name": ""} for _ in range(9)]}, "and 1 more"),
    ],
)  # fmt: skip
def test_a_fault_is_named_by_its_code_and_field(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(BadFile, match=says):
        read_codebook_file("book.json", json.dumps({**GOOD, **changes}).encode())


def test_hostile_words_are_read_as_words() -> None:
    codes = [
        {"id": f"H{n}", "name": f"{n} {words}"[:80], "hints": {"memwalker": words}}
        for n, words in enumerate((*HOSTILE, "\udc80"))
    ]
    found = read_codebook_file("\udc80.json", json.dumps({**GOOD, "codes": codes}).encode())
    assert len(found.codes) == len(codes)
    json.dumps(codebook.to_json(begun(found.codes, found.source)))
