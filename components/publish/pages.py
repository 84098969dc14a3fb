"""The pages of a site and the files that they offer to download, once its readings are written. Pure.

Not here: the data of readings and texts (`site.py`), and what stands on each page (`index.py`, `reading_page.py`, the sections).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from components.publish import compare_page, index, lesson_pages, made_section, reading_page, shell
from components.publish.again import QUESTIONS
from components.publish.contents import Download, Published, PublishedReading, SiteContents, SiteFile, SiteSection
from components.publish.opened import Look
from readers.engine import APP_VERSION
from readers.engine.files.import_site import ABOUT, RUN_FILES, SCHEMA

Made = Mapping[str, tuple[str, bytes]]  # files by path: what each is, and its bytes


@dataclass(frozen=True)
class SitePages:
    """What pages are made of. `archive` is the size of the run files; what else is `said` that may quote a text is shown as that
    function leaves it."""

    contents: SiteContents
    published: Sequence[PublishedReading]
    archive: int
    look: Look
    said: Callable[[str], str]

    def files(self, version: Callable[[], str]) -> Iterator[tuple[str, bytes]]:
        """All of them; those that say the `version` of the site come last, for it is that of all files before."""
        contents, published = self.contents, self.published
        for path, words in shell.assets(network=any(one.drawn for one in published)).items():
            yield path, words.encode()
        yield compare_page.LISTED, compare_page.listed(published).encode()
        made = self._made({path: file for one in contents.sections for path, file in one.files.items()} | self._questions())
        yield from ((path, words) for path, (_, words) in made.items())
        pages = [index.page(contents, published), *reading_page.pages(published, contents.address), compare_page.page(published)]
        for page in (*pages, *lesson_pages.pages(contents.recordings, published)):
            yield self._written(page)
        for one in contents.sections:
            yield self._section(one, made)
        contents = replace(contents, version=version())
        section = made_section.section(contents)
        own = self._made(section.files)
        yield from ((path, words) for path, (_, words) in own.items())
        yield self._section(section, {**made, **own})
        yield ABOUT, _about(contents, published).encode()

    def _written(self, page: shell.SitePage) -> tuple[str, bytes]:
        ways = [(shell.FRONT, "Readings"), *((one.path, one.name) for one in self.contents.sections)]
        ways += [(made_section.PATH, made_section.NAME)]
        ways += [(lesson_pages.LIST, lesson_pages.NAME)] if self.contents.recordings else []
        return page.path, shell.written(page, self.contents.title, ways).encode()

    def _section(self, one: SiteSection, made: Made) -> tuple[str, bytes]:
        downloads = [Download(RUN_FILES, "Every reading as a run file", self.archive)] if self.contents.texts else []
        downloads += [Download(path, about, len(words)) for path, (about, words) in made.items()]
        body = one.body(Published("../" * one.path.count("/"), self.published, downloads, self.said))
        self.look(one.path, str(body))
        return self._written(shell.SitePage(one.path, one.name, body, one.scripts, style="reports"))

    def _questions(self) -> dict[str, SiteFile]:
        """The file of the questions that were read, if there is one."""
        again = self.contents.again
        if not (again and again.file and self.contents.texts):
            return {}
        self.look(QUESTIONS, [json.loads(row) for row in again.file.splitlines()])
        return {QUESTIONS: SiteFile("The questions that were read, with their texts, to import", lambda: again.file, quotes=True)}

    def _made(self, files: Mapping[str, SiteFile]) -> Made:
        """What is offered to download; a file that is empty is left out."""
        texts = self.contents.texts
        return {path: (one.about, made) for path, one in files.items() if (texts or not one.quotes) and (made := one.make())}


def _about(contents: SiteContents, published: Sequence[PublishedReading]) -> str:
    """What is in the site: each reading with its content id, what it is of, and where it opens."""
    listed = [
        {
            "content_id": one.reading.content, "reader": one.reading.run.reader, "model": one.reading.run.spec["model"],
            "question": one.reading.run.question, "text": one.text, "outcome": one.reading.run.outcome, "page": one.link,
        }
        for one in published
    ]  # fmt: skip
    about = {
        "schema": SCHEMA, "app_version": APP_VERSION, "title": contents.title, "version": contents.version,
        "texts": contents.texts, "readings": listed,
    }  # fmt: skip
    return json.dumps(about, ensure_ascii=False, indent=1) + "\n"
