"""HTML of projects: no words become markup; the choices of a question, which was chosen, which is right once that is shown."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from markupsafe import escape

from components.annotate import html
from components.annotate.bench_player import choices_offered
from components.annotate.codebook_changes import differences
from components.html.words.wording import compared
from readers.engine.labels.codebook import Codebook
from readers.engine.labels.codes import Code
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Run
from tests.support.labels import HOSTILE

OFFERED = ("A <b>fox</b>", "A crow", "A cat")


def answered(answer: str | None, outcome: str = "answered") -> Run:
    return Run("r", "d", "whole", "Which animal?", {"choices": list(OFFERED)}, "finished", outcome, answer)


@pytest.mark.parametrize(
    ("answer", "chosen"), [("(B) A crow", [False, True, False]), ("A cat or a crow", [False] * 3), (None, [False] * 3)]
)
def test_the_choices_stand_there_with_the_chosen_one_marked(answer: str | None, chosen: list[bool]) -> None:
    shown = choices_offered(answered(answer, "answered" if answer else "exhausted"), None)
    assert shown == [(letter, words, picked, False) for letter, words, picked in zip("ABC", OFFERED, chosen, strict=True)]


def test_the_right_one_is_marked_only_with_the_known_answer() -> None:
    run = answered("(B) A crow")
    right = choices_offered(run, KnownAnswer("Which animal?", OFFERED, ("a cat",)))
    assert [one[-1] for one in right] == [False, False, True]
    drawn = html.choices(right)
    assert (
        drawn.index("(B)") < drawn.index("chosen</em>") < drawn.index("(C)") < drawn.index("✓ right") < drawn.index("A cat</li>")
    )
    assert "<b>fox" not in drawn
    assert "right" not in html.choices(choices_offered(run, None))


def test_the_known_answer_is_named_where_no_choice_shows_it() -> None:
    free = KnownAnswer("Which animal?", (), ("a <dog>",))
    verdict = compared(answered("(B) A crow"), free)
    assert "known answer</span> a &lt;dog&gt;" in html.known_answer("a <dog>", verdict)
    assert "known answer" not in html.known_answer("", verdict)


def everything(words: str) -> str:
    """All that is made of words, of these."""
    code = Code("C1", words, words, words, words, words, {words: words}, 1, 2)
    book = Codebook((code,), 2)
    changed = differences(Codebook((replace(code, definition=f"{words}."),)), book)
    parts = [
        html.disagreement(words, [(words, [words])], words),
        html.choices([("A", words, True, True)]),
        html.known_answer(words, compared(answered("(B) A crow"), KnownAnswer("Which animal?", (), ("a dog",)))),
        html.codebook([(words, [html.code(code, since=words, used=2, reader_titles={})])]),
        html.version(2, words, [words], why=words, differences=changed),
        html.to_review(words, [words]),
        html.own_group(words, words),
        html.note(words, [words], words, current=True),
        html.current_note(words),
        html.protocol([(words, words)]),
        html.reading(words, [words]),
        html.warnings([words]),
    ]
    return "".join(parts)


@pytest.mark.parametrize("words", [words.strip() for words in HOSTILE if words.strip()])
def test_no_words_become_markup(words: str) -> None:
    assert re.findall("<[^>]*>", everything(words).replace(escape(words), "")) == re.findall(
        "<[^>]*>", everything("harmless").replace("harmless", "")
    )
