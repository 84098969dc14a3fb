"""The page Where facts were lost of a site: the flow of the evidence through the readings of a batch, with its counts. Pure.

Not here: following the evidence (`readers/engine/analysis/facts/`), the rows (`components/html/evidence_flow.py`), and the
picture (`flow_picture.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup

from components.html import evidence_flow
from components.html.evidence_flow import FlowRow
from components.html.words import wording
from components.publish.contents import Published, PublishedReading, SiteFile, SiteSection
from components.publish.flow_picture import picture
from components.publish.listing import SCRIPT, Listing
from components.publish.report_tables import DOWNLOADS, download_links, drawn, key_of_fates, paragraphs
from readers.engine.analysis.facts.evidence import EvidenceFate
from readers.engine.analysis.facts.fates import SEVERAL
from readers.engine.analysis.facts.flow import Way, ways_by_variant
from readers.engine.files.tables import flow_csv
from readers.engine.run.batches import CellResult
from readers.engine.run.execute import RunSpec

PATH, NAME = "lost/index.html", "Where facts were lost"
FILE = f"{DOWNLOADS}/evidence.csv"
LEAD = (
    "The evidence of a question is followed through each reading, from the text to the answer: how far it came, and where it was "
    f"lost. {SEVERAL}"
)
HOW = (
    "A band holds the readings that go from one stage to the next, and its height is their share. It skips a stage if the "
    "evidence may not have been there, or if the reader has none. Choose a band or a number to list its readings below."
)


def section(
    results: Sequence[CellResult], variants: Sequence[RunSpec], names: Sequence[str], fates: Mapping[str, EvidenceFate | None]
) -> SiteSection | None:
    """The section of a batch; None where no evidence was followed. `names` are those of its variants, `fates` are by run."""
    ways = ways_by_variant([one for one in results if one.grade], len(names), fates)
    if not any(ways):
        return None
    by = {one: evidence_flow.rows(ways, variants, names, one) for one in evidence_flow.slices(variants)}
    flows = [(row.name, row.flow) for rows in by.values() for row in rows]
    about = "How many readings went from each stage to the next, with intervals (CSV)"
    files = {FILE: SiteFile(about, lambda: flow_csv(flows).encode())}
    every = [way for own in ways for way in own]

    def body(shown: Published) -> Markup:
        listing = Listing()
        (first, rows), *others = by.items()
        parts = [
            Markup('<h1>{}</h1>\n<p class="site-facts">{}</p>').format(NAME, f"{LEAD} {wording.count(len(every))}."),
            download_links(files, shown),
            _tellings(every, listing),
            _rows(first, rows, shown, listing),
            *(_folded(one, some, shown, listing) for one, some in others),
            paragraphs([f"{evidence_flow.INTERVALS} {evidence_flow.BY_WORDS}"]),
            Markup("<section><h2>What the words mean</h2>{}</section>").format(key_of_fates()),
            listing.html(shown, _fate),
        ]
        return Markup("\n").join(parts)

    return SiteSection(PATH, NAME, body, files, [SCRIPT])


def _fate(one: PublishedReading) -> str:
    return f"evidence: {evidence_flow.ended(one.reading.fate)}" if one.reading.fate else ""


def _tellings(every: Sequence[Way], listing: Listing) -> Markup:
    """What a table of right and wrong answers hides, each with its readings."""
    cards = Markup("").join(
        Markup("<li>{}<span>{}</span><small>{}</small></li>").format(
            _count(f"{one.name}: {len(one.runs):,}", one.name, one.runs, listing),
            one.about, evidence_flow.telling_fact(len(one.runs), len(every)),
        )
        for one in evidence_flow.tellings(every)
    )  # fmt: skip
    return Markup('<section><h2>What right and wrong do not tell</h2><ul class="site-tellings">{}</ul></section>').format(cards)


def _count(words: str, name: str, runs: Sequence[str], listing: Listing) -> Markup:
    if not runs:
        return Markup("<b>{}</b>").format(words)
    return Markup('<b><a href="#list={}">{}</a></b>').format(listing.key(name, runs), words)


def _rows(by: str, rows: Sequence[FlowRow], shown: Published, listing: Listing) -> Markup:
    return Markup("<section><h2>{}</h2>{}</section>").format(_title(by), _drawn(_title(by), rows, shown, listing))


def _folded(by: str, rows: Sequence[FlowRow], shown: Published, listing: Listing) -> Markup:
    drawing = _drawn(_title(by), rows, shown, listing, apart=f": {_title(by).lower()}")
    return Markup('<details class="site-fold"><summary>{}</summary>{}</details>').format(_title(by), drawing)


def _title(by: str) -> str:
    title = evidence_flow.SLICES[by].title
    return title if by == "all" else f"By {title.lower()}"


def _drawn(title: str, rows: Sequence[FlowRow], shown: Published, listing: Listing, *, apart: str = "") -> Markup:
    """The picture and its counts; `apart` tells their tables from others of the page."""
    tables = [replace(one, title=f"{one.title}{apart}") for one in evidence_flow.tables(rows)]
    return Markup(
        '<div class="site-wide site-flow" tabindex="0" role="region" aria-label="{}">{}</div>{}{}'
    ).format(
        f"{NAME}: {title}", picture(rows, listing, name=f"{NAME}: {title}"), paragraphs([HOW]),
        Markup("").join(drawn(one, shown, listing, kind="counts") for one in tables),
    )  # fmt: skip
