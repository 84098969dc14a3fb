"""The documents: every link from one to another, or to a picture, leads somewhere, and the README has every page of `docs/`,
every reader and every kind of file."""

from __future__ import annotations

import re

from readers import BUILT_IN
from readers.engine.ingest import KINDS
from tests.support.paths import ROOT

DOCUMENTS = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
LINK = re.compile(r"\]\(([^)#\s]+)\)|(?:src|srcset)=\"([^\"]+)\"")


def test_links_between_documents_lead_somewhere() -> None:
    broken = [
        f"{document.name}: {target}"
        for document in DOCUMENTS
        for found in LINK.finditer(document.read_text(encoding="utf-8"))
        if not (target := found[1] or found[2]).startswith("http") and not (document.parent / target).exists()
    ]
    assert not broken


def test_the_readme_lists_every_page() -> None:
    listed = set(re.findall(r"\(docs/(\w+\.md)\)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert listed == {page.name for page in (ROOT / "docs").glob("*.md")}


def test_the_readme_names_every_reader_and_every_kind_of_file() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.partition("| reader |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| ([^|]+?) \| [^-]", table, re.M) == [reader.title for reader in BUILT_IN]
    kinds = re.search(r"A file \(([^)]+)\)", readme)
    assert kinds
    assert set(kinds[1].split(", ")) == {kind.endings[0].removeprefix(".") for kind in KINDS}
