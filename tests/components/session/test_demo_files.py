"""A public demo opens no file of the host's machine that a visitor names: not to read, not to estimate, not from a run file."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from components.session import access, demos, start_runs, state
from readers import READERS, get
from readers.engine.errors import BadOptions
from readers.engine.files.runs.run_file import run_file
from readers.engine.models import tokenizer_files
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from tests.support.app_pages import opened, words
from tests.support.models.scripted_models import Scripted, parts_of
from tests.support.texts_and_files import tiny_tokenizer

REFUSED = "public demo: no tokenizer's file can be named here"


@pytest.fixture
def named(tmp_path: Path) -> str:
    """A tokenizer on the host's machine, which could be used."""
    return tiny_tokenizer.save(tmp_path / "tokenizer.json")


@pytest.fixture
def looked_for(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A demo, and the files that were looked for in it."""
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    monkeypatch.setattr(access, "visitor", lambda: "ann")
    found: list[str] = []
    load = tokenizer_files._load

    def noted(path: str) -> Any:
        found.append(path)
        return load(path)

    monkeypatch.setattr(tokenizer_files, "_load", noted)
    return found


def named_on(app: Any, path: str) -> Any:
    """The page after somebody named a file in the field for it."""
    (field,) = (box for box in app.text_input if box.label == "Tokenizer file")
    return field.set_value(path).run()


def test_the_page_read_neither_estimates_nor_starts(named: str, looked_for: list[str]) -> None:
    with opened("2_Read") as app:
        app.run()
        (reader,) = (box for box in app.radio if box.label == "Reader")
        reader.set_value(next(n for n, one in enumerate(READERS) if one.id == "memagent")).run()
        named_on(app, named)
        next(button for button in app.button if button.label == "Start reading").click().run()
        assert not app.exception
        assert words(app).count(REFUSED) == 2  # under Start, and where the estimate would be
    assert looked_for == []
    with Store() as store:
        assert store.runs.listed() == []


def test_the_page_questions_does_not_estimate(named: str, looked_for: list[str], store: Store) -> None:
    document = parts_of(3)
    asked = SetQuestion("q", document.id, "What begins in part 1?")
    set_id = store.question_sets.add(QuestionSet("Mine", (asked,), (document,))).id
    with opened("5_Questions") as app:
        app.query_params["set"] = set_id
        app.run()
        app.multiselect(key=state.key("variant_readers", set_id)).set_value(["memagent"]).run()
        named_on(app, named)
        assert not app.exception
        assert REFUSED in words(app)
        assert not any(button.label.startswith("Start") for button in app.button)
    assert looked_for == []


def test_a_run_file_that_names_one_is_not_imported(
    named: str, store: Store, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    reader = get("memagent")
    spec = RunSpec(reader.id, reader.version, "Who?", options={"tokenizer": named, "chunk_tokens": 97})
    run = create_run(store, parts_of(2), reader, spec)
    done = execute(store, run.id, reader, Execution(Scripted(lambda call: "\\boxed{so}")))
    assert done.status == "finished", done.error
    data = json.dumps(run_file(store, run.id, reader)).encode()
    store.runs.delete(run.id)
    looked_for = request.getfixturevalue("looked_for")
    with pytest.raises(BadOptions, match=REFUSED):
        access.import_run(data, "mine.json")
    assert (looked_for, store.runs.listed()) == ([], [])


@pytest.mark.parametrize("path", ["/etc/passwd", "nowhere.json"])
def test_no_spec_is_made_with_one(path: str, looked_for: list[str]) -> None:
    with pytest.raises(BadOptions, match=REFUSED):
        start_runs.new_spec(get("rememr1"), "Who?", options={"tokenizer": path})
    assert looked_for == []


def test_every_option_in_free_words_is_known_to_the_demo() -> None:
    """A new one that names a file belongs into `demos.check_options`."""
    free = {field.name for reader in READERS for field in fields(reader.Options) if field.type == "str"}
    assert free == {"tokenizer", "embedding_model"}
    with pytest.raises(BadOptions, match="public demo"):
        demos.check_options({"tokenizer": "tokenizer.json"})
    demos.check_options({"tokenizer": "", "embedding_model": "text-embedding-3-small"})
