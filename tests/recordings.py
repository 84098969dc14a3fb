"""Makes the readings that come with Palimpsest again, with a real model on this machine: `make recordings`.

    python -m tests.recordings [NAME ...]     all of them, or those whose file has one of these names

`assets/readings/index.json` says for each reading which sample and question it is of, by which reader with which options and
model, and for a fork what was changed, as data and in words; the id of the reading and its day are written there when it is
made. A row with a temperature is another reading each time, so it is made again only when it is named. The model's weights must
be in PALIMPSEST_HOME/models. Minutes a reading; one that was interrupted is resumed, for everything is recorded in
PALIMPSEST_HOME/recordings.db until all are made. One call at a time, so that the same model gives the same replies. Not a test,
and not part of the tests.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from typing import Any

from components.session.samples import INDEX, READINGS, samples
from readers import get
from readers.engine.canonical import canonical
from readers.engine.files.runs.run_file import run_file
from readers.engine.forks import fork
from readers.engine.home import home
from readers.engine.models import catalogue
from readers.engine.record import edits
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Run, Store, open_reading
from readers.engine.store.run_list import LONGEST_NOTE

LARGEST = 4_100_000  # bytes of all files together


def main(names: list[str]) -> int:
    rows = json.loads(INDEX.read_text(encoding="utf-8"))
    with Store(home() / "recordings.db") as store:
        for row in rows:
            if any(name in row["file"] for name in names) if names else "temperature" not in row:
                run = _record(store, row)
                row["id"], row["recorded"] = run.id, run.created[:10]
                lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in rows)
                INDEX.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    size = sum(path.stat().st_size for path in READINGS.glob("*.json"))
    print(f"{len(rows)} readings, {size:,} bytes, at most {LARGEST:,}")
    return 0 if size <= LARGEST else 1


def _record(store: Store, row: dict[str, Any]) -> Run:
    """Make one reading, or continue with it, and write its run file."""
    began = time.monotonic()
    run = next((run for run in store.runs.listed() if run.note == _key(row)), None) or _begun(store, row)
    reader = get(run.reader)
    if run.status != "finished":
        model = catalogue.open_model(run.spec["model"])
        run = execute(store, run.id, reader, Execution(model, concurrency=1))
    (READINGS / row["file"]).write_text(canonical(run_file(store, run.id, reader)) + "\n", encoding="utf-8")
    print(f"{row['file']}: {run.outcome or run.error}, {time.monotonic() - began:.0f} s: {run.answer}", flush=True)
    return run


def _begun(store: Store, row: dict[str, Any]) -> Run:
    """A new run for this row of the index; what it depends on is its note, by which it is found again."""
    run = _forked(store, row) if "of" in row else _new(store, row)
    store.run_list.set_note(run.id, _key(row))
    return run


def _key(row: dict[str, Any]) -> str:
    """Everything that the reading depends on; of a prompt that was changed, which is long, a checksum."""
    key = canonical({name: value for name, value in row.items() if name not in ("watch", "changed", "id", "recorded")})
    return key if len(key) <= LONGEST_NOTE else hashlib.sha256(key.encode()).hexdigest()


def _new(store: Store, row: dict[str, Any]) -> Run:
    reader, model = get(row["reader"]), row["model"]
    sample = next(sample for sample in samples() if sample.document.title == row["text"])
    known = sample.questions[row["question"]]
    spec = RunSpec(
        reader.id, reader.version, known.question, choices=known.choices if row.get("choices") else (),
        options=row["options"], model=model, window=catalogue.window_for(model), reuse=False,
        temperature=row.get("temperature", 0.0),
    )  # fmt: skip
    return create_run(store, sample.document, reader, spec)


def _forked(store: Store, row: dict[str, Any]) -> Run:
    """A fork of another recording, by the change in `edit`."""
    parent = json.loads((READINGS / row["of"]).read_text(encoding="utf-8"))["run"]["id"]
    reading = open_reading(store, parent)
    return fork.fork(store, reading, get(reading.run.reader), edits.from_json(row["edit"]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
