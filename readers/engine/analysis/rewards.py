"""The rewards that the papers train with: of an answer, and of the states of a reading that rewrites one memory. Pure.

The outcome reward of an answer: equations 6 and 7 of Yu et al. (2025, section 3.3).

    R(ŷ, Y) = max over y in Y of [ŷ is equivalent to y]              (6) the known answers are alternatives
    R(ŷ, Y) = |{y in Y: y occurs in ŷ}| / |Y|                         (7) all of them are required

The paper does not define equivalence. Here two answers are equivalent if they are the same without capitals, white space, a
closing full stop and TeX formatting; there is no credit for part of an answer. The authors' code amounts to the same, except that
it counts a full stop and looks only at the last 300 characters of a reply. An answer occurs in another if its characters do,
without capitals, white space counted as one blank. An answer that should be in a box but is not counts 0, as in their code. Shi
et al. (2025) use equation 6.

The papers have no questions with choices: here, as (6) has it, the choice that the answer names must be right. Nor have they
questions that a text does not answer: these have no reward. Not here: grading for people (`questions/grading/`), which knows
other words for the same answer.

The rewards of states, after Shi et al. (2025, section 3.3). A state is one call: what the memory held before and holds after, and
what was looked back at. Its reward has three parts:

    update      how much more of the right answer the new memory holds than the one before: -1 to 1
    look-back   how much more of it is there with the memory looked back at than in the prompt without it: 0 to 1
    form        1 if the reply is in the form asked for, else 0

What a text holds of an answer is the share of the answer's words that occur in it. Where the paper and the authors' code leave
something open or disagree, this module
  - compares whole words without capitals (their code finds a word inside another: "no" in "know");
  - takes the best of several equivalent answers, as equation 6 does, and the mean if all of them are required, as equation 7 does
    (their code takes the mean in both cases; it is the same for one answer);
  - takes the memory that is carried on, over any number of lines (their code finds none in an update of several lines);
  - counts what the parts of the prompt show, including the problem (their code also counts the instructions);
  - lets the state that answers earn only its form, as their code does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from readers.engine.prompts.formats.form import Form
from readers.engine.prompts.formats.letters import Boxed
from readers.engine.prompts.formats.memory import MemoryBlocks
from readers.engine.prompts.formats.published import ReplyWithoutRecall
from readers.engine.questions.answers import chosen, right_choices
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.text.words import words

Rule = Literal["any", "all", "choice"]

# White space, TeX's commands for sizes and spaces, its signs for degrees, and escaped dollar and percent signs.
_DRESS = re.compile(r"\\(?:left|right|[!,;: ])|\^\{?\\circ\}?|\\?[$%]|\s+")
_FRACTION = re.compile(r"\\[td]frac\b")
_BARE_POINT = re.compile(r"(?<![\d.])\.(?=\d)")
_UPDATE_OPENS, _UPDATE_CLOSES = "<update>", "</update>"
_BOX = "\\boxed{"


# Outcomes


class Outcome(NamedTuple):
    """The outcome reward of a reading, from 0 to 1, and the rule that gave it: equation 6, equation 7, or a choice. `unboxed`: it
    is 0 because the answer is not in the required box."""

    reward: float
    rule: Rule
    unboxed: bool = False


def outcome_reward(answer: str | None, known: KnownAnswer | None, *, choices: tuple[str, ...] = ()) -> Outcome | None:
    """The reward of an answer (None: none was given, or not in its box), given the choices that the reading had. None if the
    right answer is unknown, or if the text has none."""
    if known is None or not known.answerable or not known.answers:
        return None
    given = (answer or "").strip()
    if choices:
        return Outcome(float(chosen(given, choices) in right_choices(choices, known.answers)), "choice")
    if known.all_required:
        return Outcome(occurring(given, known.answers), "all")
    return Outcome(float(bool(given) and any(equivalent(given, one) for one in known.answers)), "any")


def equivalent(one: str, other: str) -> bool:
    """Whether two answers are the same, capitals, white space, a closing full stop and the dress of TeX aside."""
    return _bare(one) == _bare(other)


def occurring(answer: str, required: tuple[str, ...]) -> float:
    """The share of the required answers that occur in an answer; one that is given twice counts once."""
    asked = {_line(one) for one in required if one.strip()}
    held = _line(answer)
    return sum(one in held for one in asked) / len(asked) if asked else 0.0


def _bare(answer: str) -> str:
    return _BARE_POINT.sub("0.", _DRESS.sub("", _FRACTION.sub(r"\\frac", answer))).removesuffix(".").casefold()


def _line(text: str) -> str:
    return " ".join(text.casefold().split())


# States


class MemoryChange(NamedTuple):
    """What a call did to the memory: what it held before and after, and the earlier memory that was looked back at after it
    (empty: none)."""

    before: str = ""
    after: str = ""
    looked_back: str = ""


class StateReward(NamedTuple):
    """The parts of a state's reward."""

    update: float
    look_back: float
    form: float

    @property
    def total(self) -> float:
        return self.update + self.look_back + self.form


def state_reward(memory: MemoryChange, known: KnownAnswer, *, shown: str = "", in_form: bool) -> StateReward:
    """The reward of a state. `shown` is all that the prompt showed, asked for where a memory was looked back at; `in_form`: the
    reply is in the form asked for."""
    look_back = 0.0
    if memory.looked_back:
        look_back = max(0.0, held(f"{memory.looked_back}\n{shown}", known) - held(shown, known))
    return StateReward(held(memory.after, known) - held(memory.before, known), look_back, float(in_form))


def held(text: str, known: KnownAnswer) -> float:
    """The share of the right answer's words that a text holds, from 0 to 1; 0 if no answer has a word."""
    here = {word.casefold() for word in words(text)}
    shares = [sum(word.casefold() in here for word in asked) / len(asked) for one in known.answers if (asked := words(one))]
    if not shares:
        return 0.0
    return sum(shares) / len(shares) if known.all_required else max(shares)


def in_form(reply: str, form: Form, *, read: bool) -> bool:
    """Whether a reply is in the form asked for: exactly one update, or exactly one box, that is not empty; of any other form,
    whether it was `read`."""
    if isinstance(form, (MemoryBlocks, ReplyWithoutRecall)):
        return sum(bool(inside.strip()) for inside in _updates(reply)) == 1
    if isinstance(form, Boxed):
        boxes = reply.split(_BOX)[1:]
        return len(boxes) == 1 and "}" in boxes[0] and not boxes[0].lstrip().startswith("}")
    return read


def _updates(reply: str) -> Sequence[str]:
    """The content of each closed update of a reply."""
    parts = reply.split(_UPDATE_OPENS)[1:]
    return [inside for part in parts for inside, closes, _ in [part.partition(_UPDATE_CLOSES)] if closes]
