"""The rewards of the states of a reading that rewrites one memory, after Shi et al. (2025, section 3.3). Pure.

A state is one call: what the memory held before, what it holds after, what was looked back at. Its reward has three parts:

    update      how much more of the right answer the new memory holds than the one before: -1 to 1
    look-back   how much more of it is there with the memory looked back at than in the prompt without it: 0 to 1
    form        1 if the reply is in the form asked for, else 0

What a text holds of an answer is the share of the answer's words that occur in it. Where the paper and the authors' code leave
something open or disagree, this module
  - compares whole words without capitals (their code finds a word inside another: "no" in "know");
  - takes the best of several equivalent answers, as equation 6 does, and the mean of those that are all required, as equation 7
    does (their code takes the mean in both cases; it is the same for one answer);
  - takes the memory that is carried on, over any number of lines (their code finds none in an update of several lines);
  - counts what the parts of the prompt show, the problem among them (their code counts the instructions, too);
  - lets the state that answers earn its form alone, as their code does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from readers.engine.prompts.formats.form import Form
from readers.engine.prompts.formats.letters import Boxed
from readers.engine.prompts.formats.memory import MemoryBlocks
from readers.engine.prompts.formats.published import ReplyWithoutRecall
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.text.words import words

_UPDATE_OPENS, _UPDATE_CLOSES = "<update>", "</update>"
_BOX = "\\boxed{"


@dataclass(frozen=True)
class MemoryState:
    """One call that rewrites the memory: the memory `before` and `after`, the earlier memory that was looked back at after it
    (empty: none) and, if there is one, all that the prompt `shown`. `in_form`: the reply is in the form asked for."""

    before: str
    after: str
    shown: str
    looked_back: str
    in_form: bool


class StateReward(NamedTuple):
    """The parts of a state's reward."""

    update: float
    look_back: float
    form: float

    @property
    def total(self) -> float:
        return self.update + self.look_back + self.form


def state_reward(state: MemoryState, known: KnownAnswer) -> StateReward:
    """The reward of a state that rewrites the memory."""
    update = held(state.after, known) - held(state.before, known)
    look_back = 0.0
    if state.looked_back:
        look_back = max(0.0, held(f"{state.looked_back}\n{state.shown}", known) - held(state.shown, known))
    return StateReward(update, look_back, float(state.in_form))


def held(text: str, known: KnownAnswer) -> float:
    """The share of the right answer's words that a text holds, from 0 to 1; 0 if no answer has a word."""
    here = _folded(text)
    shares = [sum(word in here for word in asked) / len(asked) for one in known.answers if (asked := _in_order(one))]
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
    """What stands in each closed update of a reply."""
    parts = reply.split(_UPDATE_OPENS)[1:]
    return [inside for part in parts for inside, closes, _ in [part.partition(_UPDATE_CLOSES)] if closes]


def _in_order(text: str) -> list[str]:
    return [word.casefold() for word in words(text)]


def _folded(text: str) -> frozenset[str]:
    return frozenset(_in_order(text))
