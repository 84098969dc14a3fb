"""A hundred payloads, some in each field, on every page; `make hostile` tries each in every field."""

from __future__ import annotations

import pytest

from readers.engine.store import Store
from tests.hostile.payloads import PAYLOADS
from tests.hostile.words import NOT_SHOWN, Words, draw, filled

pytestmark = pytest.mark.slow  # draws some thirty pages


def test_no_payload_is_more_than_words_on_any_page(store: Store) -> None:
    words = Words()
    drawn = draw(filled(store, words), words)
    assert not drawn.wrong, "\n".join(dict.fromkeys(drawn.wrong))
    names = {name for name, _ in words.given.values()}
    assert sorted(names - {name for name, _ in words.turns.seen} - NOT_SHOWN) == [], "these fields were on no page"
    assert {payload for _, payload in words.turns.seen} == set(PAYLOADS)
