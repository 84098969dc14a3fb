"""Every pattern of ours takes time in proportion to the text: a stranger's text of 40,000 blanks must not hold the interpreter.

Each pattern is asked for all its matches in texts that repeat one kind of character, and in four times as much.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress

import pytest

from readers.cli.serve import shapes
from readers.cli.serve.layouts import RequestWords, take_apart
from readers.engine.errors import BadOptions
from readers.engine.questions.grading import alternatives, amounts
from tests.hostile.patterns import Used, patterns

REPEATS = 500
LINEAR = 9.0  # times as long for four times as much; a quadratic pattern takes sixteen
TOO_LONG = 0.1  # seconds for a few hundred: more would take minutes
TOO_SHORT = 0.001  # seconds of the processor; less is not measured
SIGNS = tuple(" \t\n\u00a0aAé一1.,-_*#`\"'()[]{}<>/\\:;=|!?–“…")
WORDS = (
    "Aa ",
    "a ",
    "a.",
    "A. ",
    "1 ",
    "1,",
    "1. ",
    "- ",
    "**",
    "a_",
    "<a",
    "[a",
    "(a",
    '"a',
    "Mr. ",
    "|a",
    "| ",
    "a\n",
    "://",
    "a@",
    "%20",
)
KINDS = (*SIGNS, *WORDS, " \n", "\n\n", " \n\n", "and ", "no ", "answer ", "answer: ", "I ")


# What is asked of these is bounded in another way.
BOUNDED = {
    "readers.cli.serve.layouts._INSTRUCTION": "a line of at most 600 characters",
    "readers.engine.prompts.formats.phrases._LAST_SENTENCE": "the last few hundred characters of a reply",
    "readers.engine.prompts.formats.phrases._LAST_PARAGRAPH": "the same",
    "readers.engine.prompts.formats.phrases._HEADING": "the first few hundred characters of a reply",
    "readers.engine.prompts.formats.phrases._AFTER_HEADING": "the same",
    "readers.engine.prompts.formats.phrases._AFTER_MARKED": "the same",
    "components.html.terms._forms": "the same",
}


def seconds(used: Used, text: str) -> float:
    began = time.thread_time()
    if "match" in used.methods:
        used.pattern.match(text)
    if "fullmatch" in used.methods:
        used.pattern.fullmatch(text)
    if used.methods - {"match", "fullmatch"}:
        for _ in used.pattern.finditer(text):
            pass
    return time.thread_time() - began


def slow_on(used: Used) -> list[str]:
    """Kinds of characters of which four times as many take far more than four times as long, or a few take seconds."""
    found: list[str] = []
    own = [words + " " for words in re.findall(r"(?<!\\)\b[A-Za-z]{2,}(?: [a-z]+)*", used.pattern.pattern)[:2]]
    for kind in (*KINDS, *own):
        if len(found) > 1:  # enough to find the fault
            return found
        for end in ("", "\x01"):
            if any(seconds(used, kind * few + end) > TOO_LONG for few in (20, 100, 400) if not end):
                found.append(kind + end)
                continue
            less, more = kind * REPEATS + end, kind * 4 * REPEATS + end
            for _ in range(3):  # a machine at work may make one look slow
                took = seconds(used, more)
                if took < TOO_SHORT or took < LINEAR * seconds(used, less):
                    break
            else:
                found.append(kind + end)
    return found


@pytest.mark.scale
def test_every_pattern_takes_time_in_proportion_to_the_text() -> None:
    every = patterns()
    assert len(every) > 400
    assert {name.partition(": ")[0] for name in every} >= set(BOUNDED)
    once = {
        used: name for name, used in every.items() if name.partition(": ")[0] not in BOUNDED
    }  # what several modules import is tried once
    slow = {name: kinds for used, name in once.items() if (kinds := slow_on(used))}
    assert not slow


@pytest.mark.slow
@pytest.mark.parametrize(
    "around", ["{}", "<text>{}</text>\n{}", "Read the text.\n{}\nQuestion: {}", "Passage 1:\n{}\nQuestion: w{}"]
)
def test_a_request_is_taken_apart_in_time(around: str) -> None:
    for kind in KINDS:
        began = time.thread_time()
        with suppress(BadOptions):
            take_apart(RequestWords((around.replace("{}", kind * 9_000),)))
        assert time.thread_time() - began < 2, kind


@pytest.mark.parametrize(
    "answer", ["", "One.", "  One two.\n\n three four five six seven eight nine ten ", " \n" * 20_000, "a" * 40_000]
)
def test_an_answer_is_sent_in_pieces_that_are_the_answer_together(answer: str) -> None:
    began = time.thread_time()
    assert "".join(shapes.pieces(answer)) == answer
    assert time.thread_time() - began < 1


@pytest.mark.parametrize("filler", [" ", "1", "1,", "\n"])
def test_a_question_and_an_answer_are_graded_in_time_whatever_fills_them(filler: str) -> None:
    began = time.thread_time()
    amounts.spelled_out(f"It was {filler * 20_000} x")
    alternatives.alternatives(f"Was it red or blue{filler * 20_000}x")
    assert time.thread_time() - began < 2
