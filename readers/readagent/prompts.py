"""ReadAgent's prompts in the order of their use. The formats are the paper's, the words are ours."""

from __future__ import annotations

from dataclasses import replace

from readers.engine.prompts.answering import QUOTED, answer_prompts
from readers.engine.prompts.formats.choices import BreakPoint, OneOf
from readers.engine.prompts.formats.pages import PageOrStop, Pages
from readers.engine.prompts.prompt import Prompt

_TAGGED = "<Page $number>\n$text"

PAUSE = Prompt(
    id="readagent.pause",
    task="pause",
    template=(
        "$previous\n\nThis is the next stretch of a long text, with numbered labels between its paragraphs:\n"
        "<text>\n$opening\n\n$offered\n</text>\n\n"
        "A person who reads it will pause where something comes to an end: a scene, an argument, a subject, a turn in a talk. "
        "At which label is it most natural to pause? Name one of the labels that stand there.\n\n"
        "Reply in exactly this form:\n$format"
    ),
    reply=BreakPoint("offered"),
    max_tokens=256,
    shared=True,
    each={"previous": "This was read before:\n<before>\n$text\n</before>", "offered": "<$ordinal>\n$text"},
)

GIST = Prompt(
    id="readagent.gist",
    task="shorten",
    template=(
        "<text>\n$page\n</text>\n\n"
        "Shorten the text above: tell the same in the same order, with far fewer words, at most $limit of them. Explain nothing, "
        "and write nothing but the shortened text."
    ),
    no_longer_than="page",
    shared=True,
)

GIST_FOR = Prompt(
    id="readagent.gist_for",
    task="shorten",
    template=(
        "<question>\n$question\n\n$choices\n</question>\n\n<text>\n$page\n</text>\n\n"
        "Shorten the text above: tell the same in the same order, with far fewer words, at most $limit of them, but keep "
        "whatever may help with the question. Do not answer it. Explain nothing, and write nothing but the shortened text."
    ),
    no_longer_than="page",
)

SECTION = Prompt(
    id="readagent.new_section",
    task="pause",
    template=(
        "Two consecutive pages of a text.\n\n<first>\n$first\n</first>\n\n<second>\n$second\n</second>\n\n"
        "Does the second page begin a new chapter or section? Reply with one of these and nothing else:\n$format"
    ),
    reply=OneOf(("yes", "no", "not sure")),
    max_tokens=32,
    shared=True,
)

SECTION_OF_GISTS = replace(
    SECTION,
    id="readagent.new_section_of_gists",
    template=SECTION.template.replace("Two consecutive pages of a text.", "Two consecutive pages of a text, both shortened."),
)

LOOK_UP = Prompt(
    id="readagent.look_up",
    task="choose_many",
    template=(
        "You have read a long text and remember it by these shortened pages:\n\n<memory>\n$gists\n</memory>\n\n"
        "<question>\n$question\n\n$choices\n</question>\n\n"
        "Which pages would you read again in full, to answer the question? You may name up to $limit, the most important one "
        "first; name as few as will do, and none ([]) if you know enough. Do not answer the question yet.\n\n"
        "Reply in exactly this form:\n$format"
    ),
    reply=Pages(),
    max_tokens=512,
    each={"gists": _TAGGED},
)

LOOK_UP_NEXT = Prompt(
    id="readagent.look_up_next",
    task="choose",
    template=(
        "You have read a long text and remember it as below: most pages shortened, those that you read again in full.\n\n"
        "<memory>\n$memory\n</memory>\n\n<question>\n$question\n\n$choices\n</question>\n\n"
        "Which one page would you read again in full, to answer the question? You may open $limit more. Say STOP if you know "
        "enough. Do not answer the question yet.\n$opened\n$refused\n\n"
        "Reply in exactly this form:\n$format"
    ),
    reply=PageOrStop(),
    max_tokens=512,
    each={
        "memory": _TAGGED,
        "opened": "Page $text is there in full already: do not name it.",
        "refused": "Page $text cannot be opened: name another one, or say STOP.",
    },
)

ANSWER, ANSWER_CHOICE = answer_prompts(
    "readagent.answer",
    "You have read a long text and remember it as below: most pages shortened, some in full.\n\n<memory>\n$memory\n</memory>\n\n",
    "what you remember",
    each={"memory": _TAGGED},
)

ANSWER_PAGES, ANSWER_PAGES_CHOICE = answer_prompts(
    "readagent.answer_pages",
    "These are some pages of a long text, in its order:\n\n$segments\n\n",
    "these pages",
    each=QUOTED,
)
