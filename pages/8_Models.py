"""Models: the model that reads in this session, another one, whether it answers, and the one that runs on this machine."""

from __future__ import annotations

from components.frame import page
from components.models.page import show_models
from components.session import flash
from readers.engine.errors import ReadingError

page("Models")
try:
    show_models()
except ReadingError as error:
    flash.error(error)
