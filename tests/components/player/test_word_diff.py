"""Differences between two versions: they rebuild both, part words and not letters, and count as a browser does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.player.word_diff import Op, changes


def rebuilt(ops: list[Op], after: str) -> tuple[str, str]:
    """What the difference says was there before, and what is there now, counted in UTF-16 units."""
    units = after.encode("utf-16-le", "surrogatepass")
    at, old, new = 0, "", ""
    for op in ops:
        if isinstance(op, str):
            old += op
            continue
        words = units[2 * at : 2 * (at + abs(op))].decode("utf-16-le", "surrogatepass")
        at += abs(op)
        new += words
        old += words if op > 0 else ""
    return old, new


def test_a_changed_word_is_one_word_out_and_one_in() -> None:
    assert changes("Rusk owed forty pounds.", "Rusk owed fifty pounds.") == [10, "forty", -5, 8]


def test_neighbouring_changed_words_are_one_change() -> None:
    assert changes("It was the old red boat.", "It was a new boat.") == [7, "the old red", -5, 6]


def test_scripts_without_spaces_are_compared_by_their_characters() -> None:
    assert changes("灯台守は帳簿を隠した。", "灯台守は古い帳簿を隠した。") == [4, -2, 7]
    assert changes("他欠四十镑。", "他欠五十镑。") == [2, "四", -1, 3]


def test_a_character_beyond_the_basic_plane_counts_two() -> None:
    assert changes("A boat.", "A 🚤 boat.") == [2, -3, 5]


def test_what_was_taken_out_may_be_left_out() -> None:
    assert changes("Rusk owed pounds and left.", "Rusk owed pounds.") == [16, " and left", 1]
    assert changes("Rusk owed pounds and left.", "Rusk owed pounds.", taken_out=False) == [16, 1]


def test_very_long_versions_are_taken_as_wholly_changed_but_for_their_ends() -> None:
    old, new = "a " * 3000, "b " * 3000
    assert changes(old, new) == [old[:-1], -5999, 1]


@pytest.mark.parametrize("kinds", [1, 3, 7, 20, 60])
def test_a_few_words_over_and_over_in_another_order_are_compared_to_the_end(kinds: int) -> None:
    before = [f"tok{n % kinds}" for n in range(300)]
    after = ["first", *reversed(before), "last"]
    found = changes(" ".join([*before, "end."]), " ".join([*after, "end."]))
    assert found[-1] == len(" end.")


def test_what_is_the_same_at_both_ends_stays_where_the_middle_is_taken_as_wholly_changed() -> None:
    before, after = "a b " * 900, "b a " * 900
    assert changes(f"Once {before}end.", f"Once {after}end.") == [5, before[:-1], -len(after[:-1]), 5]


texts = st.text(st.sampled_from("ab 灯台🚤.\n") | st.characters(exclude_categories=["Cs"]), max_size=40)


@given(texts, texts)
def test_both_versions_can_be_rebuilt_but_for_blanks_that_stayed_between_changes(before: str, after: str) -> None:
    old, new = rebuilt(changes(before, after), after)
    assert new == after
    assert old == before


@given(texts)
def test_nothing_changed_is_one_stretch(text: str) -> None:
    assert all(isinstance(op, int) and op > 0 for op in changes(text, text))
