"""The published scorers a second time, written from their rules in other ways than the engine's: loops over characters, lists
from which shared words are struck, recursion. For ROUGE it is the `rouge-score` package itself.

Each function takes an answer and what is known and gives the value over everything asked and the published one.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import groupby

from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenizers import Tokenizer

from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.scores.choices import LABELS
from readers.engine.text.rouge import rouge_words

Pair = tuple[float, float | None]
Rule = Callable[[str, KnownAnswer], Pair]
KINDS = ("rouge1", "rouge2", "rougeL", "rougeLsum")


def squad(text: str) -> list[str]:
    """The words that SQuAD's scorer compares."""
    kept = [char for char in text.lower() if char not in string.punctuation]
    runs = ("".join(run) for _, run in groupby(kept, key=lambda char: char.isalnum() or char == "_"))
    return "".join(" " if run in ("a", "an", "the") else run for run in runs).split()


def harmonic(one: Sequence[str], other: Sequence[str]) -> float:
    left, shared = list(other), 0
    for word in one:
        if word in left:
            left.remove(word)
            shared += 1
    if not shared:
        return 0.0
    precision, recall = shared / len(one), shared / len(other)
    return 2 * precision * recall / (precision + recall)


def golds(known: KnownAnswer) -> list[str]:
    return [" ".join(known.answers)] if known.all_required else list(known.answers)


def alike(value: float) -> Pair:
    return float(value), float(value)


def exact_match(answer: str, known: KnownAnswer) -> Pair:
    return alike(any(squad(answer) == squad(one) for one in golds(known)))


def f1(answer: str, known: KnownAnswer) -> Pair:
    return alike(max(1.0 if squad(answer) == squad(one) == [] else harmonic(squad(answer), squad(one)) for one in golds(known)))


def longbench_f1(answer: str, known: KnownAnswer) -> Pair:
    return alike(max(harmonic(squad(answer), squad(one)) for one in golds(known)))


def hotpotqa_f1(answer: str, known: KnownAnswer) -> Pair:
    found = []
    for one in golds(known):
        closed = {"yes", "no", "noanswer"} & {" ".join(squad(answer)), " ".join(squad(one))}
        found.append(0.0 if closed and squad(answer) != squad(one) else harmonic(squad(answer), squad(one)))
    return alike(max(found))


def unspaced(text: str) -> bool:
    return any("\u3040" <= char <= "\u9fff" for char in text)


def letter(char: str) -> bool:
    return char.isalnum() or char == "_"


def whole(text: str, part: str) -> bool:
    """Whether a part is in a text, with no letter or figure next to a letter or figure of its own."""
    text, part = f"\n{text.lower()}\n", part.lower().strip()
    for at in range(len(text) - len(part)) if part else ():
        end = at + len(part)
        seams = ((text[at - 1], part[0]), (text[end], part[-1])) if text[at:end] == part else ()
        if seams and not any(letter(out) and own.isalnum() and not unspaced(out + own) for out, own in seams):
            return True
    return False


def said(text: str, part: str) -> bool:
    words = " ".join(squad(part))
    if unspaced(part):
        return words in " ".join(squad(text))
    return f" {words} " in f" {' '.join(squad(text))} " if words else whole(text, part)


def share(known: KnownAnswer, of: Callable[[str], bool]) -> float:
    found = [of(one) for one in known.answers]
    return sum(found) / len(found) if known.all_required else float(True in found)


def substring(answer: str, known: KnownAnswer) -> Pair:
    text = " ".join(squad(answer))
    return share(known, partial(said, answer)), share(known, lambda one: " ".join(squad(one)) in text)


def ruler(answer: str, known: KnownAnswer, every: bool | None = None) -> Pair:
    every = known.all_required if every is None else every
    answer = "".join("\n" if ord(char) < 32 else char for char in answer.strip()).strip()
    sides = []
    for rule in (whole, lambda text, one: one.lower() in text.lower()):
        found = [rule(answer, one) for one in known.answers]
        sides.append(found.count(True) / len(found) if every else float(any(found)))
    return sides[0], sides[1]


def boxed(reply: str) -> str | None:
    """MemAgent's: the last box, by its braces."""
    if "\\boxed " in reply:
        return reply.split("\\boxed ")[-1].split("$")[0]
    tail, depth = reply.split("\\boxed")[-1] if "\\boxed" in reply else "", 0
    for at, char in enumerate(tail):
        depth += {"{": 1, "}": -1}.get(char, 0)
        if char == "}" and not depth:
            return tail[1:at]
    return None


def in_a_sentence(reply: str) -> str | None:
    """MemAgent's: what stands behind the last of these words, without bold type and full stops."""
    _, *behind = reply.replace("*", "").split("the answer is")
    return behind[-1].strip(" \n.") if behind else None


def sub_em(answer: str, known: KnownAnswer, taken: Callable[[str], str | None]) -> Pair:
    if answer == "":
        return 0.0, None
    value = share(known, partial(said, boxed(answer) or answer.replace("\\boxed", "")))
    predicted = taken(answer.strip())
    if not predicted:
        return value, 0.0
    if known.all_required:
        return value, round(share(known, lambda one: one.lower() in predicted.lower()), 2)
    one, other = " ".join(squad(predicted)), " ".join(squad(known.answers[0]))
    return value, float(other in one or one in other)


class _Words(Tokenizer):
    def tokenize(self, text: str) -> list[str]:
        return rouge_words(text)


PACKAGE, OF_ALL_LETTERS = RougeScorer(list(KINDS)), RougeScorer(list(KINDS), tokenizer=_Words())


def rouge(answer: str, known: KnownAnswer, kind: str) -> Pair:
    value, published = (max(one.score(gold, answer)[kind].fmeasure for gold in golds(known)) for one in (OF_ALL_LETTERS, PACKAGE))
    return value, published


def longbench_rouge(answer: str, known: KnownAnswer) -> Pair:
    value = max(OF_ALL_LETTERS.score(gold, answer)["rougeL"].fmeasure for gold in golds(known))
    return value, max(_distinct(answer, gold) for gold in golds(known))


def _distinct(answer: str, gold: str) -> float:
    given, wanted = ([" ".join(one.split()).split(" ") for one in text.split(".") if one] for text in (answer, gold))
    if not given or not wanted:
        return 0.0
    union: set[str] = set()
    for sentence in wanted:
        for other in given:
            union |= set(_longest(tuple(sentence), tuple(other)))
    precision, recall = (len(union) / len({word for one in sides for word in one}) for sides in (given, wanted))
    return 2 * precision * recall / (precision + recall + 1e-8)


@cache
def _length(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    if not one or not other:
        return 0
    if one[-1] == other[-1]:
        return _length(one[:-1], other[:-1]) + 1
    return max(_length(one[:-1], other), _length(one, other[:-1]))


def _longest(one: tuple[str, ...], other: tuple[str, ...]) -> list[str]:
    if not one or not other:
        return []
    if one[-1] == other[-1]:
        return [*_longest(one[:-1], other[:-1]), one[-1]]
    shorter = _length(one[:-1], other) > _length(one, other[:-1])
    return _longest(one[:-1], other) if shorter else _longest(one, other[:-1])


def chinese_f1(answer: str, known: KnownAnswer) -> Pair:
    def kept(text: str) -> list[str]:
        wide = "！？｡。＂＇（），－：；“”‘’、《》「」【】…—"
        return [char for char in text.lower() if char not in string.punctuation + wide and not char.isspace()]

    return alike(max(harmonic(kept(answer), kept(one)) for one in golds(known)))


def runs_of_figures(text: str) -> list[str]:
    return ["".join(run) for figure, run in groupby(text, key=str.isdecimal) if figure]


def count(answer: str, known: KnownAnswer) -> Pair:
    numbers = runs_of_figures(answer)
    return alike(sum(one == known.answers[0] for one in numbers) / max(len(numbers), 1))


def paragraph(answer: str, known: KnownAnswer) -> Pair:
    numbers, wanted = runs_of_figures(answer), runs_of_figures(known.answers[0])[0]
    return alike(sum(one == wanted for one in numbers) / max(len(numbers), 1))


def number(answer: str, known: KnownAnswer) -> Pair:
    numbers = "".join(char if char in string.digits else " " for char in answer).split()
    return float(known.answers[0] in numbers), float((numbers or [""])[0] == known.answers[0])


def _one_word(answer: str, known: KnownAnswer, *, upper: bool) -> Pair:
    parts = re.split(r"[\s:\"'.,?!{}]+", answer.upper() if upper else answer)
    return float(any(said(answer, one) for one in known.answers)), float(known.answers[0] in [one for one in parts if one])


def babilong(answer: str, known: KnownAnswer) -> Pair:
    reply, question = answer.lower().split(".")[0], known.question.lower()
    reply = reply.split("<context>")[0].split("<example>")[0]
    target = known.answers[0].lower()
    wanted = target.split(",") if len(target) > 3 and "," in target else [target]
    sides = []
    for rule in (whole, lambda text, label: label in text):
        left = [
            one.lower() for one in LABELS[known.field("task")] if rule(reply, one.lower()) and not rule(question, one.lower())
        ]
        sides.append(float(sorted(left) == sorted(wanted)))
    return sides[0], sides[1]


def longbench_v2_letter(answer: str) -> str:
    answer, words = answer.replace("*", ""), "The correct answer is "
    for opening in ("(", ""):
        for tail in answer.split(words + opening)[1:]:
            if tail[:1] in ("A", "B", "C", "D") and (not opening or tail[1:2] == ")"):
                return tail[0]
    return ""


def infinitebench_right(answer: str, text: str, letter: str) -> bool:
    answer = answer.strip()
    if answer and answer[0] in ("A", "B", "C", "D"):
        return answer[0] == letter
    if answer in (text, letter):
        return True
    plain = re.sub(" +", " ", re.sub("[\n\"'.,?!{}]", " ", answer))
    for words in ("answer is:", "answer:", "answer is", "option is"):
        _, found, after = plain.partition(words)
        if found:
            return after[1:].startswith(text) or after[1:].startswith(letter) if after[1:] else False
    runs = [word for word in plain.split() if re.fullmatch("A|AB|ABC|ABCD|B|BC|BCD|C|CD|D", word)]
    return bool(runs) and runs[0] in (text, letter)


def class_score(answer: str, known: KnownAnswer) -> Pair:
    right = known.answers[0]
    named = [one for one in known.choices if one in answer]
    everything = [one for one in named if one == right or one not in right]
    published = named.copy()
    for one in published:  # the published loop: it takes out of the list that it walks over
        if one != right and one in right:
            published.remove(one)
    value, told = (1 / len(left) if right in left else 0.0 for left in (everything, published))
    return value, told


SHORT: dict[str, Rule] = {
    "exact_match": exact_match,
    "f1": f1,
    "hotpotqa_f1": hotpotqa_f1,
    "substring": substring,
    "sub_em": partial(sub_em, taken=in_a_sentence),
    "sub_em_boxed": partial(sub_em, taken=boxed),
    "ruler": ruler,
    "ruler_all": partial(ruler, every=True),
    "ruler_part": partial(ruler, every=False),
    "rouge_1": partial(rouge, kind="rouge1"),
    "rouge_2": partial(rouge, kind="rouge2"),
    "rouge_l": partial(rouge, kind="rougeL"),
    "rouge_lsum": partial(rouge, kind="rougeLsum"),
    "longbench_rouge": longbench_rouge,
    "longbench_qa_f1": longbench_f1,
    "infinitebench_chinese_f1": chinese_f1,
    "infinitebench_key": partial(_one_word, upper=False),
    "infinitebench_name": partial(_one_word, upper=True),
}
NUMBERS: dict[str, Rule] = {"longbench_count": count, "longbench_paragraph": paragraph, "infinitebench_number": number}
