"""`read` with several readers: one estimate, one reading each, and an exit status that speaks for all."""

from __future__ import annotations

from pathlib import Path

import pytest

from readers.cli import main
from readers.engine.errors import ReadingError
from readers.engine.models import catalogue
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.store import Store
from tests.support.readings.every_reading import PAPERS

QUESTION = "What is the harbour master's parrot called?"


def read(text: Path, *words: str, question: str = QUESTION) -> int:
    return main(["read", str(text), "--question", question, *words])


def test_all_are_the_methods_and_more_can_be_named(text: Path, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    assert read(text, "--reader", "all", "--reader", "whole", "--reader", "memwalker") == 0
    out, err = capsys.readouterr()
    runs = {run.reader: run for run in store.runs.listed()}
    named = [*PAPERS, "whole"]
    assert sorted(runs) == sorted(named)
    calls = sum(len(store.runs.tape(run.id).records()) for run in runs.values())
    assert err.startswith(f"{len(named)} readings on 1 text: {calls} calls, cost free")
    assert out.count("Doris") >= len(named)
    assert f"/Compare?runs={','.join(runs[reader].id for reader in named)}" in out


def test_options_are_for_all_or_for_one(text: Path, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--reader", "memagent", "--reader", "rememr1", "--set", "chunk_tokens=64", "--set", "rememr1.recall=bm25"]
    assert read(text, *words) == 0
    options = {run.reader: run.spec["options"] for run in store.runs.listed()}
    assert [options[reader]["chunk_tokens"] for reader in ("memagent", "rememr1")] == [64, 64]
    assert options["rememr1"]["recall"] == "bm25"
    assert read(text, *words[:4], "--set", "qrmem.top_k=2") == 2
    assert "not one of the readers here: memagent, rememr1" in capsys.readouterr().err


def test_nothing_starts_if_one_cannot(text: Path, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    assert read(text, "--reader", "whole", "--reader", "memagent", "--set", "memagent.chunk_tokens=0") == 2
    assert read(text, "--reader", "all", "--json", "out.json") == 2
    assert "--json writes one reading" in capsys.readouterr().err
    assert store.runs.listed() == []


class _OutOfMemory:
    """The offline model, which has no room for a memory."""

    def complete(self, call: Call) -> Reply:
        if call.prompt.id.startswith("memagent"):
            raise ReadingError("the server is out of memory")
        return Offline().complete(call)


def test_a_failed_one_is_named_with_its_reason_beside_the_answers(
    text: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "open_model", lambda *_, **__: _OutOfMemory())
    assert read(text, "--reader", "memagent", "--reader", "whole") == 1
    out = capsys.readouterr().out
    assert "Failed: the server is out of memory" in out
    assert "Answer: " in out
    assert "resumes it" in out


def test_one_without_an_answer_gives_status_three(text: Path) -> None:
    words = ["--reader", "memwalker", "--reader", "whole"]
    assert read(text, *words, question="Which zeppelin bombarded Antwerp?") == 3
