"""The app: Home and `pages/`, behind `components/server/`. Run it with `streamlit run app.py`."""

from __future__ import annotations

import streamlit as st
from starlette.middleware import Middleware

from components.server.guard import Guard
from components.server.uploads import UploadLimit


def _disconnected() -> None:
    from components.session.demo import visits  # with all of the engine, which the server need not load before it starts

    visits.end_disconnected()


app = st.App("home.py", middleware=[Middleware(Guard, disconnected=_disconnected), Middleware(UploadLimit)])
