"""Cutting a text into pages, and writing their gists. Not here: what happens if the gists are too long (`fitting.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from readers.engine.prompts.prompt import LEAST_REPLY
from readers.engine.run.bounded_memory import end_within
from readers.engine.run.desk import Desk, Got, PromptParts, Unread
from readers.engine.text import split, tokens, words
from readers.engine.text.document import Document, Question, Span, Text
from readers.engine.text.split import Unit
from readers.readagent.narrative import Action
from readers.readagent.options import TOKENS_A_WORD, ReadAgentOptions
from readers.readagent.prompts import GIST, GIST_FOR, PAUSE

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
            return self.gisted(self._cut_pages())

    def _cut_pages(self) -> Iterator[Text]:
        units = split.units(self.document.text, self.options.max_words, TOKENS_A_WORD * self.options.max_words)
        left, left_tokens = sum(unit.words for unit in units), sum(unit.tokens for unit in units)
        start, number, page = 0, 0, Text("")
        while start < len(units):
            with self.desk.step(f"page {number}"):
                if left < TAIL * self.options.min_words and left_tokens <= self.options.max_tokens:
                    end = len(units)
                    self.desk.choose("pause", "tail" if start else "only", because="the rest of the text is short")
                elif self.options.pagination == "uniform":
                    end = even_end(units, start, left, self.options)
                    self.desk.choose("pause", "uniform", because="pages are of about the same length")
                else:
                    end = self._pause(units, start, page)
                left -= sum(unit.words for unit in units[start:end])
                left_tokens -= sum(unit.tokens for unit in units[start:end])
                page = self.cut(Span(units[start].span.start, units[end - 1].span.end))
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

    def cut(self, span: Span) -> Text:
        """A recorded page."""
        (page,) = self.desk.cut(self.document, [span])
        return page

    def gisted(self, pages: Iterable[Text], *, limit: int | None = None) -> list[Page]:
        """The pages with their gists; the gists are asked for at once. `limit` is the most tokens of each, if there is one."""
        kept: list[Text] = []

        def rows() -> Iterator[PromptParts]:
            for page in pages:
                kept.append(page)
                yield {"page": page, "limit": Text(str(self._most_words(page, limit))), **asked}

        conditional = self.options.conditional
        asked: PromptParts = {"question": self.question.asked, "choices": self.question.offered} if conditional else {}
        prompt = GIST_FOR if conditional else GIST
        if limit is not None:
            prompt = replace(prompt, max_tokens=max(LEAST_REPLY, min(prompt.max_tokens, limit * 4 // 3)))
        replies = self.desk.ask_all(prompt, rows())
        return [Page(page, self._gist(page, reply, limit)) for page, reply in zip(kept, replies, strict=True)]

    def _most_words(self, page: Text, limit: int | None) -> int:
        """The most words of a gist as the prompt states it: a share of its page's, and no more than `limit` tokens have."""
        share = words.count(page.text) * self.options.gist_percent // 100
        return max(LEAST_GIST, share if limit is None else min(share, tokens.in_words(limit)))

    def _gist(self, page: Text, reply: Got | Unread, limit: int | None) -> Text:
        if isinstance(reply, Got):
            gist: Text = reply
        else:
            self.desk.choose("fallback", "first sentences", because=f"no gist could be read: {reply.problems[-1]}")
            gist = page[: split.opening(page.text)].strip()
        if limit is not None and (end := end_within(gist.text, limit)) < len(gist):
            self.desk.choose("truncate", f"{end} of {len(gist)} characters", because=f"the gist was over {limit} tokens")
            gist = gist[:end].strip()
        return self.desk.write("gist", gist)


def offered(units: Sequence[Unit], start: int, options: ReadAgentOptions) -> Iterator[int]:
    """The units before which a page that begins with unit `start` may end; the end of the text counts as a unit.

    A page may end after `min_words`. It has at most `max_tokens`, whether it has that many words or not.
    """
    held, held_tokens = 0, 0
    some = False
    for end in range(start, len(units)):
        full = held_tokens + units[end].tokens > options.max_tokens
        if end > start and (held >= options.min_words or (full and not some)):
            yield end
            some = True
        if some and (full or held + units[end].words > options.max_words):
            return
        held += units[end].words
        held_tokens += units[end].tokens
    yield len(units)


def even_end(units: Sequence[Unit], start: int, left: int, options: ReadAgentOptions) -> int:
    """The unit before which a page that begins with unit `start` ends, if the `left` words from there on make pages of about the
    same length, none over `max_words`."""
    aim = -(-left // max(1, -(-left // options.max_words)))
    end, held, held_tokens = start, 0, 0
    while end < len(units) and (end == start or held < aim):
        unit = units[end]
        if end > start and (held + unit.words > options.max_words or held_tokens + unit.tokens > options.max_tokens):
            break
        held, held_tokens, end = held + unit.words, held_tokens + unit.tokens, end + 1
    return end
