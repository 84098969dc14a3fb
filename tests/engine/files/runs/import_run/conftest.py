"""Fixtures for importing run files: an empty store, a file, and helpers to compare both."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from readers import READERS, get
from readers.engine.errors import ModelFailed
from readers.engine.files.runs.import_run import check_run_file, save_checked
from readers.engine.files.runs.run_file import run_file
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.run.reader import Reader
from readers.engine.store import Run, Store
from readers.engine.text.document import Document
from tests.readers.every_reader.test_every_reader import QUESTION
from tests.support.models.scripted_models import BACK, COMMIT, parts_of, walker
from tests.support.paths import LAMP
from tests.support.readings.every_reading import SMALL
from tests.support.specs import current_spec

LONGEST_SECONDS = 5.0  # for a file of any kind; most take hundredths
every_reader = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.id)


@pytest.fixture(scope="module")
def text() -> Document:
    return Document.of(LAMP.read_text(encoding="utf-8")[12_500:17_500], title="Some of the lamp")


@pytest.fixture
def there(tmp_path: Path, empty_database: Path) -> Iterator[Store]:
    """Another store, with nothing in it."""
    shutil.copyfile(empty_database, tmp_path / "there.db")
    with Store(tmp_path / "there.db") as opened:
        yield opened


class Late:
    """The offline model, a little late and out of order; `until` so many replies it goes on."""

    def __init__(self, until: int = 10**9, *, fails: Callable[[Call], bool] = lambda call: False) -> None:
        self.made = 0
        self.until = until
        self.fails = fails

    def complete(self, call: Call) -> Reply:
        time.sleep(0.001 * (call.seq % 3))
        if self.fails(call):
            raise ModelFailed(f"the server is down for call {call.seq}")
        self.made += 1
        return Offline().complete(call)

    def enough(self) -> bool:
        return self.made >= self.until


def spec_of(reader: Reader, **more: Any) -> RunSpec:
    return RunSpec(reader.id, reader.version, QUESTION, options=SMALL.get(reader.id, {}), **more)


def exported(store: Store, run: Run) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(run_file(store, run.id, get(run.reader))))
    return data


def written(data: Any) -> bytes:
    return json.dumps(data).encode()


def unnamed(data: dict[str, Any], *also: str) -> dict[str, Any]:
    """A run file without what another store names anew."""
    run = {key: value for key, value in data["run"].items() if key not in ("id", "created", "parent", *also)}
    return {**data, "run": run}


def taken(store: Store, data: Any) -> Run:
    """Imported, checked in this process."""
    return save_checked(store, check_run_file(data if isinstance(data, bytes) else written(data), "some.json", readers=get))


@pytest.fixture(scope="module")
def small_walk(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A run file of a small walk with a misread reply and a way back."""
    spec = current_spec("memwalker", "Where is it?", options={"segment_tokens": 64, "max_children": 3}, choices=("here", "there"))
    with Store(tmp_path_factory.mktemp("walk") / "palimpsest.db") as store:
        run = create_run(store, parts_of(9), get("memwalker"), spec)
        execute(store, run.id, get("memwalker"), Execution(walker([0, "what?", 0, BACK, 1, COMMIT])))
        return written(exported(store, run))


@pytest.fixture
def data(small_walk: bytes) -> dict[str, Any]:
    """The small walk, to be changed."""
    found: dict[str, Any] = json.loads(small_walk)
    return found
