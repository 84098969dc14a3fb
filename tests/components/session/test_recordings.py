"""The readings by a real model: each is whole, of this version of its reader, and opened once under the id in its file."""

from __future__ import annotations

from collections import Counter

import pytest

from components.session.recordings import FOLDER, Recording, open_recording, recordings
from components.session.samples import samples
from readers import get
from readers.engine.files.import_run import check_run_file
from readers.engine.store import Store
from readers.engine.store.reading import open_reading
from tests.recordings import LARGEST

PAPERS = {"memwalker", "readagent", "memagent"}
FEWEST_STEPS = 7


def test_there_are_eight_of_several_methods_on_all_samples_with_a_fork_and_they_are_small() -> None:
    listed = recordings()
    assert len(listed) >= 8
    assert {recording.reader for recording in listed} >= PAPERS
    assert {recording.title for recording in listed} == {sample.document.title for sample in samples()}
    assert any(recording.parent for recording in listed)
    assert {path.name for path in FOLDER.glob("*.json")} == {"index.json", *(recording.path.name for recording in listed)}
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < LARGEST


@pytest.mark.parametrize("recording", recordings(), ids=lambda recording: recording.path.stem)
def test_each_replays_with_this_version_by_the_model_it_names(recording: Recording) -> None:
    incoming = check_run_file(recording.path, recording.path.name, readers=get)
    assert incoming.run.status == "finished"
    assert incoming.run.spec["model"] == recording.model
    assert recording.model.startswith("local/")
    assert incoming.document.id in {sample.document.id for sample in samples()}
    assert {record.origin for record in incoming.records} <= {"live", "cached", "replayed", "edited"}
    with Store() as store:
        trace = open_reading(store, open_recording(recording)).trace
    assert len(trace.steps) >= FEWEST_STEPS


def test_a_recording_is_imported_once_under_its_own_id_after_what_it_is_a_fork_of() -> None:
    fork = next(recording for recording in recordings() if recording.parent)
    assert open_recording(fork) == open_recording(fork) == fork.id
    with Store() as store:
        assert Counter(run.id for run in store.runs()) == Counter([fork.id, str(fork.parent)])
        assert store.run(fork.id).parent == fork.parent


def test_a_deleted_recording_is_opened_again() -> None:
    recording = recordings()[0]
    open_recording(recording)
    with Store() as store:
        store.delete_run(recording.id)
        assert store.runs() == []
    assert open_recording(recording) == recording.id
