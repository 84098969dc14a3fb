"""The page How it was made of a site: readers, models, options, prompts, texts, dates and costs; how to cite the site, how to
make its readings again, and everything that can be downloaded. Pure.

Nothing of the machine that made the readings is on it: no folder, no address of a server, no key.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

from markupsafe import Markup

from components.html.words import reading_words, wording
from components.html.words.reading_words import title_of
from components.publish import citing
from components.publish.again import QUESTIONS
from components.publish.contents import Published, PublishedReading, SiteContents, SiteFile, SiteSection
from components.publish.listing import Listing
from components.publish.report_tables import drawn, paragraphs, size
from readers import get
from readers.engine import APP_VERSION
from readers.engine.errors import NotFound
from readers.engine.prompts.options import title_of as option_title
from readers.engine.prompts.prompt import Prompt
from readers.engine.report.values import NOTHING, Cell, Figure, Row, Table, columns, small_dollars
from readers.engine.text.phrases import counted

PATH, NAME = "made/index.html", "How it was made"
CITATION, BIBTEX = "CITATION.cff", "citation.bib"
OF_THE_TEXT = ("licence", "license", "source", "url", "rights", "author")  # fields of a question that tell of its text
_SHORT = 16  # digits of a hash in a table
_ABOUT_SEEDS = (
    "Models are given no seed: at a temperature above 0 a model may reply otherwise the next time. The replies of these readings "
    "are in their run files."
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
    if again := contents.again:
        files[QUESTIONS] = SiteFile("The questions that were read, with their texts, to import", lambda: again.file, quotes=True)
    return SiteSection(PATH, NAME, lambda shown: _body(contents, shown), files)


def _body(contents: SiteContents, shown: Published) -> Markup:
    listing = Listing()
    tables = [_settings(shown.readings), _texts(shown.readings)]
    parts = [
        Markup("<h1>{}</h1>").format(NAME),
        _facts(contents, shown.readings),
        *(drawn(one, shown, listing, kind="settings") for one in tables),
        _prompts(shown.readings),
        _again(contents),
        _cite(contents),
        _downloads(shown),
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
        "Calls": f"{sum(one.calls for one in readings):,}",
        "Cost": f"{small_dollars(sum(known))}{left_out}" if known else "unknown",
        **dict(contents.made),
        "Program": f"Palimpsest {APP_VERSION}",
        "Version of the site": citing.version(contents),
    }
    rows = ((name, value) for name, value in facts.items() if value)
    return Markup('<dl class="site-made">{}</dl>').format(
        Markup("").join(Markup("<div><dt>{}</dt><dd>{}</dd></div>").format(name, value) for name, value in rows)
    )


# Readers with their settings


def _settings(readings: Sequence[PublishedReading]) -> Table:
    """A column for each way of reading, a row for each setting."""
    ways: dict[str, list[PublishedReading]] = {}
    for one in readings:
        if not one.reading.fork:
            ways.setdefault(one.reading.way, []).append(one)
    told = {way: _way(some) for way, some in ways.items()}
    names = dict.fromkeys(name for settings in told.values() for name in settings)
    rows = [Row(name, [Cell(settings.get(name, NOTHING)) for settings in told.values()]) for name in names]
    return Table("Readers and their settings", columns(*told), rows, [_ABOUT_SEEDS], head="Setting")


def _way(some: Sequence[PublishedReading]) -> dict[str, str]:
    """The settings of the readings of one way; a setting that differs among them has all its values, numbers their range."""
    runs = [one.reading.run for one in some]
    specs = [run.spec for run in runs]

    def of(name: str) -> str:
        return _values(spec.get(name) for spec in specs)

    options = {name: _option(runs[0].reader, name) for spec in specs for name in spec.get("options", {})}
    costs = [one.cost for one in some if one.cost is not None]
    found = {
        "Reader": "; ".join(dict.fromkeys(f"{title_of(run.reader)}, {run.version_in_words}" for run in runs)),
        "Paper": "; ".join(dict.fromkeys(filter(None, (citing.paper_of(run.reader) for run in runs)))),
        "Model": "; ".join(dict.fromkeys(wording.models(spec) for spec in specs)),
        "Temperature": of("temperature"),
        "Top p": of("top_p"),
        "Window in tokens": of("window"),
        "Tokens of a reply, at most": of("reply_tokens"),
        "Replies are asked for in": of("reply_form"),
        "Reworded prompts": "; ".join(dict.fromkeys(name for spec in specs for name in spec.get("prompts", {}))),
        "Readings": f"{len(some):,}",
        "Calls": f"{sum(one.calls for one in some):,}",
        "Cost": small_dollars(sum(costs)) if len(costs) == len(some) else "",
        **{title: _values(spec.get("options", {}).get(name) for spec in specs) for name, title in options.items()},
    }
    return {name: value for name, value in found.items() if value}


def _option(reader_id: str, name: str) -> str:
    """What a form calls an option, with the name that a command gives it."""
    try:
        return f"{option_title(get(reader_id).Options, name)} ({name})"
    except NotFound:
        return name


def _values(given: Iterable[Any]) -> str:
    """The values of a setting: one, the range of numbers, or all of them."""
    found = list(
        dict.fromkeys(value if isinstance(value, str | int | float) else str(value) for value in given if value is not None)
    )
    if len(found) > 1 and all(isinstance(one, int | float) and not isinstance(one, bool) for one in found):
        numbers = sorted(float(one) for one in found)
        return f"{numbers[0]:,.6g} to {numbers[-1]:,.6g}, by text"
    return "; ".join(reading_words.said(one) for one in found)


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


def _prompts(readings: Sequence[PublishedReading]) -> Markup:
    """The prompts by reader, each with its hash and its words."""
    by: dict[str, dict[str, Prompt]] = {}
    for one in readings:
        asked = {key: prompt for key, prompt in one.prompts.items() if prompt.task != "score"}  # a scorer is asked nothing
        by.setdefault(title_of(one.reading.run.reader), {}).update(asked)
    groups = [
        Markup("<h3>{}</h3>{}").format(title, Markup("").join(_prompt(*one) for one in sorted(some.items(), key=_id)))
        for title, some in by.items()
        if some
    ]
    about = paragraphs(["Each with the hash that its calls name it by."])
    return Markup("<section><h2>Prompts</h2>{}{}</section>").format(about, Markup("").join(groups))


def _id(one: tuple[str, Prompt]) -> tuple[str, str]:
    return one[1].id, one[0]


def _prompt(key: str, prompt: Prompt) -> Markup:
    return Markup(
        '<details class="site-fold"><summary>{} <code>{}</code></summary><pre tabindex="0" dir="auto">{}</pre></details>'
    ).format(prompt.id, key[:_SHORT], prompt.template)


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
    return Markup("<section><h2>How to cite it</h2>{}</section>").format(_code(citing.bibtex(contents)))


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
