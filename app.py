"""The app: Home and `pages/`, served by Streamlit behind `components/server.py`. Run it with `streamlit run app.py`."""

from __future__ import annotations

import streamlit as st
from starlette.middleware import Middleware

from components.server import Guard

app = st.App("home.py", middleware=[Middleware(Guard)])
