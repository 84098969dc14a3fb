"""`python -m tests.written_by COMMIT [COMMIT ...]`: what the code of a commit writes, kept in `tests/fixtures/written_by/`.

The code of that commit reads a short text with each of its readers by its offline model, and writes the run file of each. It also
makes a fork, a batch and a project of labels, where it has them. What it wrote is packed as `SCHEMA.tar.xz`, named after the last
migration of its store. `tests/test_every_schema.py` holds the app to these files.

The commit's code runs in this environment, from a folder of its own. Not here: what lies in `tests/fixtures/before` and
`tests/fixtures/version_2`, which other programs made.
"""

from __future__ import annotations

import io
import json
import os
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.support.paths import LAMP, ROOT

KEPT = ROOT / "tests" / "fixtures" / "written_by"
QUESTION = "Who kept the high light?"
FROM, TO = "There were two lights", "2. The Last Column"  # what is read of the text
# What a reader of any version is told, so that the text has some parts; a reader that has no such option is asked without it.
PARTS: dict[str, tuple[str, ...]] = {
    "memwalker": ("segment_tokens=150",),
    "readagent": ("min_words=60", "max_words=150"),
    "qrmem": ("segment_tokens=200", "window_tokens=600"),
    "memagent": ("chunk_tokens=200", "memory_tokens=64"),
    "rememr1": ("chunk_tokens=200", "memory_tokens=64"),
    "chain_of_agents": ("chunk_tokens=200", "message_tokens=64"),
    "recursive": ("slice_tokens=150", "max_parts=3"),
    "whole": ("window_tokens=400",),
    "retrieval": ("segment_tokens=100", "top_k=3"),
    "recurrence": ("chunk_tokens=200", "summary_tokens=64"),
}


class Program:
    """The program of a commit, as its user runs it. `commands` are those that it has."""

    def __init__(self, commit: str, folder: Path) -> None:
        self.commit = _git("rev-parse", "--short=12", commit).decode().strip()
        self.home, self._code, self.files = folder / "home", folder / "code", folder / "files"
        for made in (self.home, self._code, self.files):
            made.mkdir()
        with tarfile.open(fileobj=io.BytesIO(_git("archive", "--format=tar", self.commit))) as archive:
            archive.extractall(self._code, filter="data")
        self.commands = set((self.run("--help") or "").split())

    def run(self, *words: str) -> str | None:
        """What a command prints; None if it fails."""
        environment = {**os.environ, "PALIMPSEST_HOME": str(self.home), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "readers", *words]
        done = subprocess.run(command, cwd=self._code, env=environment, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode not in (0, 3):
            print(f"  {' '.join(words)[:100]}: {done.stderr.strip()[-200:]}")
            return None
        return done.stdout

    @property
    def schema(self) -> list[str]:
        with closing(sqlite3.connect(self.home / "palimpsest.db")) as store:
            return [name for (name,) in store.execute("SELECT name FROM _sqlite_migrations ORDER BY id")]


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout


def write(commit: str) -> Path:
    """Have the code of a commit write, and keep it."""
    with tempfile.TemporaryDirectory() as temporary:
        program = Program(commit, Path(temporary))
        text = program.files / "lamp.txt"
        lamp = LAMP.read_text(encoding="utf-8")
        text.write_text(lamp[lamp.index(FROM) : lamp.index(TO)], encoding="utf-8")
        offered = program.run("read", "--help") or ""
        readings = {name: found for name in PARTS if name in offered and (found := _read(program, name, text))}
        _fork(program, readings)
        _label(program, text, list(readings))
        index = {"commit": program.commit, "schema": program.schema, "readings": readings}
        return _pack(program, index)


def _read(program: Program, reader: str, text: Path) -> dict[str, Any] | None:
    file = program.files / f"{reader}.json"
    sets = [word for option in PARTS[reader] for word in ("--set", option)]
    asked = ["read", str(text), "--question", QUESTION, "--reader", reader, "--json", str(file)]
    if program.run(*asked, *sets) is None and program.run(*asked) is None:
        return None
    return _described(file)


def _described(file: Path) -> dict[str, Any]:
    run = json.loads(file.read_text(encoding="utf-8"))["run"]
    return {"id": run["id"], "reader": run["spec"]["reader"], "version": run["spec"]["version"], "answer": run["answer"]}


def _fork(program: Program, readings: dict[str, dict[str, Any]]) -> None:
    """A fork of the first reading by its last reply, which has another answer then."""
    if "fork" not in program.commands:
        return
    parent = readings["memwalker"]["id"]
    calls = json.loads((program.files / "memwalker.json").read_text(encoding="utf-8"))["calls"]
    reply, file = program.files / "reply.txt", program.files / "fork.json"
    reply.write_text("Captain Storr kept the high light.", encoding="utf-8")
    if program.run("fork", parent, "--at", str(calls[-1]["seq"]), "--reply", str(reply), "--json", str(file)) is not None:
        readings["fork"] = _described(file)
    reply.unlink()


def _label(program: Program, text: Path, readers: list[str]) -> None:
    """A batch of two questions, and a project of its readings, where there are such commands."""
    if "batch" not in program.commands:
        return
    questions = program.files / "questions.jsonl"
    told = {"text": text.read_text(encoding="utf-8"), "title": "The Lamp", "answers": ["Amos Garbutt"]}
    rows = [{"id": str(number), "question": asked, **told} for number, asked in enumerate((QUESTION, "Who was keeper?"))]
    questions.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    if program.run("questions", "import", str(questions), "--name", "Lamps") is not None:
        program.run("batch", "Lamps", "--reader", readers[0], "--reader", "retrieval", "--name", "Two")
        batches = program.run("batches", "--json")
        if "project" in program.commands and batches and (made := json.loads(batches)):
            program.run("project", "new", "Lamps", "--batch", made[0]["id"])


def _pack(program: Program, index: dict[str, Any]) -> Path:
    """One file: the store, the run files and the index, without times and owners."""
    KEPT.mkdir(exist_ok=True)
    to = KEPT / f"{index['schema'][-1]}.tar.xz"
    files = {f"runs/{file.name}": file.read_bytes() for file in sorted(program.files.glob("*.json"))}
    files["palimpsest.db"] = (program.home / "palimpsest.db").read_bytes()
    files["index.json"] = json.dumps(index, indent=1, ensure_ascii=False).encode()
    with tarfile.open(to, "w:xz", preset=9) as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return to


if __name__ == "__main__":
    for one in sys.argv[1:]:
        print(one)
        kept = write(one)
        print(f"  {kept.relative_to(ROOT)}: {kept.stat().st_size / 1000:.0f} kB")
