"""What an answer stands on, in words. Pure: no Streamlit, no storage.

Of replies only counts are told: "changed the answer in n of m". That a sentence supports the answer is said of its words alone.
"""

from __future__ import annotations

from collections.abc import Mapping

from readers.engine.forks.experiment_results import rule_of
from readers.engine.forks.group_search import End, Found
from readers.engine.forks.stands_on import PromptSentence, Tried, TriedGroup, Tries
from readers.engine.store import Run
from readers.engine.text.shorten import truncate

LONGEST = 300
TITLE = "What does the answer stand on? Leave sentences out"
WHAT = (
    "Asks the call that answered again: unchanged, then without all that it was shown of the text, then without one half or the "
    "other, and so on down to single sentences. If neither half changes the answer, sentences of both are left out together. It "
    "stops when leaving out the rest changes nothing."
)
EMBEDDING_HELP = (
    "The id of an embedding model, such as text-embedding-3-small or ollama/nomic-embed-text. Every sentence of the text is sent "
    "to it once, and what is nearest then goes by the words and the embeddings together (reciprocal rank fusion). Whether a "
    "sentence supports the answer goes by the words alone. Leave it empty to go by the words."
)
EARLIER_RULE = (
    "This search was judged by an earlier rule. Its counts stay as they are, because they decided what was asked next. "
    "Search again to apply the present rule."
)
_ENDS: Mapping[End, str] = {
    "settled": "Leaving out all the rest together did not change it.",
    "differs by itself": "It differs by itself too often to say anything of single sentences.",
    "nothing changes it": "Nothing in this prompt is needed for this answer.",
    "out of calls": "The calls were used up, so there may be more.",
    "unfinished": "The search was interrupted; what it has found by then is shown.",
}


def noise(found: Found) -> str:
    """How often the answer changed with nothing left out."""
    if not found.noise.of:
        return "The unchanged prompt has no reply yet."
    said = f"Asked unchanged, the answer changed in {found.noise.changed} of {found.noise.of}"
    return f"{said}; so each trial was repeated." if 0 < 2 * found.noise.changed < found.noise.of else f"{said}."


def of_group(group: TriedGroup) -> str:
    """`Leaving these 2 out, only together, changed the answer in 3 of 3`"""
    size = len(group.sentences)
    what = "this" if size == 1 else f"these {size}"
    how = "" if size == 1 else ", only together," if group.together else " together"
    return f"Leaving {what} out{how} changed the answer in {group.came.changed} of {group.came.of}"


def instead(group: TriedGroup) -> str:
    """The answer that came most often without them."""
    return (
        f"Most often it was then: “{truncate(group.instead, LONGEST)}”"
        if group.instead
        else "Most often there was no answer then."
    )


def where(sentence: PromptSentence, called: str) -> str:
    """Where a sentence stands: in the text, or in a text with this name."""
    place = sentence.place
    return f"characters {place.start:,} to {place.end:,} of the text, raw" if place else f"carried by {called}"


def ending(tried: Tried) -> str:
    """How the search ended, with its calls."""
    found = tried.search
    every = found.everything
    whole = (
        f"Leaving out all {tried.sentences:,} sentences changed the answer in {every.changed} of {every.of}. " if every.of else ""
    )
    return f"{whole}{_ENDS[found.end]} {found.calls:,} calls were made, of at most {tried.budget:,}."


def rule(search: Run) -> str:
    """What counted as a changed answer in a search."""
    return rule_of(search) if search.is_of_version(Tries.version) else EARLIER_RULE


def by_words(supports: bool, sentence: str, *, model: str = "") -> str:
    """What the nearest sentence of the text is to the answer, or to one `sentence` of it: by its words, and by the embeddings of
    `model`, if one is named."""
    what = f"“{truncate(sentence, LONGEST)}”" if sentence else "the answer"
    if supports:
        return f"Supports {what}, by its words"
    by = f"its words and the embeddings of {model}" if model else "its words"
    return f"Nearest to {what} by {by}, which need not mean that it stands there"


def compared(model: str, changed: int, of: int) -> str:
    """What an embedding model made of the nearest sentences, in a clause."""
    return f"{model} changed what is nearest to {changed} of {of} {'sentence' if of == 1 else 'sentences'} of the answer"
