"""Ben imports files that Anna exported, or that claim her ids: he gets what the file says and nothing of hers besides, her rows
stay as they are, and nothing that he is told depends on whether what the file names is there."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from components.session import access, demos
from readers.engine.errors import ReadingError
from readers.engine.files.labels.export_labels import as_jsonl, gathered
from readers.engine.files.labels.import_labels import LabelImport, import_labels
from readers.engine.files.labels.read_labels import LabelFile, read_label_file
from readers.engine.files.runs.run_file import run_file
from readers.engine.forks.fork import fork
from readers.engine.labels.project import HOST, Settings, Viewer
from readers.engine.models.offline import Offline
from readers.engine.record.edits import ReplyEdit
from readers.engine.run.execute import Execution, execute
from readers.engine.store import Run, Store, open_reading
from tests.components.session.test_two_visitors import TEXT, everything
from tests.engine.store.test_delete import READER, read
from tests.support.app_pages import opened
from tests.support.labels import BOOK, about

ANNOTATOR = "Annas annotator"
SECRET = ("Annas name", "Annas note", "annas tag", "Annas owner", "Annas project")  # what is in no run file


@dataclass(frozen=True)
class Annas:
    """What Anna has, and the files she made of it: a reading, a fork of it, and the labels of a project with both."""

    run: Run
    fork: Run
    project: str
    files: dict[str, dict[str, Any]]
    labels: bytes


@pytest.fixture
def annas(store: Store, monkeypatch: pytest.MonkeyPatch) -> Annas:
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    monkeypatch.setattr(access, "visitor", lambda: "ben")
    monkeypatch.setattr(demos, "address", lambda: "192.0.2.1")
    with Store(visitor="anna") as anna:
        run = read(anna, TEXT, "Where is word3x3?")
        forked = fork(anna, open_reading(anna, run.id), READER, ReplyEdit(0, 0, "A summary of another thing."))
        forked = execute(anna, forked.id, READER, Execution(Offline()))
        anna.run_list.rename(run.id, "Annas name")
        anna.run_list.set_note(run.id, "Annas note")
        anna.run_list.tag([run.id], "annas tag")
        project = anna.projects.create("Annas project", Settings(start_stage=3), runs=[run.id], book=BOOK, by="Annas owner")
        anna.projects.join(project.id, ANNOTATOR)
        anna.turns.open(project.id, run.id, ANNOTATOR)
        for kind, value in (("outcome", "wrong"), ("decisive", {"step": 1, "confidence": 2, "words": "it turns here"})):
            anna.labels.put(about(project, run.id, ANNOTATOR, kind, value), 0)
        files = {one.id: run_file(anna, one.id, READER) for one in (run, forked)}
        labels = as_jsonl(gathered(anna, project.id, HOST)).encode()
    return Annas(run, forked, project.id, files, labels)


def rows() -> Counter[str]:
    with Store() as store:
        return Counter(line for line in store.connection.db.iterdump() if "demo_" not in line)


@pytest.fixture
def unchanged(annas: Annas) -> Iterator[None]:
    """No row that was there before is gone or another after."""
    before = rows()
    yield
    assert not before - rows()


def other(word: str) -> str:
    """An id of the same form that is nobody's."""
    return word.translate(str.maketrans("0123456789abcdef", "56789abcdef01234"))


def imported(data: dict[str, Any]) -> Run | str:
    try:
        return access.import_run(json.dumps(data).encode(), "reading.json")
    except ReadingError as error:
        return f"{type(error).__name__}: {error}"


def shown(run_id: str) -> str:
    """All that the pages show Ben: his list of readings, and the reading."""
    pages = []
    for page, asks in (("3_Readings", {}), ("3_Trace", {"run": run_id, "depth": "full"})):
        with opened(page) as app:
            app.query_params.update(asks)
            app.run()
            assert not app.exception
            pages.append(everything(app))
    return "\n".join(pages)


def told(found: Run | str, named: dict[str, str]) -> str:
    """All that Ben learns by an import: its message, or its reading and what comes with it. Ids are `named`, times left out."""
    said = found
    if isinstance(found, Run):
        with Store(visitor="ben") as ben:
            run = replace(ben.runs.get(found.id), created="", started=None, ended=None)
            of_it = [run, run_file(ben, run.id, READER), len(ben.runs.family(run.id))]
            said = re.sub(
                r"'created': '[^']*'", "", repr([*of_it, [one.title for one in ben.documents.listed()], ben.run_list.facets()])
            )
            assert run.parent is None
        named = {found.id: "<imported>", **named}
    for word, name in named.items():
        said = str(said).replace(word, name)
    return str(said)


def deleted(found: Run | str) -> None:
    if isinstance(found, Run):
        with Store(visitor="ben") as ben:
            ben.runs.delete(found.id)


def changed(data: dict[str, Any], **columns: Any) -> dict[str, Any]:
    return {**data, "run": {**data["run"], **columns}}


def retold(data: dict[str, Any], **document: Any) -> dict[str, Any]:
    return {**data, "document": {**data["document"], **document}}


def claims(annas: Annas) -> dict[str, Callable[[Callable[[str], str]], dict[str, Any]]]:
    """Files that name what is Anna's; each is made with a function of her ids, which may make them nobody's."""
    whole, forked = annas.files[annas.run.id], annas.files[annas.fork.id]
    return {
        "her reading": lambda of: changed(whole, id=of(annas.run.id)),
        "her fork": lambda of: changed(forked, id=of(annas.fork.id), parent=of(annas.run.id)),
        "a fork of her fork": lambda of: changed(forked, parent=of(annas.fork.id)),
        "her reading as its own parent": lambda of: changed(whole, id=of(annas.run.id), parent=of(annas.run.id), fork_at=0),
        "her text under another title": lambda of: retold(whole, id=TEXT.id, title="Bens"),
        "the id of her text for other words": lambda of: retold(whole, id=of(TEXT.id), text="Annas words", chars=11),
    }  # fmt: skip


def same(word: str) -> str:
    return word


@pytest.mark.usefixtures("unchanged")
def test_a_file_with_anothers_ids_is_imported_as_one_with_nobodys(annas: Annas) -> None:
    ids = {of(one): "<id>" for one in (annas.run.id, annas.fork.id, TEXT.id) for of in (same, other)}
    for name, made in claims(annas).items():
        said = []
        for of in (same, other):
            found = imported(made(of))
            assert isinstance(found, str) == name.startswith("the id of"), name
            said.append(told(found, ids))
            deleted(found)
        assert said[0] == said[1], name
        assert not [words for words in SECRET if words in said[0]]


@pytest.mark.slow
@pytest.mark.usefixtures("unchanged")
def test_the_pages_show_of_such_a_file_what_they_show_of_one_with_nobodys_ids(annas: Annas) -> None:
    seen = []
    for of in (same, other):
        found = imported(claims(annas)["her fork"](of))
        assert isinstance(found, Run)
        said = shown(found.id).replace(found.id, "<imported>")
        assert not [words for words in (*SECRET, annas.run.id) if words in said]
        seen.append(said)
        deleted(found)
    assert seen[0] == seen[1]


def put_in(file: LabelFile, viewer: Viewer) -> LabelImport | str:
    with Store(visitor="ben") as ben:
        [project] = ben.projects.listed()
        try:
            return import_labels(ben, project.id, file, viewer=viewer)
        except ReadingError as error:
            return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("whole", [True, False], ids=["as the owner", "as an annotator"])
@pytest.mark.usefixtures("unchanged")
def test_a_file_of_labels_with_anothers_ids_finds_nothing_there(annas: Annas, *, whole: bool) -> None:
    own = imported(annas.files[annas.run.id])
    assert isinstance(own, Run)
    with Store(visitor="ben") as ben:
        project = ben.projects.create("Bens", Settings(start_stage=3, share=1.0), runs=[own.id], book=BOOK, by="Ben")
        ben.projects.join(project.id, ANNOTATOR)
        ben.turns.open(project.id, own.id, ANNOTATOR)
        viewer = HOST if whole else ben.projects.viewer(project.id, ANNOTATOR)
    whole_file = read_label_file("annas.jsonl", annas.labels)
    hers = replace(whole_file, contents={})
    assert {label.run for label in hers.labels} == {annas.run.id}
    refused = put_in(hers, viewer)
    assert isinstance(refused, str)

    def moved(run: str, of: Callable[[str], str]) -> LabelFile:
        labels = [replace(one, run=run, project=of(one.project), id=of(one.id)) for one in hers.labels]
        return replace(hers, labels=tuple(labels), turns=tuple(one._replace(run=run) for one in hers.turns))

    none = put_in(moved(other(annas.run.id), other), viewer)
    assert refused.replace(annas.run.id, "<run>") == str(none).replace(other(annas.run.id), "<run>")
    added = put_in(moved(own.id, same), viewer)
    assert isinstance(added, LabelImport)
    assert (added.added, added.same, added.clashes) == (len(hers.labels), 0, ())  # hers are stored, and not "stored before"
    by_content = put_in(whole_file, viewer)  # Ben's own copy of the reading is found, and nothing of hers
    assert isinstance(by_content, LabelImport)
    assert (by_content.added, by_content.same) == (0, len(hers.labels))
    with Store(visitor="ben") as ben:
        stored = ben.labels.in_project(project.id, HOST)
        assert not {one.id for one in stored} & {one.id for one in hers.labels}
        assert {one.run for one in stored} == {own.id}
