"""A site as files, one at a time: the data of each reading, then all pages. Pure.

    index.html                       questions by readers
    reading/ID/index.html, data.js   a reading in the player, and its data; ID is its content id
    texts/ID.js                      a text, which readings share
    compare/index.html               readings beside each other
    assets/                          scripts and styles, once
    downloads/                       run files, tables
    site.json                        what is in it, for `import`

The same readings make the same files, byte for byte: nothing in them says when or where the site was made. Each reading is opened
once and not kept. Not here: the pages (`pages.py`), and writing to a disk
(`readers/cli/publish.py`).
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from hashlib import sha256

from components.publish import compare_page
from components.publish.card import CARD, draw_card
from components.publish.contents import PublishedReading, SiteContents
from components.publish.data import script_of
from components.publish.opened import Look, data_of, published_of, run_file
from components.publish.pages import SitePages
from components.publish.withheld import Withheld, cited, dotted
from readers.engine.canonical import canonical, digest
from readers.engine.errors import BadOptions
from readers.engine.files import packing
from readers.engine.files.import_site import RUN_FILES
from readers.engine.text.document import Span

Progress = Callable[[int, int], object]


def files(
    contents: SiteContents, progress: Progress = lambda done, of: None, *, look: Look = lambda where, value: None
) -> Iterator[tuple[str, bytes]]:
    """The files of a site by path; `look` is called with all that comes from outside, by the file that it will be in. Raises
    BadOptions if there is no reading."""
    hashes: dict[str, str] = {}
    for path, words in _files(contents, progress, look, version=lambda: digest(canonical(hashes))[:12]):
        hashes[path] = sha256(words).hexdigest()
        yield path, words


def _files(contents: SiteContents, progress: Progress, look: Look, *, version: Callable[[], str]) -> Iterator[tuple[str, bytes]]:
    """The files, those that say the `version` of the site last: it is that of all before."""
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
    published.sort(key=lambda one: order[one.reading.content])
    withheld = None if contents.texts else Withheld(texts.values())
    published = [one.without(withheld) for one in published] if withheld else published
    pages = SitePages(contents, published, len(run_files), look, withheld.words if withheld else str)
    yield from pages.files(version)
