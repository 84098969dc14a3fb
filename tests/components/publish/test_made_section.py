"""The page How it was made: the settings and prompts of the readings, how to cite and to make them again, and all downloads."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from hashlib import sha256
from html import unescape
from pathlib import Path

import pytest

from components.publish import again, citing, gather, gather_batch
from components.publish.again import QUESTIONS
from components.publish.made_section import BIBTEX, CITATION, PATH
from components.publish.private import Inspection
from components.publish.site import files
from readers import READERS, get
from readers.cli import main
from readers.engine.files.runs.content import content_of
from readers.engine.prompts.options import title_of as option_title
from readers.engine.questions.question_set import SetQuestion
from readers.engine.run.batches import BatchPlan, Draw
from readers.engine.run.execute import RunSpec
from readers.engine.store import Store, open_reading
from readers.engine.text.document import Document
from tests.components.publish.sites import TEXT, batch, made, of
from tests.support.readings.batches import planned, read

__all__ = ["batch"]
yaml = pytest.importorskip("yaml")


def test_it_names_each_reader_with_its_version_settings_and_paper(store: Store, batch: str) -> None:
    page = made(store, batch)[PATH].decode()
    for run in store.batches.runs_of(batch):
        assert f"{get(run.reader).title}, version {run.spec['version']}" in page
        for name, value in run.spec["options"].items():
            if value == "":
                continue
            assert f'<th scope="row">{option_title(get(run.reader).Options, name)} ({name})</th>' in page
            assert f">{value}<" in page or isinstance(value, bool)
    code = get("memagent").pseudo_code
    assert code
    assert code.paper in page


def test_it_has_every_prompt_of_the_readings_with_its_hash(store: Store, batch: str) -> None:
    page = unescape(made(store, batch)[PATH].decode())
    for run in store.batches.runs_of(batch):
        prompts = store.runs.tape(run.id).prompts()
        assert prompts
        for key, prompt in prompts.items():
            assert f"{prompt.id} <code>{key[:16]}</code>" in page
            assert prompt.template in page


def test_its_texts_have_their_whole_hash(store: Store, batch: str) -> None:
    run = store.batches.runs_of(batch)[0]
    document = open_reading(store, run.id).document
    assert re.search(rf">{document.id}[0-9a-f]{{48}}<", made(store, batch)[PATH].decode())


def test_it_lists_everything_that_can_be_downloaded_with_its_size(store: Store, batch: str) -> None:
    site = made(store, batch)
    downloads = site[PATH].decode().partition('id="downloads"')[2]
    there = {path for path in site if path.startswith("downloads/")} | {CITATION, BIBTEX}
    assert set(re.findall(r'href="\.\./([^"]+)"', downloads)) == there


def test_the_citation_is_valid_yaml_and_names_the_papers(store: Store, batch: str) -> None:
    contents = replace(
        of(store, batch), title='A "title": {with} # signs & \\', address="https://example.org/a/", authors=["Ada Vogel"]
    )
    found = yaml.safe_load(citing.cff(contents))
    assert found["title"] == contents.title
    assert found["authors"] == [{"name": "Ada Vogel"}]
    assert found["url"] == contents.address
    assert found["version"] == citing.version(contents)
    paper = next(one for one in found["references"] if one["title"].startswith("MemAgent: Reshaping"))
    assert (paper["year"], paper["notes"], len(paper["authors"])) == (2025, "ICLR 2026", 11)
    bibtex = citing.bibtex(contents)
    assert bibtex.count("{") - bibtex.count(r"\{") == bibtex.count("}") - bibtex.count(r"\}")
    assert "eprint = {2507.02259}" in bibtex
    assert "note = {ICLR 2026}" in bibtex


def test_each_reader_with_a_paper_has_an_entry() -> None:
    named = [reader.id for reader in READERS if "arXiv" in citing.paper_of(reader.id)]
    assert named
    assert all(citing.papers([one]) for one in named)


def test_a_site_has_another_version_if_its_readings_are_others(store: Store, batch: str) -> None:
    contents = of(store, batch)
    assert citing.version(contents) != citing.version(replace(contents, readings=contents.readings[1:]))


def test_the_commands_make_the_same_readings_in_an_empty_home(
    store: Store, batch: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    contents = of(store, batch)
    site = dict(files(contents))
    assert contents.again
    commands = contents.again.commands(with_file=True)
    assert all(command in unescape(site[PATH].decode()) for command in commands)
    assert sha256(site[QUESTIONS]).hexdigest() in site[PATH].decode()
    (tmp_path / QUESTIONS).parent.mkdir()
    (tmp_path / QUESTIONS).write_bytes(site[QUESTIONS])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PALIMPSEST_HOME", str(tmp_path / "empty"))
    for command in commands:
        words = shlex.split(command)
        assert words[:3] == ["python", "-m", "readers"]
        assert main(words[3:]) == 0
    with Store() as other:
        (fresh,) = other.batches.listed()
        assert fresh.question_set == contents.again.set_id
        made_again = {content_of(other, run) for run in other.batches.runs_of(fresh.id)}
    assert made_again == {one.content for one in contents.readings}
    capsys.readouterr()


def test_without_texts_the_questions_are_left_out_and_the_page_says_so(store: Store, batch: str) -> None:
    site = dict(files(replace(of(store, batch), texts=False)))
    assert QUESTIONS not in site
    page = unescape(site[PATH].decode())
    assert "The question set is not in this site" in page
    assert "python -m readers batch Ferries" in page
    assert QUESTIONS not in page


def test_questions_whose_answers_are_kept_from_whoever_publishes_are_no_file(store: Store, batch: str) -> None:
    contents = gather_batch.of_batch(store, store.batches.get(batch), lambda run: None)
    assert QUESTIONS not in dict(files(contents))


def test_what_looks_private_in_the_questions_is_found(store: Store) -> None:
    document = Document("The ferry", TEXT)
    asked = [SetQuestion("1", document.id, "Who rows?", (), ("Hester Vane",), True, note="ask ada.vogel@example.org")]
    made_batch = read(planned(store, document, asked, RunSpec("whole", get("whole").version, "")))
    inspection = Inspection()
    list(files(of(store, made_batch), look=inspection.look))
    assert inspection.found["an e-mail address", "ada.vogel@example.org"]


def test_a_command_has_a_reader_once_and_says_nothing_of_the_machine() -> None:
    one = RunSpec(
        "memagent", 2, "", options={"chunk_tokens": 700}, model="local//home/ada/models/a.gguf", api_base="http://127.0.0.1:1"
    )
    plan = BatchPlan(
        (one, replace(one, options={"chunk_tokens": 900}), replace(one, reader="whole", options={})),
        samples=3, give_choices=False,
        drawn=Draw(8, 3, "8 of 1,449 questions"),
    )  # fmt: skip
    first, second = again.commands(plan, "The set")
    assert first.count("--reader memagent") == second.count("--reader memagent") == 1
    assert "--reader whole" in first
    assert "--sample 8 --seed 3 --samples 3 --no-choices" in first
    assert "'The set'" in first
    assert "/home" not in first + second
    assert "127.0.0.1" not in first + second


def test_a_folder_of_the_machine_is_on_no_page(store: Store, batch: str) -> None:
    site = made(store, batch)
    home = str(Path(store.path).parent).encode()
    written = (".html", ".cff", ".bib", ".csv", ".json")
    assert not [path for path, words in site.items() if path.endswith(written) and home in words]


def test_single_readings_have_the_page_too(store: Store, batch: str) -> None:
    contents = gather.of_runs(store, store.batches.runs_of(batch)[:1], lambda run: None, title="One")
    site = dict(files(contents))
    assert "How to make it again" not in site[PATH].decode()
    assert json.loads(site["site.json"])["title"] == "One"
