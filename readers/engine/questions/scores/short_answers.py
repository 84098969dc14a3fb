"""Scores of short answers: exact match, F1, substring match, MemAgent's `sub_em`, RULER's string matches. Pure.

Where a question needs several values together (`all_required`), exact match and F1 compare the answer with all of them in a row,
and the other scores give the share of the values that it contains.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.scores import score
from readers.engine.questions.scores.score import (
    NOT_APPLICABLE,
    Score,
    Scored,
    best,
    has_whole,
    has_words,
    normalised,
    overlap_f1,
    same,
    scored,
)

_CONTROL = re.compile(r"[\x00-\x1f]")
_SPECIAL = re.compile("<｜(?:Assistant|end▁of▁sentence)｜>")
_OF_ONE_WORD = ("yes", "no", "noanswer")
Says = Callable[[str, str], bool]


def exact_match(answer: str, known: KnownAnswer) -> Scored:
    """1 if the normalised answer is a normalised known answer. Where the text gives no answer, 1 for no words."""
    return same(best(answer, known, lambda one, other: float(normalised(one) == normalised(other))))


def f1(answer: str, known: KnownAnswer) -> Scored:
    """The best F1 of normalised words. For two texts without words it is 1, as in SQuAD 2.0, whose known answer may be empty."""
    return same(best(answer, known, _squad_f1))


def _squad_f1(one: str, other: str) -> float:
    words, others = normalised(one).split(), normalised(other).split()
    return overlap_f1(words, others) if words and others else float(words == others)


def hotpotqa_f1(answer: str, known: KnownAnswer) -> Scored:
    """F1 of normalised words, and 0 where one of the two is `yes`, `no` or `noanswer` and the other is not the same."""
    return same(best(answer, known, _hotpotqa_f1))


def _hotpotqa_f1(one: str, other: str) -> float:
    one, other = normalised(one), normalised(other)
    if one != other and (one in _OF_ONE_WORD or other in _OF_ONE_WORD):
        return 0.0
    return overlap_f1(one.split(), other.split())


def _share(answer: str, known: KnownAnswer, says: Says) -> float:
    """Whether an answer says one of the known answers; where all are required, the share that it says."""
    said = [says(answer, one) for one in known.answers]
    return sum(said) / len(said) if known.all_required else float(any(said))


def substring(answer: str, known: KnownAnswer) -> Scored:
    """1 if the normalised answer contains a normalised known answer; as published, as characters, and therefore also inside other
    words."""
    if not known.answerable:
        return NOT_APPLICABLE
    published = _share(answer, known, lambda text, one: normalised(one) in normalised(text))
    trap = score.KNOWN_NO_WORDS if any(not normalised(one) for one in known.answers) else score.INSIDE_A_WORD
    return scored(_share(answer, known, has_words), published, trap)


def _ruler(answer: str, known: KnownAnswer, *, every: bool) -> Scored:
    if not known.answerable:
        return NOT_APPLICABLE
    answer = _CONTROL.sub("\n", answer.strip()).strip()

    def over(says: Says) -> float:
        said = [float(says(answer, one)) for one in known.answers]
        return sum(said) / len(said) if every else max(said)

    return scored(over(has_whole), over(_stands_in), score.INSIDE_A_WORD)


def _stands_in(text: str, part: str) -> bool:
    return part.lower() in text.lower()


def ruler_all(answer: str, known: KnownAnswer) -> Scored:
    """The share of the known values that occur in the answer, ignoring case."""
    return _ruler(answer, known, every=True)


def ruler_part(answer: str, known: KnownAnswer) -> Scored:
    """1 if one of the known values occurs in the answer, ignoring case."""
    return _ruler(answer, known, every=False)


def ruler(answer: str, known: KnownAnswer) -> Scored:
    """`ruler_all` where all values are required (needles, variables, words), else `ruler_part` (questions)."""
    return _ruler(answer, known, every=known.all_required)


def boxed(reply: str) -> str | None:
    """The content of the last `\\boxed{…}` of a reply, or the last `\\fbox{…}` of one without; None if none is closed.

    `\\boxed ` with a blank holds all up to the next dollar sign. Thoughts do not count.
    """
    reply = _after_thoughts(reply)
    if "\\boxed " in reply:
        return reply.rpartition("\\boxed ")[2].partition("$")[0]
    start = max(reply.rfind("\\boxed"), -1 if "\\boxed" in reply else reply.rfind("\\fbox"))
    depth = 0
    for at in range(start, len(reply)) if start >= 0 else ():
        depth += (reply[at] == "{") - (reply[at] == "}")
        if reply[at] == "}" and depth == 0:
            return reply[reply.index("{", start) + 1 : at]
    return None


def after_its_words(reply: str) -> str | None:
    """What follows the last `the answer is` of a reply, without asterisks and full stops; None without these very words. Thoughts
    do not count."""
    _, its_words, found = _after_thoughts(reply).replace("*", "").rpartition("the answer is")
    return _SPECIAL.sub("", found).strip().strip(".").strip() if its_words else None


def _after_thoughts(reply: str) -> str:
    """What follows the last `</think>`; the reply itself if that is nothing."""
    return reply.rpartition("</think>")[2].strip() or reply


def sub_em(answer: str, known: KnownAnswer) -> Scored:
    """As published: dropped if empty; 1 if the normalised first known answer is in the prediction, *or the prediction in it*.
    Over everything asked: 1 if any known answer is in it as words. Where all values are required, see `_sub_em_of_all`."""
    if not known.answerable:
        return NOT_APPLICABLE
    if not answer:
        return Scored(0.0, None, (score.EMPTY_DROPPED,))
    value = _share(boxed(answer) or answer.replace("\\boxed", " "), known, has_words)
    if known.all_required:
        return _sub_em_of_all(answer, known, value)
    one, other = normalised(answer), normalised(known.answers[0])
    published = float(one in other or other in one)
    return scored(value, published, _why_sub_em(one, other, right=bool(published)))


def _sub_em_of_all(predicted: str, known: KnownAnswer, value: float) -> Scored:
    """As `ruler_all`, rounded."""
    share = _share(predicted, known, _stands_in)
    published = round(share, 2)
    return scored(value, published, score.ROUNDED if abs(value - share) < 1e-12 else score.INSIDE_A_WORD)


def _why_sub_em(predicted: str, known: str, *, right: bool) -> str:
    """The trap that makes the published match differ from the value."""
    if not right:
        return score.FIRST_ONLY
    if not predicted:
        return score.NO_WORDS_RIGHT
    if not known:
        return score.KNOWN_NO_WORDS
    return score.INSIDE_A_WORD if known in predicted else score.PART_OF_KNOWN


_SQUAD = "Rajpurkar et al. 2016 and 2018, SQuAD, evaluate-v2.0.py"
_HOTPOT = "Yang et al. 2018, HotpotQA, hotpot_evaluate_v1.py"
_HELMET = "Yen et al. 2025, HELMET, utils.py"
_RULER = "Hsieh et al. 2024, RULER, scripts/eval/synthetic/constants.py"
_MEMAGENT = "Yu et al. 2025, MemAgent, taskutils/memory_eval (ReMemR1 has the same)"
_SUB_EM = "sub_exact_match_score, calc_metrics"

SHORT_ANSWERS = (
    Score("exact_match", "Exact match", f"{_SQUAD}, compute_exact", exact_match),
    Score("f1", "F1", f"{_SQUAD}, compute_f1", f1),
    Score("hotpotqa_f1", "F1 (HotpotQA)", f"{_HOTPOT}, f1_score; the same in HELMET and MemAgent", hotpotqa_f1),
    Score("substring", "Substring match", f"{_HELMET}, substring_exact_match_score", substring),
    Score(
        "sub_em",
        "sub_em",
        f"{_MEMAGENT}, the prompt recurrent: extract_answer, {_SUB_EM}",
        sub_em,
        taking=(after_its_words, score.ONLY_AFTER_ITS_WORDS),
    ),
    Score(
        "sub_em_boxed",
        "sub_em (boxed)",
        f"{_MEMAGENT}, the prompt recurrent_boxed: extract_boxed_answer, {_SUB_EM}",
        sub_em,
        taking=(boxed, score.ONLY_BOXED),
    ),
    Score("ruler", "RULER's match", f"{_RULER}, string_match_all or string_match_part by the task", ruler),
    Score("ruler_all", "RULER, all values", f"{_RULER}, string_match_all", ruler_all),
    Score("ruler_part", "RULER, one value", f"{_RULER}, string_match_part", ruler_part),
)
