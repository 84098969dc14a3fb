"""The outcome reward of an answer: equations 6 and 7 of Yu et al. (2025, section 3.3). Pure.

    R(ŷ, Y) = max over y in Y of [ŷ is equivalent to y]              (6) the known answers are alternatives
    R(ŷ, Y) = |{y in Y: y occurs in ŷ}| / |Y|                         (7) all of them are required

The paper leaves open what is equivalent. Here two answers are if they are the same without capitals, white space, a closing full
stop and the dress of TeX; there is no credit for part of an answer. That is what the authors' code comes to, except that a full
stop counts there, and that it looks at the last 300 characters of a reply alone. An answer occurs in another if its
characters do, without capitals, white space counted as one blank. An answer that was to stand in a box and does not counts
nothing, as in their code. Shi et al. (2025) use equation 6.

The papers have no questions with choices: here, as (6) has it, the choice that the answer names must be right. Nor have they
questions that a text does not answer: these have no reward. Not here: grading for people (`questions/grading/`), which knows
other words for the same answer.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from readers.engine.questions.answers import chosen, right_choices
from readers.engine.questions.known_answer import KnownAnswer

Rule = Literal["any", "all", "choice"]

# White space, TeX's commands for sizes and spaces, its signs for degrees, and escaped dollar and percent signs.
_DRESS = re.compile(r"\\(?:left|right|[!,;: ])|\^\{?\\circ\}?|\\?[$%]|\s+")
_FRACTION = re.compile(r"\\[td]frac\b")
_BARE_POINT = re.compile(r"(?<![\d.])\.(?=\d)")


class Outcome(NamedTuple):
    """The outcome reward of a reading, from 0 to 1, and the rule that gave it: equation 6, equation 7, or a choice. `unboxed`: it
    is 0 because the answer does not stand in the box that was asked for."""

    reward: float
    rule: Rule
    unboxed: bool = False


def outcome_reward(answer: str | None, known: KnownAnswer | None, *, choices: tuple[str, ...] = ()) -> Outcome | None:
    """The reward of an answer (None: none was given, or not in its box), given the choices that the reading had. None if it is
    not known what the right answer is, or if the text has none."""
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
