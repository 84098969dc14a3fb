"""The app: Home and `pages/`, behind `components/server/`. Run it with `streamlit run app.py`."""

from __future__ import annotations

import streamlit as st

from components.server.prepare import loading, middleware


def _first_page() -> None:
    from components import frame
    from components.home import page

    frame.prepare()
    page.prepare()


app = st.App("home.py", middleware=middleware(), lifespan=loading(_first_page))
