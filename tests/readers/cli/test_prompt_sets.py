"""Prompt sets on the command line: read with, saved, listed and deleted, and refused with the reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import run


def test_a_prompt_set_words_a_reading_otherwise(text: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("prompts", "memagent") == 0
    words = json.loads(capsys.readouterr().out)
    assert list(words) == ["memagent.update", "memagent.answer"]
    mine, out = tmp_path / "mine.json", tmp_path / "run.json"
    other = "<problem> $problem </problem> <memory> $memory </memory> <section> $section </section>\nMine:"
    mine.write_text(json.dumps({"memagent.update": other}), encoding="utf-8")
    ask = ("--reader", "memagent", "--question", "What is the harbour master's parrot called?", "--prompts", mine, "--json", out)
    assert run("read", text, *ask) == 0
    assert "Doris" in capsys.readouterr().out
    data = json.loads(out.read_text(encoding="utf-8"))
    assert data["calls"][0]["messages"][0]["content"].endswith("</section>\nMine:")
    assert "Put the answer" in data["calls"][-1]["messages"][0]["content"]
    assert data["run"]["spec"]["prompts"] == {"memagent.update": other}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("[]", "not of the form"),
        ('{"memagent.update": 3}', "not of the form"),
        ("{", "not JSON"),
        ("\0", "not JSON"),
        ('{"memagent.updates": "x"}', "no prompt 'memagent.updates'"),
        ('{"memagent.update": "$problem"}', "lacks $memory, $section"),
        ('{"memagent.update": "$problem $memory $section $more"}', "has no part $more"),
        ('{"memagent.update": "$problem $memory $section $"}', "a single '$'"),
        (" " * 1_000_001, "over 1 MB"),
    ],
)
def test_a_prompt_set_that_cannot_be_used_is_refused_with_the_reason(
    data: str, says: str, text: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "set.json"
    path.write_text(data, encoding="utf-8")
    assert run("read", text, "--reader", "memagent", "--question", "x", "--prompts", path) == 2
    assert says in capsys.readouterr().err


OTHER = "<problem> $problem </problem> <memory> $memory </memory> <section> $section </section>\nMine:"


def test_a_set_is_saved_listed_read_with_and_deleted(text: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine, out = tmp_path / "mine.json", tmp_path / "run.json"
    mine.write_text(json.dumps({"memagent.update": OTHER}), encoding="utf-8")
    assert run("prompts", "memagent", "--list") == 0
    assert capsys.readouterr().out == ""
    assert run("prompts", "memagent", "--save", " my words", mine) == 0
    assert "--reader memagent --prompts 'my words'" in capsys.readouterr().out
    mine.unlink()
    assert run("prompts", "memagent", "--list") == 0
    assert capsys.readouterr().out == "my words: memagent.update\n"
    ask = ("--question", "What is the harbour master's parrot called?", "--json", out)
    assert run("read", text, "--reader", "memagent", *ask, "--prompts", "my words") == 0
    assert json.loads(out.read_text(encoding="utf-8"))["run"]["spec"]["prompts"] == {"memagent.update": OTHER}
    assert run("read", text, "--reader", "rememr1", *ask, "--prompts", "my words") == 2
    assert "of ReMemR1 by this name; none is saved" in capsys.readouterr().err
    assert run("read", text, "--reader", "memagent", *ask, "--prompts", "your words") == 2
    assert "saved are 'my words'" in capsys.readouterr().err
    assert run("prompts", "memagent", "--delete", "my words") == 0
    assert run("read", text, "--reader", "memagent", *ask, "--prompts", "my words") == 2


def test_a_file_goes_before_a_saved_set_of_its_name(
    text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "run.json"
    for words in (OTHER, OTHER + " now"):
        Path("mine").write_text(json.dumps({"memagent.update": words}), encoding="utf-8")
        if words == OTHER:
            assert run("prompts", "memagent", "--save", "mine", "mine") == 0
    assert run("read", text, "--reader", "memagent", "--question", "Who?", "--prompts", "mine", "--json", out) in (0, 3)
    assert json.loads(out.read_text(encoding="utf-8"))["run"]["spec"]["prompts"] == {"memagent.update": OTHER + " now"}


def test_the_readers_own_words_in_a_set_are_no_other_words(
    text: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("prompts", "memagent")
    mine, out = tmp_path / "mine.json", tmp_path / "run.json"
    mine.write_text(json.dumps({**json.loads(capsys.readouterr().out), "memagent.update": OTHER}), encoding="utf-8")
    assert run("read", text, "--reader", "memagent", "--question", "Who?", "--prompts", mine, "--json", out) in (0, 3)
    assert json.loads(out.read_text(encoding="utf-8"))["run"]["spec"]["prompts"] == {"memagent.update": OTHER}


def test_a_set_that_cannot_be_used_is_not_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.json"
    for data, says in (({"memagent.update": "$problem"}, "lacks $memory, $section"), ({"memwalker.leaf": "x"}, "no prompt")):
        mine.write_text(json.dumps(data), encoding="utf-8")
        assert run("prompts", "memagent", "--save", "mine", mine) == 2
        assert says in capsys.readouterr().err
    mine.write_text(json.dumps({"memagent.update": OTHER}), encoding="utf-8")
    assert run("prompts", "memagent", "--save", "  ", mine) == 2
    assert "1 to 80 characters" in capsys.readouterr().err
    assert run("prompts", "memagent", "--list") == 0
    assert capsys.readouterr().out == ""
