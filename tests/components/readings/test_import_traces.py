"""The page Readings takes what other tools recorded, too; a public demo takes run files alone."""

from __future__ import annotations

import json

import pytest

from components.readings import actions
from readers.engine.errors import BadRunFile
from readers.engine.store import Store
from tests.readers.cli.watch.test_import_traces import LINES, STORY
from tests.support.app_pages import html, opened, run

SHARED = "\n".join(
    json.dumps({"messages": [{"role": "user", "content": f"{n}\n{STORY}"}], "reply": "Amos"}) for n in ("One", "Two")
)


def test_a_record_becomes_a_reading_of_the_text_that_is_found(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[str] = []
    monkeypatch.setattr(actions.flash, "leave", lambda kind, words: left.append(words))
    [reading] = actions._imported(f'{SHARED}\n{{"messages": 3, "reply": 4}}'.encode(), "traced.jsonl")
    assert store.documents.get(reading.document).text == STORY
    assert left == ["Traced.jsonl: left out lines without messages and a reply (1)."]
    with opened("3_Readings") as app:
        assert "Observed program" in html(run(app))


def test_a_text_that_is_not_shared_is_asked_for() -> None:
    with pytest.raises(BadRunFile, match="names it"):
        actions._imported(LINES.encode(), "traced.jsonl")


def test_a_demo_takes_run_files_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    with pytest.raises(BadRunFile, match="not complete JSON"):
        actions._imported(SHARED.encode(), "traced.jsonl")
