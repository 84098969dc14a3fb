"""What a class is asked about a reading: every choice with its options whole, what was chosen, and where the known answer was."""

from __future__ import annotations

from typing import Any

import pytest

from components.class_room.decisions import HOW_IT_ENDS, LONGEST_OPTION, Watched, decision_steps, marked_steps, question
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Wrote
from readers.engine.record.trace import Trace
from readers.engine.store.reading import Reading
from readers.engine.store.runs.run import Run
from readers.engine.teaching.stops import Stop
from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, Document, Piece, Span

TEXT = Document("A text", "The lamp was lit. " * 400)
HERE, THERE = "document:0-18", "document:18-7200"


def option(mark: str, name: str, *, picked: bool = False, ref: str = "") -> dict[str, Any]:
    return {"mark": mark, "name": name, "picked": picked, "note": "", **({"ref": ref} if ref else {})}


def step(*options: dict[str, Any], by_model: bool = True, at: str = "part 2") -> dict[str, Any]:
    card = {"at": at, "action": "enter", "options": list(options), "reason": "It is named there.", "by_model": by_model}
    return {"where": "", "say": "", "decision": {**card, "by": "the model"}}


def watched(*steps: dict[str, Any], building: int = 0, known: KnownAnswer | None = None, right: bool | None = None) -> Watched:
    run = Run("r", TEXT.id, "walk", "Who?", {}, "finished", outcome="answered", answer="The keeper")
    return Watched(Reading(run, TEXT, Trace(TEXT, ()), []), {"steps": steps, "building": building}, known, right)


CHOICE = step(option("1", "part 1", ref=HERE), option("2", "part 2", picked=True, ref=THERE), option("↩", "go back up"))
PLAIN: dict[str, Any] = {"where": "", "say": ""}


def test_a_choice_is_asked_with_its_options_whole_and_what_the_model_chose() -> None:
    known = KnownAnswer("Who?", evidence=(Span(20, 30),))
    found = question(watched(PLAIN, CHOICE, PLAIN, known=known), 1)
    assert found
    assert [(one.mark, one.name) for one in found.options] == [("1", "part 1"), ("2", "part 2"), ("↩", "go back up")]
    assert found.options[0].text == "The lamp was lit. "
    assert len(found.options[1].text) <= LONGEST_OPTION + 2
    assert (found.chosen, found.known, found.keeps, found.by) == ((1,), (1,), ("place",), "the model")
    assert found.words == "At part 2: what will the model choose?"
    assert question(watched(PLAIN, CHOICE, PLAIN), 0) is None
    unknown = question(watched(CHOICE), 0)
    assert unknown
    assert unknown.known is None


def test_what_is_no_choice_of_the_models_is_not_asked() -> None:
    one, rule = step(option("1", "nothing", picked=True)), step(option("1", "a", picked=True), option("2", "b"), by_model=False)
    undecided = step(option("1", "a"), option("2", "b"))
    assert decision_steps(watched(one, rule, undecided, PLAIN)) == []


def test_choices_of_the_building_phase_are_asked_only_where_there_are_no_others() -> None:
    assert decision_steps(watched(CHOICE, CHOICE, PLAIN, CHOICE, building=2)) == [3]
    assert decision_steps(watched(CHOICE, PLAIN, building=2)) == [0]


def test_where_a_rule_can_tell_the_class_is_asked_how_it_ends() -> None:
    known = KnownAnswer("Who?", answers=("the keeper",))
    ends = watched(PLAIN, PLAIN, known=known, right=True)
    assert decision_steps(ends) == [1]
    found = question(ends, 1)
    assert found
    assert (found.words, found.options[found.chosen[0]].name) == (HOW_IT_ENDS, "It gives the right answer")
    wrong = question(ends._replace(right=False), 1)
    assert wrong
    assert wrong.options[wrong.chosen[0]].name == "It gives a wrong answer"
    assert decision_steps(watched(PLAIN, CHOICE, known=known, right=True)) == [1]  # a choice at the last step is asked instead


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
        step(option("1", "part 1", ref=refs.wrote(0)), option("2", "part 2", picked=True)),
        known=KnownAnswer("What?", evidence=(fact,)),
    )
    reading = Reading(found.reading.run, text, Trace(text, (wrote,)), [])
    asked = question(found._replace(reading=reading), 0)
    assert asked
    assert (asked.known, asked.keeps) == ((0,), (left,))


def test_only_what_is_marked_to_be_predicted_counts_as_marked() -> None:
    found = watched(CHOICE, PLAIN, CHOICE, CHOICE, building=2)
    stops = [*(Stop(at, predicts=True) for at in (0, 1, 3, 9)), Stop(2, "a note", pauses=True)]
    assert marked_steps(found, stops) == [0, 3]
    assert question(found, 0)  # though it belongs to the building phase
