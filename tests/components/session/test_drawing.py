"""A page and its fragments: an error is shown in its place, and the database is opened once."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from readers.engine.store import Store
from tests.components.session.test_openings import counted
from tests.support.app_pages import shown
from tests.support.paths import ROOT


def _fragments() -> None:
    import streamlit as st

    from components.session import database
    from components.session.drawing import fragment
    from readers.engine.errors import StoreError

    @fragment()
    def looks(times: int) -> None:
        for _ in range(times):
            with database.opened() as store:
                st.text(f"{len(store.runs.listed())} readings")

    @fragment(run_every=5)
    def fails() -> None:
        raise StoreError("the text was deleted")

    @fragment()
    def fails_for_the_disk() -> None:
        raise OSError(28, "No space left on device", "palimpsest.db")

    looks(3)
    fails()
    fails_for_the_disk()


def test_a_fragment_opens_the_database_once_and_shows_its_errors_in_its_place(store: Store) -> None:
    app = AppTest.from_function(_fragments)
    with counted() as openings:
        app.run()
    assert not app.exception
    assert [text.value for text in app.text] == ["0 readings"] * 3
    assert list(openings.values()) == [1]
    first, second = (shown(error.value) for error in app.error)
    assert first == "The text was deleted."
    assert "palimpsest.db" in second
    assert "full" in second


def test_every_fragment_is_one_of_these() -> None:
    parts = ("components", "pages")
    plain = [path for part in parts for path in (ROOT / part).rglob("*.py") if "st.fragment" in path.read_text(encoding="utf-8")]
    assert [path.name for path in plain] == ["drawing.py"]
