"""The progress line of `read` and `batch`: how far they are, and how long the oldest call has waited, once that is long."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from readers.cli import main, progress
from readers.cli.progress import CountedModel, line, waited
from readers.engine.models import catalogue
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.record.journal import Wait
from readers.engine.run import calls_in_flight
from readers.engine.store import Store
from readers.engine.work import Work
from tests.support.models.scripted_models import parts_of
from tests.support.texts_and_files.uploads import pdf


class Drawn:
    """The offline model, whose first reply does not come before a line with these words was drawn."""

    def __init__(self, words: str) -> None:
        self.words = words
        self.lines: list[str] = []

    def draw(self, line: str) -> None:
        self.lines.append(line)

    @property
    def told(self) -> bool:
        return any(self.words in line for line in self.lines)

    def complete(self, call: Call) -> Reply:
        until = time.monotonic() + 20
        while call.seq == 0 and not self.told and time.monotonic() < until:
            time.sleep(0.01)
        return Offline().complete(call)


def test_while_a_reading_waits_long_its_line_says_so(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = Drawn("call 1 has waited ")
    (tmp_path / "parts.txt").write_text(parts_of(2).text, encoding="utf-8")
    monkeypatch.setattr(calls_in_flight, "LONG_WAIT_SECONDS", 0.05)
    monkeypatch.setattr(progress, "DRAW_SECONDS", 0.02)
    monkeypatch.setattr(progress, "draw", model.draw)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(catalogue, "open_model", lambda *_, **__: model)
    assert main(["read", str(tmp_path / "parts.txt"), "--question", "What begins in part 1?", "--reader", "whole"]) == 0
    assert model.told
    assert "1 replies · whole.answer" in model.lines
    assert model.lines[-1] == ""  # it is cleared
    assert "Part 1 begins here" in capsys.readouterr().out


def test_what_the_lines_say() -> None:
    counted = CountedModel(Offline(), 12, "memwalker.leaf")
    assert counted.line(None) == "12 replies · memwalker.leaf"
    assert counted.line(Wait(14, 61.7)) == "12 replies · memwalker.leaf · call 15 has waited 62 seconds for its reply"
    assert waited(Wait(3, 400)) == "call 4 has waited 7 minutes for its reply"
    so_far = Work(4, 8, failed=1, refused=1, going=2)
    assert (
        line(replace(so_far, stage="Reading", notes=tuple(so_far.counts("read"))))
        == "Reading · 4 of 8 read · 2 running · 2 failed"
    )


@pytest.mark.slow
def test_while_a_pdf_is_read_its_page_is_drawn(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    monkeypatch.setattr(progress, "draw", lines.append)
    (tmp_path / "slow.pdf").write_bytes(pdf([b"BT /F1 11 Tf " + b"(x) Tj " * 40_000 + b"ET"] * 2 + ["Doris kept the lamp."]))
    assert main(["read", str(tmp_path / "slow.pdf"), "--question", "Who kept the lamp?", "--reader", "whole"]) == 0
    assert "Reading slow.pdf: page 3 of 3" in lines
