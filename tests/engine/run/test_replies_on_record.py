"""A reply on record is read as it was when it came, whatever reads replies since: replay, fork, run file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from readers import get
from readers.engine.errors import BadRunFile
from readers.engine.files.runs.import_run import import_run
from readers.engine.files.runs.run_file import run_file
from readers.engine.forks.fork import fork
from readers.engine.models.call import REPLY_RULES
from readers.engine.models.model import RefusingModel
from readers.engine.prompts.formats.blocks import Block
from readers.engine.prompts.formats.form import Field, Form, Parsed, Unreadable
from readers.engine.prompts.formats.free_text import Free
from readers.engine.record.edits import ReplyEdit
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Run, Store, open_reading
from tests.engine.files.runs.import_run.conftest import exported, there, written
from tests.support.models.scripted_models import COMMIT, parts_of, walker
from tests.support.readings.replays import replayed

__all__ = ["there"]
READER = get("memwalker")
COUNTED = "The first part. [Tokens: 5]"
LATER_READ = "Reasoning: it is there. Action: 0"


def patched(form: type[Form], patch: pytest.MonkeyPatch, reads: Callable[[str], Any]) -> None:
    """The form as it once was: `reads` says what it made of a reply, or None where nothing has changed."""
    now = form.parse
    patch.setattr(form, "parse", lambda self, reply, sizes: reads(reply) or now(self, reply, sizes))


@pytest.fixture
def old(store: Store, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A finished reading by rules that kept a count of tokens, and did not read two fields on a line."""
    with monkeypatch.context() as patch:
        patched(Free, patch, lambda reply: Parsed({"text": Field(reply, 0, len(reply))}) if "[Tokens" in reply else None)
        patched(Block, patch, lambda reply: Unreadable("it was of no use then") if reply == LATER_READ else None)
        model = walker([LATER_READ, 0, COMMIT], summaries=lambda call: COUNTED)
        options = {"segment_tokens": 64, "max_children": 3}
        spec = RunSpec("memwalker", READER.version, "When?", options=options, reply_rules=1)
        run = create_run(store, parts_of(3), READER, spec)
        done = execute(store, run.id, READER, Execution(model))
    assert (done.status, done.outcome) == ("finished", "answered"), done.error
    return done


def test_it_replays_as_it_was(store: Store, old: Run) -> None:
    trace = replayed(store, old, READER)
    assert "it was of no use then" in str(trace.events)
    assert COUNTED in str(trace.events)


def test_a_fork_begins_with_it_as_it_was(store: Store, old: Run) -> None:
    last = max(record.seq for record in store.runs.tape(old.id).records())
    edited = "Reasoning: so\nAction: -2\nAnswer: never"
    made = fork(store, open_reading(store, old.id), READER, ReplyEdit(last, 0, edited))
    done = execute(store, made.id, READER, Execution(RefusingModel()))
    assert (done.status, done.answer) == ("finished", "never"), done.error
    assert "it was of no use then" in str(replayed(store, done, READER).events)


def test_its_run_file_is_imported_as_it_was_if_it_says_that_it_is_old(store: Store, old: Run, there: Store) -> None:
    data = exported(store, old)
    imported = import_run(there, written(data), "old.json", readers=get)
    assert run_file(there, imported.id, READER)["events"] == data["events"]
    assert not imported.unchecked
    data["run"]["spec"]["reply_rules"] = REPLY_RULES
    with pytest.raises(BadRunFile, match="not what the reading has"):
        import_run(there, written(data), "forged.json", readers=get)


def test_a_value_that_is_not_in_the_reply_is_never_taken_from_a_file(store: Store, old: Run, there: Store) -> None:
    data = exported(store, old)
    data["calls"][0]["parsed"] = {"text": "Another part."}
    with pytest.raises(BadRunFile, match="parsed"):
        import_run(there, written(data), "forged.json", readers=get)
