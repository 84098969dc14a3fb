"""The three prompts of recursive reading, and the actions among which a reply chooses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from readers.engine.prompts.answering import QUESTION
from readers.engine.prompts.formats.choices import Act, OneAction
from readers.engine.prompts.prompt import Prompt

SEARCH = Act("search", "shows the places that have certain words", "a name, a word or a phrase")
PEEK = Act("peek", "shows a short stretch", "first, last, or a percentage such as 40%", "either")
SPLIT = Act("split", "cuts the text into parts with numbers, which can be asked about", "how many parts", "either")
ASK = Act(
    "ask",
    "has somebody read a part, or each of several, and answer a question",
    "the number of a part or several, a colon, and the question",
    "parts",
)
ANSWER = Act(
    "answer", "ends the work with the answer", "the answer in a few words; one of the choices as it stands, if there are any"
)
NOTHING = Act("nothing", "says that the answer is not in this text", "", "nothing")
ACTS = (SEARCH, PEEK, SPLIT, ASK, ANSWER, NOTHING)

_SEEN = "<seen>\n$seen\n</seen>\n\n<answers>\n$answers\n</answers>\n\n"
_FORM = "Choose the one action that helps most now:\n$format"

NEXT = Prompt(
    id="recursive.next",
    task="act",
    template=(
        "You have to answer a question about a text of $about, which is too long to be shown. You can look into it, one "
        "action at a time.\n\n" + QUESTION + "What you have seen of it so far:\n" + _SEEN +
        "The parts into which it was split:\n<parts>\n$parts\n</parts>\n\n" + _FORM
    ),
    reply=OneAction(ACTS, "parts"),
    max_tokens=256,
    gives_way=("seen",),
    each={"parts": "Part $ordinal: $text"},
)  # fmt: skip

LEAF = Prompt(
    id="recursive.leaf",
    task="act",
    template=(
        "A part of a long text:\n<text>\n$segment\n</text>\n\n" + QUESTION +
        "If this text answers the question, the action is answer. If it does not, the action is nothing.\n\n" + _FORM
    ),
    reply=OneAction((ANSWER, NOTHING)),
    max_tokens=512,
)  # fmt: skip

LAST = replace(
    LEAF,
    id="recursive.last",
    template=(
        "What is known of a long text: places that were seen, and answers of those who read parts.\n\n" + _SEEN + QUESTION +
        "If this answers the question, the action is answer. If it does not, the action is nothing.\n\n" + _FORM
    ),
    gives_way=("seen",),
)  # fmt: skip


def next_prompt(acts: Sequence[Act]) -> Prompt:
    """The prompt for the next action, where these are open."""
    return replace(NEXT, reply=OneAction(tuple(acts), "parts"))
