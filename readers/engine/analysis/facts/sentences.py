"""What became of a fact, in one sentence, and what matcher and judges say of a text. Pure.

*Stood before the model*, *says* and *offered* are said of what the record shows; that a fact changed the answer is never said
here, for only a fork can show it. Steps are counted from 1, as everywhere a person reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from readers.engine.analysis.facts.fates import FactFate, InWords
from readers.engine.analysis.facts.matching.matcher import Verdict
from readers.engine.forks.judge import Judged
from readers.engine.models import catalogue
from readers.engine.prompts.judge import Judgement
from readers.engine.record.events import Answered
from readers.engine.record.trace import Trace
from readers.engine.run.bounded_memory import MEMORY
from readers.engine.text import refs
from readers.engine.text.phrases import with_article


def sentence(fate: FactFate, trace: Trace, names: Mapping[str, str]) -> str:
    """The fate of a fact; `names` are the reader's names for its texts, by ref."""
    return fate.row.sentence(InWords(fate, lambda ref: called(ref, trace, names), isinstance(trace.end, Answered)))


def called(ref: str, trace: Trace, names: Mapping[str, str]) -> str:
    """The noun phrase for a text or a passage: "the gist of page 11"."""
    number, name = refs.written(ref), names.get(ref)
    text = None if number is None else trace.wrote.get(number)
    if text is None:
        return name or "a passage"
    if name is None:
        return with_article(text.role)
    return f"the {name}" if text.role == MEMORY or name.startswith(text.role) else f"the {text.role} of {name}"


def by_its_words(verdict: Verdict) -> str:
    """What the matcher says of a text: a clause."""
    return _BY_ITS_WORDS[verdict]


def judge_says(judged: Sequence[Judged]) -> str:
    """What judges say of a text, beside the matcher: `the judge MODEL says: still said`; empty if none was asked."""
    return "; ".join(f"the judge {catalogue.title(one.model)} says: {JUDGED[one.verdict]}" for one in judged)


_BY_ITS_WORDS: Mapping[Verdict, str] = {
    "carried": "by its words still said",
    "altered": "by its words said with another value",
    "unclear": "cannot be told by its words",
    "lost": "by its words no longer said",
}
JUDGED: Mapping[Judgement | None, str] = {
    "says it": "still said",
    "says another": "something else in its place",
    "does not say it": "no longer said",
    "cannot tell": "cannot be told",
    None: "nothing that could be read",
}
