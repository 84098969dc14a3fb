"""Cutting a text into pages with gists, and merging pages if the gists are too long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from readers.engine.run.desk import Desk, Got, PromptParts, Unread
from readers.engine.text import split, words
from readers.engine.text.document import Document, Question, Span, Text
from readers.engine.text.split import Unit
from readers.readagent.narrative import Action
from readers.readagent.options import ReadAgentOptions
from readers.readagent.prompts import GIST, GIST_FOR, PAUSE, SECTION

TAIL = 1.25
LEAST_GIST = 10  # words
LAST_LABEL = "the last label"


class Page(NamedTuple):
    """A page and its gist."""

    raw: Text
    gist: Text


class Build:
    """Pages and their gists."""

    def __init__(self, document: Document, question: Question, desk: Desk[Action], options: ReadAgentOptions) -> None:
        self.document = document
        self.question = question
        self.desk = desk
        self.options = options

    def pages(self) -> list[Page]:
        """The pages of the whole text. Each gist is asked for as soon as its page ends, while the next page is being cut."""
        with self.desk.step("pages and gists"):
            return self._gisted(self._cut_pages())

    def _cut_pages(self) -> Iterator[Text]:
        units = split.units(self.document.text, self.options.max_words)
        left = sum(unit.words for unit in units)
        start, number, page = 0, 0, Text("")
        while start < len(units):
            with self.desk.step(f"page {number}"):
                if left < TAIL * self.options.min_words:
                    end = len(units)
                    self.desk.choose("pause", "tail" if start else "only", because="the rest of the text is short")
                else:
                    end = self._pause(units, start, page)
                left -= sum(unit.words for unit in units[start:end])
                page = self._cut(Span(units[start].span.start, units[end - 1].span.end))
                self.desk.look(page)
            start, number = end, number + 1
            yield page

    def _pause(self, units: Sequence[Unit], start: int, previous: Text) -> int:
        """The number of the unit that the next page begins with."""
        ends = list(offered(units, start, self.options))
        if len(ends) == 1:
            inside = ends[0] < len(units) and units[ends[0]].inside
            why = "the paragraph is too long for a page and was cut" if inside else "there was no other place to pause"
            self.desk.choose("pause", "cut" if inside else "only", because=why)
            return ends[0]
        at = [units[end].span.start if end < len(units) else units[-1].span.end for end in ends]
        until = [*at[1:], units[ends[-1]].span.end if ends[-1] < len(units) else units[-1].span.end]
        got = self.desk.ask(
            PAUSE,
            previous=[previous.strip()] if self.options.previous_page and start else [],
            opening=self.document.at(Span(units[start].span.start, at[0])).strip(),
            offered=[self.document.at(Span(*stretch)).strip() for stretch in zip(at, until, strict=True)],
        )
        labels = [f"<{number}>" for number in range(1, len(ends) + 1)]
        if isinstance(got, Unread):
            self.desk.choose("fallback", LAST_LABEL, labels, f"no label could be read: {got.problems[-1]}")
            return ends[-1]
        self.desk.choose("pause", labels[got.number("label") - 1], labels)
        return ends[got.number("label") - 1]

    def _cut(self, span: Span) -> Text:
        (page,) = self.desk.cut(self.document, [span])
        return page

    def _gisted(self, pages: Iterable[Text]) -> list[Page]:
        """The pages with their gists; the gists are asked for at once."""
        kept: list[Text] = []

        def rows() -> Iterator[PromptParts]:
            for page in pages:
                kept.append(page)
                yield {"page": page, "limit": Text(str(longest_gist(page))), **asked}

        conditional = self.options.conditional
        asked: PromptParts = {"question": self.question.asked, "choices": self.question.offered} if conditional else {}
        replies = self.desk.ask_all(GIST_FOR if conditional else GIST, rows())
        return [Page(page, self._gist(page, reply)) for page, reply in zip(kept, replies, strict=True)]

    def _gist(self, page: Text, reply: Got | Unread) -> Text:
        if isinstance(reply, Got):
            return self.desk.write("gist", reply)
        self.desk.choose("fallback", "first sentences", because=f"no gist could be read: {reply.problems[-1]}")
        return self.desk.write("gist", page[: split.opening(page.text)].strip())

    def merged(self, pages: Sequence[Page]) -> list[Page]:
        """Fewer pages, each made of one or two of these, with new gists."""
        with self.desk.step("merging pages"):
            pairs = list(pairwise(pages))
            replies = self.desk.ask_all(SECTION, ({"first": a.raw, "second": b.raw} for a, b in pairs))
            joins = [isinstance(reply, Got) and reply.text.lower() == "no" for reply in replies]
            if not any(joins):
                why = "no page was said to go on with the one before, and the gists have to become shorter"
                self.desk.choose("fallback", "merging all pages by pairs", because=why)
                joins = [True] * len(pairs)
            found: list[Page | Text] = []
            number = 0
            while number < len(pages):
                joined = number < len(joins) and joins[number]
                here, last = pages[number], pages[number + joined]
                found.append(self._cut(Span(here.raw.spans[0].start, last.raw.spans[0].end)) if joined else here)
                number += 1 + joined
            self.desk.choose(
                "merge", f"{len(pages)} pages into {len(found)}", because="the gists do not fit into the model's window"
            )
            again = iter(self._gisted(page for page in found if isinstance(page, Text)))
            return [next(again) if isinstance(page, Text) else page for page in found]


def longest_gist(page: Text) -> int:
    """The most words of a gist as the prompt states it: half the words of its page."""
    return max(LEAST_GIST, words.count(page.text) // 2)


def offered(units: Sequence[Unit], start: int, options: ReadAgentOptions) -> Iterator[int]:
    """The units before which a page that begins with unit `start` may end; the end of the text is one of them."""
    held = 0
    some = False
    for end in range(start, len(units)):
        if held >= options.min_words and end > start:
            yield end
            some = True
        if some and held + units[end].words > options.max_words:
            return
        held += units[end].words
    yield len(units)
