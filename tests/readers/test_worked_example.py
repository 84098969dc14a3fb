"""The reader in CONTRIBUTING.md is taken from there, registered, and does all that a reader does."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import readers
from components.html.words import wording
from components.player import data
from readers import get
from readers.engine.analysis.differences import first_difference, settings
from readers.engine.analysis.hints import hints
from readers.engine.analysis.measures import NAMES, measures
from readers.engine.analysis.narrate import narrate
from readers.engine.files.runs.import_run import import_run
from readers.engine.files.runs.run_file import read_run_file, run_file
from readers.engine.forks.fork import fork
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.record.edits import ReplyEdit
from readers.engine.record.narrative import ActionDisplay
from readers.engine.run.estimate import estimate
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.run.reader import Reader
from readers.engine.store import Reading, Store, open_reading
from readers.engine.text.document import Document
from tests.support.paths import ROOT
from tests.support.readings.replays import replayed

QUESTION = "Who paid for the dance?"
TEXT = """The rain came early. Nobody in the village was ready. It went on all night.

The dance was held in the barn. Old Mr Hale paid for it. The band left at two.

A ship came in. Its captain was asleep. The harbour was quiet."""
OPENED = "The dance was held in the barn. Old Mr Hale paid for it. The band left at two."


def example() -> str:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (code,) = [block for block in re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S) if "(Reader)" in block]
    return code


@pytest.fixture
def skim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    """The example, written to a file of its own and registered by one entry, in the place of a reader of the tree with its id."""
    path = tmp_path / "skim_example.py"
    path.write_text(example(), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("skim_example", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "skim_example", module)
    spec.loader.exec_module(module)
    others = [reader for reader in readers.READERS if reader.id != module.Skim.id]
    monkeypatch.setattr("readers.registry.READERS", (*others, module.Skim()))
    return get("skim")


def read(store: Store, reader: Reader, **options: Any) -> Reading:
    spec = RunSpec(reader.id, reader.version, QUESTION, options=options)
    run = create_run(store, Document.of(TEXT, title="The dance"), reader, spec)
    assert execute(store, run.id, reader, Execution(Offline())).status == "finished"
    return open_reading(store, run.id)


def test_it_opens_what_it_is_told_to_and_answers_from_it(skim: Reader, store: Store) -> None:
    reading = read(store, skim)
    assert "Old Mr Hale paid for it." in (reading.run.answer or "")
    (opened,) = reading.trace.decisions("open_paragraph")
    assert skim.names(reading.trace)[opened.picked] == "paragraph 2"
    assert [reading.document.text[start:end].strip() for start, end in reading.run.evidence] == [OPENED]
    assert [row["opened"] for row in skim.view(reading.trace)["paragraphs"]] == [False, True, False]


def test_it_is_replayed_without_a_call(skim: Reader, store: Store) -> None:
    assert replayed(store, read(store, skim).run, skim).outcome == "answered"


def test_every_step_is_told(skim: Reader, store: Store) -> None:
    reading = read(store, skim)
    assert narrate(reading.trace, skim) == (
        "It cut the text into 3 parts. It wrote 3 skims, one for each paragraph.",
        "It asked for paragraph 2 in full.",
        f"It answered “{reading.run.answer}”, from paragraph 2, shown raw, and 2 skims.",
    )
    phases = [line.phase for line in wording.lines(reading.trace, skim)]
    assert phases == ["Preparing the text", "Choosing a paragraph", "Answering"]


def test_the_player_shows_it_without_a_picture(skim: Reader, store: Store) -> None:
    reading = read(store, skim)
    frames = json.loads(json.dumps(data.of(reading)))
    assert (frames["picture"], frames["kind"], len(frames["steps"])) == (None, None, 3)
    card = frames["steps"][1]["decision"]
    assert [(option["name"], option["picked"]) for option in card["options"]] == [
        ("paragraph 1", False), ("paragraph 2", True), ("paragraph 3", False), ("open none, and answer", False),
    ]  # fmt: skip
    assert card["reason"] == "page 1 shares dance with the question"
    for until in range(len(reading.trace.events) + 1):
        moving = data.so_far(reading.run, reading.document, reading.trace.events[:until])
        assert moving["picture"] is None


def test_its_run_file_leaves_and_comes_back(skim: Reader, store: Store, tmp_path: Path) -> None:
    reading = read(store, skim)
    path = tmp_path / "run.json"
    path.write_text(json.dumps(run_file(store, reading.run.id, skim)), encoding="utf-8")
    assert read_run_file(path).trace.events == reading.trace.events
    assert json.loads(path.read_text())["view"] == skim.view(reading.trace)
    imported = import_run(store, path, "run.json", readers=get)
    assert (imported.reader, imported.answer) == ("skim", reading.run.answer)
    assert open_reading(store, imported.id).trace.events == reading.trace.events


class StopsHere:
    """A model that asks for no paragraph."""

    def complete(self, call: Call) -> Reply:
        return Reply("STOP: I know enough.") if call.prompt.id == "skim.open" else Offline().complete(call)


def test_two_readings_are_compared(skim: Reader, store: Store) -> None:
    told, untold = read(store, skim), read(store, skim, may_open=False)
    (row,) = settings([told.run, untold.run], {"skim": skim}, texts={})
    assert (row.name, row.values) == ("May open a paragraph", ("yes", "no"))
    run = create_run(store, told.document, skim, RunSpec("skim", 1, QUESTION))
    execute(store, run.id, skim, Execution(StopsHere()))
    found = first_difference(told, open_reading(store, run.id))
    assert found
    assert (found.kind, found.steps) == ("chose", (1, 1))
    assert narrate(open_reading(store, run.id).trace, skim)[1] == "It stopped: I know enough."


def test_it_is_forked_at_its_choice(skim: Reader, store: Store) -> None:
    reading = read(store, skim)
    seq = next(record.seq for record in reading.records if record.task == "choose")
    run = fork(store, reading, skim, ReplyEdit(seq, 0, "Page 2: the ship may know."))
    done = execute(store, run.id, skim, Execution(Offline()))
    (opened,) = open_reading(store, done.id).trace.decisions("open_paragraph")
    assert (done.status, opened.picked, opened.because) == ("finished", "wrote:2", "the ship may know.")


def test_its_figures_hints_and_estimate_are_those_of_every_reader(skim: Reader, store: Store) -> None:
    reading = read(store, skim)
    found = measures(skim, reading.trace, reading.records)
    assert set(found) == set(NAMES)
    assert (found["calls_live"], found["fallbacks"], found["reverts"]) == (2, 0, None)
    assert found["read_fraction"] == pytest.approx(len(OPENED) / len(TEXT), abs=0.02)
    assert hints(reading, skim) == []
    price = estimate(reading.document, skim, RunSpec("skim", 1, QUESTION))
    assert (price.calls.low, price.calls.high) == (2, 2)


def test_an_action_of_its_own_is_shown_as_its_narrative_says(skim: Reader) -> None:
    assert skim.narrative.decision("open_paragraph") == ActionDisplay()
    assert skim.narrative.decision("fallback").note == "Stood in"


@pytest.mark.slow
def test_the_example_holds_to_the_checks_of_the_house(tmp_path: Path) -> None:
    path = tmp_path / "skim_example.py"
    path.write_text(example(), encoding="utf-8")
    for check in (["ruff", "check"], ["ruff", "format", "--check"], ["mypy"]):
        config = "--config-file" if check == ["mypy"] else "--config"
        done = subprocess.run([sys.executable, "-m", *check, config, "pyproject.toml", str(path)], cwd=ROOT, capture_output=True)
        assert done.returncode == 0, done.stdout.decode()
