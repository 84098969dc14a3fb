"""Models: the model that reads in this session, another one, whether it answers, and the one that runs on this machine."""

from __future__ import annotations

from components.frame import page
from components.models.page import show_models

with page("Models"):
    show_models()
