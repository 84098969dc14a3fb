"""How far work is, as a share."""

from __future__ import annotations

import pytest

from readers.engine.work import Work


@pytest.mark.parametrize(
    ("done", "of", "share"), [(0, None, None), (0, 0, 0.0), (1, 4, 0.25), (4, 4, 0.99), (5, 4, 0.99)]
)  # fmt: skip
def test_the_share_is_never_all_while_work_goes_on(done: int, of: int | None, share: float | None) -> None:
    assert Work(done=done, of=of).share == share
