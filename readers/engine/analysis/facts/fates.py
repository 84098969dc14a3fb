"""The fates of a fact, as one table: where the fact left the reading, the annotators' code, the sentence, and what would mend
it.

Pages, exports, the command line and the codebook's comparison with the rules read this table: a new fate is a row of `FATES` and
its rule in `fate.py`. Saved readings and exports hold the ids. A sentence says only what the record shows: the fact *stood before
the model*, a text *says* it, or it was *offered*; that a fact changed the answer is never said, because only a fork can show it.
Steps are counted from 1, as everywhere a person reads. Pure. Not here: which fate a fact has (`fate.py`), and what the
annotators' codes are called (`labels/label.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from readers.engine.questions.grading import Outcome
from readers.engine.record.events import Answered
from readers.engine.record.trace import Trace
from readers.engine.run.bounded_memory import MEMORY
from readers.engine.text import refs
from readers.engine.text.phrases import capitalised, listed, with_article

# The stations of a fact on its way from the text into the answer, in their order, and what passing each of them means.
STATIONS: Mapping[str, str] = {
    "in the text": "the text says it",
    "reached": "the model was shown it raw",
    "carried": "a text that the model wrote still says it",
    "opened": "it was shown again after that",
    "in the answering call": "the answering call contained it, raw or in a text",
    "used": "the answer has its distinctive words",
}

SEVERAL = (
    "Evidence can be several places of the text. A reading counts with the place that got least far; others may have got further."
)

# What a table of right and wrong answers hides: what each is called, and what that means. A reading is at most one of these: only
# the lucky ones are right.
TELLINGS: Mapping[str, tuple[str, str]] = {
    "lucky": ("Lucky", "right, with none of the evidence in the answering call"),
    "never opened": ("Not right, never opened", "a place of the evidence was never shown, or offered and not opened"),
    "summarised away": ("Not right, summarised away", "a place of the evidence was lost in a summary, gist or memory"),
    "had it, unused": ("Not right, had it", "the answering call contained all of the evidence"),
}


class Verdict(NamedTuple):
    """The outcome of an answer: its id and its colour in the palette. For a planted fact: the column `found` of the export, and
    the mark and the tone in the lab's map."""

    id: str
    colour: str
    found: str = "lost"
    mark: str = "✕"
    tone: Literal["good", "warn", "lost"] = "lost"


RIGHT = Verdict("right", "evidence", "found", "◆", "good")
LUCKY = Verdict("lucky", "warn", "lucky", "◇", "warn")  # right, with none of the evidence in view
PARTLY_RIGHT = Verdict("partly right", "not-covered", "partly", "◐", "warn")
WRONG = Verdict("wrong", "soft")
NOT_GRADED = Verdict("not graded", "not-covered")
VERDICTS = {one.id: one for one in (RIGHT, LUCKY, PARTLY_RIGHT, WRONG, NOT_GRADED)}


def verdict(grade: Outcome | None, *, in_view: bool) -> Verdict:
    """The verdict on an answer. `in_view`: some of the evidence was, or may have been, in the answering call."""
    if grade == "correct":
        return RIGHT if in_view else LUCKY
    if grade == "partly":
        return PARTLY_RIGHT
    return WRONG if grade in ("wrong", "abstained_wrong") else NOT_GRADED


class Exit(NamedTuple):
    """Where a fact left a reading, for several fates. `station`: the station it did not reach; empty if the fact was used, or if
    that is unknown. `cell`: in the lab's map, a word for a wrong answer. `about`: what the id means. `telling`: which of
    `TELLINGS` a reading with a wrong answer is."""

    id: str
    station: str
    cell: str
    about: str
    telling: str = ""
    colour: str = "lost"

    @property
    def column(self) -> int:
        """The number of the station in whose column the fate is drawn."""
        return list(STATIONS).index(self.station or "used")


NEVER_REACHED = Exit(
    "never reached", "reached", "not reached", "the model was never shown it", "never opened", colour="not-covered"
)
SUMMARISED_AWAY = Exit(
    "summarised away", "carried", "summarised", "a summary, gist or memory no longer says it", "summarised away"
)
NEVER_OPENED = Exit("never opened", "opened", "not opened", "it was passed over, left out, or never offered", "never opened")
OVERWRITTEN = Exit("overwritten", "in the answering call", "overwritten", "a later memory no longer says it", "summarised away")
LEFT_AGAIN = Exit("left again", "in the answering call", "left again", "it was shown, and was out of view of the answer")
NOT_USED = Exit("not used", "used", "not used", "it was in view of the answer, which has none of its words", "had it, unused")
PERHAPS_USED = Exit(
    "perhaps used", "", "in view", "it was in view of the answer, which has some of its words", colour="not-covered"
)
CANNOT_BE_TOLD = Exit("cannot be told", "", "unclear", "the words do not decide it", colour="not-covered")
USED = Exit("used", "", "wrong", "the answer has its words", colour="raw")
EXITS = {
    one.id: one
    for one in (
        NEVER_REACHED, SUMMARISED_AWAY, NEVER_OPENED, OVERWRITTEN, LEFT_AGAIN, NOT_USED, PERHAPS_USED, CANNOT_BE_TOLD, USED,
    )
}  # fmt: skip


End = Literal["alive", "unclear", "dead"]  # how a fact stands at the end, in the answering call


class FactFate(NamedTuple):
    """How far a fact got in a reading. `kind`: the id of its fate, which `step` (from 0) decided.

    `ref` is the text that lost it or was passed over, or that brought it into the answering call; empty if the fact was there
    raw. `altered`: a text that was passed over, or last said it, does so with another value. `shown`: when a text was passed
    over, the prompt there held some of the fact. `before` is the text that said it before, or may have (`sure` is False); `cut`:
    only another part of that was copied. At the steps `back`, a look back brought it again. `words` are informative words of the
    answer: those that the fact also has or, if it was not used, does not have.
    """

    kind: str
    step: int
    ref: str = ""
    before: str = ""
    sure: bool = True
    cut: bool = False
    back: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    altered: bool = False
    shown: bool = True

    @property
    def row(self) -> Fate:
        return FATES[self.kind]


# The parts of a sentence on a fate, by name: `step`, the noun phrases for the `text` and for the one `before` it, `where` the
# fact was, that the text `says` it and was `left`, `words` of the answer, and how the reading `ended`.
Words = Mapping[str, str]


class Fate(NamedTuple):
    """A way in which a fact can end. `says`: the sentence, a template or made by a function. `code`: the annotators' code for it;
    empty where they have none. `by_step`: a step took it from the model; it was in reach until then. `remedy`: what would mend
    it, by its name in `mending.py`; `reason`: why nothing else would, or why nothing would at all."""

    id: str
    exit: Exit
    says: str | Callable[[FactFate, Words], str]
    code: str = ""
    by_step: bool = True
    remedy: str = ""
    reason: str = ""

    @property
    def decides(self) -> bool:
        """Whether its step is where the reading went wrong."""
        return self.by_step and bool(self.exit.station)

    @property
    def end(self) -> End:
        return "unclear" if self.exit is CANNOT_BE_TOLD else "alive" if self.exit.station in ("", "used") else "dead"

    @property
    def mends(self) -> bool:
        """Whether there is something to mend."""
        return self.exit not in (USED, PERHAPS_USED)


# Sentences with cases


def _lost(fate: FactFate, it: Words) -> str:
    written = f"{it['text']}, written at step {it['step']},"
    before = capitalised(it["before"])
    if fate.cut and fate.sure:
        return f"{before} says it; {written} copies only another part of that."
    if not fate.sure:
        return f"{capitalised(written)} does not say it; the words of {it['before']} do not settle whether that did."
    if fate.before:
        return f"{before} says it; {written} does not."
    return f"The model was shown it raw; {written} does not say it."


def _passed_over(fate: FactFate, it: Words) -> str:
    if fate.shown:
        return f"{it['says']}. It was offered at step {it['step']}, and not opened."
    has = f"{capitalised(it['text'])} has it" if refs.span(fate.ref) else it["says"]
    return f"{has}, but was not opened at step {it['step']}: no prompt held any of it there."


def _not_written_down(fate: FactFate, it: Words) -> str:
    written = f"{it['text']} does not say it" if fate.ref else "nothing was written there"
    return f"The model was shown it raw at step {it['step']}, and {written}."


def _overwritten(fate: FactFate, it: Words) -> str:
    written = f"{it['text']}, written at step {it['step']}, does not, nor does any later one"
    if not fate.sure:
        return f"The words of {it['before']} do not settle whether it says this; {written}."
    steps = listed((str(step + 1) for step in fate.back), most=4)
    looked = f" A look back showed it to the model again at step {steps}, but not in the answering call."
    return f"{capitalised(it['before'])} says it; {written}.{looked if fate.back else ''}"


_NOT_LOST = "Nothing was lost before the answer: the answering call contained the fact."

# In the order of how far the fact got: with several facts, the reading has the fate of the fact that got least far.
_ROWS = (
    Fate(
        "cut off", NEVER_REACHED, "It was cut off at step {step}: the model was shown only other parts of the text.",
        "never_indexed", remedy="option",
    ),
    Fate(
        "never read", NEVER_REACHED, "The model was never shown it.", "never_indexed", by_step=False,
        reason="No step of the reading reached it, so there is no decision to change.",
    ),
    Fate(
        "never offered", NEVER_OPENED,
        "It was read before the question was, and nothing derived from it was offered afterwards.", "never_offered",
        by_step=False,
        reason="Nothing derived from it was offered after it was read, so there is no decision to change.",
    ),
    Fate("lost in a text", SUMMARISED_AWAY, _lost, "not_extracted", remedy="write"),
    Fate("passed over", NEVER_OPENED, _passed_over, "not_chosen", remedy="choose"),
    Fate(
        "left out", NEVER_OPENED,
        "It was found, but left out at step {step}; the model was not shown it after that.", "never_offered",
        remedy="choose",
    ),
    Fate("opened, then left", LEFT_AGAIN, "{left} at step {step}, and {ended}.", "later_lost", remedy="stay"),
    Fate(
        "taken out of view", LEFT_AGAIN, "The model was shown it raw, and it was taken out of view at step {step}.",
        "later_lost", remedy="choose",
    ),
    Fate("not written down", SUMMARISED_AWAY, _not_written_down, "not_extracted", remedy="write"),
    Fate("overwritten", OVERWRITTEN, _overwritten, "later_lost", remedy="write"),
    Fate("altered", SUMMARISED_AWAY, "{Text}, written at step {step}, says it with another value.", remedy="correct"),
    Fate(
        "cannot be told", CANNOT_BE_TOLD, "The words of {text} do not settle whether it says this.",
        reason="The words do not settle whether it was lost, so nothing is offered.",
    ),
    Fate(
        "in view, declined", NOT_USED, "The last prompt contained it, {where}, but the model declined to answer.", "unused",
        remedy="stay or ask again", reason=_NOT_LOST,
    ),
    Fate(
        "in view, not used", NOT_USED,
        "The answering call contained it, {where}. The words of the answer are not in it: {words}.", "unused",
        remedy="ask again", reason=_NOT_LOST,
    ),
    Fate(
        "in view", PERHAPS_USED,
        "The answering call contained it, {where}. The words of the answer do not settle whether it was used.",
        remedy="ask again", reason=_NOT_LOST,
    ),
    Fate(
        "used", USED, "The answering call contained it, {where}, and the answer repeats its words: {words}.", "used",
        reason=_NOT_LOST,
    ),
)  # fmt: skip
FATES: dict[str, Fate] = {one.id: one for one in _ROWS}


# The sentence


def sentence(fate: FactFate, trace: Trace, names: Mapping[str, str]) -> str:
    """The fate of a fact; `names` are the reader's names for its texts, by ref."""
    text, says = called(fate.ref, trace, names), fate.row.says
    answered = isinstance(trace.end, Answered)
    says_it = f"{capitalised(text)} says it{' with another value' if fate.altered else ''}"
    it = {
        "step": str(fate.step + 1),
        "text": text,
        "Text": capitalised(text),
        "before": called(fate.before, trace, names),
        "where": f"in {text}" if fate.ref else "raw",
        "says": says_it,
        "left": says_it if fate.ref else "The model was shown it raw",
        "words": listed(fate.words, most=6),  # a long answer has many
        "ended": "the answer was given from elsewhere" if answered else "the reading ended without an answer",
    }
    return says.format(**it) if isinstance(says, str) else says(fate, it)


def called(ref: str, trace: Trace, names: Mapping[str, str]) -> str:
    """The noun phrase for a text or a passage: "the gist of page 11"."""
    number, name = refs.written(ref), names.get(ref)
    text = None if number is None else trace.wrote.get(number)
    if text is None:
        return name or "a passage"
    if name is None:
        return with_article(text.role)
    return f"the {name}" if text.role == MEMORY or name.startswith(text.role) else f"the {text.role} of {name}"
