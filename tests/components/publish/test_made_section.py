"""The page How it was made: the settings and prompts of the readings, how to cite and to make them again, and all downloads."""

from __future__ import annotations

import io
import json
import re
import shlex
import tarfile
from dataclasses import replace
from hashlib import sha256
from html import unescape
from pathlib import Path

import pytest

from components.publish import again, citing, gather, gather_batch, settings_table, shipped
from components.publish.again import QUESTIONS
from components.publish.contents import SiteReading
from components.publish.made_section import BIBTEX, CITATION, PATH
from components.publish.private import Inspection
from components.publish.settings_table import SHARED
from components.publish.site import RUN_FILES, files
from readers import READERS, get
from readers.cli import main
from readers.engine.analysis.measures import calls_counted
from readers.engine.canonical import canonical, digest
from readers.engine.files.runs.content import content_of
from readers.engine.forks.fork import fork
from readers.engine.models.offline import Offline
from readers.engine.prompts.options import title_of as option_title
from readers.engine.questions.question_set import SetQuestion
from readers.engine.record.edits import ReplyEdit
from readers.engine.run.batches import BatchPlan, Draw
from readers.engine.run.execute import Execution, RunSpec, execute
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
        of(store, batch),
        title='A "title": {with} # signs & \\',
        address="https://example.org/a/",
        authors=["Ada Vogel"],
        version="0123",
    )
    found = yaml.safe_load(citing.cff(contents))
    assert found["title"] == contents.title
    assert found["authors"] == [{"name": "Ada Vogel"}]
    assert found["url"] == contents.address
    assert found["version"] == contents.version
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


def _version(site: dict[str, bytes]) -> str:
    version = json.loads(site["site.json"])["version"]
    assert re.fullmatch("[0-9a-f]{12}", version)
    assert f"@misc{{site-{version}," in site[BIBTEX].decode()
    assert yaml.safe_load(site[CITATION])["version"] == version
    assert f"<dd>{version}:" in site[PATH].decode()
    return str(version)


def test_the_version_of_a_site_is_that_of_all_in_it_and_its_readings_have_their_own(store: Store, batch: str) -> None:
    contents = of(store, batch)
    first = _version(made(store, batch))
    assert _version(made(store, batch)) == first
    titled = replace(contents, title="Another title")
    fewer = replace(contents, readings=contents.readings[1:])
    told = [replace(contents.readings[0], watch="See how it ends."), *contents.readings[1:]]
    others = [titled, fewer, replace(contents, readings=told), replace(contents, texts=False)]
    assert len({first, *(_version(dict(files(one))) for one in others)}) == 5
    assert citing.of_readings(titled) == citing.of_readings(contents) != citing.of_readings(fewer)


def test_the_version_covers_every_file_that_does_not_say_it(store: Store, batch: str) -> None:
    site = made(store, batch)
    say_it = (PATH, "site.json", CITATION, BIBTEX)
    covered = {path: sha256(words).hexdigest() for path, words in site.items() if path not in say_it}
    assert _version(site) == digest(canonical(covered))[:12]


def test_papers_are_links_and_palimpsest_is_one_if_it_names_its_home(
    store: Store, batch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert '<a href="https://arxiv.org/abs/2507.02259" rel="noopener noreferrer">' in made(store, batch)[PATH].decode()
    assert bool(citing.home()) == bool(re.search("^(repository-code|url):", Path("CITATION.cff").read_text(), re.M))
    monkeypatch.setattr(citing, "home", lambda: "https://example.org/palimpsest")
    site = made(store, batch)
    assert '<a href="https://example.org/palimpsest" rel="noopener noreferrer">Palimpsest</a>' in site[PATH].decode()
    assert "url = {https://example.org/palimpsest}" in site[BIBTEX].decode()
    assert yaml.safe_load(site[CITATION])["references"][0]["repository-code"] == "https://example.org/palimpsest"


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


def test_calls_made_and_replies_reused_are_told_apart(store: Store) -> None:
    document = Document("The ferry", TEXT)
    asked = [SetQuestion(str(n), document.id, words, (), ("Cole",), True) for n, words in enumerate(["Who rows?", "Who rings?"])]
    options = {"min_words": 50, "max_words": 100}
    made_batch = read(planned(store, document, asked, RunSpec("readagent", get("readagent").version, "", options=options)))
    counts = [calls_counted(open_reading(store, run.id).records) for run in store.batches.runs_of(made_batch)]
    live, reused = (sum(one) for one in zip(*counts, strict=True))
    assert reused
    site = made(store, made_batch)
    page = unescape(site[PATH].decode())
    assert f"<dt>Calls</dt><dd>{live:,} made, {reused:,} replies reused</dd>" in page
    assert SHARED in page
    front = site["index.html"].decode()
    told = {f"{made_of} calls{f', {of_others} reused' if of_others else ''}" for made_of, of_others in counts}
    assert {one.strip() for one in re.findall(r"\d+ calls[^<·]*", front)} == told


def test_forks_are_counted_apart_from_the_columns(store: Store, batch: str) -> None:
    parent = next(run for run in store.batches.runs_of(batch) if run.reader == "whole")
    changed = fork(store, open_reading(store, parent.id), get("whole"), ReplyEdit(0, 0, "Cole."))
    execute(store, changed.id, get("whole"), Execution(Offline()))
    page = unescape(dict(files(gather.of_runs(store, [parent], lambda run: None, title="One")))[PATH].decode())
    assert "Not in these columns: 1 fork, calls: 0 made." in page


@pytest.mark.parametrize(("given", "said"), [
    ([("a", 400), ("b", 900), ("b", 900)], "400 to 900, by text"),
    ([("a", 0.0), ("a", 0.8), ("b", 0.8)], "0; 0.8"),
    ([("a", 5), ("b", 5), ("b", None)], "5"),
    ([("a", "x"), ("b", "y")], "x; y"),
])  # fmt: skip
def test_a_range_is_by_text_only_if_each_text_has_one_value(given: list[tuple[str, object]], said: str) -> None:
    assert settings_table.in_words(given) == said


def test_an_option_that_has_no_effect_is_left_out(store: Store) -> None:
    document = Document("The ferry", TEXT)
    asked = [SetQuestion("1", document.id, "Who rows?", (), ("Hester Vane",), True)]
    options = {"similarity": "bm25", "embedding_model": "text-embedding-3-small"}
    specs = RunSpec("retrieval", get("retrieval").version, "", options=options)
    page = made(store, read(planned(store, document, asked, specs)))[PATH].decode()
    assert "(similarity)" in page
    assert "(embedding_model)" not in page


def test_a_prompt_in_two_wordings_lists_the_readings_of_each(store: Store, batch: str) -> None:
    contents = of(store, batch)
    one, other = (run for run in store.batches.runs_of(batch) if run.reader == "whole")

    prompts = {run.id: store.runs.tape(run.id).prompts() for run in (one, other)}
    assert prompts[one.id].keys() == prompts[other.id].keys()
    assert "#list=" not in made(store, batch)[PATH].decode().partition("Prompts")[2]

    (key,) = prompts[one.id]
    changed = replace(prompts[one.id][key], template=f"Again: {prompts[one.id][key].template}")

    def opening(reading: SiteReading) -> SiteReading:
        return replace(reading, open=lambda: replace(reading.open(), prompts={changed.hash: changed}))

    readings = [opening(each) if each.run.id == one.id else each for each in contents.readings]
    page = unescape(dict(files(replace(contents, readings=readings)))[PATH].decode())
    for key_of in (key, changed.hash):
        found = re.search(rf"{key_of}</code></summary><p class=\"site-note\"><a href=\"#list=([\w-]+)\">in 1 reading</a>", page)
        assert found
        assert len(re.findall(rf'<li data-in="{found[1]}"', page)) == 1


def test_what_comes_along_says_when_with_which_weights_and_under_which_licence_it_was_made() -> None:
    site = dict(files(shipped.shipped()))
    page = site[PATH].decode()
    assert "<dt>Read</dt><dd>2026-11-" in page
    assert "local/qwen2.5-coder-1.5b-instruct-q4_k_m" in page
    assert page.count(">Apache-2.0<") == 3
    assert "year = {2026}" in site[BIBTEX].decode()
    with tarfile.open(fileobj=io.BytesIO(site[RUN_FILES]), mode="r:xz") as archive:
        found = [json.loads(file.read()) for member in archive if (file := archive.extractfile(member))]
    assert len(found) == len(shipped.shipped().readings)
    listed = {one["content_id"] for one in json.loads(site["site.json"])["readings"]}
    assert {one["run"]["content_id"] for one in found} == listed
    assert all("known_answer" in one["run"] for one in found)
    assert any(one.get("facts") for one in found)


def test_a_site_has_the_title_that_it_is_given(
    store: Store, batch: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["publish", batch, "-o", str(tmp_path / "site"), "--title", "Ferries for the paper"]) == 0
    capsys.readouterr()
    assert json.loads((tmp_path / "site" / "site.json").read_text())["title"] == "Ferries for the paper"
    assert "<h1>Ferries for the paper</h1>" in (tmp_path / "site" / "index.html").read_text()
