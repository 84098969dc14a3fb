"""Learn: lessons on recorded readings, which need no model and no network.

`?lesson=ID` opens a lesson, `&part=3` its third section; `?view=lab` the planted-fact lab, `&batch=ID` what it found.
"""

from __future__ import annotations

from components.frame import page
from components.learn.page import show_learn

with page("Learn"):
    show_learn()
