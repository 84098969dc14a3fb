"""A new text's tokens are counted before the write lock is taken, whichever way it comes in; a known one's are not counted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from readers import get
from readers.engine.files.runs.import_run import import_run
from readers.engine.files.runs.run_file import run_file
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Run, Store
from readers.engine.text import tokens
from readers.engine.text.document import Document

TEXT = "Anna lit the lamp at nine."
READER = get("whole")
SPEC = RunSpec("whole", READER.version, "When?")


def a_file(folder: Path) -> bytes:
    with Store(folder / "elsewhere.db") as there:
        run = create_run(there, Document.of(TEXT), READER, SPEC)
        execute(there, run.id, READER, Execution(Offline()))
        return json.dumps(run_file(there, run.id, READER)).encode()


WAYS: dict[str, Callable[[Store, bytes], object]] = {
    "a text": lambda store, _: store.documents.add(Document.of(TEXT)),
    "a reading": lambda store, _: create_run(store, Document.of(TEXT), READER, SPEC),
    "a row": lambda store, _: store.runs.add(
        Run("", Document.of(TEXT).id, "whole", "When?", {}, "finished"), document=Document.of(TEXT)
    ),
    "a question set": lambda store, _: store.question_sets.add(
        QuestionSet("S", (SetQuestion("q", Document.of(TEXT).id, "When?"),), (Document.of(TEXT),))
    ),
    "a run file": lambda store, data: import_run(store, data, "a.json", readers=get),
}


@pytest.mark.parametrize("way", WAYS)
def test_nobody_waits_for_the_lock_while_a_text_is_counted(
    way: str, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, count = a_file(tmp_path), tokens.count
    seen: list[bool] = []  # whether the lock was held each time the text was counted

    def counting(text: str) -> int:
        if text == TEXT:
            seen.append(store.connection.db.in_transaction)
        return count(text)

    monkeypatch.setattr(tokens, "count", counting)
    WAYS[way](store, data)
    assert seen
    assert not any(seen)
    if way in ("a text", "a question set"):
        seen.clear()
        WAYS[way](store, data)
        assert not seen
