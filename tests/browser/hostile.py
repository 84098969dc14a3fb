"""The strings of markup among the hundred (`tests/hostile/payloads.py`), alone and between other words."""

from __future__ import annotations

from tests.hostile.payloads import MARKUP

PARTS = MARKUP
PAYLOADS = (*MARKUP, *(f"the {part} kettle" for part in MARKUP))
assert len(PAYLOADS) == 100
