"""What became of a fact, in one sentence. Pure.

*Stood before the model*, *says* and *offered* are said of what the record shows; that a fact changed the answer is never said
here, for only a fork can show it. Steps are counted from 1, as everywhere a person reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from readers.engine.analysis.facts.fate import Fate, FateKind
from readers.engine.record.trace import Trace
from readers.engine.text import refs
from readers.engine.text.phrases import capitalised, listed

Called = Callable[[str], str]  # the noun phrase for a text, by its ref


def sentence(fate: Fate, trace: Trace, names: Mapping[str, str]) -> str:
    """The fate of a fact; `names` are the reader's names for its texts, by ref."""
    return _SENTENCES[fate.kind](fate, lambda ref: called(ref, trace, names))


def called(ref: str, trace: Trace, names: Mapping[str, str]) -> str:
    """The noun phrase for a text or a passage: "the gist of page 11"."""
    number, name = refs.written(ref), names.get(ref)
    text = None if number is None else trace.wrote.get(number)
    if text is None:
        return name or "a passage"
    if name is None:
        return f"a {text.role}"
    return f"the {name}" if name.startswith(text.role) else f"the {text.role} of {name}"


def _lost(fate: Fate, called: Called) -> str:
    written = f"{called(fate.ref)}, written at step {fate.step + 1},"
    if not fate.sure:
        return f"{capitalised(written)} does not say it; whether {called(fate.before)} did cannot be told by its words."
    if fate.before:
        return f"{capitalised(called(fate.before))} says it; {written} does not."
    return f"It stood before the model raw; {written} does not say it."


def _not_written_down(fate: Fate, called: Called) -> str:
    written = f"{called(fate.ref)} does not say it" if fate.ref else "no memory was written there"
    return f"It stood before the model raw at step {fate.step + 1}, and {written}."


def _overwritten(fate: Fate, called: Called) -> str:
    stood = f"It stood in {called(fate.before)}, not in {called(fate.ref)}"
    if not fate.back:
        return f"{stood}, and never again."
    steps = listed((str(step + 1) for step in fate.back), most=4)
    return f"{stood}. A look back brought it before the model again at step {steps}, but not in the answering call."


def _in_view(fate: Fate, called: Called) -> str:
    return f"It stood in the answering call, {f'in {called(fate.ref)}' if fate.ref else 'raw'}"


_SENTENCES: Mapping[FateKind, Callable[[Fate, Called], str]] = {
    "cut off": lambda fate, _: f"It was cut off at step {fate.step + 1}: the model was shown other parts of the text only.",
    "never read": lambda *_: "It never stood before the model.",
    "never offered": lambda *_: "It was read before the question was, and nothing that rests on it was offered afterwards.",
    "lost in a text": _lost,
    "passed over": lambda fate, called: (
        f"{capitalised(called(fate.ref))} says it. It was offered at step {fate.step + 1}, and not opened."
    ),
    "left out": lambda fate, _: f"It was taken out of view at step {fate.step + 1}, before the answer was given.",
    "opened, then left": lambda fate, _: (
        f"It stood before the model raw at step {fate.step + 1}, and the answer was given elsewhere, or not at all."
    ),
    "not written down": _not_written_down,
    "overwritten": _overwritten,
    "altered": lambda fate, called: (
        f"{capitalised(called(fate.ref))}, written at step {fate.step + 1}, says it with another value."
    ),
    "cannot be told": lambda fate, called: f"Whether {called(fate.ref)} still says it cannot be told by its words.",
    "in view, not used": lambda fate, called: f"{_in_view(fate, called)}, and the answer has none of its telling words.",
    "in view": lambda fate, called: f"{_in_view(fate, called)}. Whether it was used cannot be told by the words of the answer.",
    "used": lambda fate, called: f"{_in_view(fate, called)}, and the answer has its telling words.",
}
