"""A published site: whole, inert, the same each time, and without anything of the machine that made it."""

from __future__ import annotations

import io
import json
import re
import tarfile
import zlib
from base64 import b64decode
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup
from PIL import Image

from components.publish import gather, gather_batch, shell, shipped
from components.publish.card import SIZE, draw_card
from components.publish.contents import PublishedReading
from components.publish.site import RUN_FILES, files
from readers import get
from readers.cli import main
from readers.engine.files.import_site import SCHEMA
from readers.engine.files.runs.content import content_of
from readers.engine.forks.fork import fork
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import SetQuestion
from readers.engine.record.edits import ReplyEdit
from readers.engine.run.execute import Execution, RunSpec, execute
from readers.engine.store import Store, open_reading
from readers.engine.text.document import Document, Span
from tests.components.publish.sites import TEXT, batch, of
from tests.components.replay.test_replay import Parsed
from tests.hostile.payloads import MARKUP
from tests.support.readings.batches import planned, read

__all__ = ["batch"]


def value_in(script: bytes) -> Any:
    """What a script of data holds, by its one name."""
    found = re.fullmatch(rb'\(globalThis\.palimpsest \?\?= \{\}\)\["([\w ]+)"\] = "([\w+/=]+)";\n', script)
    assert found
    return json.loads(zlib.decompress(b64decode(found[2])))


def test_every_reading_has_a_page_under_its_content_id_and_the_table_links_to_it(store: Store, batch: str) -> None:
    made = dict(files(of(store, batch)))
    runs = store.batches.runs_of(batch)
    ids = {content_of(store, run) for run in runs}
    assert len(ids) == 4
    front = Parsed(made["index.html"].decode())
    cells = [about for tag, about in front.elements if tag == "a" and about.get("class", "").startswith("site-cell")]
    assert {str(one["href"]).split("/")[1] for one in cells} == ids
    assert all(re.fullmatch(r"reading/[0-9a-f]{32}/index\.html#at=[1-9]\d*", str(one["href"])) for one in cells)
    for one in ids:
        data = value_in(made[f"reading/{one}/data.js"])
        assert data["frames"]["run"] == one
        assert value_in(made[f"texts/{data['document']}.js"]) == TEXT
    assert len([path for path in made if path.startswith("texts/")]) == 1


def test_a_cell_says_how_the_answer_was_graded_and_what_became_of_the_evidence(store: Store, batch: str) -> None:
    contents = of(store, batch)
    front = Parsed(dict(files(contents))["index.html"].decode())
    cells = [about for tag, about in front.elements if tag == "a" and about.get("class", "").startswith("site-cell")]
    told = [(one["data-outcome"], one["data-fate"]) for one in cells]
    graded = {one.run.id: one for one in contents.readings}
    assert sorted(told) == sorted((str(_grade(one)), one.fate.exit.id if one.fate else "") for one in graded.values())
    assert {fate for _, fate in told} != {""}


def _grade(one: Any) -> str:
    found = one.run.graded(one.known)
    return found.words if found else ""


def test_an_answer_that_is_kept_from_whoever_publishes_is_in_none_of_it(store: Store, batch: str) -> None:
    contents = gather_batch.of_batch(store, store.batches.get(batch), lambda run: None)
    assert {(one.known, one.score, one.fate) for one in contents.readings} == {(None, None, None)}
    made = dict(files(contents))
    front = Parsed(made["index.html"].decode())
    cells = [about for tag, about in front.elements if tag == "a" and about.get("class", "").startswith("site-cell")]
    assert {one["data-outcome"] for one in cells} <= {"answered", "no answer given"}
    assert not [path for path in made if path.endswith("data.js") and value_in(made[path])["known"]]


def test_it_is_the_same_whenever_it_is_made(store: Store, batch: str) -> None:
    assert list(files(of(store, batch))) == list(files(of(store, batch)))


def test_all_that_pages_name_is_in_the_folder_and_nothing_stands_in_them_that_could_run(store: Store, batch: str) -> None:
    made = dict(files(of(store, batch)))
    for path, words in made.items():
        if not path.endswith(".html") or path.startswith("downloads/"):
            continue
        page = Parsed(words.decode())
        policy = next(about["content"] for tag, about in page.elements if tag == "meta" and "http-equiv" in about)
        assert policy == shell.POLICY
        assert not page.code("script") + page.code("style")
        named = [about.get("href") or about.get("src") for tag, about in page.elements if tag in ("a", "link", "script")]
        for one in named:
            if re.fullmatch(r"https://arxiv\.org/abs/[\d.]+", str(one)):
                continue  # a paper, for who presses it
            there = (Path("/") / path).parent / (str(one).partition("#")[0] or Path(path).name)
            assert str(Path(there).resolve()).lstrip("/") in made, one
        assert not [about for _, about in page.elements if any(name.startswith("on") or name == "style" for name in about)]


@pytest.mark.parametrize("words", ["".join(MARKUP), "</main></body><script>window.hurt=1</script>"])
def test_words_from_outside_are_text_on_every_page(store: Store, words: str) -> None:
    def elements(title: str, question: str) -> list[list[Any]]:
        document = Document(title, TEXT)
        asked = [SetQuestion("1", document.id, question, (), (question,), True, (Span(0, 35),))]
        made = read(planned(store, document, asked, RunSpec("whole", get("whole").version, ""), name=title[:80]))
        pages = dict(files(of(store, made)))
        return [
            [(tag, sorted(about)) for tag, about in Parsed(page.decode()).elements]
            for path, page in pages.items()
            if path.endswith(".html")
        ]

    assert elements("The ferry", "Who?") == elements(f"The {words}", f"Who {words}?")


def test_the_run_files_in_it_are_those_of_its_readings(store: Store, batch: str) -> None:
    made = dict(files(of(store, batch)))
    about = json.loads(made["site.json"])
    assert about["schema"] == SCHEMA
    assert about["texts"]
    with tarfile.open(fileobj=io.BytesIO(made[RUN_FILES]), mode="r:xz") as archive:
        found = {member.name: archive.extractfile(member) for member in archive}
        ids = {f"readings/{one['content_id']}.json" for one in about["readings"]}
        assert {*found} == ids
        read_back = [json.loads(file.read()) for file in found.values() if file]
        assert {f"readings/{one['run']['content_id']}.json" for one in read_back} == ids


def test_a_fork_comes_with_its_parent_and_both_pages_link_to_each_other(store: Store, batch: str) -> None:
    parent = next(run for run in store.batches.runs_of(batch) if run.reader == "whole")
    made = fork(store, open_reading(store, parent.id), get("whole"), ReplyEdit(0, 0, "Cole."))
    execute(store, made.id, get("whole"), Execution(Offline()))
    contents = gather.of_runs(store, [parent], lambda run: None, title="One")
    assert [one.fork for one in contents.readings] == [False, True]
    pages = dict(files(contents))
    one, other = (content_of(store, store.runs.get(run)) for run in (parent.id, made.id))
    assert f"../../reading/{other}/index.html" in pages[f"reading/{one}/index.html"].decode()
    assert f"../../reading/{one}/index.html" in pages[f"reading/{other}/index.html"].decode()
    assert value_in(pages[f"reading/{other}/data.js"])["changed"]


def test_with_its_address_each_reading_has_a_card_for_those_who_share_a_link(store: Store, batch: str) -> None:
    contents = replace(of(store, batch), address="https://lab.example.org/ferries/")
    made = dict(files(contents))
    assert made == dict(files(contents))
    for path in [path for path in made if path.startswith("reading/") and path.endswith(".html")]:
        about = {
            str(each["property"]): str(each["content"])
            for tag, each in Parsed(made[path].decode()).elements
            if "property" in each
        }
        assert about["og:url"] == f"https://lab.example.org/ferries/{path.removesuffix('index.html')}"
        picture = Image.open(io.BytesIO(made[about["og:image"].removeprefix("https://lab.example.org/ferries/")]))
        assert [str(side) for side in picture.size] == [about["og:image:width"], about["og:image:height"]]
    assert not [path for path in dict(files(of(store, batch))) if path.endswith(".png")]


@pytest.mark.parametrize("words", ["", "漢字" * 300, "word " * 500, "W" * 4000, "🙂\n" * 50])
def test_a_card_is_drawn_whatever_the_words_are(words: str) -> None:
    one = shipped.shipped().readings[0]
    run = replace(one.run, question=words, answer=words)
    opened = one.open().reading
    listed = PublishedReading(replace(one, run=run), "", words, "", 0, 1, 1, 0, None, False, Markup())
    assert Image.open(io.BytesIO(draw_card(listed, opened.trace))).size == SIZE


@pytest.mark.parametrize("url", ["lab.example.org", "file:///x", "https://a b.org", "https://x.org/?q=1", 'https://x.org/"'])
def test_an_address_that_no_site_can_have_is_refused(store: Store, batch: str, tmp_path: Path, url: str) -> None:
    assert main(["publish", batch, "-o", str(tmp_path / "site"), "--url", url]) == 2


def test_what_is_shipped_is_a_small_site() -> None:
    made = dict(files(shipped.shipped()))
    assert sum(map(len, made.values())) < 3_000_000
    assert made["index.html"].decode().count("gallery-card") == len(shipped.shipped().readings)


def test_the_command_writes_a_new_folder_and_leaves_another_alone(
    store: Store, batch: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "there" / "site"
    assert main(["publish", batch, "-o", str(folder)]) == 0
    assert (folder / "index.html").exists()
    assert [path.name for path in folder.parent.iterdir()] == ["site"]  # nothing is left beside it
    capsys.readouterr()
    assert main(["publish", batch, "-o", str(folder)]) == 2
    assert "new or empty" in capsys.readouterr().err
