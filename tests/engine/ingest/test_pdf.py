"""PDFs are read page by page, within bounds; damaged, locked and scanned ones are told apart."""

from __future__ import annotations

import io

import pypdf
import pytest

from readers.engine import own_process
from readers.engine.ingest import guard, read_here
from readers.engine.ingest import pdf as ingest_pdf
from tests.support.texts_and_files.uploads import pdf, refusal, text_of


def test_a_pdf_is_read_page_by_page_and_names_its_empty_pages() -> None:
    taken = read_here(pdf(["Page one\nsecond line", "", "", "Page four", ""], title="The Ferry"), "x.pdf")
    assert taken.document.text == "Page one\nsecond line\n\nPage four"
    assert taken.document.title == "The Ferry"
    assert taken.notes == ("Of 5 pages, these have no text (they are empty, or pictures): 2-3, 5.",)
    assert read_here(pdf(["x"], title="Microsoft Word - x.doc"), "essay.pdf").document.title == "essay"
    for damage in ((b"/Info 4 0 R", b"/Info [5 6]"), (b"/Title ()", b"/Title [1]")):
        assert read_here(pdf(["x"]).replace(*damage), "essay.pdf").document.title == "essay"
    assert "OCR" in refusal(pdf(["", ""]), "x.pdf")


def test_the_pages_of_a_pdf_are_kept_by_the_places_of_their_words() -> None:
    document = read_here(pdf(["The light-\nhouse", "", "came\x07 back", "to the light-\nhouse"]), "x.pdf").document
    ends = [*(page.start for page in document.pages[1:]), len(document.text)]
    words = [document.text[start:end].strip() for (start, _), end in zip(document.pages, ends, strict=True)]
    assert [*zip([page.label for page in document.pages], words, strict=True)] == [
        ("1", "The lighthouse"), ("3", "came back"), ("4", "to the lighthouse")
    ]  # fmt: skip
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(["a", "b", "c"])))
    writer.set_page_label(0, 1, style="/r", prefix="a" * 40)
    writer.set_page_label(2, 2, style="/D", start=7)
    writer.write(labelled := io.BytesIO())
    assert [page.label for page in read_here(labelled.getvalue(), "x.pdf").document.pages] == ["a" * 12, "a" * 12, "7"]
    assert read_here(b"# A\n", "a.md").document.pages == ()


def test_words_divided_at_a_lines_end_are_put_together() -> None:
    page = "The light-\nhouse stood. A light-house, his mother-\nin-law said, by the har-\nbour, 1914-\n1918, and Anne-\nMarie."
    expected = "The light-house\nstood. A light-house, his mother-in-law\nsaid, by the harbour,\n1914-\n1918, and Anne-\nMarie."
    assert text_of(pdf([page]), "x.pdf") == expected


def test_a_locked_pdf_is_refused_and_one_with_an_empty_password_is_read() -> None:
    def locked(password: str) -> bytes:
        writer, held = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(["The ferry left."]))), io.BytesIO()
        writer.encrypt(password, "owner", algorithm="RC4-128")
        writer.write(held)
        return held.getvalue()

    assert "locked with a password" in refusal(locked("secret"), "x.pdf")
    assert text_of(locked(""), "x.pdf") == "The ferry left."
    keys = b"/O <%s> /U <%s> /OE <%s> /UE <%s> /Perms <%s>" % (b"00" * 48, b"00" * 48, b"00" * 32, b"00" * 32, b"00" * 16)
    standard = b"/CF << /StdCF << /CFM /AESV3 >> >> /StmF /StdCF /StrF /StdCF"
    modern = b"/ID [<00> <00>] /Encrypt << /Filter /Standard /V 5 /R 5 /P -4 /Length 256 %s %s >>" % (standard, keys)
    assert any(word in refusal(pdf(["x"], trailer=modern), "x.pdf") for word in ("encrypted", "locked"))


def test_a_damaged_page_is_named_and_the_others_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest_pdf, "MAX_OPERATORS", 2_000)
    monkeypatch.setattr(ingest_pdf, "MAX_STREAM", 50_000)
    data = pdf(["one", b"BT /F1 11 Tf " + b"(x) Tj " * 2_000 + b"ET", b" " * 60_000, "four"])
    taken = read_here(data, "x.pdf")
    assert taken.document.text == "one\n\nfour"
    assert taken.notes == ("Of 4 pages, these are damaged and could not be read: 2-3.",)
    assert "damaged" in refusal(pdf([b" " * 60_000]), "x.pdf")


def test_a_pdf_says_at_which_page_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    far: list[tuple[int, int]] = []
    monkeypatch.setattr(own_process, "report", lambda done, of: far.append((done, of)))
    read_here(pdf(["one", "two"]), "x.pdf")
    assert far == [(0, 2), (1, 2)]


def test_hostile_pdfs_are_bounded_in_pages_and_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = pdf([b"BT /F1 11 Tf " + b"(x) Tj " * 20_000 + b"ET"])
    monkeypatch.setattr(ingest_pdf, "MAX_SECONDS", 0.05)
    assert "takes over" in refusal(b"%PDF-1.4\n" + b"startxref\n0\n" * 200_000, "x.pdf")
    looks: list[object] = []
    monkeypatch.setattr(guard.Clock, "check", lambda *seen: looks.append(seen))
    assert text_of(slow, "x.pdf")
    assert len(looks) > 20_000  # at every operator
    monkeypatch.setattr(ingest_pdf, "MAX_PAGES", 4)
    assert "pages" in refusal(pdf(["x"] * 5), "x.pdf")
