"""How a site is cited: BibTeX and CITATION.cff, with the papers of the readers in it. Pure.

The papers are in `papers.json`, by their arXiv number, as arXiv has them, with where else they appeared; which reader is from
which, its pseudo-code says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from components.publish.contents import SiteContents
from readers import get
from readers.engine import APP_VERSION
from readers.engine.canonical import canonical, digest
from readers.engine.errors import NotFound
from readers.engine.report.latex import in_tex

NOBODY = "anonymous"  # the author of a site that names none
_SOFTWARE = "Palimpsest: watch a language model read a long text"
_MAKERS = "The maintainers of Palimpsest"
_IN_URL = str.maketrans({"{": "%7B", "}": "%7D", "\n": "", "\\": "%5C"})
_HOME = re.compile(r"(?:repository-code|url): *\"?(https://[^\s\"]+)\"?")
_NUMBER = re.compile(r"arXiv (\d{4}\.\d{4,5})")


def of_readings(contents: SiteContents) -> str:
    """The hash of the readings of the site: another one if its readings are others, whatever else is in it."""
    return digest(canonical(sorted(one.content for one in contents.readings)))[:12]


def day(contents: SiteContents) -> str:
    """The day on which the last reading of the site was made, `2026-01-31`; empty if that is not known."""
    return max((one.run.created[:10] for one in contents.readings), default="")


def papers(readers: Iterable[str]) -> list[tuple[str, Mapping[str, Any]]]:
    """The papers that these readers are from, each once: its arXiv number, and what is known of it."""
    numbers = [found[1] for reader in readers if (found := _NUMBER.search(paper_of(reader)))]
    return [(number, _papers()[number]) for number in dict.fromkeys(numbers) if number in _papers()]


def paper_of(reader_id: str) -> str:
    """The paper of a reader, in short; empty if there is none."""
    try:
        code = get(reader_id).pseudo_code
    except NotFound:
        return ""
    return code.paper if code else ""


@cache
def _papers() -> Mapping[str, Mapping[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("papers.json").read_text(encoding="utf-8"))
    return found


@cache
def home() -> str:
    """The address where Palimpsest is kept, if its CITATION.cff names one; or else nothing."""
    try:
        lines = (Path(__file__).parents[2] / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((found[1] for line in lines if (found := _HOME.fullmatch(line))), "")


def bibtex(contents: SiteContents) -> str:
    """The site, Palimpsest and the papers as BibTeX."""
    made = {"author": " and ".join(contents.authors) or NOBODY, "title": contents.title, "year": day(contents)[:4]}
    note = f"Site {contents.version}, readings {of_readings(contents)}, made with Palimpsest {APP_VERSION}"
    more = {"note": note, "url": contents.address}
    entries = [
        _entry("misc", f"site-{contents.version}", made | more),
        _entry("software", "palimpsest", {
            "author": _MAKERS, "title": _SOFTWARE, "version": APP_VERSION, "url": home(),
        }, whole=("author",)),
        *(
            _entry("misc", f"arxiv-{number}", {
                "author": " and ".join(paper["authors"]), "title": paper["title"], "year": str(paper["year"]),
                "eprint": number, "archiveprefix": "arXiv", "note": str(paper.get("venue", "")),
            })
            for number, paper in papers(_readers(contents))
        ),
    ]  # fmt: skip
    return "\n".join(entries)


def _entry(kind: str, key: str, fields: Mapping[str, str], *, whole: Sequence[str] = ()) -> str:
    """`whole` are fields that are no names of people, and taken as they are."""
    lines = []
    for name, value in fields.items():
        words = value.translate(_IN_URL) if name == "url" else in_tex(value)
        if words:
            lines.append(f"  {name} = {{{f'{{{words}}}' if name in whole else words}}},\n")
    return f"@{kind}{{{key},\n{''.join(lines)}}}\n"


def cff(contents: SiteContents) -> str:
    """The site as CITATION.cff, with Palimpsest and the papers as references."""
    lines = [
        "cff-version: 1.2.0",
        'message: "If you use these readings, cite them as below, and the papers of the methods that made them."',
        f"title: {_quoted(contents.title)}",
        "type: dataset",
        "authors:",
        *(f"  - name: {_quoted(name)}" for name in contents.authors or [NOBODY]),
        f"version: {_quoted(contents.version)}",
        *([f"date-released: {day(contents)}"] if day(contents) else []),
        *([f"url: {_quoted(contents.address)}"] if contents.address else []),
        "references:",
        "  - type: software",
        f"    title: {_quoted(_SOFTWARE)}",
        "    authors:",
        f"      - name: {_quoted(_MAKERS)}",
        f"    version: {_quoted(APP_VERSION)}",
        *([f"    repository-code: {_quoted(home())}"] if home() else []),
    ]
    for number, paper in papers(_readers(contents)):
        lines += ["  - type: article", f"    title: {_quoted(paper['title'])}", "    authors:"]
        lines += [f"      - name: {_quoted(name)}" for name in paper["authors"]]
        lines += [f"    year: {paper['year']}", f"    url: {_quoted(f'https://arxiv.org/abs/{number}')}"]
        lines += [f"    notes: {_quoted(paper['venue'])}"] if "venue" in paper else []
    return "\n".join([*lines, ""])


def _readers(contents: SiteContents) -> list[str]:
    return list(dict.fromkeys(one.run.reader for one in contents.readings))


def _quoted(words: str) -> str:
    """A string of YAML: one of JSON is one, where all of it is printable."""
    return json.dumps("".join(filter(str.isprintable, " ".join(words.split()))), ensure_ascii=False)
