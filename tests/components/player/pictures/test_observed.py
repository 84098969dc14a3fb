"""The picture of a watched program: each place once, by how sure it is; threads from the replies; the memory beside it."""

from __future__ import annotations

import json
from typing import Any

from components.player.pictures import kind, picture
from readers.observed.calls import Said
from tests.support.readings.watched_readings import DOCUMENT, PARTS, Watched, call, watched, with_a_memory, with_a_tool


def drawn(reading: Watched) -> dict[str, Any]:
    found = picture("observed", reading.trace, options=reading.options)
    assert found is not None
    assert kind("observed") == found["kind"]
    return json.loads(json.dumps(found))


def place(part: int) -> list[int]:
    at = DOCUMENT.text.index(PARTS[part])
    return [at, at + len(PARTS[part])]


def test_a_memory_is_carried_from_call_to_call_and_has_a_picture_of_its_own() -> None:
    found = drawn(with_a_memory())
    rows = found["rows"]
    assert [row["spans"] for row in rows] == [[place(0)], [place(1)], [place(2)], [place(3)], [place(1)], []]
    assert [row["from"] for row in rows] == [[], [0], [1], [2], [3], [4]]
    assert [row["role"] for row in rows] == ["memory"] * 5 + ["answer"]
    assert [row["does"] for row in rows] == ["reads"] * 4 + ["reads again", "answers"]
    assert (rows[1]["note"], rows[5]["note"]) == ("25% of the text", "from 5")
    assert (found["memory"]["kind"], len(found["memory"]["snapshots"])) == ("memory", 5)


def test_a_tool_is_named_by_the_reply_that_asked_for_it_and_a_failed_call_says_why() -> None:
    found = drawn(with_a_tool())
    assert [row["note"] for row in found["rows"][1:3]] == ["search “ledger”", "open 3"]
    assert [(row["role"], row["failed"]) for row in found["rows"][2:]] == [("", "the server replied 429"), ("answer", "")]
    assert found["memory"] is None


def test_what_is_only_likely_is_no_place_that_stood_there_for_certain() -> None:
    words = "said a word about it until the spring"  # of all four parts
    [row] = drawn(watched((call(0, Said("user", f"What does this mean?\n{words}"), reply="Who knows."),)))["rows"]
    assert row["spans"] == []
    [likely] = row["likely"]
    assert DOCUMENT.text[slice(*likely["span"])] == words
    assert len(likely["alike"]["spans"]) == 3
    assert likely["also"].count("at ") == 3


def test_nothing_is_drawn_before_the_first_call() -> None:
    assert picture("observed", watched(()).trace, options={}) is None
