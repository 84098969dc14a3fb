"""The page How it was made of a site: readers, models, options, prompts, texts, dates and costs; how to cite the site, how to
make its readings again, and everything that can be downloaded. Pure.

Nothing of the machine that made the readings is on it: no folder, no address of a server, no key.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from markupsafe import Markup

from components.html.words.reading_words import title_of
from components.publish import citing
from components.publish.again import QUESTIONS
from components.publish.contents import Published, PublishedReading, SiteContents, SiteFile, SiteSection
from components.publish.listing import SCRIPT, Listing
from components.publish.report_tables import drawn, paragraphs, size
from components.publish.settings_table import made_and_reused, settings_table
from readers.engine import APP_VERSION
from readers.engine.files.import_site import ABOUT
from readers.engine.prompts.prompt import Prompt
from readers.engine.report.values import Cell, Figure, Row, Table, columns, small_dollars
from readers.engine.text.phrases import counted

PATH, NAME = "made/index.html", "How it was made"
CITATION, BIBTEX = "CITATION.cff", "citation.bib"
OF_THE_TEXT = ("licence", "license", "source", "url", "rights", "author")  # fields of a question that tell of its text
_SAY_IT = f"{ABOUT}, {CITATION}, {BIBTEX}"
_SHORT = 16  # digits of a hash in a table
_ABOUT_PROMPTS = (
    "Calls name a prompt by its id. The hash is that of its words and of the form of its reply: where an id stands twice, its "
    "words or that form differ, and the readings of each can be listed."
)
_WITH_QUESTIONS = (
    "From the folder of the site, with the questions that were read and their texts, which are in {}: their set has the id {}, "
    "the file the SHA-256 {}."
)
_WITHOUT_QUESTIONS = "The question set is not in this site: the commands need it under this name."


def section(contents: SiteContents) -> SiteSection:
    """The section of any site."""
    files = {
        CITATION: SiteFile("How to cite the site, with the papers of its readers (CFF)", lambda: citing.cff(contents).encode()),
        BIBTEX: SiteFile("The same as BibTeX", lambda: citing.bibtex(contents).encode()),
    }
    return SiteSection(PATH, NAME, lambda shown: _body(contents, shown), files, [SCRIPT])


def _body(contents: SiteContents, shown: Published) -> Markup:
    listing = Listing()
    tables = [settings_table(shown.readings), _texts(shown.readings)]
    parts = [
        Markup("<h1>{}</h1>").format(NAME),
        _facts(contents, shown.readings),
        *(drawn(one, shown, listing, kind="settings") for one in tables),
        _prompts(shown.readings, listing),
        _again(contents),
        _cite(contents),
        _downloads(shown),
        listing.html(shown),
    ]
    return Markup("\n").join(parts)


def _facts(contents: SiteContents, readings: Sequence[PublishedReading]) -> Markup:
    days = sorted({one.reading.run.created[:10] for one in readings} - {""})
    known = [one.cost for one in readings if one.cost is not None]
    unknown = len(readings) - len(known)
    left_out = f"; unknown of {counted(unknown, 'reading')}" if unknown and known else ""
    facts = {
        "Readings": ", ".join(contents.facts),
        "Read": " to ".join(dict.fromkeys((days[0], days[-1]))) if days else "",
        "Calls": made_and_reused(readings),
        "Cost": f"{small_dollars(sum(known))}{left_out}" if known else "unknown",
        **dict(contents.made),
        "Program": f"Palimpsest {APP_VERSION}",
        "Hash of the site": f"{contents.version}: of all its files but those that say it (this page, {_SAY_IT})",
        "Hash of the readings": f"{citing.of_readings(contents)}: of their content ids, the same wherever they are published",
    }
    rows = ((name, value) for name, value in facts.items() if value)
    return Markup('<dl class="site-made">{}</dl>').format(
        Markup("").join(Markup("<div><dt>{}</dt><dd>{}</dd></div>").format(name, value) for name, value in rows)
    )


# Texts and prompts


def _texts(readings: Sequence[PublishedReading]) -> Table:
    texts: dict[str, list[PublishedReading]] = {}
    for one in readings:
        texts.setdefault(one.document, []).append(one)
    fields = {document: _fields(some) for document, some in texts.items()}
    names = [name for name in OF_THE_TEXT if any(name in found for found in fields.values())]
    rows = [
        Row(
            some[0].text,
            [
                Cell(some[0].size), Cell(Figure(len(some), unit="count")),
                *(Cell(fields[document].get(name, "not known")) for name in names or ["licence"]), Cell(some[0].sha256),
            ],
        )
        for document, some in texts.items()
    ]  # fmt: skip
    heads = columns("Length", "Readings", *(name.capitalize() for name in names or ["licence"]), "SHA-256")
    return Table("Texts", heads, rows, head="Title")


def _fields(some: Sequence[PublishedReading]) -> dict[str, str]:
    """What the questions' file says of the text."""
    return {field.name: field.value for one in some for field in (one.reading.known.fields if one.reading.known else ())}


def _prompts(readings: Sequence[PublishedReading], listing: Listing) -> Markup:
    """The prompts by reader, each with its hash and its words, and the readings whose calls have it."""
    asked: dict[str, Prompt] = {}
    runs: dict[str, list[PublishedReading]] = {}
    for one in readings:
        for key, prompt in one.prompts.items():
            if prompt.task != "score":  # a scorer is asked nothing
                asked[key] = prompt
                runs.setdefault(key, []).append(one)
    by: dict[str, list[Markup]] = {}
    for key, prompt in sorted(asked.items(), key=lambda one: (one[1].id, one[0])):
        several = sum(other.id == prompt.id for other in asked.values()) > 1
        used = _used(runs[key], f"{prompt.id} {key[:_SHORT]}", listing if several else None)
        by.setdefault(title_of(runs[key][0].reading.run.reader), []).append(_prompt(key, prompt, used))
    groups = [Markup("<h3>{}</h3>{}").format(title, Markup("").join(some)) for title, some in by.items()]
    return Markup("<section><h2>Prompts</h2>{}{}</section>").format(paragraphs([_ABOUT_PROMPTS]), Markup("").join(groups))


def _used(some: Sequence[PublishedReading], name: str, listing: Listing | None) -> Markup:
    """How many readings have calls with a prompt; with `listing` they can be listed."""
    words = f"in {counted(len(some), 'reading')}"
    if listing is None:
        return Markup('<span class="site-soft">{}</span>').format(words)
    key = listing.key(name, [one.reading.run.id for one in some])
    return Markup('<a href="#list={}">{}</a>').format(key, words)


def _prompt(key: str, prompt: Prompt, used: Markup) -> Markup:
    return Markup(
        '<details class="site-fold"><summary>{} <code>{}</code></summary><p class="site-note">{}</p>'
        '<pre tabindex="0" dir="auto">{}</pre></details>'
    ).format(prompt.id, key[:_SHORT], used, prompt.template)


# Making and citing it, and downloads


def _again(contents: SiteContents) -> Markup:
    again = contents.again
    if not again:
        return Markup()
    there = contents.texts and bool(again.file)
    told = [
        _WITH_QUESTIONS.format(QUESTIONS, again.set_id, sha256(again.file).hexdigest()) if there else _WITHOUT_QUESTIONS,
        "With the same models. Run files can be imported and resumed, too." if contents.texts else "",
    ]
    return Markup("<section><h2>How to make it again</h2>{}{}</section>").format(
        paragraphs(told), _code("\n".join(again.commands(with_file=there)))
    )


def _cite(contents: SiteContents) -> Markup:
    readers = dict.fromkeys(one.run.reader for one in contents.readings)
    links = [(f"https://arxiv.org/abs/{number}", str(paper["title"])) for number, paper in citing.papers(readers)]
    links += [(citing.home(), "Palimpsest")] if citing.home() else []
    rows = Markup("").join(
        Markup('<li><a href="{}" rel="noopener noreferrer">{}</a> <span class="site-soft">{}</span></li>').format(
            address, name, address.removeprefix("https://")
        )
        for address, name in links
    )
    listed = Markup("<ul>{}</ul>").format(rows) if rows else ""
    return Markup("<section><h2>How to cite it</h2>{}{}</section>").format(_code(citing.bibtex(contents)), listed)


def _code(words: str) -> Markup:
    return Markup('<pre class="site-code" tabindex="0">{}</pre>').format(words)


def _downloads(shown: Published) -> Markup:
    """Everything that can be downloaded, with its size."""
    rows = Markup("").join(
        Markup('<tr><th scope="row"><a href="{}">{}</a></th><td class="words">{}</td><td>{}</td></tr>').format(
            shown.top + one.path, one.path, one.about, size(one.size)
        )
        for one in shown.downloads
    )
    return Markup(
        '<section id="downloads"><h2>Downloads</h2><div class="wide" tabindex="0" role="region" aria-label="Downloads">'
        '<table class="outcomes scores"><thead><tr><th scope="col">File</th><th scope="col">What it is</th>'
        '<th scope="col">Size</th></tr></thead><tbody>{}</tbody></table></div></section>'
    ).format(rows)
