"""Making gists fit into the model's window, with room for pages next to them (appendix I of the paper).

With room for `lookups`, every gist is held to its share of what the pages leave. Where that is too little for a gist, there is
room for fewer pages, a recorded fallback; if not even one page has room, neighbouring pages are merged into sections and
shortened again. With room for a `page`, merging comes first. A section stays under half of the room that gists and pages have
together. If no two pages can be merged any more and no page has room, the gists have the window for themselves, a recorded
fallback.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import pairwise

from readers.engine.errors import PromptTooLong
from readers.engine.run.desk import Got
from readers.engine.text import tokens
from readers.engine.text.document import Span, Text
from readers.engine.text.phrases import counted
from readers.readagent.pages import Build, Page
from readers.readagent.prompts import SECTION, SECTION_OF_GISTS

LEAST_GIST = 16  # tokens
TAG = 8  # tokens of the tag before each page, and the blank line after it
SLACK = 32  # tokens by which two counts of the same texts may differ
NO_ROOM = "the gists without room for a page"


class Fitting:
    """The pages of one reading, and how many of them have room next to the gists."""

    def __init__(self, build: Build, pages: Sequence[Page]) -> None:
        self._build = build
        self.pages = pages
        self._spared = build.options.pages_with_room
        self._merges_first = build.options.room == "page"

    @property
    def spare(self) -> int:
        """The tokens that the pages that have room, the longest ones, add to a prompt in place of their gists."""
        return self._added(self._spared)

    def _added(self, pages: int) -> int:
        return sum(nlargest(pages, map(_added, self.pages))) + SLACK if pages else 0

    def shrink(self, too_long: PromptTooLong) -> None:
        """Make the gists shorter after a prompt with all of themplus `spare` tokens was too long. Raises that error if they
        cannot become any shorter."""
        room = sum(map(_size, self.pages)) + self.spare - too_long.over
        with self._build.desk.step("build"):
            if self._merges_first:
                if not self._merge(most=room // 2):
                    self._shorten(room, too_long)
            elif self._keeps_room(room) or not (self._merge(most=room // 3) or self._merge(most=room // 2)):
                self._shorten(room, too_long)

    def _keeps_room(self, room: int) -> bool:
        """Whether gists have enough room next to at least one page; then as many pages have room as leave enough."""
        fits = (pages for pages in range(self._spared, 0, -1) if self._share(room - self._added(pages)) >= LEAST_GIST)
        pages = next(fits, 0)
        if 0 < pages < self._spared:
            why = f"with room for {self._spared}, each of {len(self.pages)} gists would have less than {LEAST_GIST} tokens"
            with self._build.desk.step("shorter gists"):
                self._build.desk.choose("fallback", f"room for {counted(pages, 'page')}", because=why)
            self._spared = pages
        return pages > 0

    def _merge(self, most: int) -> bool:
        """Merge neighbours that together have at most `most` tokens; False if there are none."""
        sizes = [tokens.count(page.raw.text) for page in self.pages]
        pairs = [number for number, (a, b) in enumerate(pairwise(sizes)) if a + b <= most]
        if not pairs:
            return False
        with self._build.desk.step("merging pages"):
            before = len(self.pages)
            found = list(self._sections(self._joined(pairs)))
            self._build.desk.choose("merge", f"{before} pages into {len(found)}", because=self._why)
            gisted = iter(self._build.gisted(page for page in found if isinstance(page, Text)))
            self.pages = [next(gisted) if isinstance(page, Text) else page for page in found]
        return True

    def _joined(self, pairs: Sequence[int]) -> set[int]:
        """The pairs, named by their first page, between whose pages the model says that no new section begins; all if there are
        none."""
        prompt = SECTION if self._merges_first else SECTION_OF_GISTS
        replies = self._build.desk.ask_all(prompt, map(self._neighbours, pairs))
        joins = {number for number, got in zip(pairs, replies, strict=True) if isinstance(got, Got) and got.text.lower() == "no"}
        if joins:
            return joins
        why = "no page was said to go on with the one before, and the gists have to become shorter"
        self._build.desk.choose("fallback", "merging all pages by pairs", because=why)
        return set(pairs)

    def _neighbours(self, number: int) -> Mapping[str, Text]:
        first, second = self.pages[number : number + 2]
        if self._merges_first:
            return {"first": first.raw, "second": second.raw}
        return {"first": first.gist, "second": second.gist}

    def _sections(self, joins: set[int]) -> Iterator[Page | Text]:
        """The pages in order, with joined pages as one text."""
        number = 0
        while number < len(self.pages):
            here = self.pages[number]
            if number in joins:
                yield self._build.cut(Span(here.raw.spans[0].start, self.pages[number + 1].raw.spans[0].end))
                number += 1
            else:
                yield here
            number += 1

    def _shorten(self, room: int, too_long: PromptTooLong) -> None:
        """Hold every gist to its share of the room that pages leave; or of all of it, if that is too little."""
        limit = self._share(room - self.spare)
        if limit < LEAST_GIST and self._spared:
            why = f"there are {len(self.pages)} of them, and beside a page each would have {max(0, limit)} tokens"
            self._build.desk.choose("fallback", NO_ROOM, because=why)
            self._spared = 0
            limit = self._share(room)
        if limit < LEAST_GIST:
            raise too_long
        with self._build.desk.step("shorter gists"):
            long = {number for number, page in enumerate(self.pages) if tokens.count(page.gist.text) > limit}
            again = (self._build.cut(self.pages[number].raw.spans[0]) for number in sorted(long))
            self._build.desk.choose("hold", f"{len(long)} gists to {limit} tokens each", because=self._why)
            shorter = iter(self._build.gisted(again, limit=limit))
            self.pages = [next(shorter) if number in long else page for number, page in enumerate(self.pages)]

    @property
    def _why(self) -> str:
        beside = f"and {'a page' if self._spared == 1 else f'{self._spared} pages'} " if self._spared else ""
        return f"the gists {beside}do not fit into the model's window"

    def _share(self, room: int) -> int:
        return (room - SLACK) // len(self.pages) - TAG


def _size(page: Page) -> int:
    return tokens.count(page.gist.text) + TAG


def _added(page: Page) -> int:
    return max(0, tokens.count(page.raw.text) - tokens.count(page.gist.text))
