"""By which ranges of length texts are divided, and in which order the parts of a slice come."""

from __future__ import annotations

from readers.engine.report.slices import Slice, by_length


def test_ranges_of_length_hold_their_limit_come_in_order_and_leave_out_deleted_texts() -> None:
    parts = by_length(int).parts([3_500_000, 128_001, 1_001, 0, 1_000, 2_000])
    assert list(parts.items()) == [
        ("up to 1K", [1_000]), ("up to 2K", [1_001, 2_000]), ("up to 512K", [128_001]), ("over 1M", [3_500_000]),
    ]  # fmt: skip


def test_parts_of_the_same_name_are_one() -> None:
    assert Slice[str]("Model", str, lambda key: key[0]).parts(["a2", "b", "a1"]) == {"a": ["a2", "a1"], "b": ["b"]}
