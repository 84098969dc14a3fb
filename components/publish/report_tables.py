"""Reports on a page of a site: their tables with links to readings, their figure, and their files. Pure.

A number with readings behind it opens the list of these, further down the page (`listing.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup

from components.html import evidence_flow
from components.publish.contents import Published, SiteFile
from components.publish.listing import Listing
from readers.engine.report import figure, files, html
from readers.engine.report.values import Cell, Column, Link, Report, Row, Table

DOWNLOADS = "downloads"
FIGURE = "Every figure with a 95 % interval, on an axis in its unit. A dot without a line has none. The tables have all numbers."


def drawn(found: Table, shown: Published, listing: Listing, *, kind: str = "scores") -> Markup:
    """A table under its title, which is also its place in the address, with its notes."""
    source = Markup('<p class="site-soft">{}; not measured here.</p>').format(found.source) if found.source else Markup()
    return Markup('<section class="site-report" id="{}"><h2>{}</h2>{}{}{}{}</section>').format(
        place_of(found.title), found.title, anchor(found.title), source, alone(found, shown, listing, kind=kind),
        paragraphs(map(shown.said, found.notes)),
    )  # fmt: skip


def place_of(title: str) -> str:
    """The name of the place of a table in the address of its page, from its title."""
    return "table-" + "-".join(re.findall(r"[^\W_]+", title.lower()))


def anchor(title: str) -> Markup:
    """The sign beside a title that puts its place in the address."""
    return Markup('<a class="site-anchor" href="#{}" aria-label="Address of {}">#</a>').format(place_of(title), title)


def alone(found: Table, shown: Published, listing: Listing, *, kind: str = "scores") -> Markup:
    """The table without its title and notes."""
    rows = [_row(row, found.columns if row.cells else [], shown, listing) for row in found.rows]
    return html.table(replace(found, rows=rows), kind=kind, address=lambda link: _address(link, shown), explain=_explained)


def _row(row: Row, columns: Sequence[Column], shown: Published, listing: Listing) -> Row:
    """The row with the words that may be shown; its cells open the list of their readings, if they have any."""
    name = shown.said(row.name)

    def opening(cell: Cell, column: Column) -> Cell:
        content = shown.said(cell.content) if isinstance(cell.content, str) else cell.content
        said = replace(cell, content=content, notes=[*map(shown.said, cell.notes)])
        return replace(said, link=Link("", {"list": listing.key(f"{name}: {column.name}", cell.runs)})) if cell.runs else said

    return replace(row, name=name, cells=[opening(*one) for one in zip(row.cells, columns, strict=True)])


def _address(link: Link, shown: Published) -> str:
    if "list" in link.asks:
        return f"#list={link.asks['list']}"
    run, step = link.asks.get("run", ""), link.asks.get("at")
    return (shown.at(run, int(step)) if step else shown.address(run)) or ""


def _explained(name: str, meaning: str) -> str:
    return str(Markup("{}<small>{}</small>").format(name, meaning))


def paragraphs(words: Iterable[str]) -> Markup:
    return Markup("").join(Markup('<p class="site-note">{}</p>').format(one) for one in words if one)


def key_of_fates() -> Markup:
    """The words for what became of the evidence, with what each means."""
    rows = Markup("").join(Markup("<div><dt>{}</dt><dd>{}.</dd></div>").format(*one) for one in evidence_flow.key())
    return Markup('<dl class="site-made">{}</dl>').format(rows)


def pictured(tables: Iterable[Table], name: str) -> Markup:
    """What of the tables has an interval, as a figure; nothing if none has."""
    tables = list(tables)
    if not figure.has_any(tables):
        return Markup()
    return Markup(
        '<figure class="site-figure"><div class="site-wide" tabindex="0" role="region" aria-label="{}">'
        '<div role="img" aria-label="{}">{}</div></div><figcaption class="site-note">{}</figcaption></figure>'
    ).format(name, name, Markup(figure.svg(tables)), FIGURE)


def files_of(report: Callable[[], Report], name: str, about: str) -> dict[str, SiteFile]:
    """The report in every form, by path; a figure of nothing is no file."""

    def writer(form: files.Form) -> Callable[[], bytes]:
        drawn = form in ("svg", "pdf")
        return lambda: b"" if drawn and not figure.has_any(report().tables) else files.written(report(), form).encode()

    return {f"{DOWNLOADS}/{name}.{form}": SiteFile(f"{about} ({kind.label})", writer(form)) for form, kind in files.FORMS.items()}


def download_links(of: Mapping[str, object], shown: Published) -> Markup:
    """The files that the section has made, each with its size."""
    links = Markup(" · ").join(
        Markup('<a href="{}">{}</a> <span class="site-soft">{}</span>').format(
            shown.top + one.path, one.path.rpartition("/")[2], size(one.size)
        )
        for one in shown.downloads
        if one.path in of
    )
    return Markup('<p class="site-downloads">Downloads: {}</p>').format(links) if links else Markup()


def size(of: int) -> str:
    """Bytes in words."""
    return f"{of:,} B" if of < 1_000 else f"{of / 1_000:,.0f} kB" if of < 1_000_000 else f"{of / 1_000_000:,.1f} MB"
