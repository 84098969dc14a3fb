"""Load an exported file with Label Studio's own reader of setups and its own converter, in a process of its own.

They are installed beside the virtual environment (`make label-studio`). Run as a module, this is that process: its argument is
the folder with the files; on standard output it says, as JSON, what is wrong with them and what the converter made.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.paths import ROOT

FOLDER = ROOT / ".venv" / "label-studio"


class Loaded(NamedTuple):
    """What Label Studio made of a file: what it finds wrong, and each annotation as its converter writes it."""

    errors: list[str]
    converted: list[dict[str, Any]]


def load(setup: str, tasks: str, folder: Path) -> Loaded:
    """What Label Studio makes of a setup and the tasks for it. Skips the test where it is not installed; in CI, fails it."""
    if not (FOLDER / "label_studio_sdk").exists():
        missing = f"there is no {FOLDER}: `make label-studio` installs it"
        pytest.fail(f"{missing}, and CI runs the test that needs it") if os.environ.get("CI") else pytest.skip(missing)
    (folder / "setup.xml").write_text(setup, encoding="utf-8")
    (folder / "tasks.json").write_text(tasks, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(FOLDER)]), "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-m", "tests.support.processes.label_studio", str(folder)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return Loaded(**json.loads(done.stdout))


def _load(folder: Path) -> Loaded:
    from label_studio_sdk.converter.converter import Converter
    from label_studio_sdk.label_interface import LabelInterface

    setup = (folder / "setup.xml").read_text(encoding="utf-8")
    tasks = json.loads((folder / "tasks.json").read_text(encoding="utf-8"))
    interface = LabelInterface(setup)
    interface.validate()  # raises for a setup that cannot be used
    errors = [
        f"task {n}: its data does not suit the setup"
        for n, task in enumerate(tasks)
        if not interface.validate_task({"data": task["data"]})
    ]
    for n, task in enumerate(tasks):
        for one in task["annotations"]:
            errors += [f"task {n}: {error}" for error in interface.validate_prediction(one, return_errors=True)]
    for n, task in enumerate(tasks):  # its import gives them ids, and the importing user as author
        annotations = [{**one, "id": 100 * n + m, "completed_by": 1} for m, one in enumerate(task["annotations"])]
        task |= {"id": n, "annotations": annotations}
    (folder / "imported.json").write_text(json.dumps(tasks), encoding="utf-8")
    Converter(setup, str(folder)).convert(str(folder / "imported.json"), str(folder / "out"), "JSON_MIN", is_dir=False)
    (made,) = (folder / "out").glob("*.json")
    return Loaded(errors, json.loads(made.read_text(encoding="utf-8")))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_load(Path(sys.argv[1]))._asdict()))
