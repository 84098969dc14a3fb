"""What the bench says: the choices of a question, the end of the readings, and the forks that test a correction. Pure."""

from __future__ import annotations

from typing import NamedTuple

from components.html.words.wording import Tone
from readers.engine.forks import describe_edit
from readers.engine.questions.answers import chosen, letter, right_choices, same
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Run


class Choice(NamedTuple):
    """A choice of a question as the bench shows it: whether the reading chose it, and whether it is known to be right."""

    letter: str
    words: str
    chosen: bool
    right: bool


def choices_offered(run: Run, known: KnownAnswer | None) -> list[Choice]:
    """The choices that the reading had; `known` is None while the known answer is not shown."""
    offered: list[str] = run.spec.get("choices") or []
    picked = chosen(run.answer, offered) if run.gives_answer and run.answer else None
    right = right_choices(offered, known.answers) if known and known.answerable else []
    return [Choice(letter(n), words, n == picked, n in right) for n, words in enumerate(offered)]


def bench_finished(done: int, skipped: int, others: int) -> tuple[Tone, str]:
    """The message for an annotator with no further reading in their stage, and its tone. `others` counts the project's readings
    that other people have."""
    own = f"You have been through all your readings: {done:,} done, {skipped:,} skipped."
    if not others:
        return "good", f"{own} There is no further reading for you in this stage."
    have = "have it: as many as should label it" if others == 1 else "have them: as many as should label each"
    if done or skipped:
        rest = "one more reading" if others == 1 else f"{others:,} more readings"
        return "good", f"{own} The project has {rest}, and others {have}."
    rest = "one reading" if others == 1 else f"{others:,} readings"
    return "", f"There is no reading for you in this stage. The project has {rest}, and others {have}."


def fork_result(fork: Run, original: Run) -> str:
    """The result of a fork that tests a correction of the original reading."""
    answer = describe_edit.excerpt(fork.answer or "")
    if fork.status != "finished":
        how = {"failed": "the fork failed", "cancelled": "the fork was stopped", "interrupted": "the fork was interrupted"}
        return f"Not tested: {how[fork.status]} before its end" if fork.status in how else "The fork is running"
    if fork.outcome != "answered":
        how = {"exhausted": "gives up", "over_budget": "uses up its budget"}
        too = " too" if original.outcome == fork.outcome else ""
        return f"Tested: the fork {how.get(str(fork.outcome), 'finds no answer')}{too}"
    if original.outcome != "answered":
        return f"Tested: the fork answers “{answer}”"
    before = describe_edit.excerpt(original.answer or "")
    alike = same(original.answer or "", fork.answer or "", original.spec.get("choices") or ())
    return f"Tested: the fork answers “{answer}”{', as this reading does' if alike else f', this reading “{before}”'}"
