"""ReadAgent: read a text page by page, keep a gist of each page, and look pages up again for a question (Lee et al., 2024, arXiv
2402.09727).

Pages (section 3.1): the model sees the text from the last pause on, with labels between paragraphs, and picks the label at which
it would pause; the text before it is a page. Gists (3.1): each page is shortened on its own; all gists, tagged with their pages,
are the gist memory. Look-up (3.2): given the question and the gists, the model names pages to read again, all at once (parallel)
or one at a time, with the opened pages in view (sequential). Answer: from the gists, with each opened page in place of its gist.
The paper's comparisons are options: pages of uniform length, only gists, and retrieval over the same pages by BM25 or embeddings
(section "Retrieval-Augmented Generation"), with the gists of the other pages or without. Gists that are too long (appendix I):
neighbouring pages are merged and shortened again.

Where the paper is silent, or its notebook falls short of it, this reader
  - ends a paragraph at every blank line, cuts a paragraph over `max_words` at sentence ends, and counts Chinese and Japanese by
    characters;
  - offers a label only after at least `min_words`, and none after the paragraph that would pass `max_words`; if only one label is
    left, it asks nothing; a rest under 1.25 x `min_words` becomes a page without a call;
  - accepts only a label that was offered, asks once more, and then takes the last one, a recorded fallback;
  - uses a page's first sentences if no gist could be read;
  - enforces `max_lookups` in code: pages that do not exist, are named twice or exceed it are dropped with the reason; in
    sequential look-up the model is informed, and the second dropped request in a row ends the look-up;
  - answers only from the gists if no page is asked for, or no request could be read;
  - asks for gists of `gist_percent` of a page's words (the paper's prompt names no length; its gists of QuALITY have 15 %);
  - keeps room for `max_lookups` of the longest pages next to the gists. If the model's window has none, each gist is held to its
    share, with room for fewer pages where gists would be left with next to nothing. Where not even one page has room,
    neighbouring pages are merged, as their gists suggest, all of them if the model would keep every page apart, until a section
    has half of the room. With `room` for one page it works as in appendix I: pages are merged first, as their words suggest.
    Pages that still do not fit next to the gists are put back, the page asked for last first;
  - retrieves only with the question, without its choices, by BM25 or embeddings of whole pages (or gists, `compared`); of equals
    the first in the text is the better one; in the prompt the pages are in the order of the text, regardless of rank, and only
    the best page is sure of room;
  - holds a page to 4 tokens for each of `min_words` and `max_words`, so that a text without blanks has pages like any other (they
    may then have fewer than `min_words`), and a gist to the tokens of its page.
Readings recorded before there was `gist_percent` had gists of half the page's words and room for one page, and continue that way.
Not here: gists of gists, and the paper's web navigation.
"""

from __future__ import annotations

from readers.engine.errors import PromptTooLong
from readers.engine.prompts.options import PartSize
from readers.engine.run.desk import Desk
from readers.engine.run.reader import Reader
from readers.engine.text.document import Document, Question, Text
from readers.readagent.fitting import Fitting
from readers.readagent.look_up import Answering
from readers.readagent.narrative import Action, ReadAgentCode, ReadAgentNarrative
from readers.readagent.options import PRESETS, ReadAgentOptions
from readers.readagent.pages import Build
from readers.readagent.prompts import (
    ANSWER,
    ANSWER_CHOICE,
    ANSWER_PAGES,
    ANSWER_PAGES_CHOICE,
    GIST,
    GIST_FOR,
    LOOK_UP,
    LOOK_UP_NEXT,
    PAUSE,
    SECTION,
    SECTION_OF_GISTS,
)
from readers.readagent.state import ReadAgentState


class ReadAgent(Reader):
    """Keeps a gist of each page it reads, and opens pages again for a question."""

    id, title, version = "readagent", "ReadAgent", 2
    prompts = (
        PAUSE, GIST, GIST_FOR, SECTION, SECTION_OF_GISTS, LOOK_UP, LOOK_UP_NEXT,
        ANSWER, ANSWER_CHOICE, ANSWER_PAGES, ANSWER_PAGES_CHOICE,
    )  # fmt: skip
    Options = ReadAgentOptions
    narrative = ReadAgentNarrative()
    pseudo_code = ReadAgentCode()
    State = ReadAgentState
    presets = PRESETS
    part_size = PartSize("max_words", "page", in_words=True, least="min_words", at_once=1 + ReadAgentOptions.max_lookups)

    def read(self, document: Document, question: Question, desk: Desk[Action], options: ReadAgentOptions) -> Text:
        with desk.step("build"):
            build = Build(document, question, desk, options)
            fitting = Fitting(build, build.pages())
        while True:
            answer = Answering(fitting.pages, question, desk, options, spare=fitting.spare).answer()
            if not isinstance(answer, PromptTooLong):
                return answer
            fitting.shrink(answer)
