"""The figure of what was found and used: its groups are told apart without colours, too."""

from __future__ import annotations

from components.evaluate.post_mortem import LOOKS
from readers.engine.analysis.evaluate.post_mortem import GROUPS


def test_every_group_has_a_pattern_of_its_own() -> None:
    assert set(LOOKS) == set(GROUPS)
    assert len({pattern for _, pattern in LOOKS.values()}) == len(GROUPS)
