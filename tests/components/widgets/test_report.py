"""The numbers of a list's pages."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from components.widgets import report


def test_two_pages_have_room_for_both_numbers_and_one_page_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[int, dict[str, Any]]] = []

    def pagination(pages: int, **how: Any) -> int:
        drawn.append((pages, how))
        return pages

    monkeypatch.setattr(st, "pagination", pagination)
    assert [report.part(range(rows), 20, "pages", "a") for rows in (0, 20, 21)] == [range(0), range(20), range(20, 21)]
    assert drawn == [(2, {"key": "pages.a.2", "width": report.WIDTH})]
