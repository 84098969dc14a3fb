"""What is accepted of the data that the browser sends."""

from __future__ import annotations

import pytest

from components.player import mount


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
    ],
)
def test_what_the_browser_says_is_taken_only_in_its_form(said: object) -> None:
    assert mount.wanted(said) == mount.Wanted(None)


def test_what_the_browser_wants_is_bounded() -> None:
    want = mount.wanted({"at": 3, "want": {"number": 5, "stretches": list(range(1000)), "open": ["7"] * 1000}, "hides": True})
    assert (want.at, want.hides, want.number) == (3, True, 5)
    assert len(want.stretches) == 64
    assert len(want.opened) == 500
