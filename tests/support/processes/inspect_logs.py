"""Open a log with Inspect's own reader, and run a task of Inspect with a reader as its solver, in a process of its own.

Inspect is installed beside the virtual environment (`make inspect`). Run as a module, this is that process: its arguments are
what to do and a path; on standard output it says, as JSON, what it found.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import ROOT

FOLDER = ROOT / ".venv" / "inspect"
TEXT = "The ferry leaves at noon.\n\nThe harbour master keeps a grey parrot called Doris.\n\nNobody rows."


def opened(path: Path) -> dict[str, Any]:
    """What Inspect finds in a log."""
    return _run("open", path)


def solved(folder: Path) -> dict[str, Any]:
    """What comes of a task whose solver is a reader: with a model of the app's own, and with the task's model."""
    return _run("solve", folder)


def _run(what: str, path: Path) -> dict[str, Any]:
    """Skips the test where Inspect is not installed; in CI, fails it."""
    if not (FOLDER / "inspect_ai").exists():
        missing = f"there is no {FOLDER}: `make inspect` installs it"
        pytest.fail(f"{missing}, and CI runs the test that needs it") if os.environ.get("CI") else pytest.skip(missing)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(FOLDER)]), "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-m", "tests.support.processes.inspect_logs", what, str(path)]
    done = subprocess.run(command, env=env, cwd=path.parent, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _open(path: str) -> dict[str, Any]:
    from inspect_ai.event import event_tree
    from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries

    log = read_eval_log(path)
    samples = {
        f"{one.id} {one.epoch}": {
            "reading": one.metadata["reading"],
            "calls": [[e.metadata["call"], e.metadata["attempt"], e.output.completion] for e in one.events if e.event == "model"],
            "tops": len(event_tree(one.events)),
            "spans": sum(e.event == "span_begin" for e in one.events),
            "scores": {name: score.value for name, score in (one.scores or {}).items()},
            "answer": one.output.completion,
            "target": one.target,
            "error": one.error.message if one.error else None,
        }
        for one in log.samples or []
    }
    means = {one.name: one.metrics["mean"].value for one in (log.results.scores if log.results else [])}
    summaries = [[f"{one.id} {one.epoch}", one.completed] for one in read_eval_log_sample_summaries(path)]
    return {"status": log.status, "version": log.version, "samples": samples, "means": means, "summaries": summaries}


def _solve(folder: str) -> dict[str, Any]:
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ModelOutput, get_model
    from inspect_ai.scorer import choice, includes

    from readers.inspect_solver import palimpsest_reader

    asked, again = (Sample("What is the parrot called?", target="Doris", metadata={"document": TEXT}) for _ in range(2))
    within = Sample(f"Read.\n<text>\n{TEXT}\n</text>\n\nWhat is the parrot called?", target="B", choices=["Boris", "Doris"])
    own = Task(MemoryDataset([asked]), solver=palimpsest_reader("memwalker", model="offline/extractive"), scorer=includes())
    picked = Task(MemoryDataset([within]), solver=palimpsest_reader("whole", model="offline/extractive"), scorer=choice())
    theirs = Task(MemoryDataset([asked, again]), solver=palimpsest_reader("whole"), scorer=includes())
    replies = [ModelOutput.from_content("mockllm/model", "It is called Doris.") for _ in range(2)]
    how: dict[str, Any] = {"log_dir": folder, "display": "none", "log_level": "warning"}
    found = {}
    for name, task in (("own", own), ("choice", picked), ("theirs", theirs)):
        (log,) = evaluate(task, model=get_model("mockllm/model", custom_outputs=list(replies)), fail_on_error=False, **how)
        found[name] = {
            "status": log.status,
            "error": log.error.message if log.error else None,
            "scores": [score.value for one in log.samples or [] for score in (one.scores or {}).values()],
            "readings": [one.store["palimpsest_reading"] for one in log.samples or []],
            "calls": [sum(event.event == "model" for event in one.events) for one in log.samples or []],
        }
    return found


if __name__ == "__main__":
    sys.stdout.write("\n" + json.dumps({"open": _open, "solve": _solve}[sys.argv[1]](sys.argv[2])))
