"""The sample texts: their questions point at what is there. The readings by a real model: each is whole, of this version of its
reader, and opened once under the id in its file."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from components.session.samples import READINGS, Recording, bring, open_recording, recorded_on, recordings, samples
from readers import READERS, get
from readers.engine.analysis.narrate import narrate, narrate_briefly
from readers.engine.files.runs.import_run import check_run_file
from readers.engine.files.runs.run_file import read_run_file
from readers.engine.prompts.options import read_options
from readers.engine.questions.grading import grade
from readers.engine.questions.known_answer import found_by
from readers.engine.record.events import Answered
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.run.part_sizes import FEWEST, MOST, TextLength, parts, suited
from readers.engine.store import Store, open_reading
from readers.engine.text.document import Document
from tests.bench.yardstick import Remembering
from tests.recordings import LARGEST
from tests.support.paths import SAMPLES

FILES = sorted(SAMPLES.glob("*.json"))


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def sample(request: pytest.FixtureRequest) -> tuple[dict[str, Any], str]:
    data = json.loads(request.param.read_text(encoding="utf-8"))
    return data, (request.param.parent / data["text"]).read_text(encoding="utf-8")


def test_there_are_three_of_different_kinds() -> None:
    assert sorted(json.loads(path.read_text(encoding="utf-8"))["kind"] for path in FILES) == ["articles", "report", "story"]


def test_the_text_is_canonical_and_of_a_length_to_read(sample: tuple[dict[str, Any], str]) -> None:
    data, text = sample
    assert Document.of(text).text == text
    assert 3000 <= len(text.split()) <= 8000
    assert text.startswith(data["title"])


def test_every_piece_of_evidence_stands_where_it_says_and_nowhere_else(sample: tuple[dict[str, Any], str]) -> None:
    data, text = sample
    for question in data["questions"]:
        for evidence in question["evidence"]:
            assert text[evidence["start"] : evidence["end"]] == evidence["text"]
            assert text.count(evidence["text"]) == 1


def test_questions_are_whole_and_of_every_kind(sample: tuple[dict[str, Any], str]) -> None:
    data, _ = sample
    questions = data["questions"]
    assert len(questions) >= 10
    assert len({question["id"] for question in questions}) == len(questions)
    places = Counter(question["places"] for question in questions)
    assert all(places[count] >= 1 for count in (1, 2, 3))
    assert places[0] >= 2
    for question in questions:
        assert len(question["evidence"]) == question["places"]
        assert question["answerable"] is (question["answer"] is not None) is (question["places"] > 0)
        assert not question["choices"] or question["answer"] in (None, *question["choices"])


def test_every_reader_that_cuts_has_options_with_which_the_sample_is_watched(sample: tuple[dict[str, Any], str]) -> None:
    data, text = sample
    length = TextLength.of(Document.of(text))
    for reader in READERS:
        if reader.part_size:
            options = data["watched"].get(reader.id) or suited(reader, length).options
            read_options(reader.Options, options)
            assert FEWEST <= (parts(reader, options, length) or 0) <= MOST, reader.id


@pytest.mark.parametrize("number", range(3))
def test_the_first_reader_answers_the_first_question_rightly_and_goes_wrong_on_the_next(number: int) -> None:
    """With the offline model. If it has changed, name two other questions in the sample's file, under `first`."""
    sample, reader = samples()[number], READERS[0]
    model = Remembering()
    graded = []
    for known in sample.offered[:2]:
        spec = RunSpec(reader.id, reader.version, known.question, options=sample.watched[reader.id])
        end = rehearse(sample.document, reader, spec, model).end
        answer = end.text if isinstance(end, Answered) else None
        found = grade("answered" if answer else "exhausted", answer, (), known)
        graded.append(
            (found.outcome if found else "", found_by(end.evidence, known.evidence) if isinstance(end, Answered) else 0)
        )
    (first, places), (second, _) = graded
    assert (first, places, second) == ("correct", len(sample.offered[0].evidence), "wrong")
    assert sorted(sample.offered, key=sample.questions.index) == list(sample.questions)


PAPERS = {"memwalker", "readagent", "qrmem", "memagent", "rememr1", "chain_of_agents", "recursive"}
FEWEST_STEPS = 7


def test_there_are_some_of_every_method_and_on_every_sample_with_forks_and_they_are_small() -> None:
    listed = recordings()
    assert len(listed) >= 8
    assert {recording.reader for recording in listed} == PAPERS
    assert {recording.title for recording in listed} == {sample.document.title for sample in samples()}
    assert any(recording.parent for recording in listed)
    assert {path.name for path in READINGS.glob("*.json")} == {"index.json", *(recording.path.name for recording in listed)}
    assert sum(path.stat().st_size for path in READINGS.iterdir()) < LARGEST


@pytest.mark.slow
@pytest.mark.parametrize("recording", recordings(), ids=lambda recording: recording.path.stem)
def test_each_replays_with_this_version_by_the_model_it_names(recording: Recording) -> None:
    incoming = check_run_file(recording.path, recording.path.name, readers=get)
    assert incoming.run.status == "finished"
    spec = incoming.run.spec
    in_file = (spec["model"], spec["reader"], spec["question"], incoming.run.parent, incoming.document.title)
    assert in_file == (recording.model, recording.reader, recording.question, recording.parent, recording.title)
    in_file = json.loads(recording.path.read_text(encoding="utf-8"))["run"]
    assert (in_file["id"], in_file["created"][:10]) == (recording.id, recorded_on(recording.id))
    assert recording.model.startswith("local/")
    assert incoming.document.id in {sample.document.id for sample in samples()}
    assert {record.origin for record in incoming.records} <= {"live", "cached", "replayed", "inherited", "edited"}
    with Store() as store:
        trace = open_reading(store, open_recording(recording)).trace
    assert len(trace.steps) >= FEWEST_STEPS


def test_the_list_is_known_without_parsing_a_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    samples()  # these are cached
    opened: list[str] = []
    read_text = Path.read_text
    monkeypatch.setattr(Path, "read_text", lambda path, **how: opened.append(path.name) or read_text(path, **how))
    assert recordings.__wrapped__() == recordings()
    assert opened == ["index.json"]


@pytest.mark.parametrize("recording", recordings(), ids=lambda recording: recording.path.stem)
def test_in_brief_every_step_is_one_sentence_without_what_went_wrong(recording: Recording) -> None:
    reading, reader = read_run_file(recording.path), get(recording.reader)
    brief, whole = narrate_briefly(reading.trace, reader), narrate(reading.trace, reader)
    assert len(brief) == len(whole) == len(reading.trace.steps)
    for sentence, sentences in zip(brief, whole, strict=True):
        assert sentence in sentences
        assert "could not be used" not in sentence
        assert "was not whole" not in sentence


def test_a_recording_is_imported_once_under_its_own_id_after_what_it_is_a_fork_of() -> None:
    fork = next(recording for recording in recordings() if recording.parent)
    assert open_recording(fork) == open_recording(fork) == fork.id
    with Store() as store:
        assert Counter(run.id for run in store.runs.listed()) == Counter([fork.id, str(fork.parent)])
        assert store.runs.get(fork.id).parent == fork.parent


def test_a_deleted_recording_is_opened_again() -> None:
    recording = recordings()[0]
    open_recording(recording)
    with Store() as store:
        store.runs.delete(recording.id)
        assert store.runs.listed() == []
    assert open_recording(recording) == recording.id


def test_the_address_of_a_recording_can_be_passed_on() -> None:
    assert bring(recordings()[0].id)
    assert not bring("0000000000")
    with Store() as store:
        assert [run.id for run in store.runs.listed()] == [recordings()[0].id]


def test_what_happens_several_times_in_a_step_is_said_once() -> None:
    recording = next(one for one in recordings() if one.path.stem == "memwalker-lamp-harmonium")
    last = narrate(read_run_file(recording.path).trace, get(recording.reader))[-1]
    assert last.count("which was refused") == 1
    assert "That happened 3 times. It ended without an answer" in last


@pytest.mark.parametrize("recording", recordings(), ids=lambda recording: recording.path.stem)
def test_the_last_step_says_that_it_answered_also_where_a_reply_could_not_be_used(recording: Recording) -> None:
    reading = read_run_file(recording.path)
    last = narrate(reading.trace, get(recording.reader))[-1]
    told = re.search("It answered|The answer says|It ended|It gave up|It stopped", last)
    wrong = re.search("could not be used", last)
    assert told
    assert not wrong or told.start() < wrong.start()
