"""What a score is: its name, its source, its range, and a pure function of one answer and the known answer.

A score is given twice. As *published*, it keeps the rule of the published scorer to the letter, with the traps of that rule; None
where that scorer leaves the question out of its denominator. Its *value* is over everything asked: an empty reply counts 0, and
an answer counted as right only because of a trap counts as wrong. Both are None if the score does not apply, for instance if the
answer is unknown. Where the two differ, the traps that made the difference are named in words.

Texts are compared as the published scorers of short answers do: normalised words, their overlap, and which contains which. The
normalisation is SQuAD's (Rajpurkar et al. 2016, `evaluate-v1.1.py`, `normalize_answer`), which HotpotQA, MuSiQue, LongBench,
InfiniteBench, HELMET and `sub_em` use unchanged: lower case, no ASCII punctuation, no `a`, `an`, `the`, single blanks. Not here:
the normalisation that grading uses (`normalise_answer.py`), which knows numbers and scripts. Pure.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.normalise_answer import positions

# Traps, as they are shown.
EMPTY_DROPPED = "an empty reply is left out of the denominator"
PART_OF_KNOWN = "a prediction that is part of the known answer counts as right"
NO_WORDS_RIGHT = "a prediction of only articles and punctuation counts as right"
KNOWN_NO_WORDS = "a known answer of only articles is in every prediction"
FIRST_ONLY = "only the first known answer counts"
INSIDE_A_WORD = "the known answer counts where it is only part of another word"
ROUNDED = "each question is rounded to two decimals before the mean"
ONLY_BOXED = "the answer counts only in the last box, and only if that is closed"
ONLY_AFTER_ITS_WORDS = "the answer counts only after the last “the answer is”"
ONLY_ITS_WORDS = "the letter counts only after the very words “The correct answer is”"
LETTER_OF_A_WORD = "a capital A to D that begins a word counts as the letter of a choice"
FIRST_LETTER = "the first capital A to D of a reply counts as the letter of a choice"
LABEL_IN_A_WORD = "a label that is part of another word counts as named (“one” in “none”)"
ONE_WORD_ONLY = "a known answer of several words cannot be matched"
CAPITALS = "the known answer must be a word of the reply as typed, capitals and all"
FIRST_NUMBER = "only the first number of a reply counts"
ASCII_ONLY = "letters other than a to z are dropped, and break a word in two"
AS_TYPED = "words are compared as typed, with capitals and punctuation"
DISTINCT_WORDS = "a word counts once, however often it is said"
SKIPPED_CLASS = "of two classes that are parts of a third, only the first is set aside"
UNRATED_DROPPED = "an answer whose rating could not be read is left out of the denominator"


class Scored(NamedTuple):
    """The score of one answer over everything asked, as published, and the traps that make the two differ."""

    value: float | None
    published: float | None
    traps: tuple[str, ...] = ()


NOT_APPLICABLE = Scored(None, None)


def scored(value: float, published: float | None, *traps: str) -> Scored:
    """A score whose traps are named only if they make a difference."""
    return Scored(float(value), published, traps if published is None or abs(value - published) > 1e-12 else ())


def same(value: float) -> Scored:
    """A score that is the same over everything asked as published."""
    return Scored(float(value), float(value))


Scoring = Callable[[str, KnownAnswer], Scored]


@dataclass(frozen=True)
class Score:
    """A score. `source` names the paper and the function whose rule it keeps.
    With `taking`, the published scorer sees the whole last reply, not the answer that the reader took from it: a rule that takes
    the answer from a reply, None where there is none, and the trap of that."""

    name: str
    title: str
    source: str
    rule: Scoring
    taking: tuple[Callable[[str], str | None], str] | None = None

    def of(self, answer: str | None, known: KnownAnswer | None, *, reply: str | None = None) -> Scored:
        """The score of an answer; None is a reading that gave none. Nothing applies where nothing is known. `reply` is the
        reply that the answer was taken from, if it is known."""
        if known is None or (known.answerable and not known.answers):
            return NOT_APPLICABLE
        found = self.rule(answer or "", known)
        if self.taking is None or found.value is None or not answer:
            return found
        take, trap = self.taking
        taken = take((reply or answer).strip())
        published, traps = (self.rule(taken, known)[1:]) if taken else (0.0, ())
        return scored(found.value, published, *(traps or (trap,)))


# Texts

_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_WIDE = (  # and of full width
    "！？｡。＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～｟｠｢｣"
    "､、〃》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿–—‘’‛“”„‟…‧﹏."
)
_NO_SPACES = "\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f"  # kana, Han, Thai: a word there has no blanks around it
_UNSPACED = re.compile(f"[{_NO_SPACES}]")
_NO_WIDE_PUNCTUATION = str.maketrans("", "", string.punctuation + _WIDE)


def normalised(text: str) -> str:
    """A text as SQuAD's scorer compares it."""
    return " ".join(_ARTICLE.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split())


def normalised_chinese(text: str) -> str:
    """A text as LongBench and InfiniteBench compare Chinese: lower case, without blanks and punctuation."""
    return "".join(text.lower().translate(_NO_WIDE_PUNCTUATION).split())


def overlap_f1(one: Sequence[str], other: Sequence[str]) -> float:
    """The harmonic mean of precision and recall of two bags of words; 0 if they share none."""
    shared = (Counter(one) & Counter(other)).total()
    return 2 * shared / (len(one) + len(other)) if shared else 0.0


def has_words(text: str, part: str) -> bool:
    """Whether the normalised words of `part` occur in `text` in a row; a `part` without words must occur there as typed."""
    wanted = normalised(part).split()
    if _UNSPACED.search(part):
        return normalised(part) in normalised(text)
    return bool(positions(normalised(text).split(), wanted)) if wanted else has_whole(text, part)


def has_whole(text: str, part: str) -> bool:
    """Whether `part` occurs in `text`, ignoring case, and is not part of a longer word."""
    part = part.strip().lower()
    if not part:
        return False
    start, end = (f"[^\\W{_NO_SPACES}]" if char.isalnum() and not _UNSPACED.match(char) else "" for char in (part[0], part[-1]))
    pattern = (f"(?<!{start})" if start else "") + re.escape(part) + (f"(?!{end})" if end else "")
    return re.search(pattern, text.lower()) is not None


def wanted_answers(known: KnownAnswer) -> tuple[str, ...]:
    """The known answers, any of which is enough: values that are required together are one answer; no answer at all is the empty
    text."""
    if not known.answerable:
        return ("",)
    return (" ".join(known.answers),) if known.all_required else known.answers


def best(answer: str, known: KnownAnswer, rule: Callable[[str, str], float]) -> float:
    """The highest value of a rule over the known answers."""
    return max(rule(answer, one) for one in wanted_answers(known))


def counted_lines(answer: str, known: KnownAnswer, datasets: Sequence[str]) -> str:
    """The first line of an answer to a question of these datasets of LongBench (`eval.py`, `scorer`), the answer of others."""
    first = known.field("dataset").removesuffix("_e") in datasets
    return answer.lstrip("\n").partition("\n")[0] if first else answer
