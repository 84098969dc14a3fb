"""QRMeM's prompts in the order of their use. The formats are the paper's where appendix D prints one, the words are ours."""

from __future__ import annotations

from functools import partial

from readers.engine.prompts import prompt
from readers.engine.prompts.answering import QUESTION, QUOTED, answer_prompts
from readers.engine.prompts.formats.blocks import Block, Line
from readers.engine.prompts.formats.json_lists import Listed

# Five replies in all, each retry warmer, as in the paper's setup, which does not say how much warmer.
TRIES, WARMER = 5, 0.2
Prompt = partial(prompt.Prompt, tries=TRIES, warmer=WARMER)

RELATION_KEYS, PAIR_KEYS = ("a", "b", "relation"), ("a", "b")

SEGMENT_SUMMARY = Prompt(
    id="qrmem.segment_summary",
    task="summarise",
    template=(
        "<text>\n$segment\n</text>\n\n"
        "Write a summary of the text above in a few sentences, at most 150 words. Keep the names of persons, places and "
        "things. Write nothing but the summary."
    ),
    max_tokens=256,
    shared=True,
)

SUMMARY = Prompt(
    id="qrmem.summary",
    task="summarise",
    template=(
        "<summaries>\n$summaries\n</summaries>\n\n"
        "These are summaries of consecutive parts of one text. Write one short summary of the whole, at most 300 words. Keep "
        "the most important names. Write nothing but the summary."
    ),
    max_tokens=512,
    shared=True,
)

_ABOUT = "A long text is about this:\n<summary>\n$summary\n</summary>\n\nHere is a part of it:\n<text>\n$segment\n</text>\n\n"
_NAMED = (
    " Write each name exactly as it stands in the part: persons, places, organisations, things with a name of their own, dates, "
    "quantities.\n\nReply with JSON in exactly this form:\n$format"
)

ENTITIES = Prompt(
    id="qrmem.entities",
    task="entities",
    template=(
        _ABOUT + "<question>\n$question\n\n$choices\n</question>\n\n"
        "Which entities are named in this part that may matter for the question, or lead on towards its answer?" + _NAMED
    ),
    reply=Listed("entities"),
)

_RELATED = (
    "Between which of the entities does this part say that there is some relation? Describe each such relation in one sentence "
    "of your own that names both.\n\nReply with JSON in exactly this form:\n$format"
)
_MARKED = "The same part, with its entities in brackets:\n<marked>\n$marked\n</marked>\n\n"

RELATIONS = Prompt(
    id="qrmem.relations",
    task="relate",
    template=(
        "Here is a part of a text:\n<text>\n$segment\n</text>\n\n<entities>\n$entities\n</entities>\n\n" + _MARKED + _RELATED
    ),
    reply=Listed("relations", RELATION_KEYS),
)

QUESTIONS = Prompt(
    id="qrmem.questions",
    task="question",
    template=(
        _ABOUT + "<entities>\n$entities\n</entities>\n\n<relations>\n$relations\n</relations>\n\n"
        "Which questions does this part raise or answer that these entities and relations leave open? Write up to three.\n\n"
        "Reply with JSON in exactly this form:\n$format"
    ),
    reply=Listed("questions"),
    max_tokens=256,
)

MORE_ENTITIES = Prompt(
    id="qrmem.more_entities",
    task="entities",
    template=(
        _ABOUT + "These entities are known already:\n<entities>\n$entities\n</entities>\n\n"
        "<questions>\n$questions\n</questions>\n\n"
        "Which other entities are named in this part that one of the questions is about?" + _NAMED
    ),
    reply=Listed("entities"),
)

MORE_RELATIONS = Prompt(
    id="qrmem.more_relations",
    task="relate",
    template=(
        "Here is a part of a text:\n<text>\n$segment\n</text>\n\n<entities>\n$entities\n</entities>\n\n" + _MARKED + ""
        "These relations are known already:\n<relations>\n$relations\n</relations>\n\n<questions>\n$questions\n</questions>\n\n"
        "Keep to what one of the questions is about, and to relations that are not known already. " + _RELATED
    ),
    reply=Listed("relations", RELATION_KEYS),
)

SAME = Prompt(
    id="qrmem.same",
    task="merge",
    template=(
        "These names were found in one text, each with a sentence in which it stands:\n<names>\n$names\n</names>\n\n"
        "Which of them mean the same person, place or thing? Give one pair for every two names that do, and none for names that "
        "may be different ones.\n\nReply with JSON in exactly this form:\n$format"
    ),
    reply=Listed("same", PAIR_KEYS),
    each={"names": "$text"},
)

_TWICE = (
    "A text is about this:\n<summary>\n$summary\n</summary>\n\nTwo parts of it speak of $a and $b.\n\n"
    "<first>\n$first\n</first>\nIt was said of this part: $one\n\n"
    "<second>\n$second\n</second>\nIt was said of this part: $other\n\n"
)

MERGE_QUESTION = Prompt(
    id="qrmem.merge_question",
    task="question",
    template=(
        _TWICE + "Which one question about $a and $b would bring out what both parts together say of them? Write nothing but the "
        "question."
    ),
    max_tokens=128,
)

MERGE_RELATIONS = Prompt(
    id="qrmem.merge_relations",
    task="merge",
    template=(
        _TWICE + "<question>\n$question\n</question>\n\nKeep this question in mind: $about\n\n"
        "Say in one or two sentences how $a and $b are related, by both parts together. Write nothing else."
    ),
    max_tokens=256,
)

START = Prompt(
    id="qrmem.start",
    task="entities",
    template=(
        "<question>\n$question\n</question>\n\n"
        "Which entities does the question name? Write each exactly as it stands there.\n\n"
        "Reply with JSON in exactly this form:\n$format"
    ),
    reply=Listed("entities"),
    max_tokens=256,
)

_BLOCK = (
    Line("reasoning", "words", "(why, in a sentence or two; if you cannot answer, what is missing)", needed=False),
    Line("action", "number", "(-2 or -1)", lowest=-2, highest=-1),
    Line("answer", "words", "(the answer, if the action is -2)", when=-2),
)

# The segments in view as appendix D quotes them, and the question, for any request about them.
_PARTS = "Some parts of a long text:\n\n$segments\n\n"
_SHOWN = _PARTS + QUESTION

ANSWERABLE = Prompt(
    id="qrmem.answerable",
    task="answer_or_decline",
    template=(
        _SHOWN + "Can the question be answered from these parts? If it can, reply with the action -2 and the answer (one of the "
        "choices as it stands, if there are any). If it cannot, reply with the action -1 and say in your reasoning what is still "
        "missing. No other action is allowed.\n\nReply in exactly this form:\n$format"
    ),
    reply=Block(_BLOCK),
    max_tokens=512,
    each=QUOTED,
)

REVISE = Prompt(
    id="qrmem.revise",
    task="entities",
    template=(
        _SHOWN + "These parts were found by the entities:\n<entities>\n$entities\n</entities>\n\n"
        "The question could not be answered from them:\n<reason>\n$reason\n</reason>\n\n"
        "Which entities should be looked for instead? Name those that are still of use, and others that stand in the parts and "
        "may lead on.\n\nReply with JSON in exactly this form:\n$format"
    ),
    reply=Listed("entities"),
    max_tokens=512,
    each=QUOTED,
)

ELABORATE = Prompt(
    id="qrmem.elaborate",
    task="elaborate",
    template=(
        "<question>\n$question\n\n$choices\n</question>\n\nWhat is known of the entities around it:\n"
        "<entities>\n$entities\n</entities>\n\n<relations>\n$relations\n</relations>\n\n"
        "Write the question again at more length, in at most 150 words, with the names and facts above that help to find the "
        "place in the text where the answer stands. Write nothing but the longer question."
    ),
    max_tokens=256,
)

ANSWER, ANSWER_CHOICE = answer_prompts("qrmem.answer", _PARTS, "these parts", each=QUOTED, tries=TRIES, warmer=WARMER)
