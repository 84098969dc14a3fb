"""The corpus of replies in `tests/replies` has the shape that its tests rely on. Not here: how well the formats read it.

Each line of a file is a JSON object: `format` is the id of the prompt that asks for this form, `sizes` the number of texts in
each part of the prompt, `says` the fields that a person reads at once (null: the reply says nothing plain). A field that is null
is absent from the reply. A text in `says` is a stretch of the reply, apart from white space and case.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from readers import READERS

REPLIES = Path(__file__).parents[2] / "replies"
FORMS = {prompt.id: prompt.reply for reader in READERS for prompt in reader.prompts}
KINDS = sorted(path.stem for path in REPLIES.glob("*.jsonl"))


def corpus(kind: str) -> list[dict[str, Any]]:
    lines = (REPLIES / f"{kind}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts(one)


def plainly(text: str) -> str:
    return " ".join(text.casefold().split())


@pytest.mark.parametrize("kind", KINDS)
def test_a_format_has_replies_enough_of_both_sorts(kind: str) -> None:
    plain = [row["says"] is not None for row in corpus(kind)]
    assert len(plain) >= 44
    assert plain.count(True) >= 25
    assert plain.count(False) >= 12


@pytest.mark.parametrize("kind", KINDS)
def test_a_reply_is_of_its_format_and_there_once(kind: str) -> None:
    rows = corpus(kind)
    assert {FORMS[row["format"]].to_json()["kind"] for row in rows} == {kind}
    assert len({row["id"] for row in rows}) == len(rows)
    assert len({(row["format"], str(row["sizes"]), row["reply"]) for row in rows}) == len(rows)
    assert all(row["manner"] for row in rows)


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_reply_says_is_in_its_own_words(kind: str) -> None:
    for row in corpus(kind):
        words = plainly(row["reply"])
        assert [text for text in texts(row["says"]) if plainly(text) not in words] == [], row["id"]
        assert row["says"] is None or row["says"].get(FORMS[row["format"]].main, row["says"]) is not None, row["id"]
