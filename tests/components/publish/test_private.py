"""What looks private is listed before a site is written; ordinary words are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from components.publish.private import Inspection
from readers.cli import main
from readers.engine.store import Store

PRIVATE = {
    "Use sk-4f9c2e7741bdaa0193cc to call it.": "a key: sk-4f9c2e7741bdaa0193cc",
    "Authorization: Bearer abcdef0123456789abcdef": "a key: Bearer abcdef0123456789abcdef",
    "Write to rhoda.garbutt@harbour.example.org.": "an e-mail address: rhoda.garbutt@harbour.example.org",
    "refused by http://192.168.4.20:8000/v1": "an address of a server: http://192.168.4.20:8000",
    "It listens on localhost:8501.": "an address of a server: localhost:8501",
    "no such file: /home/rhoda/ledger/1909.txt.": "a folder: /home/rhoda/ledger/1909.txt",
    r"C:\Users\Rhoda\ledger.txt is missing": r"a folder: C:\Users\Rhoda\ledger.txt",
}
ORDINARY = [
    "He met her @ noon, and paid 10.5 per cent. of 127.50.", "The road to/from Hull: see https://example.org/home/page.",
    "Version 10.2 of the task-list, ask-me-anything-you-like-today.", "Ratio 3:4 and either/or; the /etymology/ of a word.",
]  # fmt: skip


@pytest.mark.parametrize("words", PRIVATE)
def test_what_looks_private_is_found_wherever_it_stands(words: str) -> None:
    found = Inspection()
    found.look("reading/a/data.js", {"calls": [{"reply": words}]})
    assert [line.partition("  (in reading/a")[0] for line in found.lines] == [PRIVATE[words]]


@pytest.mark.parametrize("words", ORDINARY)
def test_ordinary_words_are_not(words: str) -> None:
    found = Inspection()
    found.look("texts/a.js", words)
    assert not found.lines


def test_the_command_writes_nothing_before_somebody_looked(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "ferry.txt"
    text.write_text("Hester rows at noon. Write to hester@ferry.example.org.", encoding="utf-8")
    assert main(["read", str(text), "--question", "Who rows?", "--reader", "whole"]) == 0
    (run,) = store.runs.listed()
    folder = tmp_path / "site"
    assert main(["publish", run.id, "-o", str(folder)]) == 2
    said = capsys.readouterr().err
    assert "hester@ferry.example.org" in said
    assert "--checked" in said
    assert not folder.exists()
    assert main(["publish", run.id, "-o", str(folder), "--checked"]) == 0
    assert (folder / "index.html").exists()
