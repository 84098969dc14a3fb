"""A document that a program changed before it showed it: how much of it is still found, and at its place."""

from __future__ import annotations

import html
import json
import random
import re
import textwrap
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers.observed.calls import ObservedCall, Said
from readers.observed.normal import normal
from readers.observed.sources import OWN, sources
from tests.support.paths import SARN

TEXT = SARN.read_text(encoding="utf-8")
SHOWN = TEXT[6_000:16_000]
SENTENCE = re.compile(r"(?<=[.!?]) ")


def shuffled(text: str) -> str:
    sentences = SENTENCE.split(text)
    random.Random(1).shuffle(sentences)
    return " ".join(sentences)


def with_headers(text: str) -> str:
    return "".join(f"{text[at : at + 500]}\nTwelve Articles    {at // 500 + 31}\n" for at in range(0, len(text), 500))


def bold(text: str) -> str:
    return " ".join(f"**{word}**" if number % 8 == 0 else word for number, word in enumerate(text.split(" ")))


ALTERED: dict[str, tuple[Callable[[str], str], float]] = {  # and the least share of its letters and digits that is found
    "lines that are wrapped": (lambda text: "\n".join(textwrap.fill(part, 70) for part in text.split("\n\n")), 99.9),
    "escaped for HTML": (html.escape, 99.9),
    "letters taken apart": (lambda text: unicodedata.normalize("NFD", text), 99.9),
    "plain quotation marks": (lambda text: text.translate(str.maketrans("‘’“”–", "''\"\"-")), 99.9),
    "small letters": (str.lower, 99.9),
    "written as JSON": (json.dumps, 99.9),
    "sentences in another order": (shuffled, 98.5),
    "a page's header every 500 characters": (with_headers, 96.8),
    "every eighth word bold": (bold, 85),
}


@pytest.mark.parametrize("way", ALTERED)
def test_an_altered_document_is_found_at_its_place(way: str) -> None:
    altered, least = ALTERED[way]
    message = f"Read this and say what it is about.\n\n{altered(SHOWN)}"
    [[pieces]] = sources([TEXT], "", [ObservedCall(0, 1, (Said("user", message),), "")])
    found = [one.piece for one in pieces if one.piece.origin == "document"]
    assert all(piece.begin >= 6_000 - 1 and piece.stop <= 16_000 + 1 for piece in found)
    for piece in found:
        there = normal(TEXT[piece.begin : piece.stop]).text.strip()
        assert normal(message[piece.start : piece.end]).text.strip() == there
    letters = sum(sign.isalnum() for piece in found for sign in TEXT[piece.begin : piece.stop])
    assert 100 * letters >= least * sum(map(str.isalnum, SHOWN))


WORDS = (
    "The", "lamp", "was", "lit", "“at", "last”", "by", "Ánna,", "e\u0301", "&amp;",
    "\\n", "\\u0041", "\n", "\n\n", "  ", "中", "한국", "\U0001f600",
)  # fmt: skip
texts = st.text(max_size=40) | st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join)


@given(texts)
def test_a_normal_text_has_a_place_for_every_character(text: str) -> None:
    plain = normal(text)
    places = [plain.raw(at) for at in range(len(plain.text) + 1)]
    assert places == sorted(places)
    assert (places[0], places[-1]) == (0, len(text))


@given(st.lists(texts, max_size=4), st.lists(st.tuples(texts, texts), max_size=4), st.integers(0, 3))
def test_pieces_cover_every_message_and_have_the_wording_of_their_sources(
    documents: list[str], said: list[tuple[str, str]], part: int
) -> None:
    document = "\n\n".join(documents)
    shown = [f"{text}\n{document[part * 9 :]}\n{reply}" for text, reply in said]
    calls = [
        ObservedCall(n, n + 0.5, (Said("user", text), Said("tool", reply)), reply)
        for n, (text, (_, reply)) in enumerate(zip(shown, said, strict=True))
    ]
    tools: dict[str, str] = {}
    for call, messages in zip(calls, sources(documents, "Who, and when?", calls), strict=True):
        for message, pieces in zip(call.messages, messages, strict=True):
            assert "".join(message.text[one.piece.start : one.piece.end] for one in pieces) == message.text
            for piece in (place for one in pieces for place in (one.piece, *one.others)):
                kind, _, number = piece.origin.partition(":")
                if kind == "tool":
                    tools.setdefault(piece.origin, message.text)
                words = {OWN: "", "document": document, "question": "Who, and when?", "tool": tools.get(piece.origin, "")}
                source = calls[int(number)].reply if kind == "reply" else words[kind]
                if kind != OWN:
                    same = normal(source[piece.begin : piece.stop]).text.strip()
                    assert normal(message.text[piece.start : piece.end]).text.strip() == same
