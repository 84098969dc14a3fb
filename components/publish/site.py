"""A site as files, one at a time: the data of each reading, then all pages. Pure.

    index.html                       questions by readers
    reading/ID/index.html, data.js   a reading in the player, and its data; ID is its content id
    texts/ID.js                      a text, which readings share
    compare/index.html               readings beside each other
    assets/                          scripts and styles, once
    downloads/                       run files, tables
    site.json                        what is in it, for `import`

The same readings make the same files, byte for byte: nothing in them says when or where the site was made. Each reading is opened
once and not kept. Not here: the pages (`index.py`, `reading_page.py`, the sections), and writing to a disk
(`readers/cli/publish.py`).
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from components.publish import compare_page, index, lesson_pages, made_section, reading_page, shell
from components.publish.again import QUESTIONS
from components.publish.card import CARD, draw_card
from components.publish.contents import Download, Published, PublishedReading, SiteContents
from components.publish.data import script_of
from components.publish.opened import Look, data_of, published_of, run_file
from components.publish.withheld import Withheld, cited, dotted
from readers.engine import APP_VERSION
from readers.engine.errors import BadOptions
from readers.engine.files import packing
from readers.engine.files.import_site import ABOUT, RUN_FILES, SCHEMA
from readers.engine.text.document import Span

Progress = Callable[[int, int], object]


def files(
    contents: SiteContents, progress: Progress = lambda done, of: None, *, look: Look = lambda where, value: None
) -> Iterator[tuple[str, bytes]]:
    """The files of a site by path; `look` is called with all that comes from outside, by the file that it will be in. Raises
    BadOptions if there is no reading."""
    waiting = (one for one in contents.readings if one.run.status != "queued")
    shown = [*{one.content: one for one in waiting}.values()]  # copies of a reading are one
    if not shown:
        raise BadOptions("there is no reading to publish; `python -m readers runs` lists those there are")
    ids = {one.run.id: one.content for one in contents.readings}
    published: list[PublishedReading] = []
    texts: dict[str, tuple[str, list[Span]]] = {}  # with the passages that readings cite
    told: dict[str, list[str]] = {}
    packed = io.BytesIO()
    with packing.tar(packed) as archive:
        for number, (one, opened, later) in enumerate(compare_page.by_question(shown)):
            progress(number, len(shown))
            if not opened.reading.trace.steps:
                continue
            document = opened.reading.document
            passages = cited(opened.reading, one.known)
            texts.setdefault(document.id, (document.text, []))[1].extend(passages)
            data = data_of(one, opened, ids)
            listed = carded = published_of(one, opened, data)
            data["parted"] = compare_page.parted(opened, later, told)
            if contents.texts:
                packing.add(archive, f"readings/{one.content}.json", run_file(one, opened, look))
            else:
                own = Withheld([(document.text, passages)])
                data, carded = own.value(data), listed.without(own)
            look(listed.path, [data, carded.said])
            yield f"reading/{one.content}/data.js", script_of(f"reading {one.content}", data).encode()
            if contents.address:
                yield f"reading/{one.content}/{CARD}", draw_card(carded, opened.reading.trace)
            published.append(listed)
    progress(len(shown), len(shown))
    for text, (whole, passages) in texts.items():
        shown_text = whole if contents.texts else dotted(whole, passages)
        look(f"texts/{text}.js", shown_text)
        yield f"texts/{text}.js", script_of(f"text {text}", shown_text).encode()
    run_files = packed.getvalue()
    if contents.texts:
        yield RUN_FILES, run_files
    order = {one.content: number for number, one in enumerate(shown)}
    contents = replace(contents, sections=[*contents.sections, made_section.section(contents)])
    published.sort(key=lambda one: order[one.reading.content])
    withheld = None if contents.texts else Withheld(texts.values())
    yield from _pages(contents, published, len(run_files), look, withheld)


def _pages(
    contents: SiteContents, published: Sequence[PublishedReading], archive: int, look: Look, withheld: Withheld | None
) -> Iterator[tuple[str, bytes]]:
    published = [one.without(withheld) for one in published] if withheld else published
    said = withheld.words if withheld else str
    ways = [(shell.FRONT, "Readings"), *((one.path, one.name) for one in contents.sections)]
    ways += [(lesson_pages.LIST, lesson_pages.NAME)] if contents.recordings else []
    for path, words in shell.assets(network=any(one.drawn for one in published)).items():
        yield path, words.encode()
    yield compare_page.LISTED, compare_page.listed(published).encode()
    made = _made(contents)
    if QUESTIONS in made:
        look(QUESTIONS, [json.loads(row) for row in made[QUESTIONS][1].splitlines()])
    yield from ((path, words) for path, (_, words) in made.items())
    run_files = [Download(RUN_FILES, "Every reading as a run file", archive)] if contents.texts else []
    downloads = [*run_files, *(Download(path, about, len(words)) for path, (about, words) in made.items())]
    pages = [index.page(contents, published), *reading_page.pages(published, contents.address), compare_page.page(published)]
    pages += lesson_pages.pages(contents.recordings, published)
    for one in contents.sections:
        shown = Published("../" * one.path.count("/"), published, downloads, said)
        pages.append(shell.SitePage(one.path, one.name, one.body(shown), one.scripts, style="reports"))
        look(one.path, str(pages[-1].body))
    for page in pages:
        yield page.path, shell.written(page, contents.title, ways).encode()
    yield ABOUT, _about(contents, published).encode()


def _made(contents: SiteContents) -> dict[str, tuple[str, bytes]]:
    """What the other pages offer to download, by path: what it is, and its bytes; one that is empty is left out."""
    return {
        path: (one.about, made)
        for section in contents.sections
        for path, one in section.files.items()
        if (contents.texts or not one.quotes) and (made := one.make())
    }


def _about(contents: SiteContents, published: Sequence[PublishedReading]) -> str:
    """What is in the site: each reading with its content id, what it is of, and where it opens."""
    listed = [
        {
            "content_id": one.reading.content, "reader": one.reading.run.reader, "model": one.reading.run.spec["model"],
            "question": one.reading.run.question, "text": one.text, "outcome": one.reading.run.outcome, "page": one.link,
        }
        for one in published
    ]  # fmt: skip
    about = {"schema": SCHEMA, "app_version": APP_VERSION, "title": contents.title, "texts": contents.texts, "readings": listed}
    return json.dumps(about, ensure_ascii=False, indent=1) + "\n"
