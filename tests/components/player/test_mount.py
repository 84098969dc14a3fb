"""What is accepted of the data that the browser sends."""

from __future__ import annotations

import pytest

from components.player.contract import PlayerReport
from components.session.islands import checked


@pytest.mark.parametrize(
    "said",
    [
        None,
        7,
        "x",
        {"at": "9"},
        {"at": True},
        {"hides": 1},
        {"want": [1]},
        {"want": {"stretches": "all", "open": 4}},
        {"want": {"stretches": [-1, "2"]}},
        {"facts": "all"},
        {"facts": {"0": [1, 2]}},
        {"facts": [[1], [1, 2, 3], [2, 1], [1, 1], [-1, 5], ["1", "2"], [1.0, 2.0], [True, 2], [None, 2], 7, "12", {"0": 1}]},
    ],
)
def test_what_the_browser_says_is_taken_only_in_its_form(said: object) -> None:
    nothing = PlayerReport.model_validate({})
    assert (checked(PlayerReport, said) or nothing) == nothing


def test_what_the_browser_wants_is_bounded() -> None:
    said = {"at": 3, "want": {"number": 5, "stretches": list(range(1000)), "open": ["7"] * 1000}, "hides": True}
    want = checked(PlayerReport, {**said, "facts": [[n, 10**400] for n in range(1000)]})
    assert want
    assert len(want.facts) == 64
    assert (want.at, want.hides, want.number) == (3, True, 5)
    assert len(want.stretches) == 64
    assert len(want.opened) == 500
