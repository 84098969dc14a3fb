"""The app: Home and `pages/`, behind `components/server/`. Run it with `streamlit run app.py`."""

from __future__ import annotations

import streamlit as st

from components.server.prepare import loading, middleware


def _first_page() -> None:
    from components.home.page import prepare

    prepare()


app = st.App("home.py", middleware=middleware(), lifespan=loading(_first_page))
