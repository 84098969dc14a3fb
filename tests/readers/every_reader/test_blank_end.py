"""White space at the end of a text is no segment of its own; readings made when it was one replay as they were made."""

from __future__ import annotations

import json

import pytest

from readers import READERS, get
from readers.engine.files.runs.import_run import check_run_file, save_checked
from readers.engine.files.runs.run_file import run_file
from readers.engine.forks.fork import fork
from readers.engine.models.model import RefusingModel
from readers.engine.models.offline import Offline
from readers.engine.record.edits import ReplyEdit
from readers.engine.record.events import Cut
from readers.engine.run.execute import Execution, RunSpec, create_run, cut_before_asking, execute, rehearse
from readers.engine.run.reader import Reader
from readers.engine.store import Store, open_reading
from readers.engine.text.document import Document
from tests.support.readings.every_reading import SMALL, small_parts

ASK_BEFORE_THEY_CUT = ("readagent", "recursive")
TEXT = Document.of("word " * 600)
every_reader = pytest.mark.parametrize(
    "reader", [one for one in READERS if one.part_size and one.id not in ASK_BEFORE_THEY_CUT], ids=lambda reader: reader.id
)


def spec(reader: Reader, **more: object) -> RunSpec:
    options = {**SMALL[reader.id], **small_parts(reader)}
    return RunSpec(reader.id, reader.version, "Which word?", options=options, **more)  # type: ignore[arg-type]


def cuts(store: Store, run: str) -> list[str]:
    """The pieces of the text that a reading cut first."""
    first = next(event for event in open_reading(store, run).trace.events if isinstance(event, Cut))
    return [TEXT.text[start:end] for start, end in first.spans]


@every_reader
def test_a_texts_end_of_white_space_is_no_segment(reader: Reader, store: Store) -> None:
    made = execute(store, create_run(store, TEXT, reader, spec(reader)).id, reader, Execution(Offline()))
    found = cuts(store, made.id)
    assert "".join(found) == TEXT.text
    assert all(map(str.strip, found))


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.id)
def test_no_reader_cuts_white_space_alone_anywhere(reader: Reader) -> None:
    """Also those that ask while they cut."""
    given = RunSpec(reader.id, reader.version, "Which word?", options=SMALL[reader.id])
    trace = rehearse(TEXT, reader, given, Offline())
    found = [span for event in trace.events if isinstance(event, Cut) for span in event.spans]
    assert "".join(TEXT.text[start:end] for start, end in found) == TEXT.text
    assert all(TEXT.text[start:end].strip() for start, end in found)


@pytest.mark.scale
@pytest.mark.parametrize("reader", [one for one in READERS if one.id not in ASK_BEFORE_THEY_CUT], ids=lambda reader: reader.id)
def test_none_does_at_its_own_size_of_parts(reader: Reader) -> None:
    """Of those that cut before they ask."""
    text = Document.of("word " * 60_000)
    found = cut_before_asking(text, reader, RunSpec(reader.id, reader.version, "Which word?"))
    assert "".join(text.text[start:end] for start, end in found) == text.text
    assert all(text.text[start:end].strip() for start, end in found)


@pytest.mark.parametrize("reader", [get("memagent"), get("qrmem")], ids=lambda reader: reader.id)
def test_a_reading_that_has_such_a_segment_is_executed_forked_and_imported_as_it_is(reader: Reader, store: Store) -> None:
    made = execute(store, create_run(store, TEXT, reader, spec(reader, blank_end=True)).id, reader, Execution(Offline()))
    assert cuts(store, made.id)[-1] == " "
    stored = {
        name: value for name, value in store.runs.get(made.id).spec.items() if name != "blank_end"
    }  # as it was written then
    store.connection.execute("UPDATE runs SET spec = ? WHERE id = ?", (json.dumps(stored), made.id))
    before = store.runs.tape(made.id).events()
    store.connection.execute("UPDATE runs SET status = 'interrupted' WHERE id = ?", (made.id,))
    assert execute(store, made.id, reader, Execution(RefusingModel())).status == "finished"
    assert store.runs.tape(made.id).events() == before
    file = json.dumps(run_file(store, made.id, reader)).encode()
    imported = save_checked(store, check_run_file(file, "old.json", readers=get))
    last = next(one for one in reversed(open_reading(store, imported.id).records) if one.task != "score")
    forked = fork(store, open_reading(store, imported.id), reader, ReplyEdit(last.seq, last.attempt, last.reply or ""))
    assert execute(store, forked.id, reader, Execution(Offline())).status == "finished"
    assert cuts(store, forked.id)[-1] == " "
