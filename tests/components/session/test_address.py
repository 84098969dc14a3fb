"""What the pages write into their address."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def _chooses() -> None:
    import streamlit as st

    from components.session import address

    address.set_full(st.query_params["chosen"] == "full", step=3)


def test_the_depth_is_written_to_the_address_when_it_changes_and_only_then() -> None:
    """A late message of a page that was left reports the depth as chosen, with that page's address."""
    app = AppTest.from_function(_chooses)
    for chosen, there in (("simple", None), ("full", "full"), ("simple", "simple")):
        app.query_params["chosen"] = chosen
        app.run()
        assert not app.exception
        assert app.query_params.get("depth") == there
    assert app.query_params["at"] == "4"
