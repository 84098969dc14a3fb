"""The app: Home and `pages/`, behind `components/server/`. Run it with `streamlit run app.py`."""

from __future__ import annotations

import streamlit as st

from components.server.prepare import middleware

app = st.App("home.py", middleware=middleware())
