"""The page How it was made: the settings and prompts of the readings, how to cite and to make them again, and all downloads."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from components.publish import again, citing, gather
from components.publish.made_section import BIBTEX, CITATION, PATH
from components.publish.site import files
from readers import READERS, get
from readers.cli import main
from readers.engine.prompts.options import title_of as option_title
from readers.engine.run.batches import BatchPlan, Draw
from readers.engine.run.execute import RunSpec
from readers.engine.store import Store, open_reading
from tests.components.publish.sites import batch, made, of

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


def test_the_command_makes_the_same_plan_again(store: Store, batch: str, capsys: pytest.CaptureFixture[str]) -> None:
    (command,) = of(store, batch).again
    words = shlex.split(command)
    assert words[:4] == ["python", "-m", "readers", "batch"]
    before = {one.id for one in store.batches.listed()}
    assert main(words[3:]) == 0
    (fresh,) = [one for one in store.batches.listed() if one.id not in before]

    def variants(plan: object) -> list[tuple[object, ...]]:
        made_of = BatchPlan.of(plan).variants  # type: ignore[arg-type]
        return [(one.reader, one.model, {name: str(of) for name, of in one.options.items()}, one.temperature) for one in made_of]

    assert variants(fresh.plan) == variants(store.batches.get(batch).plan)
    capsys.readouterr()


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
