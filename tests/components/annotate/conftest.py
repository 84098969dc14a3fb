"""The page Annotate, as somebody has it open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from tests.support.app_pages import opened


@pytest.fixture
def app() -> Iterator[AppTest]:
    with opened("5_Annotate") as app:
        yield app
