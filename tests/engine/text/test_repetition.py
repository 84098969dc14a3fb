"""Where a text begins to repeat its end without end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers.engine.text.repetition import LEAST_LENGTH, LEAST_TIMES, repeats_after

LEAD = "The keeper lit the lamp at four, and the ledger lay on the table. "


@pytest.mark.parametrize(
    "block", ["She went up. ", "la ", "x", "One said: no.\nThe other said: yes, and then he said more of it.\n", "潮が満ちる。"]
)
@pytest.mark.parametrize("rest", [0, 1])
def test_a_text_is_cut_after_the_first_of_what_it_repeats(block: str, rest: int) -> None:
    text = LEAD + block * (LEAST_LENGTH // len(block) + LEAST_TIMES + 1) + block[: rest * (len(block) // 2)]
    end = repeats_after(text)
    assert end is not None
    said = text[:end]
    assert len(LEAD) <= end <= len(LEAD + block) + 1
    assert said.count(block.strip()) <= LEAD.count(block.strip()) + 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        LEAD,
        LEAD * (LEAST_TIMES - 1),
        LEAD + "-" * 80,
        "no, " * 30,
        LEAD + "She went up. " * 40 + "Then she came down, and all was well in the end, as it should be.",
        ", ".join(str(n) for n in range(200)),
    ],
)
def test_other_texts_do_not_repeat_themselves(text: str) -> None:
    assert repeats_after(text) is None


@given(st.text(alphabet="ab ", max_size=30), st.text(alphabet="abc", min_size=1, max_size=60), st.integers(0, 30))
def test_what_follows_the_end_only_repeats_what_comes_before_it(lead: str, block: str, count: int) -> None:
    text = (lead + block * count).rstrip()
    end = repeats_after(text)
    if end is None:
        assert not block.strip() or len(block) * count < max(LEAST_LENGTH + len(block), LEAST_TIMES * len(block))
    else:
        period = next(p for p in range(1, end + 1) if text[end - p :].startswith(text[end:]))
        assert len(text) - end >= (LEAST_TIMES - 2) * period
