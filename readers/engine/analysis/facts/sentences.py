"""What became of a fact, in one sentence. Pure.

*Stood before the model*, *says* and *offered* are said of what the record shows; that a fact changed the answer is never said
here, for only a fork can show it. Steps are counted from 1, as everywhere a person reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from readers.engine.analysis.facts.fate import Fate, FateKind
from readers.engine.analysis.facts.matching.matcher import Verdict
from readers.engine.forks.judge import Judged
from readers.engine.models import catalogue
from readers.engine.prompts.judge import Judgement
from readers.engine.record.events import Answered
from readers.engine.record.trace import Trace
from readers.engine.run.bounded_memory import MEMORY
from readers.engine.text import refs
from readers.engine.text.phrases import capitalised, listed, with_article

Called = Callable[[str], str]  # the noun phrase for a text, by its ref


def sentence(fate: Fate, trace: Trace, names: Mapping[str, str]) -> str:
    """The fate of a fact; `names` are the reader's names for its texts, by ref."""
    if fate.kind == "opened, then left":
        ended = (
            "the answer was given from elsewhere" if isinstance(trace.end, Answered) else "the reading ended without an answer"
        )
        there = _says(fate, lambda ref: called(ref, trace, names)) if fate.ref else "It stood before the model raw"
        return f"{there} at step {fate.step + 1}, and {ended}."
    return _SENTENCES[fate.kind](fate, lambda ref: called(ref, trace, names))


def called(ref: str, trace: Trace, names: Mapping[str, str]) -> str:
    """The noun phrase for a text or a passage: "the gist of page 11"."""
    number, name = refs.written(ref), names.get(ref)
    text = None if number is None else trace.wrote.get(number)
    if text is None:
        return name or "a passage"
    if name is None:
        return with_article(text.role)
    return f"the {name}" if text.role == MEMORY or name.startswith(text.role) else f"the {text.role} of {name}"


def _says(fate: Fate, called: Called) -> str:
    return f"{capitalised(called(fate.ref))} says it{' with another value' if fate.altered else ''}"


def _passed_over(fate: Fate, called: Called) -> str:
    if fate.shown:
        return f"{_says(fate, called)}. It was offered at step {fate.step + 1}, and not opened."
    has = f"{capitalised(called(fate.ref))} has it" if refs.span(fate.ref) else _says(fate, called)
    return f"{has}, but was not opened at step {fate.step + 1}: no prompt held any of it there."


def _lost(fate: Fate, called: Called) -> str:
    written = f"{called(fate.ref)}, written at step {fate.step + 1},"
    if fate.cut and fate.sure:
        return f"{capitalised(called(fate.before))} says it; {written} copies only another part of that."
    if not fate.sure:
        return f"{capitalised(written)} does not say it; the words of {called(fate.before)} do not settle whether that did."
    if fate.before:
        return f"{capitalised(called(fate.before))} says it; {written} does not."
    return f"It stood before the model raw; {written} does not say it."


def _not_written_down(fate: Fate, called: Called) -> str:
    written = f"{called(fate.ref)} does not say it" if fate.ref else "nothing was written there"
    return f"It stood before the model raw at step {fate.step + 1}, and {written}."


def _overwritten(fate: Fate, called: Called) -> str:
    written = f"{called(fate.ref)}, written at step {fate.step + 1}, does not, nor does any later one"
    if not fate.sure:
        return f"The words of {called(fate.before)} do not settle whether it says this; {written}."
    said = f"{capitalised(called(fate.before))} says it; {written}."
    steps = listed((str(step + 1) for step in fate.back), most=4)
    looked = f" A look back brought it before the model again at step {steps}, but not in the answering call."
    return said + (looked if fate.back else "")


def _in_view(fate: Fate, called: Called) -> str:
    return f"It stood in the answering call, {_where(fate, called)}"


def _where(fate: Fate, called: Called) -> str:
    return f"in {called(fate.ref)}" if fate.ref else "raw"


def _words(fate: Fate) -> str:
    """Words of the answer; a long one has many."""
    return listed(fate.words, most=6)


def _used(fate: Fate, called: Called) -> str:
    return f"{_in_view(fate, called)}, and the answer repeats its words: {_words(fate)}."


_SENTENCES: Mapping[FateKind, Callable[[Fate, Called], str]] = {
    "cut off": lambda fate, _: f"It was cut off at step {fate.step + 1}: the model was shown other parts of the text only.",
    "never read": lambda *_: "It never stood before the model.",
    "never offered": lambda *_: "It was read before the question was, and nothing that rests on it was offered afterwards.",
    "lost in a text": _lost,
    "passed over": _passed_over,
    "left out": lambda fate, _: (
        f"It was found, and left out at step {fate.step + 1}; it did not stand before the model after that."
    ),
    "taken out of view": lambda fate, _: f"It stood before the model raw, and was taken out of view at step {fate.step + 1}.",
    "not written down": _not_written_down,
    "overwritten": _overwritten,
    "altered": lambda fate, called: (
        f"{capitalised(called(fate.ref))}, written at step {fate.step + 1}, says it with another value."
    ),
    "cannot be told": lambda fate, called: f"The words of {called(fate.ref)} do not settle whether it says this.",
    "in view, not used": lambda fate, called: f"{_in_view(fate, called)}. The words of the answer are not in it: {_words(fate)}.",
    "in view, declined": lambda fate, called: (
        f"It stood in the last prompt, {_where(fate, called)}, and the model declined to answer."
    ),
    "in view": lambda fate, called: f"{_in_view(fate, called)}. The words of the answer do not settle whether it was used.",
    "used": _used,
}


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
