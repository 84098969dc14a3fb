"""A site without its texts: nothing of them is left but the passages that are cited, and every place stays where it was."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.publish import shipped
from components.publish.contents import SiteContents
from components.publish.site import files
from components.publish.withheld import LONGEST, Withheld, cited
from readers.engine.files.import_site import RUN_FILES
from readers.engine.text.document import Span

ONES = ["oar", "tide", "Cole,", "bell.\n\n", "灯", "harbour", "the"]
PROSE = st.lists(st.sampled_from(ONES), min_size=1, max_size=60).map(" ".join)


@given(PROSE, st.data())
def test_what_is_left_out_keeps_its_length_and_what_is_cited_its_words(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    left = Withheld(text, [Span(start, end)]).text
    assert len(left) == len(text)
    assert left[start:end] == text[start:end]
    assert {*(left[:start] + left[end:])} <= {"·", " ", "\n"}


@given(PROSE, PROSE)
def test_other_words_keep_their_length_and_have_no_run_of_the_text(text: str, said: str) -> None:
    withheld = Withheld(text, [])
    left = withheld.words(f"{said} {text} {said}")
    assert len(left) == len(f"{said} {text} {said}")
    assert not runs(text) & runs(left)
    assert withheld.words(left) == left


def runs(words: str) -> set[tuple[str, ...]]:
    found = [word.casefold() for word in re.findall(r"[\u3400-\u9fff]|[^\W_]+", words)]
    return {tuple(found[at : at + LONGEST + 1]) for at in range(len(found) - LONGEST)}


def test_a_few_words_of_the_text_are_no_passage() -> None:
    text = "Amos Garbutt kept the high light and wrote up the oil book himself in pencil so many pints a night."
    withheld = Withheld(text, [])
    assert withheld.words("He kept the high light.") == "He kept the high light."
    assert "oil book" not in withheld.words(f"It says: {text}")


@pytest.fixture(scope="module")
def made() -> tuple[SiteContents, dict[str, bytes]]:
    contents = replace(shipped.shipped(), texts=False)
    return contents, dict(files(contents))


def test_no_run_of_an_uncited_part_of_a_text_is_in_any_file(made: tuple[SiteContents, dict[str, bytes]]) -> None:
    contents, site = made
    every = (words for path, file in site.items() if not path.startswith("assets/") for words in _words(path, file))
    all_runs = {run for words in every for run in runs(words)}
    assert len(all_runs) > 1_000
    for text, passages in _texts(contents).values():
        assert not {run for part in _uncited(text, passages) for run in runs(part)} & all_runs


def _texts(contents: SiteContents) -> dict[str, tuple[str, list[Span]]]:
    found: dict[str, tuple[str, list[Span]]] = {}
    for one in contents.readings:
        reading = one.open().reading
        found.setdefault(reading.document.id, (reading.document.text, []))[1].extend(cited(reading, one.known))
    return found


def _uncited(text: str, passages: list[Span]) -> list[str]:
    """The parts of a text between the passages."""
    at, parts = 0, []
    for start, end in sorted(passages):
        parts.append(text[at : max(at, start)])
        at = max(at, end)
    return [*parts, text[at:]]


def _words(path: str, file: bytes) -> list[str]:
    """All words in a file of a site, those of packed data one by one."""
    if not path.endswith(".js"):
        return [file.decode()]
    packed = re.search(rb'= "([\w+/=]+)";', file)
    assert packed
    return _strings(json.loads(zlib.decompress(b64decode(packed[1]))))


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = [*value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return [found for part in parts for found in _strings(part)]


def test_there_are_no_run_files_and_the_front_page_says_what_dots_are(made: tuple[SiteContents, dict[str, bytes]]) -> None:
    _, site = made
    assert RUN_FILES not in site
    assert "Dots stand for words" in site["index.html"].decode()
