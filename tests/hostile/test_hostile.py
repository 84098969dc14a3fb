"""The quick part of the hostile files, in CI; `make hostile` tries them all."""

from __future__ import annotations

import pytest

from tests.hostile.runner import CASES, try_case

pytestmark = pytest.mark.slow  # each is read in a process of its own


@pytest.mark.parametrize("case", [case for case in CASES if not case.slow], ids=str)
def test_a_hostile_file_ends_in_a_text_or_a_sentence(case: object) -> None:
    outcome = try_case(case)  # type: ignore[arg-type]
    assert outcome.wrong == ""
