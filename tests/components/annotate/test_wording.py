"""What several views of a project call things."""

from __future__ import annotations

import pytest

from components.annotate.wording import step_kind_title


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("walk: root", "Looking for the answer: the whole text"),
        ("build: level", "Preparing the text: summaries"),
        ("look-up: request", "Looking pages up again: the pages it asks for"),
    ],
)
def test_a_kind_of_step_is_named_in_words(kind: str, title: str) -> None:
    assert step_kind_title(kind) == title
