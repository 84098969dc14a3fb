"""A page that has nothing yet offers what was recorded, and opens it."""

from __future__ import annotations

import pytest

from components.session.samples import recordings
from readers.engine.store import Store
from tests.support.app_pages import html, opened, press
from tests.support.app_pages import run as at

FIRST, BOILER = recordings()[0], next(one for one in recordings() if one.path.stem == "memwalker-bridge-boiler")


@pytest.mark.slow  # imports up to four recordings
@pytest.mark.parametrize(
    ("page", "label", "question"),
    [
        ("3_Trace", "Watch a recorded reading", FIRST.question),
        ("5_Annotate", "Watch a recorded reading", FIRST.question),
        ("4_Compare", "Compare recorded readings", BOILER.question),
        ("6_Evaluate", "Compare recorded readings", BOILER.question),
    ],
)
def test_an_empty_page_offers_a_recorded_example(page: str, label: str, question: str, store: Store) -> None:
    with opened(page) as app:
        press(at(app), label)
        assert question in html(app)
    readers = {run.reader for run in store.runs.listed()}
    assert len(readers) == len(store.runs.listed()) >= (2 if "Compare" in label else 1)
