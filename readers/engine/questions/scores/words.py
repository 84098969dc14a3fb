"""Texts as the published scorers of short answers compare them: normalised words, their overlap, and what stands in what. Pure.

The normalisation is SQuAD's (Rajpurkar et al. 2016, `evaluate-v1.1.py`, `normalize_answer`), which HotpotQA, MuSiQue, LongBench,
InfiniteBench, HELMET and `sub_em` use unchanged: lower case, no ASCII punctuation, no `a`, `an`, `the`, single blanks.
Not here: the normalisation that grading uses (`normalise_answer.py`), which knows numbers and scripts.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence

from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.normalise_answer import positions

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
    """Whether the normalised words of `part` stand in `text` side by side; a `part` without words must stand there as typed."""
    wanted = normalised(part).split()
    if _UNSPACED.search(part):
        return normalised(part) in normalised(text)
    return bool(positions(normalised(text).split(), wanted)) if wanted else has_whole(text, part)


def has_whole(text: str, part: str) -> bool:
    """Whether `part` stands in `text`, capitals aside, and is not part of a longer word."""
    part = part.strip().lower()
    if not part:
        return False
    start, end = (f"[^\\W{_NO_SPACES}]" if char.isalnum() and not _UNSPACED.match(char) else "" for char in (part[0], part[-1]))
    pattern = (f"(?<!{start})" if start else "") + re.escape(part) + (f"(?!{end})" if end else "")
    return re.search(pattern, text.lower()) is not None


def wanted_answers(known: KnownAnswer) -> tuple[str, ...]:
    """The known answers, of which one is enough: values that are required together are one; none at all is the empty text."""
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
