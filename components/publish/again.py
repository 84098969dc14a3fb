"""The commands that make the readings of a batch again, from its plan and the file of its questions. Pure.

Where a server is, and what a profile is called on the machine that made them, is left out.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace

from components.replay.reading import without_folders
from readers.engine.questions.import_questions import read_questions
from readers.engine.questions.question_importer import TextSources
from readers.engine.run.batches import BatchPlan
from readers.engine.run.execute import RunSpec

QUESTIONS = "downloads/questions.jsonl"
_CAPS = {"calls": "--max-calls", "usd": "--max-cost", "minutes": "--max-minutes"}


@dataclass(frozen=True)
class Again:
    """What makes a batch again: its plan, the name of its question set, and a file of the questions that were read; no bytes if
    they cannot be published. `set_id` is the id that the set gets where that file is imported."""

    plan: BatchPlan
    name: str
    set_id: str = ""
    file: bytes = b""

    @classmethod
    def of(cls, plan: BatchPlan, name: str, file: bytes) -> Again:
        """With the file only if importing it takes every question."""
        found = read_questions([(QUESTIONS.rpartition("/")[2], file)], TextSources()) if file else None
        return cls(plan, name, found.set.id, file) if found and not found.problems else cls(plan, name)

    def commands(self, *, with_file: bool) -> list[str]:
        """From the top of the site in an empty home, if the file is there; or else where the question set is."""
        if not (with_file and self.file):
            return commands(self.plan, self.name)
        first = shlex.join(["python", "-m", "readers", "questions", "import", QUESTIONS, "--name", self.name])
        return [first, *commands(replace(self.plan, drawn=None), self.set_id)]


def commands(plan: BatchPlan, questions: str) -> list[str]:
    """A command for the readers that can share one: those with the same model and terms. `questions` is the name or id of the
    set."""
    together: dict[tuple[str, ...], list[int]] = {}
    for number, one in enumerate(plan.variants):
        terms = tuple(_terms(one))
        free = next((key for key, some in together.items() if key[:-1] == terms and _fits(plan, one, some)), None)
        together.setdefault(free or (*terms, str(number)), []).append(number)
    every = [*_chosen(plan)]
    return [
        shlex.join(["python", "-m", "readers", "batch", questions, *_readers(plan, some), *terms[:-1], *every])
        for terms, some in together.items()
    ]


def _fits(plan: BatchPlan, one: RunSpec, some: list[int]) -> bool:
    """Whether a variant can be in the command of others: no reader may be twice in one, with one model."""
    return all(plan.variants[number].reader != one.reader for number in some)


def _terms(one: RunSpec) -> Iterator[str]:
    yield from ("--model", without_folders(one.model), "--temperature", f"{one.temperature:g}")
    for name, value in (("--top-p", one.top_p), ("--window", one.window), ("--reply-tokens", one.reply_tokens)):
        if value is not None:
            yield from (name, f"{value:g}")
    yield from ("--reply-form", one.reply_form)
    for name, option in _CAPS.items():
        if one.caps.get(name) is not None:
            yield from (option, f"{one.caps[name]:g}")
    if not one.reuse:
        yield "--no-cache"


def _readers(plan: BatchPlan, some: list[int]) -> Iterator[str]:
    for number in some:
        one = plan.variants[number]
        yield from ("--reader", one.reader)
        if number in plan.auto:
            yield from ("--preset", f"{one.reader}=auto")
        for name, value in sorted(one.options.items()):
            yield from ("--set", f"{one.reader}.{name}={value if isinstance(value, str) else json.dumps(value)}")


def _chosen(plan: BatchPlan) -> Iterator[str]:
    """How the questions are chosen, and how often each is read."""
    if plan.drawn and plan.drawn.questions:
        yield from ("--sample", str(plan.drawn.questions), "--seed", str(plan.drawn.seed))
    if plan.samples > 1:
        yield from ("--samples", str(plan.samples))
    if not plan.give_choices:
        yield "--no-choices"
    if plan.log_probs:
        yield "--log-probs"
