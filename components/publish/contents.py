"""What a published site has: its readings, before they are opened and after, and the pages beside them. Pure.

Not here: where readings come from (`gather.py`), and how the site is written (`site.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from markupsafe import Markup

from components.html.words import wording
from components.html.words.wording import Chip
from components.publish.again import Again
from components.publish.reading_labels import SaidOfReading
from components.publish.shell import ScriptName
from components.publish.withheld import Withheld
from components.replay.reading import Replayed
from readers.engine.analysis.facts.evidence import EvidenceFate
from readers.engine.prompts.prompt import Prompt
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Run


@dataclass(frozen=True)
class SiteReading:
    """A reading that is published: its content id, its column (`way`), what is known of its answer, and what became of the
    evidence; `score` is from 0 to 1. A `fork` is listed with its parent and not in the table; neither is what is there for a
    lesson alone (`aside`). `open` reads it from the store, `run_file` makes the run file of what was opened, `said` what people
    said of it."""

    run: Run
    content: str
    way: str
    open: Callable[[], Replayed]
    run_file: Callable[[Replayed], Mapping[str, Any]]
    known: KnownAnswer | None = None
    fate: EvidenceFate | None = None
    score: float | None = None
    fork: bool = False
    aside: bool = False
    watch: str = ""
    said: Callable[[Replayed], Sequence[SaidOfReading]] = lambda _: ()

    @property
    def asked(self) -> tuple[str, str, tuple[str, ...]]:
        """What is the same for readings of one question."""
        return self.run.document, self.run.question, tuple(self.run.spec.get("choices") or ())

    @property
    def chip(self) -> Chip:
        """How the answer was graded; where nothing is known, how the reading ended."""
        return (wording.compared(self.run, self.known).chip if self.known else None) or wording.state(self.run)


@dataclass(frozen=True)
class PublishedReading:
    """A reading whose data are written: what pages say about it. `at` is the step (from 0) at which it opens, which is the one
    that decided, if that is known; `drawn`: whether vis-network draws its picture; `looked`: where in its text
    it looked, drawn for those with a sentence on what to watch for;
    `calls` were made, the replies of `reused` come from others; `prompts`: those of all by hash; `sha256` is that of the text;
    `said`: what people said of it."""

    reading: SiteReading
    document: str
    text: str
    size: str
    at: int
    steps: int
    calls: int
    reused: int
    cost: float | None
    drawn: bool
    looked: Markup
    prompts: Mapping[str, Prompt] = field(default_factory=dict)
    sha256: str = ""
    said: Sequence[SaidOfReading] = ()

    def without(self, withheld: Withheld) -> PublishedReading:
        """The same without what is withheld of texts, whoever said it."""
        run = self.reading.run
        asked, answer, edit, spec = withheld.value([run.question, run.answer, run.edit, run.spec])
        reading = replace(self.reading, run=replace(run, question=asked, answer=answer, edit=edit, spec=spec))
        prompts = {key: replace(one, template=withheld.words(one.template)) for key, one in self.prompts.items()}
        said = [SaidOfReading(*withheld.value(one)) for one in self.said]
        return replace(self, reading=reading, text=withheld.words(self.text), prompts=prompts, said=said)

    @property
    def path(self) -> str:
        return f"reading/{self.reading.content}/index.html"

    @property
    def link(self) -> str:
        """Its address from the top of the site, at the step where it opens."""
        return f"{self.path}#at={self.at + 1}"

    @property
    def chip(self) -> Chip:
        return self.reading.chip

    @property
    def answer(self) -> str:
        run = self.reading.run
        return run.answer if run.outcome == "answered" and run.answer else " ".join(wording.ending(run))


class SiteFile(NamedTuple):
    """A file to download: what it is, and its bytes. One that `quotes` is left out of a site that may not have its texts: words
    of these may stand in it."""

    about: str
    make: Callable[[], bytes]
    quotes: bool = False


class Download(NamedTuple):
    """A file of the site to download: its path, what it is, and its bytes."""

    path: str
    about: str
    size: int


@dataclass(frozen=True)
class Published:
    """What a page beside the index may show: the readings that are published, and the files to download. `top` is the way from
    the page to the top of the site. What else is `said` on the page that may quote a text is shown as that function leaves it."""

    top: str
    readings: Sequence[PublishedReading]
    downloads: Sequence[Download] = ()
    said: Callable[[str], str] = str

    def address(self, run: str) -> str | None:
        """The address of a reading from the page, by its run's id; None if it is not published."""
        found = self._by_run.get(run)
        return self.top + found.link if found else None

    def at(self, run: str, step: int) -> str | None:
        """The same at a step, from 1."""
        found = self._by_run.get(run)
        return f"{self.top}{found.path}#at={step}" if found else None

    def get(self, run: str) -> PublishedReading | None:
        return self._by_run.get(run)

    @cached_property
    def _by_run(self) -> dict[str, PublishedReading]:
        return {one.reading.run.id: one for one in self.readings}


@dataclass(frozen=True)
class SiteSection:
    """A page beside the index: its path, its name, what stands on it, its scripts, and its files to download, by path."""

    path: str
    name: str
    body: Callable[[Published], Markup]
    files: Mapping[str, SiteFile] = field(default_factory=dict)
    scripts: Sequence[ScriptName] = ()


@dataclass(frozen=True)
class SiteContents:
    """A site: its title, what is said of it in short, its readings in the order of their questions, and its other pages. With
    `texts` off it has of the texts only the passages that are cited (`withheld.py`), and no run files. With the `address` of its
    top, which ends in `/`, each reading has a card for those who share a link. With `recordings`, the content ids of the
    recordings that lessons show, by their names, it has the lessons. `made` are facts on how its readings were chosen,
    `again` is what makes them again, `authors` are to be cited, as is its `version`, the hash of
    all of its files but those that say it, which is known once these are made."""

    title: str
    facts: Sequence[str]
    readings: Sequence[SiteReading]
    sections: Sequence[SiteSection] = ()
    texts: bool = True
    address: str = ""
    recordings: Mapping[str, str] = field(default_factory=dict)
    made: Sequence[tuple[str, str]] = ()
    again: Again | None = None
    authors: Sequence[str] = ()
    version: str = ""
