"""What a class is told of its votes: the same words for the room, the devices and the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from components.class_room import wording
from components.class_room.room_data import RoomProgress, room, screen
from components.session import capacity, classes
from readers.engine.teaching.classes import ClassQuestion, ClassSession, State, VoteOption
from readers.engine.teaching.stops import Stop
from readers.engine.teaching.tally import Moved, Result, shown

LONG = "The keeper kept a ledger. " * 20
ASKED = ClassQuestion(
    4, "Which?", (VoteOption("1", "part 1", LONG), VoteOption("2", "part 2", "<i>")), (0,), known=(0,), keeps=("lost",)
)
STATE = State(at=4, phase="revealed", asked=4, round=2, joining=False)
HELD = ClassSession(
    "c", "KHMRTW", "r", "Who?", 9, "t", "2026-11-23T10:00:00.000+00:00", "2126-11-23T10:00:00.000+00:00", None,
    "2026-11-23T10:00:00.000+00:00", 1, STATE,
)  # fmt: skip
VOTED = Result(ASKED, ((1, 2), (2, 1)), Moved(3, 1, 1, 0))


def test_moves_are_told_of_those_who_voted_both_times() -> None:
    assert wording.moved(None) == ""
    assert wording.moved(Moved(0, 0, 0, 0)) == "Nobody voted both times."
    assert wording.moved(Moved(3, 0, 0, 0)) == "None of the 3 who voted both times changed their vote."
    told = wording.moved(Moved(2, 2, 1, 1))
    assert wording.moved(Moved(2, 1, 0, 1)).endswith("changed their vote: 1 left what the model chose.")
    assert wording.moved(Moved(2, 2, 0, 0)).endswith("changed their vote: none changed to what the model chose.")
    assert wording.moved(Moved(2, 1, 1, 0), "right").endswith("changed their vote: 1 changed to the right answer.")
    assert wording.chosen("did") == "This is what happened."
    assert told == "2 of the 2 who voted both times changed their vote: 1 changed to what the model chose, 1 left it."


def test_a_summary_that_lost_the_answer_is_not_said_to_hold_it() -> None:
    assert wording.keeps(ASKED) == {0: "The known answer is in this part of the text. These words do not state it."}
    earlier = ClassQuestion(4, "Which?", ASKED.options, (0,), known=(0, 1))
    assert set(wording.keeps(earlier).values()) == {wording.HERE}
    assert wording.known(ASKED) == "The model chose a part of the text that has the known answer."
    assert "did not choose" in wording.known(replace(ASKED, known=(1,)))
    assert wording.known(replace(ASKED, known=None)) == ""
    assert "none of these" in wording.known(replace(ASKED, known=()))
    of_memory = replace(ASKED, verb="kept", keeps=("carried",))
    assert wording.keeps(of_memory) == {0: "This sentence gives the known answer."}
    assert wording.known(of_memory) == "The model kept a sentence that has the known answer."
    assert wording.known(replace(of_memory, known=())) == ""


def test_the_table_has_the_options_words_shortened() -> None:
    (table,) = wording.result_tables([(HELD, (VOTED,))], "c")
    first, second = table.rows
    assert "The keeper kept a ledger." in first.note
    assert LONG.strip() not in first.note
    assert "These words do not state it." in first.note
    assert second.note == "<i>"
    assert [str(cell.content) for cell in second.cells] == ["2 of 3", "1 of 3"]
    assert "1 of the 3 who voted both times" in table.notes[0]


def test_notes_are_sent_to_the_teacher_and_not_to_the_rooms_screen() -> None:
    progress = RoomProgress(3, 3, [2, 4, 6], [4], [4], [Stop(4, "Say nothing yet.", pauses=True)])
    seen = shown(HELD, VOTED, None)
    assert "Say nothing yet." in str(room(HELD, seen, progress, now=HELD.created))
    assert "Say nothing yet." not in str(screen(HELD, seen, progress, where=("", "")))
    assert screen(HELD, seen, progress, where=("", ""))["after"] == room(HELD, seen, progress, now=HELD.created)["after"] != []


def test_the_smaller_number_of_devices_is_said_the_classs_or_the_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    said = []
    for most_pages in (10_000, 302, 301, 1):
        monkeypatch.setattr(capacity, "most_pages", lambda most_pages=most_pages: most_pages)
        said.append(wording.fits(*classes.places()))
    machine = "as many as this machine can connect."
    assert said[:2] == ["Up to 300 devices can join."] * 2
    assert said[2:] == [f"Up to 299 devices can join: {machine}", f"Up to 1 device can join: {machine}"]


def test_only_the_usual_steps_are_voted_on_unless_the_teacher_wants_all() -> None:
    progress = RoomProgress(3, 3, [2, 4, 6], [4])
    seen = shown(HELD, VOTED, None)
    assert room(HELD, seen, progress, now=HELD.created)["decisions"] == [4]
    every = ClassSession(**{**vars(HELD), "state": State(every=True)})
    assert room(every, seen, progress, now=HELD.created)["decisions"] == [2, 4, 6]
