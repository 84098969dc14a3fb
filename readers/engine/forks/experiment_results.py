"""The results of an experiment, in counts: how many samples ended otherwise than the run, and how often each reply occurred.
Pure.

Samples are few, so counts are reported as counts; nothing here claims significance. What counts as a changed answer is a rule,
and displayed wherever it is used (`RULE`, `RULE_OF_CHOICES`).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from readers.engine.prompts.formats.pages import numbers
from readers.engine.prompts.prompt import Prompt
from readers.engine.prompts.replies.reply import Unreadable
from readers.engine.record.journal import Record
from readers.engine.store import AT_WORK, Run
from readers.engine.text import words

MIN_SHARED = 0.5
RULE = (
    "An answer counts as changed if there is another outcome, or if its words are not the same (but for case, marks and "
    "articles) and no more than half of them are shared, as token F1 counts it."
)
RULE_OF_CHOICES = "An answer counts as changed if it is another choice, or if there is another outcome."
_ARTICLES = frozenset(("a", "an", "the"))


class Arm(NamedTuple):
    """The samples of one arm. Of the `finished` ones, `changed` differ from the run; `ended` of these ended without an answer
    although the run has one. Samples that failed, were stopped, or exceeded a limit that the run did not are not finished."""

    planned: int
    finished: int = 0
    changed: int = 0
    ended: int = 0
    failed: int = 0
    stopped: int = 0
    under_way: int = 0


class AnswerCount(NamedTuple):
    """One answer as first worded, or how samples ended without one, and how often it occurred in each arm. `recorded`: it is the
    run's own."""

    words: str
    without: int
    unchanged: int
    changed: bool
    recorded: bool


class ExperimentOutcome(NamedTuple):
    """Both arms, and every answer: the run's own first, then by frequency."""

    without: Arm
    unchanged: Arm
    answers: tuple[AnswerCount, ...]
    answered: bool

    @property
    def sentence(self) -> str:
        """`the answer changed in 6 of 8; unchanged reruns changed in 1 of 8`"""
        subject = "the answer" if self.answered else "the outcome"
        first = f"{subject} changed in {self.without.changed} of {self.without.finished}"
        second = f"unchanged reruns changed in {self.unchanged.changed} of {self.unchanged.finished}"
        return "; ".join(
            (
                first if self.without.finished else "no sample without it has finished",
                second if self.unchanged.finished else "no unchanged rerun has finished",
            )
        )


def compare_arms(parent: Run, without: Sequence[Run], unchanged: Sequence[Run]) -> ExperimentOutcome:
    """Compare the samples of both arms with the run they were made from."""
    counts: dict[str, list[int]] = {_key(parent, parent): [0, 0]}
    first: dict[str, Run] = {_key(parent, parent): parent}
    for arm, runs in enumerate((without, unchanged)):
        for run in runs:
            if has_finished(parent, run):
                key = _key(parent, run)
                counts.setdefault(key, [0, 0])[arm] += 1
                first.setdefault(key, run)
    recorded, *others = counts
    order = [recorded, *sorted(others, key=lambda key: -sum(counts[key]))]
    answers = [
        AnswerCount(
            _outcome_words(first[key]), counts[key][0], counts[key][1], answer_changed(parent, first[key]), key == recorded
        )
        for key in order
    ]
    return ExperimentOutcome(_arm(parent, without), _arm(parent, unchanged), tuple(answers), parent.outcome == "answered")


def answer_changed(parent: Run, sample: Run) -> bool:
    """Whether a finished sample counts as having another answer."""
    if sample.outcome != parent.outcome:
        return True
    if parent.outcome != "answered":
        return False
    return other_answer(parent.answer or "", sample.answer or "", parent.spec.get("choices") or ())


def other_answer(own: str, new: str, choices: Sequence[str]) -> bool:
    """Whether a new answer to a question with these choices counts as another one."""
    letters = [choice_letter(answer, choices) for answer in (own, new)]
    return letters[0] != letters[1] if all(letters) else not same_answer(own, new)


def same_answer(first: str, second: str) -> bool:
    """Whether two answers have the same words, or share more than half of them. Half is not enough: `at five` and `at six` share
    half."""
    return fold_answer(first) == fold_answer(second) or token_f1(first, second) > MIN_SHARED


def fold_answer(text: str) -> str:
    """The words of a text, lower case, without articles and punctuation; the text itself if nothing is left."""
    folded = [word.casefold().replace("’", "'") for word in words.words(text)]
    return " ".join([word for word in folded if word not in _ARTICLES] or folded) or " ".join(text.split())


def token_f1(first: str, second: str) -> float:
    """Token F1 of two answers: the harmonic mean of the shares of words that each has in common with the other."""
    bags = [Counter(fold_answer(text).split()) for text in (first, second)]
    common = (bags[0] & bags[1]).total()
    return 2 * common / (bags[0].total() + bags[1].total()) if common else 0.0


def choice_letter(answer: str, choices: Sequence[str]) -> str:
    """The letter of the choice that an answer names, by letter or wording; empty if it names none or several."""
    last = chr(ord("A") + len(choices) - 1) if choices else ""
    named = re.search(r"\(([A-Za-z])\)", answer) or re.match(r"\s*([A-Z])(?:\s*[.:,)]|\s*\Z)", answer)
    if choices and named and named[1].upper() <= last:
        return named[1].upper()
    normalised = f" {fold_answer(answer)} "
    matching = [chr(ord("A") + n) for n, choice in enumerate(choices) if f" {fold_answer(choice)} " in normalised]
    return matching[0] if len(matching) == 1 else ""


def has_finished(parent: Run, run: Run) -> bool:
    """Whether a sample came to an end that can be compared with the run's."""
    return run.status == "finished" and not (run.outcome == "over_budget" and parent.outcome != "over_budget")


def _arm(parent: Run, runs: Sequence[Run]) -> Arm:
    finished = [run for run in runs if has_finished(parent, run)]
    under_way = sum(run.status in AT_WORK for run in runs)
    failed = sum(run.status == "failed" for run in runs)
    return Arm(
        len(runs),
        len(finished),
        sum(answer_changed(parent, run) for run in finished),
        sum(run.outcome != "answered" for run in finished) if parent.outcome == "answered" else 0,
        failed,
        len(runs) - len(finished) - failed - under_way,
        under_way,
    )


def _key(parent: Run, run: Run) -> str:
    """A key that is equal for answers that are listed as one."""
    if run.outcome != "answered":
        return f"outcome:{run.outcome}"
    named = choice_letter(run.answer or "", parent.spec.get("choices") or ())
    return f"letter:{named}" if named else f"answer:{fold_answer(run.answer or '')}"


def _outcome_words(run: Run) -> str:
    if run.outcome == "answered":
        return run.answer or ""
    return {"no_answer": "no answer", "exhausted": "it gave up", "over_budget": "the budget was used up"}.get(
        str(run.outcome), str(run.outcome)
    )


# How firm


OptionValue = int | str | tuple[int, ...]


class OptionCount(NamedTuple):
    """One option: its value in the reply, how it was first worded, and how often it occurred. `taken`: the run took it. `answers`
    are those that came with it, with their counts."""

    value: OptionValue
    words: str
    times: int
    taken: bool
    answers: tuple[tuple[str, int], ...] = ()


class Firmness(NamedTuple):
    """Every option that occurred, the run's own first, then by frequency; `came` replies out of `asked`, some of them
    `unreadable`."""

    options: tuple[OptionCount, ...]
    asked: int
    came: int
    unreadable: int


def firmness(prompt: Prompt, sizes: Mapping[str, int], recorded: str, samples: Sequence[Record], *, asked: int) -> Firmness:
    """Count the replies to `prompt`, repeated `asked` times. `recorded` is the reply the run took, `sizes` the number of texts in
    each part."""
    own = _decision(prompt, recorded, sizes, last=True)
    rows = [record.reply for record in samples if record.reply is not None]
    read = [found for reply in rows if (found := _decision(prompt, reply, sizes))]
    counts = Counter(found.value for found in read)
    first = {found.value: found for found in [*([own] if own else []), *read][::-1]}
    order = [*([own.value] if own else []), *(value for value, _ in counts.most_common() if not own or value != own.value)]
    answers: dict[OptionValue, Counter[str]] = {}
    for found in read:
        if found.answer:
            answers.setdefault(found.value, Counter())[found.answer] += 1
    options = tuple(
        OptionCount(
            value, first[value].words, counts[value], bool(own and value == own.value), _merge_answers(answers.get(value))
        )
        for value in order
    )
    return Firmness(options, asked, len(rows), len(rows) - len(read))


class _Decision(NamedTuple):
    value: OptionValue
    words: str
    answer: str = ""


def _decision(prompt: Prompt, reply: str, sizes: Mapping[str, int], *, last: bool = False) -> _Decision | None:
    """What a reply decided; None if it is unreadable. For a `last` reply, a malformed but usable one counts."""
    parsed = prompt.reply.parse(reply, sizes)
    if isinstance(parsed, Unreadable):
        if not last or parsed.usable is None:
            return None
        parsed = parsed.usable
    fields = {name: field.value for name, field in parsed.fields.items()}
    main = fields.get(prompt.reply.main)
    number = next((value for value in fields.values() if isinstance(value, int)), None)
    if number is not None:
        return _Decision(number, str(number), str(fields.get("answer", "")))
    if main is None:
        return None
    kind = prompt.reply.to_json()["kind"]
    main_text = str(main)
    if kind == "pages":
        pages = tuple(sorted(set(numbers(main_text))))
        return _Decision(pages, ", ".join(map(str, pages)))
    if kind == "listed":
        return _Decision(_list_key(main_text), main_text)
    lettered = re.match(r"\(([A-Za-z])\)", main_text) if kind in ("lettered", "boxed") else None
    return _Decision(f"({lettered[1].upper()})" if lettered else fold_answer(main_text), main_text)


def _list_key(text: str) -> str:
    """A JSON list as a key that ignores the order of its items."""
    try:
        items = json.loads(text)
    except ValueError:
        return fold_answer(text)
    return " | ".join(sorted(fold_answer(json.dumps(item, ensure_ascii=False)) for item in items))


def _merge_answers(answers: Counter[str] | None) -> tuple[tuple[str, int], ...]:
    """Merge answers with the same words, keeping the first wording."""
    first: dict[str, str] = {}
    count: Counter[str] = Counter()
    for answer, times in (answers or Counter()).items():
        count[fold_answer(answer)] += times
        first.setdefault(fold_answer(answer), answer)
    return tuple((first[key], times) for key, times in count.most_common())
