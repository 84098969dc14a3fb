"""Nothing that a text, question, reply, title, file or server says takes effect on a terminal: every command, with a marker."""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from readers import READERS
from readers.cli import output
from readers.cli.parser import build_parser
from readers.engine.errors import ModelFailed
from readers.engine.labels.project import Settings
from readers.engine.models import catalogue
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.run.reader import Reader
from readers.engine.store import Store
from tests.hostile.payloads import PAYLOADS
from tests.support.command_line import run
from tests.support.readings.every_reading import SMALL

MARK = "\x1b]0;owned\x07\x9b31m\u202eEND\u2069\x7f"
ACTIVE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
SHOWN = r"\u001b]0;owned\u0007\u009b31m\u202eEND\u2069\u007f"


class Marked:
    """The offline model with the marker in every reply, or as a server that refuses with it."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails

    def complete(self, call: Call) -> Reply:
        if self.fails:
            raise ModelFailed(f"the server says {MARK}")
        reply = Offline().complete(call)
        return replace(reply, text=reply.text.replace(" the ", f" the {MARK} ") + f" {MARK}")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a text and a set of questions, all of them marked."""
    monkeypatch.setattr(catalogue, "open_model", lambda *_, **__: Marked())
    text = "The ferry leaves at noon.\n\nThe harbour master keeps the grey parrot \u202e called Doris.\n\nNobody rows the boat."
    (tmp_path / "ferry.txt").write_text(text, encoding="utf-8")
    row = {
        "file": "ferry.txt",
        "title": f"Ferry {MARK}",
        "id": f"a{MARK}",
        "question": f"What is {MARK} the parrot called?",
        "answer": "x",
    }
    (tmp_path / "set.jsonl").write_text(json.dumps(row), encoding="utf-8")
    return tmp_path


def harmless(capsys: pytest.CaptureFixture[str]) -> str:
    """What was printed, if no terminal would obey any of it."""
    said = "".join(capsys.readouterr())
    assert not ACTIVE.search(said), repr(said)
    return said


def test_no_command_prints_what_a_terminal_obeys(folder: Path, capsys: pytest.CaptureFixture[str], store: Store) -> None:
    asked, out = f"What is the parrot {MARK} called?", folder / "run.json"
    assert run("read", folder / "ferry.txt", "--question", asked, "--reader", "whole", "--json", out) in (0, 3)
    assert SHOWN in harmless(capsys)
    (made,) = store.runs.listed()
    marked = (
        ["runs"],
        ["runs", "--json"],
        ["search", "parrot"],
        ["search", "parrot", "--json"],
        ["show", made.id],
        ["show", out],
        ["export", made.id],
    )
    for words in marked:
        assert run(*words) in (0, 3)
        assert SHOWN in harmless(capsys), words
    store.runs.settle(made.id, "cancelled")
    assert run("resume", made.id) in (0, 3)
    assert SHOWN in harmless(capsys)
    assert MARK in json.loads(out.read_text(encoding="utf-8"))["run"]["spec"]["question"]  # in a file it stays
    (folder / f"b{MARK}.json").write_text(json.dumps({"schema": MARK}), encoding="utf-8")
    assert run("import", out, folder / f"b{MARK}.json") == 2
    assert "not imported" in harmless(capsys)
    run("follow", made.id, "--span", "0", "40")
    run("fork", made.id, "--at", "0", "--reply", f"Doris {MARK}")
    run("questions", "import", folder / "set.jsonl", "--name", "Ferry")
    run("questions")
    run("batch", "Ferry", "--reader", "whole")
    run("batches")
    with Store() as again:
        (batch,) = again.batches.listed()
    run("batches", batch.id)
    run("evaluate", batch.id)
    run("recipes")
    run("batch-resume", batch.id)
    run("prompts", "whole")
    run("prompts", "whole", "--delete", MARK)
    run("profiles", "add", MARK, "--model", "openai/x")
    run("profiles")
    run("models")
    run("readers")
    run("new", MARK, folder)
    run("serve", "--reader", MARK)
    run("watch", folder / "ferry.txt", "--question", asked, "--", f"no{MARK}program")
    run("publish", made.id, "-o", folder / "site")
    run("doctor")
    store.projects.create("Lamps", Settings(lead="Lea"), runs=[made.id], by="Lea")
    run("project")
    run("project", "results", "Lamps")
    run("project", "agreement", MARK)
    run("show", MARK)
    assert len(harmless(capsys).splitlines()) > 20


def test_every_command_is_tried_above() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    (commands,) = (action for action in build_parser()._actions if isinstance(action, argparse._SubParsersAction))
    assert not [name for name in commands.choices if f'run("{name}"' not in source and f'["{name}"' not in source]


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.id)
def test_no_reader_tells_what_a_terminal_obeys(
    reader: Reader, folder: Path, capsys: pytest.CaptureFixture[str], store: Store
) -> None:
    settings = [word for name, value in SMALL.get(reader.id, {}).items() for word in ("--set", f"{name}={value}")]
    run("read", folder / "ferry.txt", "--question", "What is the parrot called?", "--reader", reader.id, *settings)
    run("show", store.runs.listed()[0].id)
    assert "Ferry" in harmless(capsys).title()


def test_a_servers_error_and_an_unforeseen_one_are_printed_harmlessly(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "open_model", lambda *_, **__: Marked(fails=True))
    ask = ("read", folder / "ferry.txt", "--question", "What?", "--reader", "whole")
    assert run(*ask) == 1
    assert SHOWN in harmless(capsys)

    def broken(*_: object, **__: object) -> Marked:
        raise RuntimeError(MARK)

    monkeypatch.setattr(catalogue, "open_model", broken)
    assert run(*ask) == 1
    assert f"RuntimeError: {SHOWN}" in harmless(capsys)


def test_of_no_payload_does_a_terminal_obey_anything(capsys: pytest.CaptureFixture[str]) -> None:
    with output.harmless_output():
        for payload in PAYLOADS:
            print(payload)
            print(payload, file=sys.stderr)
            sys.stdout.writelines(iter([payload]))
            output.print_json({payload: payload})
    said = harmless(capsys)
    assert all(payload in said for payload in PAYLOADS if payload.isprintable())


def test_a_line_that_is_drawn_again_clears_the_last_one_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    with output.harmless_output():
        output.redraw(f"3 replies {MARK}")
        print(MARK, file=sys.stderr)
    assert capsys.readouterr().err == f"\r\033[K3 replies {SHOWN}{SHOWN}\n"
