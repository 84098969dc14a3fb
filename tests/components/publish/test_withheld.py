"""A site without its texts: nothing of them is left but the passages that are cited, and every place stays where it was."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from dataclasses import replace
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.publish import shipped
from components.publish.contents import SiteContents, SiteFile, SiteReading, SiteSection
from components.publish.listing import Listing
from components.publish.reading_labels import SaidOfReading
from components.publish.report_tables import drawn
from components.publish.site import files
from components.publish.withheld import LONGEST, Withheld, cited, dotted
from components.replay.reading import Replayed
from readers.engine.files.import_site import RUN_FILES
from readers.engine.report.values import Cell, Row, Table, columns
from readers.engine.text.document import Span

ONES = ["oar", "tide", "Cole,", "bell.\n\n", "灯", "harbour", "the"]
PROSE = st.lists(st.sampled_from(ONES), min_size=1, max_size=60).map(" ".join)


@given(PROSE, st.data())
def test_what_is_left_out_keeps_its_length_and_what_is_cited_its_words(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    left = dotted(text, [Span(start, end)])
    assert len(left) == len(text)
    assert left[start:end] == text[start:end]
    assert {*(left[:start] + left[end:])} <= {"·", " ", "\n"}


@given(PROSE, PROSE)
def test_other_words_keep_their_length_and_have_no_run_of_the_text(text: str, said: str) -> None:
    withheld = Withheld([(text, [])])
    left = withheld.words(f"{said} {text} {said}")
    assert len(left) == len(f"{said} {text} {said}")
    assert not runs(text) & runs(left)
    assert withheld.words(left) == left


def runs(words: str) -> set[tuple[str, ...]]:
    found = [word.casefold() for word in re.findall(r"[\u3400-\u9fff]|[^\W_]+", words)]
    return {tuple(found[at : at + LONGEST + 1]) for at in range(len(found) - LONGEST)}


def test_a_few_words_of_the_text_are_no_passage() -> None:
    text = "Amos Garbutt kept the high light and wrote up the oil book himself in pencil so many pints a night."
    withheld = Withheld([(text, [])])
    assert withheld.words("He kept the high light.") == "He kept the high light."
    assert "oil book" not in withheld.words(f"It says: {text}")


@pytest.fixture(scope="module")
def made() -> tuple[SiteContents, dict[str, bytes]]:
    """What comes along, where questions, titles, edits, prompts and labels quote the text, as do a table and a file."""
    readings = [*map(_quoting, shipped.shipped().readings)]
    quoted = _quote(readings[0].open(), 4)
    table = Table("Told", columns("Said"), [Row(quoted, [Cell(quoted, [quoted])])], [quoted])
    file = SiteFile("Told", quoted.encode, quotes=True)
    told = SiteSection("told.html", "Told", lambda shown: drawn(table, shown, Listing()), {"downloads/told.csv": file})
    contents = SiteContents("Readings", ["all"], readings, [told], texts=False, address="https://lab.example.org/")
    return contents, dict(files(contents))


def _quoting(one: SiteReading) -> SiteReading:
    opened = one.open()
    reading, edit = opened.reading, {"kind": "prompt", "seq": 0, "messages": [], "said": f"“{_quote(opened, 0)}” was put in"}
    run = replace(one.run, question=f"Where is it said: {_quote(opened, 1)}?", edit=edit)
    document = replace(reading.document, title=_quote(opened, 2))
    prompts = {key: replace(one, template=f"{one.template} {_quote(opened, 3)}") for key, one in opened.prompts.items()}
    quoting = replace(opened, reading=reading._replace(run=run, document=document), prompts=prompts)
    said = [SaidOfReading("A", 1, "", _quote(opened, 5), "", _quote(opened, 6))]
    return replace(one, run=run, open=lambda: quoting, said=lambda _: said)


def _quote(opened: Replayed, number: int) -> str:
    """A stretch of its text that is long enough to be a passage."""
    return " ".join(opened.reading.document.text.split()[50 + 20 * number : 65 + 20 * number])


def test_no_run_of_an_uncited_part_of_a_text_is_in_any_file(made: tuple[SiteContents, dict[str, bytes]]) -> None:
    contents, site = made
    parts = [part for text, passages in _texts(contents).values() for part in _uncited(text, passages)]
    hidden = {run for part in parts for run in runs(part)}
    assert "downloads/told.csv" not in site
    shown = {
        path: {run for words in _words(path, file) for run in runs(words)}
        for path, file in site.items()
        if not path.endswith(".png") and not path.startswith("assets/")
    }
    assert len({run for some in shown.values() for run in some}) > 1_000
    assert not [path for path, some in shown.items() if some & hidden]


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
    """All words in a file of a site, those of packed data one by one, and those of a list as one reads them: in a row."""
    if not path.endswith(".js"):
        return [unescape(file.decode())]
    packed = re.search(rb'= "([\w+/=]+)";', file)
    assert packed
    return _strings(json.loads(zlib.decompress(b64decode(packed[1]))))


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = [*value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    found = [one for part in parts for one in _strings(part)]
    return [*found, " ".join(_in_a_row(value))] if isinstance(value, list) else found


def _in_a_row(value: object) -> list[str]:
    if isinstance(value, list):
        return [found for one in value for found in _in_a_row(one)]
    return [value] if isinstance(value, str) else []


def test_there_are_no_run_files_and_the_front_page_says_what_dots_are(made: tuple[SiteContents, dict[str, bytes]]) -> None:
    _, site = made
    assert RUN_FILES not in site
    assert "Dots stand for words" in site["index.html"].decode()
