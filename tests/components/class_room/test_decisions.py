"""What a class is asked about a reading: every choice with its options whole, what was chosen, and where the known answer was."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from components.class_room.questions import HOW_IT_ENDS, Watched, asked_steps, halts, question
from readers.engine.canonical import canonical
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Chose, Wrote
from readers.engine.record.narrative import StepOption
from readers.engine.record.options import StepOptions
from readers.engine.record.trace import Trace
from readers.engine.store import Reading
from readers.engine.store.run import Run
from readers.engine.teaching.classes import as_question
from readers.engine.teaching.stops import Stop
from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, Document, Piece, Span

TEXT = Document("A text", "The lamp was lit. " * 400)
HERE, THERE = "document:0-18", "document:18-7200"


def option(mark: str, name: str, *, picked: bool = False, ref: str = "", text: str = "") -> StepOption:
    return StepOption(ref or name, mark, name, picked, ref, text)


def choice(*options: StepOption) -> StepOptions:
    return StepOptions(0, options, by_model=True, decision=Chose("enter", "part 2"))


def watched(
    *steps: StepOptions | None, building: int = 0, known: KnownAnswer | None = None, right: bool | None = None
) -> Watched:
    run = Run("r", TEXT.id, "walk", "Who?", {}, "finished", outcome="answered", answer="The keeper")
    card = {"at": "part 2", "reason": "It is named there.", "by": "the model"}
    shown = [{"where": "chunk 3", "say": "", "by": "a person", "decision": card} for _ in steps]
    frames = {"steps": shown, "building": building}
    return Watched(Reading(run, TEXT, Trace(TEXT, ()), []), frames, dict(enumerate(steps)).get, known, right)


CHOICE = choice(
    option("1", "part 1", ref=HERE, text="The lamp was lit."), option("2", "part 2", picked=True, ref=THERE), option("↩", "go up")
)
PLAIN = None


def test_a_choice_is_asked_with_its_options_whole_and_what_the_model_chose() -> None:
    known = KnownAnswer("Who?", evidence=(Span(20, 30),))
    found = question(watched(PLAIN, CHOICE, PLAIN, known=known), 1)
    assert found
    assert [(one.mark, one.name) for one in found.options] == [("1", "part 1"), ("2", "part 2"), ("↩", "go up")]
    assert found.options[0].text == "The lamp was lit."
    assert (found.chosen, found.known, found.keeps, found.by) == ((1,), (1,), ("place",), "the model")
    assert found.words == "At part 2: what will the model choose?"
    assert question(watched(PLAIN, CHOICE, PLAIN), 0) is None
    unknown = question(watched(CHOICE), 0)
    assert unknown
    assert unknown.known is None


def test_of_a_memory_the_sentences_that_give_the_known_answer_are_marked() -> None:
    carries = "The boiler weighed nine tons."
    text = Document("A text", "The boiler weighed nine tons. The committee met in the Institute on a Monday.")
    fact = Span(0, len(carries))
    kept = (
        option("1", "sentence 1 of the memory", text="The boiler weighed ten tons."),
        option("2", "sentence 2 of the memory", text="The committee met in the Institute on a Monday.", picked=True),
        option("3", "sentence 1 of chunk 3", text=carries),
    )
    offer = StepOptions(1, kept, by_model=True, asks="What will the new memory keep?", verb="kept")
    found = watched(PLAIN, offer, known=KnownAnswer("What?", evidence=(fact,)))
    asked = question(found._replace(reading=Reading(found.reading.run, text, Trace(text, ()), [])), 1)
    assert asked
    assert (asked.words, asked.verb, asked.by, asked.reason) == (
        "At chunk 3: what will the new memory keep?", "kept", "a person", "",
    )  # fmt: skip
    assert (asked.chosen, asked.known, asked.keeps) == ((1,), (0, 2), ("altered", "carried"))
    assert as_question(json.loads(canonical(asdict(asked)))) == asked


def test_steps_of_the_building_phase_are_asked_by_themselves_only_where_there_are_no_others() -> None:
    both = watched(CHOICE, CHOICE, PLAIN, CHOICE, building=2)
    assert (asked_steps(both), halts(both, ())) == ([0, 1, 3], [3])
    assert halts(watched(CHOICE, PLAIN, building=2), ()) == [0]


def test_where_a_rule_can_tell_the_class_is_asked_how_it_ends() -> None:
    known = KnownAnswer("Who?", answers=("the keeper",))
    ends = watched(PLAIN, PLAIN, known=known, right=True)
    assert asked_steps(ends) == [1]
    found = question(ends, 1)
    assert found
    assert (found.words, found.options[found.chosen[0]].name) == (HOW_IT_ENDS, "It gives the right answer")
    wrong = question(ends._replace(right=False), 1)
    assert wrong
    assert wrong.options[wrong.chosen[0]].name == "It gives a wrong answer"
    assert asked_steps(watched(PLAIN, CHOICE, known=known, right=True)) == [1]  # a choice at the last step is asked instead


@pytest.mark.parametrize(
    ("summary", "left"),
    [
        ("A boiler weighing nine tons was taken over the bridge.", "carried"),
        ("A boiler weighing twelve tons was taken over the bridge.", "altered"),
        ("The committee met in the Institute.", "lost"),
    ],
)
def test_an_option_says_whether_its_words_keep_the_known_answer(summary: str, left: str) -> None:
    """The place under a summary may give the answer that the summary no longer has."""
    told = "A boiler weighing nine tons with its carriage was taken over the bridge. " * 2
    text = Document("A text", told)
    fact = Span(0, len(told) // 2)
    wrote = Wrote(0, "summary", summary, (Piece(0, len(summary), DOCUMENT, *fact),))
    found = watched(
        choice(option("1", "part 1", ref=refs.wrote(0)), option("2", "part 2", picked=True)),
        known=KnownAnswer("What?", evidence=(fact,)),
    )
    reading = Reading(found.reading.run, text, Trace(text, (wrote,)), [])
    asked = question(found._replace(reading=reading), 0)
    assert asked
    assert (asked.known, asked.keeps) == ((0,), (left,))


def test_a_class_is_asked_about_what_is_marked_alone() -> None:
    found = watched(CHOICE, PLAIN, CHOICE, CHOICE, building=2)
    stops = [*(Stop(at, predicts=True) for at in (0, 1, 3, 9)), Stop(2, "a note", pauses=True)]
    assert halts(found, stops) == [0, 3]
    assert question(found, 2)  # where the teacher wants all
