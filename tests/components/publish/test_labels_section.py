"""The page Labels of a site: the reports of the project, people as letters everywhere, and only for who may see everything."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape

import pytest

from components.publish import gather
from components.publish.labels_section import PATH
from components.publish.pseudonyms import Pseudonyms
from components.publish.site import files
from readers.cli import main
from readers.engine.analysis import label_report, visible_labels
from readers.engine.errors import BadOptions, NotFound
from readers.engine.files.labels.export_labels import gathered
from readers.engine.files.labels.read_labels import read_label_file
from readers.engine.files.runs.content import content_of
from readers.engine.labels.codebook import preset
from readers.engine.labels.project import HOST, Project, Settings
from readers.engine.store import Store
from tests.components.publish.sites import batch
from tests.hostile.payloads import MARKUP
from tests.support.labelled_projects import code, done, keep, label_all

__all__ = ["batch"]
PEOPLE = ("Zora Quill", "Ben Okri")


@pytest.fixture
def project(store: Store, batch: str) -> Project:
    """The readings of a batch, labelled by two people under a third."""
    runs = [run.id for run in store.batches.runs_of(batch)]
    settings = Settings(lead="Lea Vogel", start_stage=3, share=1.0, annotators=10, seed=7)
    where = store.projects.create("What Lea Vogel asked", settings, runs=runs, book=preset(), by="Lea Vogel")
    for name in PEOPLE:
        store.projects.join(where.id, name)
    label_all(store, where, names=PEOPLE)
    return where


def site(store: Store, project: Project, *, names: bool = False) -> dict[str, bytes]:
    return dict(files(gather.of_project(store, project, lambda run: None, names=names)))


def test_its_figures_are_those_of_the_reports(store: Store, project: Project) -> None:
    page = unescape(site(store, project)[PATH].decode())
    visible, about = visible_labels.finished(store, project)
    agreed = label_report.agreement_report(visible, about)
    assert agreed.methods in page
    for table in agreed.tables[:1]:
        for row in table.rows:
            assert row.name in page
            for cell in row.cells:
                assert f">{cell.content}<" in page.replace("</span>", "</span>>").replace(">>", ">")
    assert "Disagreements" in page


def test_no_name_is_in_the_site_and_people_are_letters_in_the_order_in_which_they_joined(store: Store, project: Project) -> None:
    made = site(store, project)
    for path, words in made.items():
        assert not re.search(rb"Zora|Quill|Okri|\bBen\b|Vogel", words), path
    lines = list(map(json.loads, made["downloads/labels.jsonl"].decode().splitlines()))
    assert [one["name"] for one in lines[0]["annotators"]] == ["A", "B"]
    assert {one["annotator"] for one in lines[1:] if one["what"] == "label"} == {"A", "B"}
    assert lines[0]["settings"]["lead"] == "C"
    assert lines[0]["project"]["name"] == "What C asked"
    assert "downloads/project.zip" not in made


def test_nothing_in_its_files_is_made_from_a_name(store: Store, project: Project) -> None:
    """An id that is made from a name says whether a guessed name is right."""
    made = site(store, project)
    ids = {label.id for label in gathered(store, project.id, HOST).labels}
    assert ids
    assert not [one for one in ids if one.encode() in made["downloads/labels.jsonl"] + made["downloads/labels.csv"]]


def test_labels_with_letters_can_be_read_again(store: Store, project: Project) -> None:
    found = read_label_file("labels.jsonl", site(store, project)["downloads/labels.jsonl"])
    assert len(found.labels) == len(gathered(store, project.id, HOST).labels)
    assert len({label.id for label in found.labels}) == len(found.labels)


def test_with_names_they_are_there_and_so_is_the_file_of_the_project(store: Store, project: Project) -> None:
    made = site(store, project, names=True)
    assert b"Zora Quill" in made["downloads/labels.jsonl"]
    assert made["downloads/project.zip"][:2] == b"PK"


def test_only_who_sees_everything_may_publish_a_project(store: Store, project: Project) -> None:
    viewer = store.projects.viewer(project.id, PEOPLE[0])
    assert not viewer.whole
    with pytest.raises(BadOptions, match="see everything"):
        gather.of_project(store, project, lambda run: None, viewer=viewer)


def test_a_project_in_which_nobody_has_finished_is_refused(store: Store, batch: str) -> None:
    runs = [run.id for run in store.batches.runs_of(batch)]
    where = store.projects.create("New", Settings(), runs=runs, book=preset(), by="Lea")
    with pytest.raises(NotFound, match="finished"):
        gather.of_project(store, where, lambda run: None)


def test_names_in_what_people_wrote_are_letters_and_words_are_words() -> None:
    letters = Pseudonyms(["Will May", "Ada", "Ada"])
    assert letters.words("Will May says so, and ada may; Ada will. Adam, Adas") == "A says so, and ada may; B will. Adam, Adas"
    assert letters.words("I agree with Will.") == "I agree with A."
    assert letters.of("ADA") == "B"
    assert letters.of("model: gpt") == "model: gpt"
    assert Pseudonyms(f"name {n}" for n in range(28)).of("name 27") == "AB"
    assert Pseudonyms([]).words("Ada") == "Ada"


def test_what_people_wrote_is_text(store: Store, project: Project) -> None:
    words = "".join(MARKUP)
    runs = store.projects.readings(project.id)
    store.projects.join(project.id, "Eve")
    keep(store, project, [replace(code(project, runs[0], "Eve", 3, code="N2", note=words))], [done(project, runs[0], "Eve")])
    made = site(store, project)
    pages = [made[PATH].decode(), made[f"reading/{content_of(store, store.runs.get(runs[0]))}/index.html"].decode()]
    assert "window.hurt" in pages[1]
    for page in pages:
        assert "<script" not in page.partition("<main")[2].partition("</main>")[0]
        assert not re.search(r"<[^>]+\son\w+=", page)


def test_the_command_publishes_a_project_by_its_name(store: Store, project: Project, tmp_path: object) -> None:
    folder = f"{tmp_path}/site"
    assert main(["publish", project.name, "-o", folder]) == 0
    with open(f"{folder}/{PATH}", encoding="utf-8") as page:
        assert "Agreement on single codes" in page.read()
