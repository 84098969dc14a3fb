"""MemWalker's prompts in the order of their use, and the two actions that are not a child's number."""

from __future__ import annotations

from dataclasses import replace

from readers.engine.prompts.formats.blocks import Block, Line
from readers.engine.prompts.prompt import Prompt

COMMIT, BACK = -2, -1

LEAF_SUMMARY = Prompt(
    id="memwalker.leaf_summary",
    task="summarise",
    template=(
        "<text>\n$segment\n</text>\n\n"
        "Write a summary of the text above as one flowing passage of at most $limit words. Keep every person, place, date, "
        "number and event that somebody might ask about. Write nothing but the summary."
    ),
    tries=3,
    shared=True,
)

PARENT_SUMMARY = Prompt(
    id="memwalker.parent_summary",
    task="summarise",
    template=(
        "<summaries>\n$summaries\n</summaries>\n\n"
        "These are summaries of consecutive parts of one text. Make each of them much shorter, of at most $each words, so that "
        "all of them together have at most $limit words. Give them back in the same order, and leave none out. Keep the names. "
        "Write nothing but the shortened summaries."
    ),
    tries=3,
    shared=True,
)

_REASONING = Line("reasoning", "words", "(why, in a sentence or two)", needed=False)
_CHILD = Line("action", "number", "(the number of one summary)", lowest=BACK, below="summaries")
_VERDICT = Line("action", "number", "(-2 or -1)", lowest=COMMIT, highest=BACK)
_REPLY = Line("answer", "words", "(the answer, if the action is -2)", when=COMMIT)

TRIAGE = Prompt(
    id="memwalker.triage",
    task="choose",
    template=(
        "A long text was cut into parts, and each part below stands for one of them by a summary. The question is:\n\n"
        "<question>\n$question\n\n$choices\n</question>\n\n<summaries>\n$summaries\n</summaries>\n\n"
        "Which part is most likely to hold what answers the question? First compare the summaries, then decide for one number.\n"
        "$opened\n$back\n$refused\n\nReply in exactly this form:\n$format"
    ),
    reply=Block((_REASONING, _CHILD)),
    tries=3,
    max_tokens=512,
    each={
        "summaries": "Summary $number: $text",
        "opened": "Part $text was opened before, and left again.",
        "back": "If none of them can hold it, reply with the action $text to go back up.",
        "refused": "Do not choose $text: it leads nowhere that is still open.",
    },
)

LEAF = Prompt(
    id="memwalker.leaf",
    task="answer_or_decline",
    template=(
        "What is known from further up:\n<background>\n$memory\n</background>\n\n"
        "The part of the text itself:\n<text>\n$segment\n</text>\n\n"
        "<question>\n$question\n\n$choices\n</question>\n\n"
        "If the answer can be inferred from this, reply with the action -2, your reasoning and the answer "
        "(one of the choices as it stands, if there are any). If it cannot, reply with the action -1 to go back up. No other "
        "action is allowed.\n\n"
        "Reply in exactly this form:\n$format"
    ),
    reply=Block((_REASONING, _VERDICT, _REPLY)),
    tries=3,
    max_tokens=512,
    gives_way=("memory",),
)

# The paper's ablation without reasoning: weaker models choose better when they are not asked to explain.
TRIAGE_PLAIN = replace(
    TRIAGE,
    id="memwalker.triage_plain",
    template=TRIAGE.template.replace("First compare the summaries, then decide for one number.", "Decide for one number."),
    reply=Block((_CHILD,)),
)
LEAF_PLAIN = replace(
    LEAF,
    id="memwalker.leaf_plain",
    template=LEAF.template.replace("-2, your reasoning and the answer", "-2 and the answer"),
    reply=Block((_VERDICT, _REPLY)),
)
