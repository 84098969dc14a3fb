"""Every pattern of ours takes time in proportion to the text: a stranger's text of 40,000 blanks must not hold the interpreter.

Each pattern that a module holds is asked for all its matches in texts that repeat one kind of character, and in four times as
much.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
import regex

import components
import readers
from readers.cli.serve import shapes
from readers.cli.serve.layouts import RequestWords, take_apart
from readers.engine.errors import BadOptions
from readers.engine.on_first_use import _OnFirstUse
from readers.engine.questions.grading import alternatives, amounts
from tests.support.paths import ROOT

REPEATS = 1_000
LINEAR = 9.0  # times as long for four times as much; a quadratic pattern takes sixteen
TOO_SHORT = 0.002  # seconds of the processor; less is not measured
SEARCHING = {"search", "sub", "subn", "split", "findall"}
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
    "readers.engine.prompts.formats.phrases._HEADING": "the first few hundred characters of a reply",
    "readers.engine.prompts.formats.phrases._AFTER_HEADING": "the same",
    "readers.engine.prompts.formats.phrases._AFTER_MARKED": "the same",
    "readers.engine.questions.grading.yes_no._SOURCE": "tried at the beginning of an answer alone",
    "components.html.terms._QUOTED": "words of our own",
}


def modules() -> Iterator[str]:
    for package in (readers, components):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name not in ("readers.inspect_solver", "readers.__main__", "readers.engine.run.cluster.dask_cluster"):
                yield found.name


class Used(NamedTuple):
    """A pattern, and what the program asks of it."""

    pattern: re.Pattern[str]
    methods: frozenset[str]


def patterns() -> dict[str, Used]:
    """The patterns that stand in modules, by where they stand."""
    found = {}
    anywhere = asked_for(path for folder in ("readers", "components") for path in (ROOT / folder).rglob("*.py"))
    for name in modules():
        module = importlib.import_module(name)
        here = asked_for([Path(str(module.__file__))])
        for key, value in vars(module).items():
            held = value._made() if isinstance(value, _OnFirstUse) else value
            if isinstance(held, (re.Pattern, regex.Pattern)) and isinstance(held.pattern, str):
                asked = (here if key.startswith("_") else anywhere)[key] & {"match", "fullmatch", "finditer", *SEARCHING}
                found[f"{name}.{key}"] = Used(held, frozenset(asked or {"finditer"}))
    return found


def asked_for(paths: Iterable[Path]) -> dict[str, set[str]]:
    """What these files ask of each name: its methods. A pattern that is handed on is asked for by no name."""
    asked = defaultdict(set)
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, (ast.Name, ast.Attribute)):
                asked[node.value.id if isinstance(node.value, ast.Name) else node.value.attr].add(node.attr)
    return asked


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
    """The kinds of characters of which four times as many take far more than four times as long."""
    found = []
    for kind in KINDS:
        for end in ("", "\x01"):
            less, more = kind * REPEATS + end, kind * 4 * REPEATS + end
            for _ in range(3):  # a machine at work may make one look slow
                took = seconds(used, more)
                if took < TOO_SHORT or took < LINEAR * seconds(used, less):
                    break
            else:
                found.append(kind + end)
    return found


@pytest.mark.slow
def test_every_pattern_takes_time_in_proportion_to_the_text() -> None:
    every = patterns()
    assert len(every) > 150
    assert set(every) >= set(BOUNDED)
    slow = {name: kinds for name, used in every.items() if name not in BOUNDED and (kinds := slow_on(used))}
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
