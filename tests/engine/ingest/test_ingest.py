"""Files, uploads and pasted text become documents, or one sentence that says why not; nothing given breaks the program."""

from __future__ import annotations

import codecs
import contextlib
import os
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from readers.engine import ingest
from readers.engine.errors import BadFile
from readers.engine.ingest import clean, from_paste, from_path, guard, read_here
from readers.engine.ingest.html import extract_html
from tests.support.texts_and_files.uploads import PROSE, VALID, docx, epub, paragraph, pdf, refusal, text_of

FUZZ = settings(suppress_health_check=list(HealthCheck))


def test_the_same_text_pasted_uploaded_and_read_from_a_file_is_one_document(tmp_path: Path) -> None:
    (tmp_path / "ferry.txt").write_bytes(PROSE.replace("\n", "\r\n").encode("utf-8-sig"))
    read = from_path(tmp_path / "ferry.txt").document
    assert read.text == PROSE
    assert read.title == "ferry"
    assert {read_here(PROSE.encode(), name).document.id for name in ("x.txt", "x.md", "x")} == {read.id}
    assert from_paste(PROSE).document.id == read.id
    assert from_paste(PROSE + ".").document.id != read.id
    assert from_paste(PROSE, title="Ferry").document.title == "Ferry"


def test_a_txt_is_literal_whatever_it_contains() -> None:
    source = "# no heading\n<p>not a page</p>\n**x** \\( &amp;\n"
    assert text_of(source.encode(), "a.TXT") == source
    assert text_of(source.encode(), "notes") == source


def test_an_unknown_ending_is_read_as_text_with_a_note_and_a_binary_file_is_refused_with_the_known_kinds() -> None:
    taken = read_here(PROSE.encode(), "log.of.day")
    assert taken.document.text == PROSE
    assert any(".day" in note and "epub" in note for note in taken.notes)
    assert all(kind in refusal(b"\x7fELF\0\0", "a.bin") for kind in ("txt", "md", "html", "pdf", "epub", "docx"))


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32", "cp1252", "cp1251"])
def test_another_encoding_is_read_and_named(codec: str) -> None:
    text = "Мой дядя самых честных правил.\n" * 3 if codec == "cp1251" else PROSE + "Déjà vu – à côté du château, £5."
    taken = read_here(text.encode(codec), "a.txt")
    assert taken.document.text == text
    label = {"utf-16": "UTF-16", "utf-32": "UTF-32", "cp1252": "Windows-1252", "cp1251": "Windows-1251"}.get(codec)
    assert [label in note for note in taken.notes] == ([True] if label else [])


def test_western_european_is_chosen_when_its_neighbours_are_as_likely() -> None:
    for text in (
        "It cost £20 in all, she said.",
        "Flickan gick över ån och såg en älg.",
        "café",
        "Não, são três horas da manhã.",
    ):
        assert text_of(text.encode("cp1252"), "a.txt") == text


def test_what_can_be_no_text_is_refused_by_what_it_is() -> None:
    assert "PDF" in refusal(pdf(["x"]) + b"\0", "a.txt")
    assert "Word" in refusal(VALID["a.docx"], "a.md")
    assert "not a text" in refusal(b"abc\0def", "a.txt")
    assert "not a text" in refusal("abc".encode("utf-16-le"), "a.html")
    assert "damaged" in refusal(codecs.BOM_UTF16_LE + b"a\0b", "a.txt")
    assert "encoding" in refusal(bytes(range(129, 256)) * 40, "a.txt")


def test_empty_and_blank_are_two_refusals() -> None:
    assert "empty" in refusal(b"", "a.txt")
    for name, blank in {"a.txt": " \n\t\u3000\ufeff\u200b", "a.md": "\n\n", "a.html": "<p>&nbsp;<script>x</script>"}.items():
        assert "white space" in refusal(blank.encode(), name)
    assert "white space" in refusal(epub({"one": "<img src='x'/>", "two": ""}), "a.epub")
    for pasted, word in {"": "No text", " \n\0": "white space"}.items():
        with pytest.raises(BadFile, match=word):
            from_paste(pasted)


def test_control_characters_go_and_a_form_feed_is_a_paragraph_break() -> None:
    taken = from_paste("one\ftwo\0\x07\x1b[1m\tthree\x85four\u2029five\vsix\x7f\r\nseven\reight")
    assert taken.document.text == "one\n\ntwo[1m\tthree\nfour\n\nfive\nsix\nseven\neight"
    assert any("4" in note for note in taken.notes)
    assert from_paste(PROSE).notes == ()
    assert from_paste("\0\ufeff\ufeffone").document.text == "one"


def test_half_a_surrogate_pair_is_replaced_and_two_halves_are_joined() -> None:
    taken = from_paste("a\ud800b \ud83d\ude00 \udc00", title="t\ud800")
    assert taken.document.text == "a\ufffdb 😀 \ufffd"
    assert taken.document.title == "t\ufffd"
    assert any("damaged" in note for note in taken.notes)
    assert text_of(codecs.BOM_UTF16_LE + b"a\0\x00\xd8b\0", "a.txt") == "a\ufffdb"


@FUZZ
@given(st.text(st.characters()))
def test_a_canonical_text_is_stable_clean_and_encodable(text: str) -> None:
    try:
        first = from_paste(text).document
    except BadFile:
        return
    assert from_paste(first.text).document.id == first.id == read_here(first.text.encode(), "a.txt").document.id
    assert unicodedata.is_normalized("NFC", first.text)
    assert not any(unicodedata.category(char) == "Cc" for char in first.text if char not in "\n\t")


def test_too_many_bytes_are_refused_at_the_limit_and_not_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert ingest.MAX_BYTES == 50_000_000
    monkeypatch.setattr(ingest, "MAX_BYTES", 40)
    assert text_of(b"a" * 40, "a.txt")
    assert "MB" in refusal(b"a" * 41, "a.txt")
    (tmp_path / "a.txt").write_bytes(b"a" * 41)
    with pytest.raises(BadFile, match="MB"):
        from_path(tmp_path / "a.txt")
    with pytest.raises(BadFile, match="million"):
        from_paste("a" * 41)


def test_too_many_tokens_are_refused_and_a_short_text_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert clean.MAX_TOKENS == 5_000_000
    calls: list[int] = []
    monkeypatch.setattr(clean.tokens, "count", lambda text: calls.append(len(text)) or len(text.split()))
    monkeypatch.setattr(clean, "MAX_TOKENS", 40)
    assert text_of(b"a b " * 10, "a.txt")
    assert calls == []
    assert text_of(b"word " * 40, "a.txt")
    assert calls == [200]
    for name in ("a.txt", "a.md"):
        assert "40 tokens" in refusal(b"word " * 41, name)


def test_markdown_stays_as_written_with_blank_lines_around_headings() -> None:
    source = "a *b* [c](d)\n# One #\nx\n## Two\n### Three\n\ny\n\nSet\n===\nz\n- li\n#tag\n***\n"
    expected = "a *b* [c](d)\n\n# One #\n\nx\n\n## Two\n\n### Three\n\ny\n\nSet\n===\n\nz\n- li\n#tag\n***\n"
    assert text_of(source.encode(), "a.md") == expected
    assert text_of(expected.encode(), "a.md") == expected
    fenced = "```python\n# comment\n~~~\n```\nz\n~~~~\n# no\n~~~\n# no\n"
    assert text_of(fenced.encode(), "a.markdown") == fenced


def test_markdowns_title_is_its_settings_or_its_first_heading_or_its_name() -> None:
    assert read_here(b"---\ntitle: 'The Ferry'\n---\n# One\n", "a.md").document.title == "The Ferry"
    assert read_here(b"x\n\n## *One* ##\n# Two\n", "a.md").document.title == "One"
    assert read_here(b"One\n---\nx", "a.md").document.title == "One"
    assert read_here(b"plain", "my.notes.md").document.title == "my.notes"


def test_html_keeps_headings_paragraphs_items_and_rows_as_blocks() -> None:
    page = (
        "<!doctype html><head><title> The\n Ferry &amp; Co </title><style>p{}</style><body hidden><nav><li>menu</nav><h1>One</h1>"
        "bare <b>te</b>xt<p>first<br>second<ul><li>a<li>b<ol start=3><li>x<li>y</ol></ul><table><tr><th>k<th>v<tr><td>1<td>"
        "<p>2</p></table><table><tr><td><p>left</p><p>column</p><td>right</table><pre>\n  a\n   b</pre><script>no()</script>"
        "<p hidden>no<p>&lt;end&gt;"
    )
    taken = read_here(page.encode(), "a.html")
    blocks = ["One", "bare text", "first\nsecond", "- a", "- b", "3. x", "4. y", "k | v", "1 | 2", "left", "column", "right"]
    assert taken.document.text.split("\n\n") == [*blocks, "  a\n   b", "<end>"]
    assert taken.document.title == "The Ferry & Co"
    assert read_here(b"<h2>Only</h2>x", "a.htm").document.title == "Only"


def test_a_page_in_the_encoding_it_declares_is_read_so() -> None:
    page = "<meta charset='windows-1251'><p>Да</p>"
    taken = read_here(page.encode("cp1251"), "a.html")
    assert taken.document.text == "Да"
    assert "Windows-1251" in taken.notes[0]
    assert text_of(page.encode(), "a.html") == "Да"  # what is UTF-8 is UTF-8, whatever it declares
    assert text_of(b"<meta charset='punycode'><p>d\xe9j\xe0", "a.html") == "déjà"


def test_text_longer_than_one_piece_that_is_fed_comes_out_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    page = "<p>héllo <b>wörld</b> &amp; “all”</p><table><tr><td>é<td>ü</table>" * 20
    whole = extract_html(page.encode(), "a.html").text
    for size in (1, 2, 3, 7, 100):
        monkeypatch.setattr(guard, "_CHUNK", size)
        assert extract_html(page.encode(), "a.html").text == whole


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (docx("".join(paragraph(f"Part {n}.") for n in range(guard.MAX_DEPTH))), "a.docx"),
        (b"".join(b"<p>Part %d.</p>" % n for n in range(guard.MAX_DEPTH + 1)), "a.html"),
    ],
    ids=["docx", "html"],
)
def test_a_long_text_is_not_taken_for_a_deep_one(data: bytes, name: str) -> None:
    assert text_of(data, name).endswith(f"Part {guard.MAX_DEPTH - (name == 'a.docx')}.")


def test_html_nested_a_hundred_thousand_deep_is_refused_and_as_many_attributes_are_no_burden() -> None:
    assert text_of(b"<p " + b" ".join(b"a%d=1" % number for number in range(100_000)) + b">x", "a.html") == "x"
    assert "deep" in refusal(b"<div>" * 100_000 + b"x" + b"</div>" * 100_000, "a.html")
    assert text_of(b"<div>" * 1_500 + b"x", "a.html") == "x"


def test_hostile_html_runs_out_of_time_and_not_the_person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "MAX_SECONDS", 0.05)
    assert "takes over" in refusal(b"<b>" * 1_900 + b"</i>" * 5_000_000, "a.html")
    assert "takes over" in refusal(b"<table><tr><td>" * 600 + b"<p>x" * 1_000_000, "a.html")


def test_the_time_of_a_parser_is_the_processor_s_and_not_that_of_a_busy_machine() -> None:
    clock = guard.Clock(0.05)
    time.sleep(0.1)
    clock.check()


def read_or_refused(data: bytes, name: str) -> None:
    """Nothing else can happen to a file; any other exception fails the test."""
    with contextlib.suppress(BadFile):
        text = text_of(data, name)
        assert text.strip()
        assert text.encode()


@pytest.mark.parametrize("name", [*VALID, "a.xyz", "a"])
@FUZZ
@given(data=st.binary(max_size=400))
def test_random_bytes_are_read_or_refused(name: str, data: bytes) -> None:
    read_or_refused(data, name)
    read_or_refused(VALID.get(name, b"")[:60] + data, name)


@pytest.mark.parametrize("name", VALID)
@FUZZ
@given(data=st.data())
def test_truncated_and_flipped_files_are_read_or_refused(name: str, data: st.DataObject) -> None:
    held = bytearray(VALID[name])
    assert text_of(bytes(held), name)
    for at, value in data.draw(st.lists(st.tuples(st.integers(0, len(held) - 1), st.integers(0, 255)), max_size=6)):
        held[at] = value
    read_or_refused(bytes(held[: data.draw(st.integers(1, len(held)))]), name)
    read_or_refused(bytes(held), name)


NAMES = ["", ".", "..", "/", ".txt", "a" * 300 + ".txt", "C:\\old\\essay.txt", "../../x.txt", "a\0\n.txt", "\ud800.md"]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_will_do(name: str) -> None:
    title = read_here(b"text", name).document.title
    assert title
    assert len(title) <= 100
    assert not set(title) & set("/\\\n\0")


def test_paths_without_a_file_are_distinguished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    paths = {tmp_path / "none.txt": "no file", tmp_path: "folder", tmp_path / "pipe.txt": "ordinary", "a\0b": "no file"}
    for path, word in {**paths, "x" * 5_000: "cannot be read"}.items():
        with pytest.raises(BadFile, match=word):
            from_path(path)
    (tmp_path / "mine.txt").write_text("x", encoding="utf-8")

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(BadFile, match="permissions"):
        from_path(tmp_path / "mine.txt")
