"""The results of an experiment, in counts: how many samples ended otherwise than the run, and how often each reply occurred.
Pure.

Samples are few, so counts are reported as counts; nothing here claims significance. What counts as a changed answer is a rule,
and displayed wherever it is used (`rule_of`). It is that of `questions/answers.py`, applied whenever results are looked at.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from readers.engine.prompts.formats.form import Unreadable, numbers
from readers.engine.prompts.prompt import Prompt
from readers.engine.questions.answers import answer_key, normalise, same
from readers.engine.record.journal import Record
from readers.engine.store import AT_WORK, Run

RULE = (
    "An answer counts as changed if the outcome differs, if at most half of the words are shared (token F1, ignoring case, "
    "punctuation and articles, with numbers as digits), or if the numbers differ."
)
RULE_OF_CHOICES = (
    "An answer counts as changed if the outcome differs, or if it names another choice, by its letter or its words. An answer "
    "that names no choice, or several, differs from one that names a choice."
)


def rule_of(run: Run) -> str:
    """What counts as a changed answer of a run."""
    return RULE_OF_CHOICES if run.spec.get("choices") else RULE


class Arm(NamedTuple):
    """The samples of one arm. Of the `finished` samples, `changed` differ from the run; `ended` of these ended without an answer
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
    return not same(parent.answer or "", sample.answer or "", parent.spec.get("choices") or ())


def has_finished(parent: Run, run: Run) -> bool:
    """Whether a sample ended in a way that can be compared with the run's end."""
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
    """A key that is equal for answers that are listed together."""
    if run.outcome != "answered":
        return f"outcome:{run.outcome}"
    return f"answer:{answer_key(run.answer or '', parent.spec.get('choices') or ())}"


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


def firmness(prompt: Prompt, sizes: Mapping[str, int], recorded: str, run: Run, samples: Sequence[Record]) -> Firmness:
    """Count the replies to `prompt` that a run of samples got. `recorded` is the reply the reading took, `sizes` the number of
    texts in each part."""
    choices: Sequence[str] = run.spec.get("choices") or ()
    own = _decision(prompt, recorded, sizes, choices, last=True)
    rows = [record.reply for record in samples if record.reply is not None]
    read = [found for reply in rows if (found := _decision(prompt, reply, sizes, choices))]
    counts = Counter(found.value for found in read)
    first = {found.value: found for found in [*([own] if own else []), *read][::-1]}
    order = [*([own.value] if own else []), *(value for value, _ in counts.most_common() if not own or value != own.value)]
    answers: dict[OptionValue, Counter[str]] = {}
    for found in read:
        if found.answer:
            answers.setdefault(found.value, Counter())[found.answer] += 1
    options = tuple(
        OptionCount(
            value,
            first[value].words,
            counts[value],
            bool(own and value == own.value),
            _merged(answers.get(value, {}), choices),
        )
        for value in order
    )
    return Firmness(options, int(run.spec["options"]["count"]), len(rows), len(rows) - len(read))


class _ReplyDecision(NamedTuple):
    value: OptionValue
    words: str
    answer: str = ""


def _decision(
    prompt: Prompt, reply: str, sizes: Mapping[str, int], choices: Sequence[str], *, last: bool = False
) -> _ReplyDecision | None:
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
        return _ReplyDecision(number, str(number), str(fields.get("answer", "")))
    if main is None:
        return None
    kind = prompt.reply.in_words.kind
    main_text = str(main)
    if kind == "pages":
        pages = tuple(sorted(set(numbers(main_text))))
        return _ReplyDecision(pages, ", ".join(map(str, pages)))
    if kind == "listed":
        return _ReplyDecision(_list_key(main_text), main_text)
    return _ReplyDecision(answer_key(main_text, choices if kind in ("lettered", "boxed") else ()), main_text)


def _list_key(text: str) -> str:
    """A JSON list as a key that ignores the order of its items."""
    try:
        items = json.loads(text)
    except ValueError:
        return normalise(text)
    return " | ".join(sorted(normalise(json.dumps(item, ensure_ascii=False)) for item in items))


def _merged(answers: Mapping[str, int], choices: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Merge answers that are listed together, keeping the first wording."""
    first: dict[str, str] = {}
    count: Counter[str] = Counter()
    for answer, times in answers.items():
        key = answer_key(answer, choices)
        count[key] += times
        first.setdefault(key, answer)
    return tuple((first[key], times) for key, times in count.most_common())
